//! Random small grammars that ANTLR accepts: no repetition of empty bodies or of the end of input,
//! and only direct left recursion. Lexers have modes, commands, non-greedy loops and recursive
//! rules; parsers have operators, non-greedy loops, and sets of excluded tokens.

use std::fmt::Write as _;

use gramercy_testkit::random::Random;

/// The two files of a grammar.
#[derive(Clone, Debug)]
pub struct RandomGrammar {
    /// The file with the lexer.
    pub lexer: String,
    /// The file with the parser, whose first rule is the start rule.
    pub parser: String,
}

/// A part of a rule, and whether it is nullable.
struct RulePart {
    text: String,
    is_nullable: bool,
}

const LETTERS: [&str; 12] = [
    "'a'",
    "'b'",
    "'ab'",
    "'c'",
    "'ba'",
    "[ab]",
    "[a-c]",
    "~[ab]",
    "~'a'",
    ".",
    "'\\n'",
    "[\\u00E9x]",
];
const LOOPS: [&str; 6] = ["?", "*", "+", "??", "*?", "+?"];
const MODES: [&str; 3] = ["DEFAULT_MODE", "M1", "M2"];

impl RandomGrammar {
    /// The grammar of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut random = Random(seed << 20);
        let modes = 1 + random.below(3);
        let tokens: Vec<_> =
            (0..modes).flat_map(|mode| (0..4).map(move |rule| format!("T{mode}{rule}"))).collect();
        let lexer = lexer(&mut random, modes, &tokens);
        let parser = parser(&mut random, &tokens);
        Self {
            lexer: format!("lexer grammar RandomLexer;\ntokens {{ X }}\n{lexer}"),
            parser: format!(
                "parser grammar RandomParser;\noptions {{ tokenVocab = RandomLexer; }}\n{parser}"
            ),
        }
    }
}

fn lexer(random: &mut Random, modes: usize, tokens: &[String]) -> String {
    let mut text = String::new();
    for mode in 0..modes {
        if mode > 0 {
            let _infallible = writeln!(text, "mode {};", MODES[mode]);
        }
        for token in &tokens[mode * 4..mode * 4 + 4] {
            let body = token_rule(random, token);
            let command = command(random, modes);
            let _infallible = writeln!(text, "{token} : {body}{command} ;");
        }
        let _infallible = writeln!(text, "WS{mode} : ' ' -> skip ;");
    }
    let fragment = non_empty(&letters(random, 1));
    text + &format!("fragment F : {fragment} ;\n")
}

fn token_rule(random: &mut Random, own: &str) -> String {
    match random.below(8) {
        // Nested brackets, strict and lenient.
        0 => format!("'a' ({own} | ~[ab])* 'b'"),
        1 => format!("'b' ({own} | .)*? 'c'"),
        2 => format!("{} ('\\n' | EOF)", non_empty(&letters(random, 1))),
        _ => non_empty(&letters(random, 2)),
    }
}

/// Alternatives of sequences of characters, sets, loops and groups.
fn letters(random: &mut Random, depth: usize) -> RulePart {
    alternatives(random, 3, |random| match random.below(8) {
        0 if depth > 0 => {
            let RulePart { text, is_nullable } = letters(random, depth - 1);
            RulePart { text: format!("({text})"), is_nullable }
        }
        1 if depth > 1 => solid("F"),
        _ => {
            let letter = *random.pick(&LETTERS);
            solid(letter)
        }
    })
}

fn command(random: &mut Random, modes: usize) -> String {
    let mode = MODES[random.below(modes)];
    match random.below(14) {
        0 => " -> skip".to_owned(),
        1 => " -> more".to_owned(),
        2 => " -> channel(HIDDEN)".to_owned(),
        3 => " -> type(X)".to_owned(),
        4 => format!(" -> pushMode({mode})"),
        5 => " -> popMode".to_owned(),
        6 => format!(" -> mode({mode})"),
        7 => format!(" -> more, pushMode({mode})"),
        8 => " -> type(T00), popMode".to_owned(),
        _ => String::new(),
    }
}

/// The rules, the last one first: each knows which later ones are nullable.
fn parser(random: &mut Random, tokens: &[String]) -> String {
    let mut rules: Vec<RulePart> = Vec::new();
    for number in (0..1 + random.below(4)).rev() {
        let later: Vec<_> = rules.iter().rev().map(|rule| rule.is_nullable).collect();
        let rule = parser_rule(random, tokens, number, &later);
        rules.push(rule);
    }
    rules.iter().rev().map(|rule| rule.text.as_str()).collect()
}

/// A rule refers to later ones at any position, and to itself after a token or as an operator; the
/// start rule does not, because ANTLR rejects sentences in which a token could follow the end of
/// input. Every rule has an alternative without recursion.
fn parser_rule(random: &mut Random, tokens: &[String], number: usize, later: &[bool]) -> RulePart {
    let RulePart { text, is_nullable } =
        alternatives(random, 4, |random| syntax(random, tokens, number, later));
    let ending = random.pick(tokens);
    let own = format!("r{number}");
    let text = if number > 0 && !is_nullable && random.one_in(3) {
        let (side, operator) = (random.pick(&["", "<assoc=right> "]), random.pick(tokens));
        format!("{own} : {side}{own} {operator} {own} | {own} X | X {own} | {text} | {ending} ;\n")
    } else {
        let end = if number == 0 && !random.one_in(3) { " EOF" } else { "" };
        format!("{own} : ({text}){end} | {ending}{end} ;\n")
    };
    RulePart { text, is_nullable }
}

fn syntax(random: &mut Random, tokens: &[String], number: usize, later: &[bool]) -> RulePart {
    let (token, other) = (random.pick(tokens), random.pick(tokens));
    match random.below(10) {
        0 | 1 if !later.is_empty() => {
            let at = random.below(later.len());
            RulePart { text: format!("r{}", number + 1 + at), is_nullable: later[at] }
        }
        2 if number > 0 => solid(&format!("({token} r{number} {other})")),
        3 => solid(&format!("~{token}")),
        4 => solid(&format!("~({token} | {other})")),
        5 => solid("."),
        6 => solid(&format!("({token} | {other})")),
        _ => solid(token),
    }
}

fn solid(text: &str) -> RulePart {
    RulePart { text: text.to_owned(), is_nullable: false }
}

/// One to three sequences of up to `items` parts; parts that are not nullable may be repeated.
fn alternatives(
    random: &mut Random,
    items: usize,
    mut atom: impl FnMut(&mut Random) -> RulePart,
) -> RulePart {
    let (mut branches, mut is_nullable) = (Vec::new(), false);
    for _ in 0..=random.below(3) {
        let (mut branch, mut is_empty) = (Vec::new(), true);
        for _ in 0..=random.below(items) {
            let mut part = atom(random);
            if !part.is_nullable && random.one_in(3) {
                let suffix = random.pick(&LOOPS);
                part.text += suffix;
                part.is_nullable = !suffix.starts_with('+');
            }
            is_empty &= part.is_nullable;
            branch.push(part.text);
        }
        is_nullable |= is_empty;
        branches.push(branch.join(" "));
    }
    RulePart { text: branches.join(" | "), is_nullable }
}

/// A rule body that does not match the empty text.
fn non_empty(part: &RulePart) -> String {
    if part.is_nullable { format!("'c' ({})", part.text) } else { format!("({})", part.text) }
}
