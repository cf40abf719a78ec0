//! All trees with shortest yields of a nonterminal, where they are few: completion it off is then one draw and
//! one copy, instead of a choice at every node.
//!
//! Trees are made level by level of their height, from those of the level below, up to the height that
//! is allowed; each is as likely as its choices together. A nonterminal with too many of them, or too
//! large or too high ones, gets none. Linear in what is kept, times the levels at which something changes.

use gramercy_base::{Draw, IdSet, Table, to_u32};
use gramercy_grammar::{NonterminalId, ProductionId, Symbol, TerminalId};
use gramercy_language::Language;

use crate::fast::runs::{Run, Runs};
use crate::grow::aliases::{self, AliasSlot};
use crate::grow::parts::Parts;

/// Trees of a nonterminal at most, and their tokens and productions together.
const MAX_TREES: usize = 256;
const MAX_ENTRIES: usize = 4096;
/// The highest trees.
const MAX_HEIGHT: u32 = 64;

/// The trees of every nonterminal that has few.
#[derive(Debug)]
pub(crate) struct Endings {
    /// Where the slots of each nonterminal lie.
    rows: Table<NonterminalId, Option<(u32, u32)>>,
    slots: Vec<AliasSlot<EndingId>>,
    /// Where the productions of trees lie.
    productions_of: Table<EndingId, (u32, u32)>,
    productions: Vec<ProductionId>,
    /// The tokens of trees.
    runs_of: Table<EndingId, Run>,
}

gramercy_base::define_id!(pub(crate) struct EndingId, "a tree with a shortest yield");

/// The trees of a nonterminal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choices {
    /// More than are kept.
    Many,
    /// The only one.
    One(EndingId),
    /// A few.
    Several(Several),
}

/// The trees of a nonterminal that has a few: where their slots lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Several {
    first: u32,
    count: u32,
}

/// A tree in the making, and how likely it is.
#[derive(Clone, Debug)]
struct Tree {
    productions: Vec<ProductionId>,
    tokens: Vec<TerminalId>,
    likelihood: f64,
}

/// The trees of a nonterminal up to some height; `None` if they are too many.
type Trees = Option<Vec<Tree>>;

impl Endings {
    pub(crate) fn new(
        language: &Language,
        parts: &Parts,
        weights: &Table<ProductionId, f64>,
        runs: &mut Runs,
    ) -> Self {
        let cfg = language.bnf().cfg();
        let mut endings = Self {
            rows: Table::filled(None, cfg.nonterminal_count()),
            slots: Vec::new(),
            productions_of: Table::default(),
            productions: Vec::new(),
            runs_of: Table::default(),
        };
        let mut below: Table<NonterminalId, Trees> =
            Table::filled(Some(Vec::new()), cfg.nonterminal_count());
        let mut changed: IdSet<NonterminalId> = IdSet::new(cfg.nonterminal_count());
        let highest = cfg.nonterminals().map(|id| parts.height(id)).max().unwrap_or(0);
        for height in 0..=highest.min(MAX_HEIGHT) {
            let level = Level { language, parts, weights, height, below: &below };
            let here: Vec<(NonterminalId, Trees)> = cfg
                .nonterminals()
                .filter(|&id| level.is_new(id, &changed))
                .map(|id| (id, level.trees(id)))
                .collect();
            changed.clear();
            for (id, trees) in here {
                changed.insert(id);
                below[id] = trees;
            }
            for id in cfg.nonterminals().filter(|&id| parts.height(id) == height) {
                endings.keep(id, below[id].as_deref().unwrap_or_default(), runs);
            }
        }
        endings
    }

    fn keep(&mut self, nonterminal: NonterminalId, trees: &[Tree], runs: &mut Runs) {
        let mut things = Vec::with_capacity(trees.len());
        for tree in trees {
            let begin = to_u32(self.productions.len());
            self.productions.extend_from_slice(&tree.productions);
            let id = self.productions_of.push((begin, to_u32(self.productions.len())));
            self.runs_of.push(runs.keep(&tree.tokens));
            things.push((id, tree.likelihood));
        }
        if !things.is_empty() {
            let first = to_u32(self.slots.len());
            self.slots.extend(aliases::slots(&things));
            self.rows[nonterminal] = Some((first, to_u32(self.slots.len())));
        }
    }

    /// One of the trees of a nonterminal; `None` if there are too many.
    #[inline]
    pub(crate) fn choose(&self, nonterminal: NonterminalId, draw: &mut Draw) -> Option<EndingId> {
        let (first, end) = self.rows[nonterminal]?;
        Some(aliases::choose(&self.slots[first as usize..end as usize], draw))
    }

    /// What there is to choose from for a nonterminal.
    pub(crate) fn of(&self, nonterminal: NonterminalId) -> Choices {
        match self.rows[nonterminal] {
            None => Choices::Many,
            Some((first, end)) if end - first == 1 => {
                Choices::One(aliases::only(&self.slots[first as usize]))
            }
            Some((first, end)) => Choices::Several(Several { first, count: end - first }),
        }
    }

    /// The slots of several trees.
    pub(crate) fn slots(&self, Several { first, count }: Several) -> &[AliasSlot<EndingId>] {
        &self.slots[first as usize..][..count as usize]
    }

    /// The productions of a tree.
    #[inline]
    pub(crate) fn productions(&self, ending: EndingId) -> &[ProductionId] {
        let (first, end) = self.productions_of[ending];
        &self.productions[first as usize..end as usize]
    }

    /// The tokens of a tree.
    #[inline]
    pub(crate) fn run(&self, ending: EndingId) -> Run {
        self.runs_of[ending]
    }
}

/// What trees of one height are made of.
struct Level<'l> {
    language: &'l Language,
    parts: &'l Parts,
    weights: &'l Table<ProductionId, f64>,
    height: u32,
    below: &'l Table<NonterminalId, Trees>,
}

impl Level<'_> {
    fn shortest(&self, nonterminal: NonterminalId) -> impl Iterator<Item = ProductionId> {
        let productions = self.language.bnf().productions_of(nonterminal).iter().copied();
        productions
            .filter(|&id| self.parts.heights(id).is_some_and(|(least, _)| least <= self.height))
    }

    /// Whether a nonterminal's trees may differ from those of the level below.
    fn is_new(&self, nonterminal: NonterminalId, changed: &IdSet<NonterminalId>) -> bool {
        let has_changed = |symbol: &Symbol| match symbol {
            Symbol::Terminal(_) => false,
            Symbol::Nonterminal(id) => changed.contains(*id),
        };
        let is_new = |id: ProductionId| {
            let is_first = self.parts.heights(id).is_some_and(|(least, _)| least == self.height);
            is_first || self.language.bnf().rhs(id).iter().any(has_changed)
        };
        self.height <= self.parts.height(nonterminal)
            && self.below[nonterminal].is_some()
            && self.shortest(nonterminal).any(is_new)
    }

    fn trees(&self, nonterminal: NonterminalId) -> Trees {
        let sum: f64 = self.shortest(nonterminal).map(|id| self.weights[id]).sum();
        let mut all: Vec<Tree> = Vec::new();
        for id in self.shortest(nonterminal) {
            let likelihood = if sum > 0.0 { self.weights[id] / sum } else { 1.0 };
            let root = Tree { productions: vec![id], tokens: Vec::new(), likelihood };
            let begun = |begun: Vec<Tree>, symbol| self.go_on(begun, symbol);
            all.extend(self.language.bnf().rhs(id).iter().try_fold(vec![root], begun)?);
            bounded(&all)?;
        }
        Some(all)
    }

    /// All trees that go on with a symbol.
    fn go_on(&self, mut begun: Vec<Tree>, symbol: &Symbol) -> Trees {
        let id = match symbol {
            Symbol::Terminal(terminal) => {
                begun.iter_mut().for_each(|tree| tree.tokens.push(*terminal));
                return Some(begun);
            }
            Symbol::Nonterminal(id) => *id,
        };
        let mut longer = Vec::new();
        for part in self.below[id].as_ref()? {
            longer.extend(begun.iter().map(|tree| Tree {
                productions: [&tree.productions[..], &part.productions].concat(),
                tokens: [&tree.tokens[..], &part.tokens].concat(),
                likelihood: tree.likelihood * part.likelihood,
            }));
            bounded(&longer)?;
        }
        Some(longer)
    }
}

fn bounded(trees: &[Tree]) -> Option<()> {
    let entries: usize = trees.iter().map(|tree| tree.productions.len() + tree.tokens.len()).sum();
    (trees.len() <= MAX_TREES && entries <= MAX_ENTRIES).then_some(())
}
