//! The start rule: the one that the user requests, otherwise the one that no other rule refers to,
//! otherwise the only one of those that requires the end of input.
//!
//! A rule *requires the end of input* if each of its derivations contains EOF. Linear in the rules.

use gramercy_base::{Map, Set};

use super::implications::Implications;
use super::tree::{Atom, Block, Element, Rule, Texts};
use crate::start::{self, Candidate};
use crate::{Reading, codes};

/// The chosen rule.
pub(super) struct Start {
    /// Its position among the parser rules.
    pub(super) index: usize,
    /// Whether each of its derivations contains EOF.
    pub(super) requires_eof: bool,
}

/// Finds the start rule, or reports that the user must choose.
pub(super) fn choose_start(
    reading: &mut Reading<'_>,
    texts: &Texts,
    rules: &[Rule],
) -> Option<Start> {
    let candidates: Vec<_> = rules
        .iter()
        .map(|rule| Candidate { name: texts.get(rule.name), span: rule.name })
        .collect();
    if candidates.is_empty() {
        let message = "there is no parser rule";
        reading.report(gramercy_base::Diagnostic::new(codes::NO_RULES, message));
        return None;
    }
    let asked_for = start::asked_for(reading, &candidates).ok()?;
    let requires_eof = requiring_eof(texts, rules);
    let chosen = match asked_for {
        Some(index) => Ok(index),
        None => guess(texts, rules, &requires_eof),
    };
    match chosen {
        Ok(index) => Some(Start { index, requires_eof: requires_eof[index] }),
        Err(several) => {
            let several: Vec<_> = several.iter().map(|&index| candidates[index]).collect();
            start::ask(reading, &several);
            None
        }
    }
}

/// The only possible start rule, or those between which the user must choose.
fn guess(texts: &Texts, rules: &[Rule], requires_eof: &[bool]) -> Result<usize, Vec<usize>> {
    let referenced = referenced(texts, rules);
    let is_free = |&index: &usize| !referenced.contains(texts.get(rules[index].name));
    let free: Vec<usize> = (0..rules.len()).filter(is_free).collect();
    if let [only] = free[..] {
        return Ok(only);
    }
    let among = if free.is_empty() { (0..rules.len()).collect() } else { free };
    let is_ending = |&index: &usize| requires_eof[index] || ends_in_eof(texts, &rules[index]);
    let (ending, others): (Vec<_>, Vec<_>) = among.into_iter().partition(is_ending);
    match ending[..] {
        [only] => Ok(only),
        // Those that require the end of input are more likely, but all are listed.
        _ => Err(ending.into_iter().chain(others).collect()),
    }
}

/// The names of rules that other rules refer to.
fn referenced<'t>(texts: &'t Texts, rules: &[Rule]) -> Set<&'t str> {
    let mut found = Set::default();
    for rule in rules {
        let own = texts.get(rule.name);
        references(&rule.body, &mut |element| {
            let name = texts.get(element.span);
            if name != own {
                found.insert(name);
            }
        });
    }
    found
}

fn references(block: &Block, visit: &mut impl FnMut(&Element)) {
    for element in block.alternatives.iter().flat_map(|alternative| &alternative.elements) {
        match &element.atom {
            Atom::Rule => visit(element),
            Atom::Block(block) => references(block, visit),
            _ => {}
        }
    }
}

/// Whether an alternative of a rule ends with EOF as written.
fn ends_in_eof(texts: &Texts, rule: &Rule) -> bool {
    let is_eof = |element: &Element| is_eof(texts, element) && element.suffix.is_none();
    let mut alternatives = rule.body.alternatives.iter();
    alternatives.any(|alternative| {
        let mut elements = alternative.elements.iter().rev();
        elements.find(|element| !matches!(element.atom, Atom::Code)).is_some_and(is_eof)
    })
}

fn is_eof(texts: &Texts, element: &Element) -> bool {
    matches!(element.atom, Atom::Token) && texts.get(element.span) == "EOF"
}

/// The rules that require the end of input.
fn requiring_eof(texts: &Texts, rules: &[Rule]) -> Vec<bool> {
    let at = rules.iter().enumerate().map(|(at, rule)| (texts.get(rule.name), at)).collect();
    let mut avoidance = Avoidance { texts, at, avoids: Implications::new(rules.len()) };
    for (at, rule) in rules.iter().enumerate() {
        avoidance.block(&rule.body, at);
    }
    let avoids = avoidance.avoids.solve();
    avoids[..rules.len()].iter().map(|avoids| !avoids).collect()
}

/// Which rules and blocks can avoid EOF. The first facts are those of the rules.
struct Avoidance<'t> {
    texts: &'t Texts,
    at: Map<&'t str, usize>,
    avoids: Implications,
}

impl Avoidance<'_> {
    /// A block avoids EOF if one of its alternatives does; an alternative avoids it if all its
    /// elements do.
    fn block(&mut self, block: &Block, fact: usize) {
        for alternative in &block.alternatives {
            let needed = alternative
                .elements
                .iter()
                .filter(|element| element.suffix.is_none_or(|suffix| suffix.min > 0));
            let causes: Vec<_> = needed.filter_map(|element| self.element(element)).collect();
            self.avoids.imply(causes, fact);
        }
    }

    /// The fact that an element avoids EOF, unless it always does.
    fn element(&mut self, element: &Element) -> Option<usize> {
        match &element.atom {
            Atom::Rule => self.at.get(self.texts.get(element.span)).copied(),
            Atom::Block(block) => {
                let fact = self.avoids.fact();
                self.block(block, fact);
                Some(fact)
            }
            // A fact that no implication derives.
            _ if is_eof(self.texts, element) => Some(self.avoids.fact()),
            _ => None,
        }
    }
}
