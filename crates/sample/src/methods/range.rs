//! Sizes from a range: every test has one of a few sizes, evenly spread, drawn from the seed and its
//! number. Sizes that no sentence has are passed over.

use gramercy_base::Draw;
use gramercy_language::Language;

use crate::fast::runs::Runs;
use crate::grow::fill::Fill;
use crate::grow::growth::Scratch;
use crate::grow::receivers::Receiver;
use crate::grow::repair::RepairedPart;
use crate::methods::size::Sized;
use crate::methods::{RandomError, RandomOptions};
use gramercy_derive::candidate::Candidate;

/// Random trees of several sizes.
#[derive(Debug)]
pub struct Range<'v> {
    sizes: Vec<Sized<'v>>,
    seed: u64,
    count: u64,
}

/// How many sizes a range has at most: each takes aim for itself.
const SIZES: u64 = 32;

impl<'v> Range<'v> {
    /// Trees of `least` to `most` tokens.
    ///
    /// # Errors
    /// If there is no sentence of such a size.
    pub fn new(
        language: &'v Language,
        options: &RandomOptions,
        (least, most): (u64, u64),
    ) -> Result<Self, RandomError> {
        let steps = most.saturating_sub(least).min(SIZES - 1);
        let size = |step: u64| match steps {
            0 => least,
            steps => {
                let wide = u128::from(most - least) * u128::from(step) / u128::from(steps);
                least + u64::try_from(wide).expect("invariant: less than the whole range")
            }
        };
        let (mut sizes, mut failure) = (Vec::<Sized<'v>>::new(), None);
        for step in 0..=steps {
            let of_size = match sizes.first() {
                Some(first) => Sized::like(first, options, size(step)),
                None => Sized::new(language, options, size(step)),
            };
            match of_size {
                Ok(of_size) => sizes.push(of_size),
                Err(error) => failure = Some(error),
            }
        }
        match failure.filter(|_| sizes.is_empty()) {
            Some(failure) => Err(failure),
            None => Ok(Self { sizes, seed: options.seed, count: options.count }),
        }
    }
}

impl<'v> Range<'v> {
    /// The size of a test.
    fn size_of(&self, number: u64) -> &Sized<'v> {
        &self.sizes[Draw::new([self.seed, number, 0, 5]).below(self.sizes.len())]
    }
}

impl Fill for Range<'_> {
    type Memory = Scratch;

    fn language(&self) -> &Language {
        self.sizes[0].language
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn allows(&self, number: u64, before: usize, after: usize) -> bool {
        self.size_of(number).allows(number, before, after)
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn regrow(&self, part: &RepairedPart, draw: &mut Draw, grown: &mut Candidate) {
        self.sizes[0].regrow(part, draw, grown);
    }

    fn runs(&self) -> Option<&Runs> {
        self.sizes[0].runs()
    }

    fn fill(&self, number: u64, attempt: u32, scratch: &mut Scratch, into: &mut impl Receiver) {
        self.size_of(number).fill(number, attempt, scratch, into);
    }
}
