//! The least set of facts that follows from implications of the form "if all of these, then that".
//!
//! Which expressions can be empty, and which rules can do without EOF, are such sets. Each implication
//! counts the facts that it still waits for, so the cost is linear in the implications.

/// Implications under construction. Facts are numbered from 0.
#[derive(Debug, Default)]
pub(super) struct Implications {
    /// For every implication, what follows and how many facts it waits for.
    implications: Vec<(usize, usize)>,
    /// For every fact, the implications that wait for it.
    waiting: Vec<Vec<usize>>,
}

impl Implications {
    /// Implications over the first `facts` facts.
    pub(super) fn new(facts: usize) -> Self {
        Self { implications: Vec::new(), waiting: vec![Vec::new(); facts] }
    }

    /// One more fact.
    pub(super) fn fact(&mut self) -> usize {
        self.waiting.push(Vec::new());
        self.waiting.len() - 1
    }

    /// If all of `causes`, then `effect`.
    pub(super) fn imply(&mut self, causes: impl IntoIterator<Item = usize>, effect: usize) {
        let implication = self.implications.len();
        let mut count = 0;
        for cause in causes {
            self.waiting[cause].push(implication);
            count += 1;
        }
        self.implications.push((effect, count));
    }

    /// What follows.
    pub(super) fn solve(mut self) -> Vec<bool> {
        let mut holds = vec![false; self.waiting.len()];
        let at_once = self.implications.iter().filter(|(_, count)| *count == 0);
        let mut work: Vec<usize> = at_once.map(|&(effect, _)| effect).collect();
        while let Some(fact) = work.pop() {
            if std::mem::replace(&mut holds[fact], true) {
                continue;
            }
            for &implication in &self.waiting[fact] {
                let (effect, count) = &mut self.implications[implication];
                *count -= 1;
                if *count == 0 {
                    work.push(*effect);
                }
            }
        }
        holds
    }
}

#[cfg(test)]
mod tests {
    use super::Implications;

    #[test]
    fn only_what_follows_holds() {
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
