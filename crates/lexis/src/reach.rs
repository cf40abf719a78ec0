//! Which modes a lexer can come to, and with which token begun, from a given stack of modes.
//!
//! The stack can grow without bound, so this is reachability in a pushdown system. What lies below
//! the current mode is abstracted to a *frame*: the mode in which `pushMode` was done and the mode it
//! entered. What happens above a frame depends on nothing else, so returning to any of the frames
//! that pushed there is exact (Bouajjani, Esparza and Maler's saturation, 1997, for this small case).
//!
//! Not promised: that lexemes of the matches involved can stand next to each other. Cost: modes
//! times frames times outcomes; frames are at most the square of the modes, plus the given stack.

use gramercy_base::{Id, IndexSet, Map, Table};
use gramercy_grammar::{ChannelId, ModeId};

use crate::dfa::OutcomeId;
use crate::effect::{Effect, Emission, ModeChange};

/// Whether a token was begun by a match that was kept by `more`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Begun {
    Nothing,
    /// With the channel that was named by then.
    Token(Option<ChannelId>),
}

impl Begun {
    /// The channel that was named by the matches kept so far.
    pub(crate) fn channel(self) -> Option<ChannelId> {
        match self {
            Begun::Nothing => None,
            Begun::Token(channel) => channel,
        }
    }

    /// What is begun after one more match.
    pub(crate) fn after(self, effect: &Effect) -> Self {
        match effect.emission {
            Emission::More => Begun::Token(effect.channel_after(self.channel())),
            Emission::Token(_) | Emission::Skip => Begun::Nothing,
        }
    }
}

/// What lies below the current mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Frame {
    /// So much of the given stack; at 0 nothing can be popped.
    Given(usize),
    /// Something on which one mode was pushed while another was current.
    Pushed { below: ModeId, entered: ModeId },
}

/// A lexer between two matches, or between two mode changes of one match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    mode: ModeId,
    frame: Frame,
    begun: Begun,
    /// The outcome whose mode changes are under way, and the next of these.
    changing: Option<(OutcomeId, usize)>,
}

/// What may be matched in each mode.
pub(crate) type Possible<'d> = Table<ModeId, Vec<(OutcomeId, &'d Effect)>>;

/// All modes that can be current between two matches, each with what is begun then. `follow` says
/// which outcomes take part.
pub(crate) fn reach(
    stack: &[ModeId],
    possible: &Possible<'_>,
    follow: impl Fn(&Effect, Begun) -> bool,
) -> IndexSet<(ModeId, Begun)> {
    let effects = possible.values().flatten().copied().collect();
    let (seen, parents, pops) = (IndexSet::default(), Map::default(), Map::default());
    let mut search = Search { stack, effects, seen, parents, pops };
    let depth = stack.len() - 1;
    search.seen.insert(Node {
        mode: stack[depth],
        frame: Frame::Given(depth),
        begun: Begun::Nothing,
        changing: None,
    });
    let mut at = 0;
    while let Some(&node) = search.seen.get_index(at) {
        at += 1;
        match node.changing {
            Some((outcome, change)) => search.change(node, outcome, change),
            None => {
                for &(outcome, effect) in &possible[node.mode] {
                    if follow(effect, node.begun) {
                        let begun = node.begun.after(effect);
                        search.seen.insert(Node { begun, changing: Some((outcome, 0)), ..node });
                    }
                }
            }
        }
    }
    let ready = search.seen.iter().filter(|node| node.changing.is_none());
    ready.map(|node| (node.mode, node.begun)).collect()
}

struct Search<'s> {
    stack: &'s [ModeId],
    effects: Map<OutcomeId, &'s Effect>,
    seen: IndexSet<Node>,
    /// On what a frame was pushed.
    parents: Map<Frame, IndexSet<Frame>>,
    /// How a frame is left: the node that goes on in the mode below, but for its frame.
    pops: Map<Frame, IndexSet<Node>>,
}

impl Search<'_> {
    fn change(&mut self, node: Node, outcome: OutcomeId, change: usize) {
        let changing = Some((outcome, change + 1));
        match self.effects[&outcome].mode_changes.get(change) {
            None => _ = self.seen.insert(Node { changing: None, ..node }),
            Some(&ModeChange::Set(mode)) => {
                self.seen.insert(Node { mode, changing, ..node });
            }
            Some(&ModeChange::Push(entered)) => {
                let frame = Frame::Pushed { below: node.mode, entered };
                self.seen.insert(Node { mode: entered, frame, changing, ..node });
                if self.parents.entry(frame).or_default().insert(node.frame) {
                    let pops = self.pops.get(&frame).into_iter().flatten();
                    self.seen.extend(pops.map(|&back| Node { frame: node.frame, ..back }));
                }
            }
            Some(ModeChange::Pop) => self.pop(Node { changing, ..node }),
        }
    }

    fn pop(&mut self, node: Node) {
        match node.frame {
            Frame::Given(0) => {}
            Frame::Given(depth) => {
                let (mode, frame) = (self.stack[depth - 1], Frame::Given(depth - 1));
                self.seen.insert(Node { mode, frame, ..node });
            }
            Frame::Pushed { below, .. } => {
                let back = Node { mode: below, ..node };
                self.pops.entry(node.frame).or_default().insert(back);
                let parents = self.parents.get(&node.frame).into_iter().flatten();
                self.seen.extend(parents.map(|&frame| Node { frame, ..back }));
            }
        }
    }
}

/// The stack with which a lexer begins.
pub(crate) fn initial_stack() -> [ModeId; 1] {
    [ModeId::from_index(0)]
}

#[cfg(test)]
mod tests {
    use super::{Begun, Possible, reach};
    use crate::dfa::OutcomeId;
    use crate::effect::Effect;
    use gramercy_base::{Id, Table};
    use gramercy_grammar::{Command, ModeId, TerminalId};

    fn mode(index: usize) -> ModeId {
        ModeId::from_index(index)
    }

    /// Compares the modes that are reached from a stack; per mode, a list of commands per outcome.
    fn check(stack: &[usize], modes: &[&[&[Command]]], expected: &[usize]) {
        let token = TerminalId::from_index(0);
        let effect = |commands: &&[Command]| Effect::new(token, commands.iter().copied());
        let effects: Vec<Vec<Effect>> =
            modes.iter().map(|outcomes| outcomes.iter().map(effect).collect()).collect();
        let mut next = 0..;
        let mut with_id = |effect| (OutcomeId::from_index(next.next().unwrap_or(0)), effect);
        let possible: Possible<'_> = effects
            .iter()
            .map(|of_mode| of_mode.iter().map(&mut with_id).collect())
            .collect::<Table<_, _>>();
        let stack: Vec<_> = stack.iter().map(|&index| mode(index)).collect();
        let mut found: Vec<_> = reach(&stack, &possible, |_, _| true)
            .iter()
            .filter(|(_, begun)| *begun == Begun::Nothing)
            .map(|(mode, _)| mode.index())
            .collect();
        found.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn modes_are_set_pushed_and_popped() {
        let (set, push) = (Command::Mode, Command::PushMode);
        check(&[0], &[&[&[set(mode(1))]], &[]], &[0, 1]);
        check(&[0], &[&[&[push(mode(1))]], &[&[set(mode(2))]], &[&[Command::PopMode]]], &[0, 1, 2]);
        check(&[0], &[&[&[Command::PopMode, set(mode(1))]], &[]], &[0]);
        check(&[1, 0], &[&[&[Command::PopMode]], &[]], &[0, 1]);
    }

    #[test]
    fn returning_leads_only_to_where_the_mode_was_pushed() {
        let (set, push) = (Command::Mode, Command::PushMode);
        // Mode 3 is entered from 1 and 2, left from 3 only when it was entered from 2 through 4.
        let modes: &[&[&[Command]]] = &[
            &[&[push(mode(1))]],
            &[&[push(mode(3))]],
            &[&[set(mode(5))]],
            &[&[Command::PopMode]],
            &[],
            &[],
        ];
        check(&[0], modes, &[0, 1, 3]);
    }

    #[test]
    fn several_changes_of_one_match_happen_in_order() {
        let push = Command::PushMode;
        check(&[0], &[&[&[push(mode(1)), push(mode(2))]], &[], &[&[Command::PopMode]]], &[0, 1, 2]);
        check(&[0], &[&[&[push(mode(1)), Command::PopMode]], &[]], &[0]);
    }
}
