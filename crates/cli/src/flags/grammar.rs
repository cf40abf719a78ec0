//! Which grammar, and how it is to be read.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use gramercy::assemble::manifest::GrammarFile;
use gramercy::base::{Diagnostic, Limits, Sources};
use gramercy::formats::notation_of;
use gramercy::language::Language;
use gramercy::{Disk, Grammar, LoadOptions, Loaded, Notation, load};

use super::one_of;
use crate::codes;
use crate::console::Console;
use crate::outcome::Failure;

const HEADING: &str = "Grammar options";

/// The grammar options of every command that takes a grammar.
#[derive(Args)]
pub(crate) struct GrammarArgs {
    /// Grammar file, or a folder with one grammar in it
    #[arg(value_name = "GRAMMAR", value_hint = ValueHint::FilePath)]
    grammar: PathBuf,
    /// Start rule [default: by the notation's convention]
    #[arg(long, value_name = "RULE", help_heading = HEADING)]
    start: Option<String>,
    /// Notation of the grammar [default: by the file's extension]
    #[arg(
        long, value_name = "NAME", help_heading = HEADING,
        value_parser = one_of(&Notation::ALL, Notation::as_str)
    )]
    notation: Option<Notation>,
    /// File with the lexer of a grammar of tokens only: ANTLR 4 or native
    #[arg(long, value_name = "FILE", help_heading = HEADING, value_hint = ValueHint::FilePath)]
    lexer: Option<PathBuf>,
}

/// A grammar that can be used, and what was said while it was read.
pub(crate) struct LoadedGrammar {
    /// The file it was read from.
    pub(crate) file: PathBuf,
    /// The grammar, with everything that is derived from it.
    pub(crate) language: Language,
    /// How it was read.
    options: LoadOptions,
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
        }
    }
}

impl GrammarArgs {
    /// Reads the grammar for a command that needs one, and reports what is wrong with it.
    pub(crate) fn load(&self, limits: Limits, console: &Console) -> Result<LoadedGrammar, Failure> {
        let (file, grammar) = self.load_grammar(limits, console)?;
        let language = Language::new(grammar, limits)?;
        Ok(LoadedGrammar { file, language, options: self.options(limits) })
    }

    /// The same grammar, read as a manifest says where no option says otherwise.
    pub(crate) fn as_in(&self, manifest: &GrammarFile) -> Self {
        let notation = manifest.notation.as_deref();
        let named = |name: &str| Notation::ALL.into_iter().find(|known| known.as_str() == name);
        Self {
            grammar: self.grammar.clone(),
            start: self.start.clone().or_else(|| manifest.start.clone()),
            notation: self.notation.or_else(|| notation.and_then(named)),
            lexer: self.lexer.clone().or_else(|| manifest.lexer.as_ref().map(PathBuf::from)),
        }
    }

    /// Another grammar, read with the same options.
    pub(crate) fn of_file(&self, file: &Path) -> Self {
        Self {
            grammar: file.to_owned(),
            start: self.start.clone(),
            notation: self.notation,
            lexer: self.lexer.clone(),
        }
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

    fn options(&self, limits: Limits) -> LoadOptions {
        LoadOptions {
            notation: self.notation,
            start: self.start.clone(),
            lexer: self.lexer.clone(),
            limits,
        }
    }

    /// Reads the grammar for a command that is interested in what is wrong with it.
    pub(crate) fn read(&self, limits: Limits) -> Result<(PathBuf, Loaded), Failure> {
        let file = self.file()?;
        let loaded = load(&file, &Disk, &self.options(limits));
        Ok((file, loaded))
    }

    fn file(&self) -> Result<PathBuf, Failure> {
        if self.grammar.is_dir() {
            only_grammar_in(&self.grammar)
        } else {
            Ok(self.grammar.clone())
        }
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
    notation_of(path) == Some(Notation::Antlr4) && std::fs::read_to_string(path).is_ok_and(says_so)
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
