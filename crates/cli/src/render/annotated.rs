//! A grammar with the number of uses under each alternative.

use std::fmt::Write;

use gramercy::Grammar;
use gramercy::coverage::AlternativeUses;

use super::numbers::grouped;

/// Every line of the grammar's files, and under it a mark for each alternative that begins there.
pub(crate) fn text(grammar: &Grammar, uses: &[AlternativeUses]) -> String {
    let sources: Vec<_> = grammar
        .sources()
        .iter()
        .filter(|(id, _)| uses.iter().any(|of| of.span.source == *id))
        .collect();
    let mut out = String::new();
    for (id, source) in &sources {
        if sources.len() > 1 {
            let _ = writeln!(out, "{}:", source.name());
        }
        let mut marks = uses.iter().filter(|of| of.span.source == *id).peekable();
        for (number, line) in (1..).zip(source.text().lines()) {
            let _ = writeln!(out, "{number:5} | {line}");
            let mut here = Vec::new();
            while let Some(of) =
                marks.next_if(|of| source.position(of.span.start as usize).line == number)
            {
                let column = source.position(of.span.start as usize).column - 1;
                here.push((column, format!("^{}", grouped(of.uses))));
            }
            for row in rows(&here) {
                let _ = writeln!(out, "      | {row}");
            }
        }
    }
    out
}

/// Marks at their columns, in as few rows as they need not to touch.
fn rows(marks: &[(usize, String)]) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for (column, mark) in marks {
        let fits = |row: &&mut String| row.is_empty() || row.chars().count() < *column;
        let row = match rows.iter_mut().find(fits) {
            Some(row) => row,
            None => {
                rows.push(String::new());
                rows.last_mut().expect("invariant: one was pushed")
            }
        };
        let missing = column - row.chars().count();
        row.extend(std::iter::repeat_n(' ', missing).chain(mark.chars()));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn marks_that_would_touch_go_to_another_row() {
        let marks = [(0, "^12".to_owned()), (2, "^3".to_owned()), (5, "^0".to_owned())];
        assert_eq!(rows(&marks), ["^12  ^0", "  ^3"]);
        assert!(rows(&[]).is_empty());
    }
}
