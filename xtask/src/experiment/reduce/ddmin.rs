//! Delta debugging on tokens, as the reference: Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing
//! Input, TSE 2002, section 4.
//!
//! Tokens are words, white space and single other characters. Every text is judged once.

use std::collections::BTreeMap;
use std::path::Path;

use super::Figures;
use super::cases::Case;
use crate::process::{Call, Fallible};

/// Reduces the input of a case.
pub(super) fn run(case: &Case, folder: &Path) -> Fallible<Figures> {
    let file = folder.join("candidate.txt");
    let mut judge = Judge { case, file: &file, known: BTreeMap::new(), runs: 0 };
    let mut tokens: Vec<&str> = tokens(&case.text);
    let mut parts = 2;
    while tokens.len() >= 2 {
        let chunks: Vec<&[&str]> = tokens.chunks(tokens.len().div_ceil(parts)).collect();
        let without = |skipped: usize| -> Vec<&str> {
            let kept = chunks.iter().enumerate().filter(|(at, _)| *at != skipped);
            kept.flat_map(|(_, chunk)| chunk.iter().copied()).collect()
        };
        let mut next = None;
        for chunk in &chunks {
            if parts > 2 || chunks.len() == 2 {
                let only = chunk.to_vec();
                if judge.is_interesting(&only.concat())? {
                    next = Some((only, 2));
                    break;
                }
            }
        }
        if next.is_none() && chunks.len() > 2 {
            for at in 0..chunks.len() {
                let rest = without(at);
                if judge.is_interesting(&rest.concat())? {
                    next = Some((rest, (parts - 1).max(2)));
                    break;
                }
            }
        }
        match next {
            Some((smaller, granularity)) => {
                tokens = smaller;
                parts = granularity;
            }
            None if parts >= tokens.len() => break,
            None => parts = (2 * parts).min(tokens.len()),
        }
    }
    Ok(Figures { bytes: tokens.concat().len(), runs: judge.runs, is_finished: true })
}

struct Judge<'j> {
    case: &'j Case,
    file: &'j Path,
    known: BTreeMap<String, bool>,
    runs: u64,
}

impl Judge<'_> {
    fn is_interesting(&mut self, text: &str) -> Fallible<bool> {
        if let Some(&known) = self.known.get(text) {
            return Ok(known);
        }
        std::fs::write(self.file, text).map_err(|error| error.to_string())?;
        let verdict = Call::new(self.case.test()).arg(self.file).finish()?.code == Some(0);
        self.runs += 1;
        self.known.insert(text.to_owned(), verdict);
        Ok(verdict)
    }
}

fn tokens(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut made = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        let now = kind(c);
        if last.is_some_and(|last| last != now || now == 2) {
            made.push(&text[start..at]);
            start = at;
        }
        last = Some(now);
    }
    if start < text.len() {
        made.push(&text[start..]);
    }
    made
}
