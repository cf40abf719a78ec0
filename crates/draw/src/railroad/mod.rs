//! Railroad diagrams of all rules in one picture: following the tracks from left to right reads a
//! text of the rule.
//!
//! Terminals are round, references square; a reference links to the diagram of its rule.
//! Alternatives are below each other; the bypass of an optional part is above it; a repetition goes
//! back below it, through its separator if the rule has the structure `x (s x)*` or `(x s)* x`.
//! Long sequences are broken into lines.
//!
//! Expressions become [`figures`] of known size bottom up, in the order in which they are stored;
//! [`rules`] decides which. Then [`drawing`] positions them top down. Neither recurses, so any
//! nesting is possible. Linear in the grammar.

mod drawing;
mod figures;
mod rules;

use gramercy_grammar::Grammar;

/// A picture of all rules, syntax and lexical, in file order.
#[must_use]
pub fn railroad(grammar: &Grammar) -> String {
    drawing::draw(grammar, &rules::Diagrams::new(grammar))
}

/// A picture of each rule alone, with the rule's name, in file order.
#[must_use]
pub fn railroads(grammar: &Grammar) -> Vec<(String, String)> {
    let mut diagrams = rules::Diagrams::new(grammar);
    let all = std::mem::take(&mut diagrams.rules);
    let draw = |(rule, figure)| {
        diagrams.rules = vec![(rule, figure)];
        (grammar.rules()[rule].name.to_string(), drawing::draw(grammar, &diagrams))
    };
    all.into_iter().map(draw).collect()
}
