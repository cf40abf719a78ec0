//! Few lexemes that cover a rule's structure: every alternative, every character where characters are
//! listed and every kind of character where they are ranges, and loops entered not at all, once and several times, in
//! called rules too.
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
        Shape::Chars { .. } => (&[][..], None),
        Shape::Sequence(parts) | Shape::Choice(parts) => (&**parts, None),
        Shape::Repeat { body, .. } => (&[][..], Some(*body)),
        Shape::Rule(rule) => (&[][..], shapes.rules[*rule]),
    };
    list.iter().copied().chain(one)
}

const FEWEST: usize = 0;
const ONE_MORE: usize = 1;
const MANY: usize = 2;

/// The options of a shape, by number, where there is a choice; those that cannot be written are left
/// out.
fn options(shapes: &Shapes, shape: ShapeId) -> impl Iterator<Item = usize> + '_ {
    let count = match &shapes.nodes[shape] {
        Shape::Chars { picks, .. } => wanted(picks).len(),
        Shape::Choice(branches) => branches.len(),
        Shape::Repeat { body, min, max } if shapes.cheapest[*body].is_some() => {
            max.map_or(2, |max| max.saturating_sub(*min)).min(2) as usize + 1
        }
        Shape::Repeat { .. } | Shape::Sequence(_) | Shape::Rule(_) => 0,
    };
    let possible = move |&option: &usize| match &shapes.nodes[shape] {
        Shape::Chars { picks, listed } => *listed || begins_kind(picks, option),
        Shape::Choice(branches) => shapes.cheapest[branches[option]].is_some(),
        _ => true,
    };
    (0..count).filter(move |_| count > 1).filter(possible)
}

/// The characters that are worth writing. The odd is written only if there is nothing else.
fn wanted(picks: &[Pick]) -> &[Pick] {
    let first = picks.first().map_or(CharKind::Odd, |pick| pick.kind);
    let end = picks.partition_point(|pick| pick.kind < CharKind::Combining || pick.kind == first);
    &picks[..end]
}

/// Whether a character stands for its kind, as the first of it.
fn begins_kind(picks: &[Pick], at: usize) -> bool {
    at == 0 || picks[at - 1].kind != picks[at].kind
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
    /// Shapes below which nothing is open any more.
    closed: Set<ShapeId>,
}

impl<'s> Walk<'s> {
    fn new(shapes: &'s Shapes, open: &'s IndexSet<Choice>, attempt: usize) -> Self {
        let (made, text, closed) = (Set::default(), String::new(), Set::default());
        Self { shapes, open, attempt, made, text, depth: 0, chars: 0, failed: false, closed }
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
            Shape::Chars { picks, listed } => self.character(shape, picks, *listed),
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

    fn character(&mut self, shape: ShapeId, picks: &[Pick], listed: bool) {
        let mut options = options(self.shapes, shape);
        let open = options.find(|&option| self.is_open((shape, option)));
        // Where nothing is open, another one of the pleasant in every attempt.
        let at = open.unwrap_or(self.attempt % picks.len().clamp(1, 5));
        let Some(pick) = picks.get(at) else {
            self.failed = true;
            return;
        };
        let first = (0..=at).rev().find(|&option| listed || begins_kind(picks, option));
        self.made.insert((shape, first.unwrap_or(at)));
        self.text.push(pick.c);
        self.chars += 1;
    }

    fn branch(&mut self, shape: ShapeId, branches: &[ShapeId]) -> usize {
        let priced: Vec<_> = (0..branches.len())
            .filter_map(|at| Some((self.shapes.cheapest[branches[at]]?, at)))
            .collect();
        if let Some(&(_, open)) = priced.iter().find(|(_, at)| self.is_open((shape, *at))) {
            return open;
        }
        if let Some(&(_, leads)) = priced.iter().find(|(_, at)| self.leads_on(branches[*at])) {
            return leads;
        }
        priced.iter().min().map_or(0, |&(_, cheapest)| cheapest)
    }

    fn repeat(&mut self, shape: ShapeId, body: ShapeId, min: u32, max: Option<u32>) {
        let room = match self.shapes.cheapest[body] {
            Some(_) => max.map_or(u32::MAX, |max| max.saturating_sub(min)),
            None => 0,
        };
        let [fewest, one_more, many] =
            [FEWEST, ONE_MORE, MANY].map(|option| self.is_open((shape, option)));
        // Its own options first: in a rule that calls itself, the body leads to them as well.
        let extra = match () {
            () if many => 2,
            () if one_more => 1,
            () if fewest => 0,
            () if self.leads_on(body) => room.min(2),
            () => room.min(u32::from(self.attempt > 0)),
        };
        self.made.insert((shape, extra as usize));
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
    fn leads_on(&mut self, shape: ShapeId) -> bool {
        if !self.wants_more() || self.open.is_empty() || self.closed.contains(&shape) {
            return false;
        }
        let mut seen = IndexSet::<ShapeId>::from_iter([shape]);
        let mut at = 0;
        while let Some(&shape) = seen.get_index(at) {
            at += 1;
            if options(self.shapes, shape).any(|option| self.is_open((shape, option))) {
                return true;
            }
            let parts = parts(self.shapes, shape);
            seen.extend(parts.filter(|part| !self.closed.contains(part)));
        }
        self.closed.extend(seen);
        false
    }
}
