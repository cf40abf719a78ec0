//! The operators, one file per family.

pub mod character;
pub mod edge;
pub mod encoding;
pub mod rule;
pub mod stack;
pub mod word;

use std::ops::ControlFlow;

use crate::edit::Edit;

/// Is told of each change that leaves the language, and can end the search.
pub type Visit<'v> = dyn FnMut(&Edit<'_>) -> ControlFlow<()> + 'v;
