//! The default start rule: the one that no other rule refers to.

use gramercy_base::{Diagnostic, Table};

use super::codes::{START_GUESSED, UNCONNECTED_RULES};
use super::syntax::{NameId, RuleSyntax, Tree};
use crate::Reading;
use crate::start::{self, Candidate};

/// The syntax rules of a file. A rule with several definitions occurs several times; the first
/// counts.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'f> {
    pub(crate) tree: &'f Tree,
    pub(crate) rules: &'f [RuleSyntax],
    /// For each name the index of its rule.
    pub(crate) of_name: &'f Table<NameId, Option<usize>>,
}

/// The references to a rule.
#[derive(Clone, Copy, Default)]
struct Referred {
    by_others: bool,
    by_itself: bool,
}

/// How a notation treats a rule that only refers to itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SelfReference {
    /// It may be the start rule like any other.
    Ignored,
    /// It may be the start rule only if no other can.
    LastResort,
}

impl<'f> Rules<'f> {
    fn candidate(self, index: usize) -> Candidate<'f> {
        let rule = &self.rules[index];
        Candidate { name: self.tree.text(rule.name), span: rule.span }
    }

    /// The indices of the rules, without further definitions of the same rule.
    fn first_places(self) -> impl Iterator<Item = usize> + 'f {
        let is_first = move |&index: &usize| self.of_name[self.rules[index].name] == Some(index);
        (0..self.rules.len()).filter(is_first)
    }

    /// The indices of the rules that a rule refers to.
    fn targets(self, index: usize) -> impl Iterator<Item = usize> + 'f {
        self.tree.mentions(&self.rules[index]).filter_map(move |(name, _)| self.of_name[name])
    }

    /// The rule that the user requested on the command line; `Err` if there is none with that name.
    pub(crate) fn asked_for(
        self,
        reading: &mut Reading<'_>,
    ) -> Result<Option<usize>, start::ReportedError> {
        if reading.wanted_start().is_none() {
            return Ok(None);
        }
        let indices: Vec<_> = self.first_places().collect();
        let rules: Vec<_> = indices.iter().map(|&index| self.candidate(index)).collect();
        Ok(start::asked_for(reading, &rules)?.map(|found| indices[found]))
    }

    /// The rule that no other refers to. If there is none, the first rule is taken with a note; if
    /// there are several, the user must choose. A file with errors is not asked about, because the
    /// erroneous part may refer to a rule.
    pub(crate) fn root(self, reading: &mut Reading<'_>, own: SelfReference) -> Option<usize> {
        if reading.has_errors() {
            return None;
        }
        let referred = self.referred();
        let all = |wanted: &dyn Fn(Referred) -> bool| {
            self.first_places().filter(|&index| wanted(referred[index])).collect::<Vec<_>>()
        };
        let mut roots = match own {
            SelfReference::Ignored => Vec::new(),
            SelfReference::LastResort => all(&|by| !by.by_others && !by.by_itself),
        };
        if roots.is_empty() {
            roots = all(&|by| !by.by_others);
        }
        match roots[..] {
            [only] => Some(only),
            [] => self.first_rule(reading),
            _ => {
                let candidates: Vec<_> = roots.iter().map(|&index| self.candidate(index)).collect();
                start::ask(reading, &candidates);
                None
            }
        }
    }

    fn referred(self) -> Vec<Referred> {
        let mut referred = vec![Referred::default(); self.rules.len()];
        for index in 0..self.rules.len() {
            let owner = self.of_name[self.rules[index].name];
            for target in self.targets(index) {
                if Some(target) == owner {
                    referred[target].by_itself = true;
                } else {
                    referred[target].by_others = true;
                }
            }
        }
        referred
    }

    fn first_rule(self, reading: &mut Reading<'_>) -> Option<usize> {
        let first = self.first_places().next()?;
        let Candidate { name, span } = self.candidate(first);
        let message =
            format!("every rule is used by others; the first, `{name}`, is taken as the start");
        let help = format!("choose one with --start, for example --start {name}");
        reading.report(Diagnostic::at(START_GUESSED, span, message).help(help));
        Some(first)
    }

    /// Warns about rules that the start rule does not reach.
    pub(crate) fn warn_of_unconnected(self, reading: &mut Reading<'_>, start: usize) {
        const SHOWN: usize = 12;
        let mut reached = vec![false; self.rules.len()];
        let mut work = vec![start];
        reached[start] = true;
        while let Some(rule) = work.pop() {
            for target in self.targets(rule) {
                if !std::mem::replace(&mut reached[target], true) {
                    work.push(target);
                }
            }
        }
        let lost: Vec<_> = self.first_places().filter(|&index| !reached[index]).collect();
        if lost.is_empty() {
            return;
        }
        let start = self.candidate(start).name;
        let message = match lost.len() {
            1 => format!("one rule cannot be reached from `{start}`"),
            many => format!("{many} rules cannot be reached from `{start}`"),
        };
        let mut diagnostic = Diagnostic::new(UNCONNECTED_RULES, message);
        for &index in lost.iter().take(SHOWN) {
            diagnostic = diagnostic.label(self.candidate(index).span, "");
        }
        reading.report(diagnostic);
    }
}
