//! Packed suites of grammars with texts that spoil large tests.

use gramercy_coverage::{CriterionSpec, TargetSet};
use gramercy_language::Language;
use gramercy_lexis::WriteOptions;
use gramercy_suite::Wants;

use crate::support::{self, Form, kept, of_text, texts};

/// Whatever could be a `KEY` is a `NAME`.
const SHADOWED: &str = "grammar Shadowed;
list : item (',' item)* EOF ;
item : NAME '=' value | KEY '=' value | '(' item+ ')' | '<' KEY? '>' ;
value : KEY | NUMBER | '-' value | '[' (value (';' value)*)? ']' ;
NAME : [a-z]+ ;
KEY : [a-z]+ ;
NUMBER : [0-9]+ ;
WS : ' ' -> skip ;
";

/// What needs the token is told, and everything else is covered by few tests, as if it were not there.
fn check(form: Form, cover: &str, most: usize) {
    let language = of_text("Shadowed.g4", SHADOWED);
    let wants = Wants { covers: true, ..Wants::TEXT };
    let (kept, summary) = kept(&language, &support::cover(cover, form), wants);
    let covered = kept.covered(&[cover])[0].len();
    let unwritten = summary.unwritten_targets.first().map_or(0, TargetSet::len);
    let mut writer = language.writer(&WriteOptions::default()).expect("a lexer");
    let writable = language.without(&writer.never_written());
    let coverable = |language: &Language| {
        let spec: CriterionSpec = cover.parse().expect("a criterion");
        spec.build(language).expect("few targets").coverable()
    };
    assert_eq!(covered, coverable(&writable), "{cover}");
    assert_eq!(covered + unwritten, coverable(&language), "{cover}");
    assert!(unwritten > 0, "{cover}: some targets need the token");
    assert!(kept.texts.len() <= most, "{cover}: {:#?}", kept.texts);
}

#[test]
fn a_token_that_is_never_made_spoils_no_large_test() {
    for (cover, most) in [
        ("kpath:2", 3),
        ("rule", 2),
        ("cdrc", 3),
        ("symbol", 1),
        ("bfs:2", 7),
        ("deriv", 2),
        ("pll", 3),
        ("pair", 4),
        ("pop-edge:lr0", 3),
    ] {
        check(Form::Packed, cover, most);
    }
}

#[test]
fn a_token_that_is_never_made_spoils_no_small_test_of_another_path() {
    check(Form::Small, "kpath:1", 10);
    check(Form::Small, "kpath:2", 50);
}

#[test]
fn what_can_only_end_a_text_spoils_no_large_test() {
    let grammar = "grammar C; s: A+ EOF; A: [a-c];
        LINE: '#' ~[\\n]* -> skip; OPEN: '(' .*? (')' | EOF) -> skip; WS: [ \\n] -> skip;";
    let language = of_text("C.g4", grammar);
    let texts = |form| texts(&language, &support::cover("lexeme:1", form));
    assert_eq!(texts(Form::Small), ["a", "b#a", "a(a)", "a(", "b "]);
    assert_eq!(texts(Form::Packed), ["a#a\n (a)("]);
}
