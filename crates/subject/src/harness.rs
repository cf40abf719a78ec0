//! The protocol of long-lived programs, which read many tests one after the other.
//!
//! The program reads tests from its standard input: four bytes with the length of the test, the lowest byte first,
//! then the test. It answers each test with one line on its standard output, in the order of the tests:
//!
//! ```text
//! accept
//! reject
//! reject 3:14: expected a comma
//! ```
//!
//! The rest of the line, after a space, is a message. The line must reach the runner before the next test is worked
//! on, so the program flushes its output after each line. It ends when its input ends. Tests are sent ahead, so the
//! runner does not wait for each answer; a program that ends early ended at the first test without an answer, and is
//! started again for those that follow.

use crate::observation::End;

/// The bytes of a test as they are sent.
pub fn frame(test: &[u8], into: &mut Vec<u8>) {
    let length = u32::try_from(test.len()).unwrap_or(u32::MAX);
    into.extend_from_slice(&length.to_le_bytes());
    into.extend_from_slice(&test[..length as usize]);
}

/// What a line says, and its message.
#[must_use]
pub fn answer(line: &[u8]) -> (End, &[u8]) {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let split = line.iter().position(|&byte| byte == b' ').unwrap_or(line.len());
    let (word, message) = line.split_at(split);
    let message = message.get(1..).unwrap_or_default();
    match word {
        b"accept" => (End::Accepted, message),
        b"reject" => (End::Rejected, message),
        _ => (End::BadAnswer, line),
    }
}

#[cfg(test)]
mod tests {
    use super::{answer, frame};
    use crate::observation::End;

    #[test]
    fn answers_are_a_word_and_a_message() {
        let check = |line: &str, end: End, message: &str| {
            assert_eq!(answer(line.as_bytes()), (end, message.as_bytes()), "{line}");
        };
        check("accept", End::Accepted, "");
        check("reject 3:14: a comma", End::Rejected, "3:14: a comma");
        check("reject\r", End::Rejected, "");
        check("accepted", End::BadAnswer, "accepted");
        check("", End::BadAnswer, "");
    }

    #[test]
    fn a_frame_is_a_length_and_a_test() {
        let mut frames = Vec::new();
        frame(b"ab", &mut frames);
        frame(b"", &mut frames);
        assert_eq!(frames, [2, 0, 0, 0, b'a', b'b', 0, 0, 0, 0]);
    }
}
