//! The file beside a suite that says how it was made. What is in it is told where suites are made.

use std::path::Path;

use serde::Deserialize;

/// The file's name.
pub const FILE_NAME: &str = "suite.json";

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
        && std::fs::read(path).is_ok_and(|text| serde_json::from_slice::<Frame>(&text).is_ok())
}
