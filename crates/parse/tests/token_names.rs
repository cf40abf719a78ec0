//! Grammars of tokens only: what the writer writes, the parser reads as the same tokens, however similar the names
//! and texts of the tokens are.

use gramercy_base::Limits;
use gramercy_formats::{LoadOptions, Memory, load};
use gramercy_grammar::{Bnf, Grammar, GrammarGraph, TerminalId};
use gramercy_lexis::{Choice, Spacing, WriteOptions, Writer, Written};
use gramercy_parse::TextParser;

fn grammar(text: &str) -> Grammar {
    let files = Memory::with("g.y", text);
    let loaded = load("g.y".as_ref(), &files, &LoadOptions::default());
    loaded.grammar.expect("a grammar")
}

/// All token strings of up to three tokens.
fn strings(grammar: &Grammar) -> Vec<Vec<TerminalId>> {
    let ids: Vec<TerminalId> = grammar.terminals().ids().collect();
    let mut all = vec![vec![]];
    let mut longest = all.clone();
    for _ in 0..3 {
        let longer = |string: &Vec<TerminalId>| {
            ids.iter().map(|&id| [string.clone(), vec![id]].concat()).collect::<Vec<_>>()
        };
        longest = longest.iter().flat_map(longer).collect();
        all.extend(longest.iter().cloned());
    }
    all
}

fn check(text: &str) {
    let grammar = grammar(text);
    let graph = GrammarGraph::new(&grammar);
    let bnf = Bnf::new(&grammar, &graph, &Limits::default()).expect("a small grammar");
    let parser = TextParser::new(&grammar, &bnf, &Limits::default()).expect("a parser");
    for spacing in [Spacing::Minimal, Spacing::Newline] {
        let options = WriteOptions { spacing, ..WriteOptions::default() };
        let mut writer = Writer::new(&grammar, &options).expect("a writer");
        for string in strings(&grammar) {
            let mut written = Written::default();
            let choice = Choice { seed: 0, test: 0, fixed: &[] };
            writer.write_into(&string, &choice, &mut written).expect("a text");
            let (tokens, stopped) = parser.tokens(&mut parser.workspace(), &written.text);
            let read: Vec<_> = tokens.iter().filter_map(|token| token.terminal).collect();
            let names = |ids: &[TerminalId]| {
                ids.iter().map(|&id| grammar.terminals()[id].name.clone()).collect::<Vec<_>>()
            };
            assert!(stopped.is_none(), "{:?} of {:?}", written.text, names(&string));
            assert_eq!(names(&read), names(&string), "{:?}", written.text);
        }
    }
    assert!(grammar.terminals().len() > 1, "{}", grammar.terminals().ids().count());
}

#[test]
fn a_name_and_a_quoted_text_that_are_alike() {
    check("%%\ns : 'array' array ;\n");
    check("%token array\n%%\ns : array 'array' ;\n");
    check("%token A \"B\"\n%token B \"A\"\n%%\ns : A B ;\n");
    check("%token A \"x\"\n%token B \"x\"\n%%\ns : A B ;\n");
}

#[test]
fn texts_with_white_space() {
    check("%token E \"end of file\"\n%token end of file\n%%\ns : E end of file ;\n");
    check("%token A \"a b\"\n%token a b\n%%\ns : A a b ;\n");
    check("%token A \"a b\"\n%token a\n%%\ns : A a ;\n");
    check("%%\ns : '\\n' 'x' '\\t' ;\n");
    check("%%\ns : ' ' 'x' ;\n");
    check("%token A \" x\"\n%%\ns : A 'x' ;\n");
}
