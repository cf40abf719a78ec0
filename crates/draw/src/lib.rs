//! Pictures: the grammar graph, the LR-graph, railroad diagrams and bar charts.
//!
//! The two graphs become a [`Sketch`], which is written as DOT for Graphviz, or laid out here and
//! written as SVG; railroad diagrams and charts are SVG only. Every SVG is one self-contained file
//! that is readable on a light and on a dark background. The same grammar always gives the same
//! bytes.
//!
//! In reading order: `text`; `sketch`, `grammar_graph`, `lr_graph`, `dot`; `layout`, `svg`,
//! `graph_svg`; `railroad`; `bars`.

mod bars;
mod dot;
mod grammar_graph;
mod graph_svg;
mod layout;
mod lr_graph;
mod railroad;
mod sketch;
mod svg;
mod text;

pub use bars::{Bar, bars};
pub use grammar_graph::grammar_graph;
pub use lr_graph::lr_graph;
pub use railroad::{railroad, railroads};
pub use sketch::{Sketch, TooLarge};
