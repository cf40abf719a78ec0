//! Choices among the productions that a budget allows, by weight.

use gramercy_base::{Id, Table};
use gramercy_coverage::Views;
use gramercy_grammar::{NonterminalId, ProductionId};

/// The productions of every nonterminal in ascending order of what they cost at least, with running
/// sums of their weights: a choice among those that a budget allows is one draw and a search.
#[derive(Clone, Debug)]
pub(crate) struct Urns {
    /// Where the productions of each nonterminal begin; behind them the number of all.
    starts: Vec<u32>,
    tickets: Vec<Ticket>,
}

#[derive(Clone, Copy, Debug)]
struct Ticket {
    production: ProductionId,
    cost: u64,
    /// The weights of the nonterminal's productions up to this one, in 2⁻³² of their sum.
    up_to: u64,
}

impl Urns {
    /// The productions with a cost, by their nonterminals.
    pub(crate) fn new(
        views: &Views<'_>,
        weights: &Table<ProductionId, f64>,
        cost: impl Fn(ProductionId) -> Option<u64>,
    ) -> Self {
        let (mut starts, mut tickets) = (vec![0], Vec::new());
        for nonterminal in views.bnf.cfg().nonterminals() {
            let productions = views.bnf.productions_of(nonterminal).iter();
            let mut row: Vec<(u64, ProductionId)> =
                productions.filter_map(|&id| cost(id).map(|cost| (cost, id))).collect();
            row.sort_unstable();
            let sum: f64 = row.iter().map(|&(_, id)| weights[id]).sum();
            let (mut running, mut before) = (0.0, 0);
            for (cost, production) in row {
                running += weights[production];
                // However small a weight, its production can be chosen.
                before = in_parts(running / sum).max(before + 1);
                tickets.push(Ticket { production, cost, up_to: before });
            }
            starts.push(u32::try_from(tickets.len()).expect("invariant: productions fit"));
        }
        Self { starts, tickets }
    }

    fn of(&self, nonterminal: NonterminalId) -> &[Ticket] {
        let at = nonterminal.index();
        &self.tickets[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// One of the productions that cost no more than the budget, by a number drawn from all of 64
    /// bits; `None` if there is none.
    #[inline]
    pub(crate) fn choose(
        &self,
        nonterminal: NonterminalId,
        budget: u64,
        drawn: u64,
    ) -> Option<ProductionId> {
        let urn = self.of(nonterminal);
        let allowed = match urn.last() {
            Some(dearest) if dearest.cost <= budget => urn.len(),
            _ => urn.partition_point(|ticket| ticket.cost <= budget),
        };
        let last = urn[..allowed].last()?;
        let wide = u128::from(drawn) * u128::from(last.up_to);
        let drawn = u64::try_from(wide >> 64).expect("invariant: below the sum of weights");
        let at = urn[..allowed].partition_point(|ticket| ticket.up_to <= drawn);
        Some(urn[at].production)
    }

    /// As [`choose`](Self::choose), among those that fulfil a condition.
    pub(crate) fn choose_if(
        &self,
        nonterminal: NonterminalId,
        budget: u64,
        drawn: u64,
        condition: impl Fn(&ProductionId) -> bool,
    ) -> Option<ProductionId> {
        let urn = self.of(nonterminal);
        let before = |at: usize| at.checked_sub(1).map_or(0, |before| urn[before].up_to);
        let allowed = urn.iter().enumerate().take_while(|(_, ticket)| ticket.cost <= budget);
        let allowed = allowed.filter(|(_, ticket)| condition(&ticket.production));
        let weights = allowed.map(|(at, ticket)| (ticket.production, ticket.up_to - before(at)));
        let sum: u64 = weights.clone().map(|(_, weight)| weight).sum();
        let mut left = u64::try_from((u128::from(drawn) * u128::from(sum)) >> 64).ok()?;
        weights.into_iter().find_map(|(production, weight)| match left < weight {
            true => Some(production),
            false => {
                left -= weight;
                None
            }
        })
    }

    /// The productions that cost no more than the budget, cheapest first.
    pub(crate) fn allowed(
        &self,
        nonterminal: NonterminalId,
        budget: u64,
    ) -> impl Iterator<Item = ProductionId> + Clone + '_ {
        let allowed = self.of(nonterminal).iter().take_while(move |ticket| ticket.cost <= budget);
        allowed.map(|ticket| ticket.production)
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of 2^32")]
fn in_parts(share: f64) -> u64 {
    (share * (1_u64 << 32) as f64) as u64
}
