//! Grammar-based testing as a library: read a grammar in the notation people have it in, and look
//! at it through its two views.
//!
//! This crate is the public face. It holds no logic of its own; each module below is one stage of
//! the pipeline, and what most programs start with is named at the top.
//!
//! ```
//! use std::path::Path;
//! use gramercy::{LoadOptions, Memory, load};
//!
//! let files = Memory::with("sum.gram", r#"Sum := Term ("+" Term)*; Term := "1" | "(" Sum ")";"#);
//! let loaded = load(Path::new("sum.gram"), &files, &LoadOptions::default());
//! let grammar = loaded.grammar.expect("the grammar has no mistakes");
//!
//! let graph = grammar.graph();
//! let symbolic = graph.ids().filter(|&node| graph.kind(node).is_symbolic()).count();
//! assert_eq!((grammar.written_rules(), graph.len(), symbolic), (2, 12, 7));
//! ```
//!
//! Mistakes come back as values, all of a file at once, each with its place:
//!
//! ```
//! # use std::path::Path;
//! # use gramercy::{LoadOptions, Memory, load};
//! let files = Memory::with("sum.gram", r#"Sum := Term "+" Trem; Term := "1";"#);
//! let loaded = load(Path::new("sum.gram"), &files, &LoadOptions::default());
//! let mistake = &loaded.diagnostics[0];
//! assert_eq!(mistake.code.name, "undefined-rule");
//! assert_eq!(mistake.help.as_deref(), Some("did you mean `Term`?"));
//! ```

pub use gramercy_analysis as analysis;
pub use gramercy_base as base;
pub use gramercy_check as check;
pub use gramercy_coverage as coverage;
pub use gramercy_draw as draw;
pub use gramercy_formats as formats;
pub use gramercy_generate as generate;
pub use gramercy_grammar as grammar;
pub use gramercy_lexis as lexis;
pub use gramercy_lr as lr;
pub use gramercy_parse as parse;
pub use gramercy_regular as regular;
pub use gramercy_suite as suite;
pub use gramercy_transform as transform;

pub use gramercy_analysis::KPaths;
pub use gramercy_base::{Diagnostic, Severity};
pub use gramercy_formats::{Disk, LoadOptions, Loaded, Memory, load};
pub use gramercy_grammar::{Bnf, Grammar, GrammarGraph, Notation};
pub use gramercy_lr::{Automaton, Construction, LrGraph};
pub use gramercy_transform::{TransformError, Transformation};

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
