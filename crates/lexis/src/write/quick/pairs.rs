//! Of every two lexemes, whether they can stand next to each other, and if not, whether a blank helps.
//!
//! The automaton behind the first lexeme, fed with the second, must die before it matches again; what is
//! not decided by then counts as no. Lexemes with equal answers share a row and a column, so the table
//! is small. Cost: a few steps of the automaton for every state behind a lexeme and every lexeme.

use gramercy_base::{Id, IndexMap, IndexSet, LimitReached};
use gramercy_grammar::{ModeId, TerminalId};

use super::Candidate;
use crate::automaton::Lexer;
use crate::dfa::{Cell, Dfa};
use crate::effect::Emission;
use crate::routes::BLANKS;
use crate::scan::Scan;
use crate::spacing::{Fate, Spacing, run_on};

/// Pairs that are looked at, at most.
const MAX_PAIRS: usize = 1 << 23;

/// What goes between two lexemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Between {
    Nothing,
    Blank,
    Impossible,
}

/// The answers for all pairs, and the blank they speak of.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    pub(super) blank: &'static str,
    /// Row and column of every lexeme.
    pub(super) places: Vec<(u32, u32)>,
    pub(super) columns: usize,
    pub(super) answers: Vec<Between>,
}

impl Pairs {
    /// The same answer for all pairs of so many lexemes.
    pub(super) fn alike(lexemes: usize, blank: &'static str, answer: Between) -> Self {
        Self { blank, places: vec![(0, 0); lexemes], columns: 1, answers: vec![answer] }
    }

    /// The answers for lexemes and the states behind them, with the blank that leaves the fewest pairs
    /// impossible; `None` if there are too many.
    pub(super) fn new(
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
pub(super) fn end_of_token(
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
