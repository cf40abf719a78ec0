//! Preferred trees are those that ANTLR and bison build themselves.
//!
//! Random grammars with operators of all kinds are read by us and by the tool; for every text of a random tree that the tool
//! accepts, both trees must be equal. Trees are compared as text: every rule in parentheses, a dot for each token.

mod antlr;
mod bison;
mod random_grammars;

use gramercy_base::Table;
use gramercy_grammar::Origin;
use gramercy_language::Language;
use gramercy_lexis::WriteOptions;
use gramercy_parse::{Derivations, Derived, DerivedChild, DerivedId};

use crate::{Fallible, languages, round_trip};

pub use antlr::antlr;
pub use bison::bison;

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Random grammars.
    pub grammars: u64,
    /// Texts of random trees for each of them.
    pub texts: usize,
    /// The seed of the first grammar.
    pub seed: u64,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Grammars that the tool took.
    pub grammars: usize,
    /// Texts with equal trees.
    pub equal: usize,
    /// Texts that the tool rejects, which only bison may do.
    pub rejected: usize,
    /// Grammars that the tool refused.
    pub refused: usize,
    /// What is wrong, one entry each.
    pub complaints: Vec<String>,
}

impl Outcome {
    /// Compares the tree of a text with the tool's.
    fn compare(&mut self, grammar: &str, text: &str, ours: &str, theirs: &str) {
        if ours == theirs {
            self.equal += 1;
        } else {
            let trees = format!("  ours  {ours}\n  theirs {theirs}");
            self.complaints.push(format!("{text:?}\n{trees}\n{grammar}"));
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { grammars, equal, rejected, refused, complaints } = self;
        let different = complaints.len();
        write!(f, "{grammars} grammars, {equal} equal trees, {different} different, ")?;
        write!(f, "{rejected} texts rejected and {refused} grammars refused by the tool")?;
        complaints.iter().take(5).try_for_each(|complaint| write!(f, "\n{complaint}"))
    }
}

/// Texts of random trees, all different.
fn texts(language: &Language, count: usize, seed: u64) -> Fallible<Vec<String>> {
    const TOKENS: usize = 16;
    let writer = language.writer(&WriteOptions::default());
    let mut writer = writer.map_err(|error| format!("{error:?}"))?;
    let made = round_trip::texts(language, &mut writer, count, TOKENS, seed).made;
    let mut texts: Vec<_> = made.into_iter().map(|made| made.written.text).collect();
    texts.sort_unstable();
    texts.dedup();
    Ok(texts)
}

/// Our preferred tree of a text, as text.
fn outline(language: &Language, text: &str) -> Fallible<String> {
    let parser = languages::parser(language)?;
    let found = parser.preferred(&mut parser.workspace(), text);
    let found = found.map_err(|rejection| format!("rejected at byte {}", rejection.byte))?;
    Ok(written(language, &found.tree))
}

fn written(language: &Language, tree: &Derivations) -> String {
    let mut texts: Table<DerivedId, String> = Table::filled(String::new(), tree.len());
    for node in tree.children_first().nodes {
        let mut text = String::new();
        for part in tree.ways(node).flat_map(|way| way.parts) {
            match *part {
                DerivedChild::Terminal(..) => text.push('.'),
                DerivedChild::Node(child) => text.push_str(&texts[child]),
            }
        }
        if let Derived::Nonterminal(id) = tree.label(node)
            && let Origin::Rule(rule) = language.bnf().nonterminals()[id].origin
        {
            text = format!("({} {text})", language.grammar().rules()[rule].name);
        }
        texts[node] = text;
    }
    std::mem::take(&mut texts[tree.root()])
}
