//! ANTLR and the parsers that it generates.
//!
//! The jar comes from the npm package `antlr4ng-cli`; Java is that of the machine. Generated
//! parsers stay in the target folder and are reused while the grammar does not change.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use gramercy_base::Limits;
use gramercy_formats::{Memory, antlr4};
use gramercy_grammar::Grammar;
use gramercy_language::Language;

use super::subject::{AntlrInput, Subject};
use crate::{Fallible, languages};

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

/// A grammar for ANTLR.
#[derive(Clone, Debug)]
pub struct Input {
    name: String,
    /// Names and texts; the one with the parser comes last.
    files: Vec<(String, String)>,
    /// The files that are not imported: a lexer and a parser, or both in one.
    roots: Vec<String>,
    start: String,
}

impl Input {
    /// The input of ANTLR for a subject.
    ///
    /// # Errors
    /// If files cannot be read, or the grammar cannot be written for ANTLR.
    pub fn new(subject: &Subject, language: &Language) -> Fallible<Self> {
        let grammar = language.grammar();
        let (files, start) = match subject.input_kind {
            AntlrInput::Original => (original(&subject.main)?, start_of(grammar)),
            AntlrInput::Converted => {
                let files = antlr4::write(grammar, &Limits::default());
                let files = files.map_err(|limit| limit.to_string())?;
                let files: Vec<_> = files.into_iter().map(|file| (file.name, file.text)).collect();
                let start = start_of_written(&files)?;
                (files, start)
            }
        };
        let is_root = |name: &&String| name.contains("Lexer") || name.contains("Parser");
        let all: Vec<_> = files.iter().map(|(name, _)| name).collect();
        let mut roots: Vec<String> = all.iter().copied().filter(is_root).cloned().collect();
        if roots.len() < 2 {
            roots = all.last().map(|name| (*name).clone()).into_iter().collect();
        }
        Ok(Self { name: subject.name.clone(), files, roots, start })
    }
}

/// The files that belong to a grammar: those in its folder with its name.
fn original(main: &Path) -> Fallible<Vec<(String, String)>> {
    let folder = main.parent().unwrap_or(main);
    let mut paths = gramercy_testkit::files_in(folder, &["g4"]);
    paths.retain(|path| path != main);
    paths.push(main.to_path_buf());
    let file = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, io(fs::read_to_string(path), path)?))
    };
    paths.iter().map(file).collect()
}

fn start_of(grammar: &Grammar) -> String {
    grammar.rules()[grammar.start()].name.to_string()
}

/// The start rule of the written grammar, as the reader finds it.
fn start_of_written(files: &[(String, String)]) -> Fallible<String> {
    let (main, _) = files.last().ok_or("nothing was written")?;
    let mut memory = Memory::default();
    for (name, text) in files {
        memory = memory.and(name, text.as_str());
    }
    let language = languages::read_from(Path::new(main), &memory, None)?;
    Ok(start_of(language.grammar()))
}

/// Whether a rule is added for the start rule and the end of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The start rule without changes.
    AsWritten,
    /// The end of input after it.
    AskedFor,
}

/// The rule that requires the end of input.
const WHOLE: &str = "gramercyWhole";

#[expect(clippy::disallowed_methods, reason = "the proof starts the judge's programs here")]
pub(crate) fn command(program: &str) -> Command {
    Command::new(program)
}

/// Runs a program in a folder; if it fails, its first error.
pub(crate) fn run(program: &str, arguments: &[&str], folder: &Path) -> Fallible {
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
    /// Finds Java and the package.
    ///
    /// # Errors
    /// The missing program.
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
    /// If ANTLR or the compiler rejects it.
    pub fn build(&self, input: &Input, end: End) -> Fallible<Built> {
        let suffix = if end == End::AskedFor { "-whole" } else { "" };
        let folder = self.folder.join(format!("{}{suffix}", input.name));
        let (source, classes) = (folder.join("source"), folder.join("classes"));
        let mut files = input.files.clone();
        if let (End::AskedFor, Some((_, text))) = (end, files.last_mut()) {
            *text += &format!("\n{WHOLE} : {} EOF ;\n", input.start);
        }
        files.push(("Judge.java".into(), JUDGE.into()));
        let stamp = folder.join("inputs");
        let joined: String = files.iter().map(|(name, text)| format!("{name}\n{text}\n")).collect();
        if fs::read_to_string(&stamp).ok().as_ref() != Some(&joined) {
            // The output of an earlier grammar with this name may not exist.
            let _ = fs::remove_dir_all(&folder);
            io(fs::create_dir_all(&source), &source)?;
            for (name, text) in &files {
                io(fs::write(source.join(name), text), &source)?;
            }
            self.generate(&input.roots, &source)?;
            self.compile(&source, &classes)?;
            io(fs::write(&stamp, joined), &stamp)?;
        }
        let stem = |at: usize| input.roots[at].trim_end_matches(".g4");
        let (lexer, parser) = match input.roots.len() {
            1 => (format!("{}Lexer", stem(0)), format!("{}Parser", stem(0))),
            _ => (stem(0).into(), stem(1).into()),
        };
        let start = if end == End::AskedFor { WHOLE.into() } else { input.start.clone() };
        let class_path = format!("{}:{}", classes.display(), self.jar.display());
        Ok(Built { class_path, lexer, parser, start })
    }

    /// Compiles a class that needs nothing but ANTLR: its class path.
    ///
    /// # Errors
    /// If the compiler refuses it.
    pub fn compile_alone(&self, name: &str, text: &str) -> Fallible<String> {
        let folder = self.folder.join(name);
        let (source, classes) = (folder.join("source"), folder.join("classes"));
        io(fs::create_dir_all(&source), &source)?;
        io(fs::write(source.join(format!("{name}.java")), text), &source)?;
        self.compile(&source, &classes)?;
        Ok(format!("{}:{}", classes.display(), self.jar.display()))
    }

    fn generate(&self, roots: &[String], source: &Path) -> Fallible {
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
        arguments.extend(roots.iter().map(String::as_str));
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
