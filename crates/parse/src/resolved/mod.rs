//! The tree that bison's parser builds: LALR(1) with resolved conflicts, and a plain stack.
//!
//! Where a state can both shift a token and reduce a production, the declared precedence decides, as in
//! bison (Free Software Foundation, Bison 3.8 manual, sections 5.2 to 5.3): the higher level wins, among equals
//! `%left` reduces, `%right` shifts, and `%nonassoc` makes the token an error; without precedence the token is
//! shifted. Of two productions the first in the file is reduced.
//!
//! A parse that succeeds is a derivation, so the input is in the language. A parse that fails proves nothing,
//! because resolved conflicts lose sentences: the exact parser has to decide. Linear in the input.
//!
//! A parser whose conflicts are resolved may never end: with `d: %empty | d d | '[' d ']'` it can reduce the empty
//! production again and again, and a parser that bison makes then runs out of memory. Reductions that neither read a
//! token nor use up the stack are counted, and a parse with too many of them fails.
//!
//! **Example.** `%left '+' %left '*'  e: e '+' e | e '*' e | N`, input `N * N + N`. After `N * N` the state holds
//! `e → e '*' e ·` and `e → e · '+' e`. On `'+'` the production has the level of `'*'`, which is higher:
//! it is reduced, and the tree is `(N * N) + N`.

mod table;

use gramercy_base::{Id, to_u32};
use gramercy_grammar::ProductionId;

use crate::budget::Budget;
use crate::parser::Parser;
use crate::precedences::Precedences;
use crate::tables::InputId;
use crate::tool::Failed;

use table::{Code, Table};

/// The most reductions in a row that read no token and leave the stack as high as it was.
const MAX_IDLE_REDUCTIONS: u32 = 1 << 16;

/// The parser of a grammar whose conflicts are resolved.
#[derive(Clone, Debug)]
pub struct ResolvedParser {
    precedences: Precedences,
    /// For every production, its left-hand side and the length of its right-hand side.
    productions: Vec<(u32, u32)>,
}

/// The table, which is filled while it is used, and the stack.
#[derive(Clone, Debug)]
pub struct ResolvedWorkspace {
    table: Table,
    stack: Vec<u32>,
}

impl ResolvedParser {
    /// The resolved parser of a grammar.
    pub(crate) fn new(parser: &Parser, precedences: Precedences) -> Self {
        let cfg = parser.cfg();
        let production = |id| (to_u32(cfg.lhs(id).index()), to_u32(cfg.rhs(id).len()));
        Self { precedences, productions: cfg.productions().map(production).collect() }
    }

    pub(crate) fn workspace(&self, parser: &Parser) -> ResolvedWorkspace {
        ResolvedWorkspace { table: Table::new(parser), stack: Vec::new() }
    }

    /// Reads an input; the productions that are reduced are appended in that order.
    pub(crate) fn parse(
        &self,
        parser: &Parser,
        workspace: &mut ResolvedWorkspace,
        input: &[InputId],
        reductions: &mut Vec<ProductionId>,
        budget: &mut Budget,
    ) -> Result<(), Failed> {
        if parser.is_empty() {
            return Err(Failed);
        }
        let ResolvedWorkspace { table, stack } = workspace;
        stack.clear();
        stack.push(0);
        let end = parser.inputs().end();
        for &symbol in input.iter().chain([&end]) {
            if budget.step() {
                let memory = size_of_val(&stack[..]) + size_of_val(&reductions[..]);
                budget.check(memory).map_err(|_| Failed)?;
            }
            let (mut lowest, mut idle) = (stack.len(), 0);
            loop {
                let state = stack[stack.len() - 1];
                let mut code = table.get(state, symbol);
                if code == Code::UNKNOWN {
                    table.fill(parser, &self.precedences, state);
                    code = table.get(state, symbol);
                }
                if let Some(target) = code.shift() {
                    stack.push(target);
                    break;
                }
                let Some(production) = code.reduce() else {
                    return if code == Code::ACCEPT { Ok(()) } else { Err(Failed) };
                };
                let (lhs, len) = self.productions[production as usize];
                stack.truncate(stack.len() - len as usize);
                idle = if stack.len() < lowest { 0 } else { idle + 1 };
                lowest = lowest.min(stack.len());
                if idle > MAX_IDLE_REDUCTIONS {
                    return Err(Failed);
                }
                let target = table.goto(stack[stack.len() - 1], lhs);
                stack.push(target);
                reductions.push(ProductionId::from_index(production as usize));
            }
        }
        unreachable!("invariant: the end of input is not shifted")
    }
}
