//! Turns alternatives into plain productions: parameterized rules, inlined rules and mid-rule
//! actions.
//!
//! A use of a parameterized rule, such as Lrama's `list(expr)`, becomes a nonterminal whose
//! productions are those of the rule with its arguments substituted; equal uses are one
//! nonterminal. A use of an inlined rule multiplies the alternative that contains it. An action
//! before the end of an alternative becomes an empty nonterminal, `$@N`, or `@N` if its value is
//! set or used; the numbers are those of bison. New productions come before the alternative that
//! needs them, with the span of its beginning.
//!
//! Linear in the file and in the result, which [`MOST_USES`] and
//! [`Limits::symbols`](gramercy_base::Limits) limit.

use std::collections::VecDeque;
use std::ops::Range;

use gramercy_base::{Diagnostic, IndexMap, Map, SourceId, Span, to_u32};

use super::ast::{
    Alternative, AlternativeDirectives, Argument, File, Item, ItemKind, Mention, Spelling, SymbolId,
};
use super::{codes as yacc_codes, parse, shown};
use crate::cursor::Cursor;
use crate::{Reading, suggest};

/// The limit on different uses of parameterized rules.
const MOST_USES: usize = 50_000;
/// The limit on the nesting of inlined rules; deeper ones are endless.
const MOST_INLINED: u32 = 100;
/// A longer name is replaced by that of the rule and a number.
const LONGEST_NAME: usize = 100;

/// The parameterized rules that Lrama predefines.
const PRELUDE: &str = "
    %rule option(X): %empty | X ;
    %rule %inline ioption(X): %empty | X ;
    %rule preceded(before, X): before X ;
    %rule terminated(X, after): X after ;
    %rule delimited(before, X, after): before X after ;
    %rule list(X): %empty | list(X) X ;
    %rule nonempty_list(X): X | nonempty_list(X) X ;
    %rule separated_nonempty_list(between, X)
        : X | separated_nonempty_list(between, X) between X ;
    %rule separated_list(between, X): option(separated_nonempty_list(between, X)) ;
    %%
";

/// A production; all its items are symbols.
#[derive(Clone, Debug)]
pub(crate) struct Production {
    pub(crate) lhs: SymbolId,
    /// Its items, as a range of [`File::items`].
    pub(crate) items: Range<u32>,
    pub(crate) span: Span,
    pub(crate) directives: AlternativeDirectives,
    /// The production that contains it, if it was created for a mid-rule action.
    pub(crate) owner: Option<u32>,
}

/// All productions of a file, in order.
pub(crate) fn expand(
    reading: &mut Reading<'_>,
    source: SourceId,
    file: &mut File<'_>,
) -> Vec<Production> {
    if !file.uses.is_empty() || !file.templates.is_empty() {
        add_prelude(reading, source, file);
    }
    let alternatives = std::mem::take(&mut file.alternatives);
    let mut expansion = Expansion {
        limit: reading.limits().symbols,
        reading,
        file,
        productions: Vec::with_capacity(alternatives.len()),
        uses: IndexMap::default(),
        inlined: Map::default(),
        pending: VecDeque::new(),
        actions: 0,
        symbols: 0,
        stopped: false,
    };
    for alternative in &alternatives {
        expansion.alternative(alternative);
    }
    expansion.productions
}

/// Adds the rules of [`PRELUDE`] that the file does not define itself.
fn add_prelude(reading: &mut Reading<'_>, source: SourceId, file: &mut File<'_>) {
    let own = std::mem::take(&mut file.templates);
    if !file.ignored.contains_key("no-stdlib") {
        *file = parse::parse(reading, Cursor::new(source, PRELUDE), std::mem::take(file));
    }
    file.templates.extend(own);
}

struct Expansion<'p, 'r, 'f, 't> {
    reading: &'p mut Reading<'r>,
    file: &'f mut File<'t>,
    productions: Vec<Production>,
    /// The nonterminal of each use: a parameterized rule with its arguments.
    uses: IndexMap<(SymbolId, Vec<SymbolId>), SymbolId>,
    /// The uses of inlined rules, by their placeholder symbol.
    inlined: Map<SymbolId, usize>,
    /// Uses whose productions are not created yet.
    pending: VecDeque<usize>,
    actions: usize,
    symbols: usize,
    limit: usize,
    stopped: bool,
}

/// A symbol or action that becomes part of a production.
#[derive(Clone, Copy)]
struct PendingItem<'t> {
    kind: ItemKind,
    span: Span,
    label: Option<&'t str>,
    /// The use whose arguments its symbols may refer to.
    within: Option<usize>,
    /// The number of nested inlined rules that it comes from.
    depth: u32,
}

impl PendingItem<'_> {
    fn is_action(&self) -> bool {
        matches!(self.kind, ItemKind::Action { .. })
    }
}

/// An alternative whose uses of inlined rules are being replaced.
#[derive(Clone, Default)]
struct AlternativeCopy<'t> {
    done: Vec<PendingItem<'t>>,
    /// The items that are not processed yet, the last item first.
    rest: Vec<PendingItem<'t>>,
}

impl AlternativeCopy<'_> {
    fn drop_final_action(&mut self) {
        self.done.pop_if(|last| last.is_action());
    }
}

impl<'t> Expansion<'_, '_, '_, 't> {
    fn alternative(&mut self, alternative: &Alternative) {
        if self.stopped {
            return;
        }
        if self.is_plain(alternative) {
            return self.push_plain(alternative);
        }
        let mut copies = self.copies(alternative, None);
        // Copies differ only in their order, not in their spans.
        if copies.len() > 1 {
            for copy in &mut copies {
                if let [only] = &mut copy.done[..] {
                    only.span = alternative.span;
                }
            }
        }
        let place = Span { end: alternative.span.start, ..alternative.span };
        self.make_pending(place);
        self.push_copies(alternative, copies, place);
    }

    /// Whether an alternative contains only symbols and a final action.
    fn is_plain(&self, alternative: &Alternative) -> bool {
        let items = self.file.items_of(alternative);
        let symbols = match items {
            [symbols @ .., Item { kind: ItemKind::Action { .. }, .. }] => symbols,
            _ => items,
        };
        symbols.iter().all(|item| match item.kind {
            ItemKind::Symbol(symbol) => !self.is_template(symbol),
            ItemKind::Use(_) | ItemKind::Action { .. } => false,
        })
    }

    /// Whether a plain name is a parameterized rule without parameters.
    fn is_template(&self, symbol: SymbolId) -> bool {
        self.file.templates.contains_key(&symbol) && !self.file.rules.contains_key(&symbol)
    }

    fn push_plain(&mut self, alternative: &Alternative) {
        let Alternative { lhs, directives, .. } = *alternative;
        let mut items = alternative.items.clone();
        let mut span = alternative.span;
        if let [kept @ .., Item { kind: ItemKind::Action { .. }, .. }] =
            self.file.items_of(alternative)
        {
            items.end -= 1;
            if let [first, .., last] | [first @ last] = kept {
                span = first.span.to(last.span);
            }
        }
        self.productions.push(Production { lhs, items, span, directives, owner: None });
    }

    /// The alternative with its arguments substituted, once for every choice among inlined rules.
    fn copies(
        &mut self,
        alternative: &Alternative,
        within: Option<usize>,
    ) -> Vec<AlternativeCopy<'t>> {
        let mut finished = Vec::new();
        let mut work = vec![AlternativeCopy::default()];
        self.add_items(&mut work[0], alternative, within, 0);
        while let Some(mut copy) = work.pop() {
            let inlined = loop {
                let Some(mut next) = copy.rest.pop() else {
                    break None;
                };
                next.kind = self.resolved(&next);
                match next.kind {
                    ItemKind::Symbol(symbol) if self.inlined.contains_key(&symbol) => {
                        break Some((self.inlined[&symbol], next));
                    }
                    _ => copy.done.push(next),
                }
            };
            match inlined {
                None => {
                    copy.drop_final_action();
                    finished.push(copy);
                }
                Some((at, place)) => self.inline(&mut work, &copy, at, &place),
            }
            if self.stopped {
                return Vec::new();
            }
        }
        finished
    }

    /// Adds the items of an alternative to the unprocessed ones of a copy.
    fn add_items(
        &mut self,
        copy: &mut AlternativeCopy<'t>,
        alternative: &Alternative,
        within: Option<usize>,
        depth: u32,
    ) {
        for index in alternative.items.clone().rev() {
            let Item { kind, span } = self.file.items[index as usize];
            let label = self.file.labels.get(&index).copied();
            copy.rest.push(PendingItem { kind, span, label, within, depth });
        }
    }

    /// Replaces the use of an inlined rule by its alternatives.
    fn inline(
        &mut self,
        work: &mut Vec<AlternativeCopy<'t>>,
        copy: &AlternativeCopy<'t>,
        at: usize,
        place: &PendingItem<'t>,
    ) {
        let template = self.uses.get_index(at).expect("invariant: a use of the file").0.0;
        if place.depth >= MOST_INLINED {
            return self.stop_endless(template, place.span);
        }
        let alternatives = self.file.templates[&template].alternatives.clone();
        for alternative in alternatives.iter().rev() {
            let mut copy = copy.clone();
            let before = copy.rest.len();
            self.add_items(&mut copy, alternative, Some(at), place.depth + 1);
            for item in &mut copy.rest[before..] {
                (item.span, item.label) = (place.span, None);
            }
            // Its final action is merged with that of the surrounding alternative.
            if copy.rest.get(before).is_some_and(PendingItem::is_action) {
                copy.rest.remove(before);
            }
            self.count(copy.done.len() + copy.rest.len() + 1, place.span);
            work.push(copy);
            if self.stopped {
                return;
            }
        }
    }

    /// An item after substitution of arguments, with nonterminals for uses.
    fn resolved(&mut self, item: &PendingItem<'t>) -> ItemKind {
        match item.kind {
            ItemKind::Symbol(symbol) => {
                ItemKind::Symbol(self.argument(symbol, item.within, item.span))
            }
            ItemKind::Use(index) => ItemKind::Symbol(self.nested_uses(index, item.within)),
            ItemKind::Action { .. } => item.kind,
        }
    }

    fn argument(&mut self, symbol: SymbolId, within: Option<usize>, span: Span) -> SymbolId {
        if let Some(at) = within {
            let (template, arguments) =
                self.uses.get_index(at).expect("invariant: a use of the file").0;
            let parameters = &self.file.templates[template].parameters;
            if let Some(position) = parameters.get_index_of(&symbol) {
                return arguments[position];
            }
        }
        if self.is_template(symbol) {
            return self.use_of(Mention { symbol, span }, Vec::new());
        }
        symbol
    }

    /// The symbol of a use. The uses nested in it precede it.
    fn nested_uses(&mut self, index: u32, within: Option<usize>) -> SymbolId {
        let first = self.file.uses[index as usize].first;
        let mut symbols: Vec<SymbolId> = Vec::new();
        for at in first..=index {
            let template = self.file.uses[at as usize].template;
            let arguments = std::mem::take(&mut self.file.uses[at as usize].arguments);
            let values = arguments.iter().map(|argument| match *argument {
                Argument::Symbol(symbol) => self.argument(symbol, within, template.span),
                Argument::Use(inner) => symbols[(inner - first) as usize],
            });
            let values = values.collect();
            self.file.uses[at as usize].arguments = arguments;
            symbols.push(self.use_of(template, values));
        }
        *symbols.last().expect("invariant: a use is among its own")
    }

    /// The symbol of a parameterized rule with these arguments.
    fn use_of(&mut self, template: Mention, arguments: Vec<SymbolId>) -> SymbolId {
        let Some(found) = self.file.templates.get(&template.symbol) else {
            return self.undefined(template);
        };
        let (wanted, inline) = (found.parameters.len(), found.inline);
        if wanted != arguments.len() {
            return self.wrong_arguments(template, wanted, arguments.len());
        }
        let key = (template.symbol, arguments);
        if let Some(&known) = self.uses.get(&key) {
            return known;
        }
        if self.uses.len() >= MOST_USES {
            self.stop_endless(template.symbol, template.span);
            return template.symbol;
        }
        let symbol =
            if key.1.is_empty() { template.symbol } else { self.named_after(key.0, &key.1) };
        let at = self.uses.insert_full(key, symbol).0;
        if inline {
            self.inlined.insert(symbol, at);
        } else {
            self.pending.push_back(at);
        }
        symbol
    }

    fn named_after(&mut self, template: SymbolId, arguments: &[SymbolId]) -> SymbolId {
        let symbols = &mut self.file.symbols;
        let mut name = symbols.text(template).to_string();
        for &argument in arguments {
            name.push('_');
            name.push_str(&symbols.name(argument));
            if name.len() > LONGEST_NAME {
                name = format!("{}_{}", shown(symbols.text(template)), self.uses.len());
                break;
            }
        }
        symbols.make(name)
    }

    /// Creates the productions of all known uses, and of those that they lead to.
    fn make_pending(&mut self, place: Span) {
        while let Some(at) = self.pending.pop_front() {
            let (&(template, _), &lhs) =
                self.uses.get_index(at).expect("invariant: a use of the file");
            let alternatives = self.file.templates[&template].alternatives.clone();
            for alternative in alternatives {
                let alternative = Alternative { lhs, span: place, ..alternative };
                let mut copies = self.copies(&alternative, Some(at));
                for copy in &mut copies {
                    copy.done.iter_mut().for_each(|item| item.span = place);
                }
                self.count(copies.len() + alternative.items.len(), place);
                if self.stopped {
                    return;
                }
                self.push_copies(&alternative, copies, place);
            }
        }
    }

    /// Adds the productions of an alternative's copies, after those of their actions.
    fn push_copies(
        &mut self,
        alternative: &Alternative,
        mut copies: Vec<AlternativeCopy<'t>>,
        place: Span,
    ) {
        let mut owners = Vec::new();
        for (number, copy) in copies.iter_mut().enumerate() {
            for item in &mut copy.done {
                if let ItemKind::Action { valued } = item.kind {
                    owners.push((self.productions.len(), number));
                    item.kind = ItemKind::Symbol(self.action(valued, place));
                }
            }
        }
        let first = self.productions.len();
        for (at, number) in owners {
            self.productions[at].owner = Some(to_u32(first + number));
        }
        for copy in copies {
            self.push_copy(alternative, copy);
        }
    }

    /// The nonterminal of a mid-rule action.
    fn action(&mut self, valued: bool, span: Span) -> SymbolId {
        self.actions += 1;
        let sign = if valued { "" } else { "$" };
        let lhs = self.file.symbols.make(format!("{sign}@{}", self.actions));
        let end = to_u32(self.file.items.len());
        let directives = AlternativeDirectives::default();
        self.productions.push(Production { lhs, items: end..end, span, directives, owner: None });
        lhs
    }

    fn push_copy(&mut self, alternative: &Alternative, copy: AlternativeCopy<'t>) {
        let Alternative { lhs, span, directives, .. } = *alternative;
        let start = self.file.items.len();
        for PendingItem { kind, span, label, .. } in copy.done {
            if let Some(label) = label {
                self.file.labels.insert(to_u32(self.file.items.len()), label);
            }
            self.file.items.push(Item { kind, span });
        }
        let items = to_u32(start)..to_u32(self.file.items.len());
        self.productions.push(Production { lhs, items, span, directives, owner: None });
    }

    fn undefined(&mut self, template: Mention) -> SymbolId {
        let symbols = &self.file.symbols;
        let name = symbols.text(template.symbol);
        let message = format!("there is no parameterized rule `{}`", shown(name));
        let mut diagnostic = Diagnostic::at(yacc_codes::UNDEFINED_TEMPLATE, template.span, message);
        let known = self.file.templates.keys().map(|&symbol| symbols.text(symbol));
        diagnostic.help = suggest::did_you_mean(&shown(name), known.take(1000));
        self.reading.report(diagnostic);
        self.file.symbols.intern(Spelling::Made, "?")
    }

    fn wrong_arguments(&mut self, template: Mention, wanted: usize, found: usize) -> SymbolId {
        let name = shown(self.file.symbols.text(template.symbol));
        let message = format!("`{name}` takes {wanted} arguments, {found} are given");
        let code = yacc_codes::WRONG_ARGUMENTS;
        self.reading.report(Diagnostic::at(code, template.span, message));
        self.file.symbols.intern(Spelling::Made, "?")
    }

    fn stop_endless(&mut self, template: SymbolId, span: Span) {
        if std::mem::replace(&mut self.stopped, true) {
            return;
        }
        let name = shown(self.file.symbols.text(template));
        let message = format!("uses of `{name}` lead to endlessly more uses");
        let code = yacc_codes::ENDLESS_EXPANSION;
        self.reading.report(Diagnostic::at(code, span, message));
    }

    fn count(&mut self, new: usize, span: Span) {
        self.symbols += new;
        if self.symbols > self.limit && !self.stopped {
            let message = format!("inlined rules multiply to more than {} symbols", self.limit);
            let help = "raise the limit with --max-symbols";
            let code = yacc_codes::ENDLESS_EXPANSION;
            self.reading.report(Diagnostic::at(code, span, message).help(help));
            self.stopped = true;
        }
    }
}
