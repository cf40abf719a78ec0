//! How results look: for people, and for programs. One file per form.

pub mod annotations;
pub mod diagnostics;
pub mod json;
pub mod numbers;
pub mod sarif;
pub mod table;

use anstyle::{AnsiColor, Style};

/// The styles of one stream; plain ones where color is not wanted.
#[derive(Clone, Copy, Debug)]
pub struct Palette {
    /// Whether there is any style at all.
    pub styled: bool,
    /// Headings of tables.
    pub heading: Style,
    /// What is not the point.
    pub dim: Style,
}

impl Palette {
    /// The styles with or without color.
    pub fn new(styled: bool) -> Self {
        if styled {
            let heading = AnsiColor::BrightBlue.on_default().bold();
            Self { styled, heading, dim: Style::new().dimmed() }
        } else {
            Self { styled, heading: Style::new(), dim: Style::new() }
        }
    }
}
