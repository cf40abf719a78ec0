//! The law of the writers, on every grammar: reading a written grammar gives the same grammar.
//!
//! - yacc: the BNF core's productions in their order, up to names, with the texts of terminals;
//! - native: the productions by name, and terminals by their meaning;
//! - ANTLR 4: from an ANTLR source, as for native; from other grammars over tokens, the productions
//!   up to names, after the one that requires the end of input, in their order for each rule (ANTLR
//!   cannot continue a rule in a second definition, as yacc can); from scannerless grammars, whose
//!   terminals become rules, the same verdict on every text of the example's corpus.
//!
//! Linear in the grammars.

use std::path::{Path, PathBuf};

use gramercy_base::{IndexSet, Limits};
use gramercy_formats::{LoadOptions, Loaded, Memory, WrittenFile, antlr4, load, native, yacc};
use gramercy_grammar::{
    Bnf, Grammar, NonterminalId, Notation, ProductionId, Symbol, TerminalKind, TextKind,
};
use gramercy_language::{Language, ReadError};
use gramercy_testkit::{examples, files_in, shared};

use crate::exercise::{file_name, language_of, productions};
use crate::{Fallible, say};

/// A grammar to check.
struct Entry {
    path: PathBuf,
    start: Option<String>,
}

/// Checks all grammars and lists everything that does not hold.
pub(crate) fn run() -> Fallible {
    let (mut failures, mut unread) = (0, Vec::new());
    let entries = entries()?;
    for Entry { path, start } in &entries {
        let options = LoadOptions { start: start.clone(), ..LoadOptions::default() };
        let language = match Language::read_with(path, &options) {
            Ok(language) => language,
            Err(ReadError::Grammar(_)) => {
                unread.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
                continue;
            }
            Err(ReadError::Limit(limit)) => return Err(format!("{}: {limit}", path.display())),
        };
        for (writer, result) in verdicts(&language, &corpus(path)?) {
            if let Err(problem) = result {
                failures += 1;
                say(&format!("{} as {writer}: {problem}", path.display()));
            }
        }
    }
    let read = entries.len() - unread.len();
    say(&format!("{read} grammars were written in three notations and read back"));
    say(&format!("{} files are no grammars by themselves: {}", unread.len(), unread.join(", ")));
    if failures == 0 { Ok(()) } else { Err(format!("{failures} were not the same")) }
}

/// The examples, and the collection if it exists.
fn entries() -> Fallible<Vec<Entry>> {
    let mut paths = files_in(&examples(), &["gram", "g4", "y"]);
    for folder in ["tribble", "pytomata"].into_iter().filter_map(shared) {
        paths.extend(files_in(&folder, &["tribble", "y"]));
    }
    // One file has two rules that no other refers to.
    let start = |path: &Path| path.ends_with("js_generative.tribble").then(|| "START".into());
    let entry = |path: PathBuf| Entry { start: start(&path), path };
    let mut entries: Vec<_> = paths.into_iter().map(entry).collect();
    if let Some(folder) = shared("antlr") {
        entries.extend(indexed(&folder)?);
    }
    Ok(entries)
}

/// The ANTLR grammars that an index lists with their start rules.
fn indexed(folder: &Path) -> Fallible<Vec<Entry>> {
    let index = folder.join("index.tsv");
    let index = std::fs::read_to_string(&index).map_err(|error| error.to_string())?;
    let entry = |line: &str| {
        let [name, files, start, ..] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("index.tsv: {line}"));
        };
        let parser = files.split('+').find(|file| file.ends_with("Parser.g4")).unwrap_or(files);
        Ok(Entry { path: folder.join(name).join(parser), start: Some(start.into()) })
    };
    index.lines().skip(1).map(entry).collect()
}

/// The texts next to an example.
fn corpus(path: &Path) -> Fallible<Vec<String>> {
    let Ok(lines) = std::fs::read_to_string(path.with_extension("corpus.ndjson")) else {
        return Ok(Vec::new());
    };
    let text = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).map_err(|it| it.to_string())?;
        value["text"].as_str().map(str::to_owned).ok_or_else(|| format!("no text in {line}"))
    };
    lines.lines().map(text).collect()
}

fn verdicts(language: &Language, corpus: &[String]) -> [(&'static str, Fallible); 3] {
    [
        ("yacc", yacc_law(language)),
        ("native", native_law(language)),
        ("antlr4", antlr4_law(language, corpus)),
    ]
}

fn yacc_law(language: &Language) -> Fallible {
    let again = reread(Notation::Yacc, &yacc::write(language.grammar(), language.bnf()))?;
    let in_order = |language: &Language| shape(language.bnf(), language.bnf().productions());
    let ((before, symbols), (after, symbols_after)) = (in_order(language), in_order(&again));
    same(&before, &after)?;
    let texts = |language: &Language, symbols: Vec<_>| -> Vec<_> {
        symbols.into_iter().map(|symbol| text_of(language.grammar(), symbol)).collect()
    };
    same(&texts(language, symbols), &texts(&again, symbols_after))
}

fn native_law(language: &Language) -> Fallible {
    let again = reread(Notation::Native, &native::write(language.grammar()))?;
    same(&productions(language), &productions(&again))
}

fn antlr4_law(language: &Language, corpus: &[String]) -> Fallible {
    let grammar = language.grammar();
    let is_antlr = grammar.notation() == Notation::Antlr4;
    let start = is_antlr.then(|| grammar.rules()[grammar.start()].name.to_string());
    let again = reread_antlr4(grammar, start)?;
    if is_antlr {
        return same(&productions(language), &productions(&again));
    }
    if grammar.text_kind() == TextKind::Scannerless {
        return same(&accepted(language, corpus)?, &accepted(&again, corpus)?);
    }
    let (bnf, bnf_again) = (language.bnf(), again.bnf());
    let added = bnf_again.production_count().saturating_sub(bnf.production_count());
    let before = rule_by_rule(bnf);
    let after = rule_by_rule(bnf_again).split_off(added.min(1));
    if grammar.terminals().values().any(|terminal| terminal.precedence.is_some()) {
        return same(&skeletons(bnf, &before), &skeletons(bnf_again, &after));
    }
    same(&shape(bnf, before.into_iter()).0, &shape(bnf_again, after.into_iter()).0)
}

/// Productions without the names of their terminals, in an order of their own: ANTLR's precedence is the order of
/// alternatives, so that order changes where another notation declares precedence.
fn skeletons(bnf: &Bnf, productions: &[ProductionId]) -> Vec<Vec<Option<usize>>> {
    let order: IndexSet<NonterminalId> = productions.iter().map(|&it| bnf.lhs(it)).collect();
    let number = |symbol: Symbol| match symbol {
        Symbol::Nonterminal(id) => order.get_index_of(&id),
        Symbol::Terminal(_) => None,
    };
    let skeleton = |&production: &ProductionId| {
        let lhs = Symbol::Nonterminal(bnf.lhs(production));
        std::iter::once(lhs).chain(bnf.rhs(production).iter().copied()).map(number).collect()
    };
    let mut skeletons: Vec<_> = productions.iter().map(skeleton).collect();
    skeletons.sort_unstable();
    skeletons
}

fn reread_antlr4(grammar: &Grammar, start: Option<String>) -> Fallible<Language> {
    let files = antlr4::write(grammar, &Limits::default()).map_err(|limit| limit.to_string())?;
    let add = |memory: Memory, file: &WrittenFile| memory.and(&file.name, &*file.text);
    let memory = files.iter().fold(Memory::default(), add);
    let main = &files.last().expect("invariant: something is written").name;
    finish(load(Path::new(main), &memory, &LoadOptions { start, ..LoadOptions::default() }))
}

/// The texts that a grammar accepts.
fn accepted(language: &Language, corpus: &[String]) -> Fallible<Vec<String>> {
    if corpus.is_empty() {
        return Ok(Vec::new());
    }
    let parser = language.parser().map_err(|error| format!("no parser: {error:?}"))?;
    let mut workspace = parser.workspace();
    let accepts = |text: &&String| parser.recognize(&mut workspace, text).is_ok();
    Ok(corpus.iter().filter(accepts).cloned().collect())
}

fn reread(notation: Notation, written: &str) -> Fallible<Language> {
    let files = Memory::with(file_name(notation), written);
    finish(load(Path::new(file_name(notation)), &files, &LoadOptions::default()))
}

fn finish(loaded: Loaded) -> Fallible<Language> {
    let said = loaded.diagnostics.first().map(|first| first.message.clone());
    let refused = || format!("what was written is refused: {said:?}");
    loaded.grammar.ok_or_else(refused).map(language_of)
}

/// Names the first difference.
fn same<T: PartialEq + std::fmt::Debug>(before: &[T], after: &[T]) -> Fallible {
    let pairs = before.iter().zip(after).enumerate();
    if let Some((at, (before, after))) = pairs.into_iter().find(|(_, (old, new))| old != new) {
        return Err(format!("number {at}, {before:?}, became {after:?}"));
    }
    if before.len() != after.len() {
        return Err(format!("{} became {}", before.len(), after.len()));
    }
    Ok(())
}

/// The productions with those of each nonterminal together, in the order of the first of them.
fn rule_by_rule(bnf: &Bnf) -> Vec<ProductionId> {
    let order: IndexSet<NonterminalId> = bnf.productions().map(|it| bnf.lhs(it)).collect();
    order.iter().flat_map(|&lhs| bnf.productions_of(lhs).iter().copied()).collect()
}

/// Productions with symbols numbered by their first occurrence, and the symbols in that order.
fn shape(
    bnf: &Bnf,
    productions: impl Iterator<Item = ProductionId>,
) -> (Vec<Vec<usize>>, Vec<Symbol>) {
    let mut order: IndexSet<Symbol> = IndexSet::default();
    let mut shape = Vec::new();
    for production in productions {
        let lhs = Symbol::Nonterminal(bnf.lhs(production));
        let symbols = std::iter::once(lhs).chain(bnf.rhs(production).iter().copied());
        shape.push(symbols.map(|symbol| order.insert_full(symbol).0).collect());
    }
    (shape, order.into_iter().collect())
}

/// The text of a symbol, if it is fixed and can be an alias.
fn text_of(grammar: &Grammar, symbol: Symbol) -> Option<String> {
    let Symbol::Terminal(terminal) = symbol else { return None };
    let text = match &grammar.terminals()[terminal].kind {
        TerminalKind::Token { text, .. } => text.as_deref(),
        TerminalKind::Literal(text) => Some(&**text),
        _ => None,
    };
    text.filter(|text| !text.is_empty() && !text.contains('\0')).map(str::to_owned)
}
