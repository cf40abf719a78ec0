//! Uniform trees as candidates for tests.
//!
//! A candidate is never repaired: a tree that no text has is rejected, and another one is drawn for the same test. So
//! the tests are uniform among the trees that have a text, and how many were rejected is counted.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use gramercy_base::LimitReached;
use gramercy_derive::candidate::Candidate;
use gramercy_derive::strategy::{Indexed, Propose};

use super::boltzmann::Boltzmann;
use super::rank::Ranking;
use super::sampler::{Sampler, Scratch};
use super::space::TreeSpace;
use super::stream::Stream;
use super::words::WordTrees;

/// What was drawn, over all workers.
#[derive(Debug, Default)]
pub struct Drawn {
    trees: AtomicU64,
    repeated: AtomicU64,
    attempts: AtomicU64,
    gave_up: AtomicU64,
    /// Trees of an accepted size, the sum of their sizes, the complement of the smallest, and the largest.
    sized: AtomicU64,
    sizes: AtomicU64,
    smallest: AtomicU64,
    largest: AtomicU64,
    limit: Mutex<Option<LimitReached>>,
}

impl Drawn {
    /// Trees that were drawn.
    #[must_use]
    pub fn trees(&self) -> u64 {
        self.trees.load(Ordering::Relaxed)
    }

    /// Trees that were not kept because their word has others.
    #[must_use]
    pub fn repeated(&self) -> u64 {
        self.repeated.load(Ordering::Relaxed)
    }

    /// Trees that were drawn because another one has no text.
    #[must_use]
    pub fn rejected(&self) -> u64 {
        self.attempts.load(Ordering::Relaxed)
    }

    /// Tests for which no word was kept.
    #[must_use]
    pub fn gave_up(&self) -> u64 {
        self.gave_up.load(Ordering::Relaxed)
    }

    /// The number of trees of an accepted size, where sizes are random, with the least, the mean and the greatest.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a mean for people")]
    pub fn sizes(&self) -> Option<(u64, u64, f64, u64)> {
        let load = |of: &AtomicU64| of.load(Ordering::Relaxed);
        let sized = load(&self.sized);
        let mean = load(&self.sizes) as f64 / sized as f64;
        (sized > 0).then(|| (sized, u64::MAX - load(&self.smallest), mean, load(&self.largest)))
    }

    /// The limit that counting the trees of a word met, if any.
    #[must_use]
    pub fn limit(&self) -> Option<LimitReached> {
        *self.limit.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How often a tree is drawn for a test before its word is given up: beyond that a grammar is too ambiguous.
pub const MAX_DRAWS: u64 = 20_000;

/// Uniform trees, independent of each other.
#[derive(Debug)]
pub struct UniformTrees {
    /// Samplers, each with the share of tests that it makes, added up to 1.
    samplers: Vec<(f64, Sampler)>,
    words: Option<WordTrees>,
    seed: u64,
    count: u64,
    drawn: Arc<Drawn>,
}

impl UniformTrees {
    /// Trees of some samplers, each chosen with a probability; all or, with a counter of their trees, words.
    #[must_use]
    pub fn new(
        samplers: Vec<(f64, Sampler)>,
        words: Option<WordTrees>,
        seed: u64,
        count: u64,
    ) -> Self {
        Self { samplers, words, seed, count, drawn: Arc::default() }
    }

    /// What was drawn so far.
    #[must_use]
    pub fn drawn(&self) -> Arc<Drawn> {
        Arc::clone(&self.drawn)
    }

    /// The share of trees that are accepted, if it is too small to find words: judged by the first trees of a stream of
    /// its own. Words with few trees can be too rare to be among these; then the true share is larger.
    ///
    /// # Errors
    /// If the trees of a word are too many to be counted.
    pub fn hopeless_share(&self) -> Result<Option<f64>, LimitReached> {
        let Some(words) = &self.words else { return Ok(None) };
        let mut stream = Stream::new([self.seed, 0, 0, JUDGED]);
        let (mut workspace, mut scratch) = (words.workspace(), Scratch::default());
        let (mut candidate, mut accepted) = (Candidate::default(), 0.0);
        let mut drawn = 0;
        for (most, share) in HOPELESS {
            while drawn < most {
                drawn += 1;
                candidate.clear();
                self.sampler(&mut stream).draw(&mut stream, &mut scratch, &mut candidate);
                let trees = words.count(&mut workspace, &candidate.tokens)?.max(UBig::ONE);
                accepted += share_of(&trees);
                if accepted > f64::from(JUDGING) * SMALLEST_SHARE {
                    return Ok(None);
                }
            }
            let mean = accepted / f64::from(most);
            if mean < share {
                return Ok(Some(mean));
            }
        }
        Ok(None)
    }

    fn sampler(&self, stream: &mut Stream) -> &Sampler {
        pick(&self.samplers, stream)
    }
}

/// One of some samplers, each with its share of tests, added up to 1.
pub(super) fn pick<'s>(samplers: &'s [(f64, Sampler)], stream: &mut Stream) -> &'s Sampler {
    if let [(_, only)] = samplers {
        return only;
    }
    let mut share = stream.share();
    for (probability, sampler) in samplers {
        if share < *probability {
            return sampler;
        }
        share -= probability;
    }
    &samplers.last().expect("invariant: there is a sampler").1
}

/// The keys of streams are the same as those of no other method.
const TREES: u64 = 16;
/// The key of the stream by which the share of accepted trees is judged.
const JUDGED: u64 = 19;
/// The most trees by which it is judged.
const JUDGING: u32 = 2000;
/// With a smaller share hardly any of [`MAX_DRAWS`] trees is accepted.
const SMALLEST_SHARE: f64 = 5e-7;
/// After a number of trees, the share below which there is no hope: with few trees only a tiny one is trusted.
const HOPELESS: [(u32, f64); 2] = [(200, 1e-11), (JUDGING, SMALLEST_SHARE)];

/// One over a number, up to a factor of two.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn share_of(trees: &UBig) -> f64 {
    (1.0 - trees.bit_len() as f64).exp2()
}

impl Indexed for UniformTrees {
    fn count(&self) -> u64 {
        self.count
    }

    fn proposer(&self) -> Box<dyn Propose + '_> {
        let mut scratch = Scratch::default();
        let mut words = self.words.as_ref().map(|words| (words, words.workspace()));
        Box::new(move |number, attempt: u32, candidate: &mut Candidate| {
            let mut stream = Stream::new([self.seed, number, attempt.into(), TREES]);
            if attempt > 0 {
                self.drawn.attempts.fetch_add(1, Ordering::Relaxed);
            }
            for _ in 0..MAX_DRAWS {
                candidate.clear();
                self.sampler(&mut stream).draw(&mut stream, &mut scratch, candidate);
                self.drawn.trees.fetch_add(1, Ordering::Relaxed);
                let Some((words, workspace)) = &mut words else { return true };
                match words.count(workspace, &candidate.tokens) {
                    Ok(trees) => {
                        if stream.below(&trees.max(UBig::ONE)).is_zero() {
                            return true;
                        }
                        self.drawn.repeated.fetch_add(1, Ordering::Relaxed);
                    }
                    Err(limit) => {
                        let mut known =
                            self.drawn.limit.lock().unwrap_or_else(PoisonError::into_inner);
                        *known = Some(limit);
                        return false;
                    }
                }
            }
            self.drawn.gave_up.fetch_add(1, Ordering::Relaxed);
            false
        })
    }
}

/// Trees of a Boltzmann sampler, of sizes near the requested one.
#[derive(Debug)]
pub struct BoltzmannTrees {
    sampler: Boltzmann,
    space: Arc<TreeSpace>,
    seed: u64,
    count: u64,
    drawn: Arc<Drawn>,
}

impl BoltzmannTrees {
    /// Trees of a sampler with sizes in the range of a space.
    #[must_use]
    pub fn new(sampler: Boltzmann, space: Arc<TreeSpace>, seed: u64, count: u64) -> Self {
        Self { sampler, space, seed, count, drawn: Arc::default() }
    }

    /// What was drawn so far.
    #[must_use]
    pub fn drawn(&self) -> Arc<Drawn> {
        Arc::clone(&self.drawn)
    }
}

/// How often a tree is drawn for a test until one has a size within the range.
const MAX_SIZES: u64 = 10_000_000;

impl Indexed for BoltzmannTrees {
    fn count(&self) -> u64 {
        self.count
    }

    fn proposer(&self) -> Box<dyn Propose + '_> {
        Box::new(|number, attempt: u32, candidate: &mut Candidate| {
            let mut stream = Stream::new([self.seed, number, attempt.into(), BOLTZMANN]);
            let range = self.space.range();
            if attempt > 0 {
                self.drawn.attempts.fetch_add(1, Ordering::Relaxed);
            }
            for _ in 0..MAX_SIZES {
                candidate.clear();
                self.drawn.trees.fetch_add(1, Ordering::Relaxed);
                let size = self.sampler.draw(&self.space, range.most, &mut stream, candidate);
                if let Some(size) = size.filter(|size| *size >= range.least) {
                    self.drawn.sizes.fetch_add(size as u64, Ordering::Relaxed);
                    self.drawn.sized.fetch_add(1, Ordering::Relaxed);
                    self.drawn.smallest.fetch_max(u64::MAX - size as u64, Ordering::Relaxed);
                    self.drawn.largest.fetch_max(size as u64, Ordering::Relaxed);
                    return true;
                }
            }
            self.drawn.gave_up.fetch_add(1, Ordering::Relaxed);
            false
        })
    }
}

/// The keys of streams are the same as those of no other method.
const BOLTZMANN: u64 = 18;

/// Trees by their ranks, in order.
#[derive(Debug)]
pub struct RankedTrees {
    ranking: Ranking,
    ranks: Ranks,
}

/// Which trees.
#[derive(Clone, Debug)]
pub enum Ranks {
    /// The first trees, up to this number.
    First(u64),
    /// These.
    These(Vec<UBig>),
}

impl RankedTrees {
    /// The trees of some ranks.
    #[must_use]
    pub fn new(ranking: Ranking, ranks: Ranks) -> Self {
        Self { ranking, ranks }
    }
}

impl Indexed for RankedTrees {
    fn count(&self) -> u64 {
        match &self.ranks {
            Ranks::First(count) => *count,
            Ranks::These(ranks) => ranks.len() as u64,
        }
    }

    fn proposer(&self) -> Box<dyn Propose + '_> {
        Box::new(|number, attempt, candidate: &mut Candidate| {
            let rank = match &self.ranks {
                Ranks::First(_) => UBig::from(number),
                Ranks::These(ranks) => ranks[usize::try_from(number).unwrap_or(usize::MAX)].clone(),
            };
            // The tree of a rank is this one and no other: what has no text stays unwritten.
            attempt == 0 && self.ranking.unrank(&rank, candidate)
        })
    }
}
