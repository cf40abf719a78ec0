//! Minimizes a failing input: parts are removed while it fails in the same way.

use std::path::Path;
use std::time::{Duration, Instant};

use gramercy_grammar::Notation;

use crate::Fallible;
use crate::watch::{Bounds, End, watch};

/// The time limit.
const ENOUGH: Duration = Duration::from_secs(120);

/// The smallest input found that fails like `input`; `file` is used for the attempts.
pub(crate) fn minimize(
    reader: Notation,
    input: Vec<u8>,
    file: &Path,
    bounds: Bounds,
) -> Fallible<Vec<u8>> {
    let begin = Instant::now();
    let path = file.to_str().ok_or("the path of the checkout is no UTF-8")?;
    let end_of = |text: &[u8]| {
        std::fs::write(file, text).map_err(|error| format!("{path}: {error}"))?;
        Ok::<_, String>(watch(&["file", reader.as_str(), path], bounds)?.end)
    };
    let failure = end_of(&input)?;
    let mut best = input;
    let mut piece = best.len().div_ceil(2);
    while failure != End::Fine && piece > 0 {
        let mut at = 0;
        while at < best.len() && begin.elapsed() < ENOUGH {
            let end = (at + piece).min(best.len());
            let shorter = [&best[..at], &best[end..]].concat();
            if end_of(&shorter)? == failure {
                best = shorter;
            } else {
                at = end;
            }
        }
        piece /= 2;
    }
    std::fs::write(file, &best).map_err(|error| format!("{path}: {error}"))?;
    Ok(best)
}
