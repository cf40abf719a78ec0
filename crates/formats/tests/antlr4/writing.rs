//! Writing: a written grammar is read back as the same grammar, from every notation.

use std::collections::BTreeSet;
use std::path::Path;

use gramercy_base::{Id, Limits};
use gramercy_formats::{LoadOptions, Memory, WrittenFile, antlr4, load};
use gramercy_grammar::{
    Bnf, EofForm, Grammar, RuleKind, Symbol, TerminalId, TerminalKind, TextKind,
};
use gramercy_regular::Dfa;

use crate::collection::{entries, load_entry};
use crate::show::{grammar_of, load_files, load_text, show, show_terminal};

fn write(grammar: &Grammar) -> Vec<WrittenFile> {
    antlr4::write(grammar, &Limits::default()).expect("within the limits")
}

/// Reads the written files; the last one has the parser rules.
fn read_back(files: &[WrittenFile], start: &str) -> Grammar {
    let memory = files
        .iter()
        .fold(Memory::default(), |memory, file| memory.and(&file.name, file.text.clone()));
    let options = LoadOptions { start: Some(start.to_owned()), ..LoadOptions::default() };
    let main = &files.last().expect("a file").name;
    grammar_of(load(Path::new(main), &memory, &options))
}

fn start_of(grammar: &Grammar) -> &str {
    &grammar.rules()[grammar.start()].name
}

/// The productions of the BNF core by the names of their symbols.
fn productions(grammar: &Grammar) -> Vec<String> {
    let bnf = grammar.bnf(&grammar.graph(), &Limits::default()).expect("within the limits");
    let name = |symbol| match symbol {
        Symbol::Terminal(terminal) => show_terminal(grammar, terminal),
        Symbol::Nonterminal(_) => bnf.symbol_name(grammar, symbol).to_owned(),
    };
    bnf.productions()
        .map(|production| {
            let rhs: Vec<_> = bnf.rhs(production).iter().map(|&symbol| name(symbol)).collect();
            let lhs = name(Symbol::Nonterminal(bnf.lhs(production)));
            format!("{lhs}: {}", rhs.join(" "))
        })
        .collect()
}

/// The lexer: its rules in the order of each mode, its fragments, its channels.
fn lexis(grammar: &Grammar) -> Vec<String> {
    let rules = show(grammar);
    let lexicon = grammar.lexicon().expect("a lexer");
    let mut lines: Vec<_> =
        lexicon.channels.values().map(|channel| format!("channel {}", channel.name)).collect();
    for mode in lexicon.modes.values() {
        lines.push(format!("mode {}", mode.name));
        lines.extend(mode.rules.iter().map(|rule| rules[rule.index()].clone()));
    }
    let fragments =
        grammar.rules().iter().filter(|(_, rule)| matches!(rule.kind, RuleKind::Fragment { .. }));
    let fragments: BTreeSet<_> = fragments.map(|(id, _)| rules[id.index()].clone()).collect();
    lines.extend(fragments);
    lines
}

#[track_caller]
fn assert_same(grammar: &Grammar, files: &[WrittenFile], name: &str) {
    let again = read_back(files, start_of(grammar));
    let syntax = |grammar: &Grammar| {
        let rules = show(grammar);
        grammar.syntax_rules().map(|(id, _)| rules[id.index()].clone()).collect::<Vec<_>>()
    };
    assert_lines(&syntax(&again), &syntax(grammar), name);
    assert_lines(&productions(&again), &productions(grammar), name);
    if grammar.lexicon().is_some() {
        assert_lines(&lexis(&again), &lexis(grammar), name);
    }
}

/// Compares lists and shows only the first difference.
#[track_caller]
fn assert_lines(found: &[String], expected: &[String], name: &str) {
    let pairs = found.iter().zip(expected);
    if let Some((found, expected)) = pairs.clone().find(|(found, expected)| found != expected) {
        assert_eq!(found, expected, "{name}");
    }
    assert_eq!(found.len(), expected.len(), "{name}");
}

#[test]
fn the_collection_is_read_back() {
    for entry in entries() {
        let grammar = load_entry(&entry).grammar.expect("the collection loads");
        assert_same(&grammar, &write(&grammar), &entry.name);
    }
}

#[test]
fn all_parts_of_a_source_are_written() {
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let grammar = grammar_of(load_text(text));
        let files = write(&grammar);
        assert_eq!(files.last().expect("a file").text, expected);
        assert_same(&grammar, &files, text);
    }
    check(
        "grammar T; e : <assoc=right> l=e op=('^' | '*') r+=e # Power | ( | 'n' ) # Number ; \
         A : ~( 'a' | [b] )+? '\\'' -> channel(HIDDEN) ; B : . ; fragment F : ; C : F* 'x'?? ;",
        "grammar T;\n\ne\n    : <assoc=right> l=e op=('^' | '*') r=e # Power\n    | ( | 'n') # Number\n    ;\n\
         \nA : ~('a'|[b])+? '\\'' -> channel(HIDDEN) ;\n\nB : . ;\n\nfragment F : ;\n\nC : F* 'x'?? ;\n",
    );
    check(
        "grammar T; options { caseInsensitive = true; } s : 'a' ('b' 'c') () EOF ; X : [x-z] ; \
         Y options { caseInsensitive = false; } : [\\p{Lu}] ;",
        "grammar T;\n\noptions { caseInsensitive = true; }\n\ns : 'a' ('b' 'c') () EOF ;\n\
         \nX : [x-z] ;\n\nY options { caseInsensitive = false; } : [\\p{Lu}] ;\n",
    );
    check(
        "grammar T; s : A ~(A | 'b') . EOF | ; A : 'a' ; C : '\\u0062' ;",
        "grammar T;\n\ns\n    : A ~(A | 'b') . EOF\n    |\n    ;\n\nA : 'a' ;\n\nC : ('b') ;\n",
    );
    check(
        "grammar T; tokens { X } s : X A ; A : 'a' ;",
        "grammar T;\n\ntokens {\n    X\n}\n\ns : X A ;\n\nA : 'a' ;\n",
    );
}

#[test]
fn modes_require_two_files() {
    let lexer = "lexer grammar TLexer; tokens { X } channels { C } A : 'a' -> more, pushMode(M) ; \
        mode M; B : 'b' -> type(X), channel(C), popMode ; fragment F : 'f' ; D : F ;";
    let parser = "parser grammar TParser; options { tokenVocab = TLexer; } s : X D EOF ;";
    let files = Memory::with("TLexer.g4", lexer).and("TParser.g4", parser);
    let grammar = grammar_of(load_files(&files, "TParser.g4"));
    let files = write(&grammar);
    let texts: Vec<_> = files.iter().map(|file| (&*file.name, &*file.text)).collect();
    assert_eq!(
        texts,
        [
            (
                "TLexer.g4",
                "lexer grammar TLexer;\n\ntokens {\n    X\n}\n\nchannels {\n    C\n}\n\
            \nA : 'a' -> more, pushMode(M) ;\n\nfragment F : 'f' ;\n\nmode M;\n\
            \nB : 'b' -> type(X), channel(C), popMode ;\n\nD : F ;\n"
            ),
            (
                "TParser.g4",
                "parser grammar TParser;\n\noptions { tokenVocab = TLexer; }\n\ns : X D EOF ;\n"
            ),
        ]
    );
    assert_same(&grammar, &files, "modes");
}

fn load_as(extension: &str, text: &str) -> Grammar {
    let name = format!("T.{extension}");
    let files = Memory::with(&name, text);
    grammar_of(load(Path::new(&name), &files, &LoadOptions::default()))
}

/// A grammar in another notation, and the file that is written for it.
#[track_caller]
fn check_written(extension: &str, text: &str, expected: &str) {
    let files = write(&load_as(extension, text));
    assert_eq!(files.len(), 1, "{files:#?}");
    assert_eq!(files[0].text, expected);
    let start = if expected.contains("start_ :") { "start_" } else { "s" };
    read_back(&files, start);
}

#[test]
fn sets_that_would_be_widened_are_written_case_by_case() {
    let text = "grammar T; options { caseInsensitive = true; } s : A EOF ; A : 'k' [\\p{Lu}] ;";
    // The original spelling has the same meaning again.
    assert!(write(&grammar_of(load_text(text)))[0].text.contains("A : 'k' [\\p{Lu}] ;"));
    check_written(
        "gram",
        "S := X Y ; nocase token X := \"k1\" /[A-Z]/ ; nocase token Y := \"y\" [a-c] ;",
        "grammar T;\n\noptions { caseInsensitive = true; }\n\nstart_ : s EOF ;\n\ns : X Y ;\n\
         \nX options { caseInsensitive = false; } : ([Kk] [1]) [A-Z] ;\n\nY options { caseInsensitive = false; } : [Yy] [a-c] ;\n",
    );
}

#[test]
fn lexers_of_other_notations_are_written() {
    check_written(
        "gram",
        "Start := \"if\" id mode{2,4} ; token id := [a-z] /[a-z0-9]{0,2}/ ; mode := id | \"(\" ;
         skip ws := \" \"+ ; fragment f := \"f\" ; token \"then\" ;",
        "grammar T;\n\ntokens {\n    THEN\n}\n\nstart_ : start EOF ;\n\nstart : 'if' Id (mode_ mode_ (mode_ mode_?)?) ;\n\
         \nmode_\n    : Id\n    | '('\n    ;\n\nId : [a-z] ([0-9a-z] [0-9a-z]?)? ;\n\
         \nWs : ' '+ -> skip ;\n\nfragment F : 'f' ;\n",
    );
}

#[test]
fn tokens_without_lexer_are_declared_or_spelled() {
    check_written(
        "gram",
        "token number, plus \"+\", \"-\" ; Expr := Expr plus Expr | Expr \"-\" Expr | number ;",
        "parser grammar T;\n\ntokens {\n    Plus, MINUS, Number\n}\n\nstart_ : expr EOF ;\n\
         \nexpr\n    : expr Plus expr\n    | expr MINUS expr\n    | Number\n    ;\n",
    );
    check_written(
        "gram",
        "token number \"0\", \"-\" ; Expr := Expr \"-\" Expr | number ;",
        "grammar T;\n\nstart_ : expr EOF ;\n\nexpr\n    : expr '-' expr\n    | Number\n    ;\n\
         \nNumber : '0' ;\n\nWS : [ \\t\\r\\n]+ -> skip ;\n",
    );
}

#[test]
fn a_grammar_that_grows_too_large_is_not_written() {
    let grammar = load_as("gram", "S := (\"a\"{1000}){1000} ;");
    let limits = Limits { symbols: 100_000, ..Limits::default() };
    let reached = antlr4::write(&grammar, &limits).expect_err("too large");
    assert_eq!(
        reached.to_string(),
        "more than 100000 symbols after the expansion of repetitions; \
        raise the limit with --max-symbols"
    );
}

/// All texts up to a length that a grammar derives, if its terminals have the texts of `texts`; a
/// slow and simple oracle.
fn language(
    grammar: &Grammar,
    length: usize,
    texts: impl Fn(TerminalId) -> Vec<String>,
) -> BTreeSet<String> {
    let bnf = grammar.bnf(&grammar.graph(), &Limits::default()).expect("within the limits");
    let of_terminal: Vec<_> = bnf.terminals().map(texts).collect();
    let mut of_nonterminal = vec![BTreeSet::new(); bnf.nonterminals().len()];
    loop {
        let before: usize = of_nonterminal.iter().map(BTreeSet::len).sum();
        for production in bnf.productions() {
            let mut prefixes = BTreeSet::from([String::new()]);
            for &symbol in bnf.rhs(production) {
                let parts: Vec<&String> = match symbol {
                    Symbol::Terminal(id) => of_terminal[id.index()].iter().collect(),
                    Symbol::Nonterminal(id) => of_nonterminal[id.index()].iter().collect(),
                };
                let joined = prefixes
                    .iter()
                    .flat_map(|prefix| parts.iter().map(move |part| format!("{prefix}{part}")));
                prefixes = joined.filter(|text| text.chars().count() <= length).collect();
            }
            of_nonterminal[bnf.lhs(production).index()].extend(prefixes);
        }
        if of_nonterminal.iter().map(BTreeSet::len).sum::<usize>() == before {
            return of_nonterminal.swap_remove(start_symbol(&bnf).index());
        }
    }
}

fn start_symbol(bnf: &Bnf) -> gramercy_grammar::NonterminalId {
    assert!(bnf.nonterminals().values().all(|symbol| symbol.eof_form != EofForm::Tail));
    bnf.start()
}

/// All words over an alphabet up to a length.
fn words(alphabet: &str, length: usize) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut last = words.clone();
    for _ in 0..length {
        last = last.iter().flat_map(|w| alphabet.chars().map(move |c| format!("{w}{c}"))).collect();
        words.extend(last.iter().cloned());
    }
    words
}

#[test]
fn scannerless_grammars_keep_their_texts() {
    #[track_caller]
    fn check(native: &str, alphabet: &str) {
        check_texts("gram", native, alphabet);
    }
    #[track_caller]
    fn check_texts(extension: &str, text: &str, alphabet: &str) {
        const LENGTH: usize = 4;
        let words = words(alphabet, LENGTH);
        let grammar = load_as(extension, text);
        assert_eq!(grammar.text_kind(), TextKind::Scannerless);
        let before = language(&grammar, LENGTH, |id| match &grammar.terminals()[id].kind {
            TerminalKind::Literal(text) => vec![text.to_string()],
            TerminalKind::Chars(set) => {
                alphabet.chars().filter(|&c| set.contains(c.into())).map(String::from).collect()
            }
            TerminalKind::Regex { regex, .. } => {
                let dfa = Dfa::minimal(regex, &Limits::default()).expect("a small automaton");
                words.iter().filter(|word| dfa.matches(word)).cloned().collect()
            }
            other => panic!("{other:?} is no text"),
        });
        let files = write(&grammar);
        let again = read_back(&files, "start_");
        let after = language(&again, LENGTH, |id| token_texts(&again, id, alphabet));
        assert_eq!(after, before, "{text}\n{}", files[0].text);
        assert!(!before.is_empty(), "{text}");
    }
    check_texts("tribble", "S = /~(a*b|c)&[abc]{0,3}/ T ; T = \"c\" | /a&b/ ;", "abc");
    check("S := \"a\" S \"b\" | \"\" ;", "ab");
    check("S := \"ab\" | [a-c]+ \"'\" | \"\\\\\" ;", "abc'\\");
    check("S := X{2,3} Y{0,2} \"c\"{2,} | X{0} ; X := \"a\" ; Y := [^ab] ;", "abcd");
    check("S := /[ab]*c?|d{2}/ T ; T := /[a-d]{1,2}/ | \"\" ;", "abcd");
    check("Mode := EOF_ | [bcd-] ; EOF_ := \"a\" Mode \"c\" | [a-z] ;", "abcd-");
}

/// Found by mutation: ANTLR has labels only in parser rules.
#[test]
fn labels_in_lexical_rules_are_left_out() {
    let text = "S := T; token T := x=\"t\" y=(\"u\" | z=\"v\")* # Label;";
    let files = write(&load_as("gram", text));
    let again = read_back(&files, "s");
    assert!(again.lexicon().is_some(), "{files:?}");
}

/// ANTLR requires labels on all alternatives of a rule or on none, each in one rule only, and none
/// that is the name of a rule.
#[test]
fn labels_that_antlr_rejects_are_left_out() {
    let check = |text: &str, expected: bool| {
        let files = write(&load_as("gram", text));
        assert_eq!(files[0].text.contains("# "), expected, "{}", files[0].text);
        read_back(&files, "start_");
    };
    check("S := T \"a\" # One | T # Two; token T := \"t\";", true);
    check("S := T \"a\" # One | T; token T := \"t\";", false);
    check("S := U \"a\" # One; U := \"u\" # One; token T := \"t\";", false);
    check("S := U \"a\" # U; U := \"u\"; token T := \"t\";", false);
}

/// The texts of a token whose rule is one set or literal of one character.
fn token_texts(grammar: &Grammar, token: TerminalId, alphabet: &str) -> Vec<String> {
    let is_of = |rule: &gramercy_grammar::Rule| rule.token().is_some_and(|t| t.token == token);
    let Some(rule) = grammar.rules().values().find(|rule| is_of(rule)) else {
        return Vec::new();
    };
    let gramercy_grammar::ExprKind::Alternation(alternatives) = &grammar.expr(rule.body).kind
    else {
        unreachable!("a body is an alternation");
    };
    let gramercy_grammar::ExprKind::Terminal(id) = grammar.expr(alternatives[0].expr).kind else {
        panic!("one terminal");
    };
    match &grammar.terminals()[id].kind {
        TerminalKind::Literal(text) => vec![text.to_string()],
        TerminalKind::Chars(set) => {
            alphabet.chars().filter(|&c| set.contains(c.into())).map(String::from).collect()
        }
        other => panic!("{other:?} is not a character"),
    }
}
