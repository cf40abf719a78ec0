//! How fast text becomes tokens and tokens become text, with the counts asserted.
//!
//! `cargo bench -p gramercy-lexis`. Times are the best of several runs; that of scanning is also shown
//! as a multiple of a bare loop over the same bytes.

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use gramercy_base::Limits;
use gramercy_formats::{LoadOptions, Memory, load};
use gramercy_grammar::{Grammar, TerminalId};
use gramercy_lexis::{Choice, Dfa, Lexemes, Lexer, Scan, WriteOptions, Writer, Written};

const JSON: &str = r#"grammar Json;
json : value EOF ;
value : '{' (pair (',' pair)*)? '}' | '[' (value (',' value)*)? ']' | atom ;
pair : STRING ':' value ;
atom : STRING | NUMBER | 'true' | 'false' | 'null' ;
STRING : '"' (~["\\\u0000-\u001F] | '\\' (["\\/bfnrt] | 'u' HEX HEX HEX HEX))* '"' ;
fragment HEX : [0-9a-fA-F] ;
NUMBER : '-'? ('0' | [1-9] [0-9]*) ('.' [0-9]+)? ([eE] [+-]? [0-9]+)? ;
WS : [ \t\n\r]+ -> skip ;
"#;

const BYTES: usize = 10_000_000;
const TOKENS: usize = 3_088_581;
const RUNS: usize = 7;

fn main() {
    let files = Memory::with("Json.g4", JSON);
    let loaded = load(Path::new("Json.g4"), &files, &LoadOptions::default());
    let grammar = loaded.grammar.expect("a grammar");
    scanning(&grammar);
    for lexemes in [Lexemes::Shortest, Lexemes::Varied, Lexemes::Random] {
        writing(&grammar, lexemes);
    }
}

fn scanning(grammar: &Grammar) {
    let text = json_text();
    let lexer = Lexer::new(grammar, &Limits::default()).expect("a lexer");
    let mut dfa = Dfa::new(&lexer, 100_000);
    let (bare, _) = best(|| text.bytes().fold(0_u64, |sum, byte| black_box(sum + u64::from(byte))));
    let (time, tokens) = best(|| {
        let mut scan = Scan::new(&lexer, &mut dfa, &text);
        let mut tokens = 0;
        while scan.next_visible().expect("a token").is_some() {
            tokens += 1;
        }
        tokens
    });
    assert_eq!(tokens, TOKENS);
    say(&format!(
        "scan: {tokens} tokens, {:.0} MB/s, {:.1} million tokens/s, {:.1} bare loops",
        megabytes(text.len(), time),
        millions(tokens, time),
        time.as_secs_f64() / bare.as_secs_f64()
    ));
}

/// Records of the usual mixture, as many as fit.
fn json_text() -> String {
    let mut text = String::from("[");
    for number in 0.. {
        if text.len() >= BYTES {
            break;
        }
        let comma = if number > 0 { ",\n  " } else { "" };
        let price = number % 1000;
        write!(
            text,
            "{comma}{{\"id\": {number}, \"name\": \"item number {number}\", \"tags\": [\"red\", \
             \"green\", true, null], \"price\": {price}.{price}e+2, \"nested\": {{\"a\": [1,2,3], \
             \"b\": false}}}}"
        )
        .expect("writing to a string");
    }
    text + "]"
}

fn writing(grammar: &Grammar, lexemes: Lexemes) {
    let options = WriteOptions { lexemes, ..WriteOptions::default() };
    let mut writer = Writer::new(grammar, &options).expect("a writer");
    let tokens: Vec<TerminalId> =
        grammar.terminals().ids().take(grammar.syntax_terminals()).collect();
    let string: Vec<_> = (0..20).map(|at| tokens[at * 7 % tokens.len()]).collect();
    let mut written = Written::default();
    let tests = 50_000;
    let (time, bytes) = best(|| {
        let mut bytes = 0;
        for test in 0..tests {
            let choice = Choice { seed: 0, test, fixed: &[] };
            writer.write_into(&string, &choice, &mut written).expect("a text");
            bytes += written.text.len();
        }
        bytes
    });
    let tests = usize::try_from(tests).expect("a small number");
    say(&format!(
        "write {lexemes:?}: {:.1} million tokens/s, {:.1} bytes a test",
        millions(tests * string.len(), time),
        bytes as f64 / tests as f64
    ));
}

fn best<T>(mut run: impl FnMut() -> T) -> (Duration, T) {
    let timed = |_| {
        let begun = Instant::now();
        let result = run();
        (begun.elapsed(), result)
    };
    (0..RUNS).map(timed).min_by_key(|(time, _)| *time).expect("some runs")
}

fn megabytes(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / time.as_secs_f64() / 1e6
}

fn millions(count: usize, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64() / 1e6
}

#[expect(clippy::print_stdout, reason = "a benchmark shows its figures")]
fn say(line: &str) {
    println!("{line}");
}
