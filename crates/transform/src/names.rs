//! Names for new rules, and names for new terminals as a user would write them.

use std::fmt::Write;

use gramercy_base::Set;
use gramercy_grammar::Grammar;

/// The names of a grammar, so that a new name differs from all of them.
pub(crate) struct Names {
    taken: Set<Box<str>>,
}

impl Names {
    pub(crate) fn of(grammar: &Grammar) -> Self {
        let rules = grammar.rules().values().map(|rule| rule.name.clone());
        let terminals = grammar.terminals().values().map(|terminal| terminal.name.clone());
        Self { taken: rules.chain(terminals).collect() }
    }

    /// `base_1`, or the next free number; `last` is the previous number.
    pub(crate) fn fresh(&mut self, base: &str, last: &mut usize) -> Box<str> {
        loop {
            *last += 1;
            let name: Box<str> = format!("{base}_{last}").into();
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Text as a quoted literal.
pub(crate) fn literal_name(text: &str) -> String {
    let mut name = String::from("\"");
    text.chars().for_each(|c| escape(&mut name, c.into(), "\"\\"));
    name + "\""
}

/// The code points from `first` to `last` as a character class.
pub(crate) fn range_name(first: u32, last: u32) -> String {
    let mut name = String::from("[");
    escape(&mut name, first, "[]\\^-");
    if first != last {
        name.push('-');
        escape(&mut name, last, "[]\\^-");
    }
    name + "]"
}

/// Appends a readable form of a code point, with a backslash before one of `special`.
fn escape(name: &mut String, code: u32, special: &str) {
    match char::from_u32(code) {
        Some('\n') => name.push_str("\\n"),
        Some('\r') => name.push_str("\\r"),
        Some('\t') => name.push_str("\\t"),
        Some(c) if special.contains(c) => name.extend(['\\', c]),
        Some(c) if c.is_ascii_graphic() || c == ' ' || c.is_alphanumeric() => name.push(c),
        _ => write!(name, "\\u{{{code:X}}}").expect("invariant: a string takes any text"),
    }
}

#[cfg(test)]
mod tests {
    use super::{literal_name, range_name};

    #[test]
    fn names_are_readable() {
        let check = |name: String, expected: &str| assert_eq!(name, expected);
        check(literal_name(""), r#""""#);
        check(literal_name("a\"\\\n\u{7f}ä"), r#""a\"\\\n\u{7F}ä""#);
        check(range_name(0x61, 0x7a), "[a-z]");
        check(range_name(0x5d, 0x5d), r"[\]]");
        check(range_name(0, 0x10_FFFF), r"[\u{0}-\u{10FFFF}]");
        check(range_name(0xD800, 0xDFFF), r"[\u{D800}-\u{DFFF}]");
    }
}
