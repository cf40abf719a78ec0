//! Code of the host language, usually C or C++: where it ends, and the few facts in it that matter.
//!
//! Code is skipped as bison's scanner skips it: strings, character constants and comments hide
//! braces. In addition to bison, digit separators (`1'000`) and raw strings (`R"x(...)x"`) are
//! recognized. The references to semantic values are collected, because they determine how bison
//! names a mid-rule action, and the macros by which an action controls the parser.
//!
//! Linear in the code: a block that is not closed costs one scan of the rest of the file; after
//! that, lines that look like rules end a block.

use gramercy_base::{Diagnostic, Span};

use crate::cursor::Cursor;
use crate::{Reading, codes};

/// The facts of an action that matter to the grammar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CodeFacts<'t> {
    /// Whether it contains `$$`.
    pub(crate) own_value: bool,
    /// The positions of the right-hand side whose values it uses, as in `$2`.
    pub(crate) positions: Vec<u32>,
    /// The names of the values that it uses, as in `$left`.
    pub(crate) names: Vec<&'t str>,
    /// Whether it may reject the input, with `YYERROR` or `YYABORT`.
    pub(crate) rejects: bool,
    /// Whether it may end the parse early, with `YYACCEPT`.
    pub(crate) accepts: bool,
}

/// Skips code; remembers whether a block was not closed.
#[derive(Debug, Default)]
pub(crate) struct CodeScanner {
    /// A block was not closed: from now on, a line that looks like a rule ends a block.
    cautious: bool,
    no_comment_end: bool,
    no_raw_string_end: bool,
    no_prologue_end: bool,
}

impl CodeScanner {
    /// Skips a block after its opening brace, up to its closing one. A block that is not closed is
    /// reported and ends where the next rule seems to begin.
    pub(crate) fn block<'t>(
        &mut self,
        reading: &mut Reading<'_>,
        cursor: &mut Cursor<'t>,
    ) -> CodeFacts<'t> {
        let open = cursor.offset() - 1;
        let mut facts = CodeFacts::default();
        let mut depth = 1_usize;
        while depth > 0 {
            match self.step(reading, cursor, &mut facts) {
                CodeToken::Open => depth += 1,
                CodeToken::Close => depth -= 1,
                CodeToken::Line if self.cautious && begins_rule(cursor.rest()) => {
                    report_open_block(reading, cursor, open);
                    return facts;
                }
                CodeToken::Line | CodeToken::Other => {}
                CodeToken::End => {
                    report_open_block(reading, cursor, open);
                    self.cautious = true;
                    rewind_to_rule(cursor, open + 1);
                    return facts;
                }
            }
        }
        facts
    }

    /// Skips a prologue after its `%{`, up to its `%}`. A prologue that is not closed is reported
    /// and ends at the first line that begins with `%`.
    pub(crate) fn prologue(&mut self, reading: &mut Reading<'_>, cursor: &mut Cursor<'_>) {
        let start = cursor.offset();
        let mut facts = CodeFacts::default();
        while !self.no_prologue_end {
            if cursor.eat("%}") {
                return;
            }
            if self.step(reading, cursor, &mut facts) == CodeToken::End {
                self.no_prologue_end = true;
            }
        }
        cursor.seek(start);
        let message = "this `%{` has no `%}`";
        let span = cursor.span_from(start - "%{".len());
        let help = "close the C code with a line `%}`";
        reading.report(Diagnostic::at(codes::UNTERMINATED, span, message).help(help));
        while let Some(line) = cursor.rest().find('\n') {
            cursor.seek(cursor.offset() + line + 1);
            if cursor.rest().starts_with('%') {
                return;
            }
        }
        cursor.eat_while(|_| true);
    }

    /// Takes one token: a brace, a string, a comment, a word, a line end or any other character.
    fn step<'t>(
        &mut self,
        reading: &mut Reading<'_>,
        cursor: &mut Cursor<'t>,
        facts: &mut CodeFacts<'t>,
    ) -> CodeToken {
        let bytes = cursor.rest().as_bytes();
        let Some(&first) = bytes.first() else {
            return CodeToken::End;
        };
        match (first, bytes.get(1)) {
            (b'a'..=b'z' | b'A'..=b'Z' | b'_', _) => self.word(reading, cursor, facts),
            (b'0'..=b'9', _) => number(cursor),
            (b'"' | b'\'', _) => quoted(reading, cursor, char::from(first)),
            (b'/', Some(b'*')) => self.comment(reading, cursor),
            (b'/', Some(b'/')) => line_comment(cursor),
            (b'$', _) => reference(cursor, facts),
            // Bison takes `<<` together, so `<<%` contains no digraph.
            (b'<', Some(b'<')) => advance(cursor, 2),
            (b'<', Some(b'%')) => {
                advance(cursor, 2);
                return CodeToken::Open;
            }
            (b'%', Some(b'>')) => {
                advance(cursor, 2);
                return CodeToken::Close;
            }
            (b'{', _) => {
                advance(cursor, 1);
                return CodeToken::Open;
            }
            (b'}', _) => {
                advance(cursor, 1);
                return CodeToken::Close;
            }
            (b'\n', _) => {
                advance(cursor, 1);
                return CodeToken::Line;
            }
            _ => {
                cursor.bump();
            }
        }
        CodeToken::Other
    }

    fn word<'t>(
        &mut self,
        reading: &mut Reading<'_>,
        cursor: &mut Cursor<'t>,
        facts: &mut CodeFacts<'t>,
    ) {
        match cursor.eat_while(is_word) {
            "YYERROR" | "YYABORT" => facts.rejects = true,
            "YYACCEPT" => facts.accepts = true,
            "R" | "LR" | "uR" | "UR" | "u8R" if cursor.peek() == Some('"') => {
                self.raw_string(reading, cursor);
            }
            _ => {}
        }
    }

    fn raw_string(&mut self, reading: &mut Reading<'_>, cursor: &mut Cursor<'_>) {
        let start = cursor.offset();
        cursor.bump();
        let delimiter = cursor.eat_while(|c| !matches!(c, '(' | ')' | '\\' | ' ' | '\n' | '"'));
        // The language allows delimiters of up to 16 characters.
        let proper = delimiter.len() <= 16 && cursor.eat("(");
        if !proper || self.no_raw_string_end {
            cursor.seek(start);
            quoted(reading, cursor, '"');
        } else if !cursor.eat_past(&format!("){delimiter}\"")) {
            self.no_raw_string_end = true;
            report_open(reading, cursor, start, "this raw string has no end");
        }
    }

    fn comment(&mut self, reading: &mut Reading<'_>, cursor: &mut Cursor<'_>) {
        let start = cursor.offset();
        advance(cursor, 2);
        if self.no_comment_end {
            return;
        }
        if !cursor.eat_past("*/") {
            self.no_comment_end = true;
            report_open(reading, cursor, start, "this comment has no `*/`");
        }
    }
}

/// A token of host code.
#[derive(PartialEq, Eq)]
enum CodeToken {
    Open,
    Close,
    Line,
    Other,
    End,
}

fn advance(cursor: &mut Cursor<'_>, bytes: usize) {
    cursor.seek(cursor.offset() + bytes);
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Takes a number, in which a quote may separate digits.
fn number(cursor: &mut Cursor<'_>) {
    loop {
        cursor.eat_while(|c| is_word(c) || c == '.');
        let separates = cursor.peek() == Some('\'') && cursor.peek_second().is_some_and(is_word);
        if !separates {
            return;
        }
        cursor.bump();
    }
}

/// Takes a string or character constant, which ends on its line unless the line is continued.
fn quoted(reading: &mut Reading<'_>, cursor: &mut Cursor<'_>, quote: char) {
    let start = cursor.offset();
    cursor.bump();
    loop {
        cursor.eat_while(|c| c != quote && c != '\\' && c != '\n');
        match cursor.peek() {
            Some('\\') => {
                cursor.bump();
                if cursor.bump() == Some('\r') {
                    cursor.eat("\n");
                }
            }
            Some(c) if c == quote => {
                cursor.bump();
                return;
            }
            _ => {
                let what = if quote == '"' { "string" } else { "character constant" };
                let message = format!("this {what} has no end on its line");
                report_open(reading, cursor, start, &message);
                return;
            }
        }
    }
}

fn line_comment(cursor: &mut Cursor<'_>) {
    loop {
        let line = cursor.eat_while(|c| c != '\n');
        let goes_on = line.trim_end_matches('\r').ends_with('\\');
        if !goes_on || !cursor.eat("\n") {
            return;
        }
    }
}

/// Takes a reference to a semantic value: `$$`, `$1`, `$name`, `$[name]`, any of them as `$<tag>1`.
fn reference<'t>(cursor: &mut Cursor<'t>, facts: &mut CodeFacts<'t>) {
    cursor.bump();
    let after_dollar = cursor.offset();
    if cursor.eat("<") {
        cursor.eat_while(|c| is_word(c) || matches!(c, '.' | '-' | ':' | '*' | ' '));
        if !cursor.eat(">") {
            cursor.seek(after_dollar);
            return;
        }
    }
    if cursor.eat("$") {
        facts.own_value = true;
    } else if cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
        let digits = cursor.eat_while(|c| c.is_ascii_digit());
        facts.positions.extend(digits.parse::<u32>());
    } else {
        let bracketed = cursor.eat("[");
        let name = cursor.eat_while(|c| is_word(c) || c == '.' || (bracketed && c == '-'));
        if !name.is_empty() {
            facts.names.push(name);
        }
    }
}

fn report_open(reading: &mut Reading<'_>, cursor: &Cursor<'_>, start: usize, message: &str) {
    reading.report(Diagnostic::at(codes::UNTERMINATED, first_char(cursor, start), message));
}

fn report_open_block(reading: &mut Reading<'_>, cursor: &Cursor<'_>, open: usize) {
    let help = "braces in strings, characters and comments do not count";
    let span = first_char(cursor, open);
    let message = "this `{` has no closing `}`";
    reading.report(Diagnostic::at(codes::UNTERMINATED, span, message).help(help));
}

/// The span of the ASCII character at an offset.
fn first_char(cursor: &Cursor<'_>, at: usize) -> Span {
    Span::new(cursor.span_from(at).source, at, at + 1)
}

/// Goes back to the first line after `from` that looks like the beginning of a rule, if any.
fn rewind_to_rule(cursor: &mut Cursor<'_>, from: usize) {
    let end = cursor.offset();
    cursor.seek(from);
    while let Some(line) = cursor.rest().find('\n') {
        cursor.seek(cursor.offset() + line + 1);
        if begins_rule(cursor.rest()) {
            return;
        }
    }
    cursor.seek(end);
}

/// Whether a line begins with `name:`, `%%` or a directive.
fn begins_rule(line: &str) -> bool {
    if let Some(rest) = line.strip_prefix('%') {
        return rest.starts_with(|c: char| c == '%' || c.is_ascii_alphabetic());
    }
    let name = line.find(|c: char| !is_word(c) && c != '.').unwrap_or(line.len());
    let rest = line[name..].trim_start_matches([' ', '\t']);
    name > 0
        && !line.starts_with(|c: char| c.is_ascii_digit())
        && rest.starts_with(':')
        && !rest.starts_with("::")
        && !matches!(&line[..name], "default" | "public" | "private" | "protected")
}

#[cfg(test)]
mod tests {
    use super::{CodeFacts, CodeScanner};
    use crate::cursor::Cursor;
    use crate::{LoadOptions, Memory, Reading};
    use gramercy_base::{Diagnostic, Sources};

    fn scan(code: &str) -> (String, CodeFacts<'_>, Vec<Diagnostic>) {
        let (files, options) = (Memory::default(), LoadOptions::default());
        let mut reading = Reading::new(&files, &options);
        let source = Sources::new().add("a.y", code);
        let mut cursor = Cursor::new(source, code);
        cursor.bump();
        let facts = CodeScanner::default().block(&mut reading, &mut cursor);
        (cursor.rest().to_string(), facts, reading.finish(None).diagnostics)
    }

    #[test]
    fn a_block_ends_at_its_own_brace() {
        let check = |code: &str| {
            let (rest, _, diagnostics) = scan(code);
            assert_eq!((rest.as_str(), diagnostics.len()), ("|", 0), "{code}");
        };
        check("{}|");
        check("{ a { b } { { } } }|");
        check("{ \"}\" '}' '\\'' \"\\\"}\" }|");
        check("{ // }\n }|");
        check("{ // } \\\n } \n }|");
        check("{ /* } ' \" */ }|");
        check("{ 1'000'000 + 0xff'ff; }|");
        check("{ R\"x(}\" )x\" u8R\"(})\" }|");
        check("{ LR \"}\" }|");
        check("{ <% %> <% } }|");
        check("{ a <<% b; }|");
        check("{ \"line \\\n goes } on\" }|");
        check("{ \"line \\\r\n goes } on\" }|");
        check("{ \u{e4} }|");
    }

    #[test]
    fn references_and_parser_macros_are_found() {
        let check = |code: &str, own_value, positions: &[u32], names: &[&str]| {
            let (_, facts, _) = scan(code);
            let (positions, names) = (positions.to_vec(), names.to_vec());
            let expected = CodeFacts { own_value, positions, names, ..CodeFacts::default() };
            assert_eq!(facts, expected, "{code}");
        };
        check("{ $$ = $1 + $12; }", true, &[1, 12], &[]);
        check("{ $<tag>$ = $<a::b>3; }", true, &[3], &[]);
        check("{ f($left, $[right-1].x, @1); }", false, &[], &["left", "right-1"]);
        check("{ \"$$\" /* $1 */ '$' }", false, &[], &[]);
        check("{ $-1 $0 $< }", false, &[0], &[]);
        assert!(scan("{ if (x) YYERROR; }").1.rejects);
        assert!(scan("{ YYACCEPT; }").1.accepts);
        assert!(!scan("{ MYYERROR; \"YYERROR\" }").1.rejects);
    }

    #[test]
    fn unclosed_code_is_reported_and_ends_at_the_next_rule() {
        let check = |code: &str, rest: &str, messages: &[&str]| {
            let (at, _, diagnostics) = scan(code);
            assert_eq!(at, rest, "{code}");
            let found: Vec<_> = diagnostics.iter().map(|d| d.message.as_str()).collect();
            assert_eq!(found, messages, "{code}");
        };
        let action = "this `{` has no closing `}`";
        check("{ a\n b\nrule : c", "rule : c", &[action]);
        check("{ a\n b\ndefault: c", "", &[action]);
        check("{ a\nstd::x\n%%\n", "%%\n", &[action]);
        check("{ \"a\n}|", "|", &["this string has no end on its line"]);
        check("{ 'a\n}|", "|", &["this character constant has no end on its line"]);
        check("{ /* ", "", &[action, "this comment has no `*/`"]);
        check("{ R\"( ", "", &[action, "this raw string has no end"]);
    }
}
