//! Where programs disagree about the same tests.
//!
//! Read from the journal of a campaign with several subjects. Tests with the same responses and messages are one
//! group, known by its smallest test. Linear in the tests times the programs.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use gramercy_base::Named;
use rusqlite::Connection;

use crate::case::Case;
use crate::journal::read::{self, Which};
use crate::oracle::{Judgement, Response};

/// Groups that are told apart; further disagreements are counted with the last one.
const GROUPS: usize = 500;

/// How programs compare.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Tests that all programs ran.
    pub tests: u64,
    /// For each pair of programs, the tests that both responded to alike.
    pub agreement: Vec<Vec<u64>>,
    /// For each program, the tests that it accepts.
    pub accepted: Vec<u64>,
    /// Tests about which not all agree.
    pub disagreements: u64,
    /// These tests, the largest groups first.
    pub groups: Vec<Disagreement>,
}

/// Tests with the same responses.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// What each program responded, and its normalized message.
    pub responses: Vec<(Response, String)>,
    /// How many tests there are.
    pub tests: u64,
    /// The smallest one.
    pub smallest: Case,
}

/// Compares all programs of a journal.
///
/// # Errors
/// If the database fails.
pub fn compare(db: &Connection) -> rusqlite::Result<Comparison> {
    let programs = read::subjects(db)?.len();
    let mut result = Comparison {
        agreement: vec![vec![0; programs]; programs],
        accepted: vec![0; programs],
        ..Comparison::default()
    };
    let mut groups: BTreeMap<Vec<(&'static str, String)>, Disagreement> = BTreeMap::new();
    let mut failed = None;
    read::for_each(db, 0, Which::All, |first| {
        let others =
            (1..programs).map(|program| Ok(read::one(db, program, first.case.id)?.judgement));
        let judgements: rusqlite::Result<Vec<Judgement>> =
            std::iter::once(Ok(first.judgement.clone())).chain(others).collect();
        match judgements {
            Ok(judgements) => {
                result.add(&judgements);
                if judgements.iter().any(|one| one.response != judgements[0].response) {
                    note(&mut groups, first.case, &judgements);
                }
                ControlFlow::Continue(())
            }
            // A test that only some programs ran is left for the next run.
            Err(rusqlite::Error::QueryReturnedNoRows) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    if let Some(error) = failed {
        return Err(error);
    }
    result.groups = groups.into_values().collect();
    result.disagreements = result.groups.iter().map(|group| group.tests).sum();
    result.groups.sort_by_key(|group| (std::cmp::Reverse(group.tests), group.smallest.id));
    Ok(result)
}

impl Comparison {
    fn add(&mut self, judgements: &[Judgement]) {
        self.tests += 1;
        for (row, one) in judgements.iter().enumerate() {
            self.accepted[row] += u64::from(one.response == Response::Accept);
            for (column, other) in judgements.iter().enumerate() {
                self.agreement[row][column] += u64::from(one.response == other.response);
            }
        }
    }
}

fn note(
    groups: &mut BTreeMap<Vec<(&'static str, String)>, Disagreement>,
    case: Case,
    judgements: &[Judgement],
) {
    let is_full = groups.len() >= GROUPS;
    let said = |one: &Judgement| {
        let message = if one.response == Response::Accept || is_full { "" } else { &one.signature };
        (one.response, message.to_owned())
    };
    let responses: Vec<(Response, String)> = judgements.iter().map(said).collect();
    let key = responses.iter().map(|(response, message)| (response.name(), message.clone()));
    let group = groups.entry(key.collect()).or_insert_with(|| Disagreement {
        responses,
        tests: 0,
        smallest: case.clone(),
    });
    group.tests += 1;
    if case.content.len() < group.smallest.content.len() {
        group.smallest = case;
    }
}
