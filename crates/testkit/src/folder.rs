//! A folder for the files of one test.

use std::path::{Path, PathBuf};

/// A temporary folder, removed when it is dropped.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// A new folder; the name distinguishes it from those of other tests.
    ///
    /// # Panics
    /// If it cannot be created.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("gramercy-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file into it.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, content).expect("a file for the test");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that remains does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
