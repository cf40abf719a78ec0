//! Packed suites of grammars with texts that spoil large tests.

use gramercy_base::Limits;
use gramercy_coverage::{TargetSet, Views, criteria};
use gramercy_lexis::{WriteOptions, Writer};
use gramercy_suite::Wants;

use crate::support::{Form, Kept, Recipe, Subject};

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
fn check(form: Form, cover: &'static str, most: usize) {
    let subject = Subject::of_text("Shadowed.g4", SHADOWED);
    let recipe = Recipe { form, ..Recipe::of(cover) };
    let wants = Wants { covers: true, ..Wants::default() };
    let mut kept = Kept { wants, ..Kept::default() };
    let summary = recipe.make(&subject, &mut kept);
    let covered = kept.covered(&[cover])[0].len();
    let unwritten = summary.unwritten_targets.first().map_or(0, TargetSet::len);
    let views = subject.views();
    let mut writer = Writer::new(&subject.grammar, &WriteOptions::default()).expect("a lexer");
    let writable = views.without(&writer.never_written());
    let coverable = |views: &Views<'_>| {
        let criterion = criteria::build(recipe.specs()[0], views, &Limits::default());
        criterion.expect("few targets").coverable()
    };
    assert_eq!(covered, coverable(&writable), "{cover}");
    assert_eq!(covered + unwritten, coverable(&views), "{cover}");
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
    let subject = Subject::of_text("C.g4", grammar);
    let recipe = |form| Recipe { form, ..Recipe::of("lexeme:1") };
    assert_eq!(recipe(Form::Small).texts(&subject), ["a", "a#a", "a(a)", "a(", "a "]);
    assert_eq!(recipe(Form::Packed).texts(&subject), ["a#a\n (a)("]);
}
