//! How results look: for people, and for programs. One file per form.

pub(crate) mod annotations;
pub(crate) mod diagnostics;
pub(crate) mod json;
pub(crate) mod numbers;
pub(crate) mod sarif;
pub(crate) mod table;

use anstyle::{AnsiColor, Style};

/// The styles of one stream; plain ones where color is not wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    /// Whether there is any style at all.
    pub(crate) styled: bool,
    /// Headings of tables.
    pub(crate) heading: Style,
    /// What is not the point.
    pub(crate) dim: Style,
}

impl Palette {
    /// The styles with or without color.
    pub(crate) fn new(styled: bool) -> Self {
        if styled {
            let heading = AnsiColor::BrightBlue.on_default().bold();
            Self { styled, heading, dim: Style::new().dimmed() }
        } else {
            Self { styled, heading: Style::new(), dim: Style::new() }
        }
    }
}
