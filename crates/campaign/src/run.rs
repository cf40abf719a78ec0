//! Runs a campaign: tests from a source go to workers, verdicts go to the journal.
//!
//! One thread makes tests, each worker has its own subjects, and the caller's thread commits verdicts in batches and
//! tells the observer what was committed. Everything between them has bounded room, so memory does not grow with the
//! number of tests. The journal's content does not depend on the number of workers, but for times.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use gramercy_language::Language;
use gramercy_subject::{Observation, Program, Subject, SubjectError};

use crate::case::Case;
use crate::journal::{Done, Entry, Journal, JournalError, SubjectRow};
use crate::oracle::{Judgement, Oracle, OracleSpec};
use crate::source::{Source, SourceError};
use crate::verdict::{Counts, Verdict};

/// Verdicts wait at most this long to be committed.
const COMMIT_EVERY: Duration = Duration::from_millis(50);
/// And at most this number of them waits.
const COMMIT_TESTS: usize = 4096;
/// A harness is not called broken before this number of tests.
const MIN_UNREAD: u64 = 20;

/// A program with its oracle.
#[derive(Clone, Debug)]
pub struct SubjectSpec {
    /// Its name in reports.
    pub name: String,
    /// The program.
    pub program: Program,
    /// How its responses are recognized, as written.
    pub spec: OracleSpec,
    /// The same, ready for use.
    pub oracle: Oracle,
}

impl SubjectSpec {
    /// What a journal says of it.
    #[must_use]
    pub fn row(&self) -> SubjectRow {
        let json = |value: serde_json::Result<String>| value.unwrap_or_default();
        SubjectRow {
            name: self.name.clone(),
            program: json(serde_json::to_string(&self.program)),
            oracle: json(serde_json::to_string(&self.spec)),
        }
    }
}

/// What is run, and how.
#[derive(Debug)]
pub struct Campaign<'c> {
    /// The language of the tests.
    pub language: &'c Language,
    /// Where tests come from.
    pub source: &'c Source,
    /// The programs under test; each gets every test.
    pub subjects: &'c [SubjectSpec],
    /// How many tests are run at the same time.
    pub jobs: usize,
    /// How often a finding is run again, to see whether it is steady.
    pub reruns: u32,
    /// The campaign stops when more than this share of all tests is not read and ends alike.
    pub broken_share: f64,
    /// The campaign stops after this number of different findings, or disagreements of several programs.
    pub max_groups: Option<usize>,
}

/// Makes a subject for a worker.
pub type Maker<'m> =
    dyn Fn(&SubjectSpec) -> Result<Box<dyn Subject + Send>, SubjectError> + Sync + 'm;

/// What happens in a campaign.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// Tests were judged before; this many.
    Resumed(u64),
    /// Verdicts were committed; of each subject, what there is since the campaign began or went on.
    Committed(&'e [Counts]),
}

/// Watches a campaign.
pub trait Observer {
    /// Something happened. Breaking off ends the campaign; everything that was judged is kept.
    fn event(&mut self, event: Event<'_>) -> ControlFlow<()>;

    /// Is asked from time to time whether the campaign goes on.
    fn go_on(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Nobody watches.
impl Observer for () {
    fn event(&mut self, _: Event<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// How a campaign ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All tests are judged.
    Complete,
    /// The observer broke off.
    Interrupted,
    /// The requested number of different findings is there.
    EnoughGroups,
    /// The harness is broken.
    Broken(BrokenHarness),
}

/// Too many tests ended alike before the program read anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenHarness {
    /// The number of the subject.
    pub subject: usize,
    /// Tests that ended so.
    pub tests: u64,
    /// Of how many.
    pub of: u64,
    /// How they ended.
    pub ending: String,
    /// What the program wrote, normalized.
    pub signature: String,
}

/// Why a campaign failed. Everything that was committed before is kept.
#[derive(Debug)]
pub enum RunError {
    /// No tests can be had.
    Source(SourceError),
    /// The program cannot be run.
    Subject(SubjectError),
    /// Verdicts cannot be kept.
    Journal(JournalError),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => error.fmt(f),
            Self::Subject(error) => error.fmt(f),
            Self::Journal(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}

impl From<JournalError> for RunError {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

/// A test that was judged.
struct Judged {
    /// Its number in this run, without gaps.
    sequence: u64,
    case: Case,
    verdicts: Vec<(Judgement, Observation)>,
}

/// What workers send.
type Message = Result<Vec<Judged>, SubjectError>;

impl Campaign<'_> {
    /// Runs all tests that have no verdict yet.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn run(
        &self,
        make: &Maker<'_>,
        journal: &Journal,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, RunError> {
        // Tests that are all done need not be made again.
        if journal.is_finished()? {
            return Ok(Outcome::Complete);
        }
        let done = journal.done()?;
        let resumed = done.through > 0 || !done.beyond.is_empty();
        if resumed && observer.event(Event::Resumed(done.through)).is_break() {
            return Ok(Outcome::Interrupted);
        }
        let stop = AtomicBool::new(false);
        let (cases, queue) = sync_channel(1024);
        let queue = Mutex::new(queue);
        let (sender, results) = sync_channel(4 * self.jobs.max(1));
        let mut keeping = Keeping::new(self, journal, done.through);
        let (kept, produced) = std::thread::scope(|scope| {
            let producer = scope.spawn(|| self.produce(&done, cases, &stop));
            for _ in 0..self.jobs.max(1) {
                let (sender, queue, stop) = (sender.clone(), &queue, &stop);
                scope.spawn(move || self.work(make, queue, &sender, stop));
            }
            drop(sender);
            let kept = keeping.keep(&results, observer, &stop);
            stop.store(true, Ordering::Relaxed);
            // Workers may wait for room, and the producer for workers.
            results.into_iter().for_each(drop);
            lock(&queue).iter().for_each(drop);
            (kept, producer.join())
        });
        let outcome = kept?;
        match produced {
            Ok(Err(error)) => return Err(RunError::Source(error)),
            Ok(Ok(())) => {}
            Err(panic) => std::panic::resume_unwind(panic),
        }
        if outcome == Outcome::Complete {
            journal.finish()?;
        }
        Ok(outcome)
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "its end tells the workers that there are no more tests"
    )]
    fn produce(
        &self,
        done: &Done,
        cases: SyncSender<(u64, Case)>,
        stop: &AtomicBool,
    ) -> Result<(), SourceError> {
        let mut sequence = 0;
        self.source.for_each(self.language, done, &mut |case| {
            let is_closed = stop.load(Ordering::Relaxed) || cases.send((sequence, case)).is_err();
            sequence += 1;
            if is_closed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }

    fn work(
        &self,
        make: &Maker<'_>,
        queue: &Mutex<Receiver<(u64, Case)>>,
        results: &SyncSender<Message>,
        stop: &AtomicBool,
    ) {
        let worked = || -> Result<(), SubjectError> {
            let mut subjects: Vec<Box<dyn Subject + Send>> =
                self.subjects.iter().map(make).collect::<Result<_, _>>()?;
            let batch = subjects.iter().map(Subject::batch).max().unwrap_or(1);
            loop {
                let cases = next_batch(queue, batch);
                if cases.is_empty() || stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let judged = self.judge(&mut subjects, cases)?;
                if results.send(Ok(judged)).is_err() {
                    return Ok(());
                }
            }
        };
        if let Err(error) = worked() {
            // Nobody listens only after another failure.
            let _ = results.send(Err(error));
        }
    }

    /// Runs all subjects on a batch of tests.
    fn judge(
        &self,
        subjects: &mut [Box<dyn Subject + Send>],
        cases: Vec<(u64, Case)>,
    ) -> Result<Vec<Judged>, SubjectError> {
        let new = |(sequence, case)| Judged { sequence, case, verdicts: Vec::new() };
        let mut judged: Vec<Judged> = cases.into_iter().map(new).collect();
        for (subject, spec) in subjects.iter_mut().zip(self.subjects) {
            let texts: Vec<&[u8]> = judged.iter().map(|one| &one.case.content[..]).collect();
            let mut seen = Vec::with_capacity(texts.len());
            subject.observe(&texts, &mut seen)?;
            for (one, seen) in judged.iter_mut().zip(seen) {
                let verdict = self.settle(subject, spec, &one.case, seen)?;
                one.verdicts.push(verdict);
            }
        }
        Ok(judged)
    }

    /// Judges an observation; a finding is run again.
    fn settle(
        &self,
        subject: &mut Box<dyn Subject + Send>,
        spec: &SubjectSpec,
        case: &Case,
        seen: Observation,
    ) -> Result<(Judgement, Observation), SubjectError> {
        let mut judgement = spec.oracle.judge(&seen, case.expect);
        if !judgement.verdict.is_finding() {
            return Ok((judgement, seen));
        }
        for _ in 0..self.reruns {
            let mut again = Vec::new();
            subject.observe(&[&case.content], &mut again)?;
            let other = again.first().map(|again| spec.oracle.judge(again, case.expect));
            if let Some(other) = other.filter(|other| !other.is_like(&judgement)) {
                judgement.signature = format!("first {}, then {}", judgement.ending, other.ending);
                judgement.verdict = Verdict::Flaky;
                break;
            }
        }
        Ok((judgement, seen))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The next test, and those that wait after it.
fn next_batch(queue: &Mutex<Receiver<(u64, Case)>>, most: usize) -> Vec<(u64, Case)> {
    let queue = lock(queue);
    let mut batch = Vec::new();
    batch.extend(queue.recv());
    while !batch.is_empty() && batch.len() < most {
        match queue.try_recv() {
            Ok(case) => batch.push(case),
            Err(_) => break,
        }
    }
    batch
}

/// Commits verdicts, then counts them.
struct Keeping<'k> {
    campaign: &'k Campaign<'k>,
    journal: &'k Journal,
    waiting: Vec<Judged>,
    since: Instant,
    /// The next number without gaps, and those that came early.
    next: u64,
    early: BTreeMap<u64, u64>,
    through: u64,
    counts: Vec<Counts>,
    /// Tests that were not read, by subject, end and message.
    unread: BTreeMap<(usize, String, String), u64>,
    groups: BTreeSet<String>,
}

impl<'k> Keeping<'k> {
    fn new(campaign: &'k Campaign<'k>, journal: &'k Journal, through: u64) -> Self {
        Self {
            campaign,
            journal,
            waiting: Vec::new(),
            since: Instant::now(),
            next: 0,
            early: BTreeMap::new(),
            through,
            counts: vec![Counts::default(); campaign.subjects.len()],
            unread: BTreeMap::new(),
            groups: BTreeSet::new(),
        }
    }

    fn keep(
        &mut self,
        results: &Receiver<Message>,
        observer: &mut dyn Observer,
        stop: &AtomicBool,
    ) -> Result<Outcome, RunError> {
        let mut failed = None;
        loop {
            let wait = COMMIT_EVERY.saturating_sub(self.since.elapsed());
            match results.recv_timeout(wait.max(Duration::from_millis(1))) {
                Ok(Ok(judged)) => self.waiting.extend(judged),
                Ok(Err(error)) => {
                    failed.get_or_insert(error);
                    stop.store(true, Ordering::Relaxed);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    // There is nothing left to break off.
                    let _ = self.commit(observer)?;
                    return match failed {
                        Some(error) => Err(RunError::Subject(error)),
                        None => Ok(self.broken(1).map_or(Outcome::Complete, Outcome::Broken)),
                    };
                }
            }
            let is_due = self.since.elapsed() >= COMMIT_EVERY;
            if !is_due && self.waiting.len() < COMMIT_TESTS {
                continue;
            }
            let went_on = self.commit(observer)?;
            if failed.is_some() {
                continue;
            }
            if went_on.is_break() || observer.go_on().is_break() {
                return Ok(Outcome::Interrupted);
            }
            if let Some(broken) = self.broken(MIN_UNREAD) {
                return Ok(Outcome::Broken(broken));
            }
            if self.campaign.max_groups.is_some_and(|most| self.groups.len() >= most) {
                return Ok(Outcome::EnoughGroups);
            }
        }
    }

    fn commit(&mut self, observer: &mut dyn Observer) -> Result<ControlFlow<()>, JournalError> {
        self.since = Instant::now();
        if self.waiting.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        for judged in &self.waiting {
            self.early.insert(judged.sequence, judged.case.id);
        }
        while let Some(id) = self.early.remove(&self.next) {
            self.next += 1;
            self.through = id;
        }
        let batch = self.waiting.iter().map(|judged| {
            let entries = judged.verdicts.iter().enumerate();
            let entries =
                entries.map(|(subject, (judgement, seen))| Entry { subject, judgement, seen });
            (&judged.case, entries.collect())
        });
        self.journal.commit(batch, self.through)?;
        for judged in std::mem::take(&mut self.waiting) {
            self.count(&judged);
        }
        Ok(observer.event(Event::Committed(&self.counts)))
    }

    fn count(&mut self, judged: &Judged) {
        for (subject, (judgement, _)) in judged.verdicts.iter().enumerate() {
            self.counts[subject].add(judgement.verdict, 1);
            let Judgement { ending, signature, .. } = judgement;
            if judgement.verdict == Verdict::Broken {
                *self.unread.entry((subject, ending.clone(), signature.clone())).or_default() += 1;
            }
        }
        let Some(most) = self.campaign.max_groups.filter(|&most| self.groups.len() < most) else {
            return;
        };
        debug_assert!(most > 0, "invariant: the campaign stops before");
        self.groups.extend(group_of(judged));
    }

    /// Whether more than the allowed share of at least this number of tests was not read and ended alike.
    #[expect(clippy::cast_precision_loss, reason = "a share need not be exact")]
    fn broken(&self, least: u64) -> Option<BrokenHarness> {
        self.unread.iter().find_map(|((subject, ending, signature), &tests)| {
            let of = self.counts[*subject].total();
            let is_broken = of >= least && tests as f64 > self.campaign.broken_share * of as f64;
            is_broken.then(|| BrokenHarness {
                subject: *subject,
                tests,
                of,
                ending: ending.clone(),
                signature: signature.clone(),
            })
        })
    }
}

/// What makes a finding, or a disagreement of several programs, different from others.
fn group_of(judged: &Judged) -> Option<String> {
    let responses: Vec<_> =
        judged.verdicts.iter().map(|(judgement, _)| judgement.response).collect();
    match &judged.verdicts[..] {
        [(judgement, _)] => judgement.verdict.is_finding().then(|| {
            format!("{:?} {} {}", judgement.verdict, judgement.ending, judgement.signature)
        }),
        several => responses.windows(2).any(|pair| pair[0] != pair[1]).then(|| {
            let said = several
                .iter()
                .map(|(judgement, _)| format!("{:?} {}", judgement.response, judgement.signature));
            said.collect::<Vec<_>>().join("; ")
        }),
    }
}
