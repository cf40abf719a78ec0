//! Which grammar, and how it is to be read.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use gramercy::assemble::manifest::GrammarFile;
use gramercy::base::{Diagnostic, Encoding, Limits, Sources, files};
use gramercy::formats::{Encoded, Files, notation_of};
use gramercy::language::Language;
use gramercy::{Disk, Grammar, LoadOptions, Loaded, Notation, load};

use super::{Given, one_of};
use crate::codes;
use crate::console::Console;
use crate::outcome::Failure;
use crate::output_file::is_standard;

const HEADING: &str = "Grammar options";

/// The grammar options of every command that takes a grammar.
#[derive(Args)]
pub(crate) struct GrammarArgs {
    #[command(flatten)]
    given: Given,
    /// Grammar file, a folder with one grammar in it, or - for standard input
    #[arg(value_name = "GRAMMAR", value_hint = ValueHint::FilePath)]
    grammar: PathBuf,
    #[command(flatten)]
    options: GrammarOptions,
}

/// How a grammar is read.
#[derive(Args, Clone)]
pub(crate) struct GrammarOptions {
    /// Start rule [default: by the notation's convention]
    #[arg(long, value_name = "RULE", help_heading = HEADING)]
    start: Option<String>,
    /// Notation of the grammar [default: by the file's extension]
    #[arg(
        long, value_name = "NAME", help_heading = HEADING,
        value_parser = one_of(&Notation::ALL, Notation::as_str)
    )]
    notation: Option<Notation>,
    /// File with the lexer, ANTLR 4 or native; it replaces one that the grammar has
    #[arg(long, value_name = "FILE", help_heading = HEADING, value_hint = ValueHint::FilePath)]
    lexer: Option<PathBuf>,
    /// Encoding of inputs, and of grammar files that are not UTF-8: utf-8, latin-1, utf-16, windows-1252,
    /// shift_jis or another one that browsers know; latin-1 makes every byte a character
    #[arg(long, value_name = "NAME", default_value_t = Encoding::UTF_8, help_heading = HEADING)]
    encoding: Encoding,
    /// Refuse grammar files with more bytes than this
    #[arg(
        long, value_name = "N", default_value_t = Limits::default().file_bytes,
        help_heading = HEADING
    )]
    max_grammar_bytes: usize,
}

/// A grammar that can be used, and what was said while it was read.
pub(crate) struct LoadedGrammar {
    /// The file it was read from.
    pub(crate) file: PathBuf,
    /// The grammar, with everything that is derived from it.
    pub(crate) language: Language,
    /// How it was read.
    pub(crate) options: LoadOptions,
    pub(crate) encoding: Encoding,
}

impl LoadedGrammar {
    /// The grammar itself.
    pub(crate) fn grammar(&self) -> &Grammar {
        self.language.grammar()
    }

    /// The name of the start rule.
    pub(crate) fn start(&self) -> &str {
        &self.grammar().rules()[self.grammar().start()].name
    }

    /// The grammar as a manifest names it.
    pub(crate) fn for_manifest(&self) -> GrammarFile {
        let LoadOptions { start, notation, lexer, .. } = &self.options;
        GrammarFile {
            file: self.file.display().to_string(),
            fingerprint: self.language.fingerprint(),
            start: start.clone(),
            notation: notation.map(|notation| notation.as_str().to_owned()),
            lexer: lexer.as_ref().map(|path| path.display().to_string()),
            encoding: (!self.encoding.is_utf8()).then(|| self.encoding.to_string()),
        }
    }
}

impl GrammarArgs {
    /// Reads the grammar for a command that needs one, and reports what is wrong with it.
    pub(crate) fn load(&self, limits: Limits, console: &Console) -> Result<LoadedGrammar, Failure> {
        let (file, grammar) = self.load_grammar(limits, console)?;
        let encoding = self.encoding();
        let language = Language::new(grammar, limits)?.with_input_encoding(encoding);
        Ok(LoadedGrammar { file, language, options: self.options(limits), encoding })
    }

    /// The encoding of inputs.
    pub(crate) fn encoding(&self) -> Encoding {
        self.options.encoding
    }

    /// Which options stand on the command line.
    pub(crate) fn given(&self) -> &Given {
        &self.given
    }

    /// The same grammar, read as a manifest says. Only options on the command line go first; defaults of
    /// `gramercy.toml` do not.
    pub(crate) fn as_in(&self, manifest: &GrammarFile) -> Self {
        let (notation, encoding) = (manifest.notation.as_deref(), manifest.encoding.as_deref());
        let named = |name: &str| Notation::ALL.into_iter().find(|known| known.as_str() == name);
        let lexer = manifest.lexer.as_ref().map(PathBuf::from);
        let is_given = |id: &str| self.given.has(id);
        let own = &self.options;
        Self {
            given: self.given.clone(),
            grammar: self.grammar.clone(),
            options: GrammarOptions {
                start: if is_given("start") { own.start.clone() } else { manifest.start.clone() },
                notation: match is_given("notation") {
                    true => own.notation,
                    false => notation.and_then(named),
                },
                lexer: if is_given("lexer") { own.lexer.clone() } else { lexer },
                encoding: match is_given("encoding") {
                    true => own.encoding,
                    false => encoding.and_then(|name| name.parse().ok()).unwrap_or_default(),
                },
                max_grammar_bytes: own.max_grammar_bytes,
            },
        }
    }

    /// Another grammar, read with the same options.
    pub(crate) fn of_file(&self, file: &Path) -> Self {
        Self { given: self.given.clone(), grammar: file.to_owned(), options: self.options.clone() }
    }

    /// Reads the grammar for a command that needs nothing that is derived from it.
    pub(crate) fn load_grammar(
        &self,
        limits: Limits,
        console: &Console,
    ) -> Result<(PathBuf, Grammar), Failure> {
        let (file, loaded) = self.read(limits)?;
        console.report(&loaded.diagnostics, &loaded.sources);
        Ok((file, loaded.grammar.ok_or(Failure::Reported)?))
    }

    /// How the grammar is read.
    fn options(&self, limits: Limits) -> LoadOptions {
        self.options.load_options(limits)
    }

    /// Reads the grammar for a command that is interested in what is wrong with it.
    pub(crate) fn read(&self, limits: Limits) -> Result<(PathBuf, Loaded), Failure> {
        self.options.read(&self.grammar, limits)
    }
}

impl GrammarOptions {
    fn load_options(&self, limits: Limits) -> LoadOptions {
        LoadOptions {
            notation: self.notation,
            start: self.start.clone(),
            lexer: self.lexer.clone(),
            limits: Limits { file_bytes: self.max_grammar_bytes, ..limits },
        }
    }

    /// Reads a grammar: a file, a folder with one in it, or standard input.
    pub(crate) fn read(&self, path: &Path, limits: Limits) -> Result<(PathBuf, Loaded), Failure> {
        let options = self.load_options(limits);
        if is_standard(path) {
            let input = StandardInput::read(options.limits.file_bytes)?;
            let file = PathBuf::from(StandardInput::NAME);
            let loaded = load(&file, &Encoded { files: &input, encoding: self.encoding }, &options);
            return Ok((file, loaded));
        }
        let file = match path.is_dir() {
            true => only_grammar_in(path)?,
            false => path.to_owned(),
        };
        let loaded = load(&file, &Encoded { files: &Disk, encoding: self.encoding }, &options);
        Ok((file, loaded))
    }
}

/// Files on disk, with standard input among them.
struct StandardInput {
    content: Vec<u8>,
}

impl StandardInput {
    /// The name that stands for standard input in messages.
    const NAME: &str = "<stdin>";

    fn read(limit: usize) -> Result<Self, Failure> {
        let content = files::read_all(std::io::stdin().lock(), limit).map_err(|error| {
            let message = format!("cannot read the grammar from standard input: {error}");
            Failure::refused(Diagnostic::new(gramercy::formats::codes::UNREADABLE_FILE, message))
        })?;
        Ok(Self { content })
    }
}

impl Files for StandardInput {
    fn read(&self, path: &Path, limit: usize) -> std::io::Result<Vec<u8>> {
        match path == Path::new(Self::NAME) {
            true => Ok(self.content.clone()),
            false => Disk.read(path, limit),
        }
    }

    fn exists(&self, path: &Path) -> bool {
        path == Path::new(Self::NAME) || Disk.exists(path)
    }
}

/// The one grammar in a folder. A lexer beside its parser is part of the same grammar.
fn only_grammar_in(folder: &Path) -> Result<PathBuf, Failure> {
    let mut found = grammars_in(folder).map_err(|error| {
        let message = format!("cannot read the folder `{}`: {error}", folder.display());
        Failure::refused(Diagnostic::new(gramercy::formats::codes::UNREADABLE_FILE, message))
    })?;
    if found.len() > 1 {
        found.retain(|path| !is_lexer(path));
    }
    match &mut found[..] {
        [only] => Ok(std::mem::take(only)),
        several => Err(not_one_grammar(folder, several)),
    }
}

fn grammars_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?;
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    let is_grammar = |path: &PathBuf| path.is_file() && notation_of(path).is_some();
    let mut found: Vec<_> = paths.into_iter().filter(is_grammar).collect();
    found.sort();
    Ok(found)
}

/// ANTLR's lexer grammars say so on a line of their own.
fn is_lexer(path: &Path) -> bool {
    let says_so = |text: String| text.lines().any(|line| line.starts_with("lexer grammar"));
    let text = || files::read_text(path, Limits::default().file_bytes);
    notation_of(path) == Some(Notation::Antlr4) && text().is_ok_and(says_so)
}

fn not_one_grammar(folder: &Path, several: &[PathBuf]) -> Failure {
    let folder = folder.display();
    let message = match several {
        [] => format!("there is no grammar in the folder `{folder}`"),
        _ => format!("there are {} grammars in the folder `{folder}`", several.len()),
    };
    let mut diagnostic = Diagnostic::new(codes::NOT_ONE_GRAMMAR, message);
    diagnostic.help = several
        .first()
        .map(|first| format!("say which one is meant, for example `{}`", first.display()));
    Failure::Refused(vec![diagnostic], Sources::new())
}
