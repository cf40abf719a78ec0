//! Railroad diagrams of all rules in one picture: whoever follows the tracks from left to right
//! reads a text of the rule.
//!
//! Terminals are round, references square; a reference leads to the diagram of its rule. Choices lie
//! below each other, an optional part can be passed above, a repetition runs back below, through its
//! separator where the rule has the form `x (s x)*` or `(x s)* x`. Long sequences are broken into
//! lines.
//!
//! Parts become [`figures`] of known size bottom up, in the order in which expressions are stored;
//! [`rules`] says which. Then [`drawing`] gives them places top down. Neither recurses, so no
//! nesting is too deep. Linear in the grammar.

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
