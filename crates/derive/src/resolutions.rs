//! The cheapest trees of several resolutions: those that a suite merges, and others to fall back on
//! where a test cannot be written.

use gramercy_analysis::shortest_yield::Length;
use gramercy_grammar::{Symbol, TextKind};
use gramercy_language::Language;
use gramercy_lexis::Writer;

use crate::cheapest::CheapestTrees;
use crate::resolution::{Embedding, Resolution, Ties};
use crate::search::Guide;

/// The cheapest trees of several resolutions.
#[derive(Debug)]
pub struct Resolutions<'c> {
    all: Vec<CheapestTrees<'c>>,
    variants: usize,
    guide: Option<Guide<'c>>,
    /// Where sentences have tokens that no text has, the grammar without these.
    writable: Option<WritablePart<'c>>,
}

/// The part of a grammar whose tokens can be written.
#[derive(Debug)]
struct WritablePart<'c> {
    language: Language,
    shortest: CheapestTrees<'c>,
}

/// How many other resolutions with drawn ties there are to fall back on.
const DRAWN: u64 = 3;

impl<'c> Resolutions<'c> {
    /// Several variants of a resolution. The first is the resolution itself; in others, ties are
    /// drawn.
    #[must_use]
    pub fn new(language: &'c Language, resolution: Resolution, variants: u32) -> Self {
        let variant = |number: u32| match (resolution.ties, number) {
            (ties, 0) => ties,
            (Ties::First, number) => Ties::Random { seed: 0, variant: number.into() },
            (Ties::Random { seed, .. }, number) => Ties::Random { seed, variant: number.into() },
        };
        let variants =
            (0..variants.max(1)).map(|number| Resolution { ties: variant(number), ..resolution });
        let variants: Vec<Resolution> = variants.collect();
        let others = fall_backs(resolution).filter(|other| !variants.contains(other));
        let all = variants.iter().copied().chain(others).map(|of| CheapestTrees::new(language, of));
        Self { all: all.collect(), variants: variants.len(), guide: None, writable: None }
    }

    /// With a guide to other trees, where tokens cannot be written.
    #[must_use]
    pub fn guided(self, language: &'c Language, writer: &Writer<'c>) -> Self {
        let mut writer = writer.clone();
        let never = writer.never_written();
        let without = (!never.is_empty()).then(|| language.without(&never));
        let is_lexed = writer.grammar().text_kind() == TextKind::Lexed;
        let guide = is_lexed.then(|| {
            let productive = without.as_ref().map(|without| without.productive().clone());
            Guide::new(language, writer, productive.map(|productive| (never.clone(), productive)))
        });
        let is_used = |terminal| language.useful().contains(Symbol::Terminal(terminal));
        let writable = without.filter(|_| never.iter().any(is_used));
        let writable = writable.and_then(|without| WritablePart::new(language, without));
        Self { guide, writable, ..self }
    }

    /// The language in which tests grow: those of the grammar, without tokens that no text has. Such a token
    /// spoils the whole test, and with a large one everything else that is in it.
    pub fn writable<'s>(&'s self, language: &'s Language) -> &'s Language {
        self.writable.as_ref().map_or(language, |writable| &writable.language)
    }

    /// As [`shortest`](Self::shortest), in this language.
    pub fn shortest_writable(&self) -> &CheapestTrees<'c> {
        self.writable.as_ref().map_or_else(|| self.shortest(), |writable| &writable.shortest)
    }

    /// The writer of the grammar's tokens, if there is a guide.
    pub fn writer(&self) -> Option<Writer<'c>> {
        self.guide.as_ref().map(Guide::writer)
    }

    /// The guide, if there is one.
    pub fn guide(&self) -> Option<&Guide<'c>> {
        self.guide.as_ref()
    }

    /// The resolutions that a suite merges.
    #[must_use]
    pub fn variants(&self) -> &[CheapestTrees<'c>] {
        &self.all[..self.variants]
    }

    /// The one by which trees have the fewest tokens: none at all where that is possible.
    #[must_use]
    pub fn shortest(&self) -> &CheapestTrees<'c> {
        let is_shortest = |of: &&CheapestTrees<'_>| {
            of.resolution().embedding == Embedding::Shortest
                && of.resolution().length == Length::Terminals
        };
        self.all.iter().find(is_shortest).expect("invariant: it is among those to fall back on")
    }

    /// The resolutions to fall back on.
    #[must_use]
    pub fn others(&self) -> &[CheapestTrees<'c>] {
        &self.all[self.variants..]
    }
}

impl<'c> WritablePart<'c> {
    /// What is left of a grammar; `None` if that is nothing.
    fn new(whole: &'c Language, language: Language) -> Option<Self> {
        let shortest = CheapestTrees::among(whole.bnf(), language.productive(), shortest());
        (!language.useful().is_empty()).then_some(Self { language, shortest })
    }
}

fn shortest() -> Resolution {
    Resolution { embedding: Embedding::Shortest, ..Resolution::default() }
}

/// The shortest first, for whatever is too long.
fn fall_backs(resolution: Resolution) -> impl Iterator<Item = Resolution> {
    let shortest = shortest();
    let shallowest = Resolution { embedding: Embedding::Shallowest, ..shortest };
    let drawn = (1..=DRAWN).map(move |variant| Resolution {
        ties: Ties::Random { seed: u64::MAX, variant },
        ..resolution
    });
    [shortest, shallowest].into_iter().chain(drawn)
}
