//! Takes the end of input out of the productions.
//!
//! EOF is never consumed, so one end serves several EOFs, and a tree is a sentence if nothing but
//! EOF follows its first EOF (FACTS §7). A nonterminal that can derive EOF is therefore split into
//! the forms of [`Form`]: *inner* without any EOF, *final* with one and nothing but EOF behind it,
//! and *tail*, which derives no token at all. A production with a final nonterminal at position i
//! has inner ones before it and tails behind it. Every tree of the plain grammar that is a sentence
//! is exactly one tree of the split grammar, so nothing becomes ambiguous that was not.
//!
//! A form exists only if it derives something, and final and tail forms only where they are asked
//! for. A grammar without EOF is left as it is, and where EOF only ends the start rule, every
//! nonterminal keeps its one form. Finding the forms is linear in the grammar; making them is linear
//! in the productions times the positions at which a production can meet its first EOF.

use gramercy_base::{IdSet, LimitReached, Limits, Map, Set, Table};

use crate::bnf::{Draft, Drafts, Item};
use crate::{Form, Nonterminal, NonterminalId, Origin, Symbol};

pub(crate) fn split(drafts: Drafts, limits: &Limits) -> Result<Drafts, LimitReached> {
    let mentions_eof =
        |draft: &Draft| drafts.items(draft).iter().any(|item| matches!(item, Item::Eof(_)));
    if !drafts.productions.iter().any(mentions_eof) {
        return Ok(drafts);
    }
    Splitting::new(&drafts).finish(limits)
}

/// Which forms of a nonterminal derive something.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Possible {
    inner: bool,
    final_: bool,
    tail: bool,
}

struct Splitting<'d> {
    old: &'d Drafts,
    new: Drafts,
    possible: Table<NonterminalId, Possible>,
    of_form: Map<(NonterminalId, Form), NonterminalId>,
    asked_for: Vec<(NonterminalId, Form)>,
    names: Set<Box<str>>,
    by_lhs: Table<NonterminalId, Vec<usize>>,
}

impl<'d> Splitting<'d> {
    fn new(old: &'d Drafts) -> Self {
        let mut by_lhs = Table::filled(Vec::new(), old.nonterminals.len());
        for (at, draft) in old.productions.iter().enumerate() {
            by_lhs[draft.lhs].push(at);
        }
        let possible = possible_forms(old);
        let form = |id| match possible[id] {
            Possible { inner: false, final_: true, .. } => Form::Final,
            _ => Form::Inner,
        };
        let nonterminals =
            old.nonterminals.map(|id, known| Nonterminal { form: form(id), ..known.clone() });
        let names = old.nonterminals.values().map(|known| known.name.clone()).collect();
        let new = Drafts::new(nonterminals, old.start);
        let (of_form, asked_for) = (Map::default(), Vec::new());
        Self { old, new, possible, of_form, asked_for, names, by_lhs }
    }

    fn finish(mut self, limits: &Limits) -> Result<Drafts, LimitReached> {
        let old = self.old;
        // What has its old id: the inner form, or the final one where that is the only one.
        for draft in &old.productions {
            match self.new.nonterminals[draft.lhs].form {
                Form::Final => self.final_productions(draft, draft.lhs),
                Form::Inner | Form::Tail => self.inner_production(draft),
            }
        }
        self.new.start = self.start();
        while let Some((of, form)) = self.asked_for.pop() {
            let lhs = self.of_form[&(of, form)];
            for at in 0..self.by_lhs[of].len() {
                let draft = &old.productions[self.by_lhs[of][at]];
                match form {
                    Form::Final => self.final_productions(draft, lhs),
                    Form::Tail => self.tail_production(draft, lhs),
                    Form::Inner => unreachable!("invariant: inner forms are not asked for"),
                }
            }
            if self.new.productions.len() > limits.symbols {
                let what = "productions after the end of input was split off";
                let option = Some("--max-symbols");
                return Err(LimitReached { what, limit: limits.symbols, option });
            }
        }
        Ok(self.new)
    }

    /// The nonterminal of all sentences: one form of the old start, or the choice between two.
    fn start(&mut self) -> NonterminalId {
        let old = self.old.start;
        let possible = self.possible[old];
        if !(possible.inner && possible.final_) {
            return old;
        }
        let name = self.unique_name(&self.old.nonterminals[old].name, "start");
        let origin = Origin::Start;
        let start = self.new.nonterminals.push(Nonterminal { name, origin, form: Form::Inner });
        for form in [old, self.form(old, Form::Final)] {
            self.new.push(start, None, [Item::Symbol(Symbol::Nonterminal(form), None)]);
        }
        start
    }

    /// A production without EOF, unless it has one.
    fn inner_production(&mut self, draft: &Draft) {
        let inner = |item: &Item| match item {
            Item::Eof(_) => false,
            Item::Symbol(Symbol::Nonterminal(id), _) => self.keeps_inner(*id),
            Item::Symbol(Symbol::Terminal(_), _) | Item::Silent(_) => true,
        };
        let items = self.old.items(draft);
        if items.iter().all(inner) {
            self.new.push(draft.lhs, draft.alternative, items.iter().copied());
        }
    }

    /// Whether the old id is the inner form, or a nonterminal that derives nothing at all.
    fn keeps_inner(&self, id: NonterminalId) -> bool {
        self.new.nonterminals[id].form == Form::Inner
    }

    /// The variants of a production that meet the end of input, one for each place of the first.
    fn final_productions(&mut self, draft: &Draft, lhs: NonterminalId) {
        // Everything behind position `tail` derives no token.
        let is_tail = |item: &Item| match item {
            Item::Eof(_) | Item::Silent(_) => true,
            Item::Symbol(Symbol::Nonterminal(id), _) => self.possible[*id].tail,
            Item::Symbol(Symbol::Terminal(_), _) => false,
        };
        let items = self.old.items(draft);
        let tail = items.iter().rposition(|item| !is_tail(item)).unwrap_or(0);
        for (first, item) in items.iter().enumerate() {
            let meets_eof = match item {
                Item::Eof(_) => true,
                Item::Symbol(Symbol::Nonterminal(id), _) => self.possible[*id].final_,
                Item::Symbol(Symbol::Terminal(_), _) | Item::Silent(_) => false,
            };
            if meets_eof && first >= tail {
                let variant = self.variant(items, first);
                self.new.push(lhs, draft.alternative, variant);
            }
            let stays_inner = match item {
                Item::Eof(_) => false,
                Item::Symbol(Symbol::Nonterminal(id), _) => self.keeps_inner(*id),
                Item::Symbol(Symbol::Terminal(_), _) | Item::Silent(_) => true,
            };
            if !stays_inner {
                break;
            }
        }
    }

    fn variant(&mut self, items: &[Item], first: usize) -> Vec<Item> {
        let mut variant = items.to_vec();
        for (at, item) in variant.iter_mut().enumerate().skip(first) {
            if let Item::Symbol(Symbol::Nonterminal(id), _) = item {
                *id = self.form(*id, if at == first { Form::Final } else { Form::Tail });
            }
        }
        variant
    }

    fn tail_production(&mut self, draft: &Draft, lhs: NonterminalId) {
        let is_tail = |item: &Item| match item {
            Item::Eof(_) | Item::Silent(_) => true,
            Item::Symbol(Symbol::Nonterminal(id), _) => self.possible[*id].tail,
            Item::Symbol(Symbol::Terminal(_), _) => false,
        };
        let mut items = self.old.items(draft).to_vec();
        if !items.iter().all(is_tail) {
            return;
        }
        for item in &mut items {
            if let Item::Symbol(Symbol::Nonterminal(id), _) = item {
                *id = self.form(*id, Form::Tail);
            }
        }
        self.new.push(lhs, draft.alternative, items);
    }

    /// The nonterminal of a final or tail form, made at its first use.
    fn form(&mut self, of: NonterminalId, form: Form) -> NonterminalId {
        if self.new.nonterminals[of].form == form {
            return of;
        }
        if let Some(&known) = self.of_form.get(&(of, form)) {
            return known;
        }
        let Nonterminal { name, origin, .. } = &self.old.nonterminals[of];
        let suffix = if form == Form::Final { "final" } else { "tail" };
        let name = self.unique_name(name, suffix);
        let new = self.new.nonterminals.push(Nonterminal { name, origin: *origin, form });
        self.of_form.insert((of, form), new);
        self.asked_for.push((of, form));
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

/// Which forms derive something. A nonterminal that derives nothing in any form counts as inner, so
/// that it stays visible to whoever looks for such mistakes.
fn possible_forms(drafts: &Drafts) -> Table<NonterminalId, Possible> {
    let inner = derived(drafts, |item| !matches!(item, Item::Eof(_)));
    let tail = derived(drafts, |item| matches!(item, Item::Eof(_) | Item::Silent(_)));
    let final_ = derived_final(drafts, &inner, &tail);
    let possible = |id| Possible {
        inner: inner.contains(id) || !(final_.contains(id) || tail.contains(id)),
        final_: final_.contains(id),
        tail: tail.contains(id),
    };
    drafts.nonterminals.ids().map(possible).collect()
}

/// The nonterminals with a production all of whose items are such leaves or such nonterminals
/// themselves. Every occurrence is looked at twice.
fn derived(drafts: &Drafts, is_wanted: impl Fn(&Item) -> bool) -> IdSet<NonterminalId> {
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

/// The nonterminals with a production that meets the end of input where all before is inner and all
/// behind is tail.
fn derived_final(
    drafts: &Drafts,
    inner: &IdSet<NonterminalId>,
    tail: &IdSet<NonterminalId>,
) -> IdSet<NonterminalId> {
    let mut found = IdSet::new(drafts.nonterminals.len());
    let mut users = Table::filled(Vec::new(), drafts.nonterminals.len());
    let mut work = Vec::new();
    for draft in &drafts.productions {
        for item in places_of_end(drafts.items(draft), inner, tail) {
            match item {
                Item::Eof(_) if found.insert(draft.lhs) => work.push(draft.lhs),
                Item::Symbol(Symbol::Nonterminal(id), _) => users[*id].push(draft.lhs),
                Item::Eof(_) | Item::Silent(_) | Item::Symbol(Symbol::Terminal(_), _) => {}
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

/// The items that can meet the end first: all before them are inner, all behind them tail.
fn places_of_end<'i>(
    items: &'i [Item],
    inner: &IdSet<NonterminalId>,
    tail: &IdSet<NonterminalId>,
) -> &'i [Item] {
    let is_inner = |item: &Item| match item {
        Item::Eof(_) => false,
        Item::Symbol(Symbol::Nonterminal(id), _) => inner.contains(*id),
        Item::Symbol(Symbol::Terminal(_), _) | Item::Silent(_) => true,
    };
    let is_tail = |item: &Item| match item {
        Item::Eof(_) | Item::Silent(_) => true,
        Item::Symbol(Symbol::Nonterminal(id), _) => tail.contains(*id),
        Item::Symbol(Symbol::Terminal(_), _) => false,
    };
    let first = items.iter().rposition(|item| !is_tail(item)).unwrap_or(0);
    let last = items.iter().position(|item| !is_inner(item)).unwrap_or(items.len());
    let end = items.len().min(last + 1);
    &items[first.min(end)..end]
}

fn nonterminal(item: &Item) -> Option<NonterminalId> {
    match item {
        Item::Symbol(Symbol::Nonterminal(id), _) => Some(*id),
        Item::Symbol(Symbol::Terminal(_), _) | Item::Silent(_) | Item::Eof(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Drafts, Item, possible_forms};
    use crate::{Form, NodeId, Nonterminal, NonterminalId, Origin, RuleId, Symbol, TerminalId};
    use gramercy_base::{Id, Table};

    /// Whether the first of these nonterminals can be inner, final and tail. A production is a word:
    /// a small letter a token, a digit a nonterminal, `$` the end of input.
    fn check(productions: &[(usize, &str)], inner: bool, final_: bool, tail: bool) {
        let count = productions.iter().map(|(lhs, _)| lhs + 1).max().unwrap_or(0);
        let origin = Origin::Rule(RuleId::from_index(0));
        let named =
            |at: usize| Nonterminal { name: at.to_string().into(), origin, form: Form::Inner };
        let nonterminals: Table<NonterminalId, _> = (0..count).map(named).collect();
        let mut drafts = Drafts::new(nonterminals, NonterminalId::from_index(0));
        let item = |letter: char| match letter {
            '$' => Item::Eof(NodeId::from_index(0)),
            _ => Item::Symbol(symbol(letter), None),
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
    fn nothing_may_follow_the_first_end() {
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
