//! The text of a random tree lexes to its tokens and parses to a forest that contains the tree: random
//! grammars with random lexers, and real grammars.

use std::path::{Path, PathBuf};

use gramercy_formats::Memory;
use gramercy_grammar::{NoteKind, TerminalKind};
use gramercy_language::Language;
use gramercy_lexis::{Lexemes, Spacing, WriteOptions};
use gramercy_proof::antlr::subject;
use gramercy_proof::languages::{self, has_note};
use gramercy_proof::round_trip::{complaint, texts};
use gramercy_testkit::random::Random;
use gramercy_testkit::random_lexer::{Features, random_lexer};

/// The number of texts, and of trees without one.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    made: usize,
    unwritten: usize,
}

/// Writes random trees of a language and reads them back.
fn check(name: &str, language: &Language, options: &WriteOptions, count: usize) -> Counts {
    let mut writer = language.writer(options).expect("a writer");
    let texts = texts(language, &mut writer, count, 40, 7);
    let mut workspace = language.parser().expect("a parser").workspace();
    for made in &texts.made {
        if let Some(complaint) = complaint(language, &mut workspace, made) {
            panic!("{name}: {complaint}");
        }
    }
    Counts { made: texts.made.len(), unwritten: texts.unwritten.len() + texts.ruled_out }
}

/// The parser rules of a random grammar over tokens of these names.
fn random_parser(random: &mut Random, tokens: &[String]) -> String {
    let rules = 1 + random.below(4);
    let mut text = String::new();
    for rule in 0..rules {
        let mut alternatives = Vec::new();
        for _ in 0..=random.below(3) {
            let items: Vec<_> = (0..random.below(4)).map(|_| item(random, tokens, rules)).collect();
            alternatives.push(items.join(" "));
        }
        // One alternative without recursion.
        alternatives.push(random.pick(tokens).clone());
        let end = if rule == 0 && random.one_in(2) { " EOF" } else { "" };
        text += &format!("r{rule} : ({}){end} ;\n", alternatives.join(" | "));
    }
    text
}

fn item(random: &mut Random, tokens: &[String], rules: usize) -> String {
    let atom = match random.below(8) {
        0..=2 => format!("r{}", random.below(rules)),
        3 => format!("({} | {})", random.pick(tokens), random.pick(tokens)),
        4 => format!("~{}", random.pick(tokens)),
        _ => random.pick(tokens).clone(),
    };
    format!("{atom}{}", random.pick(&["", "", "", "?", "*", "+", "*?"]))
}

/// A random grammar, if it is valid.
fn random_language(seed: u64, features: &Features) -> Option<(String, Language)> {
    let mut random = Random(seed << 20);
    let lexer = random_lexer(&mut random, features);
    let names = lexer.lines().filter(|line| line.starts_with('T'));
    let names: Vec<_> =
        names.filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
    let parser = random_parser(&mut random, &names);
    let files =
        Memory::with("P.g4", format!("parser grammar P; options {{ tokenVocab = L; }}\n{parser}"))
            .and("L.g4", format!("lexer grammar L;\n{lexer}"));
    let language = languages::read_from(Path::new("P.g4"), &files, None).ok()?;
    Some((format!("seed {seed}:\n{parser}{lexer}"), language))
}

fn check_random(seeds: std::ops::Range<u64>, features: &Features) {
    let (mut languages, mut sum) = (0, Counts::default());
    for (name, language) in seeds.filter_map(|seed| random_language(seed, features)) {
        languages += 1;
        for (lexemes, spacing) in [
            (Lexemes::Varied, Spacing::Minimal),
            (Lexemes::Random, Spacing::Minimal),
            (Lexemes::Shortest, Spacing::Newline),
        ] {
            let options = WriteOptions { lexemes, spacing, ..WriteOptions::default() };
            let counts = check(&name, &language, &options, 10);
            sum.made += counts.made;
            sum.unwritten += counts.unwritten;
        }
    }
    assert!(languages > 20 && sum.made > languages * 12, "{languages} languages: {sum:?}");
}

#[test]
fn random_grammars_with_random_lexers() {
    check_random(0..60, &Features::ALL);
}

#[test]
fn random_grammars_with_plain_lexers() {
    let plain =
        Features { modes: 1, recursion: false, eof: false, commands: false, ..Features::ALL };
    check_random(500..540, &plain);
}

/// The grammars of the project itself.
fn own_grammars() -> Vec<PathBuf> {
    let mut files = gramercy_testkit::files_in(&gramercy_testkit::examples(), &["gram", "g4", "y"]);
    files.retain(|path| !path.to_string_lossy().ends_with("Lexer.g4"));
    files
}

#[test]
fn every_example_grammar() {
    for path in own_grammars() {
        let language = languages::read(&path, None).expect("an example");
        for lexemes in [Lexemes::Varied, Lexemes::Random] {
            let options = WriteOptions { lexemes, ..WriteOptions::default() };
            let name = path.display().to_string();
            let Counts { made, unwritten } = check(&name, &language, &options, 20);
            // Tokens without a text are written by their names.
            assert_eq!((made, unwritten), (20, 0), "{name}");
        }
    }
}

#[test]
fn grammars_of_the_collection() {
    for subject in subject::collection().expect("a collection") {
        let language = languages::read(&subject.main, subject.start.as_deref()).expect("a grammar");
        if has_note(&language, NoteKind::Predicate) || has_note(&language, NoteKind::HostCode) {
            continue;
        }
        let Counts { made, .. } = check(&subject.name, &language, &WriteOptions::default(), 5);
        assert_eq!(made, 5, "{}", subject.name);
    }
}

/// The grammars of other notations next to the checkout.
#[test]
fn other_notations_of_the_collection() {
    for (folder, extensions) in [("tribble", &["tribble", "scala"][..]), ("pytomata", &["y"])] {
        let Some(folder) = gramercy_testkit::shared(folder) else { continue };
        for path in gramercy_testkit::files_in(&folder, extensions) {
            let name = path.display().to_string();
            // The user must choose the start rule of a grammar with several roots.
            let Ok(language) = languages::read(&path, None) else { continue };
            let Counts { made, .. } = check(&name, &language, &WriteOptions::default(), 5);
            let textless = language.grammar().terminals().values().any(
                |terminal| matches!(&terminal.kind, TerminalKind::Chars(set) if set.is_empty()),
            );
            assert!(made == 5 || textless, "{name}: {made}");
        }
    }
}
