//! The structure inside token rules as targets, measured on lexemes.

use gramercy_base::Draw;
use gramercy_coverage::criteria::lexeme::Lexemes;
use gramercy_coverage::witness::Witness;
use gramercy_coverage::{CountedTrees, Criterion, CriterionSpec, Lexeme, Measure};
use gramercy_formats::{LoadOptions, Memory};
use gramercy_grammar::RuleId;
use gramercy_language::Language;
use gramercy_lexis::{WriteOptions, Writer};

fn language(file: &str, text: &str) -> Language {
    Language::from_text(file, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A grammar of any tokens with these lexer rules.
fn lexer(rules: &str) -> Language {
    language("G.g4", &format!("grammar G; s : .*? EOF ; {rules}"))
}

/// Compares what texts cover: the number of targets, of coverable ones, and the covered ones.
fn check(language: &Language, k: u32, counts: (u64, u64), cases: &[(&str, &[&str])]) {
    let spec: CriterionSpec = format!("lexeme:{k}").parse().expect("a criterion");
    let criterion = spec.build(language).expect("small");
    assert_eq!((criterion.targets(), criterion.coverable()), counts);
    let parser = language.parser().expect("small");
    let productions = language.bnf().production_count();
    let measure =
        Measure { parser, criteria: vec![criterion], productions, trees: CountedTrees::All };
    let mut workspace = parser.workspace();
    for (text, expected) in cases {
        let covered = measure.text(&mut workspace, text).expect("in the language");
        let criterion = &measure.criteria[0];
        let mut found: Vec<_> = covered.targets[0].iter().map(|t| criterion.describe(t)).collect();
        found.sort();
        assert_eq!(found, *expected, "{text:?}");
    }
}

#[test]
fn branches_and_fragments_are_nodes() {
    let rules = "N : D+ ('.' D+)? ; fragment D : [0-4] | [5-9] ; W : ' ' -> skip ;";
    // N: two references and the point; D: two classes; W: one blank.
    check(
        &lexer(rules),
        1,
        (6, 6),
        &[
            ("1", &["N: D (. D+)?", "N: [0-4]"]),
            ("", &[]),
            ("7.3", &["N: D (. D+)?", "N: D+ . D", "N: D+ . D+", "N: [0-4]", "N: [5-9]"]),
            ("5 6", &["N: D (. D+)?", "N: [5-9]", "W: \u{20}"]),
        ],
    );
}

#[test]
fn skipped_and_kept_matches_count_too() {
    let rules = "parser grammar P; options { tokenVocab = L; } s : S* EOF ;";
    let lexer = "lexer grammar L; O : '\"' -> more, mode(IN); C : '/*' 'x'* '*/' -> skip;
        H : '#' -> channel(HIDDEN); mode IN; X : 'a' | 'b' -> more; S : '\"' -> mode(DEFAULT_MODE);";
    let files = Memory::with("P.g4", rules).and("L.g4", lexer);
    let language = Language::read_from("P.g4", &files, &LoadOptions::default());
    check(
        &language.expect("a grammar"),
        1,
        (8, 8),
        &[
            ("#", &["H: #"]),
            ("/**/", &["C: /* x* */", "C: /* x* */"]),
            ("/*x*/", &["C: /* x */", "C: /* x* */", "C: /* x* */"]),
            ("\"b\"", &["O: \\\"", "S: \\\"", "X: b"]),
        ],
    );
}

#[test]
fn the_end_of_input_is_covered_only_where_it_is() {
    let rules = "L : '#' ('x' | EOF | ) ; ";
    check(
        &lexer(rules),
        1,
        (4, 4),
        &[
            ("#x", &["L: # (x | EOF | ε)", "L: # x"]),
            ("##x", &["L: # (x | EOF | ε)", "L: # x", "L: # ε"]),
            ("#", &["L: # (x | EOF | ε)", "L: # EOF", "L: # ε"]),
        ],
    );
}

#[test]
fn rules_may_be_recursive_and_ignore_case() {
    check(
        &lexer("C : '(' (C | 'a')* ')' ;"),
        2,
        (4, 4),
        &[("(a)", &[]), ("((a))", &["C: ( ( (C | a)* ) )", "C: ( ( (C | a)* ) )", "C: ( ( a ) )"])],
    );
    check(
        &lexer("options { caseInsensitive = true; } K : 'if' | 'then' ;"),
        1,
        (2, 2),
        &[("iFIF", &["K: 'if'"]), ("THEN", &["K: 'then'"])],
    );
}

#[test]
fn grammars_without_lexical_rules_have_no_targets() {
    check(&language("a.gram", "S := \"a\" | \"b\";"), 1, (0, 0), &[("a", &[])]);
    check(&language("a.y", "%token A B\n%%\ns : A | B ;\n"), 2, (0, 0), &[("A", &[])]);
}

#[test]
fn literals_in_syntax_rules_have_no_targets() {
    let combined = language("G.g4", "grammar G; s : 'if' ID EOF ; ID : [a-z]+ ; W : ' ' -> skip ;");
    check(&combined, 1, (2, 2), &[("if x", &["ID: [a-z]", "W:  "])]);
}

#[test]
fn what_derives_nothing_is_not_coverable() {
    let language = lexer("A : 'a' | 'b' B ; fragment B : 'c' B ;");
    // The second alternative of A needs B, which never ends.
    check(&language, 1, (5, 1), &[("a", &["A: a"])]);
    let criterion = Lexemes::new(&language, 1).expect("small");
    let uncoverable = (0..criterion.targets()).filter(|&t| criterion.uncoverable(t).is_some());
    assert_eq!(uncoverable.count(), 4);
}

/// The token rules of a grammar with targets that can be covered.
fn coverable_rules(grammar: &str) -> Vec<String> {
    let language = language("G.g4", grammar);
    let criterion = Lexemes::new(&language, 1).expect("small");
    let all = (0..criterion.targets()).filter(|&t| criterion.uncoverable(t).is_none());
    let coverable: Vec<_> = all.collect();
    assert_eq!(criterion.coverable(), coverable.len() as u64, "{grammar}");
    let name = |&target: &u64| language.grammar().rules()[criterion.rule(target)].name.to_string();
    let mut names: Vec<_> = coverable.iter().map(name).collect();
    names.dedup();
    names
}

#[test]
fn tokens_that_no_parser_rule_uses_are_not_coverable() {
    let check = |syntax: &str, lexer: &str, expected: &[&str]| {
        assert_eq!(coverable_rules(&format!("grammar G; {syntax} {lexer}")), expected, "{lexer}");
    };
    // C and D make tokens that are in no input; what the parser does not see may be in all of them.
    let rules = "A : 'a' ; B : 'b' ; C : 'c' D ; D : [0-9]+ ; S : ' ' -> skip ; H : '#' -> channel(HIDDEN) ;";
    check("s : A B* EOF ;", rules, &["A", "B", "S", "H"]);
    // A rule that the start rule does not reach uses nothing.
    check("s : A EOF ; t : B ;", rules, &["A", "S", "H"]);
    // Any token, and any but one.
    check("s : . EOF ;", rules, &["A", "B", "C", "D", "S", "H"]);
    check("s : ~A EOF ;", rules, &["B", "C", "D", "S", "H"]);
    // A command gives the token another type, or keeps the text for another rule.
    check(
        "s : A EOF ;",
        "A : 'a' ; B : 'b' -> type(A) ; C : 'c' -> more ; D : 'd' ;",
        &["A", "B", "C"],
    );
    check("s : A EOF ;", "A : 'a' ; B : 'b' -> type(C) ; C : 'c' ;", &["A"]);
}

#[test]
fn a_lexeme_that_its_rule_does_not_derive_covers_nothing() {
    let language = lexer("A : 'a' | 'b' ;");
    let criterion = Lexemes::new(&language, 1).expect("small");
    let rule = language.grammar().rule_named("A").expect("a rule");
    let covered = |text| criterion.covered_by(&Lexeme { rule, text, is_last: true }).len();
    assert_eq!([covered("a"), covered("b"), covered("c"), covered("")], [1, 1, 0, 0]);
    assert_eq!(criterion.targets_of(rule), 0..2);
}

/// The lexemes that cover all targets of a rule, each approved of by the lexer, and what is missing.
fn covering(language: &Language, rule: &str, k: u32) -> (Vec<String>, Vec<String>) {
    let criterion = Lexemes::new(language, k).expect("small");
    let rule = language.grammar().rule_named(rule).expect("a rule");
    let options = WriteOptions::default();
    let mut writer = language.writer(&options).expect("a writer");
    let matching = writer.matching(rule).expect("a rule of the lexer");
    let (found, missing) = criterion.cover_rule(rule, |_| true, matching);
    let mut covered: Vec<_> = Vec::new();
    for Witness { text, at_end } in &found {
        let lexeme = Lexeme { rule, text, is_last: *at_end };
        covered.extend(criterion.covered_by(&lexeme).iter().copied());
    }
    let targets = criterion.targets_of(rule).filter(|&t| criterion.uncoverable(t).is_none());
    for target in targets.filter(|target| !missing.contains(target)) {
        assert!(covered.contains(&target), "{}", criterion.describe(target));
    }
    let texts = found.into_iter().map(|witness| witness.text).collect();
    (texts, missing.into_iter().map(|target| criterion.describe(target)).collect())
}

#[test]
fn lexemes_are_found_for_every_path() {
    let check = |rules: &str, rule: &str, k: u32, expected: &[&str], missing: &[&str]| {
        let (found, left) = covering(&lexer(rules), rule, k);
        assert_eq!((&found[..], &left[..]), (&strings(expected)[..], &strings(missing)[..]));
    };
    check("N : D+ ('.' D+)? ; fragment D : [0-4] | [5-9] ;", "N", 1, &["0.0", "5"], &[]);
    check("S : '\"' ('a' | ESC)* '\"' ; fragment ESC : '\\\\' [nt] ;", "S", 2, &["\"\\n\""], &[]);
    check("C : '(' (C | 'a')* ')' ;", "C", 2, &["((()))", "((a))"], &[]);
    check("L : '#' ('x' | EOF) ;", "L", 1, &["#x", "#"], &[]);
}

/// An identifier is never a keyword, and what only keywords could cover is said to be missing.
#[test]
fn lexemes_are_what_the_lexer_takes_them_for() {
    let rules = "IF : 'i' 'f' ; K : 'x' ; ID : 'i' [a-z] | 'x' | 'y' Z? ; fragment Z : 'z' ;";
    let (found, missing) = covering(&lexer(rules), "ID", 1);
    assert!(!found.contains(&"if".to_owned()) && !found.contains(&"x".to_owned()), "{found:?}");
    assert_eq!(missing, ["ID: x"]);
}

/// What only texts cover that end later than those of the rule before.
#[test]
fn lexemes_are_as_long_as_the_lexer_needs_them() {
    let comments = "TAG : '<' .*? '>' ; DATA : '<d' .*? ']>' ;";
    let (found, missing) = covering(&lexer(comments), "DATA", 1);
    assert_eq!((found, missing), (vec!["<d>]>".to_owned()], vec![]));
    // A line is only ended by its end, so nothing is left of it for another rule.
    let line = "LINE : '#' ~[\\n]* ('\\n' | EOF) ; OTHER : [!#] ;";
    assert_eq!(covering(&lexer(line), "OTHER", 1), (vec!["!".to_owned()], vec![]));
    let (found, missing) = covering(&lexer("WORD : [a-z] [a-z] [a-z] ; ID : [a-z]+ ;"), "ID", 1);
    assert_eq!((found, missing), (vec!["a".to_owned()], vec![]));
}

/// Rules that refer to themselves have endlessly many ways to go on.
#[test]
fn lexemes_of_recursive_rules_are_found_behind_others() {
    let rules = "A : '(' (A | .)*? ')' ; C : '(' (C | .)* ')' ;";
    let (_, missing) = covering(&lexer(rules), "C", 3);
    assert_eq!(missing, strings(&[]));
}

/// Whatever some short text covers that the lexer takes for a rule is found.
#[test]
fn nothing_is_missing_that_a_short_text_covers() {
    let (mut missed, mut found) = (0, 0);
    for number in 0..300 {
        let draw = &mut Draw::new([number, 7, 0, 0]);
        let names = ["A", "B", "C"];
        let rules = names.map(|name| format!("{name} : {} ;", random_body(3, draw)));
        let language = lexer(&rules.concat());
        let mut writer = language.writer(&WriteOptions::default()).expect("a writer");
        for name in names {
            let rule = language.grammar().rule_named(name).expect("a rule");
            let lexemes = short_lexemes(rule, &mut writer);
            for k in 1..=2 {
                let criterion = Lexemes::new(&language, k).expect("small");
                let matching = writer.matching(rule).expect("a rule of the lexer");
                let (_, missing) = criterion.cover_rule(rule, |_| true, matching);
                for text in &lexemes {
                    let covered = criterion.covered_by(&Lexeme { rule, text, is_last: false });
                    let lost = covered.iter().find(|target| missing.contains(target));
                    assert_eq!(lost, None, "{number} {name} {k} {text} {rules:?}");
                }
                missed += missing.len();
                found += criterion.targets_of(rule).count() - missing.len();
            }
        }
    }
    assert!(missed > 100 && found > 2000, "{missed} targets without a text, {found} with one");
}

/// The short texts that the lexer takes for a rule, where the input ends or something follows.
fn short_lexemes(rule: RuleId, writer: &mut Writer<'_>) -> Vec<String> {
    let mut is_match = |text: &String| {
        ["", "a", "b", "c", "!"].iter().any(|behind| {
            let matches = writer.matches(&[text, *behind].concat());
            matches.first() == Some(&(rule, 0..text.len()))
        })
    };
    texts(5).into_iter().filter(|text| is_match(text)).collect()
}

/// All texts of up to this number of characters, but for the empty one.
fn texts(longest: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..longest {
        let end = all.len();
        for at in from..end {
            for c in ['a', 'b', 'c'] {
                all.push(format!("{}{c}", all[at]));
            }
        }
        from = end;
    }
    all.split_off(1)
}

fn random_body(depth: usize, draw: &mut Draw) -> String {
    let below = depth.saturating_sub(1);
    match draw.below(if depth == 0 { 2 } else { 7 }) {
        0 | 1 => ["'a'", "'b'", "'c'", "[ab]", "'bc'", "."][draw.below(6)].to_owned(),
        2 | 3 => format!("{} {}", random_body(below, draw), random_body(below, draw)),
        4 => format!("( {} | {} )", random_body(below, draw), random_body(below, draw)),
        _ => {
            let quantifier = ["?", "*", "+", "*?", "+?"][draw.below(5)];
            format!("( {} ){quantifier} 'a'", random_body(below, draw))
        }
    }
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}
