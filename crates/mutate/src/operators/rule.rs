//! Symbols of productions are deleted, inserted, substituted and transposed, at every item.
//!
//! After Raselimo, Taljaard and Fischer (SLE 2019, section 5). Each production stands in the smallest sentence around
//! it, with everything in it derived as cheaply as possible; a symbol that is put in is derived like that too. The
//! conditions of the publication test the boundary left of the change only and lose the begin and the end of the
//! sentence; here the same checks are used as for every other operator.
//!
//! Example: `S: A ";"; A: "x" | "(" A ")";`. The base of `A: "(" A ")"` is `( x ) ;`. Deleting its second symbol gives
//! `( ) ;`, inserting `";"` before its third one `( x ; ) ;`.
//!
//! Cost: items times symbols of the grammar, each a check.

use std::ops::{ControlFlow, Range};

use gramercy_derive::{Candidate, CheapestTrees, Contexts};
use gramercy_grammar::{NonterminalId, ProductionId, Symbol, TerminalId};
use gramercy_language::Language;

use super::Visit;
use crate::check::Check;
use crate::edit::{Edit, Family, Item, Kind, Operator};
use crate::vocabulary::Vocabulary;

/// Changes of productions.
#[derive(Debug)]
pub struct Rules<'l> {
    language: &'l Language,
    contexts: &'l Contexts<'l>,
    /// What each symbol of the grammar is derived as.
    yields: Vec<(Symbol, Vec<TerminalId>)>,
}

/// A production in the smallest sentence around it.
#[derive(Clone, Debug)]
pub struct RuleBase {
    /// The production.
    pub production: ProductionId,
    /// The sentence.
    pub tokens: Vec<TerminalId>,
    /// Where the text of each symbol of the production lies.
    symbols: Vec<Range<usize>>,
    /// Where the text of the production begins.
    start: usize,
}

impl<'l> Rules<'l> {
    /// The changes of all productions that sentences use, embedded by `contexts`.
    #[must_use]
    pub fn new(language: &'l Language, contexts: &'l Contexts<'l>) -> Self {
        let (bnf, cheapest) = (language.bnf(), contexts.cheapest());
        let vocabulary = Vocabulary::new(language);
        let terminals = vocabulary.all().iter().map(Symbol::Terminal);
        let is_useful = |id: &NonterminalId| language.useful().contains(Symbol::Nonterminal(*id));
        let nonterminals = bnf.cfg().nonterminals().filter(is_useful).map(Symbol::Nonterminal);
        let yields =
            terminals.chain(nonterminals).map(|symbol| (symbol, yield_of(cheapest, symbol)));
        // A terminal that stands for any of several tokens is no token that can be put in.
        let is_put = |(_, tokens): &(Symbol, Vec<TerminalId>)| {
            tokens.iter().all(|&token| vocabulary.all().contains(token))
        };
        Self { language, contexts, yields: yields.filter(is_put).collect() }
    }

    /// The productions that sentences use.
    pub fn productions(&self) -> impl Iterator<Item = ProductionId> + '_ {
        let language = self.language;
        language.bnf().productions().filter(|&id| language.useful().has_production(id))
    }

    /// The sentence around a production.
    #[must_use]
    pub fn base(&self, production: ProductionId) -> RuleBase {
        let bnf = self.language.bnf();
        let mut candidate = Candidate::default();
        self.contexts.open(bnf.lhs(production), &mut candidate);
        let begin = candidate.tokens.len();
        let symbol = |&symbol: &Symbol| {
            let start = candidate.tokens.len();
            self.contexts.cheapest().close(symbol, &mut candidate);
            start..candidate.tokens.len()
        };
        let symbols = bnf.rhs(production).iter().map(symbol).collect();
        self.contexts.finish(bnf.lhs(production), &mut candidate);
        RuleBase { production, tokens: candidate.tokens, symbols, start: begin }
    }

    /// Visits all changes of a production that leave the language, by item. The check looks at its sentence already.
    pub fn visit(
        &self,
        base: &RuleBase,
        check: &mut dyn Check,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        for dot in 0..=base.symbols.len() {
            Kind::ALL
                .iter()
                .try_for_each(|&kind| self.visit_item(base, dot, kind, check, visit))?;
        }
        ControlFlow::Continue(())
    }

    /// Visits all changes of one kind at one item that leave the language.
    pub fn visit_item(
        &self,
        base: &RuleBase,
        dot: usize,
        kind: Kind,
        check: &mut dyn Check,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let item = Some(Item { production: base.production, dot });
        let mut offer = |place: usize, removed: usize, inserted: &[TerminalId]| match check
            .is_negative(place, removed, inserted)
        {
            true => {
                let operator = Operator { family: Family::Rule, kind };
                visit(&Edit { operator, place, removed, inserted, item })
            }
            false => ControlFlow::Continue(()),
        };
        let here = base.symbols.get(dot);
        let next = base.symbols.get(dot + 1);
        match (kind, here, next) {
            (Kind::Delete, Some(here), _) if !here.is_empty() => offer(here.start, here.len(), &[]),
            (Kind::Insert, _, _) => {
                let place = base.place(dot);
                let something = self.yields.iter().filter(|(_, tokens)| !tokens.is_empty());
                something.map(|(_, tokens)| tokens).try_for_each(|tokens| offer(place, 0, tokens))
            }
            (Kind::Substitute, Some(here), _) => {
                let old = self.language.bnf().rhs(base.production)[dot];
                let others = self.yields.iter().filter(|(symbol, tokens)| {
                    // What gives the same text, or takes the symbol out, is no substitution.
                    *symbol != old && !tokens.is_empty() && *tokens != base.tokens[here.clone()]
                });
                let mut others = others.filter(|_| !here.is_empty()).map(|(_, tokens)| tokens);
                others.try_for_each(|tokens| offer(here.start, here.len(), tokens))
            }
            (Kind::Transpose, Some(here), Some(next)) if !here.is_empty() && !next.is_empty() => {
                let (here, next) = (here.clone(), next.clone());
                let swapped = [&base.tokens[next.clone()], &base.tokens[here.clone()]].concat();
                match swapped == base.tokens[here.start..next.end] {
                    true => ControlFlow::Continue(()),
                    false => offer(here.start, swapped.len(), &swapped),
                }
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

impl RuleBase {
    /// How many items the production has.
    #[must_use]
    pub fn items(&self) -> usize {
        self.symbols.len() + 1
    }

    /// The token at which an item's dot stands.
    fn place(&self, dot: usize) -> usize {
        match (self.symbols.get(dot), self.symbols.last()) {
            (Some(symbol), _) => symbol.start,
            (None, Some(last)) => last.end,
            (None, None) => self.start,
        }
    }
}

fn yield_of(cheapest: &CheapestTrees<'_>, symbol: Symbol) -> Vec<TerminalId> {
    let mut candidate = Candidate::default();
    cheapest.close(symbol, &mut candidate);
    candidate.tokens
}
