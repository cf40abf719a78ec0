//! Rules in the order of suspicion.

use gramercy_base::Table;
use gramercy_grammar::{Grammar, RuleId};

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
    set_mid_ranks(&mut ranked);
    ranked
}

#[expect(clippy::cast_precision_loss, reason = "numbers of rules")]
fn set_mid_ranks(ranked: &mut [Ranked]) {
    let mut from = 0;
    while from < ranked.len() {
        let score = ranked[from].score;
        let ties = ranked[from..].iter().take_while(|other| other.score == score).count();
        let rank = (from + 1) as f64 + (ties - 1) as f64 / 2.0;
        ranked[from..from + ties].iter_mut().for_each(|tied| tied.rank = rank);
        from += ties;
    }
}
