//! The lexer does what ANTLR's does: small lexers, texts, and the tokens that ANTLR 4.13 makes.

use gramercy_testkit::random::Random;
use gramercy_testkit::random_lexer::{Features, random_lexer, random_text};

use crate::support::{grammar, lexer, tokens, try_lexer_rules};

/// Compares the tokens of several texts.
fn check(rules: &str, cases: &[(&str, &str)]) {
    let grammar = grammar(rules);
    let (lexer, mut dfa) = lexer(&grammar);
    for (text, expected) in cases {
        assert_eq!(tokens(&grammar, &lexer, &mut dfa, text), *expected, "{rules} on {text:?}");
    }
}

#[test]
fn the_longest_match_wins() {
    check(
        "A: 'a'; B: 'aab'; C: 'aabaa';",
        &[
            ("aabaa", "C'aabaa'"),
            ("aabac", "B'aab' A'a' nothing at 4..4"),
            ("aaba", "B'aab' A'a'"),
            ("aaa", "A'a' A'a' A'a'"),
            ("", ""),
        ],
    );
}

#[test]
fn among_equals_the_rule_listed_first_wins() {
    let keyword_first = "IF: 'if'; ID: [a-z]+; WS: ' ' -> skip;";
    check(keyword_first, &[("if ifs i", "IF'if' ID'ifs' ID'i'")]);
    check("ID: [a-z]+; IF: 'if';", &[("if", "ID'if'")]);
}

#[test]
fn what_no_rule_takes_is_an_error_at_the_first_such_byte() {
    check(
        "A: 'abc' | 'é';",
        &[
            ("abcabd", "A'abc' nothing at 3..5"),
            ("éx", "A'é' nothing at 2..2"),
            ("ab", "nothing at 0..2"),
        ],
    );
}

/// Found by mutation: commands gathered without end before anything was read.
#[test]
fn commands_in_a_loop_that_reads_nothing() {
    check("A: 'a' (-> skip | )* | 'b' ( | -> more)* ;", &[("a", ""), ("bba", "")]);
    check("A: ('a' (-> skip | -> type(B))* )* ; B: 'b' ;", &[("aab", "B'aa' B'b'")]);
}

#[test]
fn modes_are_set_pushed_and_popped() {
    check(
        "O: '<' -> pushMode(M); T: 'a'; mode M; C: '>' -> popMode; U: 'a'; N: '<' -> pushMode(M);",
        &[
            ("a<a<a>a>a", "T'a' O'<' U'a' N'<' U'a' C'>' U'a' C'>' T'a'"),
            ("a>", "T'a' nothing at 1..1"),
        ],
    );
    check("A: 'a' -> mode(M); mode M; B: 'a' -> mode(DEFAULT_MODE);", &[("aaa", "A'a' B'a' A'a'")]);
    check(
        "A: 'a' -> pushMode(M), pushMode(N); mode M; B: 'b'; mode N; C: 'c' -> popMode;",
        &[("acb", "A'a' C'c' B'b'")],
    );
}

#[test]
fn a_mode_that_was_not_pushed_cannot_be_popped() {
    check("A: 'a'; P: 'p' -> popMode;", &[("ap", "A'a' popped at 1")]);
}

#[test]
fn more_goes_on_with_the_text() {
    let string = "S: '\"' -> more, mode(IN); A: 'a'; mode IN; E: '\"' -> type(A), mode(DEFAULT_MODE); X: . -> more;";
    check(string, &[("\"xy\"a", "A'\"xy\"' A'a'"), ("a\"xy", "A'a'")]);
    check("M: 'm' -> more; A: 'a'; S: 's' -> skip;", &[("mmas", "A'mma'"), ("msa", "A'a'")]);
}

#[test]
fn a_channel_named_before_more_stays() {
    check(
        "M: 'm' -> more, channel(HIDDEN); A: 'a'; B: 'b' -> channel(DEFAULT_TOKEN_CHANNEL);",
        &[("mama", "(A'ma') (A'ma')"), ("maamb", "(A'ma') A'a' B'mb'")],
    );
}

#[test]
fn more_at_the_end_gives_one_more_match_a_chance() {
    check("M: 'm' -> more; A: 'a'*;", &[("m", "A'm'"), ("mm", "A'mm'")]);
    check("M: 'm' -> more; E: EOF;", &[("m", "E'm'")]);
    check("M: 'm' -> more;", &[("m", "")]);
    check("M: 'm' -> more; N: 'n'* -> more;", &[("m", "empty at 1")]);
}

#[test]
fn commands_work_in_the_order_written() {
    check("tokens { C } A: 'a' -> skip, type(C); B: 'b' -> type(C), skip;", &[("ab", "C'a'")]);
    check("A: 'a' -> more, skip; B: 'b';", &[("ab", "B'b'")]);
    check("A: 'a' -> channel(HIDDEN); B: 'b';", &[("ab", "(A'a') B'b'")]);
}

#[test]
fn commands_in_called_rules_are_ignored() {
    check("A: 'a' B; B: 'b' -> skip; C: 'c';", &[("abbc", "A'ab' C'c'")]);
}

#[test]
fn non_greedy_loops_cut_off_what_passed_them() {
    check("T: 'ab' | 'a' .*? 'c'; U: .;", &[("abxc", "T'ab' U'x' U'c'"), ("axxc", "T'axxc'")]);
    check("T: 'a' .*? 'b' | 'a' [a-z]+;", &[("abcd", "T'abcd'")]);
    check("T: 'a' .*? 'b' 'c'?; U: .;", &[("axbcb", "T'axbc' U'b'")]);
    check("C: '/*' .*? '*/'; U: .;", &[("/**/*/", "C'/**/' U'*' U'/'")]);
    check("T: 'a'+? 'b'?; U: .;", &[("aab", "T'a' T'ab'")]);
    check("T: 'a' 'b'?? 'c'?; U: .;", &[("abc", "T'a' U'b' U'c'")]);
}

#[test]
fn other_rules_go_on_after_a_non_greedy_one_ended() {
    check("T: 'a' .*? 'b'; U: 'axbc'; V: .;", &[("axbc", "U'axbc'"), ("axbd", "T'axb' V'd'")]);
}

#[test]
fn rules_may_be_recursive() {
    check("C: '(' (C | .)*? ')'; U: .;", &[("((a)", "C'((a)'"), ("((a))b", "C'((a))' U'b'")]);
    check(
        "C: '(' (C | ~[()])* ')'; U: .;",
        &[("((a)b(c))", "C'((a)b(c))'"), ("((a)", "U'(' C'(a)'")],
    );
    check("T: 'a' T 'b' | 'c';", &[("aacbb", "T'aacbb'"), ("aacb", "nothing at 0..4")]);
}

#[test]
fn recursion_at_the_end_of_a_rule_needs_no_memory() {
    let rules = "L: 'a' L | 'b';";
    let grammar = grammar(rules);
    let (lexer, mut dfa) = lexer(&grammar);
    let text = "a".repeat(200_000) + "b";
    assert_eq!(tokens(&grammar, &lexer, &mut dfa, &text), format!("L'{text}'"));
    assert!(dfa.len() < 10, "{} states", dfa.len());
}

#[test]
fn the_end_of_input_can_be_asked_for() {
    check("L: '#' ~[\\n]* ('\\n' | EOF);", &[("#a\n#b", "L'#a\n' L'#b'")]);
    check("A: 'a'; B: 'a' EOF;", &[("aa", "A'a' B'a'")]);
    check("A: 'a' EOF EOF 'b'?; U: .;", &[("ab", "U'a' U'b'"), ("a", "A'a'")]);
    check("E: EOF; A: 'a';", &[("", "E''"), ("a", "A'a'")]);
}

#[test]
fn empty_matches_are_good_for_changing_modes_only() {
    check("A: 'a'*; B: 'b';", &[("aba", "A'a' B'b' A'a'"), ("ac", "A'a' empty at 1"), ("", "A''")]);
    check(
        "A: 'a'? -> mode(M); mode M; B: 'b'? -> mode(DEFAULT_MODE);",
        &[("b", "A'' B'b'"), ("ab", "A'a' B'b'")],
    );
    check("A: 'a'? -> pushMode(DEFAULT_MODE), skip;", &[("b", "empty at 0")]);
}

/// As in lexers that decide after a token whether a line break ends a statement.
#[test]
fn a_mode_may_be_left_by_a_match_that_reads_nothing() {
    let rules = "I: [a-z]+ -> mode(N); P: '+'; W: [ \\n]+ -> skip;
        mode N; B: ' '+ -> skip; E: ([\\n]+ | ';' | EOF) -> mode(DEFAULT_MODE);
        O: -> mode(DEFAULT_MODE), channel(HIDDEN);";
    check(
        rules,
        &[
            ("a+b", "I'a' (O'') P'+' I'b'"),
            ("a +\nb\n", "I'a' (O'') P'+' I'b' E'\n'"),
            ("a\n+b;", "I'a' E'\n' P'+' I'b' E';'"),
        ],
    );
}

#[test]
fn empty_matches_end_where_the_same_modes_come_back() {
    // Every mode but the last changes without reading; the same stack is met after the third.
    let ring = "A: 'a'; X: -> mode(M); mode M; Y: -> mode(N); mode N; Z: -> mode(DEFAULT_MODE);";
    check(ring, &[("a", "A'a'"), ("b", "X'' Y'' empty at 0"), ("ab", "A'a' X'' Y'' empty at 1")]);
    check("A: 'a'; X: -> pushMode(M); mode M; Y: -> popMode;", &[("ab", "A'a' X'' empty at 1")]);
}

#[test]
fn case_can_be_ignored() {
    check(
        "options { caseInsensitive = true; } A: 'sélect'; N: [0-9]; I: [a-z]+;",
        &[("SELECT", "I'SELECT'"), ("SÉLECT", "A'SÉLECT'"), ("sElEcTs", "I'sElEcTs'")],
    );
    check(
        "A options { caseInsensitive = true; }: 'ab'; B: 'cd';",
        &[("aBcd", "A'aB' B'cd'"), ("Cd", "nothing at 0..0")],
    );
}

#[test]
fn characters_are_code_points() {
    check(
        "A: [\\u{1F600}-\\u{1F64F}]; B: [\\p{Lu}]+; C: .;",
        &[("😀ÄΣЖx€", "A'😀' B'ÄΣЖ' C'x' C'€'")],
    );
}

#[test]
fn looking_ahead_to_the_end_for_every_token_stays_linear() {
    let grammar = grammar("A: 'a'; B: 'a'* 'b'; C: 'c' .* 'd';");
    let (lexer, mut dfa) = lexer(&grammar);
    let count = |dfa: &mut gramercy_lexis::Dfa, text: &str| {
        let mut scan = gramercy_lexis::Scan::new(&lexer, dfa, text);
        std::iter::from_fn(|| scan.next_visible().expect("tokens")).count()
    };
    let many = 1_000_000;
    assert_eq!(count(&mut dfa, &"a".repeat(many)), many);
    assert_eq!(count(&mut dfa, &("a".repeat(many) + "b")), 1);
}

#[test]
fn remembering_failures_changes_nothing() {
    let features = Features { commands: false, eof: true, modes: 1, ..Features::ALL };
    for seed in 0..60 {
        let mut random = Random(seed);
        let rules = random_lexer(&mut random, &features);
        let Ok(grammar) = try_lexer_rules(&rules) else { continue };
        let Ok(lexer) = gramercy_lexis::Lexer::new(&grammar, &gramercy_base::Limits::default())
        else {
            continue;
        };
        let mut dfa = gramercy_lexis::Dfa::new(&lexer, 10_000);
        let text: String = (0..60).map(|_| random_text(&mut random, 12)).collect();
        assert_eq!(
            tokens(&grammar, &lexer, &mut dfa, &text),
            plain_maximal_munch(&grammar, &lexer, &mut dfa, &text),
            "seed {seed}: {rules}"
        );
    }
}

/// The tokens by trying every end of every match, for lexers without commands.
fn plain_maximal_munch(
    grammar: &gramercy_grammar::Grammar,
    lexer: &gramercy_lexis::Lexer,
    dfa: &mut gramercy_lexis::Dfa,
    text: &str,
) -> String {
    let mode = gramercy_base::Id::from_index(0);
    let (mut at, mut line) = (0, Vec::new());
    while at < text.len() || line.is_empty() {
        let mut state = dfa.start(lexer, mode).expect("a state");
        let mut found = dfa.winner(state).map(|outcome| (at, outcome));
        let mut died_at = None;
        for (offset, c) in text[at..].char_indices() {
            let Some(next) = dfa.step_char(lexer, state, c).expect("a state") else {
                died_at = Some(at + offset);
                break;
            };
            state = next;
            let end = at + offset + c.len_utf8();
            found = dfa.winner(state).map(|outcome| (end, outcome)).or(found);
        }
        if died_at.is_none()
            && let Some(end) = dfa.step_eof(lexer, state).expect("a state")
        {
            found = dfa.winner(end).map(|outcome| (text.len(), outcome)).or(found);
        }
        let Some((end, outcome)) = found else {
            line.push(format!("nothing at {at}..{}", died_at.unwrap_or(text.len())));
            break;
        };
        let effect = &dfa.outcome(outcome).effect;
        if end == at && at < text.len() {
            line.push(format!("empty at {at}"));
            break;
        }
        if let Some(token) = effect.visible_token(None) {
            line.push(format!("{}'{}'", grammar.terminals()[token].name, &text[at..end]));
        }
        at = end;
    }
    line.join(" ")
}
