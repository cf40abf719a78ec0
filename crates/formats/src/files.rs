//! The input files of readers and the output files of writers.

use std::io;
use std::path::{Path, PathBuf};

use gramercy_base::{IndexMap, files};

/// A source of files: the disk, or memory.
pub trait Files {
    /// The bytes of a file.
    ///
    /// # Errors
    /// If there is no such file, it cannot be read, or it has more bytes than the limit
    /// ([`io::ErrorKind::FileTooLarge`]).
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>>;

    /// Whether there is such a file.
    fn exists(&self, path: &Path) -> bool;
}

/// The files on disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    /// Only regular files are read, and streams that are open already, such as `/dev/stdin`.
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>> {
        files::read(path, limit)
    }

    fn exists(&self, path: &Path) -> bool {
        path.is_file()
    }
}

/// Files in memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: IndexMap<PathBuf, Vec<u8>>,
}

impl Memory {
    /// One file.
    #[must_use]
    pub fn with(path: &str, text: impl Into<Vec<u8>>) -> Self {
        Self::default().and(path, text)
    }

    /// Adds a file.
    #[must_use]
    pub fn and(mut self, path: &str, text: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.into(), text.into());
        self
    }
}

impl Files for Memory {
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>> {
        let content = self.files.get(path).ok_or(io::ErrorKind::NotFound)?;
        files::read_all(content.as_slice(), limit)
    }

    fn exists(&self, path: &Path) -> bool {
        self.files.contains_key(path)
    }
}

/// A file that a writer produced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenFile {
    /// Its name; some notations require it to be the name of the grammar.
    pub name: String,
    /// Its content.
    pub text: String,
}
