//! Fingerprints by which equal tests are merged.

use gramercy_base::{Fingerprint, Id};
use gramercy_derive::candidate::Candidate;
use gramercy_grammar::TerminalId;

use super::options::Merge;

/// The fingerprint of a text, where equal texts are merged.
pub(super) fn of_text(text: &str, merge: Merge) -> u128 {
    if merge != Merge::Texts {
        return 0;
    }
    let mut print = Fingerprint::default();
    print.add_text(text);
    print.finish()
}

/// The fingerprint of a sentence, where equal sentences are merged.
pub(super) fn of_sentence(candidate: &Candidate, merge: Merge) -> Option<u128> {
    if merge != Merge::Sentences {
        return None;
    }
    let mut print = Fingerprint::default();
    add_tokens(&candidate.tokens, &mut print);
    for (at, fixed) in &candidate.lexemes {
        print.add((fixed.rule.index() as u64) << 32 | *at as u64);
        print.add_text(&fixed.text);
    }
    for fixed in &candidate.hidden {
        print.add(fixed.rule.index() as u64);
        print.add_text(&fixed.text);
    }
    Some(print.finish())
}

/// The least number of tokens of a long sentence.
const LONG: usize = 64;

/// Adds a sentence to a fingerprint; four parts of a long one at a time, since each token of a part waits for the
/// one before it.
fn add_tokens(tokens: &[TerminalId], print: &mut Fingerprint) {
    let word = |[a, b]: &[TerminalId; 2]| (a.index() as u64) << 32 | b.index() as u64;
    let (blocks, rest) = match tokens.len() {
        ..LONG => (&[][..], tokens),
        LONG.. => tokens.as_chunks::<8>(),
    };
    if !blocks.is_empty() {
        let mut parts = [Fingerprint::default(); 4];
        for block in blocks {
            let (pairs, _) = block.as_chunks::<2>();
            parts.iter_mut().zip(pairs).for_each(|(part, pair)| part.add(word(pair)));
        }
        parts.into_iter().for_each(|part| print.add_print(part));
    }
    let (pairs, last) = rest.as_chunks::<2>();
    pairs.iter().for_each(|pair| print.add(word(pair)));
    last.iter().for_each(|token| print.add(u64::MAX << 32 | token.index() as u64));
}

/// The fingerprints of tests that one worker made lately. A worker's numbers ascend, so whatever equals one of them
/// is committed after it, and need not be written to be merged.
pub(super) struct Recent(Vec<u128>);

/// How many are remembered, as a power of two: 128 KiB, which stay near the processor.
const RECENT: usize = 1 << 13;

impl Recent {
    pub(super) fn new() -> Self {
        Self(vec![0; RECENT])
    }

    /// Whether a test was made lately.
    pub(super) fn has(&self, fingerprint: u128) -> bool {
        self.0[Self::slot(fingerprint)] == fingerprint
    }

    /// Remembers a test, and forgets another for it.
    pub(super) fn add(&mut self, fingerprint: u128) {
        self.0[Self::slot(fingerprint)] = fingerprint;
    }

    fn slot(fingerprint: u128) -> usize {
        fingerprint as usize % RECENT
    }
}
