//! The state of a reader: the files, the options, and the diagnostics.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gramercy_base::{Diagnostic, Limits, SourceId, Sources, Span};
use gramercy_grammar::{Grammar, Notation};

use crate::{Files, LoadOptions, Loaded, codes, notation_of};

/// Errors beyond this number are not reported.
const MOST_ERRORS: usize = 100;

/// The state of reading one grammar.
pub struct Reading<'r> {
    files: &'r dyn Files,
    options: &'r LoadOptions,
    sources: Sources,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
}

impl<'r> Reading<'r> {
    /// Nothing is read yet.
    #[must_use]
    pub fn new(files: &'r dyn Files, options: &'r LoadOptions) -> Self {
        let (sources, diagnostics) = (Sources::new(), Vec::new());
        Self { files, options, sources, diagnostics, errors: 0 }
    }

    /// The start rule that the user requested.
    #[must_use]
    pub fn wanted_start(&self) -> Option<&'r str> {
        self.options.start.as_deref()
    }

    /// The limits on size and nesting.
    #[must_use]
    pub fn limits(&self) -> &'r Limits {
        &self.options.limits
    }

    /// The files that are read.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The source of files.
    #[must_use]
    pub fn files(&self) -> &'r dyn Files {
        self.files
    }

    /// The text of a file that was read, without a borrow of this value.
    #[must_use]
    pub fn text(&self, source: SourceId) -> Arc<str> {
        self.sources.get(source).shared_text()
    }

    /// Adds a diagnostic. Errors beyond a hundred are dropped.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        if diagnostic.is_error() {
            self.errors += 1;
            if self.errors > MOST_ERRORS {
                return;
            }
        }
        self.diagnostics.push(diagnostic);
    }

    /// Adds an error with the code [`codes::SYNTAX`].
    pub fn syntax_error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::at(codes::SYNTAX, span, message));
    }

    /// Whether an error was reported.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether another error would be kept. Otherwise it is not worth computing expensive help.
    #[must_use]
    pub fn keeps_errors(&self) -> bool {
        self.errors < MOST_ERRORS
    }

    /// Reads a file as text, or reports why that is impossible. `from` is the span of the import.
    pub fn read_source(&mut self, path: &Path, from: Option<Span>) -> Option<SourceId> {
        let at = |code, message: String| match from {
            Some(span) => Diagnostic::at(code, span, message),
            None => Diagnostic::new(code, message),
        };
        let name = path.display().to_string();
        let bytes = match self.files.read(path, self.limits().file_bytes) {
            Ok(bytes) => bytes,
            Err(error) => {
                let message = format!("cannot read `{name}`: {error}");
                let diagnostic = match error.kind() {
                    io::ErrorKind::FileTooLarge => at(codes::FILE_TOO_LARGE, message)
                        .help("raise the limit with --max-grammar-bytes"),
                    _ => at(codes::UNREADABLE_FILE, message),
                };
                self.report(diagnostic);
                return None;
            }
        };
        match String::from_utf8(bytes) {
            Ok(text) => Some(self.sources.add(name, text)),
            Err(error) => {
                self.report_not_utf8(&name, &error);
                None
            }
        }
    }

    fn report_not_utf8(&mut self, name: &str, error: &std::string::FromUtf8Error) {
        let offset = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..offset];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let message = format!("`{name}` is not UTF-8: byte {offset}, line {line}");
        let help = "save it as UTF-8, or name its encoding, for example with --encoding latin-1";
        self.report(Diagnostic::new(codes::NOT_UTF8, message).help(help));
    }

    pub(crate) fn read_grammar(&mut self, path: &Path) -> Option<Grammar> {
        let Some(notation) = self.options.notation.or_else(|| notation_of(path)) else {
            // A file that is not there needs no notation.
            if let Err(error) = self.files.read(path, self.limits().file_bytes)
                && error.kind() == io::ErrorKind::NotFound
            {
                let message = format!("cannot read `{}`: {error}", path.display());
                self.report(Diagnostic::new(codes::UNREADABLE_FILE, message));
                return None;
            }
            let message = format!("cannot tell the notation of `{}`", path.display());
            let known = Notation::ALL.map(Notation::as_str).join(", ");
            let help = format!("choose it with --notation: {known}");
            self.report(Diagnostic::new(codes::UNKNOWN_NOTATION, message).help(help));
            return None;
        };
        let source = self.read_source(path, None)?;
        let path = PathBuf::from(path);
        crate::read_notation(self, notation, source, &path)
    }

    /// Reads another grammar that this one depends on, with its own files and options.
    pub(crate) fn read_other(
        &mut self,
        path: &Path,
        files: &dyn Files,
        options: &LoadOptions,
    ) -> Option<Grammar> {
        let sources = std::mem::take(&mut self.sources);
        let mut other =
            Reading { files, options, sources, diagnostics: Vec::new(), errors: self.errors };
        let grammar = other.read_grammar(path);
        let Reading { sources, diagnostics, errors, .. } = other;
        let is_right = errors == self.errors;
        self.sources = sources;
        self.errors = errors;
        self.diagnostics.extend(diagnostics);
        grammar.filter(|_| is_right)
    }

    pub(crate) fn finish(mut self, grammar: Option<Grammar>) -> Loaded {
        // A reader may visit a file several times; diagnostics without a span come last.
        self.diagnostics.sort_by_key(|diagnostic| (diagnostic.span().is_none(), diagnostic.span()));
        if self.errors > MOST_ERRORS {
            let left_out = self.errors - MOST_ERRORS;
            let message = format!("{left_out} more errors are not shown");
            self.diagnostics.push(Diagnostic::new(codes::TOO_MANY_MISTAKES, message));
        }
        let grammar = grammar.filter(|_| self.errors == 0);
        Loaded { grammar, diagnostics: self.diagnostics, sources: self.sources }
    }
}
