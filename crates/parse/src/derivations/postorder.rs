//! One tree from its productions in postorder: every production after those of its children, left to right.
//!
//! That is the order in which an LR parser reduces, and in which a top-down parser completes. Read from its end,
//! the list is a derivation that expands the last nonterminal first, so every node is met before its children and
//! the root is the first. Linear; the memory beside the result is the tree's depth.

use gramercy_base::{Id, Table, to_u32};
use gramercy_grammar::{ProductionId, Symbol};

use super::{Derivations, Derived, DerivedChild, DerivedId, Node, StoredWay, TokenRange};
use crate::core::{NonterminalSource, ProductionSource};
use crate::parser::Parser;

/// A production whose last symbols are done.
struct Open {
    production: ProductionId,
    /// How many of its first symbols are left.
    left: usize,
    /// Where the children of its node begin; the spelling of a terminal has no node.
    node: Option<(DerivedId, usize)>,
    end: u32,
}

impl Derivations {
    /// The tree of these productions of [`Parser::cfg`] over an input of some length.
    ///
    /// # Panics
    /// If the productions are no derivation of such an input.
    #[must_use]
    pub(crate) fn of_postorder(
        parser: &Parser,
        productions: &[ProductionId],
        tokens: usize,
    ) -> Self {
        let mut building = Building {
            parser,
            made: Derivations {
                nodes: Table::with_capacity(productions.len()),
                ways: Vec::with_capacity(productions.len()),
                parts: Vec::with_capacity(productions.len() + tokens),
            },
            open: Vec::new(),
            token: to_u32(tokens),
        };
        for &production in productions.iter().rev() {
            building.enter(production);
            building.finish_tokens();
        }
        assert!(building.open.is_empty(), "invariant: a derivation has all its productions");
        assert_eq!(building.token, 0, "invariant: a derivation spans the whole input");
        building.made
    }
}

struct Building<'p> {
    parser: &'p Parser,
    made: Derivations,
    open: Vec<Open>,
    /// The tokens that are not yet part of the tree come before this one.
    token: u32,
}

impl Building<'_> {
    #[inline]
    fn enter(&mut self, production: ProductionId) {
        let (left, end) = (self.parser.cfg().rhs(production).len(), self.token);
        let node = match self.parser.production_source(production) {
            ProductionSource::Spelling(_) => None,
            ProductionSource::Bnf(of) => {
                let start = self.made.parts.len();
                let range = TokenRange { start: end, end };
                let blank = DerivedChild::Node(DerivedId::from_index(0));
                self.made.parts.resize(start + left, blank);
                let parts = (to_u32(start), to_u32(start + left));
                let way = to_u32(self.made.ways.len());
                self.made.ways.push(StoredWay { production: of, position: 0, prefix: None, parts });
                let label = Derived::Nonterminal(self.parser.cfg().lhs(production));
                let id = self.made.nodes.push(Node { label, range, ways: (way, way + 1) });
                Some((id, start))
            }
        };
        self.open.push(Open { production, left, node, end });
    }

    /// Goes left over tokens and completed productions, up to a nonterminal that is still to be expanded.
    #[inline]
    fn finish_tokens(&mut self) {
        while let Some(open) = self.open.last_mut() {
            let Some(position) = open.left.checked_sub(1) else {
                let closed = self.open.pop().expect("invariant: one is open");
                self.close(&closed);
                continue;
            };
            let Symbol::Terminal(_) = self.parser.cfg().rhs(open.production)[position] else {
                return;
            };
            open.left = position;
            self.token -= 1;
            if let Some((_, start)) = open.node {
                let terminal = self.parser.terminal_at(open.production, position);
                let terminal = terminal.expect("invariant: a token stands for a terminal");
                let range = TokenRange { start: self.token, end: self.token + 1 };
                self.made.parts[start + position] = DerivedChild::Terminal(terminal, range);
            }
        }
    }

    /// Puts a node where its parent expects it.
    #[inline]
    fn close(&mut self, closed: &Open) {
        let range = TokenRange { start: self.token, end: closed.end };
        let part = match closed.node {
            Some((id, _)) => {
                self.made.nodes[id].range = range;
                DerivedChild::Node(id)
            }
            None => {
                let lhs = self.parser.cfg().lhs(closed.production);
                match self.parser.nonterminal_source(lhs) {
                    NonterminalSource::Terminal(terminal) => {
                        DerivedChild::Terminal(terminal, range)
                    }
                    // A part of a spelling, whose parent has no node.
                    _ => DerivedChild::Node(DerivedId::from_index(0)),
                }
            }
        };
        if let Some(parent) = self.open.last_mut() {
            parent.left -= 1;
            if let Some((_, start)) = parent.node {
                self.made.parts[start + parent.left] = part;
            }
        }
    }
}
