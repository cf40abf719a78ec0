//! Runs a search: asks the condition about candidates, several at a time, with the result of one at a time.
//!
//! The search decides what is asked next by verdicts alone. While the next candidate is being judged, idle workers
//! judge candidates that the search may come to: copies of it are told each possible verdict, the likelier one first.
//! Verdicts are kept by content, so the search itself goes the same way with any number of workers, and every text is
//! judged once. `runs` counts the texts that the search asked about: a number that does not depend on the workers
//! either. `executed` counts what was really judged.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use gramercy_base::{Encoding, Set};

use super::condition::{Condition, ConditionError};
use super::document::Tools;
use super::search::{Search, Stage};
use super::verdicts::{Key, Verdicts, key};

/// How often the observer is asked whether to go on, while nothing else happens.
const PATIENCE: Duration = Duration::from_millis(50);
/// Copies of a search that are looked at to find one candidate to run ahead.
const COPIES_PER_CANDIDATE: usize = 4;

/// When to stop early.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// After this number of runs.
    pub runs: Option<u64>,
    /// After this time.
    pub time: Option<Duration>,
}

/// How far a reduction is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'p> {
    /// The smallest interesting text so far.
    pub text: &'p str,
    /// Its tokens.
    pub tokens: usize,
    /// Texts that the search asked about.
    pub runs: u64,
    /// Texts that were judged, ahead of time too.
    pub executed: u64,
    /// What is edited.
    pub stage: Stage,
}

/// Watches a reduction.
pub trait Observer {
    /// Is told from time to time, and after every success. Breaking off ends the reduction with what it has.
    fn progress(&mut self, progress: Progress<'_>) -> ControlFlow<()>;
}

/// Nobody watches.
impl Observer for () {
    fn progress(&mut self, _: Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// How a reduction ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// No single edit makes the text smaller.
    Complete,
    /// The bound on runs was reached.
    Runs,
    /// The bound on time was reached.
    Time,
    /// The observer broke off.
    Interrupted,
    /// The input itself is not interesting.
    NotInteresting,
    /// A text could not be judged.
    Failed(ConditionError),
    /// A verdict could not be kept.
    NotKept(String),
}

/// A text on its way to a worker.
type Job = (Key, Arc<[u8]>);
/// A verdict on its way back.
type Answer = (Key, Result<bool, ConditionError>);

/// A reduction in progress.
pub(super) struct Driver<'d> {
    pub(super) condition: &'d dyn Condition,
    pub(super) observer: &'d mut dyn Observer,
    pub(super) verdicts: &'d mut Verdicts,
    pub(super) encoding: Encoding,
    pub(super) bounds: Bounds,
    pub(super) jobs: usize,
    pub(super) began: Instant,
    /// Texts that the search asked about.
    pub(super) asked: Set<Key>,
    pub(super) executed: u64,
}

/// The way to and from the workers.
struct Workers {
    jobs: Sender<Job>,
    answers: Receiver<Answer>,
    /// Texts that are being judged.
    running: Set<Key>,
    /// Texts that could be judged next.
    ahead: VecDeque<Job>,
}

impl Driver<'_> {
    /// Runs a search to its end, or to a bound.
    pub(super) fn run(&mut self, tools: &mut Tools<'_>, search: &mut Search) -> Ended {
        let (jobs, queue) = channel::<Job>();
        let (sender, answers) = channel::<Answer>();
        let queue = Mutex::new(queue);
        let condition = self.condition;
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                let (queue, sender) = (&queue, sender.clone());
                scope.spawn(move || work(condition, queue, &sender));
            }
            drop(sender);
            let (running, ahead) = (Set::default(), VecDeque::new());
            let mut workers = Workers { jobs, answers, running, ahead };
            self.steps(tools, search, &mut workers)
            // The end of `jobs` ends the workers.
        })
    }

    /// Whether the input itself is interesting.
    pub(super) fn check_input(&mut self, text: &str) -> Result<(), Ended> {
        let content = self.encode(text).ok_or(Ended::NotInteresting)?;
        let key = key(&content);
        self.asked.insert(key);
        if self.verdicts.get(key).is_none() {
            let verdict = self.condition.is_interesting(&content).map_err(Ended::Failed)?;
            self.executed += 1;
            let kept = self.verdicts.add(key, verdict);
            kept.map_err(|error| Ended::NotKept(error.to_string()))?;
        }
        match self.verdicts.get(key) {
            Some(true) => Ok(()),
            _ => Err(Ended::NotInteresting),
        }
    }

    fn steps(
        &mut self,
        tools: &mut Tools<'_>,
        search: &mut Search,
        workers: &mut Workers,
    ) -> Ended {
        loop {
            let Some(proposal) = search.next(tools) else { return Ended::Complete };
            let Some(content) = self.encode(&proposal.candidate.text) else {
                search.tell(tools, false);
                continue;
            };
            let key = key(&content);
            if !self.asked.contains(&key) {
                if self.bounds.runs.is_some_and(|most| self.asked.len() as u64 >= most) {
                    return Ended::Runs;
                }
                self.asked.insert(key);
            }
            let verdict = match self.verdicts.get(key) {
                Some(known) => known,
                None => match self.judge((key, content), tools, search, workers) {
                    Ok(verdict) => verdict,
                    Err(ended) => return ended,
                },
            };
            search.tell(tools, verdict);
            if verdict && self.watch(search).is_break() {
                return Ended::Interrupted;
            }
        }
    }

    /// Waits for the verdict on the next candidate; idle workers get others.
    fn judge(
        &mut self,
        head: Job,
        tools: &mut Tools<'_>,
        search: &Search,
        workers: &mut Workers,
    ) -> Result<bool, Ended> {
        workers.ahead.clear();
        let mut is_planned = self.jobs <= 1;
        let key = head.0;
        if !workers.running.contains(&key) {
            workers.start(head);
        }
        loop {
            if !is_planned && workers.running.len() < self.jobs {
                let room = self.jobs - workers.running.len();
                self.look_ahead(tools, search, workers, room);
                is_planned = true;
            }
            while workers.running.len() < self.jobs {
                let Some(job) = workers.ahead.pop_front() else { break };
                if !workers.running.contains(&job.0) && self.verdicts.get(job.0).is_none() {
                    workers.start(job);
                }
            }
            self.wait(search, workers)?;
            if let Some(verdict) = self.verdicts.get(key) {
                return Ok(verdict);
            }
        }
    }

    /// Takes one verdict, or notices that it takes too long.
    fn wait(&mut self, search: &Search, workers: &mut Workers) -> Result<(), Ended> {
        match workers.answers.recv_timeout(PATIENCE) {
            Ok((key, answer)) => {
                workers.running.remove(&key);
                self.executed += 1;
                let verdict = answer.map_err(Ended::Failed)?;
                let kept = self.verdicts.add(key, verdict);
                kept.map_err(|error| Ended::NotKept(error.to_string()))?;
            }
            Err(RecvTimeoutError::Timeout) => {
                if self.watch(search).is_break() {
                    return Err(Ended::Interrupted);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Ended::Failed(ConditionError::Closed));
            }
        }
        match self.bounds.time {
            Some(most) if self.began.elapsed() >= most => Err(Ended::Time),
            _ => Ok(()),
        }
    }

    /// Finds candidates that the search may come to, the likeliest first.
    fn look_ahead(
        &self,
        tools: &mut Tools<'_>,
        search: &Search,
        workers: &mut Workers,
        room: usize,
    ) {
        let mut found: Set<Key> = Set::default();
        // A copy, how likely the search is to become it, and the verdict that it is told first.
        let mut copies: Vec<(f64, Search, Option<bool>)> = vec![(1.0, search.clone(), None)];
        let mut looked_at = 0;
        while workers.ahead.len() < room && looked_at < COPIES_PER_CANDIDATE * (room + 1) {
            looked_at += 1;
            let likeliest = (0..copies.len())
                .max_by(|&a, &b| copies[a].0.total_cmp(&copies[b].0).then(b.cmp(&a)));
            let Some(likeliest) = likeliest else { return };
            let (chance, mut copy, verdict) = copies.swap_remove(likeliest);
            if let Some(verdict) = verdict {
                copy.tell(tools, verdict);
            }
            let Some((success, (key, content))) = self.next_unknown(tools, &mut copy) else {
                continue;
            };
            if !workers.running.contains(&key) && found.insert(key) {
                workers.ahead.push_back((key, content));
            }
            copies.push((chance * (1.0 - success), copy.clone(), Some(false)));
            copies.push((chance * success, copy, Some(true)));
        }
    }

    /// The next candidate of a copy whose verdict is not known, and how likely it is interesting.
    fn next_unknown(&self, tools: &mut Tools<'_>, copy: &mut Search) -> Option<(f64, Job)> {
        loop {
            let proposal = copy.next(tools)?;
            let content = self.encode(&proposal.candidate.text);
            let Some(content) = content else {
                copy.tell(tools, false);
                continue;
            };
            let key = key(&content);
            match self.verdicts.get(key) {
                Some(known) => copy.tell(tools, known),
                None => return Some((proposal.chance.clamp(0.05, 0.95), (key, content))),
            }
        }
    }

    fn encode(&self, text: &str) -> Option<Arc<[u8]>> {
        self.encoding.encode(text).map(Into::into)
    }

    fn watch(&mut self, search: &Search) -> ControlFlow<()> {
        self.observer.progress(Progress {
            text: search.text(),
            tokens: search.tokens(),
            runs: self.asked.len() as u64,
            executed: self.executed,
            stage: search.stage(),
        })
    }
}

impl Workers {
    fn start(&mut self, job: Job) {
        self.running.insert(job.0);
        // The workers live as long as the driver.
        let _ = self.jobs.send(job);
    }
}

fn work(condition: &dyn Condition, queue: &Mutex<Receiver<Job>>, answers: &Sender<Answer>) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((key, content)) = next else { return };
        let answer = condition.is_interesting(&content);
        if answers.send((key, answer)).is_err() {
            return;
        }
    }
}
