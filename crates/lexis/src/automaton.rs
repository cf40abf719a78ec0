//! The lexical rules as one ordered automaton: epsilon edges are tried in the order of the
//! alternatives, greedy loops before what follows them, non-greedy ones after it. References are
//! calls, so that recursive rules need nothing special.
//!
//! Linear in the rules, times the copies that bounded quantifiers ask for.

use gramercy_base::{BitMatrix, Id, LimitReached, Limits, Map, Set, Table};
use gramercy_grammar::{
    Alternative, Command, ExprId, ExprKind, Grammar, ModeId, RuleId, RuleKind, TerminalId,
    TerminalKind,
};
use gramercy_regular::classes::{self, ClassId, Classes, SetId};
use gramercy_regular::{CharSet, Dfa as RegexDfa, unicode};

use crate::class_table::ClassTable;

gramercy_base::define_id!(pub struct StateId, "a state of the ordered automaton");
gramercy_base::define_id!(pub struct CommandsId, "a list of commands in a rule");

/// A state of the ordered automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// One character of a set, then on.
    Chars(SetId, StateId),
    /// The end of input, then on.
    Eof(StateId),
    /// Any of these, the first preferred.
    Choice { targets: Box<[StateId]>, non_greedy: bool },
    /// Another rule, then on.
    Call { rule: RuleId, next: StateId },
    /// These commands will be worked off if the outermost rule matches along here.
    Commands(CommandsId, StateId),
    /// The end of a rule.
    Stop,
}

/// A token rule as a mode tries it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) rule: RuleId,
    pub(crate) token: TerminalId,
    pub(crate) start: StateId,
}

/// A lexer, frozen.
#[derive(Clone, Debug)]
pub struct Lexer {
    pub(crate) states: Table<StateId, State>,
    pub(crate) rule_starts: Table<RuleId, Option<StateId>>,
    pub(crate) commands: Table<CommandsId, Box<[Command]>>,
    pub(crate) modes: Table<ModeId, Vec<Entry>>,
    pub(crate) classes: Classes,
    /// For every set, the classes in it.
    pub(crate) members: BitMatrix<SetId, ClassId>,
    pub(crate) table: ClassTable,
}

/// Why there is no lexer for a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LexerError {
    /// The grammar has no lexical rules.
    NoLexicalRules,
    /// A lexical rule can call itself before it read anything.
    LeftRecursion(RuleId),
    /// A bound was reached.
    Limit(LimitReached),
}

impl From<LimitReached> for LexerError {
    fn from(limit: LimitReached) -> Self {
        LexerError::Limit(limit)
    }
}

impl Lexer {
    /// The lexer of a grammar's lexical rules.
    ///
    /// # Errors
    /// See [`LexerError`].
    pub fn new(grammar: &Grammar, limits: &Limits) -> Result<Self, LexerError> {
        let lexicon = grammar.lexicon().ok_or(LexerError::NoLexicalRules)?;
        let mut building = Building::new(grammar, limits);
        for (id, rule) in grammar.rules().iter().filter(|(_, rule)| !rule.is_syntax()) {
            building.rule(id, rule.body, &rule.kind)?;
        }
        let Building { states, rule_starts, commands, sets, .. } = building;
        if let Some(rule) = left_recursion(&states, &rule_starts) {
            return Err(LexerError::LeftRecursion(rule));
        }
        let modes = lexicon.modes.map(|_, mode| {
            let entry = |&rule: &RuleId| Entry {
                rule,
                token: grammar.rules()[rule].token().expect("invariant: a token rule").token,
                start: rule_starts[rule].expect("invariant: lexical rules were compiled"),
            };
            mode.rules.iter().map(entry).collect()
        });
        let CutAlphabet { classes, members, table } = CutAlphabet::new(&sets)?;
        Ok(Self { states, rule_starts, commands, modes, classes, members, table })
    }

    /// Whether all matches of a token rule do the same: it has no commands, or there is no way round
    /// the only ones.
    pub(crate) fn has_one_outcome(&self, rule: RuleId) -> bool {
        let (mut seen, mut stack) = (Set::default(), Vec::new());
        stack.extend(self.rule_starts[rule]);
        let (mut commands, mut ends_without) = (0, false);
        while let Some(state) = stack.pop() {
            if !seen.insert(state) {
                continue;
            }
            match &self.states[state] {
                State::Chars(_, next) | State::Eof(next) | State::Call { next, .. } => {
                    stack.push(*next);
                }
                State::Choice { targets, .. } => stack.extend(targets),
                // After the first commands there may be others, but not in any notation.
                State::Commands(..) => commands += 1,
                State::Stop => ends_without = true,
            }
        }
        commands + usize::from(ends_without) <= 1
    }

    /// The alphabet cut into classes that no rule tells apart.
    #[must_use]
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The class of a character.
    #[must_use]
    pub fn class_of(&self, c: char) -> ClassId {
        ClassId::from_index(self.table.get(c.into()))
    }

    /// The number of alphabet classes. The end of input is one more, and so is the mark of a byte
    /// that is only a part of a character.
    #[inline]
    pub(crate) fn class_count(&self) -> usize {
        self.classes.len()
    }
}

/// The most alphabet classes that fit into the table, with its two columns that are none.
const MAX_CLASSES: usize = u16::MAX as usize - 2;

struct CutAlphabet {
    classes: Classes,
    members: BitMatrix<SetId, ClassId>,
    table: ClassTable,
}

impl CutAlphabet {
    fn new(sets: &Sets) -> Result<Self, LimitReached> {
        let partition = classes::partition(sets.sets.values());
        let count = partition.classes.len();
        let not_ascii = u16::try_from(count + 1).ok().filter(|_| count <= MAX_CLASSES);
        let not_ascii = not_ascii.ok_or(LimitReached {
            what: "classes of characters that the lexer tells apart",
            limit: MAX_CLASSES,
            option: None,
        })?;
        let mut members = BitMatrix::new(partition.members.len(), count);
        for (set, classes) in partition.members.iter() {
            classes.iter().for_each(|&class| _ = members.insert(set, class));
        }
        let table = ClassTable::new(&partition.classes, not_ascii);
        Ok(Self { classes: partition.classes, members, table })
    }
}

/// Character sets, each once.
#[derive(Default)]
struct Sets {
    known: Map<CharSet, SetId>,
    sets: Table<SetId, CharSet>,
}

impl Sets {
    fn intern(&mut self, set: CharSet) -> SetId {
        if let Some(&known) = self.known.get(&set) {
            return known;
        }
        let id = self.sets.push(set.clone());
        self.known.insert(set, id);
        id
    }
}

struct Building<'g> {
    grammar: &'g Grammar,
    limits: &'g Limits,
    states: Table<StateId, State>,
    rule_starts: Table<RuleId, Option<StateId>>,
    commands: Table<CommandsId, Box<[Command]>>,
    sets: Sets,
    /// The rules that are known to match single characters only, or not to.
    single_characters: Map<RuleId, Option<CharSet>>,
    ignore_case: bool,
}

impl<'g> Building<'g> {
    fn new(grammar: &'g Grammar, limits: &'g Limits) -> Self {
        Self {
            grammar,
            limits,
            states: Table::new(),
            rule_starts: Table::filled(None, grammar.rules().len()),
            commands: Table::new(),
            sets: Sets::default(),
            single_characters: Map::default(),
            ignore_case: false,
        }
    }

    fn rule(&mut self, id: RuleId, body: ExprId, kind: &RuleKind) -> Result<(), LimitReached> {
        self.ignore_case = ignores_case(kind);
        let stop = self.push(State::Stop)?;
        let start = self.expr(body, stop)?;
        self.rule_starts[id] = Some(start);
        Ok(())
    }

    fn push(&mut self, state: State) -> Result<StateId, LimitReached> {
        if self.states.len() >= self.limits.states {
            let what = "states of the lexer";
            let option = Some("--max-states");
            return Err(LimitReached { what, limit: self.limits.states, option });
        }
        Ok(self.states.push(state))
    }

    /// The state from which an expression leads to `next`. Nesting is bounded by the readers.
    fn expr(&mut self, id: ExprId, next: StateId) -> Result<StateId, LimitReached> {
        match &self.grammar.expr(id).kind {
            ExprKind::Alternation(alternatives) => self.alternation(alternatives, next),
            ExprKind::Sequence(items) => {
                items.iter().rev().try_fold(next, |next, &item| self.expr(item, next))
            }
            &ExprKind::Repeat { body, min, max, greedy } => {
                self.repeat(body, min, max, greedy, next)
            }
            ExprKind::Rule(rule) => self.push(State::Call { rule: *rule, next }),
            ExprKind::Terminal(terminal) => self.terminal(*terminal, next),
            ExprKind::Commands(commands) => {
                let known = self.commands.iter().find(|(_, known)| *known == commands);
                let known = known.map(|(id, _)| id);
                let list = known.unwrap_or_else(|| self.commands.push(commands.clone()));
                self.push(State::Commands(list, next))
            }
        }
    }

    /// Neighbouring alternatives that are single characters become one set: which of them matched
    /// makes no difference, and long lists of ranges would make many classes.
    fn alternation(
        &mut self,
        alternatives: &'g [Alternative],
        next: StateId,
    ) -> Result<StateId, LimitReached> {
        let mut targets = Vec::with_capacity(alternatives.len());
        let mut joined = Vec::new();
        for alternative in alternatives {
            if let Some(set) = self.single_character(alternative.expr, self.ignore_case, 0) {
                joined.push(set);
                continue;
            }
            if !joined.is_empty() {
                targets.push(self.chars(union(&std::mem::take(&mut joined)), next)?);
            }
            targets.push(self.expr(alternative.expr, next)?);
        }
        if !joined.is_empty() {
            targets.push(self.chars(union(&joined), next)?);
        }
        match targets[..] {
            [only] => Ok(only),
            _ => self.choice(targets, false),
        }
    }

    /// The set of an expression that matches single characters only, and does nothing else.
    fn single_character(&mut self, id: ExprId, ignore_case: bool, level: usize) -> Option<CharSet> {
        match &self.grammar.expr(id).kind {
            ExprKind::Alternation(alternatives) => {
                let of_one = |alternative: &Alternative| {
                    self.single_character(alternative.expr, ignore_case, level)
                };
                let sets: Option<Vec<_>> = alternatives.iter().map(of_one).collect();
                Some(union(&sets?))
            }
            ExprKind::Rule(rule) => self.single_character_of_rule(*rule, level + 1),
            ExprKind::Terminal(terminal) => match &self.grammar.terminals()[*terminal].kind {
                TerminalKind::Literal(text) => {
                    let mut chars = text.chars();
                    let only = chars.next().filter(|_| chars.next().is_none())?;
                    Some(letter(only, ignore_case))
                }
                TerminalKind::Chars(set) => Some(set.clone()),
                _ => None,
            },
            ExprKind::Sequence(_) | ExprKind::Repeat { .. } | ExprKind::Commands(_) => None,
        }
    }

    fn single_character_of_rule(&mut self, id: RuleId, level: usize) -> Option<CharSet> {
        if level > MAX_INLINED {
            return None;
        }
        if let Some(known) = self.single_characters.get(&id) {
            return known.clone();
        }
        // A rule that leads back to itself is not of this kind.
        self.single_characters.insert(id, None);
        let rule = &self.grammar.rules()[id];
        let set = self.single_character(rule.body, ignores_case(&rule.kind), level);
        self.single_characters.insert(id, set.clone());
        set
    }

    fn choice(&mut self, targets: Vec<StateId>, non_greedy: bool) -> Result<StateId, LimitReached> {
        self.push(State::Choice { targets: targets.into(), non_greedy })
    }

    fn repeat(
        &mut self,
        body: ExprId,
        min: u32,
        max: Option<u32>,
        greedy: bool,
        next: StateId,
    ) -> Result<StateId, LimitReached> {
        let order = |again, next| if greedy { vec![again, next] } else { vec![next, again] };
        let mut start = next;
        match max {
            None => {
                // The decision comes first and is the target of the loop.
                let decision = self.choice(Vec::new(), !greedy)?;
                let again = self.expr(body, decision)?;
                let targets = order(again, next).into();
                self.states[decision] = State::Choice { targets, non_greedy: !greedy };
                // `x+` passes the decision only after its first `x`, as ANTLR's loop does.
                start = decision;
            }
            Some(max) => {
                for _ in min..max {
                    let again = self.expr(body, start)?;
                    start = self.choice(order(again, next), !greedy)?;
                }
            }
        }
        (0..min).try_fold(start, |next, _| self.expr(body, next))
    }

    fn terminal(&mut self, terminal: TerminalId, next: StateId) -> Result<StateId, LimitReached> {
        match &self.grammar.terminals()[terminal].kind {
            TerminalKind::Literal(text) => {
                let text = text.clone();
                let ignore_case = self.ignore_case;
                text.chars()
                    .rev()
                    .try_fold(next, |next, c| self.chars(letter(c, ignore_case), next))
            }
            TerminalKind::Chars(set) => self.chars(set.clone(), next),
            TerminalKind::Regex { regex, .. } => {
                let dfa = RegexDfa::minimal(regex, self.limits)?;
                self.regex(&dfa, next)
            }
            TerminalKind::Eof => self.push(State::Eof(next)),
            other @ (TerminalKind::Token { .. } | TerminalKind::AnyTokenBut(_)) => {
                unreachable!("invariant: {other:?} is not in a lexical rule")
            }
        }
    }

    fn chars(&mut self, set: CharSet, next: StateId) -> Result<StateId, LimitReached> {
        let set = self.sets.intern(set);
        self.push(State::Chars(set, next))
    }

    /// A regex's automaton, state by state; a state prefers to go on.
    fn regex(&mut self, dfa: &RegexDfa, next: StateId) -> Result<StateId, LimitReached> {
        let mut entries = Vec::with_capacity(dfa.num_states());
        for _ in dfa.states() {
            entries.push(self.choice(Vec::new(), false)?);
        }
        for (at, state) in dfa.states().enumerate() {
            let mut targets = Vec::new();
            for (set, target) in dfa.transitions(state) {
                targets.push(self.chars(set, entries[target.index()])?);
            }
            if dfa.is_accepting(state) {
                targets.push(next);
            }
            self.states[entries[at]] = State::Choice { targets: targets.into(), non_greedy: false };
        }
        Ok(entries[dfa.start().index()])
    }
}

/// How deep references are followed in search of single characters.
const MAX_INLINED: usize = 8;

fn ignores_case(kind: &RuleKind) -> bool {
    match kind {
        RuleKind::Token(token) => token.ignore_case,
        RuleKind::Fragment { ignore_case } => *ignore_case,
        RuleKind::Syntax => unreachable!("invariant: lexical rules refer to lexical rules"),
    }
}

/// What a character of a literal stands for; sets were widened by the reader where case is ignored.
fn letter(c: char, ignore_case: bool) -> CharSet {
    if !ignore_case {
        return CharSet::single(c);
    }
    let (lower, upper) = unicode::simple_case_variants(c as u32);
    CharSet::from_ranges([(lower, lower), (upper, upper)])
}

fn union(sets: &[CharSet]) -> CharSet {
    CharSet::from_ranges(sets.iter().flat_map(CharSet::ranges).copied())
}

/// A rule that can call itself before it read anything, if there is one.
fn left_recursion(
    states: &Table<StateId, State>,
    rule_starts: &Table<RuleId, Option<StateId>>,
) -> Option<RuleId> {
    let nullable = nullable_rules(states, rule_starts);
    let calls = |rule: RuleId| {
        let mut found = Vec::new();
        let (mut seen, mut stack) = (Set::default(), Vec::new());
        stack.extend(rule_starts[rule]);
        while let Some(state) = stack.pop() {
            if !seen.insert(state) {
                continue;
            }
            match &states[state] {
                State::Choice { targets, .. } => stack.extend(targets),
                // The end of input is read as often as it is asked for.
                State::Commands(_, next) | State::Eof(next) => stack.push(*next),
                State::Call { rule, next } => {
                    found.push(*rule);
                    if nullable[*rule] {
                        stack.push(*next);
                    }
                }
                State::Chars(..) | State::Stop => {}
            }
        }
        found
    };
    let edges: Table<RuleId, Vec<RuleId>> = rule_starts.ids().map(calls).collect();
    rule_starts.ids().find(|&rule| reaches(&edges, rule))
}

fn reaches(edges: &Table<RuleId, Vec<RuleId>>, rule: RuleId) -> bool {
    let (mut seen, mut stack) = (Set::default(), edges[rule].clone());
    while let Some(next) = stack.pop() {
        if next == rule {
            return true;
        }
        if seen.insert(next) {
            stack.extend(&edges[next]);
        }
    }
    false
}

/// The rules that can match without reading anything.
fn nullable_rules(
    states: &Table<StateId, State>,
    rule_starts: &Table<RuleId, Option<StateId>>,
) -> Table<RuleId, bool> {
    let mut nullable = Table::filled(false, rule_starts.len());
    loop {
        let mut changed = false;
        for (rule, start) in rule_starts.iter() {
            if let Some(start) = *start
                && !nullable[rule]
                && reaches_stop(states, start, &nullable)
            {
                nullable[rule] = true;
                changed = true;
            }
        }
        if !changed {
            return nullable;
        }
    }
}

fn reaches_stop(
    states: &Table<StateId, State>,
    start: StateId,
    nullable: &Table<RuleId, bool>,
) -> bool {
    let (mut seen, mut stack) = (Set::default(), vec![start]);
    while let Some(state) = stack.pop() {
        if !seen.insert(state) {
            continue;
        }
        match &states[state] {
            State::Stop => return true,
            State::Choice { targets, .. } => stack.extend(targets),
            State::Commands(_, next) | State::Eof(next) => stack.push(*next),
            State::Call { rule, next } if nullable[*rule] => stack.push(*next),
            State::Chars(..) | State::Call { .. } => {}
        }
    }
    false
}
