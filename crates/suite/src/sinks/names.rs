//! The names of tests as files: the same for the same test, and in order.

use crate::sink::Wants;
use crate::test::{Expect, Test};

/// The number of a test, padded to a number of digits.
const DIGITS: usize = 6;

/// How the files of tests are named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Naming {
    /// The extension.
    pub extension: String,
    /// How names begin.
    pub style: NameStyle,
}

/// How the names of files begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameStyle {
    /// `accept-000001`, `reject-000002`.
    #[default]
    Words,
    /// `y_000001`, `n_000002_missing`, as suites for JSON are named by custom.
    Letters,
}

impl NameStyle {
    /// Both of them.
    pub const ALL: [NameStyle; 2] = [NameStyle::Words, NameStyle::Letters];

    /// The name on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            NameStyle::Words => "words",
            NameStyle::Letters => "letters",
        }
    }
}

impl Naming {
    /// What names need of each test.
    pub(crate) fn wants(&self) -> Wants {
        Wants { rejection: self.style == NameStyle::Letters, ..Wants::TEXT }
    }
}

impl From<&str> for Naming {
    fn from(extension: &str) -> Self {
        Self { extension: extension.to_owned(), style: NameStyle::Words }
    }
}

/// The name of a test's file: `accept-000001.json`.
pub(crate) fn file_name(test: &Test<'_>, naming: &Naming) -> String {
    let Naming { extension, style } = naming;
    let dot = if extension.is_empty() || extension.starts_with('.') { "" } else { "." };
    let id = test.id;
    let name = match (style, &test.expect) {
        (NameStyle::Words, Expect::Accept) => format!("accept-{id:0DIGITS$}"),
        (NameStyle::Words, Expect::Reject(_)) => format!("reject-{id:0DIGITS$}"),
        (NameStyle::Letters, Expect::Accept) => format!("y_{id:0DIGITS$}"),
        (NameStyle::Letters, Expect::Reject(error)) if error.class.is_empty() => {
            format!("n_{id:0DIGITS$}")
        }
        (NameStyle::Letters, Expect::Reject(error)) => {
            format!("n_{id:0DIGITS$}_{}", error.class)
        }
    };
    format!("{name}{dot}{extension}")
}

/// Whether a file could be a test of some suite.
pub(crate) fn is_file_name(name: &str) -> bool {
    let beginnings = ["accept-", "reject-", "y_", "n_"];
    let Some(number) = beginnings.iter().find_map(|begin| name.strip_prefix(begin)) else {
        return false;
    };
    let digits = number.len() - number.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &number[digits..];
    digits >= DIGITS && (rest.is_empty() || rest.starts_with('.') || rest.starts_with('_'))
}

#[cfg(test)]
mod tests {
    use super::is_file_name;

    #[test]
    fn names_of_tests_are_known() {
        for name in
            ["accept-000001", "accept-000001.json", "reject-1234567.tar.gz", "n_000001_end.json"]
        {
            assert!(is_file_name(name), "{name}");
        }
        for name in ["accept-1.json", "README.md", "accept-", "accept-000001x", "notes-000001"] {
            assert!(!is_file_name(name), "{name}");
        }
    }
}
