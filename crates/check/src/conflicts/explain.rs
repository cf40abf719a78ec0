//! Explains one cause of conflicts by an example: a sentence with two readings, or else a beginning
//! with two ways to go on.

use gramercy_base::Map;
use gramercy_grammar::{Bnf, NonterminalId, TerminalId};
use gramercy_lr::{ItemId, LabelId, StateId};

use super::backward::{Backward, ConfigId, Found, Side, have_met, is_whole};
use super::beginnings::{Before, Beginnings};
use super::causes::{Cause, Cell, Rival};
use super::forward::Forward;
use super::machine::Machine;
use super::prove::Prover;
use super::reading::{Event, Open, with_common_end, with_token};
use super::reduced::Reduced;
use super::sentence::{Sentence, sentence};
use super::work::Work;

/// How often configurations that are alike are followed from a conflict.
const VISITS: u32 = 2;
/// The part of the work that goes into one search for a common end.
const PART_FOR_END: usize = 4;
/// The most cells of a cause that are tried.
const CELLS: usize = 4;

/// Why there is a conflict.
pub(crate) enum Explanation {
    /// A sentence has two readings.
    Ambiguity(Ambiguity),
    /// A beginning can go on in two ways.
    TwoWays(TwoWays),
    /// The actions never compete: LALR(1) merged the look-aheads of different beginnings.
    Merged,
    /// Nothing was found within the work.
    Unknown,
}

impl Explanation {
    /// Whether more work would find nothing better.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, Explanation::Ambiguity(_) | Explanation::Merged)
    }

    /// What says most comes first.
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
    /// The nonterminal whose readings they are; `None` is that of all sentences.
    pub(crate) of: Option<NonterminalId>,
    /// First that of the reduction, then that of its rival.
    pub(crate) readings: [Vec<Event>; 2],
    pub(crate) sentence: Sentence,
}

/// Two sentences with a common beginning.
pub(crate) struct TwoWays {
    /// The readings of what first has two.
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

/// What is being explained.
#[derive(Clone, Copy)]
struct Task {
    state: StateId,
    items: [ItemId; 2],
    next: LabelId,
    /// The token, unless it is the end of input.
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

    /// Explains a cause with at most so much work.
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

    fn tasks(&self, cause: &Cause) -> Vec<Task> {
        let items = self.machine.automaton.items();
        let complete = |production| {
            let len = self.machine.cfg.rhs(production).len();
            (0..len).fold(items.first(production), |item, _| items.advance(item))
        };
        let task = |&Cell { state, next }: &Cell| {
            let rivals = match &cause.rival {
                Rival::Shift(items) => items.clone(),
                Rival::Reduce(production) => vec![complete(*production)],
            };
            let shifts = matches!(cause.rival, Rival::Shift(_));
            let label = self.machine.automaton.labels().input(next);
            let terminal = next.terminal(self.machine.cfg);
            let reduction = complete(cause.reduction);
            rivals.into_iter().map(move |rival| Task {
                state,
                items: [reduction, rival],
                next: label,
                terminal,
                shifts,
            })
        };
        cause.cells.iter().take(CELLS).flat_map(task).collect()
    }

    fn explain_task(&mut self, task: Task, work: &mut Work) -> Explanation {
        self.prepare(task);
        let sides = [
            Side { item: task.items[0], waits: true },
            Side { item: task.items[1], waits: !task.shifts },
        ];
        let mut search = Backward::new(self.machine, task.state, sides, task.next, VISITS);
        let (mut contexts, mut two_ways) = (Contexts::default(), None);
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

    fn prepare(&mut self, task: Task) {
        if let Some(terminal) = task.terminal {
            for before in [Before::Empty, Before::Nothing] {
                self.beginnings
                    .entry((terminal, before))
                    .or_insert_with(|| Beginnings::of(self.machine, terminal, before));
            }
        }
    }

    fn beginnings(&self, task: Task, before: Before) -> Option<&Beginnings> {
        task.terminal.map(|terminal| &self.beginnings[&(terminal, before)])
    }

    /// How the conflict's token begins what a side goes on with.
    fn before(task: Task, side: usize) -> Before {
        if task.shifts && side == 1 { Before::Nothing } else { Before::Empty }
    }

    fn ambiguity(
        &mut self,
        meeting: &Meeting,
        task: Task,
        contexts: &mut Contexts,
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

    fn with_token(&self, reading: &[Event], task: Task, before: Before) -> Vec<Event> {
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
        task: Task,
        contexts: &mut Contexts,
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
        debug_assert!(proved, "invariant: both ways to go on lead to sentences");
        proved.then_some(TwoWays { readings, sentences })
    }
}

/// The shortest sentences around what two sides derive, each searched for once.
#[derive(Default)]
struct Contexts {
    known: Map<(StateId, Option<NonterminalId>, bool), Result<Open, NoContext>>,
}

/// Why there is no sentence around something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NoContext {
    /// The conflict's token cannot follow there.
    Never,
    /// The work was used up.
    NotFound,
}

impl Contexts {
    fn around(
        &mut self,
        machine: &Machine<'_>,
        meeting: &Meeting,
        task: Task,
        work: &mut Work,
    ) -> Option<Open> {
        let waits = meeting.waits.contains(&true);
        let key = (meeting.state, meeting.of, waits);
        let known = self.known.entry(key).or_insert_with(|| {
            let sides = [Side { item: meeting.item, waits }];
            let mut search = Backward::new(machine, meeting.state, sides, task.next, 1);
            match search.find(work, is_whole) {
                Found::Nothing => Err(NoContext::Never),
                Found::OutOfWork => Err(NoContext::NotFound),
                Found::Config(id) => {
                    let path = search.inward(id);
                    let mut context = Open::along(machine, &path, 0, task.next);
                    // The innermost production is the sides' own.
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

    /// Whether none of the contexts that were asked for can exist.
    fn none_exists(&self) -> bool {
        self.known.values().all(|known| matches!(known, Err(NoContext::Never)))
    }
}

/// Where two sides met.
struct Meeting {
    state: StateId,
    /// The nonterminal that both derive.
    of: Option<NonterminalId>,
    /// An item at the left end of one of its productions.
    item: ItemId,
    waits: [bool; 2],
    open: [Open; 2],
}

impl Meeting {
    fn new(machine: &Machine<'_>, search: &Backward<'_, 2>, id: ConfigId, task: Task) -> Self {
        let config = search.config(id);
        let path = search.inward(id);
        let conflict = path[path.len() - 1];
        let open = [0, 1].map(|side| {
            Open::along(machine, &path, side, task.next).with_rest_of(machine, conflict.sides[side])
        });
        let item = config.sides[0].item;
        let waits = config.sides.map(|side| side.waits);
        Self { state: config.state, of: machine.lhs(item), item, waits, open }
    }
}
