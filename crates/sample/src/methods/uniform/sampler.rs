//! One tree among all, each with exactly the same probability.
//!
//! A tree is drawn from the root down (Flajolet, Zimmermann and Van Cutsem, "A calculus for the random generation of
//! labelled combinatorial structures", TCS 1994): a nonterminal of size k takes a production with the share of
//! trees that have it, and what is left of the size is shared out among its nonterminals by the numbers of ways.
//! Shares of a form are looked at from both ends in turn, so that a node costs at most the size of its smaller part,
//! and a tree of size n O(n log n).
//!
//! A choice among weights w₁ … wₘ with the sum W takes the first j for which U·W < w₁ + … + wⱼ, where U is a real
//! number between 0 and 1. Of U only 64 bits are drawn, and of the weights doubles with a bound on their error are
//! known. Where these decide, they decide as the true numbers would; where they do not, the choice is made again with
//! longer numbers and more bits of U, until they do (Denise and Zimmermann, TCS 1999). So which tree is drawn is a
//! function of the bits of U alone, and exactly uniform whatever the precision.
//!
//! Trees that *must* use one of some productions are drawn with the same walk in three modes: a node that must use
//! one takes such a production and is free below it, or leaves the duty to one of its nonterminals: the first that
//! fulfils it, so those before it must avoid all of them.
//!
//! Example: for `S: S S | "a";` and 8 nodes, `S S` is taken with certainty, and 7 is shared out as 2 + 5 or 5 + 2,
//! each with share 1·1 / 2.

use std::sync::{Arc, Mutex};

use dashu_int::UBig;
use gramercy_analysis::counts::tables::first_sizes;
use gramercy_analysis::counts::{
    Arithmetic, CountTables, Long, Restriction, Short, ShortNumber, UnitId, forms::Unit,
};
use gramercy_base::{IdSet, LimitReached};
use gramercy_derive::candidate::{Candidate, Detail};
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};

use super::space::{SpaceError, TreeSpace};
use super::stream::Stream;

/// What a subtree has to do with the productions that a tree must use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Nothing.
    Free,
    /// It uses one of them.
    Must,
    /// It uses none of them.
    Avoid,
}

/// Tables of one arithmetic.
#[derive(Debug)]
struct TableSet<A: Arithmetic> {
    arithmetic: A,
    all: Arc<CountTables<A::Number>>,
    restricted: Option<Restricted<A::Number>>,
}

/// Tables of the trees without the productions that must be used, and of those with one of them.
type Restricted<N> = (CountTables<N>, CountTables<N>);

impl<A: Arithmetic> TableSet<A> {
    fn new(
        arithmetic: A,
        space: &TreeSpace,
        must: Option<&IdSet<ProductionId>>,
    ) -> Result<Self, LimitReached> {
        let all = Arc::new(space.tables(&arithmetic, &Restriction::All)?);
        Self::sharing(arithmetic, space, all, must)
    }

    /// Tables beside those of all trees.
    fn sharing(
        arithmetic: A,
        space: &TreeSpace,
        all: Arc<CountTables<A::Number>>,
        must: Option<&IdSet<ProductionId>>,
    ) -> Result<Self, LimitReached> {
        let restricted = match must {
            None => None,
            Some(must) => {
                let without = space.tables(&arithmetic, &Restriction::Without(must, &all))?;
                let with = space.tables(&arithmetic, &Restriction::With(must, &all, &without))?;
                Some((without, with))
            }
        };
        Ok(Self { arithmetic, all, restricted })
    }

    #[inline]
    fn of(&self, mode: Mode) -> &CountTables<A::Number> {
        match (mode, &self.restricted) {
            (Mode::Free, _) | (_, None) => &self.all,
            (Mode::Avoid, Some((without, _))) => without,
            (Mode::Must, Some((_, with))) => with,
        }
    }
}

/// A choice that has to be made.
#[derive(Clone, Copy, Debug)]
enum Question {
    /// The size of the tree.
    Size(Mode),
    /// The production of a nonterminal.
    Production(NonterminalId, usize, Mode),
    /// How a size is shared out between the parts of a form.
    Split(UnitId, usize, Mode),
}

/// One of the options of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Size(usize),
    Production(ProductionId),
    /// The size of the first part, and the modes of both.
    Split(usize, Mode, Mode),
}

/// Draws trees of a space uniformly.
#[derive(Debug)]
pub struct Sampler {
    space: Arc<TreeSpace>,
    must: Option<IdSet<ProductionId>>,
    short: TableSet<Short>,
    /// Tables of 128, 256, … bits, made when they are needed first.
    long: Mutex<Vec<Arc<TableSet<Long>>>>,
    /// Whether doubles are never believed, so that tests see what longer numbers decide.
    distrusts: bool,
}

/// The bits of the first long numbers.
const LONG_BITS: usize = 128;

/// Memory for drawing, to be used again.
#[derive(Debug, Default)]
pub struct Scratch {
    open: Vec<(Symbol, usize, Mode)>,
    parts: Vec<(usize, Mode)>,
}

impl Sampler {
    /// A sampler of all trees of a space, or of those that use one of some productions at least.
    ///
    /// # Errors
    /// If there is no such tree, or tables take more memory than allowed.
    pub fn new(
        space: Arc<TreeSpace>,
        must: Option<IdSet<ProductionId>>,
    ) -> Result<Self, SpaceError> {
        let short = TableSet::new(Short, &space, must.as_ref())?;
        Self::of_tables(space, must, short)
    }

    /// A sampler for each set of productions, of the trees that use one of them at least.
    ///
    /// # Errors
    /// If there is no such tree, or tables take more memory than allowed, all together.
    pub fn covering(
        space: &Arc<TreeSpace>,
        sets: impl Iterator<Item = IdSet<ProductionId>>,
    ) -> Result<Vec<Self>, SpaceError> {
        let all = Arc::new(space.tables(&Short, &Restriction::All)?);
        let (mut bytes, limit) = (all.bytes(), space.memory());
        let sampler = |must: IdSet<ProductionId>| {
            bytes += 2 * all.bytes();
            if bytes > limit.bytes {
                return Err(limit.reached().into());
            }
            let short = TableSet::sharing(Short, space, Arc::clone(&all), Some(&must))?;
            Self::of_tables(Arc::clone(space), Some(must), short)
        };
        sets.map(sampler).collect()
    }

    fn of_tables(
        space: Arc<TreeSpace>,
        must: Option<IdSet<ProductionId>>,
        short: TableSet<Short>,
    ) -> Result<Self, SpaceError> {
        let mode = if must.is_some() { Mode::Must } else { Mode::Free };
        let (start, range) = (space.start(), space.range());
        let has = |size| !short.of(mode).of(start, size).is_zero();
        if !(range.least..=range.most).any(has) {
            return Err(space.no_size());
        }
        Ok(Self { space, must, short, long: Mutex::default(), distrusts: false })
    }

    /// The same sampler, deciding by long numbers only: slow, and the same trees.
    #[must_use]
    pub fn by_long_numbers(self) -> Self {
        Self { distrusts: true, ..self }
    }

    /// The trees.
    #[must_use]
    pub fn space(&self) -> &TreeSpace {
        &self.space
    }

    /// Appends a tree to a candidate.
    pub fn draw(&self, stream: &mut Stream, scratch: &mut Scratch, candidate: &mut Candidate) {
        let mode = if self.must.is_some() { Mode::Must } else { Mode::Free };
        let range = self.space.range();
        let size = match range.least == range.most {
            true => range.least,
            false => match self.answer(Question::Size(mode), stream) {
                Answer::Size(size) => size,
                other => unreachable!("invariant: {other:?} is no size"),
            },
        };
        let Scratch { open, parts } = scratch;
        open.clear();
        open.push((Symbol::Nonterminal(self.space.start()), size, mode));
        let cfg = self.space.forms().cfg();
        while let Some((symbol, size, mode)) = open.pop() {
            let nonterminal = match symbol {
                Symbol::Nonterminal(nonterminal) => nonterminal,
                Symbol::Terminal(terminal) => {
                    candidate.tokens.push(terminal);
                    continue;
                }
            };
            let production = self.production(nonterminal, size, mode, stream);
            if candidate.detail == Detail::Tree {
                candidate.productions.push(self.space.origin(production));
            }
            self.share_out(production, size, mode, stream, parts);
            open.extend(cfg.rhs(production).iter().rev().map(|&symbol| match symbol {
                Symbol::Terminal(_) => (symbol, 0, Mode::Free),
                Symbol::Nonterminal(_) => {
                    let (size, mode) = parts.pop().expect("invariant: each has a size");
                    (symbol, size, mode)
                }
            }));
        }
    }

    fn production(
        &self,
        nonterminal: NonterminalId,
        size: usize,
        mode: Mode,
        stream: &mut Stream,
    ) -> ProductionId {
        if let [only] = *self.space.forms().cfg().productions_of(nonterminal) {
            return only;
        }
        match self.answer(Question::Production(nonterminal, size, mode), stream) {
            Answer::Production(production) => production,
            other => unreachable!("invariant: {other:?} is no production"),
        }
    }

    /// Sizes and modes of the nonterminals of a production, in order.
    fn share_out(
        &self,
        production: ProductionId,
        size: usize,
        mode: Mode,
        stream: &mut Stream,
        parts: &mut Vec<(usize, Mode)>,
    ) {
        parts.clear();
        let counted = self.space.forms().counted(production);
        let counted = counted.expect("invariant: it was chosen by its number of trees");
        let mut mode = match &self.must {
            Some(must) if mode == Mode::Must && must.contains(production) => Mode::Free,
            _ => mode,
        };
        let (mut rest_size, mut next) = (size - counted.own, counted.form);
        while let Some(unit) = next {
            match self.space.forms().unit(unit) {
                Unit::Nonterminal(_) => {
                    parts.push((rest_size, mode));
                    return;
                }
                Unit::Form(_, rest) => {
                    let question = Question::Split(unit, rest_size, mode);
                    let Answer::Split(size, first_mode, rest_mode) = self.answer(question, stream)
                    else {
                        unreachable!("invariant: a split is answered by a split")
                    };
                    parts.push((size, first_mode));
                    rest_size -= size;
                    mode = rest_mode;
                    next = Some(rest);
                }
            }
        }
    }

    /// Answers a question, each option with exactly the share of its weight.
    #[inline]
    fn answer(&self, question: Question, stream: &mut Stream) -> Answer {
        let bits = stream.number();
        if !self.distrusts
            && let Some(answer) = self.answer_shortly(question, bits)
        {
            return answer;
        }
        self.answer_at_length(question, bits, stream)
    }

    /// The answer that doubles give, if they are certain.
    #[expect(clippy::cast_precision_loss, reason = "the error is a part of the margin")]
    #[inline]
    fn answer_shortly(&self, question: Question, bits: u64) -> Option<Answer> {
        let total = self.total(&self.short, question);
        let (total, exponent, total_roundings) = {
            let (mantissa, exponent) = total.parts();
            (mantissa, exponent, total.roundings())
        };
        let target = bits as f64 * (1.0 / 18_446_744_073_709_551_616.0) * total;
        let (mut sum, mut terms, mut roundings) = (0.0, 0_u32, total_roundings);
        let mut found = None;
        self.options(&self.short, question, |answer, weight: &ShortNumber| {
            sum += weight.at(exponent);
            terms += 1;
            roundings = roundings.max(weight.roundings());
            // Errors of the total, of the terms, of their sum, and of the target with its 64 bits.
            let errors = f64::from(total_roundings) + f64::from(roundings) + f64::from(terms) + 8.0;
            let margin = errors * f64::EPSILON * total;
            if target + margin < sum {
                found = Some(answer);
                return false;
            }
            // In doubt: no answer.
            target - margin > sum
        });
        found
    }

    /// The answer that longer and longer numbers give.
    #[cold]
    fn answer_at_length(&self, question: Question, bits: u64, stream: &Stream) -> Answer {
        let (mut target, mut more) = (UBig::from(bits), stream.continuation());
        for level in 0.. {
            target = (target << 64) + UBig::from(more.number());
            let length = 64 * (level + 2);
            let set = self.long(level);
            if let Some(answer) = self.answer_long(&set, question, &target, length) {
                return answer;
            }
        }
        unreachable!("invariant: some precision decides")
    }

    /// The answer of one precision, if it is certain. U is between `target` and `target + 1`, over 2^`length`.
    fn answer_long(
        &self,
        set: &TableSet<Long>,
        question: Question,
        target: &UBig,
        length: usize,
    ) -> Option<Answer> {
        let (arithmetic, total) = (&set.arithmetic, self.total(set, question));
        // Integers: all exponents are at least 0.
        let (total_least, total_most) = arithmetic.bounds(&total, 0);
        let target_least = target * total_least;
        let target_most = (target + UBig::ONE) * total_most;
        let mut sum = arithmetic.zero();
        let mut found = None;
        self.options(set, question, |answer, weight| {
            arithmetic.add(&mut sum, weight);
            let (least, most) = arithmetic.bounds(&sum, 0);
            if target_most <= least << length {
                found = Some(answer);
                return false;
            }
            target_least >= most << length
        });
        found
    }

    /// Tables of a precision.
    fn long(&self, level: usize) -> Arc<TableSet<Long>> {
        let mut known = self.long.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        while known.len() <= level {
            let bits = LONG_BITS << known.len();
            let set = TableSet::new(Long { bits }, &self.unlimited(), self.must.as_ref());
            known.push(Arc::new(set.expect("invariant: memory is not limited")));
        }
        Arc::clone(&known[level])
    }

    /// The space for tables that are needed in any case: those of doubles fit, and these are a small factor larger.
    fn unlimited(&self) -> TreeSpace {
        self.space.with_memory(usize::MAX)
    }

    /// The sum of all weights of a question.
    #[inline]
    fn total<A: Arithmetic>(&self, set: &TableSet<A>, question: Question) -> A::Number {
        match question {
            Question::Size(mode) => {
                let (mut sum, range) = (set.arithmetic.zero(), self.space.range());
                for size in range.least..=range.most {
                    set.arithmetic.add(&mut sum, set.of(mode).of(self.space.start(), size));
                }
                sum
            }
            Question::Production(nonterminal, size, mode) => {
                set.of(mode).of(nonterminal, size).clone()
            }
            Question::Split(form, size, mode) => set.of(mode).get(form, size).clone(),
        }
    }

    /// The options of a question in order, with their weights, as long as the visitor wants more.
    #[inline]
    fn options<A: Arithmetic>(
        &self,
        set: &TableSet<A>,
        question: Question,
        mut visit: impl FnMut(Answer, &A::Number) -> bool,
    ) {
        match question {
            Question::Size(mode) => {
                let range = self.space.range();
                for size in range.least..=range.most {
                    let weight = set.of(mode).of(self.space.start(), size);
                    if !set.arithmetic.is_zero(weight) && !visit(Answer::Size(size), weight) {
                        return;
                    }
                }
            }
            Question::Production(nonterminal, size, mode) => {
                self.productions(set, nonterminal, size, mode, visit);
            }
            Question::Split(form, size, mode) => {
                let Unit::Form(first, rest) = self.space.forms().unit(form) else {
                    unreachable!("invariant: only forms are split")
                };
                let first = UnitId::of(first);
                let Some(range) = first_sizes((&*set.all, first), (&*set.all, rest), size) else {
                    return;
                };
                let modes = modes_of_parts(mode);
                for first_size in from_both_ends(range) {
                    for &(of_first, of_rest) in modes {
                        let left = set.of(of_first).get(first, first_size);
                        let right = set.of(of_rest).get(rest, size - first_size);
                        if set.arithmetic.is_zero(left) || set.arithmetic.is_zero(right) {
                            continue;
                        }
                        let weight = set.arithmetic.multiply(left, right);
                        if !visit(Answer::Split(first_size, of_first, of_rest), &weight) {
                            return;
                        }
                    }
                }
            }
        }
    }

    #[inline]
    fn productions<A: Arithmetic>(
        &self,
        set: &TableSet<A>,
        nonterminal: NonterminalId,
        size: usize,
        mode: Mode,
        mut visit: impl FnMut(Answer, &A::Number) -> bool,
    ) {
        let forms = self.space.forms();
        let is_wanted = |production| self.must.as_ref().is_some_and(|set| set.contains(production));
        for &production in forms.cfg().productions_of(nonterminal) {
            let Some(counted) = forms.counted(production) else { continue };
            let Some(rest) = size.checked_sub(counted.own) else { continue };
            let below = match mode {
                Mode::Free => Mode::Free,
                Mode::Avoid if is_wanted(production) => continue,
                Mode::Must if is_wanted(production) => Mode::Free,
                mode => mode,
            };
            let goes_on = match counted.form {
                Some(form) => {
                    let weight = set.of(below).get(form, rest);
                    set.arithmetic.is_zero(weight) || visit(Answer::Production(production), weight)
                }
                None if rest == 0 && below != Mode::Must => {
                    visit(Answer::Production(production), &set.arithmetic.one())
                }
                None => true,
            };
            if !goes_on {
                return;
            }
        }
    }
}

/// The modes that the first part of a form and the rest can have.
fn modes_of_parts(mode: Mode) -> &'static [(Mode, Mode)] {
    match mode {
        Mode::Free => &[(Mode::Free, Mode::Free)],
        Mode::Avoid => &[(Mode::Avoid, Mode::Avoid)],
        Mode::Must => &[(Mode::Must, Mode::Free), (Mode::Avoid, Mode::Must)],
    }
}

/// The numbers of a range, from both ends in turn.
fn from_both_ends(range: std::ops::RangeInclusive<usize>) -> impl Iterator<Item = usize> {
    let (mut low, mut high, mut is_low) = (*range.start(), *range.end(), false);
    let count = high + 1 - low;
    (0..count).map(move |_| {
        is_low = !is_low;
        if is_low {
            low += 1;
            low - 1
        } else {
            high = high.wrapping_sub(1);
            high.wrapping_add(1)
        }
    })
}
