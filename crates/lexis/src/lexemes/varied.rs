//! Few lexemes that cover a rule's structure: every alternative, every kind of character in every
//! set, and loops entered not at all, once and several times, in called rules too.
//!
//! A lexeme is a walk over the rule's structure that takes, wherever there is a choice, an option not
//! covered yet or one that leads to such, and the cheapest one otherwise. What is covered counts only
//! if the lexer agrees that the text is what it was made for: a text in which several options together
//! make another token is tried again with each of them alone. Cost: a few walks per option at worst.

use gramercy_base::{IndexSet, Set};

use crate::alphabet::{CharKind, Pick};
use crate::lexemes::shape::{Shape, ShapeId, Shapes};

/// Lexemes that are made for one rule at most.
const MAX_LEXEMES: usize = 24;
/// Walks that are made for one rule at most.
const MAX_WALKS: usize = 150;
/// Other texts that are tried for an option whose first text is another token.
const ATTEMPTS: usize = 3;
/// How deep a walk goes on looking for what is not covered, and how long its text may become.
const MAX_DEPTH: usize = 40;
const MAX_CHARS: usize = 200;
/// How often a loop goes round while there is something left to cover in it.
const MAX_ROUNDS: u32 = 8;
/// Rules with more structure than this get random lexemes instead.
const MAX_SHAPES: usize = 4000;

/// An option: a shape with a choice, and which one.
type Choice = (ShapeId, usize);

/// Texts that cover the structure of `root`, each approved of by `is_right`.
pub(crate) fn covering(
    shapes: &Shapes,
    root: ShapeId,
    mut is_right: impl FnMut(&str) -> bool,
) -> Vec<String> {
    let Some(mut open) = all_choices(shapes, root) else { return Vec::new() };
    let mut texts = Vec::new();
    let mut walks = 0;
    let mut keep = |walk: Walk<'_>, open: &mut IndexSet<Choice>| {
        let right = walk.finished() && is_right(&walk.text);
        if right {
            open.retain(|choice| !walk.made.contains(choice));
            if !texts.contains(&walk.text) && texts.len() < MAX_LEXEMES {
                texts.push(walk.text);
            }
        }
        right
    };
    // The plainest text, then texts with as much in them as possible.
    keep(Walk::new(shapes, &IndexSet::default(), 0).over(root), &mut open);
    while !open.is_empty() && walks < MAX_WALKS / 2 {
        walks += 1;
        let before = open.len();
        if !keep(Walk::new(shapes, &open.clone(), 0).over(root), &mut open) || open.len() == before
        {
            break;
        }
    }
    // What is left does not go together with everything else.
    for choice in open.clone() {
        let alone = IndexSet::from_iter([choice]);
        for attempt in 0..ATTEMPTS {
            walks += 1;
            if !open.contains(&choice) || walks > MAX_WALKS {
                break;
            }
            let walk = Walk::new(shapes, &alone, attempt).over(root);
            if walk.made.contains(&choice) {
                keep(walk, &mut open);
            }
        }
    }
    texts
}

/// All options below a shape; `None` if there are too many shapes.
fn all_choices(shapes: &Shapes, root: ShapeId) -> Option<IndexSet<Choice>> {
    let mut seen = IndexSet::from_iter([root]);
    let mut at = 0;
    while let Some(&shape) = seen.get_index(at) {
        at += 1;
        seen.extend(parts(shapes, shape));
        if seen.len() > MAX_SHAPES {
            return None;
        }
    }
    let of_shape = |&shape: &ShapeId| options(shapes, shape).map(move |option| (shape, option));
    Some(seen.iter().flat_map(of_shape).collect())
}

fn parts(shapes: &Shapes, shape: ShapeId) -> impl Iterator<Item = ShapeId> + '_ {
    let (list, one) = match &shapes.nodes[shape] {
        Shape::Chars(_) => (&[][..], None),
        Shape::Sequence(parts) | Shape::Choice(parts) => (&**parts, None),
        Shape::Repeat { body, .. } => (&[][..], Some(*body)),
        Shape::Rule(rule) => (&[][..], shapes.rules[*rule]),
    };
    list.iter().copied().chain(one)
}

const FEWEST: usize = 0;
const ONE_MORE: usize = 1;
const MANY: usize = 2;

/// The options of a shape that can be written at all; none where there is no choice.
fn options(shapes: &Shapes, shape: ShapeId) -> impl Iterator<Item = usize> + '_ {
    let possible = |part: &ShapeId| shapes.cheapest[*part].is_some();
    let options: Vec<usize> = match &shapes.nodes[shape] {
        Shape::Chars(picks) => kinds(picks).map(|kind| kind as usize).collect(),
        Shape::Choice(branches) => {
            (0..branches.len()).filter(|&at| possible(&branches[at])).collect()
        }
        Shape::Repeat { body, min, max } if possible(body) => {
            let room = max.map_or(2, |max| max.saturating_sub(*min)).min(2);
            [FEWEST, ONE_MORE, MANY].into_iter().take(room as usize + 1).collect()
        }
        Shape::Repeat { .. } | Shape::Sequence(_) | Shape::Rule(_) => Vec::new(),
    };
    let is_choice = options.len() > 1;
    options.into_iter().filter(move |_| is_choice)
}

/// The kinds of characters that are worth covering. The odd is written only if there is nothing
/// else.
fn kinds(picks: &[Pick]) -> impl Iterator<Item = CharKind> + '_ {
    let first = picks.first().map_or(CharKind::Odd, |pick| pick.kind);
    let wanted =
        CharKind::ALL.into_iter().filter(move |kind| *kind < CharKind::Combining || *kind == first);
    wanted.filter(|kind| picks.iter().any(|pick| pick.kind == *kind))
}

/// One lexeme in the making.
struct Walk<'s> {
    shapes: &'s Shapes,
    open: &'s IndexSet<Choice>,
    /// Which of several equally good ways is gone where nothing is to be covered.
    attempt: usize,
    made: Set<Choice>,
    text: String,
    depth: usize,
    chars: usize,
    failed: bool,
}

impl<'s> Walk<'s> {
    fn new(shapes: &'s Shapes, open: &'s IndexSet<Choice>, attempt: usize) -> Self {
        let (made, text) = (Set::default(), String::new());
        Self { shapes, open, attempt, made, text, depth: 0, chars: 0, failed: false }
    }

    fn over(mut self, root: ShapeId) -> Self {
        self.failed = self.shapes.cheapest[root].is_none();
        self.shape(root);
        self
    }

    fn finished(&self) -> bool {
        !self.failed && !self.text.is_empty()
    }

    fn shape(&mut self, shape: ShapeId) {
        // A walk that became too long goes the cheapest way, which ends.
        if self.failed || self.chars > 10 * MAX_CHARS || self.depth > 10 * MAX_DEPTH {
            self.failed = true;
            return;
        }
        self.depth += 1;
        match &self.shapes.nodes[shape] {
            Shape::Chars(picks) => self.character(shape, picks),
            Shape::Sequence(items) => items.iter().for_each(|&item| self.shape(item)),
            Shape::Choice(branches) => {
                let branch = self.branch(shape, branches);
                self.made.insert((shape, branch));
                self.shape(branches[branch]);
            }
            Shape::Repeat { body, min, max } => self.repeat(shape, *body, *min, *max),
            Shape::Rule(rule) => match self.shapes.rules[*rule] {
                Some(body) => self.shape(body),
                None => self.failed = true,
            },
        }
        self.depth -= 1;
    }

    fn character(&mut self, shape: ShapeId, picks: &[Pick]) {
        let mut open = kinds(picks).filter(|kind| self.is_open((shape, *kind as usize)));
        let pick = match open.next() {
            Some(kind) => picks.iter().find(|pick| pick.kind == kind),
            // Of the pleasant ones, another one in every attempt.
            None => picks.get(self.attempt % picks.len().clamp(1, 5)),
        };
        let Some(pick) = pick else {
            self.failed = true;
            return;
        };
        self.made.insert((shape, pick.kind as usize));
        self.text.push(pick.c);
        self.chars += 1;
    }

    fn branch(&self, shape: ShapeId, branches: &[ShapeId]) -> usize {
        let possible = |at: &usize| self.shapes.cheapest[branches[*at]].is_some();
        let open = || (0..branches.len()).find(|&at| possible(&at) && self.is_open((shape, at)));
        let leads = || (0..branches.len()).find(|&at| possible(&at) && self.leads_on(branches[at]));
        let cheapest = || {
            let priced = (0..branches.len()).filter(possible);
            priced.min_by_key(|&at| self.shapes.cheapest[branches[at]]).unwrap_or(0)
        };
        open().or_else(leads).unwrap_or_else(cheapest)
    }

    fn repeat(&mut self, shape: ShapeId, body: ShapeId, min: u32, max: Option<u32>) {
        let room = match self.shapes.cheapest[body] {
            Some(_) => max.map_or(u32::MAX, |max| max.saturating_sub(min)),
            None => 0,
        };
        let is_open = |option| self.is_open((shape, option));
        let extra = if room >= 2 && (is_open(MANY) || (!is_open(FEWEST) && self.leads_on(body))) {
            2
        } else if room >= 1 && (is_open(ONE_MORE) || self.leads_on(body)) {
            1
        } else {
            u32::from(room >= 1 && self.attempt > 0 && !is_open(FEWEST))
        };
        let (mut rounds, least) = (0, min.saturating_add(extra));
        let most = least.saturating_add(if extra == 2 { room.min(MAX_ROUNDS) - 2 } else { 0 });
        while !self.failed && (rounds < least || (rounds < most && self.leads_on(body))) {
            self.shape(body);
            rounds += 1;
        }
        self.made.insert((shape, (rounds.saturating_sub(min) as usize).min(MANY)));
    }

    fn is_open(&self, choice: Choice) -> bool {
        self.wants_more() && self.open.contains(&choice) && !self.made.contains(&choice)
    }

    fn wants_more(&self) -> bool {
        self.depth < MAX_DEPTH && self.chars < MAX_CHARS
    }

    /// Whether something at or below a shape is still open.
    fn leads_on(&self, shape: ShapeId) -> bool {
        if !self.wants_more() || self.open.is_empty() {
            return false;
        }
        let mut seen = IndexSet::<ShapeId>::from_iter([shape]);
        let mut at = 0;
        while let Some(&shape) = seen.get_index(at) {
            at += 1;
            if options(self.shapes, shape).any(|option| self.is_open((shape, option))) {
                return true;
            }
            seen.extend(parts(self.shapes, shape));
        }
        false
    }
}
