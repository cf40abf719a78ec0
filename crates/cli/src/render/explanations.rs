//! Explanations of targets for people: plain text, Markdown and HTML.

use std::fmt::Write;

use gramercy::learn::compare::Change;
use gramercy::learn::explain::{ClauseText, Condition, Explanation};

use super::numbers::grouped;

/// How many equal patterns are listed.
const EQUAL: usize = 4;

/// Explanations for a terminal.
pub(crate) fn text(explanations: &[Explanation]) -> String {
    let mut out = String::new();
    for (number, explanation) in explanations.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        add_line(&mut out, &headline(explanation));
        for note in notes(explanation) {
            add_line(&mut out, &format!("  note: {note}"));
        }
        for condition in &explanation.conditions {
            add_condition(&mut out, condition);
        }
    }
    out
}

fn add_line(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

fn add_condition(out: &mut String, condition: &Condition) {
    let mut word = "if the input";
    for clause in &condition.clauses {
        add_line(out, &format!("  {word} {}", clause_text(clause)));
        word = "and";
    }
    if condition.clauses.is_empty() {
        add_line(out, "  always");
    }
    add_line(out, &format!("    {}", figures(condition)));
    if let Some(example) = &condition.example {
        add_line(out, &format!("    example          {}", one_line(example)));
    }
    if let Some(example) = &condition.counter_example {
        add_line(out, &format!("    counter-example  {}", one_line(example)));
    }
}

fn headline(explanation: &Explanation) -> String {
    let Explanation { target, covered, inputs, .. } = explanation;
    let (covered, inputs) = (grouped(u64::from(*covered)), grouped(*inputs as u64));
    format!("{target}: covered by {covered} of {inputs} inputs")
}

fn notes(explanation: &Explanation) -> Vec<String> {
    let mut notes = Vec::new();
    if explanation.covered == 0 {
        notes.push("no input covers it, so nothing was learned about it".to_owned());
    } else if explanation.covered as usize == explanation.inputs {
        notes.push("every input covers it".to_owned());
    } else if explanation.conditions.is_empty() {
        notes.push("no condition makes it likely".to_owned());
    }
    if let Some(few) = explanation.few_samples {
        notes.push(format!("a guess: only {few} inputs are in the smaller class"));
    }
    if let Some(gap) = explanation.optimality_gap {
        notes.push(format!("another tree might be right about {gap} more inputs"));
    }
    notes
}

fn clause_text(clause: &ClauseText) -> String {
    let verb = match (clause.present, clause.pattern.starts_with("at least ")) {
        (true, false) => "contains",
        (false, false) => "does not contain",
        (true, true) => "has",
        (false, true) => "does not have",
    };
    let mut text = format!("{verb} {}", clause.pattern);
    if !clause.equal.is_empty() {
        let shown: Vec<&str> = clause.equal.iter().take(EQUAL).map(String::as_str).collect();
        let more = clause.equal.len().saturating_sub(EQUAL);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        let _ = write!(text, "   (the same on all inputs: {}{more})", shown.join(", "));
    }
    text
}

fn figures(condition: &Condition) -> String {
    let Condition { support, precision, status, .. } = condition;
    let support = grouped(u64::from(*support));
    format!("support {support}, precision {precision:.3}, {}", status.as_str())
}

/// A text in one line, as suites print it.
fn one_line(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

/// Explanations as a document: a table row for each condition.
pub(crate) fn markdown(explanations: &[Explanation]) -> String {
    let mut out = String::from(
        "| target | condition | support | precision | status | example | counter-example |\n\
         |---|---|--:|--:|---|---|---|\n",
    );
    let code = |text: &str| format!("`{}`", one_line(text).replace('`', "'").replace('|', "\\|"));
    for explanation in explanations {
        for row in rows(explanation) {
            let cells = [
                code(&explanation.target),
                row.condition.replace('|', "\\|"),
                row.support,
                row.precision,
                row.status,
                row.example.map_or_else(String::new, code),
                row.counter_example.map_or_else(String::new, code),
            ];
            add_line(&mut out, &format!("| {} |", cells.join(" | ")));
        }
    }
    out
}

/// Explanations as a page of its own.
pub(crate) fn html(explanations: &[Explanation]) -> String {
    let mut out = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>Which inputs reach which code</title>\n<style>\n\
         body { font-family: sans-serif; margin: 2em; }\n\
         table { border-collapse: collapse; }\n\
         th, td { border: 1px solid #ccc; padding: .3em .6em; text-align: left; vertical-align: top; }\n\
         td.number { text-align: right; }\n\
         </style>\n</head>\n<body>\n<h1>Which inputs reach which code</h1>\n<table>\n\
         <tr><th>target</th><th>condition</th><th>support</th><th>precision</th><th>status</th>\
         <th>example</th><th>counter-example</th></tr>\n",
    );
    let code = |text: &str| format!("<code>{}</code>", escape(&one_line(text)));
    for explanation in explanations {
        for row in rows(explanation) {
            let _ = writeln!(
                out,
                "<tr><td>{}</td><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
                 <td>{}</td><td>{}</td><td>{}</td></tr>",
                code(&explanation.target),
                escape(&row.condition),
                row.support,
                row.precision,
                row.status,
                row.example.map_or_else(String::new, code),
                row.counter_example.map_or_else(String::new, code),
            );
        }
    }
    out.push_str("</table>\n</body>\n</html>\n");
    out
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A row of a table.
struct Row<'a> {
    condition: String,
    support: String,
    precision: String,
    status: String,
    example: Option<&'a str>,
    counter_example: Option<&'a str>,
}

/// The conditions of a target, or a note where there is none.
fn rows(explanation: &Explanation) -> Vec<Row<'_>> {
    let row = |condition: &'_ Condition| {
        let clauses: Vec<String> = condition.clauses.iter().map(clause_text).collect();
        (clauses.join(" and "), condition.support, condition.precision)
    };
    if explanation.conditions.is_empty() {
        return vec![Row {
            condition: notes(explanation).join("; "),
            support: String::new(),
            precision: String::new(),
            status: String::new(),
            example: None,
            counter_example: None,
        }];
    }
    let conditions = explanation.conditions.iter();
    conditions
        .map(|condition| {
            let (text, support, precision) = row(condition);
            Row {
                condition: if text.is_empty() { "always".to_owned() } else { text },
                support: grouped(u64::from(support)),
                precision: format!("{precision:.3}"),
                status: condition.status.as_str().to_owned(),
                example: condition.example.as_deref(),
                counter_example: condition.counter_example.as_deref(),
            }
        })
        .collect()
}

/// What changed between two models.
pub(crate) fn changes(changes: &[Change]) -> String {
    let mut out = String::new();
    if changes.is_empty() {
        add_line(&mut out, "no condition changed");
    }
    for change in changes {
        match change {
            Change::Added { target } => add_line(&mut out, &format!("+ {target}: a new target")),
            Change::Removed { target } => {
                add_line(&mut out, &format!("- {target}: no longer a target"));
            }
            Change::Conditions { target, added, removed } => {
                add_line(&mut out, &format!("{target}:"));
                for (sign, conditions) in [('-', removed), ('+', added)] {
                    for condition in conditions {
                        let clauses: Vec<String> =
                            condition.clauses.iter().map(clause_text).collect();
                        let text = clauses.join(" and ");
                        let text = if text.is_empty() { "always" } else { &text };
                        add_line(&mut out, &format!("  {sign} {text}"));
                    }
                }
            }
        }
    }
    out
}
