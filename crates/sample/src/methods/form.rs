//! The variants of Raselimo, Taljaard, Fischer, SLE 2019: a sentential form grows from the start symbol, a
//! nonterminal of it is picked and expanded at random, and so on.
//!
//! The variants differ in what is picked: any open nonterminal; one of those that the last expansion brought, or any
//! if it brought none (repeated depth-first); one to the right of the last, or any if there is none (breadth-first).
//! All end by force: once the shortest sentence of the form has as many tokens as requested, or after many
//! expansions, what is open is closed off with fixed yields. Cost: linear in the tree, but for breadth-first, which
//! looks at what is open.

use gramercy_analysis::{ShortestYield, shortest_yield};
use gramercy_base::Draw;
use gramercy_grammar::{ProductionId, Symbol};
use gramercy_language::Language;

use crate::grow::alias_tables::{ANY, AliasTables};
use crate::methods::bounds::max_expansions;
use crate::methods::{RandomError, RandomOptions, check_tokens};
use crate::weighing::weights;
use gramercy_derive::candidate::Candidate;
use gramercy_derive::strategy::{Indexed, Propose};

/// Which nonterminal of a sentential form is expanded next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Any.
    Any,
    /// One that the last expansion brought.
    DepthFirst,
    /// One to the right of the last.
    BreadthFirst,
}

/// Random trees by growing sentential forms.
#[derive(Debug)]
pub struct Forms<'v> {
    language: &'v Language,
    alias_tables: AliasTables,
    shortest: ShortestYield,
    order: Order,
    tokens: u64,
    seed: u64,
    count: u64,
}

impl<'v> Forms<'v> {
    /// Trees that grow until this number of tokens is certain.
    ///
    /// # Errors
    /// If there is no sentence, or all are longer.
    pub fn new(
        language: &'v Language,
        options: &RandomOptions,
        order: Order,
        tokens: u64,
    ) -> Result<Self, RandomError> {
        check_tokens(tokens)?;
        let (bnf, productive) = (language.bnf(), &language.productive());
        let usable = |production| productive.has_production(production);
        let shortest = ShortestYield::among(bnf, shortest_yield::Length::Terminals, &usable);
        let least = shortest.length(bnf.start()).ok_or(RandomError::NoSentence)?;
        if least > tokens {
            return Err(RandomError::TooShort { least });
        }
        let weights = weights(language, options.weighing);
        let alias_tables = AliasTables::new(language, &weights, |production| {
            usable(production).then_some((0, ANY))
        });
        let (seed, count) = (options.seed, options.count);
        Ok(Self { language, alias_tables, shortest, order, tokens, seed, count })
    }

    /// The shortest yield of a symbol.
    fn least(&self, symbol: Symbol) -> u64 {
        self.shortest.of_symbols(&[symbol]).expect("invariant: only productive symbols are open")
    }
}

/// A tree some of whose leaves may still be expanded.
struct Form {
    nodes: Vec<Node>,
    /// The open leaves, in no order.
    open: Vec<usize>,
    /// The tokens of the shortest sentence.
    certain: u64,
    /// The open leaves that the last expansion brought are the last ones.
    newest: usize,
    last: usize,
}

#[derive(Clone, Copy)]
struct Node {
    symbol: Symbol,
    /// The production and its first child, once it is expanded.
    expanded: Option<(ProductionId, usize)>,
    /// Where it lies from left to right, as a part of 2⁶⁴.
    place: (u64, u64),
}

impl Form {
    fn new(start: Symbol, certain: u64) -> Self {
        let root = Node { symbol: start, expanded: None, place: (0, u64::MAX) };
        Self { nodes: vec![root], open: vec![0], certain, newest: 1, last: 0 }
    }

    /// Which of the open leaves is next.
    fn pick(&self, order: Order, draw: &mut Draw) -> usize {
        match order {
            Order::DepthFirst if self.newest > 0 => self.open.len() - 1 - draw.below(self.newest),
            Order::BreadthFirst => {
                let after = self.nodes[self.last].place.1;
                let is_right = |&at: &usize| self.nodes[self.open[at]].place.0 >= after;
                let right: Vec<usize> = (0..self.open.len()).filter(is_right).collect();
                match right.is_empty() {
                    true => draw.below(self.open.len()),
                    false => right[draw.below(right.len())],
                }
            }
            Order::DepthFirst | Order::Any => draw.below(self.open.len()),
        }
    }

    fn expand(&mut self, picked: usize, production: ProductionId, rhs: &[Symbol]) {
        let leaf = self.open.swap_remove(picked);
        self.nodes[leaf].expanded = Some((production, self.nodes.len()));
        let (from, to) = self.nodes[leaf].place;
        let width = (to - from) / (rhs.len().max(1) as u64);
        self.newest = 0;
        for (at, &symbol) in rhs.iter().enumerate() {
            if matches!(symbol, Symbol::Nonterminal(_)) {
                self.open.push(self.nodes.len());
                self.newest += 1;
            }
            let start = from + width * at as u64;
            self.nodes.push(Node { symbol, expanded: None, place: (start, start + width) });
        }
        self.last = leaf;
    }
}

impl Forms<'_> {
    fn grow(&self, draw: &mut Draw) -> Form {
        let bnf = self.language.bnf();
        let start = Symbol::Nonterminal(bnf.start());
        let mut form = Form::new(start, self.least(start));
        let mut left = max_expansions(self.tokens);
        while !form.open.is_empty() && form.certain < self.tokens && left > 0 {
            left -= 1;
            let picked = form.pick(self.order, draw);
            let Symbol::Nonterminal(nonterminal) = form.nodes[form.open[picked]].symbol else {
                unreachable!("invariant: only nonterminals are open");
            };
            let production = self.alias_tables.choose(nonterminal, 0, draw);
            let production = production.expect("invariant: the nonterminal is productive");
            let rhs = bnf.rhs(production);
            let longer = rhs.iter().map(|&symbol| self.least(symbol)).sum::<u64>();
            form.certain += longer - self.least(Symbol::Nonterminal(nonterminal));
            form.expand(picked, production, rhs);
        }
        form
    }

    fn finish(&self, form: &Form, candidate: &mut Candidate) {
        let bnf = self.language.bnf();
        // What stands in the form, and what closes it off.
        enum Open {
            Node(usize),
            Symbol(Symbol),
        }
        let mut stack = vec![Open::Node(0)];
        while let Some(open) = stack.pop() {
            let symbol = match open {
                Open::Node(at) => match form.nodes[at].expanded {
                    Some((production, first)) => {
                        candidate.productions.push(production);
                        let children = first..first + bnf.rhs(production).len();
                        stack.extend(children.rev().map(Open::Node));
                        continue;
                    }
                    None => form.nodes[at].symbol,
                },
                Open::Symbol(symbol) => symbol,
            };
            match symbol {
                Symbol::Terminal(terminal) => candidate.tokens.push(terminal),
                Symbol::Nonterminal(id) => {
                    let production = self.shortest.production(id);
                    let production = production.expect("invariant: it is productive");
                    candidate.productions.push(production);
                    let rhs = bnf.rhs(production).iter().rev();
                    stack.extend(rhs.map(|&symbol| Open::Symbol(symbol)));
                }
            }
        }
    }
}

impl Indexed for Forms<'_> {
    fn count(&self) -> u64 {
        self.count
    }

    fn proposer(&self) -> Box<dyn Propose + '_> {
        Box::new(|number, attempt, candidate: &mut Candidate| {
            self.candidate(number, attempt, candidate)
        })
    }
}

impl Forms<'_> {
    /// Makes the candidate of a number and attempt; `false` if there is none.
    fn candidate(&self, number: u64, attempt: u32, candidate: &mut Candidate) -> bool {
        let mut draw = Draw::new([self.seed, number, attempt.into(), 100]);
        let form = self.grow(&mut draw);
        self.finish(&form, candidate);
        true
    }
}
