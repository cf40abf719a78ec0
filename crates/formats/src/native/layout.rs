//! The layout of rules: on one line if it is short, otherwise one alternative per line with aligned
//! bars.

use std::fmt::Write;

/// The preferred maximal length of a line.
const WIDTH: usize = 100;
/// Rules whose alternatives have several words are on one line only up to this length.
const SHORT: usize = 60;

/// The words of an alternative, which are never broken over lines.
pub(super) type Words = Vec<String>;

/// A rule: the text before its sign, the sign, and its alternatives.
pub(super) fn rule(head: &str, sign: &str, alternatives: &[Words]) -> String {
    let one_line = one_line(head, sign, alternatives);
    let length = one_line.chars().count();
    let simple = alternatives.iter().all(|alternative| alternative.len() <= 1);
    if length <= SHORT || (length <= WIDTH && (simple || alternatives.len() == 1)) {
        return one_line;
    }
    let mut lines = Lines::new(head, sign);
    for (index, alternative) in alternatives.iter().enumerate() {
        if index > 0 {
            let words = alternative.iter().map(|word| word.chars().count()).sum();
            lines.bar(if simple { words } else { WIDTH });
        }
        alternative.iter().for_each(|word| lines.word(word));
    }
    lines.finish()
}

/// A declaration: a keyword and a list.
pub(super) fn list(keyword: &str, items: &[String]) -> String {
    let mut lines = Lines { text: keyword.into(), column: keyword.len(), indent: 4, bar: 0 };
    for (index, item) in items.iter().enumerate() {
        let comma = if index + 1 < items.len() { "," } else { "" };
        lines.word(&format!("{item}{comma}"));
    }
    lines.finish()
}

fn one_line(head: &str, sign: &str, alternatives: &[Words]) -> String {
    let mut line = format!("{head} {sign}");
    for (index, alternative) in alternatives.iter().enumerate() {
        if index > 0 {
            line.push_str(" |");
        }
        for word in alternative {
            line.push(' ');
            line.push_str(word);
        }
    }
    line.push(';');
    line
}

/// Lines that are being filled.
struct Lines {
    text: String,
    column: usize,
    /// The indentation of continuation lines.
    indent: usize,
    /// The column of bars.
    bar: usize,
}

impl Lines {
    fn new(head: &str, sign: &str) -> Self {
        const LONG_HEAD: usize = 40;
        let length = head.chars().count();
        // The bars are below the second character of the sign, so that alternatives are aligned.
        if length <= LONG_HEAD {
            let text = format!("{head} {sign}");
            return Self { text, column: length + 3, indent: length + 6, bar: length + 2 };
        }
        Self { text: format!("{head}\n    {sign}"), column: 6, indent: 9, bar: 5 }
    }

    /// Begins an alternative of this length: on the same line if it fits, otherwise on a new one.
    fn bar(&mut self, length: usize) {
        if self.column + length + 4 > WIDTH {
            write!(self.text, "\n{:1$}|", "", self.bar)
                .expect("invariant: a string can be written to");
            self.column = self.bar + 1;
        } else {
            self.text.push_str(" |");
            self.column += 2;
        }
    }

    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column + 1 + length >= WIDTH && self.column > self.indent {
            write!(self.text, "\n{:1$}", "", self.indent)
                .expect("invariant: a string can be written to");
            self.column = self.indent;
        } else {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += length;
    }

    fn finish(mut self) -> String {
        self.text.push(';');
        self.text
    }
}
