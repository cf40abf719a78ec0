//! Tokens to text at the speed of copying, for suites of very many tests.
//!
//! Each terminal has a pool of lexemes that the usual writer made, and of every two lexemes it is known
//! beforehand whether they can stand next to each other: the automaton behind the first, fed with the
//! second, must die before it matches again. What is not decided by then counts as no. Where two
//! cannot, one blank goes between them that is safe for both. So every boundary is decided by its
//! neighbours alone, and a text needs no further look at the lexer; from time to time one is still read
//! back. What does not fit all this (modes, tokens without pools, pairs that no blank separates) is
//! left to the usual writer.
//!
//! Lexemes with equal answers share a row and a column, so the table of pairs is small. Making it
//! costs a few steps of the automaton for every state behind a lexeme and every lexeme; writing a token
//! costs a draw, a look-up and a copy.

use std::sync::Arc;

use gramercy_base::{Draw, Id, IndexMap, IndexSet, LimitReached};
use gramercy_grammar::{ModeId, TerminalId};

use super::{Choice, Written, WrittenToken};
use crate::automaton::Lexer;
use crate::dfa::{Cell, Dfa};
use crate::effect::Emission;
use crate::routes::BLANKS;
use crate::scan::Scan;
use crate::spacing::{Fate, Spacing, run_on};

/// Lexemes of a terminal at most.
pub(super) const POOL: u64 = 256;
/// So many draws without a new lexeme, and the pool is complete.
pub(super) const REPEATS: u32 = 8;
/// Pairs that are looked at, at most.
const MAX_PAIRS: usize = 1 << 23;
/// Bytes that are copied at once: most lexemes are shorter, and a copy of fixed length is cheap.
const WIDE: usize = 16;
/// Every so many tests one is read back.
const PROOF: u64 = 64;
/// The last key of the draws, which tells them from others.
const KEY: u64 = 0x71;

/// A lexeme, before the table is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Candidate {
    pub(super) text: Box<str>,
    /// What it is, which may be one of several tokens that its terminal stands for.
    pub(super) terminal: TerminalId,
    pub(super) is_placeholder: bool,
}

/// The lexemes of every terminal, by its index.
pub(super) type Pools = Vec<Vec<Candidate>>;

/// Whether two lexemes can stand next to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Between {
    Nothing,
    Blank,
    Impossible,
}

/// The answers for all pairs, and the blank they speak of.
#[derive(Clone, Debug)]
struct Pairs {
    blank: &'static str,
    /// Row and column of every lexeme.
    places: Vec<(u32, u32)>,
    columns: usize,
    answers: Vec<Between>,
}

/// Pools with the table of pairs.
#[derive(Clone, Debug)]
pub(super) struct Quick {
    /// For every lexeme the blank and its text; some bytes more in the end.
    bytes: Vec<u8>,
    lexemes: Vec<Lexeme>,
    /// By terminal: where its lexemes begin, and how many there are.
    pools: Vec<(u32, u32)>,
    blank: usize,
    answers: Vec<Between>,
}

#[derive(Clone, Copy, Debug)]
struct Lexeme {
    /// Where the blank before it begins.
    start: u32,
    /// The length of its text.
    len: u32,
    /// Where its row of answers begins, and which column is its own.
    row: u32,
    column: u32,
    terminal: TerminalId,
    is_placeholder: bool,
}

impl Quick {
    /// Where texts stand next to each other as they are, or with a blank between all of them.
    pub(super) fn without_lexer(pools: &Pools, blank: Option<&'static str>) -> Arc<Self> {
        let answer = if blank.is_some() { Between::Blank } else { Between::Nothing };
        let places = vec![(0, 0); pools.iter().map(Vec::len).sum()];
        let blank = blank.unwrap_or_default();
        Arc::new(Self::new(pools, Pairs { blank, places, columns: 1, answers: vec![answer] }))
    }

    /// Where a lexer reads the text; `None` if there are too many lexemes.
    pub(super) fn with_lexer(
        pools: &mut Pools,
        (lexer, dfa): (&Lexer, &mut Dfa),
        spacing: Spacing,
        allows: impl Fn(&str) -> bool,
    ) -> Result<Option<Arc<Self>>, LimitReached> {
        let mut ends = Vec::new();
        for pool in &mut *pools {
            let mut kept = Vec::new();
            for candidate in pool.drain(..) {
                if let Some(end) = end_of_token(lexer, dfa, &candidate)? {
                    ends.push(end);
                    kept.push(candidate);
                }
            }
            *pool = kept;
        }
        let texts: Vec<&str> = pools.iter().flatten().map(|candidate| &*candidate.text).collect();
        let pairs = Pairs::new(lexer, dfa, (&texts, &ends), spacing, allows)?;
        Ok(pairs.map(|pairs| Arc::new(Self::new(pools, pairs))))
    }

    fn new(pools: &Pools, pairs: Pairs) -> Self {
        let Pairs { blank, places, columns, answers } = pairs;
        let fit = |n: usize| u32::try_from(n).expect("invariant: pools are bounded");
        let mut quick = Self {
            bytes: Vec::new(),
            lexemes: Vec::new(),
            pools: Vec::new(),
            blank: blank.len(),
            answers,
        };
        for pool in pools {
            quick.pools.push((fit(quick.lexemes.len()), fit(pool.len())));
            for Candidate { text, terminal, is_placeholder } in pool {
                let (row, column) = places[quick.lexemes.len()];
                let start = fit(quick.bytes.len());
                quick.bytes.extend_from_slice(blank.as_bytes());
                quick.bytes.extend_from_slice(text.as_bytes());
                quick.lexemes.push(Lexeme {
                    start,
                    len: fit(text.len()),
                    row: row * fit(columns),
                    column,
                    terminal: *terminal,
                    is_placeholder: *is_placeholder,
                });
            }
        }
        quick.bytes.resize(quick.bytes.len() + blank.len() + WIDE, 0);
        quick
    }

    /// Writes a token string; `false` if that is left to the usual writer.
    pub(super) fn write(
        &self,
        tokens: &[TerminalId],
        choice: &Choice<'_>,
        buffer: &mut Vec<u8>,
        written: &mut Written,
    ) -> bool {
        let mut draw = Draw::new([choice.seed, choice.test, 0, KEY]);
        buffer.clear();
        let mut before = None;
        let mut placeholders = false;
        for token in tokens {
            let (first, len) = self.pools[token.index()];
            if len == 0 {
                return false;
            }
            let drawn = ((draw.number() >> 32) * u64::from(len)) >> 32;
            let lexeme = &self.lexemes[first as usize + usize::try_from(drawn).unwrap_or(0)];
            let between = match before {
                None => Between::Nothing,
                Some(row) => self.answers[row as usize + lexeme.column as usize],
            };
            let skipped = match between {
                Between::Nothing => self.blank,
                Between::Blank => 0,
                Between::Impossible => return false,
            };
            self.copy(lexeme, skipped, buffer);
            placeholders |= lexeme.is_placeholder;
            let (terminal, end) = (lexeme.terminal, buffer.len());
            written.tokens.push(WrittenToken { terminal, start: end - lexeme.len as usize, end });
            before = Some(lexeme.row);
        }
        let Ok(text) = std::str::from_utf8(buffer) else { return false };
        written.text.push_str(text);
        written.placeholders = placeholders;
        written.is_certain = !choice.test.is_multiple_of(PROOF);
        !tokens.is_empty()
    }

    /// Appends a lexeme with the blank before it, but for so many bytes of that.
    #[inline]
    fn copy(&self, lexeme: &Lexeme, skipped: usize, buffer: &mut Vec<u8>) {
        let start = lexeme.start as usize + skipped;
        let len = self.blank - skipped + lexeme.len as usize;
        if len <= WIDE {
            let end = buffer.len() + len;
            buffer.extend_from_slice(&self.bytes[start..start + WIDE]);
            buffer.truncate(end);
        } else {
            buffer.extend_from_slice(&self.bytes[start..start + len]);
        }
    }
}

impl Pairs {
    /// The answers for lexemes and the states behind them, with the blank that leaves the fewest pairs
    /// impossible.
    fn new(
        lexer: &Lexer,
        dfa: &mut Dfa,
        (texts, ends): (&[&str], &[Cell]),
        spacing: Spacing,
        allows: impl Fn(&str) -> bool,
    ) -> Result<Option<Self>, LimitReached> {
        let rows: IndexSet<Cell> = ends.iter().copied().collect();
        if rows.len() * texts.len() > MAX_PAIRS {
            return Ok(None);
        }
        let mut touching = Vec::with_capacity(rows.len());
        for &end in &rows {
            touching.push(dies_in_all(lexer, dfa, end, texts)?);
        }
        let preferred = if spacing == Spacing::Newline { 1 } else { 0 };
        let mut blanks = BLANKS;
        blanks.swap(0, preferred);
        let mut best: Option<(usize, &'static str, Vec<Vec<Between>>)> = None;
        for blank in blanks.into_iter().filter(|blank| allows(blank)) {
            let Some(behind) = end_of_blank(lexer, dfa, blank)? else { continue };
            let right = dies_in_all(lexer, dfa, behind, texts)?;
            let mut answers = Vec::with_capacity(rows.len());
            for (&end, touching) in rows.iter().zip(&touching) {
                let left = dies_in(lexer, dfa, end, blank)?;
                let answer = |(&touches, &right): (&bool, &bool)| match (
                    touches && spacing == Spacing::Minimal,
                    left && right,
                    touches,
                ) {
                    (true, ..) => Between::Nothing,
                    (_, true, _) => Between::Blank,
                    (.., true) => Between::Nothing,
                    _ => Between::Impossible,
                };
                answers.push(touching.iter().zip(&right).map(answer).collect::<Vec<_>>());
            }
            let impossible = answers.iter().flatten();
            let impossible = impossible.filter(|&&answer| answer == Between::Impossible).count();
            if best.as_ref().is_none_or(|(least, ..)| impossible < *least) {
                best = Some((impossible, blank, answers));
            }
        }
        let (_, blank, answers) = best.unwrap_or_else(|| (0, "", without_blank(&touching)));
        let of_end = |end: &Cell| rows.get_index_of(end).expect("invariant: each has a row");
        let row_of = ends.iter().map(of_end).collect::<Vec<_>>();
        Ok(Some(Self::shared(blank, &row_of, &answers)))
    }

    /// Equal columns and equal rows become one.
    fn shared(blank: &'static str, row_of: &[usize], answers: &[Vec<Between>]) -> Self {
        let fit = |n: usize| u32::try_from(n).expect("invariant: pools are bounded");
        let mut columns: IndexMap<Vec<Between>, usize> = IndexMap::default();
        let mut column_of = Vec::with_capacity(row_of.len());
        for at in 0..row_of.len() {
            let column = answers.iter().map(|row| row[at]).collect::<Vec<_>>();
            let entry = columns.entry(column);
            column_of.push(fit(entry.index()));
            entry.or_insert(at);
        }
        let mut rows: IndexSet<Vec<Between>> = IndexSet::default();
        let shared_row = answers.iter().map(|row| {
            let shared = columns.values().map(|&at| row[at]).collect::<Vec<_>>();
            fit(rows.insert_full(shared).0)
        });
        let shared_row = shared_row.collect::<Vec<_>>();
        let places = row_of.iter().zip(column_of).map(|(&row, column)| (shared_row[row], column));
        Self {
            blank,
            places: places.collect(),
            columns: columns.len(),
            answers: rows.into_iter().flatten().collect(),
        }
    }
}

fn without_blank(touching: &[Vec<bool>]) -> Vec<Vec<Between>> {
    let answer = |&touches: &bool| if touches { Between::Nothing } else { Between::Impossible };
    touching.iter().map(|row| row.iter().map(answer).collect()).collect()
}

/// Whether the automaton behind a lexeme dies in a text before it matches again.
fn dies_in(lexer: &Lexer, dfa: &mut Dfa, end: Cell, text: &str) -> Result<bool, LimitReached> {
    Ok(end.is_end() || matches!(run_on(lexer, dfa, end, text)?, Fate::Dead))
}

fn dies_in_all(
    lexer: &Lexer,
    dfa: &mut Dfa,
    end: Cell,
    texts: &[&str],
) -> Result<Vec<bool>, LimitReached> {
    texts.iter().map(|text| dies_in(lexer, dfa, end, text)).collect()
}

/// The state behind a text in the first mode, with what becomes of it; `None` if it is not one match
/// that leaves the mode as it is.
fn end_of(
    lexer: &Lexer,
    dfa: &mut Dfa,
    text: &str,
) -> Result<Option<(Cell, Option<TerminalId>)>, LimitReached> {
    let start = dfa.start(lexer, ModeId::from_index(0))?;
    let mut cell = dfa.cell(start);
    for c in text.chars() {
        if cell.is_end() {
            return Ok(None);
        }
        cell = dfa.step_cell(lexer, cell, lexer.table.get(c.into()))?;
        if cell == Cell::DEAD {
            return Ok(None);
        }
    }
    let Some(winner) = dfa.winner_of(cell) else { return Ok(None) };
    let effect = &dfa.outcome(winner.outcome).effect;
    let is_plain = effect.mode_changes.is_empty() && effect.emission != Emission::More;
    Ok((is_plain && !text.is_empty()).then(|| (cell, effect.visible_token(None))))
}

/// The state behind a lexeme; `None` if it is none in the first mode, with more text behind it and at
/// the end.
fn end_of_token(
    lexer: &Lexer,
    dfa: &mut Dfa,
    candidate: &Candidate,
) -> Result<Option<Cell>, LimitReached> {
    let Candidate { text, terminal, .. } = candidate;
    let Some((end, Some(found))) = end_of(lexer, dfa, text)? else { return Ok(None) };
    let mut scan = Scan::new(lexer, dfa, text);
    let last = scan.next_visible();
    let is_last = matches!(last, Ok(Some(token)) if token.terminal == *terminal
        && (token.start, token.end) == (0, text.len()));
    Ok((found == *terminal && is_last && scan.next_visible() == Ok(None)).then_some(end))
}

/// The state behind a text that the parser does not see.
fn end_of_blank(lexer: &Lexer, dfa: &mut Dfa, text: &str) -> Result<Option<Cell>, LimitReached> {
    Ok(match end_of(lexer, dfa, text)? {
        Some((end, None)) => Some(end),
        _ => None,
    })
}
