//! Work on a stream of items with several threads, with results in the order of the items.
//!
//! Items are handed out one by one and results are consumed in order, so whatever is made from them
//! does not depend on the number of threads. No item is handed out that is far ahead of the next one
//! to be consumed, so however long one item takes, few results wait behind it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::mpsc::channel;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many items may be under way or wait to be consumed, for each thread.
const AHEAD: u64 = 4;

/// Maps every item with one of `jobs` workers and consumes the results in order, until the consumer
/// breaks off. Each worker has its own state, made by `worker`. The caller's thread consumes, and is one of
/// the workers while there is nothing to consume.
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
    let line = Line::new(items, AHEAD * jobs as u64);
    let (sender, results) = channel();
    std::thread::scope(|scope| {
        let _guard = CloseOnPanic(&line);
        for _ in 1..jobs {
            let (sender, line, worker, work) = (sender.clone(), &line, &worker, &work);
            scope.spawn(move || {
                let _guard = CloseOnPanic(line);
                let mut state = worker();
                while let Some((number, item)) = line.next() {
                    // The consumer hung up: nobody wants the rest.
                    if sender.send((number, work(&mut state, item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut state, mut early, mut expected) = (worker(), BTreeMap::new(), 0);
        loop {
            early.extend(results.try_iter());
            if let Some(result) = early.remove(&expected) {
                expected += 1;
                line.advance(expected);
                if consume(result).is_break() {
                    return line.close();
                }
            } else if let Some((number, item)) = line.next_at_once() {
                early.insert(number, work(&mut state, item));
            } else {
                match results.recv() {
                    Ok((number, result)) => _ = early.insert(number, result),
                    Err(_) => return,
                }
            }
        }
    });
}

/// Items that wait for workers.
struct Line<I> {
    state: Mutex<State<I>>,
    changed: Condvar,
    ahead: u64,
}

struct State<I> {
    items: I,
    next: u64,
    consumed: u64,
    is_closed: bool,
}

impl<I> Line<I> {
    fn new(items: I, ahead: u64) -> Self {
        let state = State { items, next: 0, consumed: 0, is_closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), ahead }
    }

    fn lock(&self) -> MutexGuard<'_, State<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So many results were consumed.
    fn advance(&self, consumed: u64) {
        self.lock().consumed = consumed;
        self.changed.notify_all();
    }

    /// No more items are handed out.
    fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }
}

impl<I: Iterator> Line<I> {
    /// The next item and its number, as soon as it is not too far ahead.
    fn next(&self) -> Option<(u64, I::Item)> {
        let is_early = |state: &mut State<I>| !state.is_closed && self.is_early(state);
        let waited = self.changed.wait_while(self.lock(), is_early);
        waited.unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The next item and its number, if it is not too far ahead.
    fn next_at_once(&self) -> Option<(u64, I::Item)> {
        let mut state = self.lock();
        if self.is_early(&state) { None } else { state.take() }
    }

    fn is_early(&self, state: &State<I>) -> bool {
        state.next >= state.consumed + self.ahead
    }
}

impl<I: Iterator> State<I> {
    fn take(&mut self) -> Option<(u64, I::Item)> {
        if self.is_closed {
            return None;
        }
        let item = self.items.next()?;
        self.next += 1;
        Some((self.next - 1, item))
    }
}

/// The result of a worker that panics never comes, so nobody must wait for it.
struct CloseOnPanic<'l, I>(&'l Line<I>);

impl<I> Drop for CloseOnPanic<'_, I> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicU64, Ordering};

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

    #[test]
    fn few_results_wait_behind_a_slow_item() {
        let (started, mut most, mut consumed) = (AtomicU64::new(0), 0, 0);
        super::in_order(
            3,
            0..500u64,
            || (),
            |(), n| {
                started.fetch_add(1, Ordering::SeqCst);
                if n == 5 {
                    std::thread::sleep(std::time::Duration::from_millis(30));
                }
            },
            |()| {
                most = most.max(started.load(Ordering::SeqCst) - consumed);
                consumed += 1;
                ControlFlow::Continue(())
            },
        );
        assert_eq!(consumed, 500);
        // What is handed out while a result is consumed comes on top.
        assert!(most <= 3 * super::AHEAD + 3, "{most}");
    }

    #[test]
    fn nobody_waits_for_a_worker_that_panics() {
        for panics_at in 0..20 {
            let work = |(): &mut (), n: u64| assert!(n != panics_at, "as planned");
            let run = || super::in_order(2, 0..500, || (), work, |()| ControlFlow::Continue(()));
            assert!(std::panic::catch_unwind(run).is_err(), "whoever it was");
        }
    }
}
