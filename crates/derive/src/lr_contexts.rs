//! The shallowest way from the start symbol down to every push of a nonterminal onto a state: the
//! embeddings of Rossouw, Fischer, JSS 2024, section 5.
//!
//! With ties broken by file order all ways are branches of one [`EmbeddingTree`]; what they put before
//! and after a push is kept for the inner nodes of the tree, where many tests pass, and costs one more
//! step at its leaves. With ties drawn, every push has a way of its own, drawn among all its shallowest
//! ones. Further attempts close off what stands beside the way by other
//! resolutions, and then start with occurrences of any depth. Linear in the automaton's graph to
//! prepare, and then in what is appended.

use std::sync::OnceLock;

use gramercy_analysis::Rows;
use gramercy_analysis::shortest_yield::Length;
use gramercy_base::{Draw, Id, IdSet, Table};
use gramercy_grammar::{Cfg, ProductionId};
use gramercy_language::{Language, LrView};
use gramercy_lr::{Automaton, EmbeddingTree, GotoId, Gotos, Occurrence, Shallowest};

use crate::candidate::{Candidate, StoredTree, StoredTrees};
use crate::cheapest::CheapestTrees;
use crate::resolution::{Embedding, Resolution, Ties};

/// How many ways to close off there are: its own, and three others.
const CLOSINGS: u32 = 4;
/// How many steps of a way are free in the last attempt.
const MAX_FREE: u32 = 4;

/// For each push of a nonterminal onto a state the shallowest way down to it, with everything beside
/// the way as short as possible.
#[derive(Debug)]
pub struct LrContexts<'v> {
    language: &'v Language,
    cheapest: CheapestTrees<'v>,
    /// Other ways to close off, made when an attempt needs them.
    others: OnceLock<Vec<CheapestTrees<'v>>>,
    lr: &'v LrView,
    tree: EmbeddingTree,
    /// Made when a way is first drawn.
    occurrences: OnceLock<Rows<GotoId, Occurrence>>,
    shallowest: OnceLock<Shallowest>,
    ties: Ties,
    kept: Table<GotoId, Option<Kept>>,
    stored: StoredTrees,
}

/// What a branch of the tree puts before and after an inner node.
#[derive(Clone, Debug)]
struct Kept {
    before: StoredTree,
    behind: StoredTree,
}

impl<'v> LrContexts<'v> {
    /// The ways of an automaton. Whatever the resolution says of embeddings, these are the shallowest,
    /// and what stands beside them is the shortest.
    #[must_use]
    pub fn new(language: &'v Language, lr: &'v LrView, resolution: Resolution) -> Self {
        let chosen = |id| language.productive().has_production(id);
        let tree = EmbeddingTree::new(lr.cfg(), &lr.automaton, &lr.gotos, &chosen);
        let shortest = Resolution { embedding: Embedding::Shortest, ..resolution };
        let mut contexts = Self {
            language,
            cheapest: CheapestTrees::new(language, shortest),
            others: OnceLock::new(),
            occurrences: OnceLock::new(),
            shallowest: OnceLock::new(),
            ties: resolution.ties,
            kept: Table::filled(None, lr.gotos.len()),
            stored: StoredTrees::default(),
            tree,
            lr,
        };
        if resolution.ties == Ties::First {
            contexts.keep_all();
        }
        contexts
    }

    /// How everything beside the way is closed off in an attempt.
    #[inline]
    #[must_use]
    pub fn closing(&self, attempt: u32) -> &CheapestTrees<'v> {
        if attempt == 0 {
            return &self.cheapest;
        }
        let others = self.others.get_or_init(|| self.make_others());
        let at = (attempt % CLOSINGS) as usize;
        at.checked_sub(1).map_or(&self.cheapest, |at| &others[at])
    }

    fn make_others(&self) -> Vec<CheapestTrees<'v>> {
        let own = self.cheapest.resolution();
        let length = match own.length {
            Length::Terminals => Length::LrEdges,
            Length::LrEdges => Length::Terminals,
        };
        let drawn = Ties::Random { seed: u64::MAX, variant: 0 };
        let others = [
            Resolution { length, ..own },
            Resolution { embedding: Embedding::Shallowest, ..own },
            Resolution { ties: drawn, ..own },
        ];
        others.into_iter().map(|resolution| CheapestTrees::new(self.language, resolution)).collect()
    }

    /// The productions that the automaton is made of.
    #[inline]
    #[must_use]
    pub fn cfg(&self) -> &Cfg {
        self.lr.cfg()
    }

    /// The automaton.
    #[must_use]
    pub fn automaton(&self) -> &Automaton {
        &self.lr.automaton
    }

    /// Its pushes of nonterminals.
    #[inline]
    #[must_use]
    pub fn gotos(&self) -> &Gotos {
        &self.lr.gotos
    }

    /// Whether some sentence's path has the pop edge by a production that ends in a push.
    #[inline]
    #[must_use]
    pub fn reach(&self, goto: GotoId, production: ProductionId) -> bool {
        self.tree.contains(goto) && self.language.productive().has_production(production)
    }

    /// All occurrences of pushes in reduction paths, shallow ones first.
    #[must_use]
    pub fn occurrences(&self) -> &Rows<GotoId, Occurrence> {
        self.occurrences.get_or_init(|| {
            let chosen = |id| self.language.productive().has_production(id);
            self.tree.occurrences(self.cfg(), self.automaton(), self.gotos(), &chosen)
        })
    }

    /// Makes a sentence around a push, whose own tree is appended by `inside`; `false` if there are
    /// no more attempts at it. Attempts are counted from 0.
    ///
    /// # Panics
    /// If no sentence has the push.
    #[inline]
    pub fn surround(
        &self,
        goto: GotoId,
        attempt: u32,
        candidate: &mut Candidate,
        inside: impl FnOnce(&mut Candidate),
    ) -> bool {
        if attempt == 0 && self.ties == Ties::First {
            self.open(goto, candidate);
            inside(candidate);
            self.finish(goto, candidate);
            return true;
        }
        let Some(way) = self.way(goto, attempt) else { return false };
        let closing = self.closing(attempt);
        way.iter().rev().for_each(|step| self.begin(step, closing, candidate));
        inside(candidate);
        way.iter().for_each(|step| self.end(step, closing, candidate));
        true
    }

    /// The way to a push in an attempt, the last step first.
    fn way(&self, goto: GotoId, attempt: u32) -> Option<Vec<Occurrence>> {
        let free = attempt / CLOSINGS;
        if free == 0 && self.ties == Ties::First {
            let up = |step: &Occurrence| self.tree.parent(step.above);
            return Some(std::iter::successors(self.tree.parent(goto), up).collect());
        }
        let is_spent = free > MAX_FREE || self.occurrences().row(goto).is_empty();
        if free > 0 && is_spent {
            return None;
        }
        let (seed, variant) = match self.ties {
            Ties::First => (0, 0),
            Ties::Random { seed, variant } => (seed, variant),
        };
        let key = if free == 0 { 0 } else { attempt };
        Some(self.draw(Draw::new([seed, variant, goto.index() as u64, key.into()]), goto, free))
    }

    /// A way of a push's own, the last step first; a number of steps are drawn among all occurrences.
    fn draw(&self, mut draw: Draw, goto: GotoId, free: u32) -> Vec<Occurrence> {
        let shallowest =
            self.shallowest.get_or_init(|| Shallowest::new(&self.tree, self.occurrences()));
        let (mut way, mut at) = (Vec::new(), goto);
        for _ in 0..free {
            let all = self.occurrences().row(at);
            // A start symbol that occurs nowhere is the end of a free way too.
            let Some(&step) = all.get(draw.below(all.len())) else { break };
            way.push(step);
            at = step.above;
        }
        while let Some(step) = shallowest.at(at, draw.share()) {
            way.push(step);
            at = step.above;
        }
        way
    }

    fn open(&self, goto: GotoId, candidate: &mut Candidate) {
        let mut steps = Vec::new();
        let mut at = goto;
        while self.kept[at].is_none()
            && let Some(step) = self.tree.parent(at)
        {
            steps.push(step);
            at = step.above;
        }
        if let Some(kept) = &self.kept[at] {
            self.stored.copy(&kept.before, candidate);
        }
        steps.iter().rev().for_each(|step| self.begin(step, &self.cheapest, candidate));
    }

    fn finish(&self, goto: GotoId, candidate: &mut Candidate) {
        let mut at = goto;
        while self.kept[at].is_none()
            && let Some(step) = self.tree.parent(at)
        {
            self.end(&step, &self.cheapest, candidate);
            at = step.above;
        }
        if let Some(kept) = &self.kept[at] {
            self.stored.copy(&kept.behind, candidate);
        }
    }

    /// Appends a reduction path up to an occurrence in it.
    #[inline]
    fn begin(&self, step: &Occurrence, closing: &CheapestTrees<'_>, candidate: &mut Candidate) {
        candidate.productions.push(step.production);
        let rhs = self.cfg().rhs(step.production);
        closing.close_all(&rhs[..step.position as usize], candidate);
    }

    /// Appends the rest of a reduction path after an occurrence in it.
    #[inline]
    fn end(&self, step: &Occurrence, closing: &CheapestTrees<'_>, candidate: &mut Candidate) {
        let rhs = self.cfg().rhs(step.production);
        closing.close_all(&rhs[step.position as usize + 1..], candidate);
    }

    fn keep_all(&mut self) {
        let mut is_inner: IdSet<GotoId> = IdSet::new(self.gotos().len());
        let above = |&goto: &GotoId| self.tree.parent(goto).map(|step| step.above);
        self.tree.order().iter().filter_map(above).for_each(|goto| {
            is_inner.insert(goto);
        });
        let (mut before, mut behind) = (Candidate::default(), Candidate::default());
        for at in 0..self.tree.order().len() {
            let goto = self.tree.order()[at];
            // Below what was too large to be kept, everything is.
            let is_worthwhile = is_inner.contains(goto)
                && self.tree.parent(goto).is_none_or(|step| self.kept[step.above].is_some());
            if is_worthwhile {
                before.clear();
                behind.clear();
                self.open(goto, &mut before);
                self.finish(goto, &mut behind);
                let kept = self.stored.store(&before).zip(self.stored.store(&behind));
                self.kept[goto] = kept.map(|(before, behind)| Kept { before, behind });
            }
        }
    }
}
