//! The names of tests as files: the same for the same test, and in order.

use crate::test::{Expect, Test};

/// The number of a test with at least so many digits.
const DIGITS: usize = 6;

/// The name of a test's file: `accept-000001.json`.
pub(crate) fn file_name(test: &Test<'_>, extension: &str) -> String {
    let expect = match test.expect {
        Expect::Accept => "accept",
        Expect::Reject(_) => "reject",
    };
    let dot = if extension.is_empty() || extension.starts_with('.') { "" } else { "." };
    format!("{expect}-{:0DIGITS$}{dot}{extension}", test.id)
}

/// Whether a file could be a test of some suite.
pub(crate) fn is_file_name(name: &str) -> bool {
    let number = name.strip_prefix("accept-").or(name.strip_prefix("reject-"));
    let Some(number) = number else { return false };
    let digits = number.len() - number.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    digits >= DIGITS && (number.len() == digits || number[digits..].starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::is_file_name;

    #[test]
    fn names_of_tests_are_known() {
        for name in ["accept-000001", "accept-000001.json", "reject-1234567.tar.gz"] {
            assert!(is_file_name(name), "{name}");
        }
        for name in ["accept-1.json", "README.md", "accept-", "accept-000001x", "notes-000001"] {
            assert!(!is_file_name(name), "{name}");
        }
    }
}
