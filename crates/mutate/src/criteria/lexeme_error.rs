//! `lexeme-error`: every state of every token rule's automaton, with every class of characters, or the end, that makes
//! an error there.
//!
//! Each token rule, hidden and skipped ones included, has the minimal automaton of its regular language; in a
//! scannerless grammar each terminal has one. A target is a state with a class of characters that leads nowhere from
//! there, or a state that does not accept with the end: the ways in which a lexeme is left, cut short, not closed, or
//! empty. Characters that the rule never tells apart are one class.
//!
//! A test takes the smallest sentence with the token, whose lexeme leads to the state, and puts the character in,
//! puts it in the place of the rest, or takes the rest out; the first that is not in the language counts, whether the
//! lexer or the parser notices. Where a state accepts, many characters simply begin the next token, and there is no
//! error to be made.
//!
//! Example: `NUMBER: '-'? ('0' | [1-9] [0-9]*);`. Behind `-` neither the end nor a letter can come: `[-]`, `[-x]`;
//! after `0` no digit: `[00]`.
//!
//! Rules that refer to themselves have no automaton and no targets. Cost: states times classes, each a few texts.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use gramercy_base::{Id, LimitReached, Span, Table};
use gramercy_coverage::{Criterion, Reading, RejectedInput, TargetId, TargetSet, Uncoverable};
use gramercy_derive::{Candidate, CheapestTrees, Contexts, Resolution};
use gramercy_grammar::{
    ExprId, ExprKind, RuleId, RuleKind, Symbol, TerminalId, TerminalKind, TextKind,
};
use gramercy_language::Language;
use gramercy_regular::{CharSet, Dfa, Regex, StateId, unicode};

use super::item_edit::written;
use super::{Change, Found, NegativeCriterion, Smallest, Tools};
use crate::edit::Kind;
use crate::operators::character::CharacterEdit;
use crate::text::Base;

/// How deep rules may refer to others before one is taken for one that refers to itself.
const MAX_NESTING: usize = 200;

/// The ways in which lexemes can be wrong as targets.
#[derive(Debug)]
pub struct LexemeErrors<'l> {
    language: &'l Language,
    lexemes: Vec<LexemeRule>,
    targets: Vec<LexemeError>,
    smallest: OnceLock<Smallest>,
}

/// What lexemes are made by, with its automaton.
#[derive(Debug)]
struct LexemeRule {
    source: LexemeSource,
    name: String,
    span: Option<Span>,
    dfa: Dfa,
    /// For each state the shortest text that leads there, and the shortest one from there to the end of a lexeme.
    ways: Table<StateId, Option<(String, String)>>,
}

/// What makes a lexeme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LexemeSource {
    /// A token rule; the terminal that the parser sees, unless it is hidden.
    Rule(RuleId, Option<TerminalId>),
    /// A terminal of a scannerless grammar.
    Terminal(TerminalId),
}

/// A way in which a lexeme can be wrong.
#[derive(Clone, Copy, Debug)]
struct LexemeError {
    lexeme: usize,
    state: StateId,
    /// A character that cannot come; `None` is the end.
    next: Option<char>,
}

impl<'l> LexemeErrors<'l> {
    /// The targets.
    ///
    /// # Errors
    /// If an automaton has too many states.
    pub fn new(language: &'l Language) -> Result<Self, LimitReached> {
        let mut lexemes = Vec::new();
        for (source, name, span, regex) in sources(language) {
            let dfa = Dfa::minimal(&regex, language.limits())?;
            if !dfa.is_empty() {
                let ways = ways(&dfa);
                lexemes.push(LexemeRule { source, name, span, dfa, ways });
            }
        }
        let mut targets = Vec::new();
        for (lexeme, rule) in lexemes.iter().enumerate() {
            for (state, next) in errors_of(&rule.dfa) {
                targets.push(LexemeError { lexeme, state, next });
            }
        }
        Ok(Self { language, lexemes, targets, smallest: OnceLock::new() })
    }

    /// The targets that have a test, with their texts.
    fn smallest(&self) -> &Smallest {
        let search = || Smallest::of(self.language, |tools, found| self.search(tools, found));
        self.smallest.get_or_init(search)
    }

    fn target(&self, target: TargetId) -> LexemeError {
        self.targets[usize::try_from(target).expect("invariant: targets fit in memory")]
    }
}

/// Where an automaton cannot go on: states with one character for each class that leads nowhere, or the end.
fn errors_of(dfa: &Dfa) -> Vec<(StateId, Option<char>)> {
    let mut found = Vec::new();
    let classes: Vec<char> = dfa.classes().iter().filter_map(|(_, set)| readable(set)).collect();
    // What no class holds leads nowhere from any state.
    let all = dfa.classes().iter().fold(CharSet::empty(), |all, (_, set)| all.union(set));
    let rest = readable(&all.complement().without_surrogates());
    for state in dfa.states() {
        let leads_nowhere = |c: &char| dfa.step(state, u32::from(*c)).is_none();
        let characters = classes.iter().copied().chain(rest).filter(leads_nowhere);
        found.extend(characters.map(|c| (state, Some(c))));
        if !dfa.is_accepting(state) {
            found.push((state, None));
        }
    }
    found
}

/// A readable character of a set, if there is one.
fn readable(set: &CharSet) -> Option<char> {
    let usual = ('0'..='9').chain('a'..='z').chain('A'..='Z').chain('!'..='~').chain([' ', '\n']);
    let mut usual = usual.filter(|&c| set.contains(u32::from(c)));
    usual.next().or_else(|| set.without_surrogates().chars().next())
}

/// Shortest texts to and from all states.
fn ways(dfa: &Dfa) -> Table<StateId, Option<(String, String)>> {
    let mut to: Table<StateId, Option<String>> = Table::filled(None, dfa.num_states());
    to[dfa.start()] = Some(String::new());
    let mut queue = std::collections::VecDeque::from([dfa.start()]);
    while let Some(state) = queue.pop_front() {
        let here = to[state].clone().expect("invariant: only reached states are queued");
        for (set, target) in dfa.transitions(state) {
            let Some(c) = readable(&set) else { continue };
            if to[target].is_none() {
                to[target] = Some(format!("{here}{c}"));
                queue.push_back(target);
            }
        }
    }
    // Backwards by rounds, shorter texts first.
    let mut from: Table<StateId, Option<String>> = Table::filled(None, dfa.num_states());
    for state in dfa.states().filter(|&state| dfa.is_accepting(state)) {
        from[state] = Some(String::new());
    }
    loop {
        let mut more = Vec::new();
        for state in dfa.states().filter(|&state| from[state].is_none()) {
            let next = dfa.transitions(state).find_map(|(set, target)| {
                Some(format!("{}{}", readable(&set)?, from[target].as_ref()?))
            });
            more.extend(next.map(|text| (state, text)));
        }
        if more.is_empty() {
            break;
        }
        more.into_iter().for_each(|(state, text)| from[state] = Some(text));
    }
    let both = dfa.states().map(|state| to[state].clone().zip(from[state].clone()));
    both.collect()
}

/// What makes lexemes in a grammar, with its regular expression.
fn sources(language: &Language) -> Vec<(LexemeSource, String, Option<Span>, Regex)> {
    let grammar = language.grammar();
    match grammar.text_kind() {
        TextKind::TokensOnly => Vec::new(),
        TextKind::Scannerless => {
            let used = language
                .bnf()
                .terminals()
                .filter(|&id| language.useful().contains(Symbol::Terminal(id)));
            let one = |id: TerminalId| {
                let terminal = &grammar.terminals()[id];
                let regex = match &terminal.kind {
                    TerminalKind::Literal(text) if !text.is_empty() => Regex::literal(text),
                    TerminalKind::Chars(set) => Regex::Chars(set.clone()),
                    TerminalKind::Regex { regex, .. } => regex.clone(),
                    _ => return None,
                };
                Some((LexemeSource::Terminal(id), terminal.name.to_string(), None, regex))
            };
            used.filter_map(one).collect()
        }
        TextKind::Lexed => {
            let rules = grammar.rules().iter().filter(|(_, rule)| rule.token().is_some());
            let one = |(id, rule): (RuleId, &gramercy_grammar::Rule)| {
                let regex = Regular { language }.rule(id, 0)?;
                let terminal = terminal_of(language, &rule.name);
                let source = LexemeSource::Rule(id, terminal);
                Some((source, rule.name.to_string(), Some(rule.span), regex))
            };
            rules.filter_map(one).collect()
        }
    }
}

/// The terminal of syntax rules that has a name.
fn terminal_of(language: &Language, name: &str) -> Option<TerminalId> {
    let is_it = |id: &TerminalId| match &language.grammar().terminals()[*id].kind {
        TerminalKind::Token { name: own, .. } => **own == *name,
        _ => false,
    };
    language.bnf().terminals().find(is_it)
}

/// Token rules as regular expressions.
struct Regular<'l> {
    language: &'l Language,
}

impl Regular<'_> {
    /// `None` if the rule refers to itself.
    fn rule(&self, rule: RuleId, depth: usize) -> Option<Regex> {
        let rule = &self.language.grammar().rules()[rule];
        let ignores_case = match &rule.kind {
            RuleKind::Token(token) => token.ignore_case,
            RuleKind::Fragment { ignore_case } => *ignore_case,
            RuleKind::Syntax => false,
        };
        (depth < MAX_NESTING).then(|| self.expr(rule.body, ignores_case, depth + 1))?
    }

    fn expr(&self, id: ExprId, ignores_case: bool, depth: usize) -> Option<Regex> {
        if depth >= MAX_NESTING {
            return None;
        }
        let part = |id: ExprId| self.expr(id, ignores_case, depth + 1);
        Some(match &self.language.grammar().expr(id).kind {
            ExprKind::Alternation(branches) => {
                let branches = branches.iter().map(|branch| part(branch.expr));
                Regex::Union(branches.collect::<Option<_>>()?)
            }
            ExprKind::Sequence(items) => {
                Regex::Concat(items.iter().map(|&item| part(item)).collect::<Option<_>>()?)
            }
            &ExprKind::Repeat { body, min, max, .. } => {
                Regex::Repeat { inner: Box::new(part(body)?), min, max }
            }
            ExprKind::Rule(rule) => self.rule(*rule, depth + 1)?,
            ExprKind::Terminal(terminal) => self.terminal(*terminal, ignores_case)?,
            ExprKind::Commands(_) => Regex::Empty,
        })
    }

    fn terminal(&self, terminal: TerminalId, ignores_case: bool) -> Option<Regex> {
        Some(match &self.language.grammar().terminals()[terminal].kind {
            TerminalKind::Literal(text) if ignores_case => {
                let letters = text.chars().map(|c| {
                    let (lower, upper) = unicode::simple_case_variants(c.into());
                    Regex::Chars(CharSet::from_ranges([(lower, lower), (upper, upper)]))
                });
                Regex::Concat(letters.collect())
            }
            TerminalKind::Literal(text) | TerminalKind::Token { text: Some(text), .. } => {
                Regex::literal(text)
            }
            TerminalKind::Chars(set) => Regex::Chars(set.clone()),
            TerminalKind::Regex { regex, .. } => regex.clone(),
            TerminalKind::Token { .. } | TerminalKind::AnyTokenBut(_) | TerminalKind::Eof => {
                return None;
            }
        })
    }
}

impl Criterion for LexemeErrors<'_> {
    fn targets(&self) -> u64 {
        self.targets.len() as u64
    }

    fn coverable(&self) -> u64 {
        self.smallest().targets.len()
    }

    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable> {
        (!self.smallest().targets.contains(target)).then_some(Uncoverable::Unreachable)
    }

    fn cover(&self, _: &Reading<'_>, _: &mut TargetSet) {}

    /// An input covers the targets whose smallest test it is; and where the lexer makes no token, what the automata of
    /// all rules say that begin there and cannot go on. Where the lexer makes a token, the automata of other rules say
    /// nothing: in `0++1` the second `+` is no wrong lexeme, though `1` leads nowhere after it.
    fn cover_rejected(&self, input: &RejectedInput<'_>, covered: &mut TargetSet) {
        self.smallest().cover(input.text, covered);
        if self.language.grammar().text_kind() != TextKind::Lexed {
            return;
        }
        let Ok(parser) = self.language.parser() else { return };
        let (_, stopped) = parser.tokens(&mut parser.workspace(), input.text);
        if stopped.is_none_or(|(byte, _)| byte != input.byte) {
            return;
        }
        let rest = &input.text[input.byte.min(input.text.len())..];
        for (lexeme, rule) in self.lexemes.iter().enumerate() {
            let (mut state, mut next) = (rule.dfa.start(), None);
            for c in rest.chars() {
                match rule.dfa.step(state, u32::from(c)) {
                    Some(to) => state = to,
                    None => {
                        next = Some(c);
                        break;
                    }
                }
            }
            if state == rule.dfa.start() {
                continue;
            }
            let class = |c: char| rule.dfa.classes().get(u32::from(c)).map(Id::index);
            for (at, target) in self.targets.iter().enumerate() {
                let is_same = target.lexeme == lexeme
                    && target.state == state
                    && target.next.map(class) == next.map(class);
                if is_same && self.smallest().targets.contains(at as TargetId) {
                    covered.insert(at as TargetId);
                }
            }
        }
    }

    fn describe(&self, target: TargetId) -> String {
        let LexemeError { lexeme, state, next } = self.target(target);
        let rule = &self.lexemes[lexeme];
        let way = rule.ways[state].as_ref().map_or("", |(to, _)| to);
        match next {
            Some(c) => format!("{}: {c:?} after {way:?}", rule.name),
            None => format!("{}: the end after {way:?}", rule.name),
        }
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        self.lexemes[self.target(target).lexeme].span
    }
}

impl NegativeCriterion for LexemeErrors<'_> {
    fn search(&self, tools: &mut Tools<'_, '_, '_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let language = self.language.written();
        let cheapest = CheapestTrees::new(&language, Resolution::default());
        let contexts = Contexts::new(&language, &cheapest);
        let mut at = 0;
        for (lexeme, rule) in self.lexemes.iter().enumerate() {
            let end = at + self.targets[at..].iter().take_while(|of| of.lexeme == lexeme).count();
            let mut bases = Bases::new(&language, &contexts, rule, tools);
            for target in at..end {
                let LexemeError { state, next, .. } = self.targets[target];
                bases.search(state, next, tools, &mut |base, edit| {
                    found(target as TargetId, base, Change::Characters(edit))
                })?;
            }
            at = end;
        }
        ControlFlow::Continue(())
    }
}

/// Sentences around lexemes of a rule.
struct Bases<'b> {
    rule: &'b LexemeRule,
    is_scannerless: bool,
    /// Sentences in which a lexeme of the rule, or any text between tokens, can be replaced: the bytes.
    sites: Vec<(Base, std::ops::Range<usize>)>,
}

impl<'b> Bases<'b> {
    fn new(
        language: &Language,
        contexts: &Contexts<'_>,
        rule: &'b LexemeRule,
        tools: &mut Tools<'_, '_, '_>,
    ) -> Self {
        let is_scannerless = language.grammar().text_kind() == TextKind::Scannerless;
        let terminal = match rule.source {
            LexemeSource::Rule(_, terminal) => terminal,
            LexemeSource::Terminal(terminal) => Some(terminal),
        };
        let sites = match terminal {
            Some(terminal) => sites_of(language, contexts, terminal, tools),
            None => sites_between(language, contexts, tools),
        };
        Self { rule, is_scannerless, sites }
    }

    /// Looks for a test in which the lexeme reaches a state and cannot go on.
    fn search(
        &mut self,
        state: StateId,
        next: Option<char>,
        tools: &mut Tools<'_, '_, '_>,
        found: &mut dyn FnMut(&Base, &CharacterEdit<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some((to, from)) = &self.rule.ways[state] else { return ControlFlow::Continue(()) };
        let lexeme = format!("{to}{from}");
        for (site, range) in &self.sites {
            let text = [&site.text[..range.start], &lexeme, &site.text[range.end..]].concat();
            let base = Base::new(text, Vec::new());
            let is_its =
                self.is_scannerless || self.is_matched(&base.text, range.start, &lexeme, tools);
            tools.judge.begin(site);
            if !is_its || tools.judge.read(&base.text, Kind::Substitute).is_some() {
                continue;
            }
            let (place, rest) = (range.start + to.len(), from.len());
            let character = next.map(String::from).unwrap_or_default();
            let whole = base.text.len() - place;
            let tries = match next {
                Some(_) => {
                    vec![(Kind::Insert, 0), (Kind::Substitute, rest), (Kind::Substitute, whole)]
                }
                None => vec![(Kind::Delete, rest), (Kind::Delete, whole)],
            };
            for (kind, removed) in tries {
                let kind = if removed == 0 { Kind::Insert } else { kind };
                let edit = CharacterEdit { kind, place, removed, inserted: &character };
                if removed == 0 && character.is_empty() {
                    continue;
                }
                let mut text = String::new();
                edit.apply(&base.text, &mut text);
                if tools.judge.read(&text, kind).is_some() {
                    return found(&base, &edit);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether the lexer takes a lexeme at a place for one of the rule.
    fn is_matched(
        &self,
        text: &str,
        start: usize,
        lexeme: &str,
        tools: &mut Tools<'_, '_, '_>,
    ) -> bool {
        let LexemeSource::Rule(rule, _) = self.rule.source else { return true };
        let matched = (rule, start..start + lexeme.len());
        tools.writer.matches(text).contains(&matched)
    }
}

/// The most sentences that are tried for a terminal.
const MAX_SITES: usize = 4;

/// The smallest sentences with a terminal, each with the place of its lexeme.
fn sites_of(
    language: &Language,
    contexts: &Contexts<'_>,
    terminal: TerminalId,
    tools: &mut Tools<'_, '_, '_>,
) -> Vec<(Base, std::ops::Range<usize>)> {
    let bnf = language.bnf();
    let mut sentences = Vec::new();
    for production in bnf.productions().filter(|&id| language.useful().has_production(id)) {
        let (lhs, rhs) = (bnf.lhs(production), bnf.rhs(production));
        if !contexts.reach(lhs) {
            continue;
        }
        for dot in (0..rhs.len()).filter(|&dot| rhs[dot] == Symbol::Terminal(terminal)) {
            let mut candidate = Candidate::default();
            contexts.open(lhs, &mut candidate);
            contexts.cheapest().close_all(&rhs[..dot], &mut candidate);
            let at = candidate.tokens.len();
            contexts.cheapest().close_all(&rhs[dot..], &mut candidate);
            contexts.finish(lhs, &mut candidate);
            sentences.push((candidate.tokens, at));
        }
    }
    // The shortest is tried first, and one in which something stands on both sides.
    sentences.sort_by_key(|(tokens, at)| (*at == 0 || *at + 1 == tokens.len(), tokens.len()));
    let mut sites = Vec::new();
    for (tokens, at) in sentences {
        if let Some(base) = written(tools, &tokens) {
            let span = base.spans[at];
            sites.push((base, span.start..span.end));
        }
        if sites.len() == MAX_SITES {
            break;
        }
    }
    sites
}

/// A smallest sentence, and the places before, between and after its tokens.
fn sites_between(
    language: &Language,
    contexts: &Contexts<'_>,
    tools: &mut Tools<'_, '_, '_>,
) -> Vec<(Base, std::ops::Range<usize>)> {
    let mut candidate = Candidate::default();
    contexts.cheapest().close(Symbol::Nonterminal(language.bnf().start()), &mut candidate);
    let Some(base) = written(tools, &candidate.tokens) else { return Vec::new() };
    let ends = base.spans.iter().map(|span| span.end);
    let places: Vec<usize> = std::iter::once(0).chain(ends).chain([base.text.len()]).collect();
    places.into_iter().map(|place| (base.clone(), place..place)).collect()
}
