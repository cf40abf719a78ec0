//! Derivation trees as flat arrays that can be read over both views.
//!
//! A tree over the BNF core is the list of its productions in the order of a leftmost derivation;
//! the list determines the tree. Over the grammar graph, every position of a production is the node
//! that [`Bnf::nodes`] names, so the same list tells which nodes of the graph are on which path.
//!
//! Example: with 1: S → a S b and 2: S → ε, the list [1, 1, 2] is the tree of `a a b b`. Its walk
//! is Enter 1, a, Enter 1, a, Enter 2, Leave 2, b, Leave 1, b, Leave 1.

use crate::{Bnf, NodeId, ProductionId, Symbol, TerminalId};

/// A derivation tree of the BNF core.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tree {
    productions: Vec<ProductionId>,
}

/// The events of a walk over a tree, parents before children, left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A nonterminal that a production expands, with the node of its position. The root has no
    /// position.
    Enter(ProductionId, Option<NodeId>),
    /// A terminal.
    Terminal(TerminalId, Option<NodeId>),
    /// A leaf without text: an empty literal or an end of input.
    Silent(NodeId),
    /// The end of the production that was entered last and not left yet.
    Leave(ProductionId),
}

impl Tree {
    /// The tree of a leftmost derivation from the start symbol.
    ///
    /// # Panics
    /// If the productions are not such a derivation: a broken invariant of the caller.
    #[must_use]
    pub fn new(bnf: &Bnf, productions: Vec<ProductionId>) -> Self {
        let tree = Self { productions };
        let mut walk = tree.walk(bnf);
        walk.by_ref().for_each(drop);
        assert!(walk.next.len() == 0, "invariant: a derivation uses all its productions");
        tree
    }

    /// The productions in the order of the leftmost derivation.
    #[must_use]
    pub fn productions(&self) -> &[ProductionId] {
        &self.productions
    }

    /// All nodes of the tree, parents before children, left to right.
    #[must_use]
    pub fn walk<'t>(&'t self, bnf: &'t Bnf) -> Walk<'t> {
        Walk { bnf, next: self.productions.iter(), open: Vec::new(), started: false }
    }

    /// The sentence.
    pub fn terminals<'t>(&'t self, bnf: &'t Bnf) -> impl Iterator<Item = TerminalId> + 't {
        self.walk(bnf).filter_map(|step| match step {
            Step::Terminal(terminal, _) => Some(terminal),
            Step::Enter(..) | Step::Silent(_) | Step::Leave(_) => None,
        })
    }
}

/// A walk over a tree. Only its stack grows with the depth of the tree.
#[derive(Clone, Debug)]
pub struct Walk<'t> {
    bnf: &'t Bnf,
    next: std::slice::Iter<'t, ProductionId>,
    open: Vec<Open>,
    started: bool,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    production: ProductionId,
    symbols: usize,
    silent: usize,
}

impl Walk<'_> {
    fn enter(&mut self, expected: crate::NonterminalId, node: Option<NodeId>) -> Step {
        let production = *self.next.next().expect("invariant: a derivation expands every symbol");
        assert_eq!(self.bnf.lhs(production), expected, "invariant: a derivation is leftmost");
        self.open.push(Open { production, symbols: 0, silent: 0 });
        Step::Enter(production, node)
    }
}

impl Iterator for Walk<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if !self.started {
            self.started = true;
            return Some(self.enter(self.bnf.start(), None));
        }
        let open = self.open.last_mut()?;
        let production = open.production;
        if let Some(&(position, node)) = self.bnf.silent(production).get(open.silent)
            && position as usize == open.symbols
        {
            open.silent += 1;
            return Some(Step::Silent(node));
        }
        let at = open.symbols;
        open.symbols += 1;
        match self.bnf.rhs(production).get(at) {
            None => {
                self.open.pop();
                Some(Step::Leave(production))
            }
            Some(&Symbol::Terminal(terminal)) => {
                Some(Step::Terminal(terminal, self.bnf.nodes(production)[at]))
            }
            Some(&Symbol::Nonterminal(nonterminal)) => {
                Some(self.enter(nonterminal, self.bnf.nodes(production)[at]))
            }
        }
    }
}
