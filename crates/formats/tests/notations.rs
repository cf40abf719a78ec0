//! What readers and writers of one notation know of another, or of its habits.

use std::path::Path;

use gramercy_base::Limits;
use gramercy_formats::{LoadOptions, Loaded, Memory, antlr4, load};

fn read(name: &str, text: &str) -> Loaded {
    load(Path::new(name), &Memory::with(name, text), &LoadOptions::default())
}

fn codes(loaded: &Loaded) -> Vec<&'static str> {
    loaded.diagnostics.iter().map(|diagnostic| diagnostic.code.name).collect()
}

#[test]
fn lexer_commands_may_be_written_in_any_case() {
    let rules =
        "s : A+ EOF ; A : 'a' ; B : 'b' -> Channel(HIDDEN) ; C : 'c' -> Skip ; D : 'd' -> MORE ;";
    let other = read("G.g4", &format!("grammar G; {rules}"));
    assert_eq!(codes(&other), [""; 0]);
    let usual = rules.replace("Channel", "channel").replace("Skip", "skip").replace("MORE", "more");
    let usual = read("G.g4", &format!("grammar G; {usual}"));
    let written = |loaded: &Loaded| {
        let grammar = loaded.grammar.as_ref().expect("a grammar");
        antlr4::write(grammar, &Limits::default()).expect("small")
    };
    assert_eq!(written(&other), written(&usual));
    let modes = "lexer grammar L; A : 'a' -> PushMode(M) ; B : 'b' -> MODE(M) ; mode M; C : 'c' -> popmode ; \
                 D : 'd' -> Type(C) ;";
    let files = |modes: &str| {
        let parser = "parser grammar P; options { tokenVocab = L; } s : A C | B C C ;";
        Memory::with("L.g4", modes).and("P.g4", parser)
    };
    let usual = modes.replace("PushMode", "pushMode").replace("MODE", "mode");
    let usual = usual.replace("popmode", "popMode").replace("Type", "type");
    let load = |text: &str| load("P.g4".as_ref(), &files(text), &LoadOptions::default());
    let other = load(modes);
    assert_eq!(codes(&other), [""; 0]);
    assert_eq!(written(&other), written(&load(&usual)));
}

#[test]
fn lemon_files_are_recognized() {
    let text = "%token_type {int}\n%left PLUS.\nprogram ::= expr(A). { use(A); }\n\
                expr(A) ::= expr(B) PLUS expr(C). { A = B + C; }\n";
    let loaded = read("calc.y", text);
    assert_eq!(codes(&loaded), ["lemon-file"]);
    assert!(loaded.diagnostics[0].message.contains("Lemon"));
    assert!(!codes(&read("a.y", "%%\na ::= 'b' ;\n")).contains(&"lemon-file"));
}

#[test]
fn tokens_after_the_end_of_input_are_told() {
    let loaded = read("z.y", "%token A B END_OF_INPUT 0\n%%\ns : A END_OF_INPUT B | A B ;\n");
    assert_eq!(codes(&loaded), ["after-end"]);
    assert!(loaded.grammar.is_some());
    let last = read("z.y", "%token A END_OF_INPUT 0\n%%\ns : A END_OF_INPUT ;\n");
    assert_eq!(codes(&last), [""; 0]);
}

#[test]
fn precedence_becomes_the_order_of_alternatives() {
    let text = "%token NUM\n%left '+'\n%left '*'\n%right '^'\n%%\n\
                e : e '+' e | NUM | e '*' e | e '^' e ;\n";
    let grammar = read("calc.y", text).grammar.expect("a grammar");
    assert_eq!(antlr4::lost_precedence(&grammar).len(), 0);
    let files = antlr4::write(&grammar, &Limits::default()).expect("small");
    let text = &files[0].text;
    let place = |word: &str| text.find(word).unwrap_or_else(|| panic!("`{word}` in {text}"));
    assert!(place("<assoc=right> e CARET e") < place("e STAR e"), "{text}");
    assert!(place("e STAR e") < place("e PLUS e"), "{text}");
}

#[test]
fn precedence_that_is_lost_is_told() {
    let check = |text: &str, expected: &[&str]| {
        let grammar = read("calc.y", text).grammar.expect("a grammar");
        let lost = antlr4::lost_precedence(&grammar);
        assert_eq!(lost.len(), expected.len(), "{lost:?}");
        for (lost, expected) in lost.iter().zip(expected) {
            assert!(lost.message.contains(expected), "{}", lost.message);
        }
    };
    let same = "%token NUM\n%left '+' '-'\n%%\ne : e '+' e | e '-' e | NUM ;\n";
    check(same, &["the same precedence as an earlier one"]);
    let never = "%token NUM\n%nonassoc '<'\n%%\ne : e '<' e | NUM ;\n";
    check(never, &["may not follow each other"]);
    let other = "%token IF ELSE X\n%precedence THEN\n%precedence ELSE\n%%\n\
                 s : X | i ; i : IF s %prec THEN | IF s ELSE s ;\n";
    check(other, &["neither begins nor ends"]);
}
