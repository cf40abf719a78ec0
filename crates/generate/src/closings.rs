//! The cheapest trees of several resolutions: those that a suite merges, and others to fall back on
//! where a test cannot be written.

use gramercy_analysis::shortest_yield::Length;
use gramercy_coverage::Views;
use gramercy_grammar::TextKind;
use gramercy_lexis::Writer;

use crate::minimal::Minimal;
use crate::resolution::{Embedding, Resolution, Ties};
use crate::strategies::cover::search::Guide;

/// The cheapest trees of several resolutions.
#[derive(Debug)]
pub struct Closings<'c> {
    all: Vec<Minimal<'c>>,
    variants: usize,
    guide: Option<Guide<'c>>,
}

/// How many other resolutions with drawn ties there are to fall back on.
const DRAWN: u64 = 3;

impl<'c> Closings<'c> {
    /// So many variants of a resolution. The first is the resolution itself; in others, ties are
    /// drawn.
    #[must_use]
    pub fn new(views: &Views<'c>, resolution: Resolution, variants: u32) -> Self {
        let variant = |number: u32| match (resolution.ties, number) {
            (ties, 0) => ties,
            (Ties::First, number) => Ties::Random { seed: 0, variant: number.into() },
            (Ties::Random { seed, .. }, number) => Ties::Random { seed, variant: number.into() },
        };
        let variants =
            (0..variants.max(1)).map(|number| Resolution { ties: variant(number), ..resolution });
        let variants: Vec<Resolution> = variants.collect();
        let others = fall_backs(resolution).filter(|other| !variants.contains(other));
        let all = variants.iter().copied().chain(others).map(|of| Minimal::new(views, of));
        Self { all: all.collect(), variants: variants.len(), guide: None }
    }

    /// With a guide to other trees, where tokens cannot be written.
    #[must_use]
    pub fn guided(self, views: &Views<'_>, writer: &Writer<'c>) -> Self {
        let is_lexed = writer.grammar().text_kind() == TextKind::Lexed;
        Self { guide: is_lexed.then(|| Guide::new(views, writer.clone())), ..self }
    }

    /// The writer of the grammar's tokens, if there is a guide.
    pub(crate) fn writer(&self) -> Option<Writer<'c>> {
        self.guide.as_ref().map(Guide::writer)
    }

    /// The guide, if there is one.
    pub(crate) fn guide(&self) -> Option<&Guide<'c>> {
        self.guide.as_ref()
    }

    /// The resolutions that a suite merges.
    #[must_use]
    pub fn variants(&self) -> &[Minimal<'c>] {
        &self.all[..self.variants]
    }

    /// The one by which trees have the fewest tokens: none at all where that is possible.
    #[must_use]
    pub fn shortest(&self) -> &Minimal<'c> {
        let is_shortest = |of: &&Minimal<'_>| {
            of.resolution().embedding == Embedding::Shortest
                && of.resolution().length == Length::Terminals
        };
        self.all.iter().find(is_shortest).expect("invariant: it is among those to fall back on")
    }

    /// The resolutions to fall back on.
    #[must_use]
    pub fn others(&self) -> &[Minimal<'c>] {
        &self.all[self.variants..]
    }
}

/// The shortest first, for whatever is too long.
fn fall_backs(resolution: Resolution) -> impl Iterator<Item = Resolution> {
    let shortest = Resolution { embedding: Embedding::Shortest, ..Resolution::default() };
    let shallowest = Resolution { embedding: Embedding::Shallowest, ..shortest };
    let drawn = (1..=DRAWN).map(move |variant| Resolution {
        ties: Ties::Random { seed: u64::MAX, variant },
        ..resolution
    });
    [shortest, shallowest].into_iter().chain(drawn)
}
