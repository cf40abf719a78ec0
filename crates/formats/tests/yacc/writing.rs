//! A written grammar is read back as the same productions over the same terminals.

use gramercy_base::{Sources, Span};
use gramercy_formats::yacc::{seeds::VALID, write};
use gramercy_formats::{bnf_listing, yacc};
use gramercy_grammar::{
    Alternative, Bnf, Grammar, GrammarBuilder, Notation, RuleKind, TerminalKind,
};

use crate::{core, grammar};

/// Asserts that a yacc grammar is read back with the same ids, precedences and directives.
fn round_trip(before: &Grammar) -> String {
    let (written, after) = crate::round_trip(before);
    let (core_before, core_after) = (core(before), core(&after));
    assert_eq!(core_before.cfg(), core_after.cfg(), "{written}");
    for id in core_before.terminals() {
        let associativity = |grammar: &Grammar| {
            grammar.terminals()[id].precedence.map(|precedence| precedence.associativity)
        };
        assert_eq!(associativity(before), associativity(&after), "{written}");
    }
    for production in core_before.productions() {
        let remarks = |grammar: &Grammar, bnf: &Bnf| {
            let said = bnf.attributes(grammar, production)?;
            Some((said.precedence_of.is_some(), said.dynamic_precedence))
        };
        assert_eq!(remarks(before, &core_before), remarks(&after, &core_after), "{written}");
    }
    written
}

#[test]
fn seeds_round_trip() {
    for text in VALID {
        round_trip(&grammar(text));
    }
}

#[test]
fn names_may_be_longer_than_format_strings_are_wide() {
    let name = "n".repeat(70_000);
    round_trip(&grammar(&format!("%%\n{name}: 'a' | 'b' {name} ;\n")));
}

#[test]
fn the_file_is_readable() {
    let check = |text: &str, expected: &str| assert_eq!(round_trip(&grammar(text)), expected);
    check(
        "%token NUM \"number\" UNUSED\n%left '+' MINUS\n%right UMINUS\n%start e\n%%\n\
         e: e '+' e | MINUS e %prec UMINUS | 'while' {x} NUM | ;\n",
        "/* The BNF core of test. */\n\
         %token MINUS\n\
         %token T_while \"while\"\n\
         %token NUM \"number\"\n\
         %token UNUSED\n\
         %token UMINUS\n\
         %left '+' MINUS\n\
         %right UMINUS\n\
         %start e\n\
         \n%%\n\n\
         e: e '+' e\n |\x20MINUS e %prec UMINUS\n ;\n\n\
         action_1: %empty\n        ;\n\n\
         e: \"while\" action_1 NUM\n | %empty\n ;\n\n\
         %%\n",
    );
}

#[test]
fn one_name_for_one_terminal() {
    let check = |text: &str, tokens: &[&str]| {
        let written = round_trip(&grammar(text));
        let found: Vec<_> =
            written.lines().filter_map(|line| line.strip_prefix("%token ")).collect();
        assert_eq!(found, tokens, "{written}");
    };
    check("%%\ns: 'a' \"a\" a 'ab' \"ab\";", &["T_a \"a\"", "a", "T_ab \"ab\"", "T_ab_ \"ab\""]);
    check("%%\ns: '<=' '\\n' '\\t\\'' '\\001';", &["T_1 \"<=\"", "T_3 \"\\t'\""]);
    check(
        "%token A \"''x''\" B \"'\" C \"'y\"\n%%\ns: A B C;",
        &["A \"''x''\"", "B \"'\"", "C \"'y\""],
    );
    check("%token T_1\n%%\ns: T_1 '==';", &["T_1", "T_2 \"==\""]);
    check("%token T_2\n%%\ns: T_2 '==';", &["T_2", "T_2_ \"==\""]);
}

/// A grammar of another notation, with names that are invalid in yacc.
fn foreign() -> Grammar {
    let mut sources = Sources::new();
    let source = sources.add("x.gram", "");
    let span = Span::new(source, 0, 0);
    let mut builder = GrammarBuilder::new("x */ y", Notation::Native);
    let names = ["error", "a b", "\u{e4}1", "9", "a_b"];
    let rules: Vec<_> =
        names.iter().map(|name| builder.declare(name, RuleKind::Syntax, span)).collect();
    let chars = TerminalKind::Chars(gramercy_regular::CharSet::range(97, 122));
    let letter = builder.terminal(chars, "[a-z]", span);
    for (at, &rule) in rules.iter().enumerate() {
        let next = builder.reference(rules[(at + 1) % rules.len()], span);
        let literal = builder.literal(["*/", "\0", "\n", "if", "'q'"][at], "lit", span);
        let leaf = builder.leaf(letter, span);
        let eof = builder.eof(span);
        let sequence = builder.sequence(vec![literal, leaf, next], span);
        let last = builder.sequence(vec![leaf, eof], span);
        let plain = [sequence, last].map(Alternative::plain).to_vec();
        builder.define(rule, plain, span);
    }
    builder.finish(rules[0], sources)
}

#[test]
fn other_notations_are_renamed() {
    let (written, _) = crate::round_trip(&foreign());
    for name in ["%start error_\n", "a_b_:", "_1:", "n_9:", "\"''q''\"", "/* [a-z] */"] {
        assert!(written.contains(name), "{name} in:\n{written}");
    }
}

#[test]
fn a_nonterminal_that_lost_its_productions_derives_itself() {
    let grammar = grammar("%token A END 0\n%%\ns: A | t A; t: END A;");
    let written = write(&grammar, &core(&grammar));
    assert!(written.contains("t: t ;"), "{written}");
    assert!(crate::read(&written).grammar.is_some());
}

#[test]
fn the_listing_numbers_productions() {
    let grammar = grammar("%%\nexpr: expr '+' T | ;");
    let expected = "1  expr → expr '+' T\n2  expr → ε\n";
    assert_eq!(bnf_listing(&grammar, &core(&grammar)), expected);
    let long = grammar_of_ten();
    assert!(bnf_listing(&long, &core(&long)).starts_with(" 1  a → A0\n"));
}

fn grammar_of_ten() -> Grammar {
    let alternatives: Vec<_> = (0..10).map(|n| format!("A{n}")).collect();
    grammar(&format!("%%\na: {};", alternatives.join(" | ")))
}

#[test]
fn codes_are_listed_once() {
    let all = gramercy_formats::codes::ALL.iter().chain(yacc::codes::ALL);
    let mut names: Vec<_> = all.map(|code| code.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
