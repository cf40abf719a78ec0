//! LR conflicts and their explanations.

use gramercy_base::{Diagnostic, Limits};
use gramercy_check::{Conflicts, Options};
use gramercy_parse::TextParser;
use gramercy_parse::count::TreeCount;

use crate::{Read, shown};

/// The findings about the conflicts of a grammar, all explained.
pub(crate) fn explained(read: &Read) -> Vec<Diagnostic> {
    explained_with(read, Options::default().effort)
}

/// The same, with a limited effort per conflict.
pub(crate) fn explained_with(read: &Read, effort: usize) -> Vec<Diagnostic> {
    let options = Options { conflicts: Conflicts::Explained, effort };
    let mut found = read.check(&options);
    found.retain(|it| it.code.name.contains("conflict"));
    found
}

/// Compares the findings of a yacc grammar without their summary.
fn check_findings(text: &str, expected: &[&str]) {
    let mut found = explained(&Read::new("a.y", text));
    found.pop_if(|it| it.code.name == "conflicts");
    assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), expected, "{text}");
}

/// Compares the notes of the first finding of a yacc grammar.
fn check_explanation(text: &str, expected: &[&str]) {
    let found = explained(&Read::new("a.y", text));
    assert_eq!(found[0].notes, expected, "{text}");
}

/// Reads every shown sentence with the parser: those of ambiguities must have at least two trees.
/// Returns the number of sentences.
pub(crate) fn read_examples(read: &Read, found: &[Diagnostic]) -> usize {
    let parser = TextParser::new(&read.grammar, &read.bnf, &Limits::default()).expect("a parser");
    let mut workspace = parser.workspace();
    // An input is words between spaces, so names with spaces are skipped.
    let names = read.grammar.terminals().values().map(|terminal| &*terminal.name);
    let unreadable: Vec<_> = names.filter(|name| name.contains(' ')).collect();
    let mut count = 0;
    for diagnostic in found {
        for (sentence, is_ambiguous) in examples(diagnostic) {
            if unreadable.iter().any(|name| sentence.contains(name)) {
                continue;
            }
            let words: Vec<_> = sentence.split(' ').filter(|&word| word != "•").collect();
            let parsed = parser.parse(&mut workspace, &words.join(" "));
            let trees = parsed.expect("a sentence").forest.count_trees();
            let one = TreeCount::Finite(1_u8.into());
            assert!(!is_ambiguous || trees != one, "{sentence} has one tree");
            count += 1;
        }
    }
    count
}

/// The complete sentences of an explanation, unless they are shortened, and whether they are
/// ambiguous.
fn examples(diagnostic: &Diagnostic) -> Vec<(&str, bool)> {
    let notes = || diagnostic.notes.iter();
    let behind = |mark: &'static str| {
        notes().filter_map(move |note| note.split_once(mark).map(|(_, rest)| rest))
    };
    let whole: Vec<_> = behind("a whole sentence: ").map(|it| (it, true)).collect();
    let form = behind("has two readings of: ").map(|it| (it, true));
    let ambiguous = if whole.is_empty() { form.collect() } else { whole };
    let ways = behind("leads to: ").map(|it| (it, false));
    ambiguous.into_iter().chain(ways).filter(|(text, _)| !text.ends_with('…')).collect()
}

#[test]
fn the_dangling_else_has_two_readings() {
    let text = "%% s: IF c THEN s | IF c THEN s ELSE s | A; c: B;";
    check_findings(
        text,
        &["shift-reduce-conflict: shift/reduce conflict on `ELSE`: the grammar is ambiguous"],
    );
    check_explanation(
        text,
        &[
            "`s` has two readings of: IF c THEN IF c THEN s • ELSE s",
            "first, reducing: s[IF c THEN s[IF c THEN s •] ELSE s]",
            "second, shifting: s[IF c THEN s[IF c THEN s • ELSE s]]",
            "a whole sentence: IF B THEN IF B THEN A • ELSE A",
            "in state 8",
        ],
    );
}

#[test]
fn operators_without_precedence_are_one_finding() {
    let text = "%% e: e '+' e | e '*' e | N;";
    check_findings(
        text,
        &[
            "shift-reduce-conflict: shift/reduce conflict on `'+'` and `'*'`: the grammar is ambiguous",
        ],
    );
    check_explanation(
        text,
        &[
            "`e` has two readings of: e '+' e • '+' e",
            "first, reducing: e[e[e '+' e •] '+' e]",
            "second, shifting: e[e '+' e[e • '+' e]]",
            "a whole sentence: N '+' N • '+' N",
            "the same with `e: e '*' e`",
            "in the states 6 and 7",
        ],
    );
}

#[test]
fn precedences_resolve_conflicts() {
    check_findings("%token N %left '+' '-' %left '*' %% e: e '+' e | e '*' e | N;", &[]);
    check_findings("%token N %nonassoc '<' %% e: e '<' e | N;", &[]);
    let unary = "%token N %left '-' %right UMINUS %% e: e '-' e | '-' e %prec UMINUS | N;";
    check_findings(unary, &[]);
    // Levels without associativity do not resolve ties.
    check_findings(
        "%token N %precedence '+' %% e: e '+' e | N;",
        &["shift-reduce-conflict: shift/reduce conflict on `'+'`: the grammar is ambiguous"],
    );
}

#[test]
fn two_reductions_of_one_sentence() {
    let text = "%% s: a | b; a: A; b: A;";
    check_findings(
        text,
        &[
            "reduce-reduce-conflict: reduce/reduce conflict on `end of input`: the grammar is ambiguous",
        ],
    );
    check_explanation(
        text,
        &[
            "`s` has two readings of: A •",
            "first, reducing: s[a[A •]]",
            "second, reducing the other: s[b[A •]]",
            "in state 1",
        ],
    );
}

#[test]
fn an_unambiguous_grammar_is_not_called_ambiguous() {
    // LR(2): the second token decides.
    let text = "%% s: a C D | b C E; a: A; b: A;";
    check_findings(
        text,
        &["reduce-reduce-conflict: reduce/reduce conflict on `C`: the next token does not decide"],
    );
    check_explanation(
        text,
        &[
            "reducing leads to: A • C D",
            "with: s[a[A •] C D]",
            "reducing the other leads to: A • C E",
            "with: s[b[A •] C E]",
            "in state 1",
        ],
    );
    // No number of tokens decides, but every sentence has one reading.
    let palindromes = "%% s: A s A | B s B | ;";
    for finding in explained(&Read::new("a.y", palindromes)) {
        assert!(!finding.message.contains("ambiguous"), "{finding:?}");
    }
}

#[test]
fn conflicts_of_lalr_only_are_recognized() {
    check_findings(
        "%% s: A a D | B b D | A b E | B a E; a: C; b: C;",
        &[
            "reduce-reduce-conflict: reduce/reduce conflict on `D` and `E`: only LALR(1) has this conflict",
        ],
    );
}

#[test]
fn the_end_of_input_is_a_token_like_others() {
    check_explanation(
        "%% s: s | A;",
        &[
            "`s` has two readings of: s •",
            "first, reducing: s[s •]",
            "second, shifting: s •",
            "a whole sentence: A •",
            "in state 2",
        ],
    );
}

#[test]
fn useless_rules_have_no_conflicts() {
    check_findings("%% s: A | x; x: x B x | x C;", &[]);
}

#[test]
fn auxiliary_nonterminals_are_shown_as_written() {
    let read = Read::new("a.g4", "grammar a; s: ('a'? 'b'?)+ EOF; ");
    let found = explained(&read);
    assert!(found.len() > 1, "{found:?}");
    assert!(found[0].notes[0].contains("('a'? 'b'?)+"), "{:?}", found[0].notes);
    let scannerless = Read::new("a.gram", r#"S := ("a" | "a" "a")* "c"?;"#);
    let found = explained(&scannerless);
    assert!(found.iter().all(|it| !it.message.contains("no example")), "{found:?}");
}

#[test]
fn notations_have_their_own_default() {
    let summary = |name: &str, text: &str| {
        let found = Read::new(name, text).check(&Options::default());
        found.iter().map(shown).collect::<Vec<_>>()
    };
    // ANTLR's parser does not meet them.
    let text = "grammar a; s: e EOF; e: e '+' e | 'n';";
    assert_eq!(summary("a.g4", text), [""; 0]);
    assert_eq!(summary("a.gram", r#"E := E "+" E | "n";"#), [""; 0]);
    assert_eq!(
        summary("a.gram", r#"E := E "+" E | N; token N := "n";"#),
        ["conflicts: LALR(1) leaves 1 shift/reduce conflict unresolved"]
    );
    assert_eq!(summary("a.y", "%% e: e '+' e | N;").len(), 2);
}

#[test]
fn work_is_bounded_and_the_rest_is_counted() {
    let read = Read::new("a.y", "%% s: a C D | b C E; a: A; b: A;");
    let options = Options { conflicts: Conflicts::Explained, effort: 0 };
    let found = read.check(&options);
    assert_eq!(
        shown(&found[0]),
        "reduce-reduce-conflict: reduce/reduce conflict on `C`: no example was found"
    );
    assert_eq!(found[1].notes[0], "their causes: 1 without an example");
}

#[test]
fn shown_sentences_can_be_parsed() {
    let check = |text: &str, expected: usize| {
        let read = Read::new("a.y", text);
        assert_eq!(read_examples(&read, &explained(&read)), expected, "{text}");
    };
    check("%% s: IF c THEN s | IF c THEN s ELSE s | A; c: B;", 1);
    check("%% s: a C D | b C E; a: A; b: A;", 2);
    check("%% e: e '+' e | e '*' e | N;", 1);
    check("%% d: d d | '[' d ']' | ;", 7);
}

/// Compares the default output about the conflicts of a grammar whose file expects some.
#[track_caller]
fn check_expected(declarations: &str, expected: &[&str]) {
    let rules = "e: e '+' e | 'n' | a | b; a: 'x'; b: 'x';";
    let read = Read::new("a.y", &format!("{declarations}\n%%\n{rules}"));
    let found = read.check(&Options::default());
    let found = found.iter().filter(|it| it.code.name.contains("conflict")).map(|it| {
        let notes = it.notes.iter().filter(|note| note.contains("expects"));
        let notes: String = notes.map(|note| format!(", {note}")).collect();
        format!("{}{notes}", shown(it))
    });
    assert_eq!(found.collect::<Vec<_>>(), expected, "{declarations}");
}

/// The numbers are bison's: one shift/reduce conflict at `+`, and two reduce/reduce ones, before `+`
/// and at the end.
#[test]
fn conflicts_are_compared_with_those_that_the_file_expects() {
    let all = "conflicts: LALR(1) leaves 1 shift/reduce conflict and 2 reduce/reduce conflicts unresolved";
    check_expected("%expect 1 %expect-rr 2", &[&format!("{all}, as many as the file expects")]);
    let reduces = "conflicts: LALR(1) leaves 2 reduce/reduce conflicts unresolved";
    let right = format!("{reduces}, as many as the file expects");
    check_expected("%left '+' %expect-rr 2", &[&right]);
    check_expected("%left '+' %expect 0 %expect-rr 2", &[&right]);
    let found = Read::new("a.y", "%expect 2\n%%\ne: e '+' e | 'n';").check(&Options::default());
    assert!(found.iter().any(|it| shown(it)
        == "unexpected-conflicts: the file expects 2 shift/reduce conflicts, but LALR(1) has 1 \
            shift/reduce conflict"));
    let found = Read::new("a.y", "%expect 1\n%%\ne: 'n';").check(&Options::default());
    assert!(found.iter().any(|it| shown(it)
        == "unexpected-conflicts: the file expects 1 shift/reduce conflict, but LALR(1) has no \
            conflicts"));
}

/// bison also counts conflicts of ignored productions, or of a different automaton.
#[test]
fn expectations_that_cannot_be_compared_are_not() {
    let check = |text: &str| {
        let found = Read::new("a.y", text).check(&Options::default());
        assert!(found.iter().all(|it| it.code.name != "unexpected-conflicts"), "{text}");
    };
    check("%expect 7\n%%\ne: e '+' e | 'n' | error;");
    check("%define lr.type ielr\n%expect 7\n%%\ne: e '+' e | 'n';");
    check("%define lr.type {canonical-lr} %expect 7\n%%\ne: e '+' e | 'n';");
}
