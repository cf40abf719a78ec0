//! Files that a command writes beside its standard output; `-` is standard output.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{MAIN_SEPARATOR, Path};

use crate::console::Console;
use crate::outcome::Failure;

/// The name that stands for standard output.
pub(crate) const STANDARD: &str = "-";

/// Whether a path stands for standard output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new(STANDARD)
}

/// Writes a file, or to standard output.
pub(crate) fn write(path: &Path, text: &str, console: &mut Console) -> Result<(), Failure> {
    if is_standard(path) {
        return Ok(console.out().write_all(text.as_bytes())?);
    }
    std::fs::write(path, text).map_err(|error| Failure::unwritable(path, &error))
}

/// Whether a path stands for a folder: there is one, or it ends with a slash.
pub(crate) fn names_folder(path: &Path) -> bool {
    path.is_dir() || path.to_string_lossy().ends_with(['/', MAIN_SEPARATOR])
}

/// The extension of a file, in lower case: `gz`; for compressed archives both parts, `tar.gz`.
pub(crate) fn extension(path: &Path) -> Option<String> {
    let last = path.extension().and_then(OsStr::to_str)?.to_lowercase();
    let stem = Path::new(path.file_stem().unwrap_or_default());
    let is_tar = stem.extension().is_some_and(|before| before.eq_ignore_ascii_case("tar"));
    Some(if is_tar { format!("tar.{last}") } else { last })
}

/// Whether the name of a file is that of an archive.
pub(crate) fn is_archive(path: &Path) -> bool {
    let known = ["tar", "tar.gz", "tgz", "tar.zst", "zip"];
    extension(path).is_some_and(|extension| known.contains(&&*extension))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::extension;

    #[test]
    fn compressed_archives_have_two_extensions() {
        let check = |name: &str, expected: Option<&str>| {
            assert_eq!(extension(Path::new(name)).as_deref(), expected, "{name}");
        };
        check("suite", None);
        check(".hidden", None);
        check("a/s.TAR.gz", Some("tar.gz"));
        check("s.v1.py", Some("py"));
        check("s.tgz", Some("tgz"));
    }
}
