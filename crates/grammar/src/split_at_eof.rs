//! Removes the end of input from the productions.
//!
//! A parser never consumes EOF, so one end of input matches several EOFs, and a tree is a sentence
//! if only EOF follows its first EOF. Therefore a nonterminal that can derive EOF is split into the
//! forms of [`EofForm`]: *inner* derives no EOF, *final* derives one EOF and only EOF after it, and
//! *tail* derives no token at all. A production with a final nonterminal at position i has inner
//! ones before i and tails after it. Every tree of the original grammar that is a sentence
//! corresponds to exactly one tree of the split grammar, so no unambiguous sentence becomes
//! ambiguous.
//!
//! Example: `s: a EOF | a; a: 'x' b; b: 'y' | EOF;` becomes
//!
//! ```text
//! s_start: s | s_final      a: 'x' b             b: 'y'
//! s:       a                a_final: 'x' b_final    b_final: ε
//! s_final: a_final | a | a_final
//! ```
//!
//! The first alternative of `s` gives two productions of `s_final`: its own EOF follows one in `a`,
//! or it is the first.
//!
//! A form is created only if it derives something and, for final and tail forms, only if a
//! production uses it. A grammar without EOF does not change. If EOF only ends the start rule,
//! every nonterminal keeps its one form. Finding the forms is linear in the grammar; creating them
//! is linear in the productions times the positions that can contain the first EOF of a production.

use gramercy_base::{IdSet, LimitReached, Limits, Map, Set, Table};

use crate::bnf::{BnfDraft, DraftItem, ProductionDraft};
use crate::{EofForm, Nonterminal, NonterminalId, Origin, Symbol};

pub(crate) fn split(drafts: BnfDraft, limits: &Limits) -> Result<BnfDraft, LimitReached> {
    let mentions_eof = |draft: &ProductionDraft| {
        drafts.items(draft).iter().any(|item| matches!(item, DraftItem::Eof(_)))
    };
    if !drafts.productions.iter().any(mentions_eof) {
        return Ok(drafts);
    }
    Splitting::new(&drafts).finish(limits)
}

/// Which forms of a nonterminal derive some string.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct PossibleForms {
    inner: bool,
    final_: bool,
    tail: bool,
}

struct Splitting<'d> {
    old: &'d BnfDraft,
    new: BnfDraft,
    possible: Table<NonterminalId, PossibleForms>,
    of_form: Map<(NonterminalId, EofForm), NonterminalId>,
    pending: Vec<(NonterminalId, EofForm)>,
    names: Set<Box<str>>,
    by_lhs: Table<NonterminalId, Vec<usize>>,
}

impl<'d> Splitting<'d> {
    fn new(old: &'d BnfDraft) -> Self {
        let mut by_lhs = Table::filled(Vec::new(), old.nonterminals.len());
        for (at, draft) in old.productions.iter().enumerate() {
            by_lhs[draft.lhs].push(at);
        }
        let possible = possible_forms(old);
        let form = |id| match possible[id] {
            PossibleForms { inner: false, final_: true, .. } => EofForm::Final,
            _ => EofForm::Inner,
        };
        let nonterminals =
            old.nonterminals.map(|id, known| Nonterminal { eof_form: form(id), ..known.clone() });
        let names = old.nonterminals.values().map(|known| known.name.clone()).collect();
        let new = BnfDraft::new(nonterminals, old.start);
        let (of_form, pending) = (Map::default(), Vec::new());
        Self { old, new, possible, of_form, pending, names, by_lhs }
    }

    fn finish(mut self, limits: &Limits) -> Result<BnfDraft, LimitReached> {
        let old = self.old;
        // The old id denotes the inner form, or the final form where that is the only one.
        for draft in &old.productions {
            match self.new.nonterminals[draft.lhs].eof_form {
                EofForm::Final => self.final_productions(draft, draft.lhs),
                EofForm::Inner | EofForm::Tail => self.inner_production(draft),
            }
        }
        self.new.start = self.start();
        while let Some((of, form)) = self.pending.pop() {
            let lhs = self.of_form[&(of, form)];
            for at in 0..self.by_lhs[of].len() {
                let draft = &old.productions[self.by_lhs[of][at]];
                match form {
                    EofForm::Final => self.final_productions(draft, lhs),
                    EofForm::Tail => self.tail_production(draft, lhs),
                    EofForm::Inner => unreachable!("invariant: inner forms keep their ids"),
                }
            }
            if self.new.productions.len() > limits.symbols {
                let what = "productions after the removal of the end of input";
                let option = Some("--max-symbols");
                return Err(LimitReached { what, limit: limits.symbols, option });
            }
        }
        Ok(self.new)
    }

    /// The start symbol: one form of the old one, or the choice between two.
    fn start(&mut self) -> NonterminalId {
        let old = self.old.start;
        let possible = self.possible[old];
        if !(possible.inner && possible.final_) {
            return old;
        }
        let name = self.unique_name(&self.old.nonterminals[old].name, "start");
        let origin = Origin::Start;
        let start =
            self.new.nonterminals.push(Nonterminal { name, origin, eof_form: EofForm::Inner });
        for form in [old, self.form(old, EofForm::Final)] {
            self.new.push(start, None, [DraftItem::Symbol(Symbol::Nonterminal(form), None)]);
        }
        start
    }

    /// Copies a production that contains no EOF.
    fn inner_production(&mut self, draft: &ProductionDraft) {
        let inner = |item: &DraftItem| match item {
            DraftItem::Eof(_) => false,
            DraftItem::Symbol(Symbol::Nonterminal(id), _) => self.keeps_inner(*id),
            DraftItem::Symbol(Symbol::Terminal(_), _) | DraftItem::Silent(_) => true,
        };
        let items = self.old.items(draft);
        if items.iter().all(inner) {
            self.new.push(draft.lhs, draft.alternative, items.iter().copied());
        }
    }

    /// Whether the old id is the inner form, or a nonterminal that derives nothing at all.
    fn keeps_inner(&self, id: NonterminalId) -> bool {
        self.new.nonterminals[id].eof_form == EofForm::Inner
    }

    /// The variants of a production that contain an end of input, one for each possible position of
    /// the first.
    fn final_productions(&mut self, draft: &ProductionDraft, lhs: NonterminalId) {
        // Every item after position `tail` derives no token.
        let is_tail = |item: &DraftItem| match item {
            DraftItem::Eof(_) | DraftItem::Silent(_) => true,
            DraftItem::Symbol(Symbol::Nonterminal(id), _) => self.possible[*id].tail,
            DraftItem::Symbol(Symbol::Terminal(_), _) => false,
        };
        let items = self.old.items(draft);
        let tail = items.iter().rposition(|item| !is_tail(item)).unwrap_or(0);
        for (first, item) in items.iter().enumerate() {
            let meets_eof = match item {
                DraftItem::Eof(_) => true,
                DraftItem::Symbol(Symbol::Nonterminal(id), _) => self.possible[*id].final_,
                DraftItem::Symbol(Symbol::Terminal(_), _) | DraftItem::Silent(_) => false,
            };
            if meets_eof && first >= tail {
                let variant = self.variant(items, first);
                self.new.push(lhs, draft.alternative, variant);
            }
            let stays_inner = match item {
                DraftItem::Eof(_) => false,
                DraftItem::Symbol(Symbol::Nonterminal(id), _) => self.keeps_inner(*id),
                DraftItem::Symbol(Symbol::Terminal(_), _) | DraftItem::Silent(_) => true,
            };
            if !stays_inner {
                break;
            }
        }
    }

    fn variant(&mut self, items: &[DraftItem], first: usize) -> Vec<DraftItem> {
        let mut variant = items.to_vec();
        for (at, item) in variant.iter_mut().enumerate().skip(first) {
            if let DraftItem::Symbol(Symbol::Nonterminal(id), _) = item {
                *id = self.form(*id, if at == first { EofForm::Final } else { EofForm::Tail });
            }
        }
        variant
    }

    fn tail_production(&mut self, draft: &ProductionDraft, lhs: NonterminalId) {
        let is_tail = |item: &DraftItem| match item {
            DraftItem::Eof(_) | DraftItem::Silent(_) => true,
            DraftItem::Symbol(Symbol::Nonterminal(id), _) => self.possible[*id].tail,
            DraftItem::Symbol(Symbol::Terminal(_), _) => false,
        };
        let mut items = self.old.items(draft).to_vec();
        if !items.iter().all(is_tail) {
            return;
        }
        for item in &mut items {
            if let DraftItem::Symbol(Symbol::Nonterminal(id), _) = item {
                *id = self.form(*id, EofForm::Tail);
            }
        }
        self.new.push(lhs, draft.alternative, items);
    }

    /// The nonterminal of a final or tail form, created at its first use.
    fn form(&mut self, of: NonterminalId, form: EofForm) -> NonterminalId {
        if self.new.nonterminals[of].eof_form == form {
            return of;
        }
        if let Some(&known) = self.of_form.get(&(of, form)) {
            return known;
        }
        let Nonterminal { name, origin, .. } = &self.old.nonterminals[of];
        let suffix = if form == EofForm::Final { "final" } else { "tail" };
        let name = self.unique_name(name, suffix);
        let new = self.new.nonterminals.push(Nonterminal { name, origin: *origin, eof_form: form });
        self.of_form.insert((of, form), new);
        self.pending.push((of, form));
        new
    }

    fn unique_name(&mut self, base: &str, suffix: &str) -> Box<str> {
        let mut name = format!("{base}_{suffix}");
        while !self.names.insert(name.clone().into()) {
            name.push('_');
        }
        name.into()
    }
}

/// Which forms derive some string. A nonterminal that derives nothing in any form counts as inner,
/// so that later checks still see it.
fn possible_forms(drafts: &BnfDraft) -> Table<NonterminalId, PossibleForms> {
    let inner = derived(drafts, |item| !matches!(item, DraftItem::Eof(_)));
    let tail = derived(drafts, |item| matches!(item, DraftItem::Eof(_) | DraftItem::Silent(_)));
    let final_ = derived_final(drafts, &inner, &tail);
    let possible = |id| PossibleForms {
        inner: inner.contains(id) || !(final_.contains(id) || tail.contains(id)),
        final_: final_.contains(id),
        tail: tail.contains(id),
    };
    drafts.nonterminals.ids().map(possible).collect()
}

/// The nonterminals with a production whose items are all accepted leaves or such nonterminals
/// themselves. Every occurrence is visited twice.
fn derived(drafts: &BnfDraft, is_wanted: impl Fn(&DraftItem) -> bool) -> IdSet<NonterminalId> {
    let mut found = IdSet::new(drafts.nonterminals.len());
    let mut users = Table::filled(Vec::new(), drafts.nonterminals.len());
    let (mut missing, mut work) = (Vec::with_capacity(drafts.productions.len()), Vec::new());
    for (at, draft) in drafts.productions.iter().enumerate() {
        let items = drafts.items(draft);
        missing.push(items.iter().filter_map(nonterminal).count());
        if items.iter().any(|item| nonterminal(item).is_none() && !is_wanted(item)) {
            continue;
        }
        items.iter().filter_map(nonterminal).for_each(|id| users[id].push(at));
        if missing[at] == 0 && found.insert(draft.lhs) {
            work.push(draft.lhs);
        }
    }
    while let Some(id) = work.pop() {
        for &user in &users[id] {
            missing[user] -= 1;
            let lhs = drafts.productions[user].lhs;
            if missing[user] == 0 && found.insert(lhs) {
                work.push(lhs);
            }
        }
    }
    found
}

/// The nonterminals with a production that can contain the first EOF: all items before it are
/// inner, all items after it are tails.
fn derived_final(
    drafts: &BnfDraft,
    inner: &IdSet<NonterminalId>,
    tail: &IdSet<NonterminalId>,
) -> IdSet<NonterminalId> {
    let mut found = IdSet::new(drafts.nonterminals.len());
    let mut users = Table::filled(Vec::new(), drafts.nonterminals.len());
    let mut work = Vec::new();
    for draft in &drafts.productions {
        for item in possible_first_eofs(drafts.items(draft), inner, tail) {
            match item {
                DraftItem::Eof(_) if found.insert(draft.lhs) => work.push(draft.lhs),
                DraftItem::Symbol(Symbol::Nonterminal(id), _) => users[*id].push(draft.lhs),
                DraftItem::Eof(_)
                | DraftItem::Silent(_)
                | DraftItem::Symbol(Symbol::Terminal(_), _) => {}
            }
        }
    }
    while let Some(id) = work.pop() {
        for &user in &users[id] {
            if found.insert(user) {
                work.push(user);
            }
        }
    }
    found
}

/// The items that can contain the first EOF: all items before them are inner, all after them are
/// tails.
fn possible_first_eofs<'i>(
    items: &'i [DraftItem],
    inner: &IdSet<NonterminalId>,
    tail: &IdSet<NonterminalId>,
) -> &'i [DraftItem] {
    let is_inner = |item: &DraftItem| match item {
        DraftItem::Eof(_) => false,
        DraftItem::Symbol(Symbol::Nonterminal(id), _) => inner.contains(*id),
        DraftItem::Symbol(Symbol::Terminal(_), _) | DraftItem::Silent(_) => true,
    };
    let is_tail = |item: &DraftItem| match item {
        DraftItem::Eof(_) | DraftItem::Silent(_) => true,
        DraftItem::Symbol(Symbol::Nonterminal(id), _) => tail.contains(*id),
        DraftItem::Symbol(Symbol::Terminal(_), _) => false,
    };
    let first = items.iter().rposition(|item| !is_tail(item)).unwrap_or(0);
    let last = items.iter().position(|item| !is_inner(item)).unwrap_or(items.len());
    let end = items.len().min(last + 1);
    &items[first.min(end)..end]
}

fn nonterminal(item: &DraftItem) -> Option<NonterminalId> {
    match item {
        DraftItem::Symbol(Symbol::Nonterminal(id), _) => Some(*id),
        DraftItem::Symbol(Symbol::Terminal(_), _) | DraftItem::Silent(_) | DraftItem::Eof(_) => {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BnfDraft, DraftItem, possible_forms};
    use crate::{EofForm, NodeId, Nonterminal, NonterminalId, Origin, RuleId, Symbol, TerminalId};
    use gramercy_base::{Id, Table};

    /// Checks whether the first of these nonterminals can be inner, final and tail. In a right-hand
    /// side, a lower-case letter is a token, a digit a nonterminal, and `$` the end of input.
    fn check(productions: &[(usize, &str)], inner: bool, final_: bool, tail: bool) {
        let count = productions.iter().map(|(lhs, _)| lhs + 1).max().unwrap_or(0);
        let origin = Origin::Rule(RuleId::from_index(0));
        let named = |at: usize| Nonterminal {
            name: at.to_string().into(),
            origin,
            eof_form: EofForm::Inner,
        };
        let nonterminals: Table<NonterminalId, _> = (0..count).map(named).collect();
        let mut drafts = BnfDraft::new(nonterminals, NonterminalId::from_index(0));
        let item = |letter: char| match letter {
            '$' => DraftItem::Eof(NodeId::from_index(0)),
            _ => DraftItem::Symbol(symbol(letter), None),
        };
        for (lhs, rhs) in productions {
            drafts.push(NonterminalId::from_index(*lhs), None, rhs.chars().map(item));
        }
        let of = possible_forms(&drafts)[drafts.start];
        assert_eq!((of.inner, of.final_, of.tail), (inner, final_, tail), "{productions:?}");
    }

    fn symbol(letter: char) -> Symbol {
        match letter.to_digit(10) {
            Some(digit) => Symbol::Nonterminal(NonterminalId::from_index(digit as usize)),
            None => Symbol::Terminal(TerminalId::from_index(0)),
        }
    }

    #[test]
    fn only_eof_may_follow_the_first_eof() {
        let eos = [(1, ";"), (1, "$"), (1, "")];
        let with = |rhs| [&[(0, rhs)], &eos[..]].concat();
        check(&with("a1"), true, true, false);
        check(&with("1a"), true, false, false);
        check(&with("11"), true, true, true);
        check(&with("1$"), false, true, true);
        check(&with("$a"), true, false, false);
        check(&with("a$1$"), false, true, false);
    }

    #[test]
    fn forms_are_found_through_cycles() {
        check(&[(0, "0a"), (0, "1"), (1, "b0"), (1, "$")], false, true, true);
        check(&[(0, "0a"), (0, "1"), (1, "b0"), (1, "$"), (1, "c")], true, true, true);
        check(&[(0, "a0"), (0, "$")], false, true, true);
        check(&[(0, "0")], true, false, false);
    }
}
