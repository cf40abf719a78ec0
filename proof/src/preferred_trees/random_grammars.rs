//! Random grammars full of operators: binary, ternary, prefix, suffix, of all associativities, with loops that end late and
//! early, and few tokens, so that most texts are ambiguous.

use gramercy_testkit::random::Random;

const OPERATORS: [&str; 8] = ["+", "*", "-", "!", "?", ":", ",", ";"];
const LOOPS: [&str; 8] = ["*", "+", "?", "*?", "+?", "??", "", ""];

fn operator(random: &mut Random) -> String {
    format!("'{}'", random.pick(&OPERATORS))
}

/// A grammar for ANTLR; its start rule is `s`.
pub(super) fn antlr(seed: u64) -> String {
    let random = &mut Random(seed << 20 | 1);
    let expressions = shuffled(random, |random| {
        let mut all = vec!["ID".to_owned(), "'(' e ')'".to_owned()];
        all.extend((0..=random.below(6)).map(|_| antlr_operator(random)));
        all
    });
    let statements = shuffled(random, |random| {
        let mut all = vec!["e ';'".to_owned(), "'if' e st ('else' st)?".to_owned()];
        all.push("'{' st* '}'".to_owned());
        all.push(format!("e {}", operator(random)));
        all.push(format!("ID{} e", random.pick(&LOOPS)));
        all
    });
    let start = random.pick(&[
        "st* EOF",
        "st+ EOF",
        "st*? t EOF",
        "(st | t)* EOF",
        "t? st+ EOF",
        "st* t* EOF",
        "e EOF",
        "e+ EOF",
        "e",
    ]);
    let tail = random.pick(&["ID 'x'?", "e", "'x' | ID", "'x'+ ID*", "(e | 'x') ID?"]);
    format!(
        "grammar T;\ns: {start};\nst: {statements};\nt: {tail};\ne: {expressions};\nID: [a-c];\nWS: ' ' -> skip;\n"
    )
}

fn antlr_operator(random: &mut Random) -> String {
    let side = random.pick(&["", "", "<assoc=right> "]);
    let (one, other) = (operator(random), operator(random));
    match random.below(12) {
        0..=2 => format!("{side}e {one} e"),
        3 => format!("{side}e {one} e {other} e"),
        4 => format!("{one} e"),
        5 => format!("e {one}"),
        6 => format!("{side}e ({one} | {other}) e"),
        7 => format!("{one} e {other} e"),
        8 => "e '(' (e (',' e)*)? ')'".to_owned(),
        9 => format!("ID ({one} e){}", random.pick(&LOOPS)),
        10 => format!("{side}e {one} {other} e"),
        _ => format!("e ({one} e)"),
    }
}

fn shuffled(random: &mut Random, make: impl Fn(&mut Random) -> Vec<String>) -> String {
    let mut all = make(random);
    for last in (1..all.len()).rev() {
        let other = random.below(last + 1);
        all.swap(last, other);
    }
    all.join(" | ")
}

/// Declarations and productions of a yacc grammar over the tokens `N`, `X`, `Y` and single characters; its start is `s`.
pub(super) fn yacc(seed: u64) -> (String, Vec<(&'static str, String)>) {
    let random = &mut Random(seed << 20 | 1);
    let mut declarations = "%token N X Y\n".to_owned();
    let kinds = ["%left", "%left", "%right", "%right", "%nonassoc", "%precedence"];
    let mut operators = OPERATORS.to_vec();
    for _ in 0..1 + random.below(4) {
        let taken = operators.remove(random.below(operators.len()));
        declarations += &format!("{} '{taken}'\n", random.pick(&kinds));
    }
    declarations += "%precedence U\n";
    let mut productions = vec![
        ("s", (*random.pick(&["e", "l", "s e ';'", "e t"])).to_owned()),
        ("s", (*random.pick(&["e ';'", "X s", "X s Y s"])).to_owned()),
        ("e", "N".to_owned()),
        ("t", (*random.pick(&["X", "Y", "", "t X", "N"])).to_owned()),
        ("t", "Y Y".to_owned()),
        ("l", (*random.pick(&["e", "l ',' e", "l e", ""])).to_owned()),
        ("l", (*random.pick(&["e ','", "t"])).to_owned()),
    ];
    productions.extend((0..2 + random.below(5)).map(|_| ("e", yacc_operator(random))));
    let mut seen = gramercy_base::Set::default();
    productions.retain(|production| seen.insert(production.clone()));
    (declarations, productions)
}

fn yacc_operator(random: &mut Random) -> String {
    let (one, other) = (operator(random), operator(random));
    match random.below(9) {
        0..=3 => format!("e {one} e"),
        4 => format!("{one} e{}", random.pick(&["", " %prec U"])),
        5 => format!("e {one}"),
        6 => format!("e {one} e {other} e"),
        7 => "'(' e ')'".to_owned(),
        _ => (*random.pick(&["t", "X e", "X e Y e", "e t", "t N"])).to_owned(),
    }
}
