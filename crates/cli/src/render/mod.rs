//! How results look: for people, and for programs. One file per form.

pub(crate) mod annotated;
pub(crate) mod annotated_html;
pub(crate) mod annotations;
pub(crate) mod comparison;
pub(crate) mod coverage;
pub(crate) mod csv;
pub(crate) mod curve;
pub(crate) mod diagnostics;
pub(crate) mod explanations;
pub(crate) mod json;
pub(crate) mod lcov;
pub(crate) mod numbers;
pub(crate) mod plan;
pub(crate) mod rejections;
pub(crate) mod sarif;
pub(crate) mod scatter;
pub(crate) mod shift_reduce;
pub(crate) mod sizes;
pub(crate) mod suite_errors;
pub(crate) mod summary;
pub(crate) mod suspects;
pub(crate) mod table;
pub(crate) mod tokens;
pub(crate) mod tree;

use anstyle::{AnsiColor, Style};

/// The styles of one stream; plain ones where color is not wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    /// Whether there is any style at all.
    pub(crate) styled: bool,
    /// Headings of tables.
    pub(crate) heading: Style,
}

impl Palette {
    /// The styles with or without color.
    pub(crate) fn new(styled: bool) -> Self {
        let plain = Style::new();
        let heading = if styled { AnsiColor::BrightBlue.on_default().bold() } else { plain };
        Self { styled, heading }
    }
}
