//! The forms in which a suite is kept, a file each, and the registry of those that have a name.

pub mod archives;
pub mod coverage_table;
pub mod directory;
pub mod fuzzing;
pub mod lines;
pub mod ndjson;
pub mod test_files;
pub mod tree_sitter;

mod names;

use std::io::Write;

pub use archives::{Compression, Tar, Zip};
pub use coverage_table::CoverageTable;
pub use directory::{Directory, Existing};
pub use fuzzing::FuzzCorpus;
pub use lines::{Lines, Nul};
pub use names::{NameStyle, Naming};
pub use ndjson::Ndjson;
pub use test_files::{Language, TestFile};
pub use tree_sitter::TreeSitter;

use crate::sink::Sink;

/// The forms that are one stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One test per line.
    Lines,
    /// A zero byte after each test.
    Nul,
    /// A JSON document a line.
    Ndjson,
    /// A file of tree-sitter's `test/corpus`.
    TreeSitter,
    /// A test file for pytest.
    Pytest,
    /// A test file for Rust.
    Rust,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 6] = [
        Format::Lines,
        Format::Nul,
        Format::Ndjson,
        Format::TreeSitter,
        Format::Pytest,
        Format::Rust,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Lines => "lines",
            Format::Nul => "nul",
            Format::Ndjson => "ndjson",
            Format::TreeSitter => "tree-sitter",
            Format::Pytest => "pytest",
            Format::Rust => "rust",
        }
    }

    /// A sink of this form.
    pub fn sink<'w>(self, out: impl Write + 'w) -> Box<dyn Sink + 'w> {
        match self {
            Format::Lines => Box::new(Lines::new(out)),
            Format::Nul => Box::new(Nul::new(out)),
            Format::Ndjson => Box::new(Ndjson::new(out)),
            Format::TreeSitter => Box::new(TreeSitter::new(out)),
            Format::Pytest => Box::new(TestFile::new(out, Language::Python)),
            Format::Rust => Box::new(TestFile::new(out, Language::Rust)),
        }
    }
}
