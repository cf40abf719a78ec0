//! Other parsers that run here: tree-sitter in the process, ANTLR in a warm JVM.
//!
//! ANTLR's parser runs twice: without its tree, to compare with recognition, and with its tree, to
//! compare with a forest. Its clock runs in the JVM, from the text as a string to the end of the
//! parse; the garbage collector is a separate thread, which is not counted.

use gramercy_language::Language;
use gramercy_proof::antlr::judge::{Judge, ParserOutput, Verdict};
use gramercy_proof::antlr::subject::{AntlrInput, Subject};
use gramercy_proof::antlr::tool::{End, Input, Tool};
use gramercy_proof::{Fallible, languages};

use std::time::{Duration, Instant};

use crate::{RUNS, best, line, workspace};

/// The number of warm-up rounds, and of measured rounds; fewer if they take longer than this limit.
const ROUNDS: usize = 2000;
const PATIENCE: Duration = Duration::from_secs(15);
const LEAST: usize = 5;
/// For a text that the JVM reads for the first time.
const PATIENCE_COLD: Duration = Duration::from_secs(120);

pub(crate) fn tree_sitter(text: &str) -> Fallible<()> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_json::LANGUAGE.into()).map_err(|error| error.to_string())?;
    let (time, is_wrong) = best(RUNS, || {
        let tree = parser.parse(text, None).ok_or("tree-sitter gives no tree")?;
        Ok(tree.root_node().has_error())
    })?;
    if is_wrong {
        return Err("tree-sitter finds an error in the document".into());
    }
    line("tree-sitter", time, "one tree");
    Ok(())
}

/// ANTLR's parser of the same grammar, as written for ANTLR.
pub(crate) fn antlr_json(text: &str) -> Fallible<()> {
    let main = workspace().join("grammars/json.gram");
    let language = languages::read(&main, None)?;
    let examples = main.with_extension("corpus.ndjson");
    let name = "bench-json".into();
    let subject = Subject { name, main, start: None, input_kind: AntlrInput::Converted, examples };
    antlr(&subject, &language, &[text])
}

/// ANTLR's parser on examples; those that it rejects must be rejected by all.
pub(crate) fn antlr_texts(
    subject: &Subject,
    language: &Language,
    texts: &[&String],
) -> Fallible<()> {
    let texts: Vec<&str> = texts.iter().map(|text| text.as_str()).collect();
    antlr(subject, language, &texts)
}

fn antlr(subject: &Subject, language: &Language, texts: &[&str]) -> Fallible<()> {
    let (plain, tree) = antlr_times(subject, language, texts)?;
    line("ANTLR without its tree", plain, "beside recognition");
    line("ANTLR with its tree", tree, "beside the forest");
    Ok(())
}

/// The times of ANTLR's warm parser, without and with its tree.
pub(crate) fn antlr_times(
    subject: &Subject,
    language: &Language,
    texts: &[&str],
) -> Fallible<(Duration, Duration)> {
    let built = Tool::find()?.build(&Input::new(subject, language)?, End::AsWritten)?;
    let time = |output| {
        let mut judge = Judge::new(built.clone()).output(output).with_patience(PATIENCE_COLD);
        rounds(&mut judge, texts)?;
        rounds(&mut judge, texts)
    };
    Ok((time(ParserOutput::Nothing)?, time(ParserOutput::Tree)?))
}

/// The shortest of many rounds.
fn rounds(judge: &mut Judge, texts: &[&str]) -> Fallible<Duration> {
    let (begin, mut shortest) = (Instant::now(), Duration::MAX);
    for round in 0..ROUNDS {
        if round >= LEAST && begin.elapsed() > PATIENCE {
            break;
        }
        shortest = shortest.min(read_all(judge, texts)?);
    }
    Ok(shortest)
}

/// How long the parser takes for all texts.
fn read_all(judge: &mut Judge, texts: &[&str]) -> Fallible<Duration> {
    let mut sum = Duration::ZERO;
    for text in texts {
        match judge.ask_timed(text)? {
            (Verdict::Accept, time) => sum += time,
            (other, _) => return Err(format!("ANTLR's verdict on a text of ours: {other}")),
        }
    }
    Ok(sum)
}
