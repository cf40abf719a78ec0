//! Uniform words: a word is a string of terminals, and an ambiguous grammar has several trees for some of them.
//!
//! A tree is drawn uniformly, its word is parsed, and it is kept with probability 1/t, where t is the number of trees
//! of that word within the range of sizes. So each word is kept with the same probability, and the share of trees
//! that are kept is (words)/(trees).
//!
//! The trees of a word are counted on its parse forest. In tokens and characters all trees of a word have one size;
//! in nodes they may differ, and the forest is counted by size as a grammar is: each node of the forest is a
//! nonterminal, each of its derivations a production.

use dashu_int::UBig;
use gramercy_analysis::counts::forms::Measured;
use gramercy_analysis::counts::tables::MemoryLimit;
use gramercy_analysis::counts::{CountTables, Exact, Forms, Restriction, SizeUnit};
use gramercy_base::{Id, LimitReached};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol, TerminalId};
use gramercy_language::Language;
use gramercy_parse::count::TreeCount;
use gramercy_parse::{Alternative, Child, Forest, Label, Parser, ProductionSource, Workspace};

use super::space::{SizeRange, SpaceError, TreeSpace};

/// Counts the trees of words.
#[derive(Debug)]
pub struct WordTrees {
    parser: Parser,
    range: SizeRange,
    lengths: gramercy_base::Table<TerminalId, usize>,
}

impl WordTrees {
    /// Counts trees of sizes within a range.
    ///
    /// # Errors
    /// If the parser's automaton has too many states, or a terminal has no length.
    pub fn new(language: &Language, range: SizeRange) -> Result<Self, SpaceError> {
        let parser = Parser::of_terminals(language.bnf(), language.limits())?;
        let lengths = super::space::lengths(language, range.unit)?;
        Ok(Self { parser, range, lengths })
    }

    /// Tables of the parser, for one worker.
    #[must_use]
    pub fn workspace(&self) -> Workspace {
        self.parser.workspace()
    }

    /// All derivations of a word; `None` if it is not in the language.
    pub fn forest(&self, workspace: &mut Workspace, word: &[TerminalId]) -> Option<Forest> {
        let input: Vec<_> = word.iter().map(|&token| self.parser.input_of_token(token)).collect();
        self.parser.parse(workspace, &input).ok()
    }

    /// The number of trees of a word with a size in the range.
    ///
    /// # Errors
    /// If the forest is too large to be counted by size.
    pub fn count(
        &self,
        workspace: &mut Workspace,
        word: &[TerminalId],
    ) -> Result<UBig, LimitReached> {
        let Some(forest) = self.forest(workspace, word) else { return Ok(UBig::ZERO) };
        if forest.is_surely_unambiguous() {
            return Ok(UBig::ONE);
        }
        if self.range.unit != SizeUnit::Nodes
            && let TreeCount::Finite(trees) = forest.count_trees()
        {
            return Ok(trees);
        }
        let ForestTrees { forms, .. } = self.forest_trees(&forest, word);
        let (start, largest) = (forms.cfg().start(), self.range.most);
        let tables =
            CountTables::new(&Exact, &forms, largest, &Restriction::All, MemoryLimit::default())?;
        let sizes = self.range.least..=self.range.most;
        Ok(sizes.map(|size| tables.of(start, size).clone()).sum())
    }

    /// The trees of a forest as those of a grammar.
    fn forest_trees(&self, forest: &Forest, word: &[TerminalId]) -> ForestTrees {
        let root = forest.root().expect("invariant: the word was accepted");
        let (mut rules, mut symbols) = (Vec::new(), Vec::new());
        let (mut own, mut sources) = (Vec::new(), Vec::new());
        for node in (0..forest.len()).map(Id::from_index) {
            let lhs = NonterminalId::from_index(Id::index(node));
            let counts = match forest.label(node) {
                Label::Nonterminal(_) => self.range.unit.of_production(),
                Label::Prefix(..) => 0,
            };
            for alternative in forest.alternatives(node) {
                let start = symbols.len();
                symbols.extend(alternative.parts().map(|child: Child| match child.as_node() {
                    Some(node) => Symbol::Nonterminal(NonterminalId::from_index(node.index())),
                    None => Symbol::Terminal(word[child.as_token().expect("invariant: a token")]),
                }));
                rules.push((lhs, start..symbols.len()));
                own.push(counts);
                let is_whole = matches!(forest.label(node), Label::Nonterminal(_));
                sources.push(is_whole.then(|| self.source(&alternative)));
            }
        }
        let rules = rules.into_iter().map(|(lhs, range)| (lhs, &symbols[range]));
        let start = NonterminalId::from_index(root.index());
        let cfg = Cfg::new(self.lengths.len(), forest.len(), start, rules);
        let measured = Measured {
            usable: &|_| true,
            of_production: &|production: ProductionId| own[production.index()],
            of_terminal: &|terminal| self.lengths[terminal],
        };
        let forms = Forms::new(&cfg, &measured);
        let forms = forms.expect("invariant: sizes that do not grow were refused before");
        ForestTrees { forms, sources }
    }

    fn source(&self, alternative: &Alternative<'_>) -> ProductionId {
        match self.parser.production_source(alternative.production()) {
            ProductionSource::Bnf(production) => production,
            ProductionSource::Spelling(_) => unreachable!("invariant: terminals are not spelled"),
        }
    }

    /// The trees of a word with a size in the range, each as productions of its leftmost derivation: the first `most`.
    ///
    /// # Errors
    /// If the forest is too large to be counted by size.
    pub fn trees(
        &self,
        workspace: &mut Workspace,
        word: &[TerminalId],
        most: usize,
    ) -> Result<Vec<Vec<ProductionId>>, LimitReached> {
        let Some(forest) = self.forest(workspace, word) else { return Ok(Vec::new()) };
        let ForestTrees { forms, sources } = self.forest_trees(&forest, word);
        let space = TreeSpace::of_forms(forms, self.range);
        let ranking = match super::rank::Ranking::new(std::sync::Arc::new(space)) {
            Ok(ranking) => ranking,
            Err(SpaceError::Limit(limit)) => return Err(limit),
            Err(_) => return Ok(Vec::new()),
        };
        let tree = |rank: usize| {
            let mut candidate = gramercy_derive::candidate::Candidate::default();
            ranking.unrank(&UBig::from(rank), &mut candidate).then(|| {
                let own = candidate.productions.iter();
                own.filter_map(|production| sources[production.index()]).collect()
            })
        };
        Ok((0..most).map_while(tree).collect())
    }
}

/// The trees of a forest as those of a grammar, and for each production of that grammar the one of the BNF core, if
/// it is not a prefix of one.
struct ForestTrees {
    forms: Forms,
    sources: Vec<Option<ProductionId>>,
}

/// The number of words of a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Words {
    /// This number.
    Counted(UBig),
    /// There are more trees than may be listed.
    TooMany,
}

/// For every size of a space the number of words that have a tree of that size. In a grammar whose LALR(1) automaton
/// has no conflict every word has one tree; else all trees of a size are listed, if they are at most `most`.
///
/// # Errors
/// If the automaton has too many states.
pub fn count_words(
    language: &Language,
    space: &TreeSpace,
    tables: &CountTables<UBig>,
    most: u64,
) -> Result<Vec<(usize, Words)>, SpaceError> {
    let is_unambiguous = is_deterministic(language)?;
    let sizes = space.range().least..=space.range().most;
    let count = |size| {
        let trees = tables.of(space.start(), size);
        if is_unambiguous || *trees <= UBig::ONE {
            return Ok((size, Words::Counted(trees.clone())));
        }
        if *trees > UBig::from(most) {
            return Ok((size, Words::TooMany));
        }
        let range = SizeRange { least: size, most: size, ..space.range() };
        let ranking = super::rank::Ranking::new(std::sync::Arc::new(space.of_range(range)))?;
        let (mut words, mut rank) = (gramercy_base::Set::default(), UBig::ZERO);
        let mut candidate = gramercy_derive::candidate::Candidate::default();
        while ranking.unrank(&rank, &mut candidate) {
            words.insert(std::mem::take(&mut candidate.tokens));
            candidate.clear();
            rank += UBig::ONE;
        }
        Ok((size, Words::Counted(UBig::from(words.len()))))
    };
    sizes.map(count).collect()
}

/// Whether the LALR(1) automaton of what sentences use has no conflict.
fn is_deterministic(language: &Language) -> Result<bool, LimitReached> {
    let view = language.useful_lr(gramercy_lr::Construction::Lalr)?;
    let conflicts = gramercy_lr::ConflictCounts::of(view.cfg(), &view.automaton);
    Ok(conflicts.shift_reduce.conflicts + conflicts.reduce_reduce.conflicts == 0)
}
