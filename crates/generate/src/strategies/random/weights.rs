//! Which production is chosen how often.
//!
//! Without a word of the grammar all productions of a nonterminal are equally likely. Where it gives
//! probabilities, those without one share what is left (FACTS §1). Both can be bent: with damping d
//! and similarity s a probability p becomes proportional to (p + d)ˢ, so a damping evens choices out
//! and a similarity of 0 makes them equal.

use gramercy_base::Table;
use gramercy_coverage::Views;
use gramercy_grammar::{NonterminalId, ProductionId};

/// How probabilities become weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighing {
    /// What is added to every probability.
    pub damping: f64,
    /// The power that probabilities are raised to.
    pub similarity: f64,
}

impl Default for Weighing {
    fn default() -> Self {
        Self { damping: 0.0, similarity: 1.0 }
    }
}

/// The weight of a production that is as likely as any other.
const USUAL: f64 = 1.0;

/// For each production a positive weight, relative to the others of its nonterminal.
pub(crate) fn weights(views: &Views<'_>, weighing: Weighing) -> Table<ProductionId, f64> {
    let mut weights = Table::filled(USUAL, views.bnf.production_count());
    for nonterminal in views.bnf.cfg().nonterminals() {
        weigh(views, weighing, nonterminal, &mut weights);
    }
    weights
}

fn weigh(
    views: &Views<'_>,
    weighing: Weighing,
    nonterminal: NonterminalId,
    weights: &mut Table<ProductionId, f64>,
) {
    let productions = views.bnf.productions_of(nonterminal);
    let given = |&production: &ProductionId| {
        views.bnf.attributes(views.grammar, production).and_then(|of| of.probability)
    };
    let known: Vec<f64> = productions.iter().filter_map(given).collect();
    if known.is_empty() {
        return;
    }
    let others = productions.len() - known.len();
    let rest = (1.0 - known.iter().sum::<f64>()).max(0.0) / others.max(1) as f64;
    for production in productions {
        let probability = given(production).unwrap_or(rest);
        let bent = (probability + weighing.damping).powf(weighing.similarity);
        weights[*production] = bent;
    }
}

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
        let at = gramercy_base::Id::index(nonterminal);
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
