//! Another tree for a target whose cheapest trees cannot be written: what is fixed about it stays, and
//! everything else is chosen from left to right so that the lexer can make each token in its modes.
//!
//! A depth-first search. A nonterminal offers its productions, cheap ones first, later attempts with
//! some noise; only those that can begin in the current modes are taken, and at a dead end the last
//! choice is taken back. What is still to come is a shared list, so taking back costs nothing. Deep
//! below what is fixed only the cheapest productions are offered, and the steps are bounded: the search
//! may fail where a tree exists.

use std::sync::{Mutex, PoisonError};

use gramercy_analysis::{First, Nullable, Productive};
use gramercy_base::{Draw, IdSet, Map};
use gramercy_coverage::Views;
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol, TerminalId};
use gramercy_lexis::{Modes, Writable, Writer};

use super::Build;
use crate::contexts::{Contexts, Step};
use crate::draft::Draft;
use crate::minimal::Minimal;

/// How deep below what is fixed there is a choice.
const MAX_LEVEL: u32 = 10;
/// How many steps a search takes at most.
const MAX_STEPS: usize = 20_000;

/// Knows which tokens the lexer can make where. Shared by all who search, which is rare.
#[derive(Debug)]
pub struct Guide<'g> {
    knowledge: Mutex<Knowledge<'g>>,
    nullable: Nullable,
    first: First,
    never: Option<Never>,
}

/// The tokens that no text has, and what derives anything without them.
pub(crate) type Never = (IdSet<TerminalId>, Productive);

#[derive(Debug)]
struct Knowledge<'g> {
    writer: Writer<'g>,
    /// Whether a nonterminal can begin with a token that can be made.
    begins: Map<(NonterminalId, Modes), bool>,
}

impl<'g> Guide<'g> {
    /// Knows what a writer knows, and which tokens no text has, if there are any.
    #[must_use]
    pub(crate) fn new(views: &Views<'_>, writer: Writer<'g>, never: Option<Never>) -> Self {
        let nullable = Nullable::of(views.bnf);
        let first = First::of(views.bnf, &views.productive, &nullable);
        let knowledge = Mutex::new(Knowledge { writer, begins: Map::default() });
        Self { knowledge, nullable, first, never }
    }

    /// Whether some of these tokens are in no text.
    pub(super) fn are_hopeless(&self, tokens: &[TerminalId]) -> bool {
        let never = self.never.as_ref();
        never.is_some_and(|(never, _)| tokens.iter().any(|&token| never.contains(token)))
    }

    /// Whether no text has a tree with all that is fixed.
    pub(super) fn is_hopeless(&self, skeleton: &Skeleton) -> bool {
        let Some((never, productive)) = &self.never else { return false };
        skeleton.items.iter().any(|item| match *item {
            Item::Free(Symbol::Terminal(token), _) => never.contains(token),
            Item::Free(Symbol::Nonterminal(id), _) => !productive.contains(id),
            Item::Production(_) | Item::Nothing(_) => false,
        })
    }

    /// The writer that it asks.
    pub(crate) fn writer(&self) -> Writer<'g> {
        self.knowledge.lock().unwrap_or_else(PoisonError::into_inner).writer.clone()
    }
}

/// A part of a tree that is fixed, or not.
#[derive(Clone, Copy, Debug)]
enum Item {
    Production(ProductionId),
    /// Anything below a symbol, so many levels below what is fixed.
    Free(Symbol, u32),
    /// Nothing below a symbol.
    Nothing(Symbol),
}

/// What is fixed about a tree.
#[derive(Debug, Default)]
pub(crate) struct Skeleton {
    items: Vec<Item>,
}

impl Skeleton {
    /// A way down from the start symbol, and the production behind it, if that is given.
    pub(crate) fn of_way(cfg: &Cfg, steps: &[Step], last: Option<ProductionId>) -> Self {
        let mut skeleton = Self::default();
        for step in steps {
            skeleton.items.push(Item::Production(step.production));
            skeleton.free(&cfg.rhs(step.production)[..step.position]);
        }
        match (last, steps.last()) {
            (Some(last), _) => {
                skeleton.items.push(Item::Production(last));
                skeleton.free(cfg.rhs(last));
            }
            (None, Some(step)) => {
                skeleton.free(&cfg.rhs(step.production)[step.position..=step.position]);
            }
            (None, None) => skeleton.free(&[Symbol::Nonterminal(cfg.start())]),
        }
        for step in steps.iter().rev() {
            skeleton.free(&cfg.rhs(step.production)[step.position + 1..]);
        }
        skeleton
    }

    fn free(&mut self, symbols: &[Symbol]) {
        self.items.extend(symbols.iter().map(|&symbol| Item::Free(symbol, 0)));
    }
}

/// Gathers what is fixed about a tree.
pub(super) struct Gathering<'b> {
    contexts: &'b Contexts<'b>,
    cfg: &'b Cfg,
    pub(super) skeleton: Skeleton,
}

impl<'b> Gathering<'b> {
    pub(super) fn new(contexts: &'b Contexts<'b>) -> Self {
        Self { contexts, cfg: contexts.minimal().cfg(), skeleton: Skeleton::default() }
    }
}

impl Build for Gathering<'_> {
    fn open(&mut self, nonterminal: NonterminalId) {
        let cfg = self.cfg;
        for step in self.contexts.way(nonterminal) {
            self.production(step.production);
            self.close(&cfg.rhs(step.production)[..step.position]);
        }
    }

    fn finish(&mut self, nonterminal: NonterminalId) {
        let cfg = self.cfg;
        for step in self.contexts.way(nonterminal).into_iter().rev() {
            self.close(&cfg.rhs(step.production)[step.position + 1..]);
        }
    }

    fn production(&mut self, production: ProductionId) {
        self.skeleton.items.push(Item::Production(production));
    }

    fn close(&mut self, symbols: &[Symbol]) {
        self.skeleton.free(symbols);
    }

    fn vanish(&mut self, symbols: &[Symbol]) {
        self.skeleton.items.extend(symbols.iter().map(|&symbol| Item::Nothing(symbol)));
    }
}

/// What is still to come: an item, and where the rest of the list is.
type Cell = (Item, Option<usize>);

/// A choice that can be taken back.
struct Choice {
    to_come: Option<usize>,
    modes: Modes,
    lengths: (usize, usize),
    /// Productions that were not tried yet, the next one last.
    others: Vec<ProductionId>,
    level: u32,
}

/// One search.
pub(crate) struct Search<'s, 'g> {
    pub(crate) views: &'s Views<'s>,
    pub(crate) guide: &'s Guide<'g>,
    pub(crate) minimal: &'s Minimal<'s>,
    pub(crate) nothing: &'s Minimal<'s>,
    /// What decides about the noise, and how much of it there is.
    pub(crate) draw: Draw,
    pub(crate) noise: usize,
}

impl Search<'_, '_> {
    /// Completes a skeleton in an empty draft; `false` if no tree was found.
    pub(crate) fn complete(&mut self, skeleton: &Skeleton, draft: &mut Draft) -> bool {
        let knowledge = self.guide.knowledge.lock();
        let knowledge = &mut *knowledge.unwrap_or_else(PoisonError::into_inner);
        let mut cells: Vec<Cell> = Vec::new();
        let mut to_come = None;
        for &item in skeleton.items.iter().rev() {
            cells.push((item, to_come));
            to_come = Some(cells.len() - 1);
        }
        let mut modes = knowledge.writer.start_modes();
        let mut choices: Vec<Choice> = Vec::new();
        for _ in 0..MAX_STEPS {
            let Some(at) = to_come else { return true };
            let (item, next) = cells[at];
            let goes_on = match item {
                Item::Production(production) => {
                    draft.productions.push(production);
                    to_come = next;
                    true
                }
                Item::Nothing(symbol) => {
                    self.nothing.close(symbol, draft);
                    to_come = next;
                    true
                }
                Item::Free(Symbol::Terminal(token), _) => {
                    match knowledge.writer.can_write(modes, token) {
                        Writable::Yes(behind) => {
                            draft.tokens.push(token);
                            (modes, to_come) = (behind, next);
                            true
                        }
                        Writable::Impossible(_) | Writable::Unknown => false,
                    }
                }
                Item::Free(Symbol::Nonterminal(nonterminal), level) => {
                    let others = self.offers(nonterminal, level, modes, knowledge);
                    let lengths = (draft.productions.len(), draft.tokens.len());
                    choices.push(Choice { to_come: next, modes, lengths, others, level });
                    false
                }
            };
            if !goes_on {
                match self.take_next(&mut choices, &mut cells, draft) {
                    Some(state) => (to_come, modes) = state,
                    None => return false,
                }
            }
        }
        false
    }

    /// Goes back to the last choice that has another production, and takes it.
    fn take_next(
        &self,
        choices: &mut Vec<Choice>,
        cells: &mut Vec<Cell>,
        draft: &mut Draft,
    ) -> Option<(Option<usize>, Modes)> {
        loop {
            let choice = choices.last_mut()?;
            draft.productions.truncate(choice.lengths.0);
            draft.tokens.truncate(choice.lengths.1);
            let Some(production) = choice.others.pop() else {
                choices.pop();
                continue;
            };
            draft.productions.push(production);
            let mut to_come = choice.to_come;
            for &symbol in self.minimal.cfg().rhs(production).iter().rev() {
                cells.push((Item::Free(symbol, choice.level + 1), to_come));
                to_come = Some(cells.len() - 1);
            }
            return Some((to_come, choice.modes));
        }
    }

    /// The productions of a nonterminal that can begin in these modes, the best last.
    fn offers(
        &mut self,
        nonterminal: NonterminalId,
        level: u32,
        modes: Modes,
        knowledge: &mut Knowledge<'_>,
    ) -> Vec<ProductionId> {
        let cheapest = self.minimal.production(nonterminal);
        if level >= MAX_LEVEL {
            return cheapest.into_iter().collect();
        }
        let cfg = self.minimal.cfg();
        let mut offers: Vec<(u64, bool, ProductionId)> = Vec::new();
        for &production in cfg.productions_of(nonterminal) {
            let is_used = self.views.productive.has_production(production);
            if is_used && self.can_begin(cfg.rhs(production), modes, knowledge) {
                let length = self.minimal.length(cfg.rhs(production)).unwrap_or(u64::MAX);
                let noise = self.draw.below(self.noise + 1) as u64;
                let is_other = cheapest != Some(production);
                offers.push((length.saturating_add(noise), is_other, production));
            }
        }
        offers.sort_unstable();
        offers.into_iter().rev().map(|(.., production)| production).collect()
    }

    /// Whether symbols can begin with a token that can be made, or be nothing.
    fn can_begin(&self, rhs: &[Symbol], modes: Modes, knowledge: &mut Knowledge<'_>) -> bool {
        for &symbol in rhs {
            let (begins, vanishes) = match symbol {
                Symbol::Terminal(token) => (is_yes(knowledge, modes, token), false),
                Symbol::Nonterminal(id) => {
                    (self.begins(id, modes, knowledge), self.guide.nullable.contains(id))
                }
            };
            if begins || !vanishes {
                return begins;
            }
        }
        true
    }

    fn begins(&self, id: NonterminalId, modes: Modes, knowledge: &mut Knowledge<'_>) -> bool {
        if let Some(&known) = knowledge.begins.get(&(id, modes)) {
            return known;
        }
        let row = self.guide.first.sets().iter_row(id);
        let mut tokens = row.filter_map(|of| of.terminal(self.views.bnf));
        let begins = tokens.any(|token| is_yes(knowledge, modes, token));
        knowledge.begins.insert((id, modes), begins);
        begins
    }
}

fn is_yes(knowledge: &mut Knowledge<'_>, modes: Modes, token: TerminalId) -> bool {
    matches!(knowledge.writer.can_write(modes, token), Writable::Yes(_))
}
