//! Random tests of large and small grammars.

use gramercy_assemble::recipe::Size;
use gramercy_lexis::Lexemes;
use gramercy_suite::sinks::Format;

use crate::subject::{self, Distinct, LONG, bare_loop};
use crate::{clock, say};

/// A grammar, and how many tests of it are made.
const GRAMMARS: [(&str, &str, u64); 3] = [
    ("antlr/json", "JSON.g4", 100_000),
    ("antlr/sqlite", "SQLiteParser.g4", 20_000),
    ("antlr/golang", "GoParser.g4", 20_000),
];

/// How large tests are, and which part of the number of tests is made.
const SIZES: [(&str, Size, u64); 3] = [
    ("Size(100)", Size::Tokens(100, 100), 1),
    ("Size(400)", Size::Tokens(400, 400), 4),
    ("Depth(20)", Size::Depth(20), 8),
];

pub(crate) fn rates() {
    say("tests\tMB/s\ttests/s\tbytes a test\t% distinct over 100 bytes\ttimes a bare loop");
    for (folder, name, tests) in GRAMMARS {
        let Some(language) = subject::language(folder, name) else { continue };
        for (title, size, part) in SIZES {
            for lexemes in [Lexemes::Varied, Lexemes::Random] {
                let recipe = subject::random(size, lexemes, tests / part);
                let (time, summary) = clock::best(|| {
                    subject::make(&language, &recipe, &mut *Format::Lines.sink(std::io::sink()))
                });
                assert_eq!(summary.tests + summary.unwritten_count, tests / part, "{name}");
                let mut distinct = Distinct::from(LONG);
                subject::make(&language, &recipe, &mut distinct);
                let seconds = time.as_secs_f64();
                say(&format!(
                    "{name} {title} {lexemes:?}\t{:.1}\t{:.0}\t{:.1}\t{:.2} of {}\t{:.1}",
                    summary.bytes as f64 / seconds / 1e6,
                    summary.tests as f64 / seconds,
                    summary.bytes as f64 / summary.tests as f64,
                    distinct.share(),
                    distinct.count,
                    seconds / bare_loop(&summary).as_secs_f64(),
                ));
            }
        }
    }
}

/// The depth that the tests beside Grammarinator keep to.
const DEPTH: u32 = 20;

/// Seconds, tests, bytes and distinct tests of a limit on depth alone.
pub(crate) fn depth() {
    say("grammar\tseconds\ttests\tbytes\tdistinct");
    for (folder, file, tests) in GRAMMARS {
        let Some(language) = subject::language(folder, file) else { continue };
        let recipe = subject::random(Size::Depth(DEPTH), Lexemes::Random, tests / 10);
        let name = folder.rsplit('/').next().unwrap_or(folder);
        let (time, summary) = clock::best(|| {
            subject::make(&language, &recipe, &mut *Format::Lines.sink(std::io::sink()))
        });
        let mut distinct = Distinct::default();
        subject::make(&language, &recipe, &mut distinct);
        let (seconds, distinct) = (time.as_secs_f64(), distinct.different());
        say(&format!("{name}\t{seconds}\t{}\t{}\t{distinct}", summary.tests, summary.bytes));
    }
}
