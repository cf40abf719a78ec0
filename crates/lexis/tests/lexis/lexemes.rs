//! Which lexemes tokens get.

use gramercy_lexis::{Choice, Lexemes, Pool, WriteOptions, Writer};

use crate::support::{grammar, terminal};

/// Compares the lexemes of a token that are written in turn.
fn check(rules: &str, token: &str, expected: &[&str]) {
    check_with(&WriteOptions::default(), rules, token, expected);
}

fn check_with(options: &WriteOptions, rules: &str, token: &str, expected: &[&str]) {
    let grammar = grammar(rules);
    let mut writer = Writer::new(&grammar, options).expect("a writer");
    assert_eq!(writer.lexemes_of(terminal(&grammar, token)), expected, "{token} of {rules}");
}

/// Compares the lexemes that a token gets by default, in four texts of one token.
fn check_ordinary(rules: &str, token: &str, expected: [&str; 4]) {
    let grammar = grammar(rules);
    let mut writer = Writer::new(&grammar, &WriteOptions::default()).expect("a writer");
    let token = terminal(&grammar, token);
    let texts = [0, 1, 2, 3].map(|test| {
        let written = writer.write(&[token], &Choice { seed: 0, test, fixed: &[] });
        written.expect("a text").text
    });
    assert_eq!(texts, expected, "{rules}");
}

#[test]
fn ordinary_lexemes_are_short_and_readable() {
    let json = "S: '\"' C* '\"'; fragment C: ~[\"\\\\] | '\\\\' [nt\"] | '\\\\u' H H; \
        fragment H: [0-9a-f];";
    check_ordinary(json, "S", ["\"a\"", "\"b\"", "\"c\"", "\"ab\""]);
    let number = "N: '-'? ('0' | [1-9] [0-9]*) ('.' [0-9]+)? ([eE] [+-]? [0-9]+)?;";
    check_ordinary(number, "N", ["0", "2", "23", "456"]);
    check_ordinary("ID: [\\p{L}_] [\\p{L}_0-9]*;", "ID", ["a", "b", "ab", "bc"]);
    check_ordinary("D: [0-9] [0-9] '-' [0-9] [0-9];", "D", ["12-34", "23-45", "34-56", "45-67"]);
}

#[test]
fn ordinary_lexemes_keep_to_what_the_lexer_reads() {
    check_ordinary("A: 'a'; B: 'ab'; ID: [a-z]+;", "ID", ["b", "bc", "cd", "abc"]);
    check_ordinary("options { caseInsensitive = true; } S: 'select';", "S", ["select"; 4]);
    check_ordinary("C: '(' (C | 'x')* ')';", "C", ["(x)", "(xx)", "(x)", "(xx)"]);
    check_ordinary("OP: '+' | '-';", "OP", ["+", "-", "+", "-"]);
}

#[test]
fn an_identifier_is_never_a_keyword() {
    check("A: 'a'; B: 'aa'; ID: 'a'+ | 'b' 'a'*;", "ID", &["b", "aaa", "baa", "ba"]);
    check("IF: 'if' | 'of'; ID: [a-z]+;", "IF", &["if", "of"]);
}

#[test]
fn every_alternative_and_every_loop_is_covered() {
    check("N: '-'? ('0' | [1-9] [0-9]*) ('.' [0-9]+)?;", "N", &["0", "-100.000", "10.00", "1.0"]);
    check("A: ('a' | 'b' | 'c') ('x' | 'y')?;", "A", &["a", "bx", "cy"]);
    check(
        "A: B{2,3}; fragment B: [ab] [01];".replace("B{2,3}", "B B B?").as_str(),
        "A",
        &["a0a0", "b1a0a0"],
    );
}

#[test]
fn fragments_are_looked_into() {
    let rules = "S: '\"' C* '\"'; fragment C: ~[\"\\\\] | '\\\\' [nt\"] | '\\\\u' H H; \
        fragment H: [0-9a-f];";
    check(rules, "S", &["\"\"", "\"a\\n\\ua00A! \n\"", "\"\t\"", "\"é😀\\t\\\"\""]);
}

#[test]
fn options_that_do_not_go_together_are_covered_alone() {
    check("K: 'ab'; ID: 'a'? 'b'? 'c'?;", "ID", &["a", "abc", "bc", "ac"]);
    check("K: 'abc' | 'xyz'; ID: [ax] [by] [cz];", "ID", &["abz", "ayz", "xbc"]);
}

#[test]
fn literals_are_written_in_both_cases_where_case_does_not_matter() {
    check(
        "options { caseInsensitive = true; } S: 'select'; C: '=' | 'ne';",
        "S",
        &["select", "SELECT"],
    );
}

#[test]
fn recursive_rules_nest() {
    check("C: '(' (C | 'x')* ')';", "C", &["()", "((x)x)"]);
}

#[test]
fn odd_characters_only_where_there_is_nothing_else() {
    check("A: [\\u0000-\\u0020x]; B: [\\u0001];", "A", &["x", " ", "\n", "\t"]);
    check("A: [\\u0000-\\u0020x]; B: 'b' [\\u0001\\uD800];", "B", &["b\u{1}"]);
}

#[test]
fn an_alphabet_is_kept_to() {
    let only = |letters: &str| WriteOptions {
        alphabet: letters.parse().expect("any list is an alphabet"),
        ..WriteOptions::default()
    };
    check_with(&only("bz\""), "S: '\"' ~'\"'* '\"';", "S", &["\"\"", "\"bb\"", "\"b\""]);
    check_with(&only("bz"), "S: '\"' ~'\"'* '\"';", "S", &[]);
}

/// Rules with and without long texts.
const LENGTHS: &str = "IF: 'if'; ODD: 'aaaaa'; N: [0-9] [0-9]?; ID: [a-z]+; \
    X: 'X' | 'Y' [0-9]? | 'Z' [0-9]+; WS: ' '+ -> skip;";

#[test]
fn lexemes_are_as_long_as_is_wanted_where_there_are_such() {
    for lexemes in [Lexemes::Ordinary, Lexemes::Shortest, Lexemes::Varied, Lexemes::Random] {
        let options = WriteOptions { lexemes, lexeme_length: 5, ..WriteOptions::default() };
        let grammar = grammar(LENGTHS);
        let mut writer = Writer::new(&grammar, &options).expect("a writer");
        let tokens = ["ID", "N", "X", "ID", "IF"].map(|token| terminal(&grammar, token));
        for test in 0..100 {
            let written = writer.write(&tokens, &Choice { seed: 0, test, fixed: &[] });
            let written = written.expect("a text");
            assert!(writer.reads_back(&written), "{written:?}");
            let lengths: Vec<usize> =
                written.tokens.iter().map(|token| token.end - token.start).collect();
            let [id, n, x, other, keyword] = lengths[..] else { panic!("{written:?}") };
            assert!(id >= 5 && x >= 5 && other >= 5 && n <= 2 && keyword == 2, "{written:?}");
            assert!(!written.text.contains("  "), "{written:?}");
        }
    }
    let long = WriteOptions { lexeme_length: 5, ..WriteOptions::default() };
    check_with(&long, LENGTHS, "N", &["0", "00"]);
    check_with(&long, "A: 'a' | 'b'+ | 'cccccc';", "A", &["bbbbb", "cccccc"]);
}

#[test]
fn tokens_may_go_on_from_mode_to_mode() {
    let rules = "tokens { S } Q: '\"' -> more, mode(M); mode M; E: '\"' -> type(S), mode(DEFAULT_MODE); X: . -> more;";
    check(rules, "S", &["\"\""]);
}

#[test]
fn lexemes_of_a_pool_are_checked_and_used_instead() {
    let mut pool = Pool::new();
    for lexeme in ["foo", "if", "bar", "1x"] {
        pool.add("ID", lexeme);
    }
    pool.add("NOTHING", "x");
    let options = WriteOptions { pool, ..WriteOptions::default() };
    let rules = "IF: 'if'; ID: [a-z]+; WS: ' ' -> skip;";
    check_with(&options, rules, "ID", &["foo", "bar"]);
    let grammar = grammar(rules);
    assert_eq!(options.pool.unknown_names(&grammar), ["NOTHING"]);
    let mut writer = Writer::new(&grammar, &options).expect("a writer");
    let id = terminal(&grammar, "ID");
    let wrong = writer.wrong_pool_lexemes();
    assert_eq!(wrong, [(id, "if".to_owned()), (id, "1x".to_owned())]);
    let written = writer.write(&[id, id, id], &Choice::default()).expect("a text");
    assert_eq!(written.text, "foo bar foo");
}

#[test]
fn random_lexemes_are_short_and_many() {
    let grammar = grammar("IF: 'if'; ID: [a-z] [a-z0-9]*; S: '\\'' .*? '\\'';");
    let options = WriteOptions { lexemes: Lexemes::Random, ..WriteOptions::default() };
    let mut writer = Writer::new(&grammar, &options).expect("a writer");
    let mut texts = gramercy_base::Set::default();
    let mut total = 0;
    for test in 0..200 {
        let choice = Choice { seed: 1, test, fixed: &[] };
        let id = writer.write(&[terminal(&grammar, "ID")], &choice).expect("an identifier");
        total += id.text.len();
        texts.insert(id.text);
        let string = writer.write(&[terminal(&grammar, "S")], &choice).expect("a string");
        assert!(writer.reads_back(&string), "{string:?}");
    }
    assert!(texts.len() > 90 && total < 200 * 8, "{} texts of {total} bytes", texts.len());
}
