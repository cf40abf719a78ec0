//! Faulty grammars whose fault is known: the faulty rule comes first, and a patch makes the failing tests pass.

use std::ops::ControlFlow;
use std::path::Path;

use gramercy_formats::{LoadOptions, Memory};
use gramercy_language::Language;
use gramercy_localize::repair::search::Source;
use gramercy_localize::repair::{RepairOptions, RepairTest, repair};
use gramercy_localize::{FailingTest, Metric, Options, Subject, Wanted, localize};

/// The names of rules with their ranks, the most suspicious first.
fn ranking(name: &str, grammar: &str, failing: &[&str], passing: &[&str]) -> Vec<(String, f64)> {
    let language = Language::from_text(name, grammar).expect("a grammar");
    let subject = Subject::new(&language).expect("a parser");
    let failing: Vec<_> = failing.iter().map(|text| FailingTest::rejected(text)).collect();
    let localized = localize(&subject, &failing, passing, &Options::default());
    let rules = language.grammar().rules();
    localized.ranking.iter().map(|it| (rules[it.rule].name.to_string(), it.rank)).collect()
}

fn check_first(name: &str, grammar: &str, failing: &[&str], rule: &str) {
    let ranking = ranking(name, grammar, failing, &[]);
    assert_eq!(ranking[0], (rule.to_owned(), 1.0), "{ranking:?}");
}

/// The first patch, applied.
fn patched(
    name: &str,
    grammar: &str,
    failing: &[&str],
    passing: &[(&str, Wanted)],
) -> Option<String> {
    let failing: Vec<_> = failing.iter().map(|text| (*text, Wanted::Accept)).collect();
    repaired(name, grammar, &failing, passing)
}

/// As [`patched`], with failing tests of both kinds.
fn repaired(
    name: &str,
    grammar: &str,
    failing: &[(&str, Wanted)],
    passing: &[(&str, Wanted)],
) -> Option<String> {
    let (files, load) = (Memory::with(name, grammar), LoadOptions::default());
    let source = Source { path: Path::new(name), files: &files, load: &load };
    let failing: Vec<_> =
        failing.iter().map(|&(text, wanted)| RepairTest { text, wanted }).collect();
    let passing: Vec<_> =
        passing.iter().map(|&(text, wanted)| RepairTest { text, wanted }).collect();
    let options = RepairOptions::default();
    let repaired = repair(source, &failing, &passing, &options, &mut |_| ControlFlow::Continue(()))
        .expect("a grammar");
    let best = repaired.proposals.first()?;
    let text = best.files.get(Path::new(name)).expect("the grammar is changed").clone();
    let language = Language::from_text(name, &text).expect("a patched grammar");
    let parser = language.parser().expect("a parser");
    let mut workspace = parser.workspace();
    for test in failing.iter().chain(&passing) {
        let accepts = parser.recognize(&mut workspace, test.text).is_ok();
        assert_eq!(accepts, test.wanted == Wanted::Accept, "{} by\n{text}", test.text);
    }
    Some(text)
}

const STATEMENTS: &str = "grammar t; prog : stmt* EOF ; stmt : assign | print ; \
    assign : ID '=' expr ';' ; print : 'print' expr ';' ; expr : term ('+' term)* ; \
    term : ID | NUM | '(' expr ')' ; ID : [a-z]+ ; NUM : [0-9]+ ; \
    STRING : '\"' ~[\"]* '\"' ; WS : [ \\n]+ -> skip ;";

#[test]
fn a_missing_alternative_is_found() {
    check_first("t.g4", STATEMENTS, &["x = \"a\" + 1 ; y = 2 ;", "print \"b\" ;"], "term");
}

#[test]
fn a_token_rule_that_lacks_a_character_is_found() {
    check_first("t.g4", STATEMENTS, &["x_y = 1 ; print x_y ;"], "ID");
}

#[test]
fn an_element_that_should_be_optional_is_found() {
    check_first("t.g4", STATEMENTS, &["x = 1 ; print ; y = 2 ;", "print ;"], "print");
}

#[test]
fn a_keyword_that_should_be_an_identifier_is_found_in_the_parser_rule() {
    let grammar = "grammar t; s : (name '=' NUM ';')* EOF ; name : ID | 'to' ; x : 'from' ; \
        ID : [a-z]+ ; NUM : [0-9]+ ; WS : ' '+ -> skip ;";
    check_first("t.g4", grammar, &["a = 1 ; from = 2 ; to = 3 ;"], "name");
}

#[test]
fn equal_rules_share_the_middle_of_their_ranks() {
    let ranking = ranking("t.g4", STATEMENTS, &["x = = 1 ;"], &[]);
    let sum: f64 = ranking.iter().map(|(_, rank)| rank).sum();
    let rules = ranking.len() as f64;
    assert_eq!(sum, rules * (rules + 1.0) / 2.0, "{ranking:?}");
}

#[test]
fn grammars_of_tokens_and_of_characters_are_localized() {
    let yacc = "%token ID NUM\n%%\ns : s stmt | stmt ;\nstmt : ID '=' val ';' ;\nval : NUM ;\n";
    check_first("t.y", yacc, &["ID = ID ; ID = NUM ;"], "val");
    let native = r#"Sum := Term ("+" Term)*; Term := [0-9] | "(" Sum ")";"#;
    check_first("t.gram", native, &["1+x+2", "(x)+1"], "Term");
}

#[test]
fn a_superfluous_alternative_is_found_by_what_passing_tests_do_not_use() {
    let grammar = "%token A B C\n%%\ns : x y ;\nx : A ;\ny : B | C ;\n";
    let language = Language::from_text("t.y", grammar).expect("a grammar");
    let subject = Subject::new(&language).expect("a parser");
    let failing = [FailingTest { text: "A C", wanted: Wanted::Reject(Some(2)), mutated: None }];
    for metric in Metric::ALL {
        let options = Options { metric, ..Options::default() };
        let localized = localize(&subject, &failing, &["A B"], &options);
        let first = &localized.ranking[0];
        assert_eq!(&*language.grammar().rules()[first.rule].name, "y", "{metric:?}");
    }
    let passing = localize(&subject, &[FailingTest::rejected("A B")], &[], &Options::default());
    assert_eq!(passing.not_failing, [0]);
}

#[test]
fn several_faults_come_first_together() {
    let failing = ["x_y = 1 ;", "a_b = 1 ;", "c_d = 2 ;", "print ;"];
    let language = Language::from_text("t.g4", STATEMENTS).expect("a grammar");
    let subject = Subject::new(&language).expect("a parser");
    let failing: Vec<_> = failing.iter().map(|text| FailingTest::rejected(text)).collect();
    let options = Options { faults: Some(0), ..Options::default() };
    let localized = localize(&subject, &failing, &[], &options);
    let name = |at: usize| &*language.grammar().rules()[localized.ranking[at].rule].name;
    assert_eq!([name(0), name(1)], ["ID", "print"]);
}

#[test]
fn patches_keep_passing_tests_and_formatting() {
    let good = [("x = 1 ;", Wanted::Accept), ("x = = 1 ;", Wanted::Reject(None))];
    let patched = patched("t.g4", STATEMENTS, &["x_y = 1 ;"], &good).expect("a patch");
    assert_eq!(patched, STATEMENTS.replace("ID : [a-z]+", "ID : [a-z_]+"));
}

#[test]
fn yacc_files_get_alternatives() {
    let yacc = "%token ID NUM\n%%\ns : s stmt | stmt ;\nstmt : ID '=' val ';' ;\nval : NUM ;\n";
    let good = [("ID = NUM ;", Wanted::Accept), ("ID = ;", Wanted::Reject(None))];
    let patched = patched("t.y", yacc, &["ID = ID ;"], &good).expect("a patch");
    assert_eq!(patched, yacc.replace("val : NUM ;", "val : NUM | ID ;"));
}

#[test]
fn native_files_are_patched() {
    let native = r#"List := "[" "x" "]";"#;
    let patched = patched("t.gram", native, &["[]"], &[("[x]", Wanted::Accept)]);
    assert_eq!(patched.as_deref(), Some(r#"List := "[" "x"? "]";"#));
}

const LIST: &str = "%token ID NUM PRINT\n%%\ns : s stmt | stmt ;\nstmt : ID '=' val ';'\n     | PRINT val ';' ;\n\
    val : NUM | ID ;\n";

#[test]
fn a_swapped_token_is_replaced() {
    let faulty = LIST.replace("'=' val ';'", "'=' val ','");
    let failing = [("ID = NUM ;", Wanted::Accept), ("ID = NUM ,", Wanted::Reject(Some(9)))];
    let passing = [("PRINT NUM ; PRINT NUM ;", Wanted::Accept), ("PRINT ID ;", Wanted::Accept)];
    assert_eq!(repaired("t.y", &faulty, &failing, &passing).as_deref(), Some(LIST));
    // Nothing speaks for the comma.
    assert_eq!(repaired("t.y", &faulty, &failing[..1], &passing).as_deref(), Some(LIST));
}

#[test]
fn symbols_in_the_wrong_order_change_places() {
    let faulty = LIST.replace("PRINT val ';'", "PRINT ';' val");
    let passing = [("ID = NUM ;", Wanted::Accept), ("ID = ID ;", Wanted::Accept)];
    let failing = [("PRINT NUM ;", Wanted::Accept), ("PRINT ; NUM", Wanted::Reject(Some(6)))];
    assert_eq!(repaired("t.y", &faulty, &failing, &passing).as_deref(), Some(LIST));
}

#[test]
fn a_superfluous_alternative_is_deleted() {
    let faulty = LIST.replace("val : NUM | ID ;", "val : NUM | ID | PRINT ;");
    let passing = [("ID = NUM ;", Wanted::Accept), ("PRINT ID ;", Wanted::Accept)];
    let failing = [("ID = PRINT ;", Wanted::Reject(Some(5)))];
    assert_eq!(repaired("t.y", &faulty, &failing, &passing).as_deref(), Some(LIST));
}

#[test]
fn a_first_alternative_is_deleted_with_its_label() {
    let grammar = "grammar t;\ns : x+ EOF ;\nx // what\n  : 'a' # first\n  | 'b' # second\n  | 'c' # third\n  ;\n";
    let passing = [("b", Wanted::Accept), ("cb", Wanted::Accept)];
    let failing = [("ab", Wanted::Reject(Some(0)))];
    let expected = grammar.replace("'a' # first\n  | ", "");
    assert_eq!(repaired("t.g4", grammar, &failing, &passing), Some(expected));
    let failing = [("bc", Wanted::Reject(Some(1)))];
    let passing = [("b", Wanted::Accept), ("ab", Wanted::Accept)];
    let expected = grammar.replace("\n  | 'c' # third", "");
    assert_eq!(repaired("t.g4", grammar, &failing, &passing), Some(expected));
}

#[test]
fn an_optional_part_becomes_mandatory_and_a_repeated_one_occurs_once() {
    let grammar = "grammar t; s : 'a'? 'b' 'c'* EOF ;";
    let passing = [("ab", Wanted::Accept), ("abc", Wanted::Accept)];
    let failing = [("b", Wanted::Reject(Some(0)))];
    let patched = repaired("t.g4", grammar, &failing, &passing);
    assert_eq!(patched.as_deref(), Some("grammar t; s : 'a' 'b' 'c'* EOF ;"));
    let failing = [("abcc", Wanted::Reject(Some(3)))];
    let patched = repaired("t.g4", grammar, &failing, &passing);
    assert_eq!(patched.as_deref(), Some("grammar t; s : 'a'? 'b' 'c'? EOF ;"));
}

#[test]
fn a_symbol_that_is_too_general_is_specialized() {
    let yacc = "%token A B C D\n%%\ns : x C y ;\nx : A | B ;\ny : x D ;\n";
    let passing = [("A C A D", Wanted::Accept), ("A C B D", Wanted::Accept)];
    let failing = [("B C A D", Wanted::Reject(Some(0)))];
    let patched = repaired("t.y", yacc, &failing, &passing);
    assert_eq!(patched.as_deref(), Some(&*yacc.replace("s : x C", "s : A C")));
}

#[test]
fn patches_that_accept_too_much_come_last() {
    let grammar = "grammar t; s : NUM (',' NUM)* EOF ; NUM : [1-9] [0-9]* ;";
    let files = Memory::with("t.g4", grammar);
    let load = LoadOptions::default();
    let source = Source { path: Path::new("t.g4"), files: &files, load: &load };
    let failing = [RepairTest { text: "0,10", wanted: Wanted::Accept }];
    let options = RepairOptions::default();
    let mut watch = |_| ControlFlow::Continue(());
    let found = repair(source, &failing, &[], &options, &mut watch).expect("a grammar");
    let texts: Vec<_> = found.proposals.iter().flat_map(|patch| patch.files.values()).collect();
    assert!(!texts.is_empty());
    // A token rule that matches the empty string is refused.
    assert!(texts.iter().all(|text| !text.contains("[1-9]? [0-9]*")), "{texts:#?}");
    // A patch that takes the comma into the number explains the test badly.
    let at = |part: &str| texts.iter().position(|text| text.contains(part));
    let (right, overfitted) = (at("[1-90] [0-9]*"), at("'0,'?"));
    assert!(right.is_some(), "{texts:#?}");
    assert!(overfitted.is_none_or(|overfitted| right < Some(overfitted)), "{texts:#?}");
    let differences = found.proposals[0].differences.expect("compared");
    assert!(differences.accepted > 0 && differences.rejected == 0, "{differences:?}");
}

#[test]
fn without_a_failing_test_nothing_is_tried() {
    let (files, load) = (Memory::with("t.y", LIST), LoadOptions::default());
    let source = Source { path: Path::new("t.y"), files: &files, load: &load };
    let failing = [RepairTest { text: "PRINT NUM ;", wanted: Wanted::Accept }];
    let mut watch = |_| ControlFlow::Break(());
    let found = repair(source, &failing, &[], &RepairOptions::default(), &mut watch);
    let found = found.expect("a grammar");
    assert_eq!((found.tried, &*found.not_failing), (0, &[0][..]));
}

#[test]
fn productions_that_no_passing_test_uses_are_conspicuous() {
    // Without passing tests, `s` may lack an alternative as well.
    let faulty = LIST.replace("'=' val ';'", "':' val ';'");
    let passing = ["PRINT NUM ;", "PRINT ID ;", "PRINT NUM ; PRINT ID ;"];
    let ranking = ranking("t.y", &faulty, &["ID = NUM ;", "PRINT ID ; ID = ID ;"], &passing);
    assert_eq!(ranking[0], ("stmt".to_owned(), 1.0), "{ranking:?}");
}

#[test]
fn items_are_ranked() {
    let faulty = LIST.replace("'=' val ';'", "'=' val ','");
    let language = Language::from_text("t.y", &faulty).expect("a grammar");
    let subject = Subject::new(&language).expect("a parser");
    let failing = [FailingTest::rejected("ID = NUM ;"), FailingTest::rejected("ID = ID ;")];
    let localized = localize(&subject, &failing, &["PRINT ID ;"], &Options::default());
    let first = subject.describe_site(localized.sites[0].site);
    assert_eq!(first, "`stmt → ID '=' val • ','`");
    let sum: f64 = localized.sites.iter().map(|ranked| ranked.rank).sum();
    let sites = localized.sites.len() as f64;
    assert_eq!(sum, sites * (sites + 1.0) / 2.0);
}
