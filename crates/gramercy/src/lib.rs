//! Grammar-based testing as a library.
//!
//! A [`Language`] is a grammar with everything that is derived from it. It makes suites, reads texts and measures
//! what texts cover. A [`Recipe`] says how a suite is made:
//!
//! ```
//! use gramercy::{Language, Recipe};
//!
//! let language = Language::from_text("sum.gram", r#"Sum := Term ("+" Term)*; Term := "1" | "(" Sum ")";"#)?;
//! let mut texts = Vec::new();
//! for test in language.suite(&Recipe::cover("rule")?) {
//!     texts.push(test?.text.expect("all tests are text").into_owned());
//! }
//! assert_eq!(texts, ["1", "1+1", "(1)"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A text is in the language, or it is not and the first error has a place and a set of expected terminals:
//!
//! ```
//! # use gramercy::Language;
//! let language = Language::from_text("sum.gram", r#"Sum := Term ("+" Term)*; Term := "1" | "(" Sum ")";"#)?;
//! assert_eq!(language.parse("1+(1)")?.trees(), Some(1));
//! let rejection = language.parse("1+)").unwrap_err();
//! assert_eq!(rejection.byte(), Some(2));
//! assert_eq!(rejection.expected(), [r#""1""#, r#""(""#]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! And texts cover targets of criteria:
//!
//! ```
//! # use gramercy::Language;
//! let language = Language::from_text("sum.gram", r#"Sum := Term ("+" Term)*; Term := "1" | "(" Sum ")";"#)?;
//! let measured = language.measure(["1", "1+1", "2"], "rule+kpath:2")?;
//! assert_eq!(measured.rejected, [2]);
//! let rules = &measured.criteria[0];
//! assert_eq!((rules.covered, rules.coverable), (4, 5));
//! assert_eq!(rules.missing, [r#"Term → "(" Sum ")""#]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Mistakes in a grammar come back as values, all of a file at once, each with its place: see [`load`]. The modules
//! below are the stages of the pipeline, in its order; what most programs need is named at the top.

mod language_face;

pub use gramercy_analysis as analysis;
pub use gramercy_assemble as assemble;
pub use gramercy_base as base;
pub use gramercy_campaign as campaign;
pub use gramercy_check as check;
pub use gramercy_coverage as coverage;
pub use gramercy_derive as derive;
pub use gramercy_draw as draw;
pub use gramercy_formats as formats;
pub use gramercy_generate as generate;
pub use gramercy_grammar as grammar;
pub use gramercy_language as language;
pub use gramercy_learn as learn;
pub use gramercy_lexis as lexis;
pub use gramercy_localize as localize;
pub use gramercy_lr as lr;
pub use gramercy_mutate as mutate;
pub use gramercy_parse as parse;
pub use gramercy_regular as regular;
pub use gramercy_sample as sample;
pub use gramercy_subject as subject;
pub use gramercy_suite as suite;
pub use gramercy_transform as transform;

pub use gramercy_analysis::KPaths;
pub use gramercy_assemble::{OwnedTest, Recipe, SuiteError, Tests};
pub use gramercy_base::{Diagnostic, Severity};
pub use gramercy_formats::{Disk, LoadOptions, Loaded, Memory, load};
pub use gramercy_grammar::{Bnf, Grammar, GrammarGraph, Notation};
pub use gramercy_lr::{Automaton, Construction, LrGraph};
pub use gramercy_transform::{TransformError, Transformation};
pub use language_face::{CriterionCoverage, Language, MeasureError, Measured, ParseError, Reading};

/// The lists of diagnostic codes of all crates, in the order of the pipeline.
pub const CODES: &[&[base::Code]] = &[
    grammar::codes::ALL,
    formats::codes::ALL,
    formats::ebnf::codes::ALL,
    formats::native::codes::ALL,
    formats::antlr4::codes::ALL,
    formats::yacc::codes::ALL,
    check::codes::ALL,
];
