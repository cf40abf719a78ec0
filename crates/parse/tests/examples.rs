//! The project's own example grammars: each loads without a word and reads its corpus as that says.

use std::path::{Path, PathBuf};

use gramercy_analysis::{First, KPaths, Nullable, Productive};
use gramercy_base::Limits;
use gramercy_formats::{Disk, LoadOptions, load};
use gramercy_grammar::{Bnf, Grammar};
use gramercy_lr::Construction::{Canonical, Lr0};
use gramercy_lr::{ConflictCounts, Construction, Facts, LrGraph};
use gramercy_parse::TextParser;
use serde_json::Value;

/// The grammars that are read by themselves; an ANTLR lexer belongs to a parser.
fn grammars() -> Vec<PathBuf> {
    let mut files = gramercy_testkit::files_in(&gramercy_testkit::examples(), &["gram", "g4", "y"]);
    files.retain(|path| !stem(path).ends_with("Lexer"));
    files
}

fn stem(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).expect("a name in UTF-8")
}

/// The corpus of a grammar; grammars of the same language share one.
fn corpus_of(grammar: &Path) -> PathBuf {
    let language = stem(grammar).trim_end_matches("Parser").to_lowercase();
    grammar.with_file_name(format!("{language}.corpus.ndjson"))
}

fn read(path: &Path) -> Grammar {
    let loaded = load(path, &Disk, &LoadOptions::default());
    assert!(loaded.diagnostics.is_empty(), "{}: {:#?}", path.display(), loaded.diagnostics);
    loaded.grammar.expect("a grammar without diagnostics")
}

fn example(file: &str) -> Grammar {
    read(&gramercy_testkit::examples().join(file))
}

fn bnf_of(grammar: &Grammar) -> Bnf {
    grammar.bnf(&grammar.graph(), &Limits::default()).expect("within the limits")
}

/// One line of a corpus.
struct Case {
    name: String,
    text: String,
    accept: bool,
    /// The byte of the first error.
    byte: Option<u64>,
    /// The number of trees.
    trees: Option<String>,
}

impl Case {
    fn of(line: &str) -> Self {
        let value: Value = serde_json::from_str(line).expect("a line of JSON");
        let string = |key: &str| value[key].as_str().map(str::to_owned);
        Self {
            name: string("name").expect("a name"),
            text: string("text").expect("a text"),
            accept: match value["expect"].as_str() {
                Some("accept") => true,
                Some("reject") => false,
                other => panic!("{line}: neither accept nor reject but {other:?}"),
            },
            byte: value["error"]["byte"].as_u64(),
            trees: string("trees"),
        }
    }
}

fn corpus(path: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(path).expect("a corpus");
    text.lines().map(Case::of).collect()
}

/// What is wrong with how a text is read, if anything.
fn judge(parser: &TextParser, case: &Case) -> Option<String> {
    let complain = |what: String| Some(format!("{}: {what}: {:?}", case.name, case.text));
    match parser.parse(&mut parser.workspace(), &case.text) {
        Ok(_) if !case.accept => complain("accepted".into()),
        Ok(parsed) => {
            let trees = parsed.forest.count_trees().to_string();
            let differ = case.trees.as_ref().is_some_and(|wanted| *wanted != trees);
            differ.then(|| complain(format!("{trees} trees")))?
        }
        Err(error) if case.accept => complain(format!("rejected at byte {}", error.byte)),
        Err(error) => {
            let differ = case.byte.is_some_and(|wanted| wanted != error.byte as u64);
            differ.then(|| complain(format!("the error is at byte {}", error.byte)))?
        }
    }
}

fn parser_of(path: &Path) -> TextParser {
    let grammar = read(path);
    TextParser::new(&grammar, &bnf_of(&grammar), &Limits::default())
        .expect("a grammar that can be parsed with")
}

#[test]
fn every_grammar_reads_its_corpus() {
    let mut complaints = Vec::new();
    for path in grammars() {
        let parser = parser_of(&path);
        let cases = corpus(&corpus_of(&path));
        let accepted = cases.iter().filter(|case| case.accept).count();
        assert!(0 < accepted && accepted < cases.len(), "{}: one-sided", path.display());
        let complain = |case| judge(&parser, case).map(|what| format!("{} {what}", stem(&path)));
        complaints.extend(cases.iter().filter_map(complain));
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_corpus_belongs_to_a_grammar_and_names_its_lines_apart() {
    let known: Vec<_> = grammars().iter().map(|path| corpus_of(path)).collect();
    for path in gramercy_testkit::files_in(&gramercy_testkit::examples(), &["ndjson"]) {
        assert!(known.contains(&path), "{}: no grammar", path.display());
        let mut names: Vec<_> = corpus(&path).into_iter().map(|case| case.name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count, "{}", path.display());
    }
}

/// Whether grammars accept the same texts, and find the first error of the others at the same byte.
fn check_agreement(files: &[&str], texts: impl IntoIterator<Item = String>) {
    let examples = gramercy_testkit::examples();
    let parsers: Vec<_> = files.iter().map(|file| parser_of(&examples.join(file))).collect();
    let mut spaces: Vec<_> = parsers.iter().map(TextParser::workspace).collect();
    for text in texts {
        let verdicts = parsers.iter().zip(&mut spaces).map(|(parser, workspace)| {
            parser.recognize(workspace, &text).map_err(|rejection| rejection.byte)
        });
        let verdicts: Vec<_> = verdicts.collect();
        let agree = verdicts.iter().all(|verdict| *verdict == verdicts[0]);
        assert!(agree, "{text:?}: {files:?} say {verdicts:?}");
    }
}

/// A text with each of its characters left out, and with each pair of neighbours exchanged.
fn small_mistakes(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let without = |at: usize| [&chars[..at], &chars[at + 1..]].concat();
    let exchanged = |at: usize| {
        let mut chars = chars.clone();
        chars.swap(at, at + 1);
        chars
    };
    let left_out = (0..chars.len()).map(without);
    let changed = left_out.chain((1..chars.len()).map(|at| exchanged(at - 1)));
    changed.map(|chars| chars.into_iter().collect()).collect()
}

#[test]
fn mini_is_one_language_in_two_notations() {
    let corpus = corpus(&gramercy_testkit::examples().join("mini.corpus.ndjson"));
    let short = corpus.iter().filter(|case| case.text.len() < 200);
    let texts = short.flat_map(|case| small_mistakes(&case.text));
    check_agreement(&["mini.gram", "MiniParser.g4"], texts);
}

#[test]
fn balanced_brackets_are_one_language_in_three_grammars() {
    let word = |bits: u32, length| {
        let bracket = |at: u32| if bits >> at & 1 == 0 { "[" } else { "]" };
        (0..length).map(bracket).collect::<Vec<_>>().join(" ")
    };
    let texts = (0..11).flat_map(|length| (0..1 << length).map(move |bits| word(bits, length)));
    check_agreement(&["dyck-right.y", "dyck-left.y", "dyck-both.y"], texts);
}

#[test]
fn k_paths_of_the_figures() {
    let check = |file: &str, expected: [u128; 5]| {
        let graph = example(file).graph();
        let found = [1, 2, 3, 4, 5].map(|k| KPaths::of(&graph, k).expect("few paths").len());
        assert_eq!(found, expected, "{file}");
    };
    check("expr.gram", [39, 125, 523, 2331, 10245]);
    check("digit.gram", [20, 19, 17, 15, 13]);
    check("session.gram", [14, 31, 63, 126, 252]);
    check("configuration.gram", [16, 27, 42, 36, 24]);
}

fn build(bnf: &Bnf, construction: Construction) -> gramercy_lr::Automaton {
    let nullable = Nullable::of(bnf);
    let first = First::of(bnf, &Productive::of(bnf), &nullable);
    let facts = Facts { nullable: &nullable, first: &first };
    construction.build(bnf, &facts, &Limits::default()).expect("few states")
}

#[test]
fn lr_graphs_of_the_figures() {
    let check = |file: &str, construction, expected: [usize; 3]| {
        let bnf = bnf_of(&example(file));
        let automaton = build(&bnf, construction);
        let graph = LrGraph::new(&bnf, &automaton);
        let found = [automaton.state_count(), graph.push_edge_count(), graph.pop_edge_count()];
        assert_eq!(found, expected, "{file} {construction:?}");
    };
    check("dyck-right.y", Lr0, [7, 8, 6]);
    check("dyck-right.y", Canonical, [11, 13, 10]);
    check("dyck-left.y", Lr0, [6, 6, 4]);
    check("dyck-left.y", Canonical, [9, 9, 6]);
    check("dyck-both.y", Lr0, [7, 12, 15]);
    check("dyck-both.y", Canonical, [11, 19, 24]);
    check("sum.y", Lr0, [9, 14, 9]);
    check("sum.y", Canonical, [15, 23, 15]);
}

/// The numbers are those that bison 3.8.2 reports for the same files without their precedence.
#[test]
fn lalr_conflicts() {
    let check = |file: &str, expected: [usize; 2]| {
        let bnf = bnf_of(&example(file));
        let counts = ConflictCounts::of(&bnf, &build(&bnf, Construction::Lalr));
        let found = [counts.shift_reduce.conflicts, counts.reduce_reduce.conflicts];
        assert_eq!(found, expected, "{file}");
    };
    check("dangling-else.y", [1, 0]);
    check("catalan.y", [1, 0]);
    check("sum.y", [1, 0]);
    check("dyck-right.y", [0, 0]);
    check("dyck-left.y", [0, 0]);
    check("dyck-both.y", [7, 3]);
}
