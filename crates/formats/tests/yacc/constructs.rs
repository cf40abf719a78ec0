//! The meaning of each construct of the notation.

use gramercy_formats::yacc::seeds::VALID;
use gramercy_grammar::{Associativity, ExprKind, Grammar, NoteKind, TerminalKind, TextKind};

use crate::{core, grammar, productions, rendered};

fn check(text: &str, expected: &[&str]) {
    assert_eq!(productions(text), expected, "{text}");
}

fn texts<'g>(grammar: &'g Grammar) -> Vec<(&'g str, Option<&'g str>)> {
    let token = |kind: &'g TerminalKind| match kind {
        TerminalKind::Token { name, text } => Some((&**name, text.as_deref())),
        _ => None,
    };
    grammar.terminals().values().filter_map(|terminal| token(&terminal.kind)).collect()
}

fn notes(text: &str) -> Vec<(NoteKind, String)> {
    let grammar = grammar(text);
    let notes = grammar.notes().iter();
    notes.map(|note| (note.kind, note.message.clone())).collect()
}

#[test]
fn the_valid_seeds_load() {
    for text in VALID {
        let loaded = crate::read(text);
        assert!(loaded.grammar.is_some(), "{:?} in:\n{text}", rendered(&loaded));
    }
}

#[test]
fn alternatives_keep_the_order_of_the_file() {
    check("%%\na: b | ; b: X; a: Y;", &["a → b", "a → ε", "b → X", "a → Y"]);
    check("%%\na: b c d: e f[x]: g", &["a → b c", "d → e", "f → g"]);
    check("%%\na: | b; ; | c ; ;", &["a → ε", "a → b", "a → c"]);
    check("%%\na: b = { x } | c { y } ;", &["a → b", "a → c"]);
    check("%%\na: b\n%% c: d {", &["a → b"]);
    check("%%\na: // c\n b /* | c */ ;", &["a → b"]);
}

#[test]
fn quoted_tokens_are_identified_by_their_text() {
    check(r"%%  a: '\n' '\012' '\xa' ;", &[r"a → '\n' '\n' '\n'"]);
    check("%%\na: 'a' a2 \"a\" '\"' '\\'' ;", &["a → 'a' a2 \"a\" '\"' '\\''"]);
    check("%%\na: 'while' '<=' ;", &["a → 'while' '<='"]);
    let found = grammar("%%\na: 'while' '\\n' \"<=\" NAME ;");
    let expected =
        [("'while'", Some("while")), ("'\\n'", Some("\n")), ("\"<=\"", Some("<=")), ("NAME", None)];
    assert_eq!(texts(&found), expected);
    assert_eq!(found.text_kind(), TextKind::TokensOnly);
}

#[test]
fn an_alias_is_its_token() {
    check("%token LE \"<=\"\n%%\na: LE \"<=\" b; b: \">=\";", &["a → LE LE b", "b → \">=\""]);
    check("%%\na: \"x\" ; %token X \"x\" ;", &["a → X"]);
    let text = "%token A 258 \"<=\" B _(\"number\") C '+' \"plus\" D \"'do'\" E \"`end'\" F \"\"\n\
                %%\na: 'x';";
    let found = grammar(text);
    let expected = [
        ("'x'", Some("x")),
        ("A", Some("<=")),
        ("B", None),
        ("C", None),
        ("'+'", Some("+")),
        ("D", Some("do")),
        ("E", Some("end")),
        ("F", None),
    ];
    assert_eq!(texts(&found), expected);
}

#[test]
fn the_token_with_number_0_is_the_end_of_input() {
    check("%token END 0 \"end\" A\n%%\ns: A END; ", &["s → A"]);
    check("%token END 0 \"end\" A\n%%\ns: A \"end\"; ", &["s → A"]);
    check("%token A\n%%\ns: A YYEOF; ", &["s → A"]);
    let found = grammar("%token END 0\n%%\ns: 'a' END | 'b';");
    let is_end = |kind: &TerminalKind| *kind == TerminalKind::Eof;
    assert!(found.terminals().values().any(|terminal| is_end(&terminal.kind)));
}

#[test]
fn levels_rise_from_line_to_line() {
    let found = grammar(
        "%left '+' '-'\n%right POW 300 \"^\"\n%nonassoc '<'\n%precedence NEG\n\
         %%\ne: e '+' e | '-' e %prec NEG | e POW e | e '<' e | 'n';",
    );
    let levels: Vec<_> = found
        .terminals()
        .values()
        .filter_map(|terminal| {
            let precedence = terminal.precedence?;
            Some((&*terminal.name, precedence.level, precedence.associativity))
        })
        .collect();
    let expected = [
        ("'+'", 1, Associativity::Left),
        ("'-'", 1, Associativity::Left),
        ("POW", 2, Associativity::Right),
        ("'<'", 3, Associativity::Never),
        ("\"^\"", 2, Associativity::Right),
        ("NEG", 4, Associativity::Undeclared),
    ];
    assert_eq!(levels, expected);
    let bnf = core(&found);
    let minus = bnf.productions().nth(1).expect("the second production");
    let token = bnf.attributes(&found, minus).and_then(|said| said.precedence_of).expect("%prec");
    assert_eq!(&*found.terminals()[token].name, "NEG");
}

#[test]
fn dprec_is_kept() {
    let found = grammar("%%\ns: 'a' %dprec 2 %merge <f> | 'a' %dprec 1;");
    let bnf = core(&found);
    let ranks = bnf.productions().map(|id| bnf.attributes(&found, id)?.dynamic_precedence);
    assert_eq!(ranks.collect::<Vec<_>>(), [Some(2), Some(1)]);
}

#[test]
fn labels_are_kept() {
    let found = grammar("%%\ne[res]: e[left] '+'[op] e[ right ] {x}[act] 'b' | 'n';");
    let labels: Vec<_> = found.exprs().values().filter_map(|expr| expr.label.as_deref()).collect();
    assert_eq!(labels, ["left", "op", "right", "act"]);
}

/// The expected productions are those of bison 3.8.2, `--report=all`.
#[test]
fn mid_rule_actions_are_productions_as_in_bison() {
    check(
        "%token A B\n%glr-parser\n%%\n\
         s: A {x} B | A { $$ = 1; } B { z(); } | A {q}[nm] B {$nm} | { a } { b } { $1; } A {$3}\n\
          | %?{ p } A | A %?{q} ;",
        &[
            "$@1 → ε",
            "s → A $@1 B",
            "@2 → ε",
            "s → A @2 B",
            "@3 → ε",
            "s → A @3 B",
            "@4 → ε",
            "$@5 → ε",
            "@6 → ε",
            "s → @4 $@5 @6 A",
            "$@7 → ε",
            "s → $@7 A",
            "s → A",
        ],
    );
    check("%%\na: <t>{ f(); }[n] B | {};", &["$@1 → ε", "a → $@1 B", "a → ε"]);
    check("%%\na: {}{}{};", &["$@1 → ε", "$@2 → ε", "a → $@1 $@2"]);
}

#[test]
fn alternatives_with_error_are_ignored() {
    check("%%\ns: A | error B | {x} error | C;", &["s → A", "s → C"]);
    // Alternatives that need a lost rule are ignored too, and the rule itself.
    check(
        "%%\ns: A | t B | {x} t | u; t: error | v; v: t A; u: v | D;",
        &["s → A", "s → u", "u → D"],
    );
    let found = notes("%%\ns: A | t; t: error;");
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|(kind, _)| *kind == NoteKind::ErrorProduction));
    assert!(found[0].1.contains("needs `t`"), "{found:?}");
}

#[test]
fn ignored_parts_are_noted() {
    let check = |text: &str, kind: NoteKind, count: usize, part: &str| {
        let notes = notes(text);
        let of_kind: Vec<_> = notes.iter().filter(|(found, _)| *found == kind).collect();
        assert_eq!(of_kind.len(), count, "{notes:?}");
        assert!(of_kind.iter().all(|(_, message)| message.contains(part)), "{notes:?}");
    };
    check("%nonassoc '<' '>'\n%nonassoc '='\n%%\na: '<';", NoteKind::NonAssociative, 2, "rejects");
    check("%%\na: %?{x} B | C %?{y};", NoteKind::Predicate, 2, "predicate");
    check("%%\na: B {x} | C {y} D {z};", NoteKind::Action, 1, "3 actions");
    check("%%\na: B {YYERROR;} | C {YYABORT;};", NoteKind::Predicate, 2, "reject");
    check("%%\na: B {YYACCEPT;};", NoteKind::HostCode, 1, "accept");
    check("%debug\n%union {x}\n%debug\n%%\na: B;", NoteKind::Ignored, 1, "%debug, %union");
    check("%start a b\n%%\na: B; b: C;", NoteKind::Ignored, 1, "`a`");
}

#[test]
fn the_start_is_declared_or_first() {
    let check = |text: &str, expected: &str| {
        let found = grammar(text);
        assert_eq!(&*found.rules()[found.start()].name, expected, "{text}");
    };
    check("%%\na: b; b: 'x';", "a");
    check("%start b\n%%\na: b; b: 'x';", "b");
    check("%%\na: b; b: 'x'; %start b;", "b");
    check("%%\na: {x} b; b: 'x';", "a");
    check("%rule r(X): X;\n%%\na: r('x');", "a");
}

#[test]
fn only_a_bare_file_may_leave_tokens_undeclared() {
    check("%start a\n%%\na: B c; c: D;", &["a → B c", "c → D"]);
    let undefined = |text: &str| rendered(&crate::read(text)).len();
    assert_eq!(undefined("%token B\n%%\na: B c;"), 1);
    assert_eq!(undefined("%left '+'\n%%\na: B;"), 1);
    assert_eq!(undefined("%nterm a\n%%\na: B;"), 1);
}

#[test]
fn declared_tokens_without_use_come_last() {
    let found = grammar("%token B A U\n%%\ns: A B;");
    let names: Vec<_> = found.terminals().values().map(|terminal| &*terminal.name).collect();
    assert_eq!(names, ["A", "B", "U"]);
    assert_eq!(found.syntax_terminals(), 2);
}

#[test]
fn parameterized_rules_become_rules() {
    let head = |rest: &str| format!("%token A B\n%%\n{rest}");
    let check = |rest: &str, expected: &[&str]| check(&head(rest), expected);
    check("s: option(A);", &["option_A → ε", "option_A → A", "s → option_A"]);
    check("s: A?;", &["option_A → ε", "option_A → A", "s → option_A"]);
    check("s: A*;", &["list_A → ε", "list_A → list_A A", "s → list_A"]);
    check(
        "s: A+ B A+;",
        &[
            "nonempty_list_A → A",
            "nonempty_list_A → nonempty_list_A A",
            "s → nonempty_list_A B nonempty_list_A",
        ],
    );
    check(
        "s: separated_nonempty_list(',', A);",
        &[
            "separated_nonempty_list_','_A → A",
            "separated_nonempty_list_','_A → separated_nonempty_list_','_A ',' A",
            "s → separated_nonempty_list_','_A",
        ],
    );
    check(
        "s: separated_list(B, A);",
        &[
            "separated_list_B_A → option_separated_nonempty_list_B_A",
            "separated_nonempty_list_B_A → A",
            "separated_nonempty_list_B_A → separated_nonempty_list_B_A B A",
            "option_separated_nonempty_list_B_A → ε",
            "option_separated_nonempty_list_B_A → separated_nonempty_list_B_A",
            "s → separated_list_B_A",
        ],
    );
    check(
        "s: delimited('(', A, ')');",
        &["delimited_'('_A_')' → '(' A ')'", "s → delimited_'('_A_')'"],
    );
    check("s: preceded(A, B);", &["preceded_A_B → A B", "s → preceded_A_B"]);
    check(
        "s: terminated(A, B) | ioption(B) A;",
        &["terminated_A_B → A B", "s → terminated_A_B", "s → A", "s → B A"],
    );
    check(
        "s: A?? <tag> B;",
        &[
            "option_A → ε",
            "option_A → A",
            "option_option_A → ε",
            "option_option_A → option_A",
            "s → option_option_A B",
        ],
    );
}

#[test]
fn own_parameterized_rules_and_inlined_ones() {
    check(
        "%token A B\n%rule pair(X, Y) <t>: X ',' Y { } | Y ;\n%%\ns: pair(A, B) | pair(A, B) A;",
        &["pair_A_B → A ',' B", "pair_A_B → B", "s → pair_A_B", "s → pair_A_B A"],
    );
    check(
        "%token N\n%rule %inline op: '+' { x } | '-' ;\n%%\ne: e op e { y } | N;",
        &["e → e '+' e", "e → e '-' e", "e → N"],
    );
    check(
        "%token N\n%rule %inline sign: | '-' ;\n%%\ne: sign N | sign | 'x';",
        &["e → N", "e → '-' N", "e → ε", "e → '-'", "e → 'x'"],
    );
    check(
        "%token N\n%rule %inline opt(X): | X N ;\n%rule word: N N;\n%%\ne: opt(N) opt(word);",
        &["word → N N", "e → ε", "e → word N", "e → N N", "e → N N word N"],
    );
    check("%token A\n%rule option(X): X X;\n%%\ns: A?;", &["option_A → A A", "s → option_A"]);
    check(
        "%token A\n%%\ns: list(A) option; option: A; list_A: A;",
        &["list_A_ → ε", "list_A_ → list_A_ A", "s → list_A_ option", "option → A", "list_A → A"],
    );
    // A parameter, a parameterized rule and a plain rule may share a name.
    check(
        "%token A\n%rule m(r): r | m(r) ',' r;\n%%\ns: m(r) m; m: '['[open] r ' '+; r: A;",
        &[
            "m_r → r",
            "m_r → m_r ',' r",
            "s → m_r m",
            "nonempty_list_' ' → ' '",
            "nonempty_list_' ' → nonempty_list_' ' ' '",
            "m → '[' r nonempty_list_' '",
            "r → A",
        ],
    );
    check(
        "%token A B\n%rule f(X): X {m} B;\n%%\ns: f(A) | {n} A;",
        &["$@1 → ε", "f_A → A $@1 B", "s → f_A", "$@2 → ε", "s → $@2 A"],
    );
}

#[test]
fn rules_are_alternations_of_plain_sequences() {
    let found = grammar("%%\na: b 'x' | ; b: 'y';");
    let body = |name: &str| {
        let rule = found.rule_named(name).expect("a rule");
        found.expr(found.rules()[rule].body).kind.clone()
    };
    let ExprKind::Alternation(alternatives) = body("a") else {
        panic!("a body is an alternation");
    };
    assert_eq!(alternatives.len(), 2);
    assert!(matches!(found.expr(alternatives[0].expr).kind, ExprKind::Sequence(_)));
}
