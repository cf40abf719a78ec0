//! Changes of token rules that explain an error.
//!
//! At every match of the lexer near an error, each token rule that could have matched there is read over the
//! characters with its own chart. Where it stops, its live items are changed: a set of characters is widened by the
//! character that cannot come, characters are inserted, a part is left out or repeated. If the rule then matches up to
//! some byte, the text after is cut into tokens again and the parser reads on. A rule that matches a shorter text, or
//! instead of the rule that won, is tried without a change.
//!
//! Example: `STRING : '"' ~["]* '"'` on `"a\"b"`: the string ends at the escaped quote, and `b` cannot come. With `"`
//! added to the set the rule matches the whole text, and the parser reads on to the end.
//!
//! A trial costs the characters of a token and the tokens that are read after it.

use gramercy_base::{Id, IndexMap};
use gramercy_grammar::{ModeId, NonterminalId, RuleId, Symbol, TerminalId};
use gramercy_lexis::{Effect, Emission, effect};
use gramercy_parse::tables::InputId;

use crate::chart::{Chart, Item, Level, Overlay, Reached, Reader, Trial, by_slot};
use crate::kinds::Kinds;
use crate::reading::{Reading, Step, TextReader, Token};
use crate::search::gaps::GROWTH;
use crate::search::syntax::{Stopped, TrialPoint, count};
use crate::search::weights::{HORIZON, Weights};
use crate::search::{Change, Explanation, Layer};
use crate::slots::SlotId;
use crate::spellings::{self, Spellings};
use crate::subject::Subject;

/// Characters of a token that are read.
const MAX_TOKEN: usize = 400;
/// Characters that are inserted into a token rule.
const MAX_INSERTED: usize = 3;
/// Characters that a set is widened by.
const MAX_WIDENED: usize = 6;
/// Characters before the place where a rule stops at which it is changed.
const LOOK_BACK: usize = 2;
/// Ends of a changed match that are tried.
const MAX_ENDS: usize = 6;
/// Text after a changed token that is cut into tokens again.
const MAX_REREAD: usize = 3000;

/// What is searched.
#[derive(Debug)]
pub struct Lexical<'a, 'l> {
    /// The grammar.
    pub subject: &'a Subject<'l>,
    /// Its lexical rules.
    pub spellings: &'a Spellings,
    /// What changes cost.
    pub weights: &'a Weights,
    /// The text.
    pub text: &'a str,
    /// The text as tokens.
    pub reading: &'a Reading,
}

/// A way in which a token rule can match a text.
#[derive(Clone, Copy, Debug)]
struct Way {
    owner: RuleId,
    slot: SlotId,
    change: Change,
    gap: usize,
    /// The characters that are new, from byte to byte.
    inserted: (usize, usize),
    cost: f64,
}

/// A match of a token rule that is tried: what the parser sees of it, and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Rematch {
    rule: RuleId,
    end: usize,
}

impl Lexical<'_, '_> {
    /// Searches the changes at the matches of some places. `look` tells what a place is.
    pub fn search(
        &self,
        readers: (&mut Reader<'_>, &mut Reader<'_>, &mut TextReader<'_>),
        stopped: &Stopped<'_>,
        places: &[TrialPoint],
    ) -> Vec<(Explanation, Rematched)> {
        let (tokens, characters, texts) = readers;
        let mut found = Vec::new();
        for step in &self.reading.steps {
            let Some(place) = places.iter().find(|place| place.at == step.level) else { continue };
            // Hidden text after the offending token comes too late.
            if self.reading.tokens.get(stopped.error).is_some_and(|token| step.start > token.start)
            {
                continue;
            }
            self.step(tokens, characters, texts, stopped, place, step, &mut found);
        }
        found
    }

    #[expect(clippy::too_many_arguments, reason = "three readers with scratch memory")]
    fn step(
        &self,
        tokens: &mut Reader<'_>,
        characters: &mut Reader<'_>,
        texts: &mut TextReader<'_>,
        stopped: &Stopped<'_>,
        place: &TrialPoint,
        step: &Step,
        found: &mut Vec<(Explanation, Rematched)>,
    ) {
        let grammar = self.subject.grammar();
        let Some(lexicon) = grammar.lexicon() else { return };
        let mode = *step.modes.last().expect("invariant: there is a mode");
        for &rule in &lexicon.modes[mode].rules {
            if tokens.budget == 0 || characters.budget == 0 {
                return;
            }
            let effect = self.effect(rule);
            let visible = visible(&effect);
            if visible.is_some_and(|token| !place.expects(self.subject, InputId::of_token(token))) {
                continue;
            }
            let ways = self.ways(characters, step, rule);
            for (rematch, ways) in ways {
                let mut modes = step.modes.clone();
                if effect.change_modes(&mut modes).is_err() {
                    continue;
                }
                let trial =
                    self.attempt(tokens, texts, stopped, place, step, visible, rematch.end, modes);
                let Some((reached, benefit, inputs)) = trial else { continue };
                let hidden = match visible {
                    None => {
                        let (hidden, symbol) = (self.weights.hidden, self.weights.symbol);
                        let swallowed = self.swallowed(step.start, rematch.end);
                        let hidden = if step.rule.is_some() { hidden } else { hidden / 4.0 };
                        hidden + symbol * count(swallowed).powf(GROWTH)
                    }
                    Some(_) => 0.0,
                };
                for way in ways {
                    let distance = self.weights.token_distance * count(stopped.error - place.at);
                    let explanation = Explanation {
                        rule: way.owner,
                        change: way.change,
                        layer: Layer::Lexis,
                        slot: way.slot,
                        target: way.slot,
                        token: place.at,
                        gap: way.gap,
                        inserted: way.inserted,
                        reached,
                        energy: way.cost + hidden + distance - benefit,
                    };
                    let rematched = Rematched { place: place.at, visible, reading: inputs.clone() };
                    found.push((explanation, rematched));
                }
            }
        }
    }

    /// How many tokens of the parser begin in a range of bytes; text that is no token does not count.
    fn swallowed(&self, from: usize, to: usize) -> usize {
        let unknown = self.subject.slots().unknown();
        let is_inside =
            |token: &&Token| from <= token.start && token.start < to && token.input != unknown;
        self.reading.tokens.iter().filter(is_inside).count()
    }

    fn effect(&self, rule: RuleId) -> Effect {
        let grammar = self.subject.grammar();
        let token = grammar.rules()[rule].token().expect("invariant: modes have token rules").token;
        Effect::new(token, spellings::commands(grammar, rule))
    }

    /// All ways in which a rule could match at a step, by where the match ends.
    fn ways(
        &self,
        characters: &mut Reader<'_>,
        step: &Step,
        rule: RuleId,
    ) -> IndexMap<Rematch, Vec<Way>> {
        let mut ways: IndexMap<Rematch, Vec<Way>> = IndexMap::default();
        let Some(start) = self.spellings.nonterminal(rule) else { return ways };
        let grammar = self.subject.grammar();
        let is_implicit = grammar.rules()[rule].token().is_some_and(|token| token.implicit);
        let rest: Vec<char> = self.text[step.start..].chars().take(MAX_TOKEN).collect();
        let inputs: Vec<_> = rest.iter().map(|&c| self.spellings.input(c)).collect();
        let chart = &mut characters.begin(start, &inputs);
        let stop = characters.read(chart, start, &inputs).level;
        let is_won = step.rule.is_some();
        let actual = step.end - step.start;
        let mut push = |bytes: usize, way: Way| {
            let end = step.start + bytes;
            // Without a change only another match counts; with one it has to be longer than the match that won.
            let counts = match way.change {
                Change::Rematch => step.rule != Some(rule) || bytes != actual,
                _ => !is_won || bytes > actual,
            };
            if counts && bytes > 0 {
                ways.entry(Rematch { rule, end }).or_default().push(way);
            }
        };
        let bytes = |chars: usize| rest[..chars].iter().map(|c| c.len_utf8()).sum::<usize>();
        let whole = Whole { characters: self.spellings, start };
        for level in (1..=stop).filter(|&level| whole.ends(chart.level(level))) {
            let slot = SlotId::from_index(0);
            let is_keyword = bytes(level) == actual;
            let cost = if is_keyword { self.weights.keyword } else { self.weights.rematch };
            let inserted = (step.start, step.start + bytes(level));
            let change = Change::Rematch;
            push(bytes(level), Way { owner: rule, slot, change, gap: 0, inserted, cost });
        }
        if is_implicit || spellings::is_fixed(grammar, rule) {
            return ways;
        }
        let matched = match stop {
            0 => -self.weights.unmatched,
            _ => self.weights.matched * count(stop).log2().min(5.0),
        };
        for at in stop.saturating_sub(LOOK_BACK)..=stop {
            let frontier = characters.frontier(chart, start, &inputs, at);
            for (slot, origins) in by_slot(&frontier) {
                let changed = Changed {
                    chart,
                    text: &rest,
                    frontier: &frontier,
                    at,
                    slot,
                    origins: &origins,
                };
                self.changes(characters, start, &inputs, &changed, &mut |end, mut way| {
                    way.cost -= matched;
                    if stop == 0 && way.change != Change::Widen {
                        way.cost += self.weights.unmatched;
                    }
                    let gap = if way.change == Change::Widen { 1 } else { way.gap };
                    way.inserted = (step.start + bytes(at), step.start + bytes(at + gap));
                    push(bytes(end), way);
                });
            }
        }
        ways
    }

    /// All changes of one item of a token rule.
    fn changes(
        &self,
        characters: &mut Reader<'_>,
        start: NonterminalId,
        inputs: &[InputId],
        changed: &Changed<'_>,
        push: &mut dyn FnMut(usize, Way),
    ) {
        let (slots, weights) = (self.spellings.slots(), self.weights);
        let source = changed.slot;
        let owner = self.spellings.owner(slots.cfg().lhs(slots.production(source)));
        let next = slots.next(source);
        let whole = Whole { characters: self.spellings, start };
        let mut attempt = |characters: &mut Reader<'_>,
                           target: SlotId,
                           gap: usize,
                           change: Change,
                           cost: f64| {
            let at = changed.at + gap;
            let goes_on = match inputs.get(at) {
                Some(&input) => slots.may_end(target) || slots.may_read(target, input),
                None => slots.may_end(target),
            };
            if !goes_on || at > inputs.len() {
                return;
            }
            let seeds: Vec<_> =
                changed.origins.iter().map(|&origin| Item { slot: target, origin }).collect();
            let base = (changed.frontier, changed.at);
            if gap > 0 {
                let words = vec![inputs[changed.at..at].to_vec()];
                characters.overlay = Some(Overlay { slot: source, target, words });
            }
            let trial =
                characters.attempt(changed.chart, base, &seeds, at, (start, inputs), inputs.len());
            characters.overlay = None;
            let cost = cost + self.space(changed, gap);
            let way = Way { owner, slot: source, change, gap, inserted: (0, 0), cost };
            for end in whole.ends_of(&trial) {
                push(end, way);
            }
        };
        for gap in 1..=MAX_INSERTED {
            let cost = weights.insert + weights.character * count(gap);
            attempt(characters, source, gap, Change::Insert, cost);
            if let Some(symbol) = next
                && !(gap == 1 && matches!(symbol, Symbol::Terminal(_)))
            {
                let cost = weights.substitute + weights.character * count(gap);
                attempt(characters, slots.after(source), gap, Change::Substitute, cost);
            }
        }
        if let Some(symbol) = next
            && !slots.is_nullable(symbol)
        {
            attempt(characters, slots.after(source), 0, Change::Skip, weights.skip);
        }
        if let Some(before) = slots.before(source) {
            attempt(characters, before, 0, Change::Repeat, weights.repeat);
        }
        if let Some(Symbol::Terminal(terminal)) = next {
            self.widen(characters, (start, inputs), changed, (owner, terminal), push);
        }
    }

    /// Adds characters to the set after an item, again and again where the rule then stops.
    fn widen(
        &self,
        characters: &mut Reader<'_>,
        (start, inputs): (NonterminalId, &[InputId]),
        changed: &Changed<'_>,
        (owner, terminal): (RuleId, TerminalId),
        push: &mut dyn FnMut(usize, Way),
    ) {
        let (slots, weights) = (self.spellings.slots(), self.weights);
        let whole = Whole { characters: self.spellings, start };
        let is_single = self.spellings.set(terminal).len() <= 1;
        let unlike = self.unlike(terminal, changed.text.get(changed.at).copied());
        let target = slots.after(changed.slot);
        let seeds: Vec<_> =
            changed.origins.iter().map(|&origin| Item { slot: target, origin }).collect();
        let Some(&first) = inputs.get(changed.at) else { return };
        // A character of the set is no reason to widen it.
        if slots.is(first, terminal) {
            return;
        }
        let (mut added, mut space) = (vec![vec![first]], self.space(changed, 1));
        while added.len() <= MAX_WIDENED {
            let words = added.clone();
            characters.overlay = Some(Overlay { slot: changed.slot, target, words });
            let base = (changed.frontier, changed.at);
            let trial = characters.attempt(
                changed.chart,
                base,
                &seeds,
                changed.at + 1,
                (start, inputs),
                inputs.len(),
            );
            characters.overlay = None;
            let cost = weights.widen
                + unlike
                + space
                + weights.widen_more * count(added.len() - 1)
                + if is_single { weights.substitute - weights.widen } else { 0.0 };
            let (slot, change, gap) = (changed.slot, Change::Widen, added.len());
            let way = Way { owner, slot, change, gap, inserted: (0, 0), cost };
            for end in whole.ends_of(&trial) {
                push(end, way);
            }
            let stop = trial.reached.level;
            let Some(&input) = inputs.get(stop) else { return };
            let last = trial.levels().next_back();
            let goes_on = last.is_some_and(|(_, level)| {
                level.items().iter().any(|item| item.slot == changed.slot)
            });
            if characters.budget == 0 || !goes_on || added.iter().any(|word| word[0] == input) {
                return;
            }
            added.push(vec![input]);
            space += self.space(&Changed { at: stop, ..*changed }, 1);
        }
    }

    /// What it costs to add a character to a set whose members are of other kinds.
    fn unlike(&self, terminal: TerminalId, added: Option<char>) -> f64 {
        let set = self.spellings.set(terminal);
        let is_like = |c: char| {
            set.ranges().iter().any(|&(first, last)| {
                let ends = [first, last].into_iter().filter_map(char::from_u32);
                last - first > 1000
                    || ends.into_iter().any(|end| Kinds::of(end).meets(Kinds::of(c)))
            })
        };
        if added.is_some_and(|c| !is_like(c)) { self.weights.unlike / 2.0 } else { 0.0 }
    }

    /// The cost of white space in inserted text.
    fn space(&self, changed: &Changed<'_>, gap: usize) -> f64 {
        let inserted = changed.text.iter().skip(changed.at).take(gap);
        if inserted.into_iter().any(|c| c.is_whitespace()) { self.weights.space } else { 0.0 }
    }

    /// Reads on after a match; how far that goes, and what it is worth.
    #[expect(clippy::too_many_arguments, reason = "two readers with scratch memory")]
    fn attempt(
        &self,
        tokens: &mut Reader<'_>,
        texts: &mut TextReader<'_>,
        stopped: &Stopped<'_>,
        place: &TrialPoint,
        step: &Step,
        visible: Option<TerminalId>,
        end: usize,
        modes: Vec<ModeId>,
    ) -> Option<(Reached, f64, Reading)> {
        let (start, _) = stopped.input;
        let error_byte =
            self.reading.tokens.get(stopped.error).map_or(self.text.len(), |t| t.start);
        let mut reading =
            Reading { tokens: self.reading.tokens[..place.at].to_vec(), steps: Vec::new() };
        if let Some(token) = visible {
            reading.tokens.push(Token { input: InputId::of_token(token), start: step.start, end });
        }
        let cut = match self.text.len() > end + MAX_REREAD {
            true => {
                let mut cut = end + MAX_REREAD;
                while !self.text.is_char_boundary(cut) {
                    cut += 1;
                }
                cut
            }
            false => self.text.len(),
        };
        texts.go_on(&mut reading, &self.text[..cut], end, modes);
        let inputs = reading.inputs();
        let base = (&place.frontier, place.at);
        let (seeds, at): (Vec<_>, _) = match visible {
            Some(token) => {
                let input = InputId::of_token(token);
                let slots = self.subject.slots();
                let items = place.frontier.items().iter();
                let read = items.filter(|item| match slots.next(item.slot) {
                    Some(Symbol::Terminal(terminal)) => slots.is(input, terminal),
                    _ => false,
                });
                let read =
                    read.map(|item| Item { slot: slots.after(item.slot), origin: item.origin });
                (read.collect(), place.at + 1)
            }
            None => (place.frontier.items().to_vec(), place.at),
        };
        // The tokens that are not read yet where the old reading stops.
        let beyond = |reading: &Reading| {
            reading
                .tokens
                .iter()
                .position(|token| token.start > error_byte)
                .unwrap_or(reading.tokens.len())
        };
        let from = beyond(&reading).max(at);
        let trial =
            tokens.attempt(stopped.chart, base, &seeds, at, (start, &inputs), from + HORIZON);
        let mut reached = trial.reached;
        if cut < self.text.len() {
            reached.accepted = false;
        }
        let is_beyond = reached.accepted || reached.level > from;
        if !is_beyond {
            return None;
        }
        let rest = inputs.len() - from.min(inputs.len());
        let benefit =
            self.weights.benefit(reached.level - from.min(reached.level), rest, reached.accepted);
        Some((reached, benefit, reading))
    }
}

/// The text read another way.
#[derive(Clone, Debug)]
pub struct Rematched {
    /// The token before which it begins.
    pub place: usize,
    /// The token that is made there, if the parser sees it.
    pub visible: Option<TerminalId>,
    /// The tokens.
    pub reading: Reading,
}

fn visible(effect: &Effect) -> Option<TerminalId> {
    match effect.emission {
        Emission::Token(token) if effect::is_visible(effect.channel) => Some(token),
        _ => None,
    }
}

/// An item of a token rule that is changed.
#[derive(Clone, Copy)]
struct Changed<'a> {
    chart: &'a Chart,
    text: &'a [char],
    frontier: &'a Level,
    at: usize,
    slot: SlotId,
    origins: &'a [u32],
}

/// Tells where a token rule matches as a whole.
struct Whole<'a> {
    characters: &'a Spellings,
    start: NonterminalId,
}

impl Whole<'_> {
    /// Where a trial matches as a whole: the first places, and the last one.
    fn ends_of(&self, trial: &Trial) -> Vec<usize> {
        let ends = trial.levels().filter(|(_, level)| self.ends(level)).map(|(end, _)| end);
        let mut ends: Vec<_> = ends.collect();
        if ends.len() > MAX_ENDS {
            ends.drain(MAX_ENDS - 1..ends.len() - 1);
        }
        ends
    }

    fn ends(&self, level: &Level) -> bool {
        let slots = self.characters.slots();
        level.items().iter().any(|item| {
            item.origin == 0
                && slots.next(item.slot).is_none()
                && slots.cfg().lhs(slots.production(item.slot)) == self.start
        })
    }
}
