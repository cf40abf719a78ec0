//! The temporary directory of a launcher, with a directory for the test at hand.
//!
//! Programs may leave anything there: many files, directories without permissions, directories nested without end.
//! Removing is iterative: directories below the first level are moved up to it, so neither the stack nor open files
//! grow with the depth.

use std::fs::{self, DirBuilder, FileTimes, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::process_bound::ProcessBound;
use crate::observation::WasRead;
use crate::processes;

const PREFIX: &str = "gramercy-run-";
/// The directory is not measured beyond this number of entries.
const MEASURED_ENTRIES: usize = 20_000;

/// A directory for temporary files, which is removed at the end.
#[derive(Debug)]
pub(super) struct Scratch {
    root: PathBuf,
    test: PathBuf,
    keeps_times: bool,
    /// The control group that bounds the processes of tests; it lives as long as the directory.
    pub(super) bound: Option<ProcessBound>,
}

impl Scratch {
    /// Makes the directory, and removes those of launchers that could not do it themselves.
    pub(super) fn new() -> io::Result<Self> {
        let base = std::env::temp_dir();
        remove_abandoned(&base);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        let root = base.join(format!("{PREFIX}{}-{now:x}", std::process::id()));
        DirBuilder::new().mode(0o700).create(&root)?;
        let mut scratch = Self { test: root.join("test"), root, keeps_times: false, bound: None };
        scratch.keeps_times = scratch.try_times().unwrap_or(false);
        Ok(scratch)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The directory of the test at hand.
    pub(super) fn test(&self) -> &Path {
        &self.test
    }

    /// How often the kernel refused a fork of a test.
    pub(super) fn refused_forks(&self) -> u64 {
        self.bound.as_ref().map_or(0, ProcessBound::refused)
    }

    /// Makes the directory of the next test.
    pub(super) fn begin(&self) -> io::Result<()> {
        match DirBuilder::new().mode(0o700).create(&self.test) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.end();
                DirBuilder::new().mode(0o700).create(&self.test)
            }
            made => made,
        }
    }

    /// Removes the directory of the test.
    pub(super) fn end(&self) {
        // What cannot be removed is found again by the next test or the next launcher.
        let _ = fs::remove_dir(&self.test).or_else(|_| remove_tree(&self.test));
    }

    /// Removes everything.
    pub(super) fn remove(&self) {
        let _ = remove_tree(&self.root);
    }

    /// Writes a test so that it can be seen whether anybody reads it.
    pub(super) fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let mut file = fs::File::create(path)?;
        file.write_all(content)?;
        if self.keeps_times {
            file.set_times(FileTimes::new().set_accessed(UNIX_EPOCH))?;
        }
        Ok(())
    }

    /// Whether somebody read a test.
    pub(super) fn was_read(&self, path: &Path, content: &[u8]) -> WasRead {
        match fs::symlink_metadata(path) {
            _ if content.is_empty() || !self.keeps_times => WasRead::Unknown,
            Ok(metadata) if metadata.atime() == 0 => WasRead::No,
            _ => WasRead::Yes,
        }
    }

    /// Whether this file system notes when a file was read.
    fn try_times(&self) -> io::Result<bool> {
        let path = self.root.join("times");
        let mut file = fs::File::create(&path)?;
        file.write_all(b"x")?;
        file.set_times(FileTimes::new().set_accessed(UNIX_EPOCH))?;
        drop(file);
        let before = fs::metadata(&path)?.atime();
        fs::read(&path)?;
        let after = fs::metadata(&path)?.atime();
        fs::remove_file(&path)?;
        Ok(before == 0 && after != 0)
    }

    /// Bytes of all files of the test, as far as they were counted.
    pub(super) fn size(&self) -> u64 {
        let (mut folders, mut bytes, mut seen) = (vec![self.test.clone()], 0, 0);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                seen += 1;
                if seen > MEASURED_ENTRIES {
                    return bytes;
                }
                let Ok(metadata) = entry.metadata() else { continue };
                bytes += metadata.blocks() * 512;
                if metadata.is_dir() {
                    folders.push(entry.path());
                }
            }
        }
        bytes
    }
}

/// Removes the directories of launchers that no longer live.
fn remove_abandoned(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split_once('-'));
        let owner = owner.and_then(|(pid, _)| pid.parse::<i32>().ok());
        if owner.is_some_and(|pid| !processes::is_alive(pid)) {
            // It may belong to somebody else.
            let _ = remove_tree(&entry.path());
        }
    }
}

/// Removes a directory with all that is below.
pub(crate) fn remove_tree(root: &Path) -> io::Result<()> {
    open_up(root);
    let mut number = 0u64;
    loop {
        let mut folders = Vec::new();
        for entry in fs::read_dir(root)? {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true => folders.push(entry.path()),
                false => fs::remove_file(entry.path())?,
            }
        }
        if folders.is_empty() {
            return fs::remove_dir(root);
        }
        for folder in folders {
            open_up(&folder);
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                match entry.file_type()?.is_dir() {
                    true => number = move_up(root, &entry.path(), number)?,
                    false => fs::remove_file(entry.path())?,
                }
            }
            fs::remove_dir(&folder)?;
        }
    }
}

/// Moves a directory to the first level under a free name; the next number to try.
fn move_up(root: &Path, folder: &Path, mut number: u64) -> io::Result<u64> {
    // A directory without permissions cannot be moved either: its entry `..` changes.
    open_up(folder);
    loop {
        let to = root.join(format!("moved-{number}"));
        number += 1;
        if fs::symlink_metadata(&to).is_err() {
            return fs::rename(folder, to).map(|()| number);
        }
    }
}

/// Lets us list and change a directory, if it is ours.
fn open_up(folder: &Path) {
    let _ = fs::set_permissions(folder, Permissions::from_mode(0o700));
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::{Scratch, remove_tree};
    use crate::observation::WasRead;

    #[test]
    fn nested_directories_of_any_depth_are_removed() {
        let scratch = Scratch::new().expect("there is a temporary directory");
        scratch.begin().expect("it is new");
        let here = rustix::fs::open(
            scratch.test(),
            rustix::fs::OFlags::DIRECTORY,
            rustix::fs::Mode::empty(),
        );
        let mut here = here.expect("it is there");
        for _ in 0..3_000 {
            let mode = rustix::fs::Mode::from_raw_mode(0o700);
            rustix::fs::mkdirat(&here, "d", mode).expect("it is new");
            let flags = rustix::fs::OFlags::DIRECTORY;
            here = rustix::fs::openat(&here, "d", flags, mode).expect("it is there");
        }
        let closed = scratch.test().join("closed/inner");
        fs::create_dir_all(&closed).expect("it is new");
        fs::write(closed.join("file"), "x").expect("it is new");
        let none = fs::Permissions::from_mode(0o000);
        fs::set_permissions(scratch.test().join("closed"), none).expect("it is ours");
        scratch.end();
        assert!(!scratch.test().exists());
        scratch.remove();
        assert!(!scratch.root().exists());
        assert!(remove_tree(scratch.root()).is_err());
    }

    #[test]
    fn it_is_seen_whether_a_test_was_read() {
        let scratch = Scratch::new().expect("there is a temporary directory");
        let path = scratch.root().join("input");
        scratch.write(&path, b"text").expect("it is new");
        if scratch.keeps_times {
            assert_eq!(scratch.was_read(&path, b"text"), WasRead::No);
            fs::read(&path).expect("it is there");
            assert_eq!(scratch.was_read(&path, b"text"), WasRead::Yes);
        }
        assert_eq!(scratch.was_read(&path, b""), WasRead::Unknown);
        scratch.remove();
    }
}
