//! The table of all trials.

use super::subject::AntlrInput;
use super::trial::Trial;
use crate::columns::aligned;

const HEAD: [&str; 10] = [
    "grammar",
    "judged",
    "ignored code",
    "examples",
    "accepted",
    "mutants",
    "undecided",
    "read back",
    "unwritten",
    "ruled out",
];

/// The number of reasons for unwritten trees per grammar.
const MAX_OBSTACLES: usize = 12;

/// A table with one line per grammar, followed by the defects, grammar by grammar.
#[must_use]
pub fn table(trials: &[Trial]) -> String {
    let rows: Vec<[String; 10]> = trials.iter().map(row).collect();
    let mut lines = aligned(&HEAD, &rows);
    for trial in trials {
        let unjudged =
            trial.unjudged.iter().map(|reason| format!("{}: not judged: {reason}", trial.name));
        lines.extend(unjudged);
        let mut obstacles: Vec<_> = trial.obstacles.iter().collect();
        obstacles.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let shown = obstacles.iter().take(MAX_OBSTACLES);
        lines.extend(
            shown.map(|(reason, count)| {
                format!("{}: unwritten, {count} times: {reason}", trial.name)
            }),
        );
        lines.extend(trial.remarks.iter().map(|remark| format!("{}: {remark}", trial.name)));
        lines.extend(trial.notes.iter().map(|note| format!("{}: {note}", trial.name)));
    }
    lines.join("\n")
}

fn row(trial: &Trial) -> [String; 10] {
    let of = |(part, whole): (usize, usize)| format!("{part}/{whole}");
    let ignored_code = match &trial.ignored_code[..] {
        [] => "—".to_owned(),
        some => some.join(", "),
    };
    let input_kind = match (&trial.unjudged, trial.input_kind) {
        (Some(_), _) | (_, None) => "not at all",
        (None, Some(AntlrInput::Original)) => "as it is",
        (None, Some(AntlrInput::Converted)) => "converted",
    };
    let accepted = match trial.unjudged {
        Some(_) => "—".to_owned(),
        None => of(trial.accepted),
    };
    [
        trial.name.clone(),
        input_kind.to_owned(),
        ignored_code,
        of(trial.examples),
        accepted,
        of(trial.mutants),
        trial.undecided.to_string(),
        of(trial.read_back),
        trial.unwritten.0.to_string(),
        trial.unwritten.1.to_string(),
    ]
}
