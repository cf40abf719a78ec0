//! Work on a stream of items with several threads, with results in the order of the items.
//!
//! Items are handed out one by one and results are consumed in order, so the output does not depend
//! on the number of threads. An item is handed out only if it is close to the next one to be
//! consumed, so few results wait even if one item takes long.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::mpsc::channel;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many items per thread may be in progress or wait to be consumed.
const AHEAD: u64 = 4;

/// Maps every item with one of `jobs` workers and consumes the results in order, until the consumer
/// breaks. Each worker has its own state, created by `worker`. The calling thread consumes results,
/// and works itself while no result is ready.
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
    let queue = WorkQueue::new(items, AHEAD * jobs as u64);
    let (sender, results) = channel();
    std::thread::scope(|scope| {
        let _guard = CloseOnPanic(&queue);
        for _ in 1..jobs {
            let (sender, queue, worker, work) = (sender.clone(), &queue, &worker, &work);
            scope.spawn(move || {
                let _guard = CloseOnPanic(queue);
                let mut state = worker();
                while let Some((number, item)) = queue.next() {
                    // The consumer is gone: no further results are needed.
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
                queue.advance(expected);
                if consume(result).is_break() {
                    return queue.close();
                }
            } else if let Some((number, item)) = queue.next_at_once() {
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

/// The items that are not handed out yet.
struct WorkQueue<I> {
    state: Mutex<QueueState<I>>,
    changed: Condvar,
    ahead: u64,
}

struct QueueState<I> {
    items: I,
    next: u64,
    consumed: u64,
    is_closed: bool,
}

impl<I> WorkQueue<I> {
    fn new(items: I, ahead: u64) -> Self {
        let state = QueueState { items, next: 0, consumed: 0, is_closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), ahead }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records how many results are consumed.
    fn advance(&self, consumed: u64) {
        self.lock().consumed = consumed;
        self.changed.notify_all();
    }

    /// Stops handing out items.
    fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }
}

impl<I: Iterator> WorkQueue<I> {
    /// Waits until the next item is not too far ahead, and returns it with its number.
    fn next(&self) -> Option<(u64, I::Item)> {
        let is_early = |state: &mut QueueState<I>| !state.is_closed && self.is_early(state);
        let waited = self.changed.wait_while(self.lock(), is_early);
        waited.unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The next item and its number, unless it is too far ahead.
    fn next_at_once(&self) -> Option<(u64, I::Item)> {
        let mut state = self.lock();
        if self.is_early(&state) { None } else { state.take() }
    }

    fn is_early(&self, state: &QueueState<I>) -> bool {
        state.next >= state.consumed + self.ahead
    }
}

impl<I: Iterator> QueueState<I> {
    fn take(&mut self) -> Option<(u64, I::Item)> {
        if self.is_closed {
            return None;
        }
        let item = self.items.next()?;
        self.next += 1;
        Some((self.next - 1, item))
    }
}

/// Closes the queue if a worker panics: its result never comes, so no thread may wait for it.
struct CloseOnPanic<'l, I>(&'l WorkQueue<I>);

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
    fn few_results_wait_for_a_slow_item() {
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
        // Items that are handed out while a result is consumed come on top.
        assert!(most <= 3 * super::AHEAD + 3, "{most}");
    }

    #[test]
    fn no_thread_waits_for_a_worker_that_panics() {
        for panics_at in 0..20 {
            let work = |(): &mut (), n: u64| assert!(n != panics_at, "as planned");
            let run = || super::in_order(2, 0..500, || (), work, |()| ControlFlow::Continue(()));
            assert!(std::panic::catch_unwind(run).is_err(), "a worker or the caller");
        }
    }
}
