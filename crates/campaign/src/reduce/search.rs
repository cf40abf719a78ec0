//! The search for a small text: which candidate comes next, given all verdicts so far.
//!
//! A search is a value: it proposes a candidate, is told the verdict, and proposes the next one. What it proposes
//! depends on the verdicts alone, so a copy of it can be asked what it would propose after verdicts that are not known
//! yet; that is how candidates are run ahead of time without any influence on the result.
//!
//! It goes through stages: gaps, trees, lexemes, tokens, characters. After the last one it begins again, until a whole
//! round changed nothing: then every single edit of every stage was tried on the final text, and failed. Each stage has
//! a [`Plan`] of the current document and a [`Belief`] about its parts; a success makes a new document, and the belief
//! follows the parts that were kept.

use std::sync::Arc;

use super::belief::Belief;
use super::document::{Document, Stay, Tools};
use super::plan::{Change, Choice, Edit, Plan, Tried};
use super::writing::{Candidate, CandidatePart, Gaps, write, write_unread};
use super::{edits, small};

/// What is edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// All gaps at once.
    Spacing,
    /// Subtrees.
    Trees,
    /// Texts of tokens.
    Lexemes,
    /// Single gaps.
    Gaps,
    /// Tokens.
    Tokens,
    /// Characters.
    Characters,
}

impl Stage {
    /// The stages of a round; the first one is not repeated.
    const ORDER: [Self; 6] =
        [Self::Spacing, Self::Trees, Self::Lexemes, Self::Gaps, Self::Tokens, Self::Characters];

    /// Its name in progress messages.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Spacing => "spacing",
            Self::Trees => "trees",
            Self::Lexemes => "lexemes",
            Self::Gaps => "gaps",
            Self::Tokens => "tokens",
            Self::Characters => "characters",
        }
    }
}

/// How thorough a round is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    /// Edits that are not likely to succeed are left to later rounds, when the text is smaller.
    First,
    /// Every edit is tried.
    Full,
}

/// Edits with a smaller chance are left out of the first round.
const MIN_CHANCE: f64 = 0.2;

/// What a unit of the belief is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Leaf,
    Byte,
}

/// A search.
#[derive(Clone, Debug)]
pub(super) struct Search {
    document: Arc<Document>,
    stay: Arc<Stay>,
    /// Whether the input is in the language, so that texts of trees are too.
    is_inside: bool,
    gaps: Gaps,
    stage: usize,
    round: Round,
    /// Whether anything changed since the round began.
    changed: bool,
    plan: Option<Arc<Plan>>,
    tried: Tried,
    belief: Belief,
    pending: Option<Pending>,
}

/// A candidate that waits for its verdict.
#[derive(Clone, Debug)]
struct Pending {
    choice: Option<Choice>,
    candidate: Arc<Candidate>,
}

/// What a search proposes.
#[derive(Clone, Debug)]
pub(super) struct Proposal {
    pub(super) candidate: Arc<Candidate>,
    /// The estimated probability that it is interesting.
    pub(super) chance: f64,
}

impl Search {
    pub(super) fn new(tools: &mut Tools<'_>, text: &str, stay: Stay) -> Self {
        let is_inside = matches!(stay, Stay::Inside)
            || matches!(stay, Stay::Anywhere) && tools.may_try(text, &Stay::Inside);
        let document = tools.read_any(text);
        Self {
            belief: Belief::new(document.leaves.len()),
            document: Arc::new(document),
            stay: Arc::new(stay),
            is_inside,
            gaps: Gaps::Kept,
            stage: 0,
            round: Round::First,
            changed: false,
            plan: None,
            tried: Tried::default(),
            pending: None,
        }
    }

    /// The smallest interesting text so far.
    pub(super) fn text(&self) -> &str {
        &self.document.text
    }

    /// Its tokens.
    pub(super) fn tokens(&self) -> usize {
        self.document.leaves.iter().filter(|leaf| leaf.start < leaf.end).count()
    }

    pub(super) fn stage(&self) -> Stage {
        Stage::ORDER[self.stage.min(Stage::ORDER.len() - 1)]
    }

    fn unit(&self) -> Unit {
        match self.stage() {
            Stage::Characters => Unit::Byte,
            _ => Unit::Leaf,
        }
    }

    /// The next candidate; `None` if the text cannot be made smaller.
    pub(super) fn next(&mut self, tools: &mut Tools<'_>) -> Option<Proposal> {
        if let Some(pending) = &self.pending {
            let chance = pending.choice.as_ref().map_or(0.5, |choice| choice.chance);
            return Some(Proposal { candidate: Arc::clone(&pending.candidate), chance });
        }
        while self.stage < Stage::ORDER.len() {
            if self.plan.is_none() {
                self.plan = Some(Arc::new(self.make_plan(tools)));
                self.tried = self.plan.as_ref().expect("just made").untried();
            }
            if let Some(found) = self.propose(tools) {
                self.pending = Some(found);
                return self.next(tools);
            }
            self.leave_stage();
        }
        None
    }

    /// The verdict on the candidate that [`next`](Self::next) gave.
    pub(super) fn tell(&mut self, tools: &mut Tools<'_>, is_interesting: bool) {
        let Some(Pending { choice, candidate }) = self.pending.take() else { return };
        if is_interesting && self.adopt(tools, &candidate, choice.as_ref()) {
            return;
        }
        let (Some(choice), Some(plan)) = (choice, &self.plan) else { return };
        Plan::mark(&choice, &mut self.tried);
        plan.split(&choice, &mut self.belief);
    }

    fn make_plan(&self, tools: &mut Tools<'_>) -> Plan {
        let document = &self.document;
        match self.stage() {
            Stage::Spacing => {
                let gain = document.text.len();
                Plan::new(Vec::new(), vec![Edit::new(Change::AllGaps, gain)])
            }
            Stage::Trees if document.tree.nodes.is_empty() => small::token_set(document),
            Stage::Trees => edits::of_tree(tools, document),
            Stage::Lexemes => small::lexemes(tools, document),
            Stage::Gaps => match self.gaps {
                Gaps::Kept => small::gaps(document),
                Gaps::Minimal => Plan::default(),
            },
            Stage::Tokens => small::tokens(document),
            Stage::Characters => small::characters(document),
        }
    }

    /// The best edit that leads to a text that may be tried.
    fn propose(&mut self, tools: &mut Tools<'_>) -> Option<Pending> {
        let plan = Arc::clone(self.plan.as_ref()?);
        while let Some(choice) = plan.choose(&self.belief, &self.tried) {
            if self.round == Round::First && choice.chance < MIN_CHANCE {
                return None;
            }
            let edits = plan.edits(&choice);
            match self.realize(tools, &edits) {
                Some(candidate) => {
                    return Some(Pending { choice: Some(choice), candidate: Arc::new(candidate) });
                }
                None if Plan::is_alone(&choice) => Plan::mark(&choice, &mut self.tried),
                None => plan.split(&choice, &mut self.belief),
            }
        }
        None
    }

    /// The text of edits, if it is shorter and may be tried.
    fn realize(&self, tools: &mut Tools<'_>, edits: &[&Edit]) -> Option<Candidate> {
        let document = &*self.document;
        let is_shorter = |candidate: &Candidate| candidate.text.len() < document.text.len();
        let removed = match edits {
            [Edit { change: Change::Bytes(bytes), .. }] => {
                Some(bytes.start as usize..bytes.end as usize)
            }
            [Edit { change: Change::Tail, .. }] => {
                let end = document.text.len();
                Some(end - document.tail().len()..end)
            }
            _ => None,
        };
        if let Some(removed) = removed {
            return self.if_allowed(tools, Candidate::without(document, &[removed]));
        }
        let gaps = match edits {
            [Edit { change: Change::AllGaps, .. }] => Gaps::Minimal,
            _ => self.gaps,
        };
        let pieces = pieces(tools, document, edits)?;
        // Edits of trees give texts of the language by themselves, if their tokens are read back.
        let is_proven = self.is_inside && self.stage() != Stage::Tokens;
        if is_proven {
            return write(tools, document, &pieces, gaps).filter(is_shorter);
        }
        let candidate = write_unread(tools, document, &pieces, gaps)?;
        self.if_allowed(tools, candidate)
    }

    fn if_allowed(&self, tools: &mut Tools<'_>, candidate: Candidate) -> Option<Candidate> {
        let is_shorter = candidate.text.len() < self.document.text.len();
        (is_shorter && tools.may_try(&candidate.text, &self.stay)).then_some(candidate)
    }

    /// Makes an interesting candidate the document; `false` if it cannot be read.
    fn adopt(
        &mut self,
        tools: &mut Tools<'_>,
        candidate: &Candidate,
        choice: Option<&Choice>,
    ) -> bool {
        let read = match *self.stay {
            Stay::Inside => tools.read(&candidate.text).ok(),
            Stay::Outside(_) | Stay::Anywhere => Some(tools.read_any(&candidate.text)),
        };
        let Some(document) = read else { return false };
        if self.stage() == Stage::Spacing && choice.is_some() {
            self.gaps = Gaps::Minimal;
        }
        self.is_inside &=
            *self.stay == Stay::Inside || tools.may_try(&document.text, &Stay::Inside);
        self.belief = self.carry(candidate, &document);
        self.document = Arc::new(document);
        self.changed = true;
        self.plan = None;
        true
    }

    /// What is believed of the parts that were kept.
    fn carry(&self, candidate: &Candidate, document: &Document) -> Belief {
        let old = |byte: usize| -> Option<f64> {
            let from = candidate.origin(byte)?;
            match self.unit() {
                Unit::Byte => Some(self.belief.of(from)),
                Unit::Leaf => {
                    let leaf = self.document.leaf_at(from);
                    (leaf < self.document.leaves.len()).then(|| self.belief.of(leaf))
                }
            }
        };
        let costs: Vec<f64> = match self.unit() {
            Unit::Byte => {
                let prior = Belief::prior(document.text.len());
                (0..document.text.len()).map(|byte| old(byte).unwrap_or(prior)).collect()
            }
            Unit::Leaf => {
                let prior = Belief::prior(document.leaves.len());
                let of = |leaf: &super::document::Leaf| old(leaf.start as usize).unwrap_or(prior);
                document.leaves.iter().map(of).collect()
            }
        };
        Belief::of_costs(costs)
    }

    fn leave_stage(&mut self) {
        self.stage += 1;
        self.plan = None;
        if self.stage == Stage::ORDER.len() && (self.changed || self.round == Round::First) {
            self.stage = 1;
            self.changed = false;
            self.round = Round::Full;
        }
        let units = match self.unit() {
            Unit::Leaf => self.document.leaves.len(),
            Unit::Byte => self.document.text.len(),
        };
        self.belief = match self.round {
            Round::First => Belief::new(units),
            // Most of what is left is needed: single edits come first.
            Round::Full => Belief::of_costs(vec![1.0; units]),
        };
    }
}

/// The pieces of a document after edits, in order.
fn pieces(
    tools: &mut Tools<'_>,
    document: &Document,
    edits: &[&Edit],
) -> Option<Vec<CandidatePart>> {
    let mut cuts: Vec<(std::ops::Range<u32>, Option<CandidatePart>)> = Vec::new();
    let cfg = tools.language.bnf();
    for edit in edits {
        match &edit.change {
            Change::Keep { .. } | Change::Remove(_) => {
                cuts.extend(edit.change.units().into_iter().map(|units| (units, None)));
            }
            Change::Cheapest(leaves, production) => {
                let tokens = tools.yields.tokens(cfg, *production)?;
                cuts.push((leaves.clone(), Some(CandidatePart::Shortest(tokens))));
            }
            Change::Copy(leaves, of) => {
                cuts.push((leaves.clone(), Some(CandidatePart::Kept(of.clone()))));
            }
            Change::Rename(leaves, text) => cuts.extend(leaves.iter().map(|&leaf| {
                (leaf..leaf + 1, Some(CandidatePart::Renamed(leaf, Arc::clone(text))))
            })),
            Change::Gap(leaf) => {
                cuts.push((*leaf..leaf + 1, Some(CandidatePart::Tight(*leaf..leaf + 1))));
            }
            Change::AllGaps => {
                cuts.push((document.all(), Some(CandidatePart::Tight(document.all()))));
            }
            Change::Bytes(_) | Change::Tail => {}
        }
    }
    cuts.retain(|(units, _)| !units.is_empty());
    cuts.sort_by_key(|(units, _)| units.start);
    let mut pieces = Vec::with_capacity(2 * cuts.len() + 1);
    let mut at = 0;
    for (units, piece) in cuts {
        // Edits of a group do not overlap; single edits neither.
        debug_assert!(at <= units.start, "invariant: cuts are disjoint");
        if at < units.start {
            pieces.push(CandidatePart::Kept(at..units.start));
        }
        pieces.extend(piece);
        at = units.end;
    }
    let all = document.all();
    if at < all.end {
        pieces.push(CandidatePart::Kept(at..all.end));
    }
    Some(pieces)
}
