//! Rules and sites in the order of suspicion.

use gramercy_base::{IndexMap, Table};
use gramercy_grammar::{Grammar, RuleId};

use crate::evidence::Site;

/// A rule with its rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// The rule.
    pub rule: RuleId,
    /// Its rank from 1; rules with the same score share the middle of their ranks.
    pub rank: f64,
    /// Its suspicion: higher is more suspicious.
    pub score: f64,
}

/// Ranks the rules of a grammar's file by their scores, the highest first.
#[must_use]
pub fn rank(grammar: &Grammar, scores: &Table<RuleId, f64>) -> Vec<Ranked> {
    let is_written =
        |rule: RuleId| !grammar.rules()[rule].token().is_some_and(|token| token.implicit);
    let mut ranked: Vec<_> = scores
        .iter()
        .filter(|&(rule, _)| is_written(rule))
        .map(|(rule, &score)| Ranked { rule, rank: 0.0, score })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.rule.cmp(&b.rule)));
    let ranks = mid_ranks(ranked.iter().map(|ranked| ranked.score));
    ranked.iter_mut().zip(ranks).for_each(|(ranked, rank)| ranked.rank = rank);
    ranked
}

/// A site with its rank.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedSite {
    /// The site.
    pub site: Site,
    /// Its rank from 1; sites with the same score share the middle of their ranks.
    pub rank: f64,
    /// Its suspicion: higher is more suspicious.
    pub score: f64,
}

/// Ranks sites by their scores, the highest first.
#[must_use]
pub fn rank_sites(scores: IndexMap<Site, f64>) -> Vec<RankedSite> {
    let scored = scores.into_iter();
    let mut ranked: Vec<_> =
        scored.map(|(site, score)| RankedSite { site, rank: 0.0, score }).collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.site.cmp(&b.site)));
    let ranks = mid_ranks(ranked.iter().map(|ranked| ranked.score));
    ranked.iter_mut().zip(ranks).for_each(|(ranked, rank)| ranked.rank = rank);
    ranked
}

/// The ranks of scores in descending order; equal ones share the middle of their ranks.
#[expect(clippy::cast_precision_loss, reason = "numbers of rules and items")]
fn mid_ranks(scores: impl Iterator<Item = f64>) -> Vec<f64> {
    let scores: Vec<_> = scores.collect();
    let mut ranks = Vec::with_capacity(scores.len());
    for equal in scores.chunk_by(|a, b| a == b) {
        let middle = (ranks.len() + 1) as f64 + (equal.len() - 1) as f64 / 2.0;
        ranks.resize(ranks.len() + equal.len(), middle);
    }
    ranks
}
