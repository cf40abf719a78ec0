//! The tool's own tree is the one that is chosen from all derivations, on many ambiguous inputs; limits end what would
//! take too long.

use std::path::Path;
use std::time::Duration;

use gramercy_base::Limits;
use gramercy_formats::{LoadOptions, Memory, load};
use gramercy_parse::text::ErrorClass;
use gramercy_parse::{
    Derivations, DerivedChild, DerivedId, InputLimit, InputLimits, TextParser, TextWorkspace,
};

fn parser(file: &str, text: &str) -> TextParser {
    let loaded = load(Path::new(file), &Memory::with(file, text), &LoadOptions::default());
    let grammar = loaded.grammar.unwrap_or_else(|| panic!("{file}: {:?}", loaded.diagnostics));
    let bnf = grammar.bnf(&grammar.graph(), &Limits::default()).expect("small");
    TextParser::new(&grammar, &bnf, &Limits::default()).expect("small")
}

/// The productions of a tree, parents first.
fn productions(tree: &Derivations) -> Vec<usize> {
    let (mut found, mut stack) = (Vec::new(), vec![tree.root()]);
    while let Some(node) = stack.pop() {
        let way = tree.ways(node).next().expect("one way");
        found.push(gramercy_base::Id::index(way.production));
        let below = way.parts.iter().rev().filter_map(|part| match part {
            DerivedChild::Node(child) => Some(*child),
            DerivedChild::Terminal(..) => None,
        });
        stack.extend::<Vec<DerivedId>>(below.collect());
    }
    found
}

/// All inputs of up to `most` of these words that are in the language: the tree from the tool equals the one from the forest.
fn check(file: &str, grammar: &str, words: &[&str], most: usize) {
    let parser = parser(file, grammar);
    assert!(parser.tool().is_some(), "{grammar}");
    let mut workspace = parser.workspace();
    let mut compared = 0;
    let mut inputs = vec![String::new()];
    for _ in 0..=most {
        for input in &inputs {
            compared += usize::from(compare(&parser, &mut workspace, input));
        }
        let mut longer = Vec::new();
        for input in &inputs {
            longer.extend(words.iter().map(|word| format!("{input}{word} ")));
        }
        inputs = longer;
    }
    assert!(compared > 0, "{grammar}: no input is in the language");
}

fn compare(parser: &TextParser, workspace: &mut TextWorkspace, input: &str) -> bool {
    let Ok(forest) = parser.forest(workspace, input) else {
        assert!(parser.preferred(workspace, input).is_err(), "{input}");
        assert_eq!(parser.is_accepted_by_tool(workspace, input), Some(false), "{input}");
        return false;
    };
    let chosen = parser.preferences().pick(&Derivations::of_forest(parser.parser(), &forest));
    let found = parser.preferred(workspace, input).expect("it is in the language");
    assert_eq!(productions(&found.tree), productions(&chosen), "{input}");
    true
}

#[test]
fn adaptive_trees_are_those_of_the_forest() {
    let lexer = "N: 'n'; WS: ' ' -> skip;";
    for rules in [
        "s: e EOF; e: e '*' e | '-' e | e '+' e | e '!' | N;",
        "s: e EOF; e: <assoc=right> e '*' e | e '+' e '-' e | N;",
        "s: x* y*? EOF; x: N '+'? | '*'; y: N+ | '!' x;",
        "s: (x | y)+ EOF; x: N ('*' N)*; y: N '*'? | '-' x??;",
        "s: st* EOF; st: N eos | '-' st ('+' st)?; eos: '*' | EOF;",
        "s: x | y; x: N x?; y: N+ '!'* EOF;",
    ] {
        check("T.g4", &format!("grammar T; {rules} {lexer}"), &["n", "*", "-", "+", "!"], 5);
    }
}

#[test]
fn resolved_trees_are_those_of_the_forest() {
    for rules in [
        "%left '+'\n%right '*'\n%%\ne: e '+' e | e '*' e | '-' e %prec '*' | N;",
        "%precedence '!'\n%left '+'\n%%\ns: e | s e '!'; e: e '+' e | N | t; t: N | '-' t;",
        "%%\ns: N s '*' s | N s | '+' ; ",
    ] {
        let grammar = format!("%token N\n{rules}");
        check("t.y", &grammar, &["N", "*", "-", "+", "!"], 5);
    }
    check(
        "t.gram",
        "left \"+\"; left \"*\"; E := E \"+\" E | E \"*\" E | \"N\" \" \"?;",
        &["N"],
        2,
    );
}

#[test]
fn bison_loses_sentences_and_we_do_not() {
    let parser = parser("n.y", "%token N\n%nonassoc '<'\n%%\ne: e '<' e | N;\n");
    let mut workspace = parser.workspace();
    assert_eq!(parser.is_accepted_by_tool(&mut workspace, "N < N"), Some(true));
    assert_eq!(parser.is_accepted_by_tool(&mut workspace, "N < N < N"), Some(false));
    assert!(parser.preferred(&mut workspace, "N < N < N").is_ok());
}

#[test]
fn long_ambiguous_inputs_take_linear_time() {
    let text = vec!["n"; 50_000].join(" + ");
    let antlr = parser("T.g4", "grammar T; s: e EOF; e: e '*' e | e '+' e | 'n'; WS: ' ' -> skip;");
    let yacc = parser("t.y", "%token n\n%left '+'\n%%\ne: e '+' e | n;\n");
    for parser in [antlr, yacc] {
        let found =
            parser.preferred(&mut parser.workspace(), &text).expect("it is in the language");
        assert!(found.tree.is_unambiguous());
        assert_eq!(found.tokens.len(), 99_999);
    }
}

#[test]
fn limits_end_what_takes_too_much() {
    let parser = parser("t.gram", "S := S S S | S S | \"a\";");
    let text = "a".repeat(3000);
    let mut workspace = parser.workspace();
    let limit = |workspace: &mut TextWorkspace| {
        let rejection = parser.forest(workspace, &text).expect_err("a limit is reached");
        match rejection.class {
            ErrorClass::Limit(limit) => limit,
            other => panic!("{other:?}"),
        }
    };
    workspace.set_limits(InputLimits { memory: 10 << 20, time: None });
    assert_eq!(limit(&mut workspace), InputLimit::Memory);
    let time = Some(Duration::from_millis(50));
    workspace.set_limits(InputLimits { memory: usize::MAX, time });
    assert_eq!(limit(&mut workspace), InputLimit::Time);
    workspace.set_limits(InputLimits::default());
    assert!(parser.recognize(&mut workspace, "aaa").is_ok(), "a workspace can be used again");
}

/// Resolved conflicts may make a parser reduce an empty production, or go round a cycle, forever: the exact parser
/// decides then.
#[test]
fn a_tool_that_reduces_forever_gives_up() {
    for grammar in ["%%\nd: | '[' d ']' | d d;\n", "%%\na: b e | 'x'; b: a; e: ;\n"] {
        let parser = parser("forever.y", grammar);
        let mut workspace = parser.workspace();
        let text = if grammar.contains('[') { "[ [ ] ]" } else { "x" };
        assert!(parser.preferred(&mut workspace, text).is_ok(), "{grammar}");
        assert!(parser.is_accepted_by_tool(&mut workspace, text).is_some(), "{grammar}");
    }
}
