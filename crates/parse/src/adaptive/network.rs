//! The transition network of a grammar: what an ANTLR parser does, state by state.
//!
//! One network per rule. A state reads a token, calls a rule, decides between alternatives, or completes a
//! production of the BNF core; completing costs nothing and reads nothing, so prediction passes over it. The start rule is
//! called by a rule of its own that then asks for the end of input.
//!
//! A directly left-recursive rule becomes a loop, as ANTLR rewrites it (Parr, Harwell, Fisher, "Adaptive LL(*)
//! Parsing", OOPSLA 2014, section 2.2 and appendix C): first one of the alternatives that do not begin with the rule,
//! then any number of operators. Of n alternatives the i-th has precedence n-i+1; an operator is only
//! taken where the precedence of the call allows it.
//!
//! **Example.** `e: e '*' e | e '+' e | ID;` becomes
//! `e[p]: ID ( {3 ≥ p}? '*' e[4] | {2 ≥ p}? '+' e[3] )*`.
//!
//! Linear in the grammar.

use gramercy_base::{Id, IdSet, Map, Table};
use gramercy_grammar::{
    Associativity, Bnf, ExprId, ExprKind, Grammar, RuleId, TerminalId, TerminalKind,
};

use super::completions::{CompletionId, Completions, Expansion};
use crate::parser::Parser;
use crate::tables::InputId;

gramercy_base::define_id!(pub(super) struct NetworkStateId, "a state of a transition network");
gramercy_base::define_id!(pub(super) struct DecisionId, "a decision of a transition network");
gramercy_base::define_id!(pub(super) struct NetworkRuleId, "a rule of a transition network");

/// What a state does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Nothing.
    Pass(NetworkStateId),
    /// Reads a token of a terminal.
    Read(TerminalId, NetworkStateId),
    /// Asks for the end of input, which stays.
    ReadEnd(NetworkStateId),
    /// Runs a rule at a precedence, and goes on.
    Call(NetworkRuleId, u32, NetworkStateId),
    /// Goes on with one of several states.
    Decide(DecisionId),
    /// Goes on only if an operator of this precedence is allowed.
    Require(u32, NetworkStateId),
    /// Completes a production.
    Complete(CompletionId, NetworkStateId),
    /// Begins a repetition that reads its body at least once.
    BeginRepetition(NetworkStateId),
    /// Completes the first iteration of that repetition, or a further one.
    CompleteIteration(CompletionId, CompletionId, NetworkStateId),
    /// Ends that repetition.
    EndRepetition(NetworkStateId),
    /// Ends a rule.
    Return(NetworkRuleId),
}

/// Where alternatives are told apart.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    /// The state of each alternative, the preferred one first.
    pub(super) alternatives: Box<[NetworkStateId]>,
    /// Whether the result depends on the precedence at which its rule was called.
    pub(super) uses_precedence: bool,
    /// Whether this is the decision of a left-recursive rule to go on with an operator.
    pub(super) is_operator_loop: bool,
    pub(super) rule: NetworkRuleId,
}

/// A rule's network.
#[derive(Clone, Copy, Debug)]
pub(super) struct NetworkRule {
    pub(super) start: NetworkStateId,
    pub(super) is_left_recursive: bool,
}

/// A place after a call of a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Follow {
    /// The state after the call, with nothing left to complete before it.
    pub(super) state: NetworkStateId,
    /// Whether a left-recursive rule is called there at precedence 0.
    pub(super) is_outermost: bool,
}

/// The networks of all rules that the start rule needs.
#[derive(Clone, Debug)]
pub(super) struct Network {
    pub(super) actions: Table<NetworkStateId, Action>,
    pub(super) rules: Table<NetworkRuleId, NetworkRule>,
    pub(super) decisions: Table<DecisionId, Decision>,
    /// For every rule, the places after its calls.
    pub(super) follows: Table<NetworkRuleId, Vec<Follow>>,
    /// For every state, the rule it belongs to.
    pub(super) owners: Table<NetworkStateId, NetworkRuleId>,
    /// For every state, the first state from there on that does more than to complete productions.
    pub(super) effective: Table<NetworkStateId, NetworkStateId>,
    pub(super) completions: Completions,
    /// For every terminal, the input symbols that it stands for.
    tokens: Table<TerminalId, Tokens>,
}

#[derive(Clone, Debug)]
enum Tokens {
    One(InputId),
    Several(IdSet<InputId>),
}

impl Network {
    /// The network of a grammar; `None` if ANTLR would refuse the grammar (left recursion that is not direct, a
    /// repeated body that may be empty), or a quantifier is none of ANTLR's.
    pub(super) fn new(grammar: &Grammar, bnf: &Bnf, parser: &Parser) -> Option<Self> {
        let mut building = Building {
            grammar,
            network: Network {
                actions: Table::new(),
                rules: Table::new(),
                decisions: Table::new(),
                follows: Table::new(),
                owners: Table::new(),
                effective: Table::new(),
                completions: Completions::new(grammar, bnf, parser),
                tokens: tokens(parser),
            },
            ids: Map::default(),
            pending: Vec::new(),
            precedences: Map::default(),
            owner: NetworkRuleId::from_index(0),
        };
        building.whole();
        let mut at = 0;
        while let Some(&rule) = building.pending.get(at) {
            building.rule(rule)?;
            at += 1;
        }
        building.network.finish()
    }

    /// Whether a terminal is what an input symbol stands for.
    #[inline]
    pub(super) fn reads(&self, terminal: TerminalId, input: InputId) -> bool {
        match &self.tokens[terminal] {
            Tokens::One(only) => *only == input,
            Tokens::Several(set) => set.contains(input),
        }
    }

    fn finish(mut self) -> Option<Self> {
        self.effective = self.actions.ids().map(|state| self.effective_from(state)).collect();
        for (_, action) in self.actions.iter() {
            if let Action::Call(rule, precedence, next) = *action {
                let is_outermost = precedence == 0 && self.rules[rule].is_left_recursive;
                let follow = Follow { state: self.effective[next], is_outermost };
                let known = &mut self.follows[rule];
                if !known
                    .iter()
                    .any(|it| it.state == follow.state && it.is_outermost == is_outermost)
                {
                    known.push(follow);
                }
            }
        }
        (!self.has_empty_cycle()).then_some(self)
    }

    fn effective_from(&self, state: NetworkStateId) -> NetworkStateId {
        let mut at = state;
        while let Some(next) = self.actions[at].passes_to() {
            at = next;
        }
        at
    }

    /// Whether some state can be reached from itself without reading a token, so that a parser could go on for ever.
    fn has_empty_cycle(&self) -> bool {
        let nullable = self.nullable_rules();
        let next = |state: NetworkStateId, visit: &mut dyn FnMut(NetworkStateId)| match self.actions
            [state]
        {
            Action::Read(..) | Action::Return(_) => {}
            Action::Call(rule, _, next) => {
                visit(self.rules[rule].start);
                if nullable.contains(rule) {
                    visit(next);
                }
            }
            Action::Decide(decision) => {
                self.decisions[decision].alternatives.iter().for_each(|&to| visit(to));
            }
            other => visit(other.next().expect("invariant: it goes on")),
        };
        has_cycle(&self.actions, next)
    }

    /// The rules that can end without reading a token.
    pub(super) fn nullable_rules(&self) -> IdSet<NetworkRuleId> {
        let mut nullable = IdSet::new(self.rules.len());
        loop {
            let before = nullable.len();
            for (rule, of) in self.rules.iter() {
                if !nullable.contains(rule) && self.can_return(of.start, &nullable) {
                    nullable.insert(rule);
                }
            }
            if nullable.len() == before {
                return nullable;
            }
        }
    }

    pub(super) fn can_return(
        &self,
        start: NetworkStateId,
        nullable: &IdSet<NetworkRuleId>,
    ) -> bool {
        let (mut seen, mut stack) = (gramercy_base::Set::default(), vec![start]);
        while let Some(state) = stack.pop() {
            if !seen.insert(state) {
                continue;
            }
            match self.actions[state] {
                Action::Return(_) => return true,
                Action::Read(..) => {}
                Action::Call(rule, _, next) => {
                    stack.extend(nullable.contains(rule).then_some(next));
                }
                Action::Decide(decision) => {
                    stack.extend(self.decisions[decision].alternatives.iter());
                }
                other => stack.extend(other.next()),
            }
        }
        false
    }
}

impl Action {
    /// The state after one that has one.
    pub(super) fn next(self) -> Option<NetworkStateId> {
        match self {
            Action::Pass(next)
            | Action::Read(_, next)
            | Action::ReadEnd(next)
            | Action::Call(_, _, next)
            | Action::Require(_, next)
            | Action::Complete(_, next)
            | Action::BeginRepetition(next)
            | Action::CompleteIteration(_, _, next)
            | Action::EndRepetition(next) => Some(next),
            Action::Decide(_) | Action::Return(_) => None,
        }
    }

    /// The state after one that matters only for the tree.
    fn passes_to(self) -> Option<NetworkStateId> {
        match self {
            Action::Pass(next)
            | Action::Complete(_, next)
            | Action::BeginRepetition(next)
            | Action::CompleteIteration(_, _, next)
            | Action::EndRepetition(next) => Some(next),
            _ => None,
        }
    }
}

/// Whether a graph over states has a cycle.
fn has_cycle(
    states: &Table<NetworkStateId, Action>,
    next: impl Fn(NetworkStateId, &mut dyn FnMut(NetworkStateId)),
) -> bool {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        Open,
        Done,
    }
    let mut seen = Table::filled(Seen::Not, states.len());
    for root in states.ids() {
        let mut stack = vec![root];
        while let Some(&state) = stack.last() {
            match seen[state] {
                Seen::Done => {
                    stack.pop();
                }
                Seen::Open => {
                    seen[state] = Seen::Done;
                    stack.pop();
                }
                Seen::Not => {
                    seen[state] = Seen::Open;
                    let mut is_cyclic = false;
                    next(state, &mut |to| match seen[to] {
                        Seen::Not => stack.push(to),
                        Seen::Open => is_cyclic = true,
                        Seen::Done => {}
                    });
                    if is_cyclic {
                        return true;
                    }
                }
            }
        }
    }
    false
}

/// The input symbols of every terminal.
fn tokens(parser: &Parser) -> Table<TerminalId, Tokens> {
    let inputs = parser.inputs();
    let mut of: Table<TerminalId, Vec<InputId>> =
        Table::filled(Vec::new(), parser.cfg().terminal_count());
    for input in (0..inputs.len()).map(InputId::from_index) {
        inputs.terminals(input).iter().for_each(|&terminal| of[terminal].push(input));
    }
    of.map(|_, inputs_of| match inputs_of[..] {
        [only] => Tokens::One(only),
        _ => {
            let mut set = IdSet::new(inputs.len() + 1);
            for input in inputs_of {
                set.insert(*input);
            }
            Tokens::Several(set)
        }
    })
}

/// A network under construction.
struct Building<'g> {
    grammar: &'g Grammar,
    network: Network,
    ids: Map<RuleId, NetworkRuleId>,
    /// The rules that are called, in the order of their first calls.
    pending: Vec<RuleId>,
    /// The references that are called at a precedence other than 0.
    precedences: Map<ExprId, u32>,
    /// The rule that is being built.
    owner: NetworkRuleId,
}

/// An expression, the state where it begins, and the state after it.
type Task = (ExprId, NetworkStateId, NetworkStateId);

/// A left-recursive rule's alternatives as ANTLR classifies them.
struct Operators {
    /// Those that do not begin with the rule.
    primary: Vec<usize>,
    /// Those that do: first the ones that also end with it, then the others.
    operators: Vec<usize>,
}

impl Building<'_> {
    /// The rule that calls the start rule.
    fn whole(&mut self) {
        let (call, end, done) = (self.state(), self.state(), self.state());
        let rule = NetworkRule { start: call, is_left_recursive: false };
        let whole = self.network.rules.push(rule);
        self.network.follows.push(Vec::new());
        let start = self.rule_id(self.grammar.start());
        self.network.actions[call] = Action::Call(start, 0, end);
        self.network.actions[end] = Action::ReadEnd(done);
        self.network.actions[done] = Action::Return(whole);
    }

    /// A new state; what it does is said later.
    fn state(&mut self) -> NetworkStateId {
        self.network.owners.push(self.owner);
        self.network.actions.push(Action::Pass(NetworkStateId::from_index(0)))
    }

    fn new_state(&mut self, action: Action) -> NetworkStateId {
        let state = self.state();
        self.network.actions[state] = action;
        state
    }

    fn rule_id(&mut self, rule: RuleId) -> NetworkRuleId {
        if let Some(&known) = self.ids.get(&rule) {
            return known;
        }
        let owner = self.owner;
        let id = NetworkRuleId::from_index(self.network.rules.len());
        self.owner = id;
        let start = self.state();
        self.owner = owner;
        self.network.rules.push(NetworkRule { start, is_left_recursive: false });
        self.network.follows.push(Vec::new());
        self.ids.insert(rule, id);
        self.pending.push(rule);
        id
    }

    fn rule(&mut self, rule: RuleId) -> Option<()> {
        let id = self.ids[&rule];
        self.owner = id;
        let body = self.grammar.rules()[rule].body;
        let start = self.network.rules[id].start;
        let stop = self.new_state(Action::Return(id));
        match self.operators(rule, body)? {
            None => {
                let count = self.alternatives(body).len();
                let tasks = self.choice(body, &(0..count).collect::<Vec<_>>(), start, stop);
                self.expressions(tasks)
            }
            Some(operators) => {
                self.network.rules[id].is_left_recursive = true;
                self.left_recursive(body, &operators, start, stop)
            }
        }
    }

    fn alternatives(&self, alternation: ExprId) -> Vec<ExprId> {
        match &self.grammar.expr(alternation).kind {
            ExprKind::Alternation(alternatives) => alternatives.iter().map(|it| it.expr).collect(),
            other => unreachable!("invariant: {other:?} is an alternation"),
        }
    }

    /// The items of an alternative.
    fn items(&self, alternative: ExprId) -> Vec<ExprId> {
        match &self.grammar.expr(alternative).kind {
            ExprKind::Sequence(items) => items.to_vec(),
            _ => vec![alternative],
        }
    }

    /// How the alternatives of a rule are classified, if the rule is left-recursive. Calls of the rule at
    /// the end of operators are noted with their precedence.
    fn operators(&mut self, rule: RuleId, body: ExprId) -> Option<Option<Operators>> {
        let alternatives = self.alternatives(body);
        let is_rule = |expr: ExprId| self.grammar.expr(expr).kind == ExprKind::Rule(rule);
        let items: Vec<_> = alternatives.iter().map(|&it| self.items(it)).collect();
        if !items.iter().any(|items| is_rule(items[0])) {
            return Some(None);
        }
        let (mut primary, mut binary, mut suffix) = (Vec::new(), Vec::new(), Vec::new());
        let mut precedences = Vec::new();
        for (index, items) in items.iter().enumerate() {
            let last = *items.last().expect("invariant: an alternative has items");
            let precedence = precedence(alternatives.len(), index);
            let is_operand = items.len() > 1 && is_rule(last);
            let is_right = self.associativity(body, index) == Some(Associativity::Right);
            match (is_rule(items[0]), is_operand) {
                (true, _) if items.len() == 1 => return None,
                (true, true) => {
                    binary.push(index);
                    precedences.push((last, if is_right { precedence } else { precedence + 1 }));
                }
                (true, false) => suffix.push(index),
                (false, is_prefix) => {
                    primary.push(index);
                    precedences.extend(is_prefix.then_some((last, precedence)));
                }
            }
        }
        self.precedences.extend(precedences);
        let operators = binary.into_iter().chain(suffix).collect();
        (!primary.is_empty()).then_some(Some(Operators { primary, operators }))
    }

    fn associativity(&self, alternation: ExprId, index: usize) -> Option<Associativity> {
        match &self.grammar.expr(alternation).kind {
            ExprKind::Alternation(alternatives) => {
                alternatives[index].attributes.as_ref().and_then(|it| it.associativity)
            }
            other => unreachable!("invariant: {other:?} is an alternation"),
        }
    }

    fn left_recursive(
        &mut self,
        body: ExprId,
        operators: &Operators,
        start: NetworkStateId,
        stop: NetworkStateId,
    ) -> Option<()> {
        let (entry, block) = (self.state(), self.state());
        let mut tasks = self.choice(body, &operators.primary, start, entry);
        let decision = self.decision(vec![block, stop], entry);
        self.network.decisions[decision].is_operator_loop = true;
        let alternatives = self.alternatives(body);
        let mut begins = Vec::new();
        for &index in &operators.operators {
            let begin = self.state();
            let complete = self.complete_alternative(body, index, entry);
            let precedence = precedence(alternatives.len(), index);
            let first = self.state();
            self.network.actions[begin] = Action::Require(precedence, first);
            let items = self.items(alternatives[index]);
            self.sequence(&items[1..], first, complete, &mut tasks);
            begins.push(begin);
        }
        match begins[..] {
            [only] => self.network.actions[block] = Action::Pass(only),
            _ => drop(self.decision(begins, block)),
        }
        for decision in self.network.decisions.ids() {
            if self.network.decisions[decision].rule == self.owner {
                self.network.decisions[decision].uses_precedence = true;
            }
        }
        self.expressions(tasks)
    }

    /// Makes a state decide between others.
    fn decision(&mut self, alternatives: Vec<NetworkStateId>, at: NetworkStateId) -> DecisionId {
        let id = self.network.decisions.push(Decision {
            alternatives: alternatives.into(),
            uses_precedence: false,
            is_operator_loop: false,
            rule: self.owner,
        });
        self.network.actions[at] = Action::Decide(id);
        id
    }

    fn complete(&mut self, expansion: Expansion, next: NetworkStateId) -> NetworkStateId {
        let id = self.network.completions.id(expansion);
        self.new_state(Action::Complete(id, next))
    }

    fn complete_alternative(
        &mut self,
        alternation: ExprId,
        index: usize,
        next: NetworkStateId,
    ) -> NetworkStateId {
        let index = u32::try_from(index).expect("invariant: alternatives fit in 32 bits");
        self.complete(Expansion::Alternative(alternation, index), next)
    }

    /// Some alternatives of an alternation that has a nonterminal.
    fn choice(
        &mut self,
        alternation: ExprId,
        indices: &[usize],
        entry: NetworkStateId,
        exit: NetworkStateId,
    ) -> Vec<Task> {
        let alternatives = self.alternatives(alternation);
        let mut tasks = Vec::new();
        let mut begins = Vec::new();
        for &index in indices {
            let begin = if indices.len() == 1 { entry } else { self.state() };
            let complete = self.complete_alternative(alternation, index, exit);
            tasks.push((alternatives[index], begin, complete));
            begins.push(begin);
        }
        if indices.len() > 1 {
            self.decision(begins, entry);
        }
        tasks
    }

    /// Items one after the other, from a state to another.
    fn sequence(
        &mut self,
        items: &[ExprId],
        entry: NetworkStateId,
        exit: NetworkStateId,
        tasks: &mut Vec<Task>,
    ) {
        let mut begin = entry;
        for (at, &item) in items.iter().enumerate() {
            let end = if at + 1 == items.len() { exit } else { self.state() };
            tasks.push((item, begin, end));
            begin = end;
        }
    }

    fn expressions(&mut self, mut tasks: Vec<Task>) -> Option<()> {
        while let Some((expr, entry, exit)) = tasks.pop() {
            match &self.grammar.expr(expr).kind {
                ExprKind::Sequence(items) => {
                    let items = items.to_vec();
                    self.sequence(&items, entry, exit, &mut tasks);
                }
                ExprKind::Alternation(alternatives) => match &alternatives[..] {
                    [only] => tasks.push((only.expr, entry, exit)),
                    several => {
                        let all: Vec<_> = (0..several.len()).collect();
                        tasks.extend(self.choice(expr, &all, entry, exit));
                    }
                },
                &ExprKind::Repeat { body, min, max, greedy } => {
                    let repeat = Repeat { expr, body, greedy, entry, exit };
                    match (min, max) {
                        (0, Some(1)) => self.optional(&repeat, &mut tasks),
                        (0, None) => self.star(&repeat, &mut tasks),
                        (1, None) => self.plus(&repeat, &mut tasks),
                        _ => return None,
                    }
                }
                ExprKind::Rule(rule) => {
                    let callee = self.rule_id(*rule);
                    let precedence = self.precedences.get(&expr).copied().unwrap_or(0);
                    self.network.actions[entry] = Action::Call(callee, precedence, exit);
                }
                ExprKind::Terminal(terminal) => {
                    self.network.actions[entry] = match &self.grammar.terminals()[*terminal].kind {
                        TerminalKind::Eof => Action::ReadEnd(exit),
                        kind if kind.is_empty() => Action::Pass(exit),
                        _ => Action::Read(*terminal, exit),
                    };
                }
                ExprKind::Commands(_) => unreachable!("invariant: commands are lexical"),
            }
        }
        Some(())
    }

    /// One decision between the alternatives of the body and none of them.
    fn optional(&mut self, repeat: &Repeat, tasks: &mut Vec<Task>) {
        let &Repeat { expr, body, greedy, entry, exit } = repeat;
        let once = self.complete(Expansion::Once(expr), exit);
        let skip = self.complete(Expansion::Empty(expr), exit);
        let mut begins = Vec::new();
        match &self.grammar.expr(body).kind {
            ExprKind::Alternation(alternatives) if alternatives.len() > 1 => {
                for (index, alternative) in alternatives.iter().enumerate() {
                    let begin = self.state();
                    let complete = self.complete_alternative(body, index, once);
                    tasks.push((alternative.expr, begin, complete));
                    begins.push(begin);
                }
            }
            _ => {
                let begin = self.state();
                tasks.push((body, begin, once));
                begins.push(begin);
            }
        }
        begins.insert(if greedy { begins.len() } else { 0 }, skip);
        self.decision(begins, entry);
    }

    fn star(&mut self, repeat: &Repeat, tasks: &mut Vec<Task>) {
        let &Repeat { expr, body, greedy, entry, exit } = repeat;
        let (again, begin) = (self.state(), self.state());
        let empty = self.network.completions.id(Expansion::Empty(expr));
        self.network.actions[entry] = Action::Complete(empty, again);
        let complete = self.complete(Expansion::Again(expr), again);
        tasks.push((body, begin, complete));
        self.decision(if greedy { vec![begin, exit] } else { vec![exit, begin] }, again);
    }

    fn plus(&mut self, repeat: &Repeat, tasks: &mut Vec<Task>) {
        let &Repeat { expr, body, greedy, entry, exit } = repeat;
        let (again, begin) = (self.state(), self.state());
        let end = self.new_state(Action::EndRepetition(exit));
        self.network.actions[entry] = Action::BeginRepetition(begin);
        let once = self.network.completions.id(Expansion::Once(expr));
        let further = self.network.completions.id(Expansion::Again(expr));
        let complete = self.new_state(Action::CompleteIteration(once, further, again));
        tasks.push((body, begin, complete));
        self.decision(if greedy { vec![begin, end] } else { vec![end, begin] }, again);
    }
}

/// A quantifier between two states.
struct Repeat {
    expr: ExprId,
    body: ExprId,
    greedy: bool,
    entry: NetworkStateId,
    exit: NetworkStateId,
}

/// The precedence of an alternative of a left-recursive rule.
fn precedence(alternatives: usize, index: usize) -> u32 {
    u32::try_from(alternatives - index).expect("invariant: alternatives fit in 32 bits")
}
