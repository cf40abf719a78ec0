//! The file beside a suite that describes how it was made. Its content belongs to the crate that makes suites.

use std::path::Path;

use gramercy_base::files;
use serde::Deserialize;

/// The file's name.
pub const FILE_NAME: &str = "suite.json";

/// The most bytes of a manifest.
pub const MANIFEST_BYTES: usize = 64 << 20;

/// What every manifest has, whatever its version.
#[derive(Deserialize)]
struct Frame {
    #[serde(rename = "schema")]
    _schema: u32,
    #[serde(rename = "grammar")]
    _grammar: serde_json::Value,
    #[serde(rename = "tests")]
    _tests: u64,
}

/// Whether a file is a manifest, and so no input.
pub(crate) fn is_manifest(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == FILE_NAME)
        && files::read(path, MANIFEST_BYTES)
            .is_ok_and(|text| serde_json::from_slice::<Frame>(&text).is_ok())
}
