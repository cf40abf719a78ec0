//! Sets of configurations: where each alternative of a decision can be in the network.

use gramercy_base::Map;

use super::network::NetworkStateId;
use crate::contexts::{ContextId, Contexts};

/// A state of the network that an alternative of a decision can be in, with the stacks it can have there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Config {
    pub(super) state: NetworkStateId,
    /// The alternative, from 0.
    pub(super) alternative: u32,
    pub(super) context: ContextId,
    /// Whether the precedence filter keeps it: it left a left-recursive rule that was called at precedence 0.
    pub(super) is_unfiltered: bool,
}

/// Configurations; those of one state and alternative share one entry with all their stacks.
#[derive(Clone, Debug, Default)]
pub(super) struct ConfigSet {
    configs: Vec<Config>,
    places: Map<(NetworkStateId, u32), u32>,
}

impl ConfigSet {
    pub(super) fn clear(&mut self) {
        self.configs.clear();
        self.places.clear();
    }

    pub(super) fn as_slice(&self) -> &[Config] {
        &self.configs
    }

    pub(super) fn is_empty(&self) -> bool {
        self.configs.is_empty()
    }

    pub(super) fn add(&mut self, config: Config, contexts: &mut Contexts) {
        let place = u32::try_from(self.configs.len()).expect("invariant: configurations fit");
        let known = *self.places.entry((config.state, config.alternative)).or_insert(place);
        match self.configs.get_mut(known as usize) {
            Some(known) => {
                known.context = contexts.merge(known.context, config.context);
                known.is_unfiltered |= config.is_unfiltered;
            }
            None => self.configs.push(config),
        }
    }

    pub(super) fn retain(&mut self, keep: impl Fn(&Config) -> bool) {
        self.configs.retain(keep);
        self.places.clear();
        for (config, place) in self.configs.iter().zip(0..) {
            self.places.insert((config.state, config.alternative), place);
        }
    }

    /// The alternative of all configurations, if there is only one.
    pub(super) fn only_alternative(&self) -> Option<u32> {
        only_alternative(&self.configs)
    }

    /// Whether the callers may be needed to tell alternatives apart: some stack is shared by several alternatives,
    /// and no state belongs to one alternative alone.
    pub(super) fn has_conflict(&self) -> bool {
        let mut by_state: Map<NetworkStateId, (u32, bool)> = Map::default();
        for config in &self.configs {
            let entry = by_state.entry(config.state).or_insert((config.alternative, false));
            entry.1 |= entry.0 != config.alternative;
        }
        by_state.values().all(|&(_, is_shared)| is_shared)
            && self.least_by_stack().any(|(_, is_shared)| is_shared)
    }

    /// The least alternative of every state and context, if it is the same everywhere: wherever any alternative
    /// can go on, so can that one.
    pub(super) fn resolved_alternative(&self) -> Option<u32> {
        let mut least = self.least_by_stack().map(|(least, _)| least);
        let first = least.next()?;
        least.all(|other| other == first).then_some(first)
    }

    /// For every state and context, its least alternative and whether it has several.
    fn least_by_stack(&self) -> impl Iterator<Item = (u32, bool)> + use<> {
        let mut sorted: Vec<_> =
            self.configs.iter().map(|it| (it.state, it.context, it.alternative)).collect();
        sorted.sort_unstable();
        let groups: Vec<_> = sorted
            .chunk_by(|one, other| (one.0, one.1) == (other.0, other.1))
            .map(|group| (group[0].2, group.len() > 1))
            .collect();
        groups.into_iter()
    }
}

/// The alternative of all configurations, if there is only one.
pub(super) fn only_alternative(configs: &[Config]) -> Option<u32> {
    let first = configs.first()?.alternative;
    configs.iter().all(|config| config.alternative == first).then_some(first)
}
