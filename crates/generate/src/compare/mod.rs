//! Compares the suites of criteria and strategies, and suites that exist already (Rossouw and Fischer, JSS 2024:
//! Table 2, and the second item of its future work).
//!
//! Each contender has one or several suites, which break ties differently. The comparison counts the distinct
//! sentences and the bytes of each suite, the distinct sentences of all suites of one contender (*merged*) and of two
//! contenders (*composite*), and the sentences that only one contender has (*exclusive*). It also measures how much of
//! each criterion the first suite of each contender reaches. All trees of that suite count, those of equal sentences
//! included, because a sentence may be made for several targets by several trees. Where both contenders have several
//! suites, a Mann-Whitney test says whether the sizes differ.
//!
//! Sentences are identified by 128-bit fingerprints. Memory: about 40 bytes per sentence, one bit per target.
//!
//! In reading order: `mod`, [`sample`], [`mann_whitney`].

pub mod mann_whitney;
pub mod sample;

use gramercy_base::{Id, Map, Set};
use gramercy_coverage::{Criterion, Reading, TargetSet};
use gramercy_grammar::{Bnf, TerminalId, Tree};
use gramercy_parse::Derivations;

use gramercy_derive::candidate::Candidate;
use gramercy_derive::strategy::{Outcome, Strategy};
pub use mann_whitney::MannWhitney;
pub use sample::Sample;

/// How many contenders there are at most.
pub const MAX_CONTENDERS: usize = 64;

/// A test of a suite that is compared.
#[derive(Clone, Copy, Debug)]
pub enum Compared<'t> {
    /// One that was made from a tree.
    Made(&'t Candidate),
    /// One that was read: its tokens, and its derivations.
    Read(&'t [TerminalId], &'t Derivations),
}

/// A criterion or suite that takes part.
#[derive(Debug)]
pub struct Contender<'c> {
    /// As the user names it.
    pub name: String,
    /// What its suites are to cover, and others are measured by; `None` if it has no targets.
    pub criterion: Option<Box<dyn Criterion + 'c>>,
}

/// A comparison under way: suites are told one after the other, test by test.
#[derive(Debug)]
pub struct Comparing<'c> {
    bnf: &'c Bnf,
    contenders: Vec<Contender<'c>>,
    /// How many targets of each can be covered; 0 if it has none.
    coverable: Vec<u64>,
    sizes: Vec<Sample>,
    bytes: Vec<Sample>,
    /// Who has a sentence, a bit each.
    owners: Map<u128, u64>,
    /// What the first suite of each contender reaches of each criterion.
    reached: Vec<Vec<TargetSet>>,
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Each contender on its own.
    pub standings: Vec<Standing>,
    /// Every two of them, the first being listed before the second.
    pub pairs: Vec<Pair>,
    /// The number of sentences of all together.
    pub all: u64,
}

/// A contender on its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Its name.
    pub name: String,
    /// The numbers of distinct sentences of its suites.
    pub sizes: Sample,
    /// The bytes of its suites.
    pub bytes: Sample,
    /// The number of distinct sentences of all its suites together.
    pub merged: u64,
    /// How many of these no other contender has.
    pub exclusive: u64,
    /// How many targets can be covered; `None` if it has none.
    pub coverable: Option<u64>,
    /// How many of these targets the first suite of each contender reaches; empty if it has none.
    pub reached_by: Vec<u64>,
}

/// Two contenders.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The first of them, counted from 0.
    pub first: usize,
    /// The second.
    pub second: usize,
    /// The number of sentences of all their suites together.
    pub composite: u64,
    /// How many of these only the first has.
    pub only_first: u64,
    /// How many only the second has.
    pub only_second: u64,
    /// Whether their sizes differ, if both have several suites.
    pub sizes: Option<MannWhitney>,
}

impl<'c> Comparing<'c> {
    /// A comparison of these.
    ///
    /// # Panics
    /// If they are more than [`MAX_CONTENDERS`].
    #[must_use]
    pub fn new(bnf: &'c Bnf, contenders: Vec<Contender<'c>>) -> Self {
        let count = contenders.len();
        assert!(count <= MAX_CONTENDERS, "invariant: there are at most {MAX_CONTENDERS}");
        let coverable = |one: &Contender<'_>| one.criterion.as_ref().map_or(0, |it| it.coverable());
        Self {
            bnf,
            coverable: contenders.iter().map(coverable).collect(),
            contenders,
            sizes: vec![Sample::default(); count],
            bytes: vec![Sample::default(); count],
            owners: Map::default(),
            reached: vec![vec![TargetSet::new(); count]; count],
        }
    }

    /// Takes a suite of a contender. `make` is given what takes the tests, one by one, each with the
    /// bytes of its text.
    ///
    /// # Errors
    /// Those of `make`; the suite then does not count.
    pub fn suite<E>(
        &mut self,
        contender: usize,
        make: impl FnOnce(&mut dyn FnMut(Compared<'_>, u64)) -> Result<(), E>,
    ) -> Result<(), E> {
        let is_first = self.sizes[contender].is_empty();
        let mut sentences: Set<u128> = Set::default();
        let mut bytes = 0;
        let reached = &mut self.reached[contender];
        make(&mut |test, length| {
            let tokens = match test {
                Compared::Made(candidate) => &candidate.tokens[..],
                Compared::Read(tokens, _) => tokens,
            };
            if sentences.insert(fingerprint(tokens)) {
                bytes += length;
            }
            // What is reached altogether need not be measured any more.
            let is_open = |(reached, coverable): (&TargetSet, &u64)| reached.len() < *coverable;
            if is_first && reached.iter().zip(&self.coverable).any(is_open) {
                cover(self.bnf, &self.contenders, test, (reached, &self.coverable));
            }
        })?;
        self.sizes[contender].push(sentences.len() as u64);
        self.bytes[contender].push(bytes);
        #[expect(clippy::iter_over_hash_type, reason = "bits are set in any order")]
        for sentence in sentences {
            *self.owners.entry(sentence).or_default() |= 1 << contender;
        }
        Ok(())
    }

    /// What came out.
    #[must_use]
    pub fn finish(self) -> Comparison {
        let owners = Owners::of(&self.owners);
        let standings = (0..self.contenders.len()).map(|at| self.standing(at, &owners)).collect();
        let pairs = (0..self.contenders.len())
            .flat_map(|second| (0..second).map(move |first| (first, second)));
        let pairs = pairs.map(|(first, second)| self.pair(first, second, &owners));
        let (mut pairs, all) = (pairs.collect::<Vec<_>>(), self.owners.len() as u64);
        pairs.sort_by_key(|pair| (pair.first, pair.second));
        Comparison { standings, pairs, all }
    }

    fn standing(&self, at: usize, owners: &Owners) -> Standing {
        let contender = &self.contenders[at];
        let coverable = contender.criterion.as_ref().map(|_| self.coverable[at]);
        let reached_by = match coverable {
            Some(_) => self.reached.iter().map(|of| of[at].len()).collect(),
            None => Vec::new(),
        };
        Standing {
            name: contender.name.clone(),
            sizes: self.sizes[at].clone(),
            bytes: self.bytes[at].clone(),
            merged: owners.count(|who| who & (1 << at) != 0),
            exclusive: owners.count(|who| who == 1 << at),
            coverable,
            reached_by,
        }
    }

    fn pair(&self, first: usize, second: usize, owners: &Owners) -> Pair {
        let has = |who: u64, at: usize| who & (1 << at) != 0;
        let (a, b) = (self.sizes[first].values(), self.sizes[second].values());
        Pair {
            first,
            second,
            composite: owners.count(|who| has(who, first) || has(who, second)),
            only_first: owners.count(|who| has(who, first) && !has(who, second)),
            only_second: owners.count(|who| !has(who, first) && has(who, second)),
            sizes: (a.len() > 1 && b.len() > 1).then(|| MannWhitney::of(a, b)),
        }
    }
}

/// How many sentences each set of contenders has for itself, a set being a bit each.
struct Owners(Map<u64, u64>);

impl Owners {
    fn of(sentences: &Map<u128, u64>) -> Self {
        let mut owners: Map<u64, u64> = Map::default();
        sentences.values().for_each(|&who| *owners.entry(who).or_default() += 1);
        Self(owners)
    }

    /// The sentences of all sets for which something holds.
    fn count(&self, holds: impl Fn(u64) -> bool) -> u64 {
        self.0.iter().filter(|&(&who, _)| holds(who)).map(|(_, sentences)| sentences).sum()
    }
}

impl Comparison {
    /// What share of a criterion's targets the first suite of a contender reaches, from 0 to 1; `None`
    /// if there are no targets.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share for people")]
    pub fn share(&self, criterion: usize, reached_by: usize) -> Option<f64> {
        let standing = &self.standings[criterion];
        let coverable = standing.coverable.filter(|&coverable| coverable > 0)?;
        Some(standing.reached_by[reached_by] as f64 / coverable as f64)
    }
}

/// All tests of a strategy, first attempts only.
pub fn each_test(strategy: &mut Strategy<'_>, take: &mut dyn FnMut(&Candidate)) {
    let mut candidate = Candidate::default();
    match strategy {
        Strategy::Indexed(strategy) => {
            let mut proposer = strategy.proposer();
            for number in 0..strategy.count() {
                candidate.clear();
                if proposer.propose(number, 0, &mut candidate) {
                    take(&candidate);
                }
            }
        }
        Strategy::Sequential(strategy) => loop {
            candidate.clear();
            if !strategy.propose(&mut candidate) {
                return;
            }
            take(&candidate);
            strategy.conclude(Outcome::Accepted, &mut candidate);
        },
    }
}

/// Adds the targets that a test reaches, for every criterion with targets that are not reached yet.
fn cover(
    bnf: &Bnf,
    contenders: &[Contender<'_>],
    test: Compared<'_>,
    (reached, coverable): (&mut [TargetSet], &[u64]),
) {
    let of_tree;
    let derivations = match test {
        Compared::Made(candidate) => {
            let tree = Tree::new(bnf, candidate.productions.clone());
            of_tree = Derivations::of_tree(bnf, &tree);
            &of_tree
        }
        Compared::Read(_, derivations) => derivations,
    };
    for ((contender, reached), &coverable) in contenders.iter().zip(reached).zip(coverable) {
        if let Some(criterion) = &contender.criterion
            && reached.len() < coverable
        {
            criterion.cover(&Reading::of(derivations), reached);
        }
    }
}

/// 128 bits of a sentence.
fn fingerprint(tokens: &[TerminalId]) -> u128 {
    const START: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
    const FACTOR: u128 = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645;
    tokens.iter().fold(START, |hash, token| {
        let mixed = (hash ^ token.index() as u128).wrapping_mul(FACTOR);
        mixed ^ (mixed >> 61)
    })
}
