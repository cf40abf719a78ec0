//! The input files of readers and the output files of writers.

use std::io;
use std::path::{Path, PathBuf};

use gramercy_base::{Encoding, IndexMap, files};

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

/// Files of which those that are not UTF-8 have another encoding.
///
/// A grammar is mostly UTF-8 even if its inputs are not, so the other encoding is only tried where UTF-8 is impossible: where
/// a byte belongs to no text, or is zero.
#[derive(Clone, Copy, Debug)]
pub struct Encoded<'f, F> {
    /// The files as they are.
    pub files: &'f F,
    /// The other encoding.
    pub encoding: Encoding,
}

impl<F: Files> Files for Encoded<'_, F> {
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>> {
        let bytes = self.files.read(path, limit)?;
        if self.encoding.is_utf8() || (std::str::from_utf8(&bytes).is_ok() && !bytes.contains(&0)) {
            return Ok(bytes);
        }
        match self.encoding.decode(&bytes) {
            Ok(text) => Ok(text.into_owned().into_bytes()),
            Err(byte) => {
                let message = format!("byte {byte} is not {}", self.encoding);
                Err(io::Error::new(io::ErrorKind::InvalidData, message))
            }
        }
    }

    fn exists(&self, path: &Path) -> bool {
        self.files.exists(path)
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Encoded, Files, Memory};

    fn check(encoding: &str, bytes: &[u8], expected: Result<&str, &str>) {
        let files = Memory::with("a", bytes);
        let encoded = Encoded { files: &files, encoding: encoding.parse().expect(encoding) };
        let read = encoded.read(Path::new("a"), 100).map_err(|error| error.to_string());
        let expected = expected.map(|text| text.as_bytes().to_vec()).map_err(str::to_owned);
        assert_eq!(read, expected, "{encoding} {bytes:?}");
    }

    #[test]
    fn utf_8_is_recognized_whatever_the_other_encoding() {
        check("latin-1", "é".as_bytes(), Ok("é"));
        check("latin-1", b"\xE9", Ok("é"));
        check("utf-16", b"ab", Ok("ab"));
        check("utf-16", b"\0a\0b", Ok("ab"));
        check("shift_jis", b"a\xFF", Err("byte 1 is not shift_jis"));
    }
}
