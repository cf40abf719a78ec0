//! Reading files with bounds.
//!
//! Only regular files are opened by name: opening a FIFO waits for a writer, and a device such as
//! `/dev/zero` never ends. Streams that are open already (`/dev/stdin`, `/dev/fd/N`, which shells pass
//! for `<(command)`) may be named too. Whatever is read, no more than a limit of bytes is held in memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Names of streams that are open when the program starts.
const OPEN_STREAMS: [&str; 3] = ["/dev/stdin", "/dev/fd/", "/proc/self/fd/"];

/// Opens a regular file, or a stream that is open already.
///
/// # Errors
/// If there is no such file, if it cannot be opened, or if it is a folder, FIFO, socket or device.
pub fn open(path: &Path) -> io::Result<File> {
    check(path)?;
    File::open(path)
}

/// Refuses what is no regular file and no stream that is open already, for those who open files in other ways.
///
/// # Errors
/// If there is no such file, or if it is a folder, FIFO, socket or device.
pub fn check(path: &Path) -> io::Result<()> {
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let name = path.to_string_lossy();
    if !kind.is_file() && !OPEN_STREAMS.iter().any(|stream| name.starts_with(stream)) {
        let message = "it is not a regular file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    Ok(())
}

/// The bytes of a regular file, or of a stream that is open already.
///
/// # Errors
/// As [`open`] and [`read_all`].
pub fn read(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    read_all(open(path)?, limit)
}

/// The text of a regular file, or of a stream that is open already.
///
/// # Errors
/// As [`read`], and if it is not UTF-8.
pub fn read_text(path: &Path, limit: usize) -> io::Result<String> {
    text(read(path, limit)?)
}

/// Bytes as text.
///
/// # Errors
/// If they are not UTF-8.
pub fn text(bytes: Vec<u8>) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8");
    String::from_utf8(bytes).map_err(not_text)
}

/// All bytes that are left of a stream.
///
/// # Errors
/// If reading fails, or with [`io::ErrorKind::FileTooLarge`] if there are more than `limit` bytes.
pub fn read_all(from: impl Read, limit: usize) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    from.take(most).read_to_end(&mut content)?;
    match content.len() > limit {
        true => Err(too_large(limit)),
        false => Ok(content),
    }
}

/// The error of a file with more bytes than its limit.
#[must_use]
pub fn too_large(limit: usize) -> io::Error {
    let message = format!("it has more than {limit} bytes");
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;
    use std::path::Path;

    use super::{read, read_all};

    #[test]
    fn streams_are_read_up_to_their_limit() {
        assert_eq!(read_all(&b"abc"[..], 3).expect("three bytes"), b"abc");
        let error = read_all(std::io::repeat(0), 3).expect_err("too many");
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "it has more than 3 bytes");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_and_folders_are_refused() {
        let check = |path: &str, expected: &str| {
            let error = read(Path::new(path), 10).expect_err(path);
            assert_eq!(error.to_string(), expected, "{path}");
        };
        check("/dev/zero", "it is not a regular file");
        check("/dev/random", "it is not a regular file");
        check("/dev", "it is a folder");
    }
}
