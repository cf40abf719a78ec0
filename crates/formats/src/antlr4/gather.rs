//! Joins a file and its imports into one grammar, as ANTLR does: imports are processed depth first;
//! a rule that already exists is skipped, so the rules of the importing grammar win; tokens,
//! channels, modes and code are joined; options of imported grammars are ignored.
//!
//! Every file is read once. Linear in the files; chains of imports do not recurse.

use std::path::{Path, PathBuf};

use gramercy_base::{Diagnostic, Map, Set, SourceId, Span};

use super::codes as antlr;
use super::parse::parse;
use super::tree::{File, GrammarKind, IgnoredCode, Rule, Setting, Texts};
use crate::{Reading, codes};

/// A grammar with all its imports.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) kind: GrammarKind,
    pub(super) name: Box<str>,
    pub(super) path: PathBuf,
    pub(super) options: Vec<Setting>,
    pub(super) tokens: Vec<Span>,
    pub(super) channels: Vec<Span>,
    /// The modes without the default one. [`Rule::mode`] is an index into this list.
    pub(super) modes: Vec<Span>,
    pub(super) syntax: Vec<Rule>,
    pub(super) lexical: Vec<Rule>,
    pub(super) asides: Vec<IgnoredCode>,
    /// Whether an import could not be read, so names may be missing.
    pub(super) incomplete: bool,
}

impl Unit {
    /// The value of an option as written.
    pub(super) fn option(&self, texts: &Texts, name: &str) -> Option<Span> {
        setting(texts, &self.options, name)
    }
}

/// The value of the last setting of a name.
pub(super) fn setting(texts: &Texts, settings: &[Setting], name: &str) -> Option<Span> {
    settings.iter().rfind(|setting| texts.get(setting.name) == name).map(|setting| setting.value)
}

/// Reads a grammar and its imports.
pub(super) fn gather(
    reading: &mut Reading<'_>,
    texts: &mut Texts,
    source: SourceId,
    path: &Path,
) -> Unit {
    let mut files = vec![Imported::new(reading, texts, source, path, None)];
    let mut known: Set<PathBuf> = [path.to_path_buf()].into_iter().collect();
    let (mut pending, mut incomplete) = (Vec::new(), false);
    push_imports(&mut pending, &files[0].file, 0);
    while let Some((importer, name)) = pending.pop() {
        let path = files[importer].path.with_file_name(format!("{}.g4", texts.get(name)));
        if is_above(&files, importer, &path) {
            report_cycle(reading, texts, name);
        } else if known.insert(path.clone()) {
            let Some(source) = read_import(reading, &path, texts.get(name), name) else {
                incomplete = true;
                continue;
            };
            let imported = Imported::new(reading, texts, source, &path, Some(importer));
            check_kind(reading, files[0].file.kind, imported.file.kind, name);
            check_options(reading, texts, &files[0].file, &imported.file);
            push_imports(&mut pending, &imported.file, files.len());
            files.push(imported);
        }
    }
    Unit { incomplete, ..join(reading, texts, files) }
}

struct Imported {
    path: PathBuf,
    file: File,
    importer: Option<usize>,
}

impl Imported {
    fn new(
        reading: &mut Reading<'_>,
        texts: &mut Texts,
        source: SourceId,
        path: &Path,
        importer: Option<usize>,
    ) -> Self {
        texts.add(source, reading.text(source));
        Self { path: path.to_path_buf(), file: parse(reading, source), importer }
    }
}

fn push_imports(pending: &mut Vec<(usize, Span)>, file: &File, importer: usize) {
    pending.extend(file.imports.iter().rev().map(|&name| (importer, name)));
}

fn is_above(files: &[Imported], file: usize, path: &Path) -> bool {
    let above = |&at: &usize| files[at].importer;
    std::iter::successors(Some(file), above).any(|at| files[at].path == path)
}

fn report_cycle(reading: &mut Reading<'_>, texts: &Texts, name: Span) {
    let message = format!("`{}` imports itself by way of this import", texts.get(name));
    let help = "remove this import; ANTLR ignores it";
    reading.report(Diagnostic::at(antlr::IMPORT_CYCLE, name, message).help(help));
}

fn read_import(
    reading: &mut Reading<'_>,
    path: &Path,
    grammar: &str,
    name: Span,
) -> Option<SourceId> {
    if reading.files().exists(path) {
        return reading.read_source(path, Some(name));
    }
    let message = format!("the imported grammar `{grammar}` does not exist");
    let help = format!("it is looked for as `{}`", path.display());
    reading.report(Diagnostic::at(antlr::MISSING_IMPORT, name, message).help(help));
    None
}

fn check_kind(reading: &mut Reading<'_>, root: GrammarKind, imported: GrammarKind, name: Span) {
    if root != imported && root != GrammarKind::Combined {
        let message =
            format!("a {} grammar cannot import a {} grammar", root.as_str(), imported.as_str());
        reading.report(Diagnostic::at(antlr::BAD_IMPORT, name, message));
    }
}

/// Reports the options of an imported grammar that differ from those of the importing one.
fn check_options(reading: &mut Reading<'_>, texts: &Texts, root: &File, imported: &File) {
    for option in &imported.options {
        let name = texts.get(option.name);
        let same = setting(texts, &root.options, name)
            .is_some_and(|value| texts.get(value) == texts.get(option.value));
        if matches!(name, "caseInsensitive" | "tokenVocab") && !same {
            let message = format!("`{name}` is ignored in an imported grammar");
            let help = "set it in the importing grammar";
            let code = antlr::IMPORTED_OPTIONS;
            reading.report(Diagnostic::at(code, option.name, message).help(help));
        }
    }
}

fn join(reading: &mut Reading<'_>, texts: &Texts, files: Vec<Imported>) -> Unit {
    let mut files = files.into_iter();
    let Imported { file, path, .. } = files.next().expect("invariant: there is a main file");
    let name = match file.name {
        Some(name) => texts.get(name).into(),
        None => path.file_stem().unwrap_or_default().to_string_lossy().into(),
    };
    let mut joining = UnitBuilder {
        unit: Unit {
            kind: file.kind,
            name,
            path,
            options: file.options.clone(),
            tokens: Vec::new(),
            channels: Vec::new(),
            modes: Vec::new(),
            syntax: Vec::new(),
            lexical: Vec::new(),
            asides: Vec::new(),
            incomplete: false,
        },
        reading,
        texts,
        known: Map::default(),
        modes: Map::default(),
    };
    joining.add(file);
    files.for_each(|imported| joining.add(imported.file));
    joining.unit
}

struct UnitBuilder<'j, 'r> {
    unit: Unit,
    reading: &'j mut Reading<'r>,
    texts: &'j Texts,
    /// The spans of the names of all rules.
    known: Map<&'j str, Span>,
    modes: Map<&'j str, usize>,
}

impl UnitBuilder<'_, '_> {
    fn add(&mut self, file: File) {
        self.unit.tokens.extend(file.tokens);
        self.unit.channels.extend(file.channels);
        self.unit.asides.extend(file.asides);
        let modes: Vec<_> = file.modes.iter().map(|&name| self.mode(name)).collect();
        for mut rule in file.rules {
            rule.mode = rule.mode.and_then(|mode| modes[mode]);
            self.rule(rule);
        }
    }

    /// The index of a mode, which may already exist.
    fn mode(&mut self, name: Span) -> Option<usize> {
        let text = self.texts.get(name);
        if text == DEFAULT_MODE {
            return None;
        }
        let modes = &mut self.unit.modes;
        let known = self.modes.entry(text).or_insert_with(|| {
            modes.push(name);
            modes.len() - 1
        });
        Some(*known)
    }

    fn rule(&mut self, rule: Rule) {
        let name = self.texts.get(rule.name);
        if let Some(&first) = self.known.get(name) {
            if first.source == rule.name.source {
                self.report_duplicate(name, rule.name, first);
            }
            return;
        }
        self.known.insert(name, rule.name);
        match (self.unit.kind, rule.lexical) {
            (GrammarKind::Parser, true) | (GrammarKind::Lexer, false) => {
                self.report_misplaced(name, &rule);
            }
            (_, true) => self.unit.lexical.push(rule),
            (_, false) => self.unit.syntax.push(rule),
        }
    }

    fn report_duplicate(&mut self, name: &str, second: Span, first: Span) {
        let message = format!("the rule `{name}` is defined twice");
        let diagnostic = Diagnostic::at(codes::DUPLICATE_RULE, second, message);
        self.reading.report(diagnostic.label(first, "it is defined here first"));
    }

    fn report_misplaced(&mut self, name: &str, rule: &Rule) {
        let (what, kind) = if rule.lexical { ("lexer", "parser") } else { ("parser", "lexer") };
        let message = format!("the {what} rule `{name}` cannot be in a {kind} grammar");
        let help = match rule.lexical {
            true => "the names of parser rules begin with a lower-case letter",
            false => "the names of lexer rules begin with an upper-case letter",
        };
        let code = antlr::MISPLACED_RULE;
        self.reading.report(Diagnostic::at(code, rule.name, message).help(help));
    }
}

/// The name of the initial mode.
pub(super) const DEFAULT_MODE: &str = "DEFAULT_MODE";
