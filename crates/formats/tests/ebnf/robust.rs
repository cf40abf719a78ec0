//! Every file is read to its end, in time linear in its size, whatever it contains.

use crate::native_read::LEXER;
use crate::native_write::check_round_trip;
use crate::paper::EXPRESSIONS;
use crate::support::read;

const TRIBBLE: &str = r#"
A = "a\"" B{2,3} | /[^\\\\\"\/]~(x)&y/ @@ 0x1p-1; // c
B = ('x | $1)* /* /* */ */ | "\\n"?; 'x = "" ; $1 = "1"+;
"#;

const SCALA: &str = r#"import a.b._
Grammar('A := "a\u0041" ~ 'B.rep(2, 3) | "[a-z]".regex @@ 0.5,
  'B := ('x | 'a' -> 'z').? ~ """raw""".rep(1), // c
  'x := "\n" /* d */)
"#;

/// Fragments that are inserted into files at random positions.
const PIECES: [&str; 30] = [
    "\"",
    "'",
    "`",
    "/",
    "//",
    "/*",
    "*/",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    ";",
    ":=",
    "|=",
    "=",
    "~",
    "@@",
    "#",
    "%prec ",
    "->",
    "\\",
    ".",
    "..",
    "\0",
    "\r\n",
    "ä\u{FEFF}",
    "token ",
];

/// A cheap generator of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % n
    }
}

/// The text with a few fragments inserted, removed or doubled.
fn damaged(text: &str, numbers: &mut Numbers) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(chars.len());
        let length = numbers.below(6).min(chars.len() - at - 1);
        match numbers.below(3) {
            0 => drop(chars.drain(at..at + length)),
            1 => {
                let copy = chars[at..at + length].to_vec();
                chars.splice(at..at, copy);
            }
            _ => {
                let piece = PIECES[numbers.below(PIECES.len())];
                chars.splice(at..at, piece.chars());
            }
        }
    }
    chars.into_iter().collect()
}

#[test]
fn damaged_files_are_read_to_the_end() {
    let mut numbers = Numbers(1);
    let files =
        [("a.gram", LEXER), ("a.gram", EXPRESSIONS), ("a.tribble", TRIBBLE), ("a.scala", SCALA)];
    for round in 0..600 {
        for (file, text) in files {
            let text = damaged(text, &mut numbers);
            let loaded = read(file, &text);
            let errors = loaded.diagnostics.iter().any(gramercy_base::Diagnostic::is_error);
            assert_eq!(loaded.grammar.is_none(), errors, "{text}");
            if let Some(grammar) = loaded.grammar.filter(|_| round % 4 == 0) {
                check_round_trip(&text, &grammar);
            }
        }
    }
}

/// Reads a file; returns the codes of the first diagnostics.
fn check(file: &str, text: &str, expected: &str) {
    let loaded = read(file, text);
    let first = loaded.diagnostics.first().map_or("", |diagnostic| diagnostic.code.name);
    let beginning: String = text.chars().take(40).collect();
    assert_eq!(first, expected, "{file} {beginning:?}");
    assert!(loaded.diagnostics.len() <= 102, "{beginning:?}");
}

#[test]
fn large_files_take_linear_time() {
    const N: usize = 400_000;
    for (file, sign) in [("a.gram", ":="), ("a.tribble", "=")] {
        let check = |text: &str, expected| check(file, text, expected);
        let rule = |body: &str| format!("A {sign} {body};");
        let nested = format!("{}\"a\"{}", "(".repeat(N), ")".repeat(N));
        check(&rule(&nested), "nested-too-deeply");
        check(&format!("A {sign} {}", "(".repeat(N)), "nested-too-deeply");
        check(&rule(&"\"a\" ".repeat(N / 4)), "");
        check(&rule(&format!("{}\"\"", "\"a\" | ".repeat(N / 6))), "");
        check(&rule(&format!("\"{}\"", "a".repeat(N))), "");
        check(&rule(&format!("/{}/", "a".repeat(2 << 20))), "bad-regex");
        check(&rule(&"a/**/".repeat(N / 5)), "undefined-rule");
        check(&rule(&format!("\"a\"{}", "{2}".repeat(N / 3))), "syntax");
        check(&rule("\"a\"").repeat(N / 10), "duplicate-rule");
        check(
            &(0..N / 12).map(|i| format!("A{i} {sign} B{i};")).collect::<String>(),
            "undefined-rule",
        );
        check(&format!("a {sign} ").repeat(N / 5), "syntax");
        check(&"a ".repeat(N / 2), "syntax");
        check(&";".repeat(N / 4), "syntax");
        check(&"\0".repeat(N), "syntax");
        check(&"\r\n".repeat(N / 2), "no-rules");
        check(&"/*".repeat(N / 2), "unterminated");
        check(&format!("A {sign} \"{}", "\\\"\n".repeat(N / 3)), "unterminated");
        check(&format!("A {sign} {}", "\"".repeat(N + 1)), "unterminated");
    }
    check("a.gram", &"\ntoken ".repeat(N / 7), "syntax");
    check("a.gram", &format!("$ {}", "start ".repeat(N / 6)), "syntax");
    check("a.gram", &format!("A := {}", "[".repeat(N)), "unterminated");
    check("a.gram", &format!("A := {}", "~".repeat(N)), "syntax");
    check("a.gram", &(0..N / 10).map(|i| format!("mode M{i};")).collect::<String>(), "no-rules");
    check("a.gram", &format!("A := \"a\";{}", "A |= \"a\";".repeat(N / 9)), "");
    check("a.scala", &format!("Grammar('A := {}", "(".repeat(N)), "nested-too-deeply");
    check("a.scala", &format!("Grammar({}", "'a ".repeat(N / 3)), "syntax");
    check("a.scala", &format!("Grammar('A := \"\"\"{}", "\\\"".repeat(N / 2)), "unterminated");
}
