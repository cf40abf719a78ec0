//! Archives with one file per test: tar, also compressed by gzip or zstd, and zip. Times and owners are
//! left out, so that the same suite is the same archive.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::names::{Naming, file_name};
use crate::sink::{Sink, SinkError, Wants};
use crate::test::Test;

/// A tar archive.
pub struct Tar {
    path: PathBuf,
    naming: Naming,
    /// None once it is finished.
    archive: Option<tar::Builder<Stream>>,
}

enum Stream {
    Plain(BufWriter<File>),
    Gzip(flate2::write::GzEncoder<BufWriter<File>>),
    Zstd(Box<zstd::Encoder<'static, BufWriter<File>>>),
}

/// A zip archive.
pub struct Zip {
    path: PathBuf,
    naming: Naming,
    archive: Option<zip::ZipWriter<BufWriter<File>>>,
}

/// Whether a tar archive is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// It is not.
    None,
    /// By gzip.
    Gzip,
    /// By zstd.
    Zstd,
}

fn create(path: &Path) -> Result<BufWriter<File>, SinkError> {
    File::create(path).map(BufWriter::new).map_err(|error| SinkError::of_file(path, error))
}

impl Tar {
    /// A new archive.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(
        path: &Path,
        naming: impl Into<Naming>,
        compression: Compression,
    ) -> Result<Self, SinkError> {
        let file = create(path)?;
        let stream = match compression {
            Compression::None => Stream::Plain(file),
            Compression::Gzip => {
                let level = flate2::Compression::default();
                Stream::Gzip(flate2::write::GzEncoder::new(file, level))
            }
            Compression::Zstd => {
                let encoder = zstd::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL);
                let encoder = encoder.map_err(|error| SinkError::of_file(path, error))?;
                Stream::Zstd(Box::new(encoder))
            }
        };
        let archive = Some(tar::Builder::new(stream));
        Ok(Self { path: path.to_owned(), naming: naming.into(), archive })
    }

    fn append(&mut self, name: &str, content: &[u8]) -> std::io::Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(0);
        let archive = self.archive.as_mut().expect("invariant: not finished yet");
        archive.append_data(&mut header, name, content)
    }

    fn close(&mut self) -> std::io::Result<()> {
        match self.archive.take().map(tar::Builder::into_inner).transpose()? {
            Some(Stream::Plain(mut file)) => file.flush(),
            Some(Stream::Gzip(encoder)) => encoder.finish()?.flush(),
            Some(Stream::Zstd(encoder)) => encoder.finish()?.flush(),
            None => Ok(()),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Stream::Plain(file) => file.write(bytes),
            Stream::Gzip(encoder) => encoder.write(bytes),
            Stream::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Stream::Plain(file) => file.flush(),
            Stream::Gzip(encoder) => encoder.flush(),
            Stream::Zstd(encoder) => encoder.flush(),
        }
    }
}

impl Sink for Tar {
    fn wants(&self) -> Wants {
        self.naming.wants()
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        let name = file_name(test, &self.naming);
        let appended = self.append(&name, test.content.as_bytes());
        appended.map_err(|error| SinkError::of_file(&self.path, error))
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.close().map_err(|error| SinkError::of_file(&self.path, error))
    }
}

impl Zip {
    /// A new archive.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(path: &Path, naming: impl Into<Naming>) -> Result<Self, SinkError> {
        let archive = Some(zip::ZipWriter::new(create(path)?));
        Ok(Self { path: path.to_owned(), naming: naming.into(), archive })
    }

    fn append(&mut self, name: &str, content: &[u8]) -> std::io::Result<()> {
        let archive = self.archive.as_mut().expect("invariant: not finished yet");
        let options = zip::write::SimpleFileOptions::default();
        let options = options.last_modified_time(zip::DateTime::default());
        archive.start_file(name, options)?;
        archive.write_all(content)
    }
}

impl Sink for Zip {
    fn wants(&self) -> Wants {
        self.naming.wants()
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        let name = file_name(test, &self.naming);
        let appended = self.append(&name, test.content.as_bytes());
        appended.map_err(|error| SinkError::of_file(&self.path, error))
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        let Some(archive) = self.archive.take() else { return Ok(()) };
        let finished = archive.finish().map_err(std::io::Error::from);
        let finished = finished.and_then(|mut file| file.flush());
        finished.map_err(|error| SinkError::of_file(&self.path, error))
    }
}
