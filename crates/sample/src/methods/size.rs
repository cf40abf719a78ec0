//! Towards a number of tokens.
//!
//! A tree grows ([`Growth`]) from the requested size, corrected by how far the sizes of some trees were from it.
//! The requested size is met except where lengths have gaps (a list of pairs has no odd length): a test misses by what
//! is still owed at its end, and the nearest of some attempts is taken if it missed by more than a tenth.

use std::sync::Arc;

use gramercy_analysis::{Longest, LongestYield, ShortestYield, shortest_yield};
use gramercy_base::Draw;
use gramercy_language::Language;

use crate::fast::runs::Runs;
use crate::grow::fill::Fill;
use crate::grow::growth::{Growth, Scratch};
use crate::grow::receivers::Receiver;
use crate::grow::repair::RepairedPart;
use crate::methods::lengths::{self, Nearest};
use crate::methods::{RandomError, RandomOptions, check_tokens};
use gramercy_derive::candidate::Candidate;

/// How far a test may be from the requested size: one part in this number, and at least two tokens.
pub const TOLERANCE: u64 = 10;
/// How often the aim is corrected, and by how many trees each time.
const ROUNDS: usize = 3;
const SAMPLES: u64 = 16;
/// The total number of tokens that suffices.
const LARGE: u64 = 1 << 16;
/// How often a test is tried that misses by more.
const TRIES: u64 = 20;

/// Random trees of about a number of tokens.
#[derive(Debug)]
pub struct Sized<'v> {
    pub(crate) language: &'v Language,
    growth: Arc<Growth>,
    tokens: u64,
    /// What is shared out so that trees have the requested number of tokens on average: gaps in lengths only lose
    /// some.
    aim: u64,
    seed: u64,
    count: u64,
}

impl<'v> Sized<'v> {
    /// Trees of about this number of tokens.
    ///
    /// # Errors
    /// If all sentences are shorter or longer by more than the tolerance.
    pub fn new(
        language: &'v Language,
        options: &RandomOptions,
        tokens: u64,
    ) -> Result<Self, RandomError> {
        Self::growing(language, options, tokens, None)
    }

    /// Trees that grow as others do.
    pub(crate) fn like(
        other: &Self,
        options: &RandomOptions,
        tokens: u64,
    ) -> Result<Self, RandomError> {
        Self::growing(other.language, options, tokens, Some(&other.growth))
    }

    fn growing(
        language: &'v Language,
        options: &RandomOptions,
        tokens: u64,
        growth: Option<&Arc<Growth>>,
    ) -> Result<Self, RandomError> {
        check_tokens(tokens)?;
        let (bnf, productive) = (language.bnf(), &language.productive());
        let usable = |production| productive.has_production(production);
        let shortest = ShortestYield::among(bnf, shortest_yield::Length::Terminals, &usable);
        let longest = LongestYield::of(bnf, productive);
        let least = shortest.length(bnf.start()).ok_or(RandomError::NoSentence)?;
        if least > most_for(tokens) {
            return Err(RandomError::TooShort { least });
        }
        if let Longest::Tokens(most) = longest.length(bnf.start())
            && most < least_for(tokens)
        {
            return Err(RandomError::TooLong { most });
        }
        let growth = match growth {
            Some(growth) => Arc::clone(growth),
            None => Arc::new(Growth::new(language, (&shortest, &longest), options.weighing)),
        };
        let (seed, count, aim) = (options.seed, options.count, tokens);
        let mut sized = Self { language, growth, tokens, aim, seed, count };
        (0..ROUNDS).for_each(|_| sized.take_aim());
        sized.check_length()?;
        Ok(sized)
    }

    /// Corrects the aim by how far some trees are from the requested size.
    fn take_aim(&mut self) {
        let (mut candidate, mut scratch) = (Candidate::default(), Scratch::default());
        // One large tree says as much as many small ones.
        let samples = (LARGE / self.tokens.max(1)).clamp(1, SAMPLES);
        for sample in 0..samples {
            let mut draw = Draw::new([self.seed, sample, 0, 1]);
            self.growth.grow_tree(self.aim, &mut draw, &mut scratch, &mut candidate);
        }
        let found = u128::from((candidate.tokens.len() as u64).max(1));
        let corrected =
            u128::from(self.aim) * u128::from(self.tokens) * u128::from(samples) / found;
        let corrected = u64::try_from(corrected).unwrap_or(u64::MAX);
        self.aim = corrected.clamp(self.tokens, self.tokens.saturating_mul(2));
    }

    /// Whether sentences of about this length exist, which is seldom in doubt.
    fn check_length(&self) -> Result<(), RandomError> {
        let mut candidate = Candidate::default();
        self.fill_candidate(0, 0, &mut Scratch::default(), &mut candidate);
        if self.missed(candidate.tokens.len()) <= tolerance(self.tokens) {
            return Ok(());
        }
        match lengths::gap(self.language, least_for(self.tokens), most_for(self.tokens)) {
            Some(Nearest { below, above }) => Err(RandomError::NoSize { below, above }),
            None => Ok(()),
        }
    }

    /// What a try shares out. Where most trees get all that they are given and few lose much, the corrected aim is too
    /// large for most; so every other try takes the requested size itself.
    fn aim_of(&self, try_number: u64) -> u64 {
        if try_number.is_multiple_of(2) { self.aim } else { self.tokens }
    }

    /// How far a number of tokens is from the requested size.
    fn missed(&self, tokens: usize) -> u64 {
        self.tokens.abs_diff(tokens as u64)
    }
}

fn tolerance(tokens: u64) -> u64 {
    (tokens / TOLERANCE).max(2)
}

fn least_for(tokens: u64) -> u64 {
    tokens.saturating_sub(tolerance(tokens))
}

fn most_for(tokens: u64) -> u64 {
    tokens.saturating_add(tolerance(tokens))
}

impl Fill for Sized<'_> {
    type Memory = Scratch;

    fn language(&self) -> &Language {
        self.language
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn allows(&self, _: u64, before: usize, after: usize) -> bool {
        self.missed(after) <= tolerance(self.tokens).max(self.missed(before))
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn regrow(&self, part: &RepairedPart, draw: &mut Draw, grown: &mut Candidate) {
        let mut scratch = Scratch::default();
        self.growth.grow_from(part.nonterminal, part.tokens, draw, &mut scratch, grown);
    }

    fn runs(&self) -> Option<&Runs> {
        Some(self.growth.runs())
    }

    /// Makes a test: the first of some trees that is near enough, or else the nearest.
    fn fill(&self, number: u64, attempt: u32, scratch: &mut Scratch, into: &mut impl Receiver) {
        let (mut least, mut best) = (u64::MAX, 0);
        for try_number in 0..=TRIES {
            // After the last try the best one is made again.
            let chosen = if try_number == TRIES { best } else { try_number };
            into.restart();
            let mut draw = Draw::new([self.seed, number, attempt.into(), 2 + chosen]);
            self.growth.grow_tree(self.aim_of(chosen), &mut draw, scratch, into);
            let missed = self.missed(into.token_count());
            if missed <= tolerance(self.tokens) {
                return;
            }
            if missed < least {
                (least, best) = (missed, chosen);
            }
        }
    }
}
