//! How many tokens make a wished number of bytes.
//!
//! Some tests are made and written, and the number of tokens is corrected by how far their mean is
//! from the wish; a few rounds of that suffice, as bytes grow with tokens. The same seed gives the same
//! answer. Cost: a few hundred tests.

use gramercy_language::Language;
use gramercy_lexis::{Choice, Writer};

use crate::grow::fill::Fill;
use crate::grow::growth::Scratch;
use crate::methods::size::Sized;
use crate::methods::{RandomError, RandomOptions};
use gramercy_derive::candidate::Candidate;

/// How often the number of tokens is corrected.
const ROUNDS: usize = 5;
/// How many tests are made in a round.
const SAMPLES: u64 = 48;
/// Bytes a token, before anything is known.
const FIRST_GUESS: u64 = 4;

/// A size in tokens for a size in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calibrated {
    /// The tokens.
    pub tokens: u64,
    /// The bytes that tests with so many tokens have in the mean.
    pub mean_bytes: u64,
}

/// How far from the wish the bytes of a test may be: a quarter, and eight bytes in any case.
#[must_use]
pub fn tolerance(bytes: u64) -> u64 {
    (bytes / 4).max(8)
}

/// The number of tokens whose tests come nearest to so many bytes.
///
/// # Errors
/// If there is no sentence.
pub fn calibrate(
    language: &Language,
    writer: &mut Writer<'_>,
    options: &RandomOptions,
    bytes: u64,
) -> Result<Calibrated, RandomError> {
    let mut tokens = (bytes / FIRST_GUESS).max(1);
    let mut best: Option<Calibrated> = None;
    for _ in 0..ROUNDS {
        let (sized, wish) = nearest(language, options, tokens)?;
        let mean_bytes = mean(&sized, writer, options.seed);
        let found = Calibrated { tokens: wish, mean_bytes };
        let is_better =
            |best: &Calibrated| mean_bytes.abs_diff(bytes) < best.mean_bytes.abs_diff(bytes);
        if best.as_ref().is_none_or(is_better) {
            best = Some(found);
        }
        let wide = u128::from(wish.max(1)) * u128::from(bytes) / u128::from(mean_bytes.max(1));
        tokens = u64::try_from(wide).unwrap_or(u64::MAX).max(1);
        if tokens == wish {
            break;
        }
    }
    Ok(best.expect("invariant: at least one round was made"))
}

/// The strategy for a number of tokens, or the nearest number that sentences have.
///
/// # Errors
/// If there is no sentence.
pub fn nearest<'v>(
    language: &'v Language,
    options: &RandomOptions,
    tokens: u64,
) -> Result<(Sized<'v>, u64), RandomError> {
    let other = match Sized::new(language, options, tokens) {
        Ok(sized) => return Ok((sized, tokens)),
        Err(RandomError::TooShort { least }) => least,
        Err(RandomError::TooLong { most }) => most,
        Err(RandomError::NoSize { below, above }) => {
            below.or(above).ok_or(RandomError::NoSentence)?
        }
        Err(error) => return Err(error),
    };
    Ok((Sized::new(language, options, other)?, other))
}

/// The mean number of bytes of some tests.
fn mean(sized: &Sized<'_>, writer: &mut Writer<'_>, seed: u64) -> u64 {
    let (mut candidate, mut bytes, mut written) = (Candidate::default(), 0, 0);
    for test in 0..SAMPLES {
        candidate.clear();
        sized.fill_candidate(test, 0, &mut Scratch::default(), &mut candidate);
        let choice = Choice { seed, test, fixed: &[] };
        if let Ok(text) = writer.write(&candidate.tokens, &choice) {
            bytes += text.text.len() as u64;
            written += 1;
        }
    }
    bytes / written.max(1)
}
