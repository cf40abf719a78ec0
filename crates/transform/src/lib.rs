//! Transformations of grammars that keep the texts of the language: those of Tribble (Havrikov,
//! Kampmann, Zeller, TOSEM) and those of `gramercy convert`.
//!
//! Every transformation copies the grammar through one fold, `rebuild`, and defines only where the
//! copy differs. Syntax rules are transformed; lexical rules, notes, spans and the labels of
//! occurrences are kept. A transformation changes trees, k-paths and terminals, but not the texts
//! of the language.
//!
//! In reading order: `rebuild`; `inline_references`, `extract_alternations`,
//! `epsilonize_quantifiers`, `unfold_regexes`, `merge_literals`, `reduce`, `weigh_alternatives`;
//! [`transformation`], the list of all that `convert` applies.

mod epsilonize_quantifiers;
mod extract_alternations;
mod inline_references;
mod merge_literals;
mod names;
mod rebuild;
mod reduce;
pub mod transformation;
mod unfold_regexes;
mod weigh_alternatives;

pub use epsilonize_quantifiers::epsilonize_quantifiers;
pub use extract_alternations::extract_alternations;
pub use inline_references::inline_references;
pub use merge_literals::merge_literals;
pub use reduce::reduce;
pub use transformation::{TransformError, Transformation};
pub use unfold_regexes::unfold_regexes;
pub use weigh_alternatives::weigh_alternatives;
