//! All errors of a failing input, each with what explains it.
//!
//! The input is read up to its first error. The best explanation says how reading goes on, so the next error is found
//! and explained, and so on: a fault that an input shows several times is found several times.

use gramercy_grammar::{RuleId, Symbol};
use gramercy_parse::tables::InputId;
use gramercy_parse::{Derivations, TextWorkspace};

use crate::chart::{Chart, Item, Reader};
use crate::reading::{Reading, TextReader};
use crate::search::Explanation;
use crate::search::gaps::Gaps;
use crate::search::lexical::{Lexical, Rematched};
use crate::search::syntax::{Stopped, TrialPoint, search};
use crate::search::weights::Weights;
use crate::slots::SlotId;
use crate::subject::Subject;

/// How much is searched.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Items of all charts of an error.
    pub items: u64,
    /// Items of all charts of characters of an error.
    pub characters: u64,
    /// Tokens before an error at which rules are changed.
    pub window: usize,
    /// Errors of an input that are explained.
    pub errors: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self { items: 12_000_000, characters: 6_000_000, window: 8, errors: 6 }
    }
}

/// What is asked about an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Which elements it exercises.
    Spectrum,
    /// Also what explains its errors.
    Explanations,
}

/// An error of an input.
#[derive(Clone, Debug)]
pub struct ExplainedError {
    /// The first token that cannot come.
    pub token: usize,
    /// Where it begins.
    pub byte: usize,
    /// How far the best explanation reads, from 0 to 1.
    pub progress: f64,
    /// What explains it.
    pub explanations: Vec<Explanation>,
    /// The slots that were live there.
    pub live: Vec<(RuleId, SlotId)>,
}

/// What is known about an input.
#[derive(Clone, Debug)]
pub struct Examined {
    /// Its errors; none if it is accepted.
    pub errors: Vec<ExplainedError>,
    /// The slots that its reading used up to the first error, or to the end.
    pub used: Vec<SlotId>,
    /// The token rules that matched.
    pub matched: Vec<RuleId>,
    /// Where its tokens begin.
    pub starts: Vec<usize>,
    /// Its preferred tree, if it is accepted.
    pub tree: Option<Derivations>,
}

/// Examines inputs.
#[derive(Debug)]
pub struct Examiner<'a, 'l> {
    subject: &'a Subject<'l>,
    weights: Weights,
    effort: Effort,
    texts: TextReader<'l>,
    workspace: TextWorkspace,
}

impl<'a, 'l> Examiner<'a, 'l> {
    /// An examiner of a grammar.
    #[must_use]
    pub fn new(subject: &'a Subject<'l>, weights: Weights, effort: Effort) -> Self {
        let texts =
            TextReader::new(subject.language(), subject.parser(), subject.slots().unknown());
        let workspace = subject.parser().workspace();
        Self { subject, weights, effort, texts, workspace }
    }

    /// Reads a text; its errors are explained if that is asked for.
    pub fn examine(&mut self, text: &str, depth: Depth) -> Examined {
        let subject = self.subject;
        let start = subject.start();
        let mut reading = self.texts.read(text);
        let mut examined = Examined {
            errors: Vec::new(),
            used: Vec::new(),
            matched: reading.steps.iter().filter_map(|step| step.rule).collect(),
            starts: reading.tokens.iter().map(|token| token.start).collect(),
            tree: None,
        };
        // An accepted text needs no chart.
        if let Ok(derived) = subject.parser().preferred(&mut self.workspace, text) {
            examined.tree = Some(derived.tree);
            return examined;
        }
        let mut inputs = reading.inputs();
        let mut reader = Reader::new(subject.slots(), u64::MAX);
        let mut chart = reader.begin(start, &inputs);
        let mut reached = reader.read(&mut chart, start, &inputs);
        examined.used = used(&chart);
        if reached.accepted {
            return examined;
        }
        if depth == Depth::Spectrum {
            let byte = reading.tokens.get(reached.level).map_or(text.len(), |token| token.start);
            let (explanations, live) = (Vec::new(), Vec::new());
            let token = reached.level;
            let error = ExplainedError { token, byte, progress: 0.0, explanations, live };
            examined.errors.push(error);
            return examined;
        }
        let mut gaps = Gaps::default();
        while !reached.accepted && examined.errors.len() < self.effort.errors {
            let found = self.explain(
                &mut gaps,
                &mut reader,
                text,
                &reading,
                &inputs,
                &chart,
                reached.level,
            );
            let Found { error, best, places } = found;
            let level = error.token;
            examined.errors.push(error);
            let Some(best) = best else { break };
            let before = chart.reached();
            reader.budget = u64::MAX;
            match self.recover(&mut reader, &inputs, &mut chart, places, best) {
                Recovered::Same => {}
                Recovered::Reread(next) => {
                    reading = next;
                    inputs = reading.inputs();
                    gaps.clear();
                }
            }
            reached = reader.read(&mut chart, start, &inputs);
            if reached.level <= before.max(level) && !reached.accepted {
                break;
            }
        }
        examined
    }

    #[expect(clippy::too_many_arguments, reason = "the state of a reading")]
    fn explain(
        &mut self,
        gaps: &mut Gaps,
        reader: &mut Reader<'_>,
        text: &str,
        reading: &Reading,
        inputs: &[InputId],
        chart: &Chart,
        error: usize,
    ) -> Found {
        let subject = self.subject;
        let texts: Vec<_> =
            reading.tokens.iter().map(|token| &text[token.start..token.end]).collect();
        let stopped = Stopped { chart, input: (subject.start(), inputs), texts: &texts, error };
        reader.budget = self.effort.items;
        let first = error.saturating_sub(self.effort.window);
        let places: Vec<_> =
            (first..=error).rev().map(|at| TrialPoint::new(reader, &stopped, at)).collect();
        let mut explanations: Vec<(Explanation, Option<Rematched>)> = Vec::new();
        if let Some(spellings) = subject.spellings() {
            let lexical = Lexical { subject, spellings, weights: &self.weights, text, reading };
            let mut characters = Reader::new(spellings.slots(), self.effort.characters);
            reader.budget = self.effort.items;
            let readers = (&mut *reader, &mut characters, &mut self.texts);
            let found = lexical.search(readers, &stopped, &places);
            explanations
                .extend(found.into_iter().map(|(explanation, how)| (explanation, Some(how))));
        }
        reader.budget = self.effort.items;
        let found = search(subject, &self.weights, reader, gaps, &stopped, &places);
        explanations.extend(found.into_iter().map(|mut explanation| {
            let tokens = &reading.tokens[explanation.token..explanation.token + explanation.gap];
            if let (Some(first), Some(last)) = (tokens.first(), tokens.last()) {
                explanation.inserted = (first.start, last.end);
            }
            (explanation, None)
        }));
        explanations.sort_by(|(a, _), (b, _)| a.energy.total_cmp(&b.energy));
        let best = explanations.first().cloned();
        let byte = reading.tokens.get(error).map_or(text.len(), |token| token.start);
        let live = places[0].live(subject).collect();
        let explanations = explanations.into_iter().map(|(explanation, _)| explanation).collect();
        let progress = best.as_ref().map_or(0.0, |(best, _)| {
            let read = best.reached.level.saturating_sub(error);
            self.weights.benefit(read, inputs.len() - error, false) / self.weights.progress
        });
        Found {
            error: ExplainedError { token: error, byte, progress, explanations, live },
            best,
            places,
        }
    }

    /// Reads on as the best explanation does.
    fn recover(
        &self,
        reader: &mut Reader<'_>,
        inputs: &[InputId],
        chart: &mut Chart,
        places: Vec<TrialPoint>,
        (explanation, rematched): (Explanation, Option<Rematched>),
    ) -> Recovered {
        let slots = self.subject.slots();
        let place = places.into_iter().find(|place| place.at == explanation.token);
        let place = place.expect("invariant: explanations come from these places");
        let items = place.frontier.items();
        let (start, limit) = (self.subject.start(), explanation.reached.level);
        if let Some(Rematched { visible, reading, .. }) = rematched {
            let (seeds, at): (Vec<_>, _) = match visible {
                Some(token) => {
                    let input = InputId::of_token(token);
                    let reads = |item: &&Item| match slots.next(item.slot) {
                        Some(Symbol::Terminal(terminal)) => slots.is(input, terminal),
                        _ => false,
                    };
                    let read = items.iter().filter(reads);
                    let after = |item: &Item| Item { slot: slots.after(item.slot), ..*item };
                    (read.map(after).collect(), place.at + 1)
                }
                None => (items.to_vec(), place.at),
            };
            let inputs = reading.inputs();
            let base = (&place.frontier, place.at);
            let trial = reader.attempt(chart, base, &seeds, at, (start, &inputs), limit);
            chart.adopt(place.frontier, trial);
            return Recovered::Reread(reading);
        }
        let target = explanation.target;
        let seeds: Vec<_> = items
            .iter()
            .filter(|item| item.slot == explanation.slot)
            .map(|item| Item { slot: target, origin: item.origin })
            .collect();
        let at = place.at + explanation.gap;
        let base = (&place.frontier, place.at);
        let trial = reader.attempt(chart, base, &seeds, at, (start, inputs), limit.max(at));
        chart.adopt(place.frontier, trial);
        Recovered::Same
    }
}

struct Found {
    error: ExplainedError,
    best: Option<(Explanation, Option<Rematched>)>,
    places: Vec<TrialPoint>,
}

enum Recovered {
    Same,
    Reread(Reading),
}

/// The slots of all items of a chart that read something.
fn used(chart: &Chart) -> Vec<SlotId> {
    let mut used: Vec<_> = (0..=chart.reached())
        .flat_map(|at| chart.level(at).items())
        .map(|item| item.slot)
        .collect();
    used.sort_unstable();
    used.dedup();
    used
}
