//! What a corpus covers: several criteria at once, input by input.
//!
//! Inputs are read, parsed and measured in parallel and joined in order, so the result does not
//! depend on the number of threads. An input that is rejected covers nothing and is told.

use gramercy_base::Table;
use gramercy_grammar::ProductionId;
use gramercy_parse::{
    Derivations, PreferredTree, RuleMatch, TextParser, TextRejection, TextWorkspace,
};

use crate::criterion::{Criterion, Lexeme, Reading, RejectedInput};
use crate::targets::TargetSet;

/// What is measured, and how.
#[derive(Debug)]
pub struct Measure<'m> {
    /// The reader of inputs.
    pub parser: &'m TextParser,
    /// The criteria.
    pub criteria: Vec<Box<dyn Criterion + 'm>>,
    /// The derivations of an input that count.
    pub trees: CountedTrees,
    /// The number of productions of the BNF core.
    pub productions: usize,
}

/// The derivations of an input that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedTrees {
    /// All of them.
    All,
    /// The one that the grammar prefers.
    Preferred,
}

/// What one input covers.
#[derive(Clone, Debug)]
pub struct Covered {
    /// For each criterion, its targets.
    pub targets: Vec<TargetSet>,
    /// For each production, how often it occurs.
    pub uses: Table<ProductionId, u64>,
}

impl Measure<'_> {
    /// What a text covers.
    ///
    /// # Errors
    /// Where and why it is not in the language.
    pub fn text(
        &self,
        workspace: &mut TextWorkspace,
        text: &str,
    ) -> Result<Covered, Box<TextRejection>> {
        let derivations = match self.trees {
            CountedTrees::All => {
                let forest = self.parser.forest(workspace, text)?;
                Derivations::of_forest(self.parser.parser(), &forest)
            }
            CountedTrees::Preferred => {
                let PreferredTree { tree, .. } = self.parser.preferred(workspace, text)?;
                tree
            }
        };
        let matches = match self.criteria.iter().any(|criterion| criterion.reads_lexemes()) {
            true => self.parser.matches(workspace, text),
            false => Vec::new(),
        };
        let lexemes: Vec<_> = matches
            .iter()
            .map(|&RuleMatch { rule, start, end }| Lexeme {
                rule,
                text: &text[start..end],
                is_last: end == text.len(),
            })
            .collect();
        Ok(self.reading(&Reading { derivations: &derivations, lexemes: &lexemes }))
    }

    /// What an input that was read covers.
    #[must_use]
    pub fn reading(&self, reading: &Reading<'_>) -> Covered {
        let mut targets = vec![TargetSet::new(); self.criteria.len()];
        for (criterion, covered) in self.criteria.iter().zip(&mut targets) {
            criterion.cover(reading, covered);
        }
        let derivations = reading.derivations;
        let mut uses = Table::filled(0, self.productions);
        for node in derivations.ids() {
            if matches!(derivations.label(node), gramercy_parse::Derived::Nonterminal(_)) {
                derivations.ways(node).for_each(|way| uses[way.production] += 1);
            }
        }
        Covered { targets, uses }
    }

    /// What an input covers that is not in the language.
    #[must_use]
    pub fn rejected(&self, input: &RejectedInput<'_>) -> Covered {
        let mut covered = self.nothing();
        for (criterion, covered) in self.criteria.iter().zip(&mut covered.targets) {
            criterion.cover_rejected(input, covered);
        }
        covered
    }

    /// Nothing covered yet.
    #[must_use]
    pub fn nothing(&self) -> Covered {
        Covered {
            targets: self.criteria.iter().map(|_| TargetSet::new()).collect(),
            uses: Table::filled(0, self.productions),
        }
    }
}

impl Covered {
    /// Adds what another input covers; how many targets are new, criterion by criterion.
    pub fn add(&mut self, other: &Covered) -> Vec<u64> {
        for (production, uses) in other.uses.iter() {
            self.uses[production] += uses;
        }
        let pairs = self.targets.iter_mut().zip(&other.targets);
        pairs.map(|(here, other)| here.union_with(other)).collect()
    }

    /// The number of targets that are covered, over all criteria.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.targets.iter().map(TargetSet::len).sum()
    }

    /// Whether nothing is covered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
