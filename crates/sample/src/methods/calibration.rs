//! How many tokens make a requested number of bytes.
//!
//! Some tests are made and written, and the number of tokens is corrected by how far their mean is
//! from the request; a few rounds suffice, since bytes grow with tokens. The same seed gives the same
//! answer. Cost: a few hundred tests, fewer where they are large.
//!
//! Example: 400 bytes are requested. The first guess is 100 tokens, whose tests have 250 bytes in the mean;
//! the next is 100 * 400 / 250 = 160 tokens.

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
/// The tokens of all tests of a round that suffice.
const ENOUGH_TOKENS: u64 = 1 << 22;
/// Bytes a token, before anything is known.
const FIRST_GUESS: u64 = 4;

/// A size in tokens for a size in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calibrated {
    /// The tokens.
    pub tokens: u64,
    /// The mean number of bytes of tests with this number of tokens.
    pub mean_bytes: u64,
}

/// How far from the request the bytes of a test may be: a quarter, and eight bytes in any case.
#[must_use]
pub fn tolerance(bytes: u64) -> u64 {
    (bytes / 4).max(8)
}

/// The number of tokens whose tests come nearest to this number of bytes.
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
        let (sized, size) = nearest(language, options, tokens)?;
        let samples = (ENOUGH_TOKENS / size.max(1)).clamp(1, SAMPLES);
        let mean_bytes = mean(&sized, writer, (options.seed, samples));
        let found = Calibrated { tokens: size, mean_bytes };
        let is_better =
            |best: &Calibrated| mean_bytes.abs_diff(bytes) < best.mean_bytes.abs_diff(bytes);
        if best.as_ref().is_none_or(is_better) {
            best = Some(found);
        }
        let wide = u128::from(size.max(1)) * u128::from(bytes) / u128::from(mean_bytes.max(1));
        tokens = u64::try_from(wide).unwrap_or(u64::MAX).max(1);
        if tokens == size {
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
fn mean(sized: &Sized<'_>, writer: &mut Writer<'_>, (seed, samples): (u64, u64)) -> u64 {
    let (mut candidate, mut bytes, mut written) = (Candidate::default(), 0, 0);
    for test in 0..samples {
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
