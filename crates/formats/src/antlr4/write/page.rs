//! Files: heads, sections and rules.

use std::fmt::Write as _;

use super::phrase::Branch;
use crate::WrittenFile;

/// The maximal length of a rule on one line.
const WIDTH: usize = 100;

/// A file under construction.
#[derive(Debug)]
pub(super) struct Page {
    name: String,
    text: String,
}

impl Page {
    /// A file that begins with `kind NAME;`.
    pub(super) fn new(kind: &str, name: &str) -> Self {
        Self { name: name.to_owned(), text: format!("{kind} {name};\n") }
    }

    /// A line after an empty one.
    pub(super) fn line(&mut self, line: &str) {
        self.text.push('\n');
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// `options { name = value; }`, if there is any.
    pub(super) fn options(&mut self, options: &[(&str, &str)]) {
        if !options.is_empty() {
            self.line(&options_of(options));
        }
    }

    /// `tokens { A, B }` or `channels { A, B }`, if there is any.
    pub(super) fn list(&mut self, section: &str, names: &[String]) {
        if names.is_empty() {
            return;
        }
        let (mut text, mut column) = (format!("{section} {{"), 0);
        for (index, name) in names.iter().enumerate() {
            let comma = if index + 1 < names.len() { "," } else { "" };
            if column == 0 || column + name.len() > WIDTH {
                text.push_str("\n   ");
                column = 3;
            }
            column += name.len() + 2;
            write!(text, " {name}{comma}").expect("writing to a string does not fail");
        }
        text.push_str("\n}");
        self.line(&text);
    }

    /// A rule; `head` is its name with modifiers and options.
    pub(super) fn rule(&mut self, head: &str, branches: &[Branch]) {
        let branches: Vec<_> = branches.iter().map(Branch::text).collect();
        if let [only] = &branches[..]
            && head.chars().count() + only.chars().count() < WIDTH
        {
            let space = if only.is_empty() { "" } else { " " };
            return self.line(&format!("{head} :{space}{only} ;"));
        }
        let mut text = head.to_owned();
        for (index, branch) in branches.iter().enumerate() {
            let sign = if index == 0 { ':' } else { '|' };
            write!(text, "\n    {sign} {branch}").expect("writing to a string does not fail");
            let trimmed = text.trim_end().len();
            text.truncate(trimmed);
        }
        text.push_str("\n    ;");
        self.line(&text);
    }

    pub(super) fn finish(self) -> WrittenFile {
        WrittenFile { name: format!("{}.g4", self.name), text: self.text }
    }
}

/// Options on one line.
pub(super) fn options_of(options: &[(&str, &str)]) -> String {
    let settings: String =
        options.iter().map(|(name, value)| format!("{name} = {value}; ")).collect();
    format!("options {{ {settings}}}")
}
