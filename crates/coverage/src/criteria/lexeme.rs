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
//! A target can be covered if the rule alone allows it. Whether another rule wins instead, whatever the
//! text, is a question to the lexer.
//!
//! A lexeme is parsed by its rule, character by character, to all its derivations; which of them the
//! lexer would have preferred does not matter, as it looks at where matches end, and that is given.
//! Lexemes met before are looked up. Rules without any choice are not parsed at all.

use std::sync::{Arc, Mutex, PoisonError};

use gramercy_analysis::Viable;
use gramercy_base::{LimitReached, Limits, Map, Span};
use gramercy_grammar::{GrammarGraph, NodeId, NodeKind, RuleId, TerminalKind};
use gramercy_lexis::Matching;
use gramercy_parse::text::TextParserError;
use gramercy_parse::{Derivations, TextParser, TextWorkspace};

use crate::criteria::kpath::{Nodes, PathTargets};
use crate::criteria::too_many_targets;
use crate::criterion::{Criterion, Lexeme, Reading, Uncoverable};
use crate::pattern;
use crate::targets::{TargetId, TargetSet};
use crate::token_grammar::{End, TokenGrammar, asks_for_end};
use crate::views::{Views, rules_of_nodes};
use crate::witness::{Witness, Witnesses};

/// Lexemes of one rule that are remembered.
const REMEMBERED: usize = 10_000;

/// The k-paths of token rules as targets.
#[derive(Debug)]
pub struct Lexemes {
    rules: Vec<RulePaths>,
    of_rule: Map<RuleId, usize>,
    targets: u64,
    limits: Limits,
}

/// The paths of one token rule.
#[derive(Debug)]
struct RulePaths {
    /// The rule.
    rule: RuleId,
    /// The rank of its first path among all.
    first: u64,
    paths: PathTargets,
    token: TokenGrammar,
    viable: Viable,
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
    /// What it reads, if that is not the rule's own grammar.
    token: Option<TokenGrammar>,
    parser: TextParser,
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
    pub fn new(views: &Views<'_>, k: u32, limits: &Limits) -> Result<Self, LimitReached> {
        let grammar = views.grammar;
        let is_written =
            |rule: &gramercy_grammar::Rule| rule.token().is_some_and(|token| !token.implicit);
        let mut lexemes =
            Self { rules: Vec::new(), of_rule: Map::default(), targets: 0, limits: *limits };
        for (rule, _) in grammar.rules().iter().filter(|(_, rule)| is_written(rule)) {
            let paths = RulePaths::new(views, rule, lexemes.targets, k, limits)?;
            lexemes.targets += paths.paths.len();
            if lexemes.targets > limits.targets as u64 {
                return Err(too_many_targets(limits));
            }
            lexemes.of_rule.insert(rule, lexemes.rules.len());
            lexemes.rules.push(paths);
        }
        Ok(lexemes)
    }

    /// The token rule that a target speaks of.
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
        let mut witnesses = Witnesses::new(&of.token, matching, &self.limits);
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
        self.rules.iter().map(|rule| rule.paths.coverable).sum()
    }

    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable> {
        let of = self.of(target);
        of.paths.uncoverable(&of.token.graph, &of.viable, target - of.first)
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
        let (grammar, graph) = (&of.token.grammar, &of.token.graph);
        let path = of.paths.path(target - of.first);
        let first = path.first().expect("invariant: a path has nodes");
        let rule = rules_of_nodes(grammar, graph)[*first];
        let name = &grammar.rules()[grammar.start()].name;
        format!("{name}: {}", pattern::path(grammar, graph, rule, &path))
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        let of = self.of(target);
        let last = *of.paths.path(target - of.first).last()?;
        Some(of.token.grammar.expr(of.token.graph.expr(last)).span)
    }
}

impl RulePaths {
    fn new(
        views: &Views<'_>,
        rule: RuleId,
        first: u64,
        k: u32,
        limits: &Limits,
    ) -> Result<Self, LimitReached> {
        let token = TokenGrammar::new(views.grammar, rule, End::Here, limits)?;
        let viable = Views::new(&token.grammar, &token.graph, &token.bnf, limits).viable;
        let paths = PathTargets::new(&token.graph, &viable, k, limits)?;
        let reader = match has_choices(&token) {
            false => Reader::Constant((first..first + paths.len()).collect()),
            true => parsers(views, rule, &token, limits)?,
        };
        Ok(Self { rule, first, paths, token, viable, reader })
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
        if let Ok(parsed) = parsing.parser.parse(&mut memory.workspace, text) {
            let derivations = Derivations::of_forest(parsing.parser.parser(), &parsed.forest);
            let token = parsing.token.as_ref().unwrap_or(&self.token);
            let nodes = Nodes { graph: &token.graph, bnf: &token.bnf };
            self.paths.cover(nodes, &derivations, |at| _ = covered.insert(self.first + at));
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
fn has_choices(token: &TokenGrammar) -> bool {
    let is_end = |node: NodeId| match token.graph.kind(node) {
        NodeKind::Alternation | NodeKind::Quantifier { .. } => true,
        NodeKind::Leaf(terminal) => token.grammar.terminals()[terminal].kind == TerminalKind::Eof,
        NodeKind::Concatenation | NodeKind::Reference(_) => false,
    };
    token.graph.ids().any(is_end)
}

fn parsers(
    views: &Views<'_>,
    rule: RuleId,
    token: &TokenGrammar,
    limits: &Limits,
) -> Result<Reader, LimitReached> {
    if !asks_for_end(views.grammar, rule) {
        let going_on = Box::new(Parsing::new(token, limits)?);
        return Ok(Reader::Parsers { going_on, ending: None });
    }
    let without = TokenGrammar::new(views.grammar, rule, End::Elsewhere, limits)?;
    same_nodes(&token.graph, &without.graph);
    let ending = Some(Box::new(Parsing::new(token, limits)?));
    let going_on = Parsing::new(&without, limits)?;
    let going_on = Box::new(Parsing { token: Some(without), ..going_on });
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
    fn new(token: &TokenGrammar, limits: &Limits) -> Result<Self, LimitReached> {
        let parser = TextParser::new(&token.grammar, &token.bnf, limits);
        let parser = parser.map_err(|error| match error {
            TextParserError::Limit(limit) => limit,
            TextParserError::Lexer(error) => {
                unreachable!("invariant: a scannerless grammar has no lexer: {error:?}")
            }
        })?;
        let memory = Memory { workspace: parser.workspace(), known: Map::default() };
        Ok(Self { token: None, parser, memory: Mutex::new(memory) })
    }
}
