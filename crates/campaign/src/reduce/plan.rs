//! All edits of a document that are worth a try, and the choice of the next one.
//!
//! Edits are data: what they remove, what they put in its place, and how many bytes they gain. Edits of a *group* can
//! be made together, any set of them: the elements of a list, links of a chain of nested subtrees. Of everything, the
//! edit with the greatest expected gain is next: its gain times the probability that it succeeds. For a group the best
//! set is found greedily, by cost per byte. Single edits are sorted by gain, so the choice looks only at those that
//! could be the best: it is linear at worst, and mostly much faster.

use std::ops::Range;
use std::sync::Arc;

use gramercy_base::to_u32;
use gramercy_grammar::ProductionId;

use super::belief::Belief;

/// What an edit does with the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Of some leaves, only others among them stay.
    Keep {
        /// The leaves.
        outer: Range<u32>,
        /// Those that stay.
        inner: Range<u32>,
    },
    /// Leaves become the cheapest yield with a production at its root.
    Cheapest(Range<u32>, ProductionId),
    /// Leaves become copies of others.
    Copy(Range<u32>, Range<u32>),
    /// Several ranges of leaves are removed.
    Remove(Arc<[Range<u32>]>),
    /// Leaves get another text.
    Rename(Arc<[u32]>, Arc<str>),
    /// Bytes are removed.
    Bytes(Range<u32>),
    /// The gap before a leaf becomes as short as it can be.
    Gap(u32),
    /// All gaps do.
    AllGaps,
    /// What follows the last leaf is removed.
    Tail,
}

impl Change {
    /// The units that are removed, or at stake.
    pub(super) fn units(&self) -> Vec<Range<u32>> {
        match self {
            Self::Keep { outer, inner } if inner.is_empty() => vec![outer.clone()],
            Self::Keep { outer, inner } => vec![outer.start..inner.start, inner.end..outer.end],
            Self::Cheapest(leaves, _) | Self::Copy(leaves, _) => vec![leaves.clone()],
            Self::Remove(ranges) => ranges.to_vec(),
            Self::Rename(leaves, _) => leaves.iter().map(|&leaf| leaf..leaf + 1).collect(),
            Self::Bytes(bytes) => vec![bytes.clone()],
            Self::Gap(leaf) => vec![Range { start: *leaf, end: leaf + 1 }],
            Self::AllGaps | Self::Tail => Vec::new(),
        }
    }

    fn cost(&self, belief: &Belief) -> f64 {
        match self {
            Self::Keep { outer, inner } if inner.is_empty() => belief.cost(outer),
            Self::Keep { outer, inner } => belief.cost(outer) - belief.cost(inner),
            Self::Cheapest(leaves, _) | Self::Copy(leaves, _) | Self::Bytes(leaves) => {
                belief.cost(leaves)
            }
            Self::Remove(ranges) => ranges.iter().map(|range| belief.cost(range)).sum(),
            Self::Rename(leaves, _) => leaves.iter().map(|&leaf| belief.of(leaf as usize)).sum(),
            Self::Gap(leaf) => belief.of(*leaf as usize),
            Self::AllGaps | Self::Tail => 0.0,
        }
    }
}

/// An edit.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) change: Change,
    /// The bytes by which the text becomes shorter, about.
    pub(super) gain: u32,
    /// Factor on the probability of success, as a cost.
    pub(super) doubt: f32,
}

impl Edit {
    pub(super) fn new(change: Change, gain: usize) -> Self {
        Self { change, gain: to_u32(gain), doubt: 0.0 }
    }

    /// The same, less likely to succeed.
    pub(super) fn doubted(self, doubt: f32) -> Self {
        Self { doubt, ..self }
    }
}

/// The edits of one document.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Groups of edits that can be made together, the largest gain first.
    groups: Vec<Vec<Edit>>,
    /// Other edits, the largest gain first.
    singles: Vec<Edit>,
}

/// Which edits of a plan were tried.
#[derive(Clone, Debug, Default)]
pub(super) struct Tried {
    groups: Vec<Vec<bool>>,
    singles: Vec<bool>,
}

/// Which edit comes next.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    at: At,
    /// The estimated probability of success.
    pub(super) chance: f64,
}

#[derive(Clone, Debug, PartialEq)]
enum At {
    Single(usize),
    Group(usize, Vec<usize>),
}

impl Plan {
    pub(super) fn new(mut groups: Vec<Vec<Edit>>, mut singles: Vec<Edit>) -> Self {
        for group in &mut groups {
            if let [_] = group[..] {
                singles.append(group);
            }
        }
        groups.retain(|group| !group.is_empty());
        groups.sort_by_key(|group| std::cmp::Reverse(total(group)));
        singles.retain(|edit| edit.gain > 0);
        singles.sort_by_key(|edit| std::cmp::Reverse(edit.gain));
        Self { groups, singles }
    }

    pub(super) fn untried(&self) -> Tried {
        Tried {
            groups: self.groups.iter().map(|group| vec![false; group.len()]).collect(),
            singles: vec![false; self.singles.len()],
        }
    }

    /// The edit with the greatest expected gain among those that were not tried.
    pub(super) fn choose(&self, belief: &Belief, tried: &Tried) -> Option<Choice> {
        let mut best: Option<(f64, Choice)> = None;
        let beats = |best: &Option<(f64, Choice)>, score: f64| {
            best.as_ref().is_none_or(|(known, _)| score > *known)
        };
        for (number, edit) in self.singles.iter().enumerate() {
            let most = f64::from(edit.gain).ln();
            if !beats(&best, most) {
                break;
            }
            if tried.singles[number] {
                continue;
            }
            let cost = edit.change.cost(belief) + f64::from(edit.doubt);
            if beats(&best, most - cost) {
                let choice = Choice { at: At::Single(number), chance: (-cost).exp() };
                best = Some((most - cost, choice));
            }
        }
        for (number, group) in self.groups.iter().enumerate() {
            if !beats(&best, to_f64(total(group)).ln()) {
                break;
            }
            let Some((score, items, cost)) = best_set(group, belief, &tried.groups[number]) else {
                continue;
            };
            if beats(&best, score) {
                let choice = Choice { at: At::Group(number, items), chance: (-cost).exp() };
                best = Some((score, choice));
            }
        }
        best.map(|(_, choice)| choice)
    }

    /// The edits that were chosen.
    pub(super) fn edits(&self, choice: &Choice) -> Vec<&Edit> {
        match &choice.at {
            At::Single(number) => vec![&self.singles[*number]],
            At::Group(group, items) => {
                items.iter().map(|&item| &self.groups[*group][item]).collect()
            }
        }
    }

    /// Whether one edit was chosen alone.
    pub(super) fn is_alone(choice: &Choice) -> bool {
        match &choice.at {
            At::Single(_) => true,
            At::Group(_, items) => items.len() == 1,
        }
    }

    /// Notes that an edit was tried alone. A set of several edits is not noted: what it showed is in the belief.
    pub(super) fn mark(choice: &Choice, tried: &mut Tried) {
        match &choice.at {
            At::Single(number) => tried.singles[*number] = true,
            At::Group(group, items) => {
                if let [item] = items[..] {
                    tried.groups[*group][item] = true;
                }
            }
        }
    }

    /// Notes that a set of edits leads to no text: from now on, edits of its group are tried alone.
    pub(super) fn split(&self, choice: &Choice, belief: &mut Belief) {
        let units: Vec<Range<u32>> =
            self.edits(choice).iter().flat_map(|edit| edit.change.units()).collect();
        belief.fail(&units);
    }
}

fn total(group: &[Edit]) -> u64 {
    group.iter().map(|edit| u64::from(edit.gain)).sum()
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn to_f64(number: u64) -> f64 {
    number as f64
}

/// The set of untried edits with the greatest expected gain: its score, its members in order, and its cost.
fn best_set(group: &[Edit], belief: &Belief, tried: &[bool]) -> Option<(f64, Vec<usize>, f64)> {
    let mut open: Vec<(usize, f64, f64)> = group
        .iter()
        .enumerate()
        .filter(|(item, edit)| !tried[*item] && edit.gain > 0)
        .map(|(item, edit)| (item, edit.change.cost(belief), f64::from(edit.gain)))
        .collect();
    // Of equal ones the last first: what comes later depends more often on what comes before than the other way round.
    open.sort_by(|a, b| (a.1 * b.2).total_cmp(&(b.1 * a.2)).then(b.0.cmp(&a.0)));
    let (mut gain, mut cost) = (0.0, 0.0);
    let mut best: Option<(f64, usize, f64)> = None;
    for (len, &(_, item_cost, item_gain)) in (1..).zip(&open) {
        gain += item_gain;
        cost += item_cost;
        let score = gain.ln() - cost;
        if best.is_none_or(|(known, ..)| score > known) {
            best = Some((score, len, cost));
        }
    }
    let (score, len, cost) = best?;
    let mut items: Vec<usize> = open[..len].iter().map(|&(item, ..)| item).collect();
    items.sort_unstable();
    Some((score, items, cost))
}
