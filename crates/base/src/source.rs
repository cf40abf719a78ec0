//! Source files, and spans and positions in them.

use std::sync::Arc;

use crate::Table;

crate::define_id!(pub struct SourceId, "a source file");

/// A range of bytes of one source file, inside the file and on character boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub source: SourceId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` to `end` of a file.
    ///
    /// # Panics
    /// If a bound is beyond 32 bits: [`Sources::add`] refuses files that large.
    #[must_use]
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        let fit = |n: usize| u32::try_from(n).expect("invariant: files are under 4 GiB");
        Self { source, start: fit(start), end: fit(end) }
    }

    /// The smallest span that contains both. Both are in the same file.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        debug_assert_eq!(self.source, other.source, "invariant: a span is inside one file");
        Span {
            source: self.source,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The byte range.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line and a column, both from 1; the column counts code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// One file: its name as the user knows it, its text, and where its lines begin.
#[derive(Clone, Debug)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
    line_starts: Vec<u32>,
}

impl Source {
    /// The name of the file as the user gave it, or as an import names it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text as a shared pointer.
    #[must_use]
    pub fn shared_text(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    /// Line and column of a byte offset; the offset may be the length of the text.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let line = self.line_starts.partition_point(|&start| start as usize <= offset);
        let start = self.line_starts[line - 1] as usize;
        let column = self.text.as_bytes()[start..offset.min(self.text.len())]
            .iter()
            .filter(|byte| !(0x80..0xC0).contains(*byte))
            .count();
        Position { line, column: column + 1 }
    }
}

/// All files that a grammar was read from.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Table<SourceId, Source>,
}

impl Sources {
    /// No files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    ///
    /// # Panics
    /// If the text has 4 GiB or more; readers refuse such files by [`Limits`](crate::Limits).
    pub fn add(&mut self, name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> SourceId {
        let text = text.into();
        assert!(u32::try_from(text.len()).is_ok(), "invariant: files are under 4 GiB");
        let line_starts = line_starts_of(&text);
        self.files.push(Source { name: name.into(), text, line_starts })
    }

    /// A file.
    #[must_use]
    pub fn get(&self, id: SourceId) -> &Source {
        &self.files[id]
    }

    /// All files in the order they were read.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        self.files.iter()
    }

    /// The text under a span.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        &self.files[span.source].text[span.range()]
    }

    /// Line and column where a span begins.
    #[must_use]
    pub fn position(&self, span: Span) -> Position {
        self.files[span.source].position(span.start as usize)
    }
}

fn line_starts_of(text: &str) -> Vec<u32> {
    let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
    let starts = ends.map(|(at, _)| u32::try_from(at + 1).expect("checked by the caller"));
    std::iter::once(0).chain(starts).collect()
}

#[cfg(test)]
mod tests {
    use super::{Position, Sources};

    #[test]
    fn positions_count_lines_and_code_points_from_one() {
        let mut sources = Sources::new();
        let id = sources.add("a.gram", "x\nä€b\n");
        let check = |offset, line, column| {
            assert_eq!(sources.get(id).position(offset), Position { line, column }, "at {offset}");
        };
        check(0, 1, 1);
        check(1, 1, 2);
        check(2, 2, 1);
        check(4, 2, 2);
        check(7, 2, 3);
        check(8, 2, 4);
        check(9, 3, 1);
    }
}
