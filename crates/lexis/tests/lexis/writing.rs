//! Token strings as text.

use std::path::Path;

use gramercy_formats::{LoadOptions, Memory, load};
use gramercy_grammar::{Grammar, TerminalId};
use gramercy_lexis::{
    Alphabet, Choice, Lexemes, Obstacle, Pool, Spacing, Unwritable, Writable, WriteOptions, Writer,
};

use crate::support::{grammar, grammar_with, terminal};

fn shortest() -> WriteOptions {
    WriteOptions { lexemes: Lexemes::Shortest, ..WriteOptions::default() }
}

fn string(grammar: &Grammar, tokens: &str) -> Vec<TerminalId> {
    tokens.split_whitespace().map(|name| terminal(grammar, name)).collect()
}

/// Compares the shortest texts of token strings, or what is in the way.
fn check(rules: &str, cases: &[(&str, &str)]) {
    check_with(&shortest(), &grammar(rules), cases);
}

fn check_with(options: &WriteOptions, grammar: &Grammar, cases: &[(&str, &str)]) {
    let mut writer = Writer::new(grammar, options).expect("a writer");
    for (tokens, expected) in cases {
        let found = match writer.write(&string(grammar, tokens), &Choice::default()) {
            Ok(written) => {
                assert!(writer.reads_back(&written), "{tokens} as {written:?}");
                written.text
            }
            Err(unwritable) => describe(grammar, &unwritable),
        };
        assert_eq!(found, *expected, "{tokens}");
    }
}

fn describe(grammar: &Grammar, unwritable: &Unwritable) -> String {
    let name = |id: &TerminalId| grammar.terminals()[*id].name.to_string();
    let side = |side: &Option<TerminalId>| side.as_ref().map_or("the end".into(), name);
    let at = unwritable.token_index;
    let modes = &grammar.lexicon().expect("a lexicon").modes;
    match &unwritable.obstacle {
        Obstacle::NotInMode { token, mode } => {
            format!("{at}: {} not in {}", name(token), modes[*mode].name)
        }
        Obstacle::NoSeparator { left, right, .. } => {
            format!("{at}: nothing between {} and {}", side(left), side(right))
        }
        Obstacle::NoLexeme(token) => format!("{at}: no lexeme of {}", name(token)),
        Obstacle::Bound(limit) => limit.to_string(),
    }
}

const ARITHMETIC: &str = "PLUS: '+'; INC: '++'; ID: [a-z]+; NUM: [0-9]+ ('.' [0-9]+)?; DOT: '.'; \
    WS: [ \\n]+ -> skip;";

#[test]
fn separators_only_where_tokens_would_be_read_as_others() {
    check(
        ARITHMETIC,
        &[
            ("", ""),
            ("ID PLUS ID", "a+a"),
            ("ID ID", "a a"),
            ("PLUS PLUS", "+ +"),
            ("PLUS INC INC", "+ ++++"),
            ("NUM DOT ID", "0.a"),
            ("NUM DOT NUM", "0. 0"),
            ("NUM DOT DOT", "0.."),
            ("ID NUM ID", "a0a"),
        ],
    );
}

#[test]
fn boundaries_are_watched_as_far_as_the_lexer_looks() {
    check(
        "A: 'a'; B: 'b'; C: 'abbc'; D: 'c'; WS: ' ' -> skip;",
        &[("A B B D", "abb c"), ("A B B A", "abba"), ("A B D", "abc")],
    );
    check(
        "A: 'a'; X: 'a' 'b'* 'c'; B: 'b'; C: 'c';",
        &[("A B B", "abb"), ("A B B C", "3: nothing between B and C")],
    );
}

#[test]
fn comments_separate_where_blanks_do_not() {
    check("A: [ab]+; C: '/*' .*? '*/' -> skip;", &[("A A", "a/**/a")]);
    check(
        "P: '(' ' '* ')'; L: '('; R: ')'; WS: [ \\n] -> skip; C: '#' ~'\\n'* -> skip;",
        &[("L R", "(\n)")],
    );
    check(
        "P: '(' [ \\n]* ')'; L: '('; R: ')'; WS: [ \\n] -> skip; C: '#' ~'\\n'* -> skip;",
        &[("L R", "(#\n)")],
    );
}

#[test]
fn other_lexemes_where_nothing_separates() {
    check("A: 'a' | 'x'; B: 'b' | 'y'; AB: 'ab';", &[("A B", "ay")]);
    check("A: 'a' | 'x'; B: 'b'; AB: 'ab';", &[("A B", "xb")]);
    check("A: [a]+;", &[("A A", "1: nothing between A and A")]);
}

#[test]
fn modes_are_kept_while_writing() {
    let rules = "L: '(' -> pushMode(IN); R: ')' -> popMode; NL: '\\n'; ID: [a-z]+; WS: ' ' -> skip; \
        mode IN; INL: '(' -> type(L), pushMode(IN); INR: ')' -> type(R), popMode; \
        INL2: '\\n' -> skip; IID: [a-z]+ -> type(ID);";
    check(
        rules,
        &[
            ("ID NL L ID R NL", "a\n(a)\n"),
            ("L L R R NL", "(())\n"),
            ("L NL", "1: NL not in IN"),
            ("L ID ID R ID ID", "(a\na)a a"),
            ("R", "0: nothing between the end and R"),
        ]
        .map(|(tokens, text)| {
            (tokens, if tokens == "R" { "0: R not in DEFAULT_MODE" } else { text })
        }),
    );
}

#[test]
fn hidden_matches_lead_to_other_modes() {
    let rules = "A: 'a'; IN: '<' -> skip, pushMode(M); mode M; B: 'b'; OUT: '>' -> skip, popMode;";
    check(rules, &[("A B A", "a<b>a"), ("B B", "<bb"), ("A A", "aa")]);
}

#[test]
fn matches_without_text_lead_to_other_modes() {
    // As Go's lexer inserts semicolons.
    let rules = "ID: [a-z]+ -> mode(NL); SEMI: ';'; WS: [ \\n]+ -> skip; \
        mode NL; NWS: ' '+ -> skip; EOS: ('\\n' | ';') -> mode(DEFAULT_MODE); \
        OTHER: -> mode(DEFAULT_MODE), skip;";
    check(
        rules,
        &[
            ("ID ID", "a a"),
            ("ID EOS ID", "a;a"),
            ("SEMI ID", ";a"),
            ("ID SEMI", "1: SEMI not in NL"),
        ],
    );
    // After them comes only what their mode does not match.
    let ends = "mode NL; EOS: ';' -> mode(DEFAULT_MODE); OTHER: -> mode(DEFAULT_MODE), skip;";
    let rules = format!("ID: [a-z]+ -> mode(NL); PLUS: ';+' | '+++'; {ends}");
    check(&rules, &[("ID PLUS", "a+++"), ("ID EOS PLUS", "a;;+")]);
    let rules = format!("ID: [a-z]+ -> mode(NL); SEMI: ';'; C: '#' -> skip; {ends}");
    check(&rules, &[("ID SEMI", "a#;"), ("ID EOS SEMI", "a;;")]);
}

#[test]
fn tokens_are_put_together_by_more() {
    let rules = "A: 'a'; Q: '\"' -> more, pushMode(M); \
        mode M; S: '\"' -> popMode; X: ~'\"' -> more;";
    check(rules, &[("A S A S S", "a\"\"a\"\"\"\"")]);
}

#[test]
fn the_end_of_input_counts() {
    check("A: 'a'; B: 'a' EOF; WS: ' ' -> skip;", &[("A", "a "), ("B", "a"), ("A B", "aa")]);
    check("A: 'a'; B: 'a' EOF;", &[("A", "1: nothing between A and the end")]);
    check("L: '#' ~[\\n]* ('\\n' | EOF);", &[("L L", "#\n#\n")]);
    check(
        "E: EOF; A: 'a'; WS: ' ' -> skip;",
        &[("", " "), ("E", ""), ("A E", "1: nothing between A and E")],
    );
}

#[test]
fn the_longest_spacing_that_is_wanted() {
    let grammar = grammar(ARITHMETIC);
    let spaced = |spacing| WriteOptions { spacing, ..shortest() };
    check_with(&spaced(Spacing::Space), &grammar, &[("ID PLUS NUM DOT", "a + 0 .")]);
    check_with(&spaced(Spacing::Newline), &grammar, &[("ID PLUS NUM", "a\n+\n0")]);
    let grammar = crate::support::grammar("A: 'a'; NL: '\\n'; WS: ' ' -> skip;");
    check_with(&spaced(Spacing::Newline), &grammar, &[("A NL A A", "a \n a a")]);
}

#[test]
fn any_token_is_one_that_can_be_written() {
    let grammar = grammar_with("s : A ~A . EOF ;", "A: 'a'; B: 'bb'; mode M; C: 'c';");
    let mut writer = Writer::new(&grammar, &shortest()).expect("a writer");
    let tokens: Vec<_> = grammar.terminals().ids().take(3).collect();
    let written = writer.write(&tokens, &Choice::default()).expect("a text");
    assert!(writer.reads_back(&written));
    assert!(["abba", "abbbb"].contains(&&*written.text), "{written:?}");
    assert_eq!(written.tokens[1].terminal, terminal(&grammar, "B"));
}

#[test]
fn texts_can_be_fixed() {
    let grammar = grammar(ARITHMETIC);
    let mut writer = Writer::new(&grammar, &shortest()).expect("a writer");
    let tokens = string(&grammar, "ID ID NUM");
    let mut write = |fixed| writer.write(&tokens, &Choice { fixed, ..Choice::default() });
    assert_eq!(write(&[(1, "xy"), (2, "1.5")]).expect("a text").text, "a xy1.5");
    let obstacle = Obstacle::NoLexeme(tokens[1]);
    assert_eq!(write(&[(1, "x1")]), Err(Unwritable { token_index: 1, obstacle }));
}

#[test]
fn fixed_texts_may_have_any_character() {
    let grammar = grammar("A: 'a'; E: 'é' -> mode(M); mode M; B: 'b';");
    let ascii = WriteOptions { alphabet: Alphabet::ascii(), ..shortest() };
    let mut writer = Writer::new(&grammar, &ascii).expect("a writer");
    let tokens = string(&grammar, "A E B");
    let fixed: &[(usize, &str)] = &[(1, "é")];
    let written = writer.write(&tokens, &Choice { fixed, ..Choice::default() });
    assert_eq!(written.expect("a text").text, "aéb");
    assert!(writer.write(&tokens, &Choice::default()).is_err());
}

#[test]
fn generators_can_ask_before_they_choose() {
    let grammar = grammar("L: '(' -> pushMode(M); A: 'a'; mode M; R: ')' -> popMode; B: 'b';");
    let mut writer = Writer::new(&grammar, &shortest()).expect("a writer");
    let [l, a, r, b] = ["L", "A", "R", "B"].map(|name| terminal(&grammar, name));
    let start = writer.start_modes();
    let Writable::Yes(inside) = writer.can_write(start, l) else { panic!("L begins") };
    assert_eq!(writer.can_write(inside, r), Writable::Yes(start));
    assert_eq!(writer.can_write(inside, b), Writable::Yes(inside));
    let impossible = |token, mode| {
        let mode = gramercy_base::Id::from_index(mode);
        Writable::Impossible(Obstacle::NotInMode { token, mode })
    };
    assert_eq!(writer.can_write(inside, a), impossible(a, 1));
    assert_eq!(writer.can_write(start, b), impossible(b, 0));
}

fn native(text: &str) -> Grammar {
    let files = Memory::with("g.gram", text);
    let loaded = load(Path::new("g.gram"), &files, &LoadOptions::default());
    loaded.grammar.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

/// Words of regular expressions are as long as is wanted where there are such.
#[test]
fn words_of_regular_expressions_can_be_long() {
    let grammar = native("S := /a|bc*/ \"-\" /x?/ \"-\" /y|z[0-9]{3,}/;");
    let tokens: Vec<_> = grammar.terminals().ids().collect();
    for lexemes in [Lexemes::Ordinary, Lexemes::Shortest, Lexemes::Varied, Lexemes::Random] {
        let options = WriteOptions { lexemes, lexeme_length: 4, ..WriteOptions::default() };
        let mut writer = Writer::new(&grammar, &options).expect("a writer");
        for test in 0..100 {
            let choice = Choice { seed: 0, test, fixed: &[] };
            let written = writer.write(&tokens, &choice).expect("a text");
            let parts: Vec<&str> =
                written.tokens.iter().map(|token| &written.text[token.start..token.end]).collect();
            for (part, terminal) in parts.iter().zip(grammar.terminals().values()) {
                let is_long = part.len() >= 4 || !terminal.name.contains(['*', '{']);
                assert!(is_long, "{part} of {}", terminal.name);
            }
        }
    }
}

#[test]
fn scannerless_texts_are_concatenations() {
    let grammar = native("S := \"a\" /b+c?/ [x-z] \"\";");
    let tokens: Vec<_> = grammar.terminals().ids().take(3).collect();
    let mut writer = Writer::new(&grammar, &WriteOptions::default()).expect("a writer");
    let mut write = |test| {
        let choice = Choice { test, ..Choice::default() };
        writer.write(&tokens, &choice).expect("a text").text
    };
    assert_eq!([write(0), write(1)], ["abx", "abbx"]);
    let random = WriteOptions { lexemes: Lexemes::Random, ..WriteOptions::default() };
    let mut writer = Writer::new(&grammar, &random).expect("a writer");
    for test in 0..50 {
        let choice = Choice { test, ..Choice::default() };
        let text = writer.write(&tokens, &choice).expect("a text").text;
        let inner = text.strip_prefix('a').and_then(|text| text.strip_suffix(['x', 'y', 'z']));
        let inner = inner.unwrap_or_else(|| panic!("{text}"));
        let b = inner.strip_suffix('c').unwrap_or(inner);
        assert!(!b.is_empty() && b.chars().all(|c| c == 'b'), "{text}");
    }
}

#[test]
fn tokens_without_a_lexer_are_aliases_pool_lexemes_or_names() {
    let grammar = native("token ID, NUM, PLUS \"+\"; S := ID PLUS NUM;");
    let tokens: Vec<_> = grammar.terminals().ids().take(3).collect();
    let mut pool = Pool::new();
    pool.add("NUM", "42");
    let options = WriteOptions { pool, ..WriteOptions::default() };
    let mut writer = Writer::new(&grammar, &options).expect("a writer");
    let written = writer.write(&tokens, &Choice::default()).expect("a text");
    assert_eq!((&*written.text, written.placeholders), ("ID + 42", true));
}

/// A comment that only the end of the text completes is an obstacle far after its beginning.
#[test]
fn what_the_end_of_the_text_completes_is_avoided_where_it_begins() {
    let rules = "M: '-'; A: 'a'; C: '--' ~[\\n]* ('\\n' | EOF) -> skip; W: ' ' -> skip;";
    check(rules, &[("M M", "- -"), ("M M A A A A A A", "- -aaaaaa"), ("A M M A M M", "a- -a- -")]);
}

/// A token that may be a comment without its line's end, or the line's end itself.
#[test]
fn another_kind_of_the_token_before_makes_room() {
    let rules = grammar("C: '#' [a-z]* '\\n'? -> type(N); N: '\\n'; S: ';'; A: [a-z];");
    for lexemes in [Lexemes::Ordinary, Lexemes::Shortest, Lexemes::Varied, Lexemes::Random] {
        let options = WriteOptions { lexemes, ..WriteOptions::default() };
        let mut writer = Writer::new(&rules, &options).expect("a writer");
        for test in 0..30 {
            let choice = Choice { seed: 3, test, fixed: &[] };
            let tokens = string(&rules, "N N N N N A N N N A S N A");
            let written = writer.write(&tokens, &choice).expect("a text");
            assert!(writer.reads_back(&written), "{written:?}");
        }
    }
}

#[test]
fn what_is_never_written_is_known_beforehand() {
    let check = |grammar: &Grammar, options: &WriteOptions, expected: &[&str]| {
        let mut writer = Writer::new(grammar, options).expect("a writer");
        let never = writer.never_written();
        let names: Vec<_> = never.iter().map(|id| &*grammar.terminals()[id].name).collect();
        assert_eq!(names, expected);
    };
    let usual = WriteOptions::default();
    let lexed = grammar_with("s : A B ~A ~(A | B | D) EOF ;", "A: 'a'; B: 'a'; D: 'd';");
    check(&lexed, &usual, &["B", "~(A|B|D)"]);
    let ascii = WriteOptions { alphabet: Alphabet::ascii(), ..WriteOptions::default() };
    let foreign = grammar_with("s : A B EOF ;", "A: 'a'; B: 'ä';");
    check(&foreign, &ascii, &["B"]);
    // Given texts are written as they are.
    let mut pool = Pool::new();
    pool.add("B", "ä");
    check(&foreign, &WriteOptions { pool, ..ascii }, &[]);
}
