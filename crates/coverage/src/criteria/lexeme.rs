//! `lexeme:K`: every path of exactly K symbolic nodes in a token rule's own graph occurs in a lexeme of
//! that rule.
//!
//! A rule's own graph is the grammar graph with the rule's right-hand side as its root; rules that it
//! refers to are references, as in the syntax. A path that two token rules share counts for each of
//! them. Targets are ranked rule by rule in file order, within a rule as k-paths are.
//!
//! Every match of the lexer counts, whatever becomes of it: tokens that the parser sees, hidden and
//! skipped ones, and beginnings kept by `more`. Literals in syntax rules are leaves of the grammar
//! graph already and have no targets here; neither have grammars without lexical rules.
//!
//! A target can be covered if the rule alone allows it, and an input may contain a match of the rule: a
//! token that no parser rule uses is in no input. Whether another rule wins instead, whatever the text, is
//! a question to the lexer.
//!
//! A lexeme is parsed by its rule, character by character, to all its derivations; which of them the
//! lexer would have preferred does not matter, as it looks at where matches end, and that is given.
//! Lexemes met before are looked up. Rules without any choice are not parsed at all.

use std::sync::{Arc, Mutex, PoisonError};

use gramercy_base::{LimitReached, Map, Span};
use gramercy_grammar::{GrammarGraph, NodeId, NodeKind, RuleId, TerminalKind};
use gramercy_language::Language;
use gramercy_lexis::Matching;
use gramercy_parse::text::TextParserError;
use gramercy_parse::{Derivations, TextParser, TextWorkspace};

use crate::criteria::kpath::PathTargets;
use crate::criteria::too_many_targets;
use crate::criterion::{Criterion, Lexeme, Reading, Uncoverable};
use crate::pattern;
use crate::targets::{TargetId, TargetSet};
use crate::token_grammar::{End, asks_for_end, lexemes_of};
use crate::used_tokens::UsedTokens;
use crate::witness::{Witness, Witnesses};

/// Lexemes of one rule that are remembered.
const REMEMBERED: usize = 10_000;

/// The k-paths of token rules as targets.
#[derive(Debug)]
pub struct Lexemes {
    rules: Vec<RulePaths>,
    of_rule: Map<RuleId, usize>,
    targets: u64,
}

/// The paths of one token rule.
#[derive(Debug)]
struct RulePaths {
    /// The rule.
    rule: RuleId,
    /// The rank of its first path among all.
    first: u64,
    paths: PathTargets,
    /// Whether an input of the language may contain a match of the rule.
    is_used: bool,
    token: Language,
    reader: Reader,
}

/// How the paths of a lexeme are found.
#[derive(Debug)]
enum Reader {
    /// All lexemes of the rule have the same paths.
    Constant(Arc<[TargetId]>),
    /// By parsing: where the input goes on, and where it ends.
    Parsers { going_on: Box<Parsing>, ending: Option<Box<Parsing>> },
}

/// A parser of lexemes.
#[derive(Debug)]
struct Parsing {
    /// What it reads: the rule's own grammar, or that without the end of input.
    token: Language,
    memory: Mutex<Memory>,
}

#[derive(Debug)]
struct Memory {
    workspace: TextWorkspace,
    known: Map<Box<str>, Arc<[TargetId]>>,
}

impl Lexemes {
    /// The targets.
    ///
    /// # Errors
    /// If they are more than the limit on targets, or a rule is larger than other limits allow.
    pub fn new(language: &Language, k: u32) -> Result<Self, LimitReached> {
        let grammar = language.grammar();
        let is_written =
            |rule: &gramercy_grammar::Rule| rule.token().is_some_and(|token| !token.implicit);
        let mut lexemes = Self { rules: Vec::new(), of_rule: Map::default(), targets: 0 };
        let used = UsedTokens::of(language);
        for (rule, _) in grammar.rules().iter().filter(|(_, rule)| is_written(rule)) {
            let paths = RulePaths::new(language, &used, rule, lexemes.targets, k)?;
            lexemes.targets += paths.paths.len();
            if lexemes.targets > language.limits().targets as u64 {
                return Err(too_many_targets(language.limits()));
            }
            lexemes.of_rule.insert(rule, lexemes.rules.len());
            lexemes.rules.push(paths);
        }
        Ok(lexemes)
    }

    /// The token rule of a target.
    #[must_use]
    pub fn rule(&self, target: TargetId) -> RuleId {
        self.of(target).rule
    }

    /// The targets of a token rule; none if it is not one that the grammar writes.
    #[must_use]
    pub fn targets_of(&self, rule: RuleId) -> std::ops::Range<TargetId> {
        self.of_rule.get(&rule).map_or(0..0, |&at| {
            let rule = &self.rules[at];
            rule.first..rule.first + rule.paths.len()
        })
    }

    /// The targets that a lexeme covers.
    #[must_use]
    pub fn covered_by(&self, lexeme: &Lexeme<'_>) -> Arc<[TargetId]> {
        match self.of_rule.get(&lexeme.rule) {
            Some(&at) => self.rules[at].covered_by(lexeme),
            None => Arc::new([]),
        }
    }

    /// Few texts of a token rule that cover its targets, as far as `wanted` asks for them and the lexer
    /// takes a text with them for this rule; and the targets for which no such text was found.
    pub fn cover_rule(
        &self,
        rule: RuleId,
        wanted: impl Fn(TargetId) -> bool,
        matching: Matching<'_>,
    ) -> (Vec<Witness>, Vec<TargetId>) {
        let Some(&at) = self.of_rule.get(&rule) else { return (Vec::new(), Vec::new()) };
        let of = &self.rules[at];
        let mut witnesses = Witnesses::new(&of.token, matching);
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        let mut covered = TargetSet::new();
        for target in self.targets_of(rule).filter(|&target| wanted(target)) {
            if covered.contains(target) || self.uncoverable(target).is_some() {
                continue;
            }
            let witness = witnesses.find(&of.paths.path(target - of.first));
            let covers = |witness| (self.covered_by(&lexeme_of(rule, &witness)), witness);
            match witness.map(covers).filter(|(targets, _)| targets.contains(&target)) {
                None => missing.push(target),
                Some((targets, witness)) => {
                    targets.iter().for_each(|&target| _ = covered.insert(target));
                    found.push((witness, targets));
                }
            }
        }
        (without_needless(found, wanted), missing)
    }

    fn of(&self, target: TargetId) -> &RulePaths {
        let at = self.rules.partition_point(|rule| rule.first <= target) - 1;
        &self.rules[at]
    }
}

fn lexeme_of(rule: RuleId, witness: &Witness) -> Lexeme<'_> {
    Lexeme { rule, text: &witness.text, is_last: witness.at_end }
}

/// Leaves out what later texts cover altogether: the first ones are made for the least.
fn without_needless(
    found: Vec<(Witness, Arc<[TargetId]>)>,
    wanted: impl Fn(TargetId) -> bool,
) -> Vec<Witness> {
    let mut covered = TargetSet::new();
    let mut kept = Vec::new();
    for (witness, targets) in found.into_iter().rev() {
        let is_new = |target: &&TargetId| wanted(**target) && !covered.contains(**target);
        if targets.iter().any(|target| is_new(&target)) {
            targets.iter().for_each(|&target| _ = covered.insert(target));
            kept.push(witness);
        }
    }
    kept.reverse();
    kept
}

impl Criterion for Lexemes {
    fn targets(&self) -> u64 {
        self.targets
    }

    fn coverable(&self) -> u64 {
        let used = self.rules.iter().filter(|rule| rule.is_used);
        used.map(|rule| rule.paths.coverable).sum()
    }

    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable> {
        let of = self.of(target);
        match of.is_used {
            true => of.paths.uncoverable(&of.token, target - of.first),
            false => Some(Uncoverable::Unused),
        }
    }

    fn cover(&self, reading: &Reading<'_>, covered: &mut TargetSet) {
        for lexeme in reading.lexemes {
            self.covered_by(lexeme).iter().for_each(|&target| _ = covered.insert(target));
        }
    }

    fn reads_lexemes(&self) -> bool {
        true
    }

    fn describe(&self, target: TargetId) -> String {
        let of = self.of(target);
        let (grammar, graph) = (of.token.grammar(), of.token.graph());
        let path = of.paths.path(target - of.first);
        let first = path.first().expect("invariant: a path has nodes");
        let rule = of.token.rule_of(*first);
        let name = &grammar.rules()[grammar.start()].name;
        format!("{name}: {}", pattern::path(grammar, graph, rule, &path))
    }

    fn outline(&self, target: TargetId) -> String {
        let of = self.of(target);
        let path = of.paths.path(target - of.first);
        let first = path.first().expect("invariant: a path has nodes");
        let (grammar, graph) = (of.token.grammar(), of.token.graph());
        pattern::outline(grammar, graph, of.token.rule_of(*first), &path)
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        let of = self.of(target);
        let last = *of.paths.path(target - of.first).last()?;
        Some(of.token.grammar().expr(of.token.graph().expr(last)).span)
    }
}

impl RulePaths {
    fn new(
        language: &Language,
        used: &UsedTokens,
        rule: RuleId,
        first: u64,
        k: u32,
    ) -> Result<Self, LimitReached> {
        let token = lexemes_of(language, rule, End::Here)?;
        let paths = PathTargets::new(&token, k)?;
        let reader = match has_choices(&token) {
            false => Reader::Constant((first..first + paths.len()).collect()),
            true => parsers(language, rule, &token)?,
        };
        let is_used = used.may_occur(language.grammar(), rule);
        Ok(Self { rule, first, paths, is_used, token, reader })
    }

    fn covered_by(&self, lexeme: &Lexeme<'_>) -> Arc<[TargetId]> {
        match &self.reader {
            Reader::Constant(targets) => Arc::clone(targets),
            Reader::Parsers { ending: Some(ending), .. } if lexeme.is_last => {
                self.parse(ending, lexeme.text)
            }
            Reader::Parsers { going_on, .. } => self.parse(going_on, lexeme.text),
        }
    }

    fn parse(&self, parsing: &Parsing, text: &str) -> Arc<[TargetId]> {
        let mut memory = parsing.memory.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = memory.known.get(text) {
            return Arc::clone(known);
        }
        let mut covered = TargetSet::new();
        // A text that is no lexeme of the rule covers nothing of it.
        let parser = parsing.parser();
        if let Ok(parsed) = parser.parse(&mut memory.workspace, text) {
            let derivations = Derivations::of_forest(parser.parser(), &parsed.forest);
            self.paths
                .cover(&parsing.token, &derivations, |at| _ = covered.insert(self.first + at));
        }
        let targets: Arc<[TargetId]> = covered.iter().collect();
        if memory.known.len() >= REMEMBERED {
            memory.known.clear();
        }
        memory.known.insert(text.into(), Arc::clone(&targets));
        targets
    }
}

/// Whether two lexemes of a rule can have different paths.
fn has_choices(token: &Language) -> bool {
    let is_end = |node: NodeId| match token.graph().kind(node) {
        NodeKind::Alternation | NodeKind::Quantifier { .. } => true,
        NodeKind::Leaf(terminal) => token.grammar().terminals()[terminal].kind == TerminalKind::Eof,
        NodeKind::Concatenation | NodeKind::Reference(_) => false,
    };
    token.graph().ids().any(is_end)
}

fn parsers(language: &Language, rule: RuleId, token: &Language) -> Result<Reader, LimitReached> {
    if !asks_for_end(language.grammar(), rule) {
        let going_on = Box::new(Parsing::new(token.clone())?);
        return Ok(Reader::Parsers { going_on, ending: None });
    }
    let without = lexemes_of(language, rule, End::Elsewhere)?;
    same_nodes(token.graph(), without.graph());
    let ending = Some(Box::new(Parsing::new(token.clone())?));
    let going_on = Box::new(Parsing::new(without)?);
    Ok(Reader::Parsers { going_on, ending })
}

/// The two graphs differ in what the end of input is, and in nothing else.
fn same_nodes(one: &GrammarGraph, other: &GrammarGraph) {
    let children = |graph: &GrammarGraph| -> Vec<Vec<NodeId>> {
        graph.ids().map(|node| graph.children(node).to_vec()).collect()
    };
    assert!(children(one) == children(other), "invariant: the end of input is one leaf");
}

impl Parsing {
    fn new(token: Language) -> Result<Self, LimitReached> {
        let workspace = token.parser().map(TextParser::workspace);
        let workspace = workspace.map_err(|error| match error {
            TextParserError::Limit(limit) => limit,
            TextParserError::Lexer(error) => {
                unreachable!("invariant: a scannerless grammar has no lexer: {error:?}")
            }
        })?;
        let memory = Memory { workspace, known: Map::default() };
        Ok(Self { token, memory: Mutex::new(memory) })
    }

    fn parser(&self) -> &TextParser {
        self.token.parser().expect("invariant: it was built before its workspace")
    }
}
