//! A text recognizer that goes back and forth against reading every text from the start: the same verdicts, places and
//! expectations, on random grammars, with random lexers and without.

use std::path::Path;

use gramercy_base::Limits;
use gramercy_formats::{LoadOptions, Memory, load};
use gramercy_parse::{TextParser, TextRecognizer};
use gramercy_testkit::random::Random;
use gramercy_testkit::random_lexer::{Features, LETTERS, random_lexer, random_text};

/// Recursive rules are compared where lexers are tested alone: their automata may grow without end.
const FEATURES: Features = Features { recursion: false, ..Features::ALL };

fn parser(files: &Memory, name: &str) -> Option<TextParser> {
    let grammar = load(Path::new(name), files, &LoadOptions::default()).grammar?;
    let bnf = grammar.bnf(&grammar.graph(), &Limits::default()).expect("small");
    TextParser::new(&grammar, &bnf, &Limits::default()).ok()
}

/// Reads the text of every prefix with a letter after it, each from the checkpoint of its prefix, in an order that goes
/// back now and then; and the same texts from the start.
fn check(parser: &TextParser, text: &str, random: &mut Random, context: &str) -> usize {
    let (mut workspace, mut plain) = (parser.workspace(), parser.workspace());
    let Some(mut recognizer) = TextRecognizer::new(parser, &mut workspace) else { return 0 };
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let mut checkpoints = vec![recognizer.checkpoint()];
    let mut compared = 0;
    for (at, &end) in ends.iter().enumerate() {
        recognizer.resume(&checkpoints[at]);
        let variants = [String::new(), random.pick(&LETTERS).to_string(), random_text(random, 4)];
        for variant in variants {
            recognizer.resume(&checkpoints[at]);
            let whole = format!("{}{variant}", &text[..end]);
            recognizer.feed(&variant);
            let found = recognizer.rejection();
            let expected = parser.recognize(&mut plain, &whole).err();
            // A text that is stuck early is rejected for the same reason as the whole text.
            assert_eq!(found, expected, "{context}\non {whole:?}");
            compared += 1;
        }
        recognizer.resume(&checkpoints[at]);
        if random.one_in(4) && at > 1 {
            // Going back to an earlier place forgets the later ones.
            let earlier = random.below(at);
            checkpoints.truncate(earlier + 1);
            recognizer.resume(&checkpoints[earlier]);
            for part in earlier..at {
                recognizer.feed(&text[ends[part]..ends[part + 1]]);
                checkpoints.push(recognizer.checkpoint());
            }
        }
        if let Some(&next) = ends.get(at + 1) {
            recognizer.feed(&text[end..next]);
            checkpoints.push(recognizer.checkpoint());
        }
    }
    compared
}

#[test]
fn random_lexers_with_modes() {
    let (mut random, mut compared) = (Random(3), 0);
    for _ in 0..250 {
        let rules = random_lexer(&mut random, &FEATURES);
        let name = |line: &str| {
            let name = line.split_whitespace().next()?;
            name.starts_with('T').then(|| name.to_owned())
        };
        let names: Vec<String> = rules.lines().filter_map(name).collect();
        if names.len() < 2 {
            continue;
        }
        let syntax = format!(
            "parser grammar P; options {{ tokenVocab = L; }} s: t* EOF; t: {} | {} t;",
            names[1..].join(" | "),
            names[0],
        );
        let files = Memory::with("L.g4", format!("lexer grammar L;\n{rules}")).and("P.g4", syntax);
        let Some(parser) = parser(&files, "P.g4") else { continue };
        for _ in 0..4 {
            let text = random_text(&mut random, 9);
            compared += check(&parser, &text, &mut random, &rules);
        }
    }
    assert!(compared > 5_000, "{compared} texts were compared");
}

#[test]
fn grammars_over_characters() {
    let grammars = [
        r#"S := "a" "b" | "ab" "c";"#,
        r#"S := S S | "a" | "(" S ")" | ; "#,
        r#"S := A* "b"; A := "a" | "aa" | [a-c] " "; "#,
        r#"S := ("é" | "e")+ "\n"? S?;"#,
    ];
    let (mut random, mut compared) = (Random(5), 0);
    for text in grammars {
        let parser = parser(&Memory::with("g.gram", text), "g.gram").expect("a grammar");
        for _ in 0..60 {
            let input = random_text(&mut random, 9);
            compared += check(&parser, &input, &mut random, text);
        }
    }
    assert!(compared > 2_000, "{compared} texts were compared");
}
