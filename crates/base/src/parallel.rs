//! Work on a stream of items with several threads, with results in the order of the items.
//!
//! Items are handed out one by one and results are consumed in order, so whatever is made from them
//! does not depend on the number of threads. At most a few items a thread are under way at once.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};

/// Maps every item with one of `jobs` workers and consumes the results in order, until the consumer
/// breaks off. Each worker has its own state, made by `worker`.
pub fn in_order<T: Send, S, R: Send>(
    jobs: usize,
    items: impl Iterator<Item = T> + Send,
    worker: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> R + Sync,
    mut consume: impl FnMut(R) -> ControlFlow<()>,
) {
    if jobs <= 1 {
        let mut state = worker();
        let mut items = items;
        let _ = items.try_for_each(|item| consume(work(&mut state, item)));
        return;
    }
    let items = Mutex::new(items.enumerate());
    let (sender, results) = sync_channel(2 * jobs);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, items, worker, work) = (sender.clone(), &items, &worker, &work);
            scope.spawn(move || {
                let mut state = worker();
                let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
                while let Some((number, item)) = next() {
                    // The consumer hung up: nobody wants the rest.
                    if sender.send((number, work(&mut state, item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut early, mut expected) = (BTreeMap::new(), 0);
        for (number, result) in results {
            early.insert(number, result);
            while let Some(result) = early.remove(&expected) {
                expected += 1;
                if consume(result).is_break() {
                    return;
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    fn squares(jobs: usize, most: usize) -> Vec<u64> {
        let mut found = Vec::new();
        super::in_order(
            jobs,
            0..1000u64,
            || 0,
            |_, n| n * n,
            |square| {
                found.push(square);
                if found.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        found
    }

    #[test]
    fn the_order_does_not_depend_on_the_threads() {
        let expected: Vec<u64> = (0..1000).map(|n| n * n).collect();
        for jobs in [1, 2, 5] {
            assert_eq!(squares(jobs, usize::MAX), expected);
            assert_eq!(squares(jobs, 7), expected[..7]);
        }
    }
}
