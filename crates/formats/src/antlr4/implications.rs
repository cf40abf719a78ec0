//! The least set of facts that follows from implications "if all of these, then that".
//!
//! The nullable expressions, and the rules that can avoid EOF, are such sets. Each implication
//! counts its missing facts, so the cost is linear in the implications.

/// Implications under construction. Facts are numbered from 0.
#[derive(Debug, Default)]
pub(super) struct Implications {
    facts: usize,
    /// For every implication, its effect and the number of its missing facts.
    implications: Vec<(usize, usize)>,
    /// Facts with the implications that need them.
    waiting: Vec<(usize, usize)>,
}

impl Implications {
    /// Implications over the first `facts` facts.
    pub(super) fn new(facts: usize) -> Self {
        Self { facts, implications: Vec::new(), waiting: Vec::new() }
    }

    /// Adds a fact.
    pub(super) fn fact(&mut self) -> usize {
        self.facts += 1;
        self.facts - 1
    }

    /// Adds the implication "if all of `causes`, then `effect`".
    pub(super) fn imply(&mut self, causes: impl IntoIterator<Item = usize>, effect: usize) {
        let (implication, before) = (self.implications.len(), self.waiting.len());
        self.waiting.extend(causes.into_iter().map(|cause| (cause, implication)));
        self.implications.push((effect, self.waiting.len() - before));
    }

    /// The facts that follow.
    pub(super) fn solve(mut self) -> Vec<bool> {
        let (starts, waiting) = self.by_fact();
        let mut holds = vec![false; self.facts];
        let at_once = self.implications.iter().filter(|(_, count)| *count == 0);
        let mut work: Vec<usize> = at_once.map(|&(effect, _)| effect).collect();
        while let Some(fact) = work.pop() {
            if std::mem::replace(&mut holds[fact], true) {
                continue;
            }
            for &implication in &waiting[starts[fact]..starts[fact + 1]] {
                let (effect, count) = &mut self.implications[implication];
                *count -= 1;
                if *count == 0 {
                    work.push(*effect);
                }
            }
        }
        holds
    }

    /// The implications sorted by the facts that they need, and the first one of each fact.
    fn by_fact(&self) -> (Vec<usize>, Vec<usize>) {
        let mut starts = vec![0; self.facts + 1];
        self.waiting.iter().for_each(|(fact, _)| starts[fact + 1] += 1);
        for fact in 0..self.facts {
            starts[fact + 1] += starts[fact];
        }
        let (mut next, mut sorted) = (starts.clone(), vec![0; self.waiting.len()]);
        for &(fact, implication) in &self.waiting {
            sorted[next[fact]] = implication;
            next[fact] += 1;
        }
        (starts, sorted)
    }
}

#[cfg(test)]
mod tests {
    use super::Implications;

    #[test]
    fn only_implied_facts_hold() {
        let mut implications = Implications::new(4);
        implications.imply([], 0);
        implications.imply([0, 0], 1);
        implications.imply([2], 2);
        implications.imply([1, 2], 3);
        let more = implications.fact();
        implications.imply([0, 1], more);
        assert_eq!(implications.solve(), [true, true, false, false, true]);
    }
}
