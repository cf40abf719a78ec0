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
//! nonterminal keeps its one form. Linear in the productions times the positions at which a
//! production can meet its first EOF.

use gramercy_base::{LimitReached, Limits, Map, Set, Table};

use crate::bnf::{Draft, Drafts, Item};
use crate::{Form, Nonterminal, NonterminalId, Origin, Symbol};

pub(crate) fn split(drafts: Drafts, limits: &Limits) -> Result<Drafts, LimitReached> {
    let mentions_eof = |draft: &Draft| draft.items.iter().any(|item| matches!(item, Item::Eof(_)));
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
    drafts: &'d Drafts,
    possible: Table<NonterminalId, Possible>,
    nonterminals: Table<NonterminalId, Nonterminal>,
    of_form: Map<(NonterminalId, Form), NonterminalId>,
    asked_for: Vec<(NonterminalId, Form)>,
    names: Set<Box<str>>,
    by_lhs: Table<NonterminalId, Vec<usize>>,
}

impl<'d> Splitting<'d> {
    fn new(drafts: &'d Drafts) -> Self {
        let mut by_lhs = Table::filled(Vec::new(), drafts.nonterminals.len());
        for (at, draft) in drafts.productions.iter().enumerate() {
            by_lhs[draft.lhs].push(at);
        }
        let possible = possible_forms(drafts, &by_lhs);
        let mut nonterminals = drafts.nonterminals.clone();
        for (id, nonterminal) in drafts.nonterminals.iter() {
            if !possible[id].inner && possible[id].final_ {
                nonterminals[id] = Nonterminal { form: Form::Final, ..nonterminal.clone() };
            }
        }
        let names = nonterminals.values().map(|nonterminal| nonterminal.name.clone()).collect();
        let (of_form, asked_for) = (Map::default(), Vec::new());
        Self { drafts, possible, nonterminals, of_form, asked_for, names, by_lhs }
    }

    fn finish(mut self, limits: &Limits) -> Result<Drafts, LimitReached> {
        let mut productions = Vec::new();
        // What has its old id: the inner form, or the final one where that is the only one.
        for draft in &self.drafts.productions {
            match self.nonterminals[draft.lhs].form {
                Form::Final => self.final_productions(draft, draft.lhs, &mut productions),
                Form::Inner | Form::Tail => {
                    productions.extend(self.inner_production(draft));
                }
            }
        }
        let start = self.start(&mut productions);
        let mut symbols = 0;
        while let Some((of, form)) = self.asked_for.pop() {
            let lhs = self.of_form[&(of, form)];
            for at in self.by_lhs[of].clone() {
                let draft = &self.drafts.productions[at];
                match form {
                    Form::Final => self.final_productions(draft, lhs, &mut productions),
                    Form::Tail => productions.extend(self.tail_production(draft, lhs)),
                    Form::Inner => unreachable!("invariant: inner forms are not asked for"),
                }
            }
            symbols = productions.len().max(symbols);
            if symbols > limits.symbols {
                let what = "productions after the end of input was split off";
                let option = Some("--max-symbols");
                return Err(LimitReached { what, limit: limits.symbols, option });
            }
        }
        Ok(Drafts { nonterminals: self.nonterminals, productions, start })
    }

    /// The nonterminal of all sentences: one form of the old start, or the choice between two.
    fn start(&mut self, productions: &mut Vec<Draft>) -> NonterminalId {
        let old = self.drafts.start;
        let possible = self.possible[old];
        if !(possible.inner && possible.final_) {
            return old;
        }
        let name = self.unique_name(&self.nonterminals[old].name.clone(), "start");
        let origin = Origin::Start;
        let start = self.nonterminals.push(Nonterminal { name, origin, form: Form::Inner });
        for form in [old, self.form(old, Form::Final)] {
            let items = vec![Item::Symbol(Symbol::Nonterminal(form), None)];
            productions.push(Draft { lhs: start, items, alternative: None });
        }
        start
    }

    /// A production without EOF, unless it has one.
    fn inner_production(&self, draft: &Draft) -> Option<Draft> {
        let inner = |item: &Item| match item {
            Item::Eof(_) => false,
            Item::Symbol(Symbol::Nonterminal(id), _) => self.keeps_inner(*id),
            Item::Symbol(Symbol::Terminal(_), _) | Item::Silent(_) => true,
        };
        draft.items.iter().all(inner).then(|| draft.clone())
    }

    /// Whether the old id is the inner form, or a nonterminal that derives nothing at all.
    fn keeps_inner(&self, id: NonterminalId) -> bool {
        self.nonterminals[id].form == Form::Inner
    }

    /// The variants of a production that meet the end of input, one for each place of the first.
    fn final_productions(
        &mut self,
        draft: &Draft,
        lhs: NonterminalId,
        productions: &mut Vec<Draft>,
    ) {
        // Everything behind position `tail` derives no token.
        let is_tail = |item: &Item| match item {
            Item::Eof(_) | Item::Silent(_) => true,
            Item::Symbol(Symbol::Nonterminal(id), _) => self.possible[*id].tail,
            Item::Symbol(Symbol::Terminal(_), _) => false,
        };
        let tail = draft.items.iter().rposition(|item| !is_tail(item)).unwrap_or(0);
        for (first, item) in draft.items.iter().enumerate() {
            let meets_eof = match item {
                Item::Eof(_) => true,
                Item::Symbol(Symbol::Nonterminal(id), _) => self.possible[*id].final_,
                Item::Symbol(Symbol::Terminal(_), _) | Item::Silent(_) => false,
            };
            if meets_eof && first >= tail {
                let items = self.variant(&draft.items, first);
                productions.push(Draft { lhs, items, ..*draft });
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

    fn tail_production(&mut self, draft: &Draft, lhs: NonterminalId) -> Option<Draft> {
        let is_tail = |item: &Item| match item {
            Item::Eof(_) | Item::Silent(_) => true,
            Item::Symbol(Symbol::Nonterminal(id), _) => self.possible[*id].tail,
            Item::Symbol(Symbol::Terminal(_), _) => false,
        };
        if !draft.items.iter().all(is_tail) {
            return None;
        }
        let mut items = draft.items.clone();
        for item in &mut items {
            if let Item::Symbol(Symbol::Nonterminal(id), _) = item {
                *id = self.form(*id, Form::Tail);
            }
        }
        Some(Draft { lhs, items, ..*draft })
    }

    /// The nonterminal of a final or tail form, made at its first use.
    fn form(&mut self, of: NonterminalId, form: Form) -> NonterminalId {
        if self.nonterminals[of].form == form {
            return of;
        }
        if let Some(&known) = self.of_form.get(&(of, form)) {
            return known;
        }
        let Nonterminal { name, origin, .. } = self.nonterminals[of].clone();
        let suffix = if form == Form::Final { "final" } else { "tail" };
        let name = self.unique_name(&name, suffix);
        let new = self.nonterminals.push(Nonterminal { name, origin, form });
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

/// The least fixpoint of which forms derive something. A nonterminal that derives nothing in any
/// form counts as inner, so that it stays visible to whoever looks for such mistakes.
fn possible_forms(
    drafts: &Drafts,
    by_lhs: &Table<NonterminalId, Vec<usize>>,
) -> Table<NonterminalId, Possible> {
    let mut users = Table::filled(Vec::new(), drafts.nonterminals.len());
    for draft in &drafts.productions {
        for item in &draft.items {
            if let Item::Symbol(Symbol::Nonterminal(id), _) = item {
                users[*id].push(draft.lhs);
            }
        }
    }
    let mut possible = Table::filled(Possible::default(), drafts.nonterminals.len());
    let mut work: Vec<_> = drafts.nonterminals.ids().rev().collect();
    while let Some(id) = work.pop() {
        let mut new = possible[id];
        for &at in &by_lhs[id] {
            let of = possible_in(&drafts.productions[at].items, &possible);
            new.inner |= of.inner;
            new.final_ |= of.final_;
            new.tail |= of.tail;
        }
        if new != possible[id] {
            possible[id] = new;
            work.extend(&users[id]);
        }
    }
    for value in possible.values_mut() {
        value.inner |= *value == Possible::default();
    }
    possible
}

fn possible_in(items: &[Item], possible: &Table<NonterminalId, Possible>) -> Possible {
    // `before`: all so far are inner; `met`: the first end of input was met, all behind it is tail.
    let mut before = Possible { inner: true, final_: false, tail: true };
    for item in items {
        let of = match item {
            Item::Eof(_) => Possible { inner: false, final_: true, tail: true },
            Item::Silent(_) => Possible { inner: true, final_: false, tail: true },
            Item::Symbol(Symbol::Terminal(_), _) => {
                Possible { inner: true, final_: false, tail: false }
            }
            Item::Symbol(Symbol::Nonterminal(id), _) => possible[*id],
        };
        before = Possible {
            inner: before.inner && of.inner,
            final_: (before.inner && of.final_) || (before.final_ && of.tail),
            tail: before.tail && of.tail,
        };
    }
    before
}

#[cfg(test)]
mod tests {
    use super::{Item, possible_in};
    use crate::{NonterminalId, Symbol};
    use gramercy_base::{Id, Table};

    #[test]
    fn nothing_may_follow_the_first_end() {
        let mut possible: Table<NonterminalId, super::Possible> = Table::new();
        let eos = possible.push(super::Possible { inner: true, final_: true, tail: true });
        let token = Item::Symbol(Symbol::Terminal(crate::TerminalId::from_index(0)), None);
        let eos = Item::Symbol(Symbol::Nonterminal(eos), None);
        let check = |items: &[Item], inner, final_, tail| {
            let of = possible_in(items, &possible);
            assert_eq!((of.inner, of.final_, of.tail), (inner, final_, tail));
        };
        check(&[token, eos], true, true, false);
        check(&[eos, token], true, false, false);
        check(&[eos, eos], true, true, true);
    }
}
