//! A symbol that is too general is exposed by stack mutants, and not by edge mutants.
//!
//! In the reference grammar, functions are declared before the main part and variables in its body. The faulty grammar
//! has one symbol for both. A single token cannot turn one kind of declaration into the other, so no edge mutant
//! notices; a stack mutant inserts or substitutes a whole declaration (Rossouw and Fischer, JSS 2024, section 8.2.4).

use gramercy_assemble::negative::recipe::Negative;
use gramercy_assemble::recipe::Tests as Kind;
use gramercy_assemble::{Recipe, Tests};
use gramercy_language::Language;
use gramercy_localize::{FailingTest, Options, Subject, Wanted, localize};

const REFERENCE: &str = "%token PROGRAM MAIN ID INT\n%%\n\
    source : PROGRAM ID ':' funcs MAIN ':' body ;\n\
    body : vars stmts ;\n\
    funcs : func funcs | %empty ;\n\
    vars : var vars | %empty ;\n\
    func : ID '(' INT ID ')' ':' body ;\n\
    var : INT ID ';' ;\n\
    stmts : stmt ';' stmts | %empty ;\n\
    stmt : ID '=' ID ;\n";

/// The reference grammar with one symbol for declarations of both kinds.
fn faulty() -> String {
    REFERENCE
        .replace("':' funcs MAIN", "':' decls MAIN")
        .replace("body : vars stmts", "body : decls stmts")
        .replace("funcs : func funcs | %empty ;\n", "decls : func decls | var decls | %empty ;\n")
        .replace("vars : var vars | %empty ;\n", "")
}

/// The tests of a suite of mutants, with the places of their errors.
fn mutants(reference: &Language, operator: &str) -> Vec<(String, Option<usize>)> {
    let mutate = vec![operator.parse().expect("an operator")];
    let negative = Negative { mutate, cover: Vec::new(), ..Negative::default() };
    let recipe = Recipe { tests: Kind::Negative(negative), ..Recipe::default() };
    let tests = Tests::new(reference, &recipe).filter_map(Result::ok);
    tests
        .filter_map(|test| {
            let byte = test.error.as_ref().and_then(|error| error.byte);
            Some((test.text?.into_owned(), byte))
        })
        .collect()
}

#[test]
fn stack_mutants_expose_it_and_edge_mutants_do_not() {
    let reference = Language::from_text("reference.y", REFERENCE).expect("a grammar");
    let faulty = Language::from_text("faulty.y", &faulty()).expect("a grammar");
    let parser = faulty.parser().expect("a parser");
    let mut workspace = parser.workspace();
    let mut wrongly_accepted = |operator: &str| -> Vec<(String, Option<usize>)> {
        let mutants = mutants(&reference, operator);
        assert!(mutants.len() > 20, "{operator}: {}", mutants.len());
        let accepted = mutants.into_iter();
        accepted.filter(|(text, _)| parser.recognize(&mut workspace, text).is_ok()).collect()
    };
    assert_eq!(wrongly_accepted("edge"), []);
    let exposed = wrongly_accepted("stack");
    assert!(!exposed.is_empty());

    // The rules that use the symbol come first.
    let subject = Subject::new(&faulty).expect("a parser");
    let failing: Vec<_> = exposed
        .iter()
        .map(|(text, byte)| FailingTest { text, wanted: Wanted::Reject(*byte), mutated: None })
        .collect();
    let recipe = Recipe::cover("cdrc").expect("a criterion");
    let passing: Vec<_> = Tests::new(&reference, &recipe)
        .filter_map(|test| Some(test.ok()?.text?.into_owned()))
        .collect();
    let passing: Vec<_> = passing.iter().map(String::as_str).collect();
    let localized = localize(&subject, &failing, &passing, &Options::default());
    let rules = faulty.grammar().rules();
    let names: Vec<_> = localized.ranking.iter().map(|it| &*rules[it.rule].name).collect();
    assert!(names[..3].contains(&"source") && names[..3].contains(&"body"), "{names:?}");
}
