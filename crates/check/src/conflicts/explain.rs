//! Explains a cause of conflicts by an example: a sentence with two readings, or a beginning with
//! two continuations.

use gramercy_base::Map;
use gramercy_grammar::{Bnf, NonterminalId, TerminalId};
use gramercy_lr::{ItemId, LabelId, StateId};

use super::backward::{Backward, ConfigId, Found, SearchSide, have_met, is_whole};
use super::beginnings::{Before, Beginnings};
use super::causes::{Cause, ConflictCell, Rival};
use super::forward::Forward;
use super::machine::Machine;
use super::prove::Prover;
use super::reading::{Event, OpenReading, with_common_end, with_token};
use super::reduced::Reduced;
use super::sentence::{Sentence, sentence};
use super::work::Work;

/// How often configurations with the same key are followed from a conflict.
const VISITS: u32 = 2;
/// The fraction of the budget for one search for a common end, as a divisor.
const PART_FOR_END: usize = 4;
/// The maximal number of cells of a cause that are tried.
const CELLS: usize = 4;

/// The explanation of a conflict.
pub(crate) enum Explanation {
    /// A sentence has two readings.
    Ambiguity(Ambiguity),
    /// A beginning has two continuations.
    TwoWays(TwoWays),
    /// The actions never compete: LALR(1) merged the lookaheads of different beginnings.
    Merged,
    /// The budget is too small to find an example.
    Unknown,
}

impl Explanation {
    /// Whether more work cannot improve the explanation.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, Explanation::Ambiguity(_) | Explanation::Merged)
    }

    /// The more informative an explanation, the lower its rank.
    pub(crate) fn rank(&self) -> usize {
        match self {
            Explanation::Ambiguity(_) => 0,
            Explanation::TwoWays(_) => 1,
            Explanation::Merged => 2,
            Explanation::Unknown => 3,
        }
    }
}

/// A sentence with two readings.
pub(crate) struct Ambiguity {
    /// The nonterminal with two readings; `None` is the start symbol of S' → S `$`.
    pub(crate) of: Option<NonterminalId>,
    /// First the reading with the reduction, then that with its rival.
    pub(crate) readings: [Vec<Event>; 2],
    pub(crate) sentence: Sentence,
}

/// Two sentences with a common beginning.
pub(crate) struct TwoWays {
    /// The readings of the nonterminal in which both differ first.
    pub(crate) readings: [Vec<Event>; 2],
    pub(crate) sentences: [Sentence; 2],
}

/// Explains causes.
pub(crate) struct Explainer<'a> {
    pub(crate) machine: &'a Machine<'a>,
    pub(crate) reduced: &'a Reduced,
    pub(crate) bnf: &'a Bnf,
    pub(crate) prover: Prover<'a>,
    beginnings: Map<(TerminalId, Before), Beginnings>,
}

/// A conflict to explain.
#[derive(Clone, Copy)]
struct ConflictTask {
    state: StateId,
    items: [ItemId; 2],
    next: LabelId,
    /// The token; `None` is the end of input.
    terminal: Option<TerminalId>,
    /// Whether the rival shifts.
    shifts: bool,
}

impl<'a> Explainer<'a> {
    pub(crate) fn new(
        machine: &'a Machine<'a>,
        reduced: &'a Reduced,
        bnf: &'a Bnf,
        prover: Prover<'a>,
    ) -> Self {
        Self { machine, reduced, bnf, prover, beginnings: Map::default() }
    }

    /// Explains a cause within a budget.
    pub(crate) fn explain(&mut self, cause: &Cause, work: &mut Work) -> Explanation {
        let tasks = self.tasks(cause);
        let mut fallback = None;
        let mut all_merged = cause.cells.len() <= CELLS;
        for task in tasks {
            match self.explain_task(task, work) {
                Explanation::Ambiguity(found) => return Explanation::Ambiguity(found),
                Explanation::TwoWays(found) => {
                    all_merged = false;
                    fallback.get_or_insert(found);
                }
                Explanation::Merged => {}
                Explanation::Unknown => all_merged = false,
            }
        }
        match fallback {
            Some(found) => Explanation::TwoWays(found),
            None if all_merged => Explanation::Merged,
            None => Explanation::Unknown,
        }
    }

    fn tasks(&self, cause: &Cause) -> Vec<ConflictTask> {
        let items = self.machine.automaton.items();
        let complete = |production| {
            let len = self.machine.cfg.rhs(production).len();
            (0..len).fold(items.first(production), |item, _| items.advance(item))
        };
        let task = |&ConflictCell { state, next }: &ConflictCell| {
            let rivals = match &cause.rival {
                Rival::Shift(items) => items.clone(),
                Rival::Reduce(production) => vec![complete(*production)],
            };
            let shifts = matches!(cause.rival, Rival::Shift(_));
            let label = self.machine.automaton.labels().input(next);
            let terminal = next.terminal(self.machine.cfg);
            let reduction = complete(cause.reduction);
            rivals.into_iter().map(move |rival| ConflictTask {
                state,
                items: [reduction, rival],
                next: label,
                terminal,
                shifts,
            })
        };
        cause.cells.iter().take(CELLS).flat_map(task).collect()
    }

    fn explain_task(&mut self, task: ConflictTask, work: &mut Work) -> Explanation {
        self.prepare(task);
        let sides = [
            SearchSide { item: task.items[0], waits: true },
            SearchSide { item: task.items[1], waits: !task.shifts },
        ];
        let mut search = Backward::new(self.machine, task.state, sides, task.next, VISITS);
        let (mut contexts, mut two_ways) = (SentenceContexts::default(), None);
        let found_all = loop {
            match search.find(work, have_met) {
                Found::Config(id) => {
                    let meeting = Meeting::new(self.machine, &search, id, task);
                    if two_ways.is_none() {
                        two_ways = self.two_ways(&meeting, task, &mut contexts, work);
                    }
                    if let Some(found) = self.ambiguity(&meeting, task, &mut contexts, work) {
                        return Explanation::Ambiguity(found);
                    }
                }
                Found::Nothing => break true,
                Found::OutOfWork => break false,
            }
        };
        match two_ways {
            Some(found) => Explanation::TwoWays(found),
            None if found_all && contexts.none_exists() => Explanation::Merged,
            None => Explanation::Unknown,
        }
    }

    fn prepare(&mut self, task: ConflictTask) {
        if let Some(terminal) = task.terminal {
            for before in [Before::Empty, Before::Nothing] {
                self.beginnings
                    .entry((terminal, before))
                    .or_insert_with(|| Beginnings::of(self.machine, terminal, before));
            }
        }
    }

    fn beginnings(&self, task: ConflictTask, before: Before) -> Option<&Beginnings> {
        task.terminal.map(|terminal| &self.beginnings[&(terminal, before)])
    }

    /// How the conflict's token begins the rest of a side.
    fn before(task: ConflictTask, side: usize) -> Before {
        if task.shifts && side == 1 { Before::Nothing } else { Before::Empty }
    }

    fn ambiguity(
        &mut self,
        meeting: &Meeting,
        task: ConflictTask,
        contexts: &mut SentenceContexts,
        work: &mut Work,
    ) -> Option<Ambiguity> {
        let [one, other] = &meeting.open;
        let readings = match meeting.waits {
            [true, true] => [one.closed(), other.closed()],
            [false, false] => {
                let shifting = self.beginnings(task, Before::Nothing).filter(|_| task.shifts);
                let forward = Forward::new(self.machine, task.next, shifting);
                let lists = [&one.labels()[..], &other.labels()];
                let moves = work.lend_part(PART_FOR_END, |work| forward.common_end(lists, work))?;
                with_common_end(self.machine, &meeting.open, &moves)
            }
            _ => return None,
        };
        let context = contexts.around(self.machine, meeting, task, work)?;
        let before = Self::before(task, 1);
        let readings = readings.map(|reading| self.with_token(&reading, task, before));
        let behind = self.with_token(&context.behind, task, before);
        let [Some(one), Some(other)] =
            [0, 1].map(|side| self.sentence(&context.before, &readings[side], &behind))
        else {
            return None;
        };
        let proved = one.tree != other.tree && self.prover.holds(&[&one, &other])?;
        debug_assert!(proved, "invariant: both readings are of the sentence");
        let of = meeting.of;
        proved.then_some(Ambiguity { of, readings, sentence: one })
    }

    fn with_token(&self, reading: &[Event], task: ConflictTask, before: Before) -> Vec<Event> {
        with_token(self.machine, reading, self.beginnings(task, before))
    }

    /// The sentence of a reading in its context.
    fn sentence(&self, before: &[Event], reading: &[Event], behind: &[Event]) -> Option<Sentence> {
        let whole = [before, reading, behind].concat();
        sentence(self.machine, self.reduced, self.bnf, &whole)
    }

    fn two_ways(
        &mut self,
        meeting: &Meeting,
        task: ConflictTask,
        contexts: &mut SentenceContexts,
        work: &mut Work,
    ) -> Option<TwoWays> {
        let context = contexts.around(self.machine, meeting, task, work)?;
        let readings = [0, 1].map(|side| {
            self.with_token(&meeting.open[side].closed(), task, Self::before(task, side))
        });
        let [one, other] = [0, 1].map(|side| {
            let context = match meeting.waits[side] {
                true => context.clone(),
                false => context.clone().indifferent(),
            };
            let behind = self.with_token(&context.behind, task, Before::Empty);
            self.sentence(&context.before, &readings[side], &behind)
        });
        let sentences = [one?, other?];
        let [one, other] = &sentences;
        let proved = self.prover.holds(&[one])? && self.prover.holds(&[other])?;
        debug_assert!(proved, "invariant: both continuations lead to sentences");
        proved.then_some(TwoWays { readings, sentences })
    }
}

/// The shortest sentences around the results of two sides, each computed once.
#[derive(Default)]
struct SentenceContexts {
    known: Map<(StateId, Option<NonterminalId>, bool), Result<OpenReading, NoContext>>,
}

/// Why there is no sentence around a configuration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NoContext {
    /// The conflict's token cannot follow there.
    Never,
    /// The budget is exhausted.
    NotFound,
}

impl SentenceContexts {
    fn around(
        &mut self,
        machine: &Machine<'_>,
        meeting: &Meeting,
        task: ConflictTask,
        work: &mut Work,
    ) -> Option<OpenReading> {
        let waits = meeting.waits.contains(&true);
        let key = (meeting.state, meeting.of, waits);
        let known = self.known.entry(key).or_insert_with(|| {
            let sides = [SearchSide { item: meeting.item, waits }];
            let mut search = Backward::new(machine, meeting.state, sides, task.next, 1);
            match search.find(work, is_whole) {
                Found::Nothing => Err(NoContext::Never),
                Found::OutOfWork => Err(NoContext::NotFound),
                Found::Config(id) => {
                    let path = search.inward(id);
                    let mut context = OpenReading::along(machine, &path, 0, task.next);
                    // The innermost production belongs to the sides themselves.
                    if path.len() > 1 {
                        context.before.pop();
                        context.behind.remove(0);
                    }
                    Ok(context)
                }
            }
        });
        known.as_ref().ok().cloned()
    }

    /// Whether all requested contexts are impossible.
    fn none_exists(&self) -> bool {
        self.known.values().all(|known| matches!(known, Err(NoContext::Never)))
    }
}

/// A configuration in which two sides meet.
struct Meeting {
    state: StateId,
    /// The nonterminal that both sides derive.
    of: Option<NonterminalId>,
    /// An item at the left end of one of its productions.
    item: ItemId,
    waits: [bool; 2],
    open: [OpenReading; 2],
}

impl Meeting {
    fn new(
        machine: &Machine<'_>,
        search: &Backward<'_, 2>,
        id: ConfigId,
        task: ConflictTask,
    ) -> Self {
        let config = search.config(id);
        let path = search.inward(id);
        let conflict = path[path.len() - 1];
        let open = [0, 1].map(|side| {
            OpenReading::along(machine, &path, side, task.next)
                .with_rest_of(machine, conflict.sides[side])
        });
        let item = config.sides[0].item;
        let waits = config.sides.map(|side| side.waits);
        Self { state: config.state, of: machine.lhs(item), item, waits, open }
    }
}
