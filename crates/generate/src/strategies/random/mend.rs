//! Other parts of a tree in place of those whose tokens the lexer cannot make where they stand.
//!
//! Grammars with modes have many trees that no text has. To draw whole trees until one can be written
//! takes exponentially many, but mostly a small part is at fault. So a tree is walked from left to right
//! while its tokens are tried; where one cannot stand, a node around it is grown again with as many tokens,
//! mostly a small one and sometimes a larger, and the walk goes on from there. Linear in the tree and in what
//! is grown, but for moving what lies behind.

use gramercy_base::Draw;
use gramercy_grammar::{Bnf, NonterminalId, ProductionId, Symbol, TerminalId};
use gramercy_lexis::Trial;

use crate::draft::Draft;
use crate::strategies::random::fill::Fill;
use crate::strategy::Mended;

/// The last key of the draws, which tells them from others.
const KEY: u64 = 0x3e4d;
/// How often a tree is changed: so many times, and for every token.
const CHANGES: usize = 32;
const CHANGES_PER_TOKEN: usize = 4;

/// What is to be grown again.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// What it derives from.
    pub(super) nonterminal: NonterminalId,
    /// How many tokens it had.
    pub(super) tokens: u64,
    /// The productions above it.
    pub(super) above: Vec<ProductionId>,
}

/// Changes a tree until all its tokens can stand where they are.
pub(super) fn mend<S: Fill>(
    strategy: &S,
    (number, attempt): (u64, u32),
    trial: &mut Trial<'_>,
    draft: &mut Draft,
) -> Mended {
    let mut draw = Draw::new([strategy.seed(), number, attempt.into(), KEY]);
    let bnf = strategy.views().bnf;
    let mut walk = Walk { bnf, open: Vec::new(), next: 0, tokens: 0 };
    let most = CHANGES + CHANGES_PER_TOKEN * draft.tokens.len();
    for changes in 0..most {
        if walk.run(draft, trial) {
            return if changes == 0 { Mended::Needless } else { Mended::Changed };
        }
        let level = walk.choose(&mut draw);
        walk.change(level, strategy, &mut draw, draft);
        trial.rewind(walk.tokens);
    }
    Mended::InVain
}

/// A walk over a leftmost derivation.
struct Walk<'w> {
    bnf: &'w Bnf,
    /// The nodes above the next one, from the root on.
    open: Vec<Open<'w>>,
    /// The next production, and how many tokens come before it.
    next: usize,
    tokens: usize,
}

/// A node that the walk is in.
#[derive(Clone, Copy, Debug)]
struct Open<'w> {
    /// Where its productions and tokens begin.
    first: usize,
    tokens: usize,
    /// The symbols that are still to come.
    rest: &'w [Symbol],
}

impl Walk<'_> {
    /// Goes on until a token cannot stand where it is, or the text cannot end; whether there is none.
    fn run(&mut self, draft: &Draft, trial: &mut Trial<'_>) -> bool {
        if !self.walk(draft, |_, token| trial.put(token)) {
            return false;
        }
        // What is wrong with the end is the last token, if there is one, or else the whole.
        if !trial.can_end() {
            (self.next, self.tokens) = (0, 0);
            let last = draft.tokens.len().wrapping_sub(1);
            if self.walk(draft, |at, _| at != last) {
                self.open.push(Open { first: 0, tokens: 0, rest: &[] });
            }
            return false;
        }
        true
    }

    /// Goes on as long as a token is to be passed; whether the end was reached.
    fn walk(&mut self, draft: &Draft, mut passes: impl FnMut(usize, TerminalId) -> bool) -> bool {
        loop {
            let Some(open) = self.open.last_mut() else {
                if self.next == draft.productions.len() {
                    return true;
                }
                self.enter(draft);
                continue;
            };
            while let [Symbol::Terminal(token), rest @ ..] = open.rest {
                if !passes(self.tokens, *token) {
                    return false;
                }
                self.tokens += 1;
                open.rest = rest;
            }
            if let [_, rest @ ..] = open.rest {
                open.rest = rest;
                self.enter(draft);
            } else {
                self.open.pop();
            }
        }
    }

    #[inline]
    fn enter(&mut self, draft: &Draft) {
        let rest = self.bnf.rhs(draft.productions[self.next]);
        self.open.push(Open { first: self.next, tokens: self.tokens, rest });
        self.next += 1;
    }

    /// The node that is to be changed: the lowest around the wrong token, or one above it, which is the less
    /// likely the more tokens before it would be lost.
    fn choose(&self, draw: &mut Draw) -> usize {
        let mut level = self.open.len() - 1;
        while level > 0 {
            let lost = self.tokens - self.open[level - 1].tokens;
            if draw.below(2 + lost) > 0 {
                break;
            }
            level -= 1;
        }
        level
    }

    /// Grows a node again, and goes back into it.
    fn change<S: Fill>(&mut self, level: usize, strategy: &S, draw: &mut Draw, draft: &mut Draft) {
        let Open { first, tokens, .. } = self.open[level];
        let (end, tokens_end) = self.extent(first, tokens, draft);
        let production = |open: &Open<'_>| draft.productions[open.first];
        let part = Part {
            nonterminal: self.bnf.lhs(draft.productions[first]),
            tokens: (tokens_end - tokens) as u64,
            above: self.open[..level].iter().map(production).collect(),
        };
        let mut grown = Draft::default();
        strategy.regrow(&part, draw, &mut grown);
        draft.productions.splice(first..end, grown.productions);
        draft.tokens.splice(tokens..tokens_end, grown.tokens);
        self.open.truncate(level);
        (self.next, self.tokens) = (first, tokens);
        self.enter(draft);
    }

    /// Where the productions and the tokens of a node end.
    fn extent(&self, first: usize, tokens: usize, draft: &Draft) -> (usize, usize) {
        let (mut next, mut tokens, mut missing) = (first, tokens, 1_usize);
        while missing > 0 {
            missing -= 1;
            for symbol in self.bnf.rhs(draft.productions[next]) {
                match symbol {
                    Symbol::Terminal(_) => tokens += 1,
                    Symbol::Nonterminal(_) => missing += 1,
                }
            }
            next += 1;
        }
        (next, tokens)
    }
}
