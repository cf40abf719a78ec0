//! The dialect of Rust's regular expressions, parsed by the `regex-syntax` crate with Unicode on.
//!
//! A pattern denotes the texts that it matches as a whole. So groups only group, lazy and greedy
//! repetitions are the same, and assertions (`^`, `$`, `\b`, …), which test the context of a match,
//! are errors. Characters are Unicode scalar values: no class contains a surrogate.
//!
//! Cost: linear in the pattern and in the ranges of its classes.

use std::ops::Range;

use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::translate::Translator;
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

use super::RegexError;
use crate::{CharSet, Regex};

/// Parses a pattern.
///
/// # Errors
/// If it is malformed or has an assertion.
pub fn parse(pattern: &str) -> Result<Regex, RegexError> {
    let ast = ast::parse::Parser::new()
        .parse(pattern)
        .map_err(|error| RegexError::new(error.kind().to_string(), bytes(error.span())))?;
    ast::visit(&ast, NoAssertions)?;
    let hir = Translator::new()
        .translate(pattern, &ast)
        .map_err(|error| RegexError::new(error.kind().to_string(), bytes(error.span())))?;
    Ok(regex_of(&hir))
}

fn bytes(span: &ast::Span) -> Range<usize> {
    span.start.offset..span.end.offset
}

/// Rejects assertions. The syntax tree still has their positions.
struct NoAssertions;

impl ast::Visitor for NoAssertions {
    type Output = ();
    type Err = RegexError;

    fn finish(self) -> Result<(), RegexError> {
        Ok(())
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), RegexError> {
        let Ast::Assertion(assertion) = ast else { return Ok(()) };
        let (what, help) = match assertion.kind {
            ast::AssertionKind::StartLine
            | ast::AssertionKind::EndLine
            | ast::AssertionKind::StartText
            | ast::AssertionKind::EndText => (
                "anchors are not supported",
                "leave it out: the expression always matches a whole text",
            ),
            _ => (
                "word boundaries are not supported",
                "an expression cannot test the text around it; leave it out",
            ),
        };
        Err(RegexError::new(what, bytes(&assertion.span)).help(help))
    }
}

fn regex_of(hir: &Hir) -> Regex {
    match hir.kind() {
        HirKind::Empty => Regex::Empty,
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0);
            Regex::literal(text.expect("invariant: Unicode patterns match only valid UTF-8"))
        }
        HirKind::Class(class) => chars(class),
        HirKind::Look(_) => unreachable!("invariant: assertions were rejected"),
        HirKind::Repetition(Repetition { min, max, sub, .. }) => {
            Regex::Repeat { inner: Box::new(regex_of(sub)), min: *min, max: *max }
        }
        HirKind::Capture(capture) => regex_of(&capture.sub),
        HirKind::Concat(parts) => Regex::Concat(parts.iter().map(regex_of).collect()),
        HirKind::Alternation(parts) => Regex::Union(parts.iter().map(regex_of).collect()),
    }
}

fn chars(class: &Class) -> Regex {
    let set: CharSet = match class {
        Class::Unicode(class) => {
            let ranges = class.iter().map(|range| (range.start().into(), range.end().into()));
            // A range of characters may span the surrogates without containing one.
            CharSet::from_ranges(ranges).without_surrogates()
        }
        Class::Bytes(class) => CharSet::from_ranges(
            class.iter().map(|range| (range.start().into(), range.end().into())),
        ),
    };
    if set.is_empty() { Regex::Nothing } else { Regex::Chars(set) }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::Dfa;
    use gramercy_base::Limits;

    fn check(pattern: &str, matching: &[&str], others: &[&str]) {
        let dfa = Dfa::minimal(&parse(pattern).unwrap(), &Limits::default()).unwrap();
        matching.iter().for_each(|text| assert!(dfa.matches(text), "{pattern} on {text}"));
        others.iter().for_each(|text| assert!(!dfa.matches(text), "{pattern} on {text}"));
    }

    #[test]
    fn patterns_match_whole_texts() {
        check("a|bc", &["a", "bc"], &["ab", "abc", ""]);
        check("(a)(?<name>b)(?:c)", &["abc"], &[]);
        check("a*?b+?c??d{2,3}?", &["bdd", "aabbcddd"], &["bd"]);
        check(r"\d+\.\w\s", &["12.x ", "٣.é\u{A0}"], &["12.x"]);
        check("[^a-c]", &["d", "\n", "\u{10FFFF}"], &["a"]);
        check(".", &["a", "\r"], &["\n"]);
        check("(?s).", &["\n"], &[]);
        check("(?i)straße", &["STRAßE", "ſtraße"], &["strasse"]);
        check("(?x) a b # comment", &["ab"], &["a b"]);
        check(r"\p{Greek}[\p{L}--a]", &["λb"], &["λa"]);
        check(r"[a-z&&[^aeiou]]{2}", &["xy"], &["ay"]);
        check(r"\x41\u{1F600}", &["A\u{1F600}"], &[]);
        check(r"(?-u:\w)", &["a"], &["é"]);
        check("", &[""], &["a"]);
    }

    #[test]
    fn errors_have_positions() {
        let check = |pattern, message: &str, range, help| {
            let error = parse(pattern).unwrap_err();
            assert_eq!((&*error.message, error.range), (message, range), "{pattern}");
            assert_eq!(error.help.is_some(), help, "{pattern}");
        };
        check("^a", "anchors are not supported", 0..1, true);
        check("é(b$)", "anchors are not supported", 4..5, true);
        check(r"a\z", "anchors are not supported", 1..3, true);
        check(r"a\b", "word boundaries are not supported", 1..3, true);
        check(r"\b{start}a", "word boundaries are not supported", 0..9, true);
        check("a(b", "unclosed group", 1..2, false);
        check(r"\p{Klingon}", "Unicode property not found", 0..11, false);
        check(
            r"(?=a)",
            "look-around, including look-ahead and look-behind, is not supported",
            0..3,
            false,
        );
        check(r"(a)\1", "backreferences are not supported", 3..5, false);
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000));
        assert!(parse(&deep).unwrap_err().message.contains("nest"));
        assert!(parse(&format!("a{}", "?".repeat(100_000))).is_err());
    }
}
