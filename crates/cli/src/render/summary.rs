//! A suite in figures, and what is missing from it.

use gramercy::assemble::engine::summary::{End, Given, UniformFigures};
use gramercy::assemble::recipe::{Negative, Recipe, Systematic, Tests};
use gramercy::assemble::{Summary, Unwritten};
use gramercy::base::{Diagnostic, Named};
use gramercy::check::suspects::rules_with_predicates;
use gramercy::coverage::CriterionSpec;
use gramercy::derive::obstacle::Obstacle;
use gramercy::generate::Minimized;
use gramercy::language::Language;
use gramercy::lexis::{Obstacle as TokenObstacle, Unwritable};
use gramercy::mutate::CheckName;
use serde::Serialize;

use super::numbers::grouped;
use crate::codes;
use crate::outcome::Outcome;

/// How many unwritten targets are shown.
const SHOWN: usize = 5;

/// The number of tests as a document.
#[derive(Serialize)]
pub(crate) struct Count {
    /// Tests.
    pub(crate) tests: u64,
    /// Tests that they were chosen from.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<u64>,
    /// No choice that covers the same has fewer tests, over all shards.
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<u64>,
}

impl Count {
    /// The number of tests of a suite.
    pub(crate) fn of(summary: &Summary) -> Self {
        let minimized = summary.minimized.as_ref();
        Self {
            tests: summary.tests,
            of: minimized.map(|(_, of)| *of),
            at_least: minimized.map(|(minimized, _)| minimized.at_least as u64),
        }
    }
}

/// How a command ends that made a suite.
pub(crate) fn outcome(summary: &Summary, recipe: &Recipe) -> Outcome {
    match summary.end {
        End::Interrupted => Outcome::Interrupted,
        End::Complete if has_nothing_negative(summary, recipe) => Outcome::Found,
        End::Complete | End::Limit => Outcome::Clean,
    }
}

/// Whether a suite of tests that must fail has none.
fn has_nothing_negative(summary: &Summary, recipe: &Recipe) -> bool {
    matches!(recipe.tests, Tests::Negative(_)) && summary.is_complete() && summary.numbered == 0
}

/// What there is to say about the size of a suite and what it covers.
pub(crate) fn line(summary: &Summary, recipe: &Recipe, language: &Language) -> String {
    match &recipe.tests {
        Tests::Random(_) | Tests::Uniform(_) | Tests::Guided(_) => random_line(summary),
        Tests::Negative(tests) => negative_line(summary, tests),
        Tests::Systematic(tests) => {
            let coverable = coverable(tests, language);
            let line = systematic_line(summary, &tests.cover_name(), coverable, recipe.limit);
            match &summary.minimized {
                None => line,
                Some((minimized, of)) => line + &minimized_line(minimized, *of),
            }
        }
    }
}

/// How many targets of the criteria some sentence covers; unknown where only some of them are wanted.
fn coverable(tests: &Systematic, language: &Language) -> Option<u64> {
    if tests.targets.is_some() || !tests.given.is_empty() || !tests.exempt.is_empty() {
        return None;
    }
    let of = |spec: &CriterionSpec| Some(spec.build(language).ok()?.coverable());
    tests.cover.iter().map(of).sum()
}

/// One line about a choice of tests.
fn minimized_line(minimized: &Minimized, of: u64) -> String {
    let Minimized { kept, at_least, bound, is_cut } = minimized;
    let (kept, of) = (grouped(kept.len() as u64), grouped(of));
    let at_least = grouped(*at_least as u64);
    match is_cut {
        true => format!("; {kept} of {of} tests kept, which is not all that are needed"),
        false => format!(
            "; {kept} of {of} tests kept, where no choice has fewer than {at_least}, and this rule \
             never takes more than {bound:.1} times the fewest"
        ),
    }
}

/// How many tests, and how large.
fn sizes(summary: &Summary) -> String {
    let Summary { tests, tokens, bytes, longest, .. } = summary;
    format!(
        "{} test{}, {} tokens, {} bytes, the longest {}",
        grouped(tests),
        if *tests == 1 { "" } else { "s" },
        grouped(tokens),
        grouped(bytes),
        grouped(longest),
    )
}

/// One line about random tests.
fn random_line(summary: &Summary) -> String {
    let mut line = sizes(summary);
    if let Some(mean) = summary.tokens.checked_div(summary.tests) {
        line.push_str(&format!("; {} tokens per test", grouped(mean)));
    }
    line + if summary.end == End::Interrupted { "; interrupted" } else { "" }
}

/// One line about tests that must fail, and one about what the checks found.
fn negative_line(summary: &Summary, tests: &Negative) -> String {
    let mut line = sizes(summary);
    if tests.mutate.is_empty() {
        let written = grouped(summary.written);
        line.push_str(&format!("; {written} targets of {} written", tests.name()));
    }
    line.push_str(match summary.end {
        End::Limit => "; ended by --limit\n",
        End::Complete => "\n",
        End::Interrupted => "; interrupted\n",
    });
    let names = CheckName::names();
    let found = summary.found_by_check.iter().zip(&names).enumerate();
    let parts: Vec<String> = found
        .map(|(at, (&count, name))| match at {
            0 => format!("--check {name} finds {}", grouped(count)),
            _ => format!("{name} {} more", grouped(count)),
        })
        .collect();
    if !parts.is_empty() {
        line.push_str(&format!("{}\n", parts.join(", ")));
    }
    line
}

/// What was promised of uniform tests, and what it took.
#[expect(clippy::cast_precision_loss, reason = "shares for people")]
pub(crate) fn uniform_lines(figures: &UniformFigures) -> String {
    let UniformFigures { promise, drawn, without_text, repeated, gave_up: _, remarks } = figures;
    let mut lines = format!("uniform: {promise}\n");
    let mut share = |count: u64, what: &str| {
        let share = 100.0 * count as f64 / *drawn as f64;
        lines.push_str(&format!(
            "{} of {} trees {what} ({} %)\n",
            grouped(count),
            grouped(drawn),
            two_digits(share)
        ));
    };
    if *repeated > 0 {
        share(drawn - repeated, "were accepted as the one of their word");
    }
    if *without_text > 0 {
        share(*without_text, "were rejected because no text has them");
    }
    for remark in remarks {
        lines.push_str(remark);
        lines.push('\n');
    }
    lines
}

/// A number with two decimals, or with the two digits that are not 0.
fn two_digits(number: f64) -> String {
    match number > 0.0 && number < 0.01 {
        true => format!("{number:.1e}"),
        false => format!("{number:.2}"),
    }
}

/// A warning where words were given up.
fn too_ambiguous(summary: &Summary) -> Option<Diagnostic> {
    let figures = summary.uniform.as_ref().filter(|figures| figures.gave_up > 0)?;
    let message = format!(
        "{} tests have no word: too many trees have the same word",
        grouped(figures.gave_up)
    );
    let help = "use a smaller size, or leave --words out: uniform over trees needs no rejection";
    Some(Diagnostic::new(codes::TOO_AMBIGUOUS, message).help(help))
}

/// One line about tests that cover criteria.
fn systematic_line(
    summary: &Summary,
    names: &str,
    coverable: Option<u64>,
    limit: Option<u64>,
) -> String {
    let written = grouped(summary.written);
    let of = coverable.map_or(String::new(), |all| format!(" of {} coverable", grouped(all)));
    let mut line = format!("{}; {written}{of} targets of {names} covered", sizes(summary));
    if let Some(share) = per_test(summary) {
        line.push_str(&format!(", {share} per test"));
    }
    line.push_str(match summary.end {
        // The suite may be as long as other options ask for.
        End::Limit if limit.is_some() => "; ended by --limit",
        End::Complete | End::Limit => "",
        End::Interrupted => "; interrupted",
    });
    line
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn per_test(summary: &Summary) -> Option<String> {
    (summary.tests > 0).then(|| format!("{:.1}", summary.written as f64 / summary.tests as f64))
}

/// How many tests the parser of the notation's own tool rejects.
fn by_tool(summary: &Summary, recipe: &Recipe) -> Option<Diagnostic> {
    let tests = if matches!(recipe.tests, Tests::Negative(_)) { "base test" } else { "test" };
    let message = |count: u64, end: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{} {tests}{plural} that bison's parser rejects {end}", grouped(count))
    };
    let left_out = summary.left_out_by_tool + summary.given.left_out_by_tool;
    let kept = summary.rejected_by_tool + summary.given.rejected_by_tool;
    let (is, are) = (["is", "are"], ["was", "were"]);
    if left_out > 0 {
        let end = format!("{} left out", are[usize::from(left_out != 1)]);
        return Some(Diagnostic::new(codes::REJECTED_BY_TOOL, message(left_out, &end)));
    }
    let end =
        format!("{} among them: resolved conflicts lose sentences", is[usize::from(kept != 1)]);
    let help = "leave them out with --accepted-by-tool";
    (kept > 0).then(|| Diagnostic::new(codes::REJECTED_BY_TOOL, message(kept, &end)).help(help))
}

/// What users must know about a suite.
pub(crate) fn findings(summary: &Summary, recipe: &Recipe, language: &Language) -> Vec<Diagnostic> {
    let mut findings: Vec<Diagnostic> = rejected(&summary.given, recipe).into_iter().collect();
    if has_nothing_negative(summary, recipe) {
        let message = "nothing that was tried is outside the language";
        let help = "other operators, criteria or base tests may find more; a grammar that accepts every input has \
                    no negative tests";
        findings.push(Diagnostic::new(codes::NOTHING_NEGATIVE, message).help(help));
    }
    findings.extend(too_ambiguous(summary));
    if summary.placeholders {
        let message = "names stand in for the texts of tokens that the grammar does not say";
        let help = "give texts with --lexeme ID=x,y or --lexemes FILE; --write-lexemes FILE makes \
                    a file to fill in";
        findings.push(Diagnostic::new(codes::PLACEHOLDERS, message).help(help));
    }
    if summary.closed_off > 0 {
        let count = grouped(summary.closed_off);
        let plural = if summary.closed_off == 1 { " was" } else { "s were" };
        let message = format!("{count} test{plural} closed off at the most tokens of a test");
        let help = "raise the bound with --max-tokens, or ask for a smaller --depth";
        findings.push(Diagnostic::new(codes::CLOSED_OFF, message).help(help));
    }
    findings.extend(by_tool(summary, recipe));
    if summary.unwritten_count > 0 {
        let count = grouped(summary.unwritten_count);
        let plural = if summary.unwritten_count == 1 { " was" } else { "s were" };
        let is_goal = summary.unwritten.iter().any(|unwritten| unwritten.goal.is_some());
        let what = if is_goal { "target" } else { "test" };
        let message = format!("{count} {what}{plural} not written");
        let mut diagnostic = Diagnostic::new(codes::UNWRITTEN, message);
        for unwritten in summary.unwritten.iter().take(SHOWN) {
            diagnostic = diagnostic.note(describe(unwritten, recipe, language));
        }
        if summary.unwritten_count > SHOWN as u64 {
            diagnostic = diagnostic.note("and others");
        }
        if summary.has_unwritten_targets() && !summary.is_measured {
            diagnostic = diagnostic.note("tests for other targets may cover some of them");
        }
        if let Some(help) = predicates(summary, language) {
            diagnostic = diagnostic.help(help);
        }
        findings.push(diagnostic);
    }
    findings
}

/// What ignored predicates have to do with tokens that the lexer does not make.
fn predicates(summary: &Summary, language: &Language) -> Option<String> {
    let is_lexed = |of: &Unwritten| match &of.obstacle {
        Obstacle::Unwritable(Unwritable { obstacle, .. }) => {
            matches!(obstacle, TokenObstacle::NotInMode { .. })
        }
        _ => false,
    };
    if !summary.unwritten.iter().any(is_lexed) {
        return None;
    }
    let grammar = language.grammar();
    let rules = rules_with_predicates(grammar);
    let (first, span) = rules.first()?;
    let place = grammar.sources().position(*span);
    let (name, line) = (&grammar.rules()[*first].name, place.line);
    let others = match rules.len() {
        1 => String::new(),
        count => format!(" and {} others", count - 1),
    };
    Some(format!(
        "predicates of token rules are ignored, as if they always held: `{name}` (line {line}){others} may take the \
         text of another token"
    ))
}

/// What is said about given inputs that are not in the language.
fn rejected(given: &Given, recipe: &Recipe) -> Option<Diagnostic> {
    if given.first_rejected.is_empty() {
        return None;
    }
    let consequence = match recipe.tests {
        Tests::Negative(_) => "are not in the language and are not changed",
        _ => "are rejected and cover nothing",
    };
    let message = format!("{} of the given inputs {consequence}", grouped(given.rejected));
    let mut diagnostic = Diagnostic::new(codes::GIVEN_REJECTED, message);
    for (name, byte) in &given.first_rejected {
        diagnostic = diagnostic.note(format!("`{name}`, at byte {byte}"));
    }
    if let more @ 1.. = given.rejected - given.first_rejected.len() as u64 {
        diagnostic = diagnostic.note(format!("and {} more", grouped(more)));
    }
    Some(diagnostic)
}

fn describe(unwritten: &Unwritten, recipe: &Recipe, language: &Language) -> String {
    let cover: &[CriterionSpec] = match &recipe.tests {
        Tests::Systematic(tests) => &tests.cover,
        Tests::Random(_) | Tests::Uniform(_) | Tests::Guided(_) | Tests::Negative(_) => &[],
    };
    let target = unwritten.goal.and_then(|goal| {
        let spec = cover.get(goal.criterion)?;
        let criterion = spec.build(language).ok()?;
        let pattern = criterion.describe(goal.target);
        // A rule may be written on several lines.
        let words: Vec<&str> = pattern.split_whitespace().collect();
        Some(format!("`{}` of {spec}", words.join(" ")))
    });
    let obstacle = unwritten.obstacle.describe(language.grammar());
    format!("{}: {obstacle}", target.as_deref().unwrap_or("a test"))
}
