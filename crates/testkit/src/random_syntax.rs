//! Random rules over a few literals.

use crate::random::Random;

/// The number of rules of a grammar.
const RULES: usize = 7;

/// A grammar in the native notation. It has rules of one and of many productions; nullable and unit
/// productions; rules with several shortest derivations; recursion without tokens; and unproductive
/// rules.
pub fn random_syntax(random: &mut Random) -> String {
    let mut text = String::from("start R0;\n");
    for rule in 0..RULES {
        let productions = *random.pick(&[1, 1, 2, 3, 5]);
        let productions: Vec<String> = (0..productions).map(|_| production(random)).collect();
        text += &format!("R{rule} := {};\n", productions.join(" | "));
    }
    text
}

fn production(random: &mut Random) -> String {
    let mut symbols: Vec<String> = Vec::new();
    for _ in 0..random.below(5) {
        symbols.push(match random.below(6) {
            0 => token(random) + "?",
            1 => format!("(R{} {})*", random.below(RULES), token(random)),
            2..5 => format!("R{}", random.below(RULES)),
            _ => token(random),
        });
    }
    if !symbols.is_empty() && random.below(3) > 0 {
        symbols.insert(random.below(symbols.len() + 1), token(random));
    }
    symbols.join(" ")
}

fn token(random: &mut Random) -> String {
    format!("\"{}\"", random.pick(&["a", "b", "c", "d", "e"]))
}
