//! Where ANTLR comes from, and the parsers that it makes.
//!
//! The jar is that of the npm package `antlr4ng-cli`; Java is the machine's. What was built stays in
//! the target folder and is used again as long as the grammar is the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::subject::Subject;
use crate::Fallible;

const PACKAGE: &str = "antlr4ng-cli@2.0.0";
/// A JVM for short runs.
const SHORT_RUN: [&str; 3] = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss64m"];
const JUDGE: &str = include_str!("Judge.java");

/// ANTLR, ready to be used.
#[derive(Clone, Debug)]
pub struct Tool {
    jar: PathBuf,
    folder: PathBuf,
}

/// A parser that ANTLR made.
#[derive(Clone, Debug)]
pub struct Built {
    pub(super) class_path: String,
    pub(super) lexer: String,
    pub(super) parser: String,
    pub(super) start: String,
}

/// Whether a rule is added that asks for the start rule and the end of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The start rule as it is.
    AsWritten,
    /// The end of input behind it.
    AskedFor,
}

/// The rule that asks for the end of input.
const WHOLE: &str = "gramercyWhole";

#[expect(clippy::disallowed_methods, reason = "the proof starts the judge's programs here")]
pub(super) fn command(program: &str) -> Command {
    Command::new(program)
}

/// Runs a program in a folder; if it fails, its first error.
fn run(program: &str, arguments: &[&str], folder: &Path) -> Fallible {
    let mut command = command(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    let output = command.output().map_err(|error| format!("cannot start {program}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stderr, output.stdout].concat();
    let said = String::from_utf8_lossy(&said);
    let first = said.lines().find(|line| line.contains("error")).or(said.lines().next());
    Err(format!("{program}: {}", first.unwrap_or("it failed without a word")))
}

fn io<T>(result: std::io::Result<T>, path: &Path) -> Fallible<T> {
    result.map_err(|error| format!("{}: {error}", path.display()))
}

impl Tool {
    /// Looks for Java and the package.
    ///
    /// # Errors
    /// What cannot be had.
    pub fn find() -> Fallible<Self> {
        let folder = gramercy_testkit::workspace().join("target/proof-antlr");
        io(fs::create_dir_all(&folder), &folder)?;
        for program in ["java", "javac"] {
            run(program, &["-version"], &folder)?;
        }
        let package = folder.join("package");
        if !package.is_dir() {
            run("npm", &["pack", "--silent", PACKAGE], &folder)?;
            let archive = file_ending_with(&folder, ".tgz")?;
            run("tar", &["xzf", &archive.to_string_lossy()], &folder)?;
        }
        Ok(Self { jar: file_ending_with(&package, "-complete.jar")?, folder })
    }

    /// ANTLR's parser of a grammar.
    ///
    /// # Errors
    /// If ANTLR or the compiler refuse it.
    pub fn build(&self, subject: &Subject, end: End) -> Fallible<Built> {
        let suffix = if end == End::AskedFor { "-whole" } else { "" };
        let folder = self.folder.join(format!("{}{suffix}", subject.name));
        let (source, classes) = (folder.join("source"), folder.join("classes"));
        let inputs = self.inputs(subject, end)?;
        let stamp = folder.join("inputs");
        let joined: String =
            inputs.iter().map(|(name, text)| format!("{name}\n{text}\n")).collect();
        if fs::read_to_string(&stamp).ok().as_ref() != Some(&joined) {
            let _ = fs::remove_dir_all(&folder);
            io(fs::create_dir_all(&source), &source)?;
            for (name, text) in &inputs {
                io(fs::write(source.join(name), text), &source)?;
            }
            self.generate(subject, &source)?;
            self.compile(&source, &classes)?;
            io(fs::write(&stamp, joined), &stamp)?;
        }
        let grammar = subject.grammar_name();
        let (lexer, parser) = match subject.files.len() {
            1 => (format!("{grammar}Lexer"), format!("{grammar}Parser")),
            _ => (subject.files[0].trim_end_matches(".g4").into(), grammar.into()),
        };
        let start = if end == End::AskedFor { WHOLE.into() } else { subject.start.clone() };
        let class_path = format!("{}:{}", classes.display(), self.jar.display());
        Ok(Built { class_path, lexer, parser, start })
    }

    /// The files of a grammar, and the judge.
    fn inputs(&self, subject: &Subject, end: End) -> Fallible<Vec<(String, String)>> {
        let mut inputs = vec![("Judge.java".to_owned(), JUDGE.to_owned())];
        for path in gramercy_testkit::files_in(&subject.folder, &["g4"]) {
            let mut text = io(fs::read_to_string(&path), &path)?;
            if end == End::AskedFor && path == subject.main {
                text += &format!("\n{WHOLE} : {} EOF ;\n", subject.start);
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            inputs.push((name, text));
        }
        Ok(inputs)
    }

    fn generate(&self, subject: &Subject, source: &Path) -> Fallible {
        let jar = self.jar.to_string_lossy();
        let mut arguments = SHORT_RUN.to_vec();
        arguments.extend([
            "-cp",
            &jar,
            "org.antlr.v4.Tool",
            "-Dlanguage=Java",
            "-encoding",
            "UTF-8",
        ]);
        arguments.extend(["-no-listener", "-no-visitor"]);
        arguments.extend(subject.files.iter().map(String::as_str));
        run("java", &arguments, source)
    }

    fn compile(&self, source: &Path, classes: &Path) -> Fallible {
        let (jar, classes) = (self.jar.to_string_lossy(), classes.to_string_lossy());
        let flags: Vec<_> = SHORT_RUN.iter().map(|flag| format!("-J{flag}")).collect();
        let mut arguments: Vec<&str> = flags.iter().map(String::as_str).collect();
        arguments.extend(["-nowarn", "-proc:none", "-g:none", "-encoding", "UTF-8"]);
        arguments.extend(["-cp", &jar, "-d", &classes]);
        let files = gramercy_testkit::files_in(source, &["java"]);
        let files: Vec<_> = files.iter().map(|file| file.to_string_lossy()).collect();
        arguments.extend(files.iter().map(AsRef::as_ref));
        run("javac", &arguments, source)
    }
}

fn file_ending_with(folder: &Path, ending: &str) -> Fallible<PathBuf> {
    let entries = io(fs::read_dir(folder), folder)?;
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let found = paths.find(|path| path.to_string_lossy().ends_with(ending));
    found.ok_or_else(|| format!("{} holds no file that ends with {ending}", folder.display()))
}
