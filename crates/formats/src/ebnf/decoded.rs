//! Text with decoded escapes and the positions of its parts in the file.

use gramercy_base::{SourceId, Span};

/// Decoded text and its positions.
#[derive(Clone, Debug)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    source: SourceId,
    /// Pairs of offsets in the text and in the file, ascending; between two pairs both advance
    /// equally.
    places: Vec<(usize, usize)>,
}

impl Decoded {
    /// No text yet; the next part is at offset `start` of the file.
    pub(crate) fn new(source: SourceId, start: usize) -> Self {
        Self { text: String::new(), source, places: vec![(0, start)] }
    }

    /// Adds text that the file contains literally at offset `at`.
    pub(crate) fn verbatim(&mut self, text: &str, at: usize) {
        self.mark(at);
        self.text.push_str(text);
    }

    /// Adds a character that is escaped in the file at offset `at`.
    pub(crate) fn escaped(&mut self, c: char, at: usize) {
        self.mark(at);
        self.text.push(c);
    }

    /// Sets the end of the text in the file.
    pub(crate) fn end(&mut self, at: usize) {
        self.mark(at);
    }

    fn mark(&mut self, at: usize) {
        let (text, file) = self.places[self.places.len() - 1];
        if file + (self.text.len() - text) != at {
            self.places.push((self.text.len(), at));
        }
    }

    /// The span in the file of a range of the text.
    pub(crate) fn span(&self, range: std::ops::Range<usize>) -> Span {
        let start = self.place(range.start);
        Span::new(self.source, start, self.place(range.end).max(start))
    }

    fn place(&self, at: usize) -> usize {
        let next = self.places.partition_point(|&(text, _)| text <= at);
        let (text, file) = self.places[next - 1];
        file + (at - text)
    }
}

#[cfg(test)]
mod tests {
    use super::Decoded;
    use gramercy_base::{Id, SourceId};

    #[test]
    fn spans_account_for_escapes() {
        // In the file, from offset 10: a\nb\\c
        let mut decoded = Decoded::new(SourceId::from_index(0), 10);
        decoded.verbatim("a", 10);
        decoded.escaped('\n', 11);
        decoded.verbatim("b", 13);
        decoded.escaped('\\', 14);
        decoded.verbatim("c", 16);
        decoded.end(17);
        assert_eq!(decoded.text, "a\nb\\c");
        let check = |range: std::ops::Range<usize>, expected| {
            assert_eq!(decoded.span(range.clone()).range(), expected, "{range:?}");
        };
        check(0..1, 10..11);
        check(1..2, 11..13);
        check(2..3, 13..14);
        check(3..4, 14..16);
        check(4..5, 16..17);
        check(0..5, 10..17);
        check(5..5, 17..17);
    }
}
