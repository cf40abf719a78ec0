//! Parsers of others that run here: tree-sitter in the process, ANTLR in a warm JVM.
//!
//! ANTLR's parser does not build its tree, so it does less than ours with a forest. A text is sent
//! through a pipe, which takes a small part of the time.

use gramercy_proof::Fallible;
use gramercy_proof::antlr::judge::{Judge, Verdict};
use gramercy_proof::antlr::subject::{Form, Subject};
use gramercy_proof::antlr::tool::{End, Input, Tool};
use gramercy_proof::language::Language;

use crate::{RUNS, best, line, workspace};

/// Rounds until the JVM has compiled what is hot.
const WARM_UP: usize = 10;
const WARM_UP_OF_SMALL_TEXTS: usize = 200;

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

/// ANTLR's parser of the same grammar, as we write it for ANTLR.
pub(crate) fn antlr_json(text: &str) -> Fallible<()> {
    let main = workspace().join("grammars/json.gram");
    let language = Language::load(&main, None)?;
    let examples = main.with_extension("corpus.ndjson");
    let name = "bench-json".into();
    let subject = Subject { name, main, start: None, form: Form::Converted, examples };
    let mut judge = judge(&subject, &language)?;
    read_all(&mut judge, &[text], WARM_UP)?;
    let (time, ()) = best(RUNS, || read_all(&mut judge, &[text], 1))?;
    line("ANTLR", time, "without a tree");
    Ok(())
}

/// ANTLR's parser on examples; those that it rejects must be rejected by all.
pub(crate) fn antlr_texts(
    subject: &Subject,
    language: &Language,
    texts: &[&String],
) -> Fallible<()> {
    let mut judge = judge(subject, language)?;
    let texts: Vec<&str> = texts.iter().map(|text| text.as_str()).collect();
    read_all(&mut judge, &texts, WARM_UP_OF_SMALL_TEXTS)?;
    let (time, ()) = best(WARM_UP_OF_SMALL_TEXTS, || read_all(&mut judge, &texts, 1))?;
    line("ANTLR", time, "without a tree");
    Ok(())
}

fn judge(subject: &Subject, language: &Language) -> Fallible<Judge> {
    let input = Input::new(subject, language)?;
    Ok(Judge::new(Tool::find()?.build(&input, End::AsWritten)?))
}

fn read_all(judge: &mut Judge, texts: &[&str], rounds: usize) -> Fallible<()> {
    for _ in 0..rounds {
        for text in texts {
            match judge.ask(text)? {
                Verdict::Accept => {}
                other => return Err(format!("ANTLR's verdict on a text of ours: {other}")),
            }
        }
    }
    Ok(())
}
