//! Negative criteria: what a suite of tests that must fail should cover, a file each, and their registry.
//!
//! A target is a way to be wrong; an input that is rejected for this reason covers it. Inputs of the language cover
//! nothing.

pub mod error_entry;
pub mod item_edit;
pub mod lexeme_error;

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use gramercy_base::{Fingerprint, LimitReached, Map};
use gramercy_coverage::{Criterion, SpecError, TargetId, TargetSet};
use gramercy_grammar::{Bnf, Origin, Symbol, TextKind};
use gramercy_language::Language;
use gramercy_lexis::{WriteOptions, Writer};
use gramercy_lr::Construction;

use crate::check::exact::Exact;
use crate::edit::{Edit, Item};
use crate::operators::character::CharacterEdit;
use crate::reader::Reader;
use crate::text::{Base, Judge, Splicer};
use crate::vocabulary::Vocabulary;

/// What tests for targets are made with.
#[derive(Debug)]
pub struct Tools<'t, 'w, 'r> {
    /// Writes base tests.
    pub writer: &'t mut Writer<'w>,
    /// Writes changed texts.
    pub splicer: &'t Splicer,
    /// Reads them.
    pub judge: &'t mut Judge<'r>,
    /// Reads changed token strings; there are none in scannerless grammars.
    pub exact: Option<&'t mut Exact<'r>>,
}

/// A test for a target: a change of a base.
#[derive(Clone, Copy, Debug)]
pub enum Change<'c> {
    /// Of tokens.
    Tokens(&'c Edit<'c>),
    /// Of characters.
    Characters(&'c CharacterEdit<'c>),
}

/// Is told of a test for each target that has one, and can end the search.
pub type Found<'f> = dyn FnMut(TargetId, &Base, Change<'_>) -> ControlFlow<()> + 'f;

/// A negative criterion.
pub trait NegativeCriterion: Criterion {
    /// Finds a smallest test for each target, in order.
    fn search(&self, tools: &mut Tools<'_, '_, '_>, found: &mut Found<'_>) -> ControlFlow<()>;
}

/// The targets that a search finds tests for, and the texts of these tests.
#[derive(Clone, Debug, Default)]
pub(crate) struct Smallest {
    pub(crate) targets: TargetSet,
    /// By the fingerprints of their texts.
    texts: Map<u128, Vec<TargetId>>,
}

impl Smallest {
    /// Runs a search.
    pub(crate) fn of(
        language: &Language,
        search: impl FnOnce(&mut Tools<'_, '_, '_>, &mut Found<'_>) -> ControlFlow<()>,
    ) -> Self {
        let mut smallest = Self::default();
        let options = WriteOptions { limits: *language.limits(), ..WriteOptions::default() };
        let (Ok(mut writer), Ok(parser)) = (language.writer(&options), language.parser()) else {
            return smallest;
        };
        let splicer = Splicer::new(language, &mut writer);
        let mut spaces = [(); 3].map(|()| parser.parser().workspace());
        let mut readers = spaces.iter_mut().filter_map(|space| Reader::new(parser.parser(), space));
        let mut next = || readers.next();
        let (Some(judging), Some(checking), Some(writing)) = (next(), next(), next()) else {
            return smallest;
        };
        let mut judge = Judge::new(language, parser, judging);
        let mut second = Judge::new(language, parser, writing);
        let has_tokens = language.grammar().text_kind() != TextKind::Scannerless;
        let mut exact = has_tokens.then(|| Exact::new(Vocabulary::new(language), checking));
        let mut tools = Tools {
            writer: &mut writer,
            splicer: &splicer,
            judge: &mut judge,
            exact: exact.as_mut(),
        };
        let mut text = String::new();
        let _ = search(&mut tools, &mut |target, base, change| {
            text.clear();
            match change {
                Change::Tokens(edit) => _ = second.write(&splicer, base, edit, &mut text),
                Change::Characters(edit) => edit.apply(&base.text, &mut text),
            }
            smallest.targets.insert(target);
            smallest.texts.entry(print_of(&text)).or_default().push(target);
            ControlFlow::Continue(())
        });
        smallest
    }

    /// Adds the targets whose smallest test has this text.
    pub(crate) fn cover(&self, text: &str, covered: &mut TargetSet) {
        let targets = self.texts.get(&print_of(text)).into_iter().flatten();
        targets.for_each(|&target| _ = covered.insert(target));
    }
}

fn print_of(text: &str) -> u128 {
    let mut print = Fingerprint::default();
    print.add_text(text);
    print.finish()
}

/// A line of the registry.
#[derive(Debug)]
pub struct Entry {
    /// The name, without an argument.
    pub name: &'static str,
    /// Whether an automaton stands after a colon.
    pub takes_automaton: bool,
    /// What it wants covered, in one line.
    pub help: &'static str,
    /// Makes the criterion for a language.
    pub build: Build,
}

/// Makes a criterion for a language.
pub type Build =
    for<'v> fn(&'v Language, Construction) -> Result<Box<dyn NegativeCriterion + 'v>, LimitReached>;

/// All negative criteria, in the order of help texts.
pub const REGISTRY: &[Entry] = &[
    Entry {
        name: "error-entry",
        takes_automaton: true,
        help: "every state entered by a token, with every token that cannot come there",
        build: |language, automaton| {
            Ok(Box::new(error_entry::ErrorEntries::new(language, automaton)?))
        },
    },
    Entry {
        name: "item-edit",
        takes_automaton: false,
        help: "every item of every production, with every operator and class of error",
        build: |language, _| Ok(Box::new(item_edit::ItemEdits::new(language))),
    },
    Entry {
        name: "lexeme-error",
        takes_automaton: false,
        help: "every state of every token rule, with every character that cannot come there",
        build: |language, _| Ok(Box::new(lexeme_error::LexemeErrors::new(language)?)),
    },
];

/// A negative criterion as a user names it.
#[derive(Clone, Copy, Debug)]
pub struct NegativeSpec {
    entry: &'static Entry,
    automaton: Construction,
}

impl PartialEq for NegativeSpec {
    fn eq(&self, other: &Self) -> bool {
        self.entry.name == other.entry.name && self.automaton == other.automaton
    }
}

impl Eq for NegativeSpec {}

impl NegativeSpec {
    /// Several criteria joined with `+`.
    ///
    /// # Errors
    /// If one of them is not a negative criterion.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, SpecError> {
        text.split('+').map(str::parse).collect()
    }

    /// Whether a name, with or without an argument, is that of a negative criterion.
    #[must_use]
    pub fn is_name(text: &str) -> bool {
        let name = text.split(':').next().unwrap_or_default();
        REGISTRY.iter().any(|entry| entry.name == name)
    }

    /// The criterion for a language.
    ///
    /// # Errors
    /// If an automaton has too many states.
    pub fn build<'v>(
        &self,
        language: &'v Language,
    ) -> Result<Box<dyn NegativeCriterion + 'v>, LimitReached> {
        (self.entry.build)(language, self.automaton)
    }
}

impl FromStr for NegativeSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let error = |message: String| SpecError { message };
        let (name, argument) = match text.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (text, None),
        };
        let Some(entry) = REGISTRY.iter().find(|entry| entry.name == name) else {
            let known: Vec<&str> = REGISTRY.iter().map(|entry| entry.name).collect();
            let known = known.join(", ");
            return Err(error(format!("`{name}` is not a negative criterion; known are {known}")));
        };
        let automata = Construction::ALL.map(Construction::as_str).join(", ");
        let automaton = match (entry.takes_automaton, argument) {
            (false, None) => Construction::Lr0,
            (false, Some(_)) => return Err(error(format!("`{name}` takes no argument"))),
            (true, argument) => Construction::ALL
                .into_iter()
                .find(|construction| Some(construction.as_str()) == argument)
                .ok_or_else(|| {
                    error(format!("`{name}` needs an automaton, one of {automata}: `{name}:lr0`"))
                })?,
        };
        Ok(Self { entry, automaton })
    }
}

impl fmt::Display for NegativeSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.entry.takes_automaton {
            true => write!(f, "{}:{}", self.entry.name, self.automaton.as_str()),
            false => f.write_str(self.entry.name),
        }
    }
}

/// The rule of the grammar file that an item belongs to: for a group or a repetition, the rule that it stands in.
fn rule_name(language: &Language, item: Item) -> String {
    let (grammar, lhs) = (language.grammar(), language.bnf().lhs(item.production));
    let rule = match language.bnf().nonterminals()[lhs].origin {
        Origin::Rule(_) | Origin::Start => None,
        Origin::Group(expr) | Origin::Repeat(expr) => language.graph().node_of(expr),
    };
    match rule {
        Some(node) => grammar.rules()[language.rule_of(node)].name.to_string(),
        None => language.nonterminal_name(lhs).to_owned(),
    }
}

/// The rule of an item, and the item for people: `pair → STRING • ':' value`.
#[must_use]
pub fn item_name(language: &Language, item: Item) -> (String, String) {
    let bnf: &Bnf = language.bnf();
    let rule = rule_name(language, item);
    let mut text = format!("{} →", language.nonterminal_name(bnf.lhs(item.production)));
    for (at, &symbol) in bnf.rhs(item.production).iter().enumerate() {
        let name = match symbol {
            Symbol::Terminal(id) => &*language.grammar().terminals()[id].name,
            Symbol::Nonterminal(id) => language.nonterminal_name(id),
        };
        text.push_str(if at == item.dot { " • " } else { " " });
        text.push_str(name);
    }
    if item.dot == bnf.rhs(item.production).len() {
        text.push_str(" •");
    }
    (rule, text)
}

/// Where an item stands in its file, as `FILE:LINE:COLUMN`: the symbol after its dot, else the alternative. The empty
/// production of a repetition stands nowhere.
#[must_use]
pub fn item_source(language: &Language, item: Item) -> Option<String> {
    let (grammar, bnf) = (language.grammar(), language.bnf());
    let symbol = bnf.nodes(item.production).get(item.dot).copied().flatten();
    let expr = match symbol {
        Some(node) => language.graph().expr(node),
        None => bnf.alternative_expr(grammar, item.production)?,
    };
    let span = grammar.expr(expr).span;
    let position = grammar.sources().position(span);
    let file = grammar.sources().get(span.source).name();
    Some(format!("{file}:{}:{}", position.line, position.column))
}

#[cfg(test)]
mod tests {
    use super::{NegativeSpec, REGISTRY};

    #[test]
    fn names_are_read_and_written() {
        for name in ["error-entry:lr0", "error-entry:lr1", "item-edit", "lexeme-error"] {
            assert_eq!(name.parse::<NegativeSpec>().expect("known").to_string(), name);
        }
        for wrong in ["error-entry", "error-entry:lr7", "item-edit:2", "rule", ""] {
            assert!(wrong.parse::<NegativeSpec>().is_err(), "{wrong}");
        }
        assert!(REGISTRY.iter().all(|entry| !entry.help.is_empty()));
    }
}
