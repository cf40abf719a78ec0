//! The foundation of all other crates. It knows nothing about grammars: dense typed ids and the
//! tables they index, bit sets, spans in source files, diagnostics, deterministic maps and limits.
//!
//! In reading order: [`id`], [`table`], [`bits`], [`source`], [`diagnostic`], [`limits`], [`maps`],
//! [`linked`], [`named`], [`files`], [`encoding`], [`draw`], [`fingerprint`], [`parallel`].

pub mod bits;
pub mod diagnostic;
pub mod draw;
pub mod encoding;
pub mod files;
pub mod fingerprint;
pub mod id;
pub mod limits;
pub mod linked;
pub mod maps;
pub mod named;
pub mod parallel;
pub mod source;
pub mod table;

pub use bits::{BitMatrix, IdSet};
pub use diagnostic::{Code, Diagnostic, Label, Severity};
pub use draw::Draw;
pub use encoding::Encoding;
pub use fingerprint::Fingerprint;
pub use id::{Id, to_u32};
pub use limits::{LimitReached, Limits};
pub use linked::Linked;
pub use maps::{IndexMap, IndexSet, Map, Set};
pub use named::Named;
pub use source::{Position, Source, SourceId, Sources, Span};
pub use table::Table;
