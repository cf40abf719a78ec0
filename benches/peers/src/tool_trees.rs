//! The tree that a grammar's own tool builds, on long inputs of kinds that exact parsing finds hard.
//!
//! - `expression`: a yacc grammar whose operators are declared with `%left`;
//! - `java`: string concatenations over thousands of lines; `mysql`, `sqlite`: short statements;
//! - `html`: a page with unclosed tags.

use std::fmt::Write as _;
use std::path::Path;

use gramercy_language::Language;
use gramercy_proof::antlr::subject::{self, Subject};
use gramercy_proof::{Fallible, languages};

use crate::{best, clock, peak, peers, skipped};

/// Reads one input of a kind and prints a line: bytes, tokens, milliseconds for tokens, verdict and tree, megabytes
/// of the process, and with a peer ANTLR's milliseconds without and with its tree.
pub(crate) fn tool_trees(kind: &str, bytes: usize, beside: Beside) -> Fallible<()> {
    let subject = subject_of(kind)?;
    let language = match &subject {
        Some(subject) => languages::read(&subject.main, subject.start.as_deref())?,
        None if kind == "expression" => expression_grammar()?,
        None => {
            skipped(kind, "the collection is not there");
            return Ok(());
        }
    };
    let text = text(kind, bytes)?;
    let parser = languages::parser(&language)?;
    let mut workspace = parser.workspace();
    let small = self::text(kind, 1000)?;
    parser.recognize_as_tool(&mut workspace, &small).map_err(|error| format!("{error:?}"))?;
    let before = peak()?;
    let begin = clock();
    parser.recognize_as_tool(&mut workspace, &text).map_err(|error| format!("{error:?}"))?;
    let first = clock() - begin;
    let runs = if bytes > 2_000_000 { 3 } else { 10 };
    let (lexing, tokens) = best(runs, || Ok(parser.tokens(&mut workspace, &text).0.len()))?;
    let (verdict, _) = best(runs, || {
        let read = parser.recognize_as_tool(&mut workspace, &text);
        read.map_err(|error| format!("{error:?}"))
    })?;
    let (tree, _) = best(runs, || {
        let read = parser.preferred(&mut workspace, &text);
        read.map(|read| read.tree.len()).map_err(|error| format!("{error:?}"))
    })?;
    let memory = (peak()? - before) / 1024.0;
    let times = [first, lexing, verdict, tree].map(|it| format!("{:.3}", it.as_secs_f64() * 1e3));
    let mut line = format!("{}\t{tokens}\t{}\t{memory:.1}", text.len(), times.join("\t"));
    if let (Beside::Antlr, Some(subject)) = (beside, &subject) {
        let (plain, tree) = peers::antlr_times(subject, &language, &[&text])?;
        let _infallible =
            write!(line, "\t{:.3}\t{:.3}", plain.as_secs_f64() * 1e3, tree.as_secs_f64() * 1e3);
    }
    println!("{line}");
    Ok(())
}

/// What to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beside {
    Nothing,
    Antlr,
}

fn subject_of(kind: &str) -> Fallible<Option<Subject>> {
    let name = if kind == "java" { "java20" } else { kind };
    Ok(subject::collection()?.into_iter().find(|subject| subject.name == name))
}

fn expression_grammar() -> Fallible<Language> {
    let grammar = "%left '+' '-'\n%left '*'\n%%\ne: e '+' e | e '-' e | e '*' e | 'n';\n";
    let files = gramercy_formats::Memory::with("expression.y", grammar);
    languages::read_from(Path::new("expression.y"), &files, None)
}

/// An input of a kind, of about this many bytes.
fn text(kind: &str, bytes: usize) -> Fallible<String> {
    let (head, parts, separator, tail): (_, &[&str], _, _) = match kind {
        "expression" => ("n ", &["+ n ", "* n ", "- n ", "* n ", "+ n "][..], "", ""),
        "java" => (
            "class Many {\n  String all = \"\"\n",
            &["    + \"abc#\""],
            "\n",
            ";\n}\n",
        ),
        "mysql" => (
            "",
            &[
                "SELECT a# FROM t WHERE id = #;",
                "INSERT INTO t (a, b) VALUES (#, 'x#');",
                "UPDATE t SET a = # WHERE b = #;",
                "DELETE FROM t WHERE a# = #;",
                "CREATE TABLE t# (id INT, v VARCHAR(#));",
                "SET @x# = #;",
            ],
            "\n",
            "\n",
        ),
        "sqlite" => (
            "",
            &[
                "SELECT a# FROM t WHERE id = #;",
                "INSERT INTO t (a, b) VALUES (#, 'x#');",
                "UPDATE t SET a = # WHERE b = #;",
                "DELETE FROM t WHERE a# = #;",
                "CREATE TABLE t# (id INT, v VARCHAR(#));",
            ],
            "\n",
            "\n",
        ),
        "html" => (
            "<!DOCTYPE html>\n<html>\n<head><title>x</title><meta charset=\"utf-8\"></head>\n<body>\n",
            &[
                "<p>Paragraph # with <b>bold</b> text<br>",
                "<li><a href=\"x#.html\">link</a>",
                "<img src=\"a#.png\"><hr>",
                "<td class=\"c\" width=#>cell",
                "<div id='d#'>text</div>",
            ],
            "\n",
            "</body>\n</html>\n",
        ),
        _ => return Err(format!("there are no inputs of the kind {kind}")),
    };
    let mut text = String::with_capacity(bytes + 100);
    text.push_str(head);
    for (number, part) in (1..).zip(parts.iter().cycle()) {
        if text.len() >= bytes {
            break;
        }
        text.push_str(&part.replace('#', &format!("{number}")));
        text.push_str(separator);
    }
    text.push_str(tail);
    Ok(text)
}
