//! The lexers of real grammars.

use std::path::Path;

use gramercy_formats::{Disk, LoadOptions, load};
use gramercy_grammar::{Grammar, TerminalId, TerminalKind};
use gramercy_lexis::{Choice, Dfa, Inventory, Lexer, Writable, WriteOptions, Writer};

use gramercy_testkit::random::Random;

/// Every grammar of the collection that lies beside the checkout, by name.
fn grammars() -> impl Iterator<Item = (String, Grammar)> {
    let folder = gramercy_testkit::shared("antlr");
    let index = folder.as_ref().map(|folder| {
        std::fs::read_to_string(folder.join("index.tsv")).expect("an index of the collection")
    });
    let lines: Vec<String> = index.iter().flat_map(|i| i.lines().skip(1)).map(Into::into).collect();
    lines.into_iter().map(move |line| {
        let fields: Vec<_> = line.split('\t').collect();
        let files: Vec<_> = fields[1].split('+').collect();
        let file = files.iter().find(|file| file.contains("Parser")).unwrap_or(&files[0]);
        let path = folder.as_deref().unwrap_or(Path::new("")).join(fields[0]).join(file);
        let options = LoadOptions { start: Some(fields[2].to_owned()), ..LoadOptions::default() };
        let loaded = load(&path, &Disk, &options);
        let grammar = loaded.grammar.unwrap_or_else(|| panic!("{line}: {:?}", loaded.diagnostics));
        (fields[0].to_owned(), grammar)
    })
}

fn tokens(grammar: &Grammar) -> Vec<TerminalId> {
    let used = grammar.terminals().iter().take(grammar.syntax_terminals());
    let is_token = |kind: &TerminalKind| matches!(kind, TerminalKind::Token { .. });
    used.filter(|(_, terminal)| is_token(&terminal.kind)).map(|(id, _)| id).collect()
}

#[test]
fn every_token_has_a_lexeme_or_no_mode_makes_it() {
    for (name, grammar) in grammars() {
        let options = WriteOptions::default();
        let lexer = Lexer::new(&grammar, &options.limits).expect("a lexer");
        let mut dfa = Dfa::new(&lexer, options.limits.states);
        let inventory = Inventory::new(&grammar, &lexer, &mut dfa).expect("an inventory");
        let mut writer = Writer::new(&grammar, &options).expect("a writer");
        for token in tokens(&grammar) {
            let missing = inventory.missing.contains(&token);
            let lexemes = writer.lexemes_of(token);
            let terminal = &grammar.terminals()[token].name;
            assert_eq!(lexemes.is_empty(), missing, "{name}: {terminal} as {lexemes:?}");
        }
    }
}

#[test]
fn random_token_strings_are_read_back() {
    for (name, grammar) in grammars() {
        let mut writer = Writer::new(&grammar, &WriteOptions::default()).expect("a writer");
        let (tokens, mut random) = (tokens(&grammar), Random(7));
        let (mut written, mut tried) = (0, 0);
        for test in 0..300 {
            let (mut modes, mut string) = (writer.start_modes(), Vec::new());
            for _ in 0..12 {
                let token = *random.pick(&tokens);
                if let Writable::Yes(next) = writer.can_write(modes, token) {
                    string.push(token);
                    modes = next;
                }
            }
            // Pairs and longer strings.
            string.truncate(if test % 2 == 0 { 2 } else { 12 });
            tried += 1;
            if let Ok(text) = writer.write(&string, &Choice { seed: 1, test, fixed: &[] }) {
                written += 1;
                assert!(writer.reads_back(&text), "{name}: {text:?}");
            }
        }
        assert!(written * 3 > tried, "{name}: {written} of {tried}");
    }
}
