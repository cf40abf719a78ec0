//! A test on its way to a program, with everything owned.

use gramercy_suite::{Document, Expect, Test};

/// A test with what is expected of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its number in the whole suite, from 1.
    pub id: u64,
    /// Its name, where it comes from a corpus.
    pub name: Option<String>,
    /// The input.
    pub content: Vec<u8>,
    /// What is expected.
    pub expect: Expectation,
    /// What it was made for, as a pattern.
    pub target: Option<String>,
    /// How it was made from another test, as JSON.
    pub mutation: Option<String>,
    /// How many targets it is the first to cover.
    pub covers: u64,
}

/// What is expected of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// It accepts the test.
    Accept,
    /// It rejects the test; where its first error is, if that is known.
    Reject(Option<Position>),
}

impl Expectation {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject(_) => "reject",
        }
    }

    /// The place of the first error.
    #[must_use]
    pub fn place(self) -> Option<Position> {
        match self {
            Self::Accept => None,
            Self::Reject(place) => place,
        }
    }
}

/// A place in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Its byte, from 0.
    pub byte: u64,
    /// Its line, from 1.
    pub line: u64,
    /// Its column in code points, from 1.
    pub column: u64,
}

impl Position {
    /// The place of a byte in a text.
    #[must_use]
    pub fn of(content: &[u8], byte: usize) -> Self {
        let before = &content[..byte.min(content.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let is_first = |byte: &&u8| !(0x80..0xC0).contains(*byte);
        let column = 1 + before[start..].iter().filter(is_first).count() as u64;
        Self { byte: byte as u64, line, column }
    }
}

impl Case {
    /// The case of a test.
    #[must_use]
    pub fn of(test: &Test<'_>) -> Self {
        let document = Document::of(test);
        let mutation = document.mutation.as_ref();
        let json = mutation.map(|mutation| serde_json::to_string(mutation).unwrap_or_default());
        Self {
            id: test.id,
            name: None,
            content: test.content.as_bytes().to_vec(),
            expect: match test.expect {
                Expect::Accept => Expectation::Accept,
                Expect::Reject(error) => Expectation::Reject(Some(Position {
                    byte: error.byte as u64,
                    line: error.line as u64,
                    column: error.column as u64,
                })),
            },
            target: test.target().map(str::to_owned),
            mutation: json,
            covers: test.covers.len() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Position;

    #[test]
    fn places_count_code_points() {
        let text = "a\n\u{e4}b".as_bytes();
        let place = |byte| {
            let Position { line, column, .. } = Position::of(text, byte);
            (line, column)
        };
        assert_eq!(place(0), (1, 1));
        assert_eq!(place(1), (1, 2));
        assert_eq!(place(2), (2, 1));
        assert_eq!(place(4), (2, 2));
        assert_eq!(place(99), (2, 3));
    }
}
