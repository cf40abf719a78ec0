//! `item-edit`: every item of every production is changed by every operator, with every class of error.
//!
//! Targets are items (a production with a dot) with a kind of change of the symbol after the dot, and the class of the
//! error: that of the kind (missing, extra, wrong, swapped), or an input that ends too early. The production stands in
//! the smallest sentence around it, as the [rule operator](crate::operators::rule) embeds it; a target is covered by
//! the first symbol of the grammar that gives such an error. Whether there is one is decided by trying all of them.
//!
//! Example: `pair: STRING ":" value;` at the item before `":"`: deleting gives `{"" 0}` (missing), inserting `{` gives
//! `{"" { : 0}` (extra), and so on.
//!
//! Cost: items times symbols of the grammar, each read up to its first error.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use gramercy_base::Span;
use gramercy_coverage::{Criterion, Reading, RejectedInput, TargetId, TargetSet, Uncoverable};
use gramercy_derive::{CheapestTrees, Contexts, Resolution};
use gramercy_grammar::TextKind;
use gramercy_language::Language;
use gramercy_lexis::Choice;

use super::{Change, Found, NegativeCriterion, Smallest, Tools, item_name};
use crate::check::{Anything, Check};
use crate::edit::{Class, Item, Kind};
use crate::operators::rule::Rules;
use crate::text::{Base, Span as TokenSpan};
use crate::vocabulary::Vocabulary;

/// A way to change a production.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemEdit {
    /// The item.
    pub item: Item,
    /// What is done to the symbol after its dot.
    pub kind: Kind,
    /// The class of the error.
    pub class: Class,
}

/// All ways to change productions as targets.
#[derive(Debug)]
pub struct ItemEdits<'l> {
    language: &'l Language,
    targets: Vec<ItemEdit>,
    smallest: OnceLock<Smallest>,
}

/// In scannerless grammars every change is a text of its own; this number is read for each item and kind.
const MAX_TEXTS: usize = 64;

impl<'l> ItemEdits<'l> {
    /// The targets.
    #[must_use]
    pub fn new(language: &'l Language) -> Self {
        let (bnf, mut targets) = (language.bnf(), Vec::new());
        for production in bnf.productions() {
            let len = bnf.rhs(production).len();
            for dot in 0..=len {
                let applies = |kind: &Kind| match kind {
                    Kind::Delete | Kind::Substitute => dot < len,
                    Kind::Insert => true,
                    Kind::Transpose => dot + 1 < len,
                };
                for kind in Kind::ALL.into_iter().filter(applies) {
                    let item = Item { production, dot };
                    let classes = [kind.class(), Class::End];
                    targets.extend(classes.map(|class| ItemEdit { item, kind, class }));
                }
            }
        }
        Self { language, targets, smallest: OnceLock::new() }
    }

    fn target(&self, target: TargetId) -> ItemEdit {
        self.targets[usize::try_from(target).expect("invariant: targets fit in memory")]
    }

    /// The targets that have a test, with their texts.
    fn smallest(&self) -> &Smallest {
        let search = || Smallest::of(self.language, |tools, found| self.search(tools, found));
        self.smallest.get_or_init(search)
    }
}

impl Criterion for ItemEdits<'_> {
    fn targets(&self) -> u64 {
        self.targets.len() as u64
    }

    fn coverable(&self) -> u64 {
        self.smallest().targets.len()
    }

    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable> {
        (!self.smallest().targets.contains(target)).then_some(Uncoverable::Unreachable)
    }

    fn cover(&self, _: &Reading<'_>, _: &mut TargetSet) {}

    /// An input covers the targets whose smallest test it is, and the one that its corpus says it was made for.
    fn cover_rejected(&self, input: &RejectedInput<'_>, covered: &mut TargetSet) {
        self.smallest().cover(input.text, covered);
        let (Some(operator), Some(item), Some(class)) = (input.operator, input.item, input.class)
        else {
            return;
        };
        for (at, edit) in self.targets.iter().enumerate() {
            let is_same = operator.ends_with(edit.kind.as_str()) && class == edit.class.as_str();
            if is_same && item_name(self.language, edit.item).1 == item {
                covered.insert(at as TargetId);
            }
        }
    }

    fn describe(&self, target: TargetId) -> String {
        let ItemEdit { item, kind, class } = self.target(target);
        format!("{}: {}, {}", item_name(self.language, item).1, kind.as_str(), class.as_str())
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        let production = self.target(target).item.production;
        let expr = self.language.bnf().alternative_expr(self.language.grammar(), production)?;
        Some(self.language.grammar().expr(expr).span)
    }
}

impl NegativeCriterion for ItemEdits<'_> {
    fn search(&self, tools: &mut Tools<'_, '_, '_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let written_language = self.language.written();
        let cheapest = CheapestTrees::new(&written_language, Resolution::default());
        let contexts = Contexts::new(&written_language, &cheapest);
        let rules = Rules::new(&written_language, &contexts);
        let mut at = 0;
        while let Some(first) = self.targets.get(at) {
            let production = first.item.production;
            let of =
                self.targets[at..].iter().take_while(|edit| edit.item.production == production);
            let end = at + of.count();
            let is_useful = written_language.useful().has_production(production);
            if is_useful && contexts.reach(self.language.bnf().lhs(production)) {
                let rule = rules.base(production);
                if let Some(base) = written(tools, &rule.tokens) {
                    self.search_rule(&rules, &rule, &base, at..end, tools, found)?;
                }
            }
            at = end;
        }
        ControlFlow::Continue(())
    }
}

impl ItemEdits<'_> {
    /// Finds tests for the targets of one production.
    fn search_rule(
        &self,
        rules: &Rules<'_>,
        rule: &crate::operators::rule::RuleBase,
        base: &Base,
        range: std::ops::Range<usize>,
        tools: &mut Tools<'_, '_, '_>,
        found: &mut Found<'_>,
    ) -> ControlFlow<()> {
        tools.judge.begin(base);
        if !tools.judge.is_sentence() {
            return ControlFlow::Continue(());
        }
        let is_scannerless = self.language.grammar().text_kind() == TextKind::Scannerless;
        let mut anything = Anything::new(Vocabulary::new(self.language));
        anything.begin(&base.tokens);
        if let Some(exact) = &mut tools.exact {
            exact.begin(&base.tokens);
        }
        // Both classes of an item and a kind are looked for together.
        for at in range.step_by(2) {
            let ItemEdit { item, kind, .. } = self.targets[at];
            let (mut missing, mut texts) = ([true; 2], 0);
            let mut flow = ControlFlow::Continue(());
            let _ = rules.visit_item(rule, item.dot, kind, &mut anything, &mut |edit| {
                let at_end = match &mut tools.exact {
                    Some(exact) => match exact.error(edit.place, edit.removed, edit.inserted) {
                        None => return ControlFlow::Continue(()),
                        Some(error) => {
                            Some(error == base.tokens.len() + edit.inserted.len() - edit.removed)
                        }
                    },
                    None => None,
                };
                if at_end.is_some_and(|at_end| !missing[usize::from(at_end)]) {
                    return ControlFlow::Continue(());
                }
                texts += 1;
                let mut text = String::new();
                let is_intended = tools.judge.write(tools.splicer, base, edit, &mut text);
                let rejected = match is_intended {
                    true => tools.judge.explain(tools.splicer, base, edit, &text),
                    false => tools.judge.read(&text, kind),
                };
                let Some(rejected) = rejected else { return ControlFlow::Continue(()) };
                let which = match rejected.class {
                    Class::End => 1,
                    class if class == kind.class() => 0,
                    _ => return ControlFlow::Continue(()),
                };
                if std::mem::replace(&mut missing[which], false) {
                    flow = found((at + which) as TargetId, base, Change::Tokens(edit));
                }
                let is_over = flow.is_break()
                    || missing == [false; 2]
                    || (is_scannerless && texts >= MAX_TEXTS);
                if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            flow?;
        }
        ControlFlow::Continue(())
    }
}

/// A sentence with its text, if the lexer can make its tokens.
pub(super) fn written(
    tools: &mut Tools<'_, '_, '_>,
    tokens: &[gramercy_grammar::TerminalId],
) -> Option<Base> {
    let written = tools.writer.write(tokens, &Choice::default()).ok()?;
    if !tools.writer.reads_back(&written) {
        return None;
    }
    let span = |token: &gramercy_lexis::WrittenToken| TokenSpan {
        terminal: token.terminal,
        start: token.start,
        end: token.end,
    };
    let spans = written.tokens.iter().map(span).collect();
    Some(Base::new(written.text, spans))
}
