//! A folder for the files of one test.

use std::path::{Path, PathBuf};

/// A folder of its own, removed in the end.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// A new folder; the name tells it from those of other tests.
    ///
    /// # Panics
    /// If it cannot be made.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("gramercy-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file into it.
    ///
    /// # Panics
    /// If that cannot be done.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, content).expect("a file for the test");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left behind does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
