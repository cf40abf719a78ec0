//! Trees that grow from shares of tokens.
//!
//! Every open place has its own share. At a nonterminal with a share, one of the productions is drawn that
//! can have so many tokens; what the share leaves beyond the least is cut at random places among those of
//! its symbols that can take it. So trees grow everywhere and not only at their left edge. What a place
//! cannot take, because its sentences are all shorter or have other lengths, is owed, and the next one that
//! can be of any length gets it too. Where a share is the least there is, only shortest productions are
//! drawn, and only so deep as that takes and a little more: else a rule that may be empty could go on for
//! ever without a token; so does a share that is handed down whole many times.
//!
//! What is asked of productions and symbols again and again is in flat tables ([`Parts`]), and so are the
//! shortest trees of nonterminals that have few ([`Endings`]) and what small shares can become
//! ([`Shapes`]). Where nobody wants the tree, [`Sentences`] grow. Cost: for every node beside those a draw
//! or two and a look-up.

use gramercy_analysis::{LongestYield, ShortestYield};
use gramercy_base::Draw;
use gramercy_grammar::{NonterminalId, Symbol};
use gramercy_language::Language;

use crate::fast::phrases::Phrases;
use crate::fast::runs::Runs;
use crate::fast::sentences::{Sentences, Waiting};
use crate::grow::alias_tables::AliasTables;
use crate::grow::endings::{EndingId, Endings};
use crate::grow::parts::{Parts, Split};
use crate::grow::receivers::Receiver;
use crate::grow::shapes::{Item, ShapeId, Shapes};
use crate::weighing::{Weighing, weights};

/// How often a share is handed down whole until it is given up.
pub(crate) const PATIENCE: u32 = 30;

/// All that trees of a grammar grow by, whatever their size.
#[derive(Debug)]
pub(crate) struct Growth {
    start: NonterminalId,
    /// Productions by the tokens they can have.
    pub(crate) alias_tables: AliasTables,
    /// Those with shortest yields, by the least height of their trees.
    low: AliasTables,
    /// Whole trees of shortest yields.
    pub(crate) endings: Endings,
    /// Trees of small shares.
    pub(crate) shapes: Shapes,
    /// The tokens of all that.
    pub(crate) phrases: Phrases,
    pub(crate) sentences: Sentences,
    parts: Parts,
}

/// Memory that the nodes of a tree use one after the other.
#[derive(Default)]
pub(crate) struct Scratch {
    stack: Vec<Open>,
    /// What is still to be closed off node by node, each by a tree of at most some height.
    pub(crate) low: Vec<(Symbol, u32)>,
    /// Of a sentence, what comes after the part that grows.
    pub(crate) waiting: Vec<Waiting>,
    /// Of a production's parts, how many tokens beyond the least they get.
    pub(crate) shares: Vec<u32>,
    pub(crate) open: Vec<u32>,
    /// Tokens that could not be placed so far.
    pub(crate) owed: u32,
}

/// A symbol that is still to be derived.
#[derive(Clone, Copy, Debug)]
struct Open {
    symbol: Symbol,
    share: Share,
}

/// What may be made of a symbol.
#[derive(Clone, Copy, Debug)]
enum Share {
    /// About this number of tokens, passed on whole this number of times.
    Tokens(u32, u32),
    /// A shortest yield.
    Least,
}

impl Growth {
    pub(crate) fn new(
        language: &Language,
        (shortest, longest): (&ShortestYield, &LongestYield),
        weighing: Weighing,
    ) -> Self {
        let weights = weights(language, weighing);
        let parts = Parts::new(language, shortest, longest);
        let alias_tables =
            AliasTables::new(language, &weights, |production| parts.bounds(production));
        let low = AliasTables::new(language, &weights, |production| parts.heights(production));
        let mut runs = Runs::new();
        let endings = Endings::new(language, &parts, &weights, &mut runs);
        let mut phrases = Phrases::new(runs);
        let shapes = Shapes::new(language, (&parts, &alias_tables), &endings, &mut phrases);
        let sentences =
            Sentences::new(language, (&parts, &alias_tables, &shapes), &endings, &mut phrases);
        Self {
            start: language.bnf().start(),
            alias_tables,
            low,
            endings,
            shapes,
            phrases,
            sentences,
            parts,
        }
    }

    /// The runs of tokens that trees are made of.
    pub(crate) fn runs(&self) -> &Runs {
        self.phrases.runs()
    }

    /// Grows a tree from a share.
    pub(crate) fn grow_tree(
        &self,
        tokens: u64,
        draw: &mut Draw,
        scratch: &mut Scratch,
        into: &mut impl Receiver,
    ) {
        self.grow_from(self.start, tokens, draw, scratch, into);
    }

    /// Grows a part of a tree from a share, or only its sentence.
    pub(crate) fn grow_from<R: Receiver>(
        &self,
        nonterminal: NonterminalId,
        tokens: u64,
        draw: &mut Draw,
        scratch: &mut Scratch,
        into: &mut R,
    ) {
        let tokens = u32::try_from(tokens).unwrap_or(u32::MAX - 1);
        let tokens = Some(tokens).filter(|&tokens| tokens > self.parts.least(nonterminal));
        if R::WANTS_TREE {
            let share = tokens.map_or(Share::Least, |tokens| Share::Tokens(tokens, 0));
            self.grow_nodes(nonterminal, share, draw, scratch, into);
        } else {
            self.grow_sentence(nonterminal, tokens, draw, scratch, into);
        }
    }

    fn grow_nodes(
        &self,
        nonterminal: NonterminalId,
        share: Share,
        draw: &mut Draw,
        scratch: &mut Scratch,
        into: &mut impl Receiver,
    ) {
        scratch.owed = 0;
        scratch.stack.push(Open { symbol: Symbol::Nonterminal(nonterminal), share });
        while let Some(Open { symbol, share }) = scratch.stack.pop() {
            match (symbol, share) {
                (Symbol::Terminal(terminal), _) => into.token(terminal),
                (Symbol::Nonterminal(nonterminal), Share::Tokens(tokens, whole)) => {
                    self.grow(nonterminal, (tokens, whole), draw, scratch, into);
                }
                (Symbol::Nonterminal(nonterminal), Share::Least) => {
                    self.close(nonterminal, draw, &mut scratch.low, into);
                }
            }
        }
    }

    /// Derives a nonterminal with a share, and goes on with its first part that has one, until there is
    /// none; the rest of the symbols are left on the stack.
    fn grow(
        &self,
        mut nonterminal: NonterminalId,
        (mut tokens, mut whole): (u32, u32),
        draw: &mut Draw,
        scratch: &mut Scratch,
        into: &mut impl Receiver,
    ) {
        loop {
            if self.parts.is_endless(nonterminal) {
                tokens = tokens.saturating_add(std::mem::take(&mut scratch.owed));
            }
            // What is still owed may be taken by a part, which a shape does not know.
            let more = tokens.saturating_sub(self.parts.least(nonterminal));
            if scratch.owed == 0
                && let Some(shape) = self.shapes.choose(self.shapes.of(nonterminal), more, draw)
            {
                return self.put_shape(shape, draw, scratch, into);
            }
            tokens = self.fit(nonterminal, tokens, scratch);
            if tokens <= self.parts.least(nonterminal) {
                return self.close(nonterminal, draw, &mut scratch.low, into);
            }
            let production = self.alias_tables.choose(nonterminal, tokens, draw);
            let production = production.expect("invariant: it can have so many tokens");
            let split = self.parts.split(production);
            into.production(production);
            spread(&split, tokens.saturating_sub(split.least), draw, scratch);
            let first = self.put_parts(&split, draw, scratch, into);
            let Some(part) = split.parts.get(first) else { return };
            push_rest(&split, first + 1, (tokens, whole), scratch);
            let more = scratch.shares[first];
            whole = if part.least.saturating_add(more) >= tokens { whole + 1 } else { 0 };
            tokens = part.least.saturating_add(more);
            match part.symbol {
                Symbol::Nonterminal(next) if whole <= PATIENCE => nonterminal = next,
                symbol => {
                    scratch.owed = scratch.owed.saturating_add(more);
                    scratch.stack.push(Open { symbol, share: Share::Least });
                    return;
                }
            }
        }
    }

    /// What a nonterminal takes of a share that no length may fit; the rest is owed.
    #[inline]
    pub(crate) fn fit(
        &self,
        nonterminal: NonterminalId,
        tokens: u32,
        scratch: &mut Scratch,
    ) -> u32 {
        let fitting = self.parts.fitting(nonterminal, tokens);
        scratch.owed = scratch.owed.saturating_add(tokens - fitting);
        fitting
    }

    /// Puts the parts of a production up to the first that has a share; which one that is.
    fn put_parts(
        &self,
        split: &Split<'_>,
        draw: &mut Draw,
        scratch: &mut Scratch,
        into: &mut impl Receiver,
    ) -> usize {
        let Scratch { low, shares, .. } = scratch;
        for (at, (part, &more)) in split.parts.iter().zip(&*shares).enumerate() {
            match part.symbol {
                _ if more > 0 => return at,
                Symbol::Terminal(terminal) => into.token(terminal),
                Symbol::Nonterminal(id) => self.close(id, draw, low, into),
            }
        }
        split.parts.len()
    }

    /// Puts a tree with a small share.
    fn put_shape(
        &self,
        shape: ShapeId,
        draw: &mut Draw,
        scratch: &mut Scratch,
        into: &mut impl Receiver,
    ) {
        for &item in self.shapes.items(shape) {
            match item {
                Item::Production(production) => into.production(production),
                Item::Token(token) => into.token(token),
                Item::Close(id) => self.close(id, draw, &mut scratch.low, into),
            }
        }
        scratch.owed = self.shapes.phrase(shape).1;
    }

    /// Puts a whole tree with a shortest yield.
    #[inline]
    pub(crate) fn close<R: Receiver>(
        &self,
        nonterminal: NonterminalId,
        draw: &mut Draw,
        low: &mut Vec<(Symbol, u32)>,
        into: &mut R,
    ) {
        match self.endings.choose(nonterminal, draw) {
            Some(ending) => self.put(ending, into),
            None => self.close_by_nodes(nonterminal, draw, low, into),
        }
    }

    #[inline]
    fn put<R: Receiver>(&self, ending: EndingId, into: &mut R) {
        if R::WANTS_TREE {
            self.endings.productions(ending).iter().for_each(|&id| into.production(id));
        }
        into.run(self.endings.run(ending), self.phrases.runs());
    }

    /// As [`close`](Self::close), where there are many such trees: node by node.
    pub(crate) fn close_by_nodes<R: Receiver>(
        &self,
        nonterminal: NonterminalId,
        draw: &mut Draw,
        low: &mut Vec<(Symbol, u32)>,
        into: &mut R,
    ) {
        low.push((Symbol::Nonterminal(nonterminal), self.parts.height(nonterminal)));
        while let Some((symbol, height)) = low.pop() {
            let id = match symbol {
                Symbol::Terminal(terminal) => {
                    into.token(terminal);
                    continue;
                }
                Symbol::Nonterminal(id) => id,
            };
            if let Some(ending) = self.endings.choose(id, draw) {
                self.put(ending, into);
                continue;
            }
            let production = self.low.choose(id, height, draw);
            let production = production.expect("invariant: a tree of this height exists");
            into.production(production);
            let visible = self.parts.split(production).parts.iter().rev();
            let visible = visible.filter(|part| R::WANTS_TREE || !part.is_silent);
            low.extend(visible.map(|part| (part.symbol, height.wrapping_sub(1))));
        }
    }
}

/// Puts the parts of a production from one on onto the stack, each with its share of the tokens.
fn push_rest(split: &Split<'_>, from: usize, (tokens, whole): (u32, u32), scratch: &mut Scratch) {
    let Scratch { stack, shares, owed, .. } = scratch;
    let parts = split.parts.iter().zip(&shares[..split.parts.len()]).skip(from);
    for (part, &more) in parts.rev() {
        let whole = if part.least.saturating_add(more) >= tokens { whole + 1 } else { 0 };
        let share = match more {
            0 => Share::Least,
            more if whole > PATIENCE => {
                *owed = owed.saturating_add(more);
                Share::Least
            }
            more => Share::Tokens(part.least.saturating_add(more), whole),
        };
        stack.push(Open { symbol: part.symbol, share });
    }
}

/// Finds how many tokens beyond the least each part of a production gets; what is left over is owed.
fn spread(split: &Split<'_>, more: u32, draw: &mut Draw, scratch: &mut Scratch) {
    let Scratch { shares, open, owed, .. } = scratch;
    if shares.len() < split.parts.len() {
        shares.resize(split.parts.len(), 0);
    }
    let shares = &mut shares[..split.parts.len()];
    shares.iter_mut().for_each(|share| *share = 0);
    let room = |at: u32| split.parts[at as usize].room;
    let left = match *split.opens {
        [] => more,
        [..] if more == 0 => 0,
        [only] => {
            let part = more.min(room(only));
            shares[only as usize] = part;
            more - part
        }
        [one, other] => {
            let drawn = draw.number();
            let (first, last) = if drawn & 1 == 0 { (one, other) } else { (other, one) };
            let part = up_to(more, drawn).min(room(first));
            let rest = (more - part).min(room(last));
            shares[first as usize] = part;
            shares[last as usize] = rest;
            more - part - rest
        }
        _ => {
            open.clear();
            open.extend_from_slice(split.opens);
            cut(more, room, draw, (shares, open))
        }
    };
    *owed = owed.saturating_add(left);
}

/// In an order of its own each takes a random part of what is left, and the last takes all; what is left
/// then.
#[inline]
pub(crate) fn cut(
    mut left: u32,
    room: impl Fn(u32) -> u32,
    draw: &mut Draw,
    (shares, open): (&mut [u32], &mut Vec<u32>),
) -> u32 {
    while left > 0 && !open.is_empty() {
        let at = open.swap_remove(if open.len() == 1 { 0 } else { draw.below(open.len()) });
        let wanted = if open.is_empty() { left } else { up_to(left, draw.number()) };
        let part = wanted.min(room(at));
        shares[at as usize] = part;
        left -= part;
    }
    left
}

/// A number up to a greatest one, by the upper bits of what was drawn.
#[inline]
pub(crate) fn up_to(most: u32, drawn: u64) -> u32 {
    let wide = (drawn >> 32) * (u64::from(most) + 1);
    u32::try_from(wide >> 32).expect("invariant: at most the most")
}

#[cfg(test)]
mod tests {
    use gramercy_analysis::{LongestYield, ShortestYield, shortest_yield};
    use gramercy_base::{Draw, IndexMap};
    use gramercy_language::Language;

    use super::{Growth, Scratch};
    use crate::grow::shapes::Shapes;
    use crate::weighing::Weighing;
    use gramercy_derive::candidate::Candidate;

    /// How often each tree of a number of tokens is drawn.
    fn frequencies(growth: &Growth, tokens: u64, draws: u64) -> IndexMap<String, u32> {
        let (mut scratch, mut found) = (Scratch::default(), IndexMap::default());
        for number in 0..draws {
            let mut candidate = Candidate::default();
            let mut draw = Draw::new([number, tokens, 0, 0]);
            growth.grow_tree(tokens, &mut draw, &mut scratch, &mut candidate);
            *found
                .entry(format!("{:?}", (candidate.productions, candidate.tokens)))
                .or_default() += 1;
        }
        found
    }

    /// Lists with gaps in their lengths, three parts to share among, parts that may be empty.
    const GRAMMAR: &str =
        r#"S := "(" L ")" | T "-" T S; L := S ("," S)* | "x"; T := "a"? | "b" "b" T;"#;

    #[test]
    fn shapes_are_as_likely_as_trees_that_grow_node_by_node() {
        const DRAWS: u64 = 60_000;
        let language = Language::from_text("g.gram", GRAMMAR).expect("it is a grammar");
        let bnf = language.bnf();
        let usable = |production| language.productive().has_production(production);
        let shortest = ShortestYield::among(bnf, shortest_yield::Length::Terminals, &usable);
        let longest = LongestYield::of(bnf, language.productive());
        let growth = || Growth::new(&language, (&shortest, &longest), Weighing::default());
        let with_shapes = growth();
        assert!(with_shapes.shapes.len() > 50, "there is something to compare");
        let mut node_by_node = growth();
        let Growth { parts, endings, phrases, .. } = &mut node_by_node;
        node_by_node.shapes = Shapes::none(&language, (parts, endings), phrases);
        for tokens in 4..9 {
            let shapes = frequencies(&with_shapes, tokens, DRAWS);
            let mut nodes = frequencies(&node_by_node, tokens, DRAWS);
            for (tree, count) in shapes {
                let other = nodes.swap_remove(&tree).unwrap_or(0);
                // Five standard deviations of a difference of counts.
                let bound = 5.0 * f64::from(count + other).sqrt();
                assert!(f64::from(count.abs_diff(other)) <= bound, "{tree}: {count}, {other}");
            }
            let missing = nodes.values().max().copied().unwrap_or(0);
            assert!(missing <= 25, "{missing} of a tree without a shape");
        }
    }
}
