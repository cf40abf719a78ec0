//! ANTLR's own trees, from its interpreter: one JVM for all grammars.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use gramercy_formats::Memory;

use super::{Effort, Outcome, outline, random_grammars, texts};
use crate::antlr::tool::{Tool, command};
use crate::{Fallible, languages};

/// Compares trees of random grammars with ANTLR's.
///
/// # Errors
/// If a program cannot be started, or a grammar cannot be read.
pub fn antlr(tool: &Tool, effort: &Effort) -> Fallible<Outcome> {
    let class_path = tool.compile_alone("TreeJudge", include_str!("TreeJudge.java"))?;
    let (mut cases, mut question) = (Vec::new(), Vec::new());
    for seed in effort.seed..effort.seed + effort.grammars {
        let grammar = random_grammars::antlr(seed);
        let files = Memory::with("T.g4", grammar.as_str());
        let language = languages::read_from(Path::new("T.g4"), &files, Some("s"))?;
        let texts = texts(&language, effort.texts, seed)?;
        add(&mut question, &grammar)?;
        add(&mut question, "s")?;
        question.extend(length(texts.len())?);
        texts.iter().try_for_each(|text| add(&mut question, text))?;
        cases.push((grammar, language, texts));
    }
    let answers = ask(&class_path, question)?;
    let mut answers = answers.lines();
    let mut outcome = Outcome::default();
    for (grammar, language, texts) in &cases {
        let theirs: Vec<_> = answers.by_ref().take(texts.len()).collect();
        if theirs.len() < texts.len() {
            return Err("the judge ended early".to_owned());
        }
        if theirs.contains(&"refused") {
            outcome.refused += 1;
            continue;
        }
        outcome.grammars += 1;
        for (text, theirs) in texts.iter().zip(theirs) {
            // Without an end of input in the start rule ANTLR may stop early.
            if theirs == "reject" && grammar.contains("s: e;") {
                outcome.rejected += 1;
                continue;
            }
            let ours = outline(language, text).unwrap_or_else(|problem| problem);
            outcome.compare(grammar, text, &ours, theirs);
        }
    }
    Ok(outcome)
}

fn length(length: usize) -> Fallible<[u8; 4]> {
    i32::try_from(length).map(i32::to_be_bytes).map_err(|error| error.to_string())
}

fn add(question: &mut Vec<u8>, text: &str) -> Fallible {
    question.extend(length(text.len())?);
    question.extend(text.as_bytes());
    Ok(())
}

fn ask(class_path: &str, question: Vec<u8>) -> Fallible<String> {
    let mut command = command("java");
    command.args(["-XX:+UseSerialGC", "-Xmx2g", "-cp", class_path, "TreeJudge"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("cannot start the judge: {error}"))?;
    let mut input = child.stdin.take().expect("invariant: it is piped");
    let writer = std::thread::spawn(move || input.write_all(&question));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let written = writer.join().map_err(|_| "the question was not written".to_owned())?;
    written.map_err(|error| error.to_string())?;
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}
