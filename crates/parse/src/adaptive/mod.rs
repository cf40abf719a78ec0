//! The tree that ANTLR's parser builds: adaptive LL(*) (Parr, Harwell, Fisher, "Adaptive LL(*) Parsing: The Power of
//! Dynamic Analysis", OOPSLA 2014).
//!
//! The parser runs through the [`network`] of the start rule with a stack of calls. Wherever there are several ways to go on, the
//! next tokens are simulated ([`predict`]) and the first alternative that can go on is taken. It never comes back to a decision.
//! Productions of the BNF core are noted as they are completed ([`completions`]), so the result is a tree in postorder.
//!
//! A parse that succeeds is a derivation, so the input is in the language. Linear in practice: what was learned about a
//! decision is kept for all inputs. Where decisions have to look far ahead, which is quadratic in ANTLR, the input is read
//! once from its end ([`suffixes`]) if the grammar allows it.

mod completions;
mod configs;
mod network;
mod predict;
mod stack_blocks;
mod suffixes;
mod with_callers;

use gramercy_grammar::{Bnf, Grammar, ProductionId};

use crate::budget::Budget;
use crate::parser::Parser;
use crate::tables::InputId;
use crate::tool::Failed;

use crate::contexts::{Bottom, ContextId, Contexts};
use completions::{CompletionId, Pending};
use gramercy_base::Id;
use network::{Action, DecisionId, Network, NetworkStateId};
use predict::{Ahead, DecisionPoint, Predictor};
use stack_blocks::StackBlocks;
use suffixes::{SuffixPlan, Suffixes};

/// The adaptive parser of a grammar.
#[derive(Clone, Debug)]
pub struct AdaptiveParser {
    network: Network,
}

/// What was learned about decisions, and memory for the next input.
#[derive(Clone, Debug)]
pub struct AdaptiveWorkspace {
    predictor: Predictor,
    callers: Callers,
    repetitions: Vec<Iteration>,
    pending: Pending,
    /// How the rest of an input is read from its end, once that is needed; `None` inside if the grammar does not allow it.
    suffix_plan: Option<Option<SuffixPlan>>,
    /// The viable stacks of the input that is read, if decisions read too far ahead.
    suffixes: Option<Suffixes>,
    patience: Patience,
}

/// What reading ahead with callers may cost, in look-ups, before the input is read from its end.
#[derive(Clone, Copy, Debug)]
struct Patience {
    per_token: u64,
    base: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self { per_token: 8, base: 20_000 }
    }
}

impl Patience {
    fn ahead(self, tokens: usize) -> Ahead {
        Ahead { cost: 0, limit: self.per_token * tokens as u64 + self.base }
    }
}

/// Which iteration of a repetition is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Iteration {
    First,
    Further,
}

/// A rule that waits for another one.
#[derive(Clone, Copy, Debug)]
struct Call {
    return_state: NetworkStateId,
    /// The precedence of the rule that waits.
    precedence: u32,
    /// The stack from here on, if it was asked for since stacks were last dropped.
    context: Option<(u32, ContextId)>,
    /// Whether the blocks of the stack have it.
    is_in_blocks: bool,
}

/// The calls that are not finished, as a stack and as a context.
#[derive(Clone, Debug)]
struct Callers {
    calls: Vec<Call>,
    contexts: Contexts,
    /// How often contexts were dropped.
    epoch: u32,
}

/// Contexts with more entries than this are dropped and made again.
const MAX_CONTEXTS: usize = 1 << 22;
/// So are decisions with callers that have more configurations and steps than this.
const MAX_WITH_CALLERS: usize = 1 << 22;

impl AdaptiveParser {
    /// The adaptive parser of a grammar; `None` where ANTLR has none.
    pub(crate) fn new(grammar: &Grammar, bnf: &Bnf, parser: &Parser) -> Option<Self> {
        Some(Self { network: Network::new(grammar, bnf, parser)? })
    }

    pub(crate) fn workspace(&self, parser: &Parser) -> AdaptiveWorkspace {
        AdaptiveWorkspace {
            predictor: Predictor::new(parser.inputs().len() + 1),
            callers: Callers {
                calls: Vec::new(),
                contexts: Contexts::new(Bottom::NoCaller),
                epoch: 0,
            },
            repetitions: Vec::new(),
            pending: Pending::default(),
            suffix_plan: None,
            suffixes: None,
            patience: Patience::default(),
        }
    }

    /// Reads an input; the productions that are completed are appended in that order.
    pub(crate) fn parse(
        &self,
        parser: &Parser,
        workspace: &mut AdaptiveWorkspace,
        input: &[InputId],
        completed: &mut Vec<ProductionId>,
        budget: &mut Budget,
    ) -> Result<(), Failed> {
        workspace.callers.restart();
        workspace.bound_memory();
        workspace.predictor.ahead = workspace.patience.ahead(input.len());
        workspace.suffixes = None;
        workspace.repetitions.clear();
        workspace.pending.clear();
        let end = parser.inputs().end();
        let network = &self.network;
        Run { network, workspace, input, end, at: 0, precedence: 0, completed, budget }.run()
    }
}

/// A parse under way.
struct Run<'r> {
    network: &'r Network,
    workspace: &'r mut AdaptiveWorkspace,
    input: &'r [InputId],
    end: InputId,
    /// How many tokens were read.
    at: usize,
    /// The precedence at which the rule that is read was called.
    precedence: u32,
    completed: &'r mut Vec<ProductionId>,
    budget: &'r mut Budget,
}

impl Run<'_> {
    fn run(mut self) -> Result<(), Failed> {
        let network = self.network;
        let mut state = NetworkStateId::from_index(0);
        loop {
            state = match network.actions[state] {
                Action::Pass(next) => next,
                Action::Read(terminal, next) => {
                    let symbol = *self.input.get(self.at).ok_or(Failed)?;
                    if !network.reads(terminal, symbol) {
                        return Err(Failed);
                    }
                    self.at += 1;
                    next
                }
                Action::ReadEnd(next) => {
                    if self.at < self.input.len() {
                        return Err(Failed);
                    }
                    network.completions.meet_end(&mut self.workspace.pending, self.completed);
                    next
                }
                Action::Call(rule, precedence, next) => {
                    let call = Call {
                        return_state: next,
                        precedence: std::mem::replace(&mut self.precedence, precedence),
                        context: None,
                        is_in_blocks: false,
                    };
                    self.workspace.callers.calls.push(call);
                    network.rules[rule].start
                }
                Action::Decide(decision) => {
                    let taken = self.decide(decision)?;
                    network.decisions[decision].alternatives[taken as usize]
                }
                Action::Require(precedence, next) => {
                    if precedence < self.precedence {
                        return Err(Failed);
                    }
                    next
                }
                Action::Complete(completion, next) => {
                    self.complete(completion)?;
                    next
                }
                Action::BeginRepetition(next) => {
                    self.workspace.repetitions.push(Iteration::First);
                    next
                }
                Action::CompleteIteration(first, further, next) => {
                    let iteration = self.workspace.repetitions.last_mut();
                    let iteration = iteration.expect("invariant: a repetition is open");
                    let completion = match std::mem::replace(iteration, Iteration::Further) {
                        Iteration::First => first,
                        Iteration::Further => further,
                    };
                    self.complete(completion)?;
                    next
                }
                Action::EndRepetition(next) => {
                    self.workspace.repetitions.pop();
                    next
                }
                Action::Return(_) => match self.workspace.callers.calls.pop() {
                    Some(call) => {
                        self.precedence = call.precedence;
                        call.return_state
                    }
                    None => return self.finish(),
                },
            };
        }
    }

    #[inline]
    fn complete(&mut self, completion: CompletionId) -> Result<(), Failed> {
        let completions = &self.network.completions;
        let pending = &mut self.workspace.pending;
        let production = match pending.has_met_end() {
            false => completions.inner(completion),
            true => completions.complete(pending, completion),
        };
        self.completed.push(production.ok_or(Failed)?);
        Ok(())
    }

    fn decide(&mut self, decision: DecisionId) -> Result<u32, Failed> {
        if self.budget.step() {
            let workspace = &self.workspace;
            let memory = workspace.predictor.memory() + workspace.callers.memory();
            let suffixes = workspace.suffixes.as_ref().map_or(0, Suffixes::memory);
            let memory = memory + suffixes + size_of_val(&self.completed[..]);
            self.budget.check(memory).map_err(|_| Failed)?;
        }
        let of = &self.network.decisions[decision];
        let precedence = if of.uses_precedence { self.precedence } else { 0 };
        let input = &self.input[self.at..];
        let place = DecisionPoint { decision, precedence, input, end: self.end };
        match self.workspace.predictor.predict(self.network, place, self.budget) {
            Ok(Some(alternative)) => Ok(alternative),
            Err(_) => Err(Failed),
            Ok(None) => self.decide_with_callers(place),
        }
    }

    fn decide_with_callers(&mut self, place: DecisionPoint<'_>) -> Result<u32, Failed> {
        self.workspace.bound_memory();
        if self.workspace.suffixes.is_some() {
            return self.decide_by_suffixes(place.decision);
        }
        let AdaptiveWorkspace { predictor, callers, .. } = &mut *self.workspace;
        let context = callers.context(self.network);
        let contexts = &mut callers.contexts;
        let budget = &mut *self.budget;
        match predictor.predict_with_callers(self.network, place, context, contexts, budget) {
            Ok(Some(alternative)) => Ok(alternative),
            Err(_) => Err(Failed),
            Ok(None) => {
                self.read_from_the_end()?;
                self.decide_with_callers(place)
            }
        }
    }

    /// The first alternative that can read the rest of the input.
    fn decide_by_suffixes(&mut self, decision: DecisionId) -> Result<u32, Failed> {
        let AdaptiveWorkspace { callers, suffixes, suffix_plan, .. } = &mut *self.workspace;
        let (Some(suffixes), Some(Some(plan))) = (suffixes, suffix_plan) else {
            unreachable!("invariant: the input was read from its end by a plan");
        };
        callers.tell(self.network, &mut suffixes.blocks);
        let alternatives = &self.network.decisions[decision].alternatives;
        let mut viable = (0..).zip(alternatives).filter(|&(_, &state)| {
            let state = self.network.effective[state];
            let stacks = suffixes.stacks(plan, self.input, self.at, state);
            stacks.is_some_and(|stacks| suffixes.contains(stacks))
        });
        viable.next().map(|(alternative, _)| alternative).ok_or(Failed)
    }

    /// Reads the input from its end, if the grammar allows it.
    fn read_from_the_end(&mut self) -> Result<(), Failed> {
        let AdaptiveWorkspace { predictor, suffixes, suffix_plan, .. } = &mut *self.workspace;
        predictor.ahead.limit = u64::MAX;
        let inputs = self.end.index() + 1;
        let plan = suffix_plan.get_or_insert_with(|| SuffixPlan::new(self.network, inputs));
        if let Some(plan) = plan {
            let made = Suffixes::new(plan, self.network, self.input, self.budget);
            *suffixes = Some(made.map_err(|_| Failed)?);
        }
        Ok(())
    }

    /// Adds the production above the start rule, where there is one.
    fn finish(self) -> Result<(), Failed> {
        let above = self.network.completions.above_start(&self.workspace.pending);
        self.completed.extend(above);
        Ok(())
    }
}

impl AdaptiveWorkspace {
    /// Drops contexts, and what is known about decisions with them, if they have grown too large.
    fn bound_memory(&mut self) {
        if self.callers.contexts.len() > MAX_CONTEXTS
            || self.predictor.with_callers_len() > MAX_WITH_CALLERS
        {
            self.callers.forget();
            self.predictor.forget_callers();
        }
    }
}

impl Callers {
    fn restart(&mut self) {
        self.calls.clear();
    }

    /// Drops all contexts.
    fn forget(&mut self) {
        self.contexts.clear();
        self.epoch += 1;
    }

    /// The bytes that they take.
    fn memory(&self) -> usize {
        self.calls.capacity() * size_of::<Call>() + self.contexts.memory()
    }

    /// Tells the blocks of the stack which calls there are now.
    fn tell(&mut self, network: &Network, blocks: &mut StackBlocks) {
        let known = self.calls.iter().rposition(|call| call.is_in_blocks);
        let known = known.map_or(0, |at| at + 1);
        blocks.truncate(known);
        for call in &mut self.calls[known..] {
            let return_state = network.effective[call.return_state].index();
            blocks.push(u32::try_from(return_state).expect("invariant: states fit"));
            call.is_in_blocks = true;
        }
    }

    /// The calls as a context. What was made for lower calls is used again.
    fn context(&mut self, network: &Network) -> ContextId {
        let is_known = |call: &Call| call.context.is_some_and(|(epoch, _)| epoch == self.epoch);
        let known = self.calls.iter().rposition(is_known);
        let mut context = known
            .and_then(|at| self.calls[at].context)
            .map_or(Contexts::empty(), |(_, context)| context);
        for call in &mut self.calls[known.map_or(0, |at| at + 1)..] {
            let return_state = network.effective[call.return_state].index();
            let return_state = u32::try_from(return_state).expect("invariant: states fit");
            context = self.contexts.push(return_state, context);
            call.context = Some((self.epoch, context));
        }
        context
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use gramercy_base::{Id, Limits};
    use gramercy_formats::{LoadOptions, Memory, load};
    use gramercy_grammar::ProductionId;
    use gramercy_testkit::random::Random;

    use super::{AdaptiveParser, AdaptiveWorkspace, Patience};
    use crate::budget::Budget;
    use crate::parser::Parser;
    use crate::tables::InputId;

    fn parsers(text: &str) -> Option<(Parser, AdaptiveParser)> {
        let files = Memory::with("T.g4", text);
        let grammar = load(Path::new("T.g4"), &files, &LoadOptions::default()).grammar?;
        let bnf = grammar.bnf(&grammar.graph(), &Limits::default()).expect("small");
        let parser = Parser::new(&grammar, &bnf, &Limits::default()).expect("small");
        let adaptive = AdaptiveParser::new(&grammar, &bnf, &parser)?;
        Some((parser, adaptive))
    }

    /// A small grammar without left recursion: every alternative but the empty one begins with a token.
    fn random_grammar(random: &mut Random) -> String {
        let mut text = String::from("grammar T;\ns: t* EOF;\n");
        for rule in ["t", "u", "v"] {
            let mut alternatives: Vec<String> = Vec::new();
            for _ in 0..1 + random.below(3) {
                let mut items = vec![String::from(*random.pick(&["'a'", "'b'"]))];
                for _ in 0..random.below(4) {
                    let symbol = *random.pick(&["t", "u", "v", "'a'", "'b'"]);
                    let suffix = *random.pick(&["", "", "*", "?", "+"]);
                    items.push(format!("{symbol}{suffix}"));
                }
                alternatives.push(items.join(" "));
            }
            text.push_str(&format!("{rule}: {};\n", alternatives.join(" | ")));
        }
        text
    }

    /// The tree of an input, if there is one, and whether the input was read from its end.
    fn read(
        (parser, adaptive): &(Parser, AdaptiveParser),
        workspace: &mut AdaptiveWorkspace,
        input: &[InputId],
    ) -> (Option<Vec<ProductionId>>, bool) {
        let mut productions = Vec::new();
        let budget = &mut Budget::unlimited();
        let read = adaptive.parse(parser, workspace, input, &mut productions, budget);
        (read.is_ok().then_some(productions), workspace.suffixes.is_some())
    }

    /// Compares trees with and without reading from the end on inputs of up to `most` tokens: how many were.
    fn compare(text: &str, most: u32) -> usize {
        let Some(parsers) = parsers(text) else { return 0 };
        let (parser, adaptive) = &parsers;
        let symbols = parser.inputs().len();
        let mut simulating = adaptive.workspace(parser);
        simulating.patience = Patience { per_token: 0, base: u64::MAX };
        let mut backwards = adaptive.workspace(parser);
        backwards.patience = Patience { per_token: 0, base: 0 };
        let mut compared = 0;
        for len in 0..=most {
            for number in 0..symbols.pow(len) {
                let digit = |at| InputId::from_index(number / symbols.pow(at) % symbols);
                let input: Vec<_> = (0..len).map(digit).collect();
                let (expected, _) = read(&parsers, &mut simulating, &input);
                let (found, is_backwards) = read(&parsers, &mut backwards, &input);
                assert_eq!(expected, found, "{text}\n{input:?}");
                compared += usize::from(is_backwards && found.is_some());
            }
        }
        compared
    }

    #[test]
    fn trees_from_the_end_are_those_of_the_simulation() {
        let grammars = [
            "grammar T; s: e* EOF; e: '<' (e* '>')?;",
            "grammar T; s: e*; e: '<' ('x'? (e 'x'?)* '>')? | 'x';",
            "grammar T; s: (a | b)* EOF; a: '<' a '>' | '<' b '>'; b: '<' b '>' | '<' '>';",
            "grammar T; s: e*? EOF; e: '<' (e*? '>')??;",
        ];
        for text in grammars {
            assert!(compare(text, 8) > 0, "{text}: nothing was read from its end");
        }
    }

    #[test]
    fn trees_from_the_end_on_random_grammars() {
        let grammars = (0..200).map(|seed| random_grammar(&mut Random(seed)));
        let compared: Vec<_> =
            grammars.map(|text| compare(&text, 7)).filter(|&it| it > 0).collect();
        assert!(compared.len() > 10, "only {} grammars were compared", compared.len());
    }
}
