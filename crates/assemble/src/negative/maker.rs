//! From changes of base tests to tests: their texts, their errors, and which of them are kept.

use std::ops::ControlFlow;
use std::sync::Arc;

use gramercy_base::{Fingerprint, IdSet};
use gramercy_coverage::TargetId;
use gramercy_derive::Goal;
use gramercy_grammar::{TerminalId, TextKind};
use gramercy_language::Language;
use gramercy_lexis::WrittenToken;
use gramercy_mutate::criteria::{item_name, item_source};
use gramercy_mutate::operators::character::CharacterEdit;
use gramercy_mutate::{
    Base, Check, Class, Edit, Family, Item, Judge, Operator, Rejected, Selector, Splicer,
};
use gramercy_suite::Wants;

use crate::engine::Made;
use crate::engine::batch::{Batch, RejectionDetails, Verdict};

/// Takes tests, and says whether more are needed.
pub(super) type Emit<'e> = dyn FnMut(Made<'_>) -> ControlFlow<()> + 'e;

/// A batch with this many bytes of texts, or this many tests, is handed on.
const BATCH_BYTES: usize = 1 << 17;
const BATCH_TESTS: usize = 2048;

/// What holds for all tests of a suite.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) wants: Wants,
    /// Whether equal texts are merged.
    pub(super) is_unique: bool,
    pub(super) max_bytes: Option<usize>,
    pub(super) with_positives: bool,
}

/// What less precise checks would have found.
pub(super) struct Weaker<'c> {
    pub(super) checks: Vec<Box<dyn Check + 'c>>,
    /// For each of them what it is the first to find, then the rest.
    pub(super) found: Vec<u64>,
}

/// Makes tests from changes of one base after the other.
pub(super) struct Maker<'m> {
    language: &'m Language,
    splicer: &'m Splicer,
    judge: Judge<'m>,
    options: Options,
    selector: Option<Selector>,
    weaker: Option<Weaker<'m>>,
    base: Base,
    base_text: Arc<str>,
    batch: Batch,
    batch_tests: usize,
    text: String,
    emit: &'m mut Emit<'m>,
}

/// How a test was made.
#[derive(Clone, Copy)]
struct Change<'c> {
    operator: Operator,
    item: Option<Item>,
    place: usize,
    inserted: &'c [String],
    removed: &'c [String],
    bytes: Option<&'c [u8]>,
    goal: Option<Goal>,
}

impl<'m> Maker<'m> {
    pub(super) fn new(
        language: &'m Language,
        splicer: &'m Splicer,
        judge: Judge<'m>,
        options: Options,
        emit: &'m mut Emit<'m>,
    ) -> Self {
        Self {
            language,
            splicer,
            judge,
            options,
            selector: None,
            weaker: None,
            base: Base::default(),
            base_text: Arc::default(),
            batch: Batch::default(),
            batch_tests: 1,
            text: String::new(),
            emit,
        }
    }

    pub(super) fn selecting(self, selector: Option<Selector>) -> Self {
        Self { selector, ..self }
    }

    pub(super) fn comparing(self, weaker: Option<Weaker<'m>>) -> Self {
        Self { weaker, ..self }
    }

    fn kind(&self) -> TextKind {
        self.language.grammar().text_kind()
    }

    /// The base.
    pub(super) fn base(&self) -> &Base {
        &self.base
    }

    /// What less precise checks would have found, in the order of checks, and the rest.
    pub(super) fn found(&self) -> Vec<u64> {
        self.weaker.as_ref().map_or_else(Vec::new, |weaker| weaker.found.clone())
    }

    /// Looks at another base; `false` if it is not a sentence.
    pub(super) fn begin(&mut self, base: Base) -> bool {
        self.judge.begin(&base);
        self.base_text =
            if self.options.wants.rejection { base.text.as_str().into() } else { Arc::default() };
        self.base = base;
        if let Some(selector) = &mut self.selector {
            selector.begin();
        }
        if let Some(weaker) = &mut self.weaker {
            weaker.checks.iter_mut().for_each(|check| check.begin(&self.base.tokens));
        }
        self.judge.is_sentence()
    }

    /// Puts the base into the suite, if base tests are part of it.
    pub(super) fn positive(&mut self) -> ControlFlow<()> {
        if !self.options.with_positives {
            return ControlFlow::Continue(());
        }
        self.text.clone_from(&self.base.text);
        self.add(Verdict::Accept, self.base.tokens.len(), None);
        if self.options.wants.tokens {
            let tokens = self.base.spans.iter().map(written);
            self.batch.tokens.extend(tokens);
            self.close_tokens();
        }
        self.hand_on_if_full()
    }

    /// Makes the test of a change of tokens. In a grammar with tokens the changed token string is known to be no
    /// sentence.
    pub(super) fn edit(&mut self, edit: &Edit<'_>, goal: Option<Goal>) -> ControlFlow<()> {
        if self.selector.as_ref().is_some_and(Selector::is_done_with_base) {
            return ControlFlow::Continue(());
        }
        if self.kind() == TextKind::TokensOnly && !self.needs_error() {
            return self.plain_edit(edit, goal);
        }
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        let is_intended = self.judge.write(self.splicer, &self.base, edit, &mut text);
        // The text itself is judged, whatever is known of its tokens.
        let rejected = match is_intended {
            true => self.judge.explain(self.splicer, &self.base, edit, &text),
            false => self.judge.read(&text, edit.operator.kind),
        };
        if rejected.is_none() {
            self.text = text;
            return ControlFlow::Continue(());
        }
        self.text = text;
        self.compare(edit);
        let names = |tokens: &[TerminalId]| match self.options.wants.rejection {
            true => tokens.iter().map(|&token| self.splicer.lexeme(token).to_owned()).collect(),
            false => Vec::new(),
        };
        let gone = &self.base.spans[edit.place..edit.place + edit.removed];
        let removed: Vec<String> = match self.options.wants.rejection {
            true => {
                gone.iter().map(|span| self.base.text[span.start..span.end].to_owned()).collect()
            }
            false => Vec::new(),
        };
        let inserted: Vec<String> = names(edit.inserted);
        let change = Change {
            operator: edit.operator,
            item: edit.item,
            place: edit.place,
            inserted: &inserted,
            removed: &removed,
            bytes: None,
            goal,
        };
        self.keep(rejected, change)
    }

    /// Makes the test of a change of tokens of which it is not known whether it leaves the language.
    pub(super) fn edit_if_negative(&mut self, edit: &Edit<'_>) -> ControlFlow<()> {
        let is_negative = match self.kind() {
            TextKind::Scannerless => true,
            TextKind::Lexed | TextKind::TokensOnly => self.judge.is_negative(edit),
        };
        if is_negative { self.edit(edit, None) } else { ControlFlow::Continue(()) }
    }

    /// The test of a change in a grammar of tokens only, of which nothing but the text is needed.
    fn plain_edit(&mut self, edit: &Edit<'_>, goal: Option<Goal>) -> ControlFlow<()> {
        self.compare(edit);
        if let Some(selector) = &mut self.selector
            && !selector.keeps(edit.operator, edit.item, Class::Wrong, (None, None))
        {
            return ControlFlow::Continue(());
        }
        self.text.clear();
        if self.options.wants.text || self.options.is_unique || self.options.max_bytes.is_some() {
            self.splicer.append(&self.base, edit, &mut self.text);
        }
        let tokens = self.base.tokens.len() + edit.inserted.len() - edit.removed;
        self.add(Verdict::Reject, tokens, goal);
        self.hand_on_if_full()
    }

    /// Makes the test of a change of characters, if the result is not in the language; says so.
    pub(super) fn character(
        &mut self,
        edit: &CharacterEdit<'_>,
        goal: Option<Goal>,
    ) -> ControlFlow<(), bool> {
        let mut text = std::mem::take(&mut self.text);
        edit.apply(&self.base.text, &mut text);
        let rejected = self.judge.read(&text, edit.kind);
        self.text = text;
        let Some(rejected) = rejected else { return ControlFlow::Continue(false) };
        let removed = &self.base.text[edit.place..edit.place + edit.removed];
        let list = |text: &str| match text {
            "" => Vec::new(),
            text => vec![text.to_owned()],
        };
        let (inserted, removed) = (list(edit.inserted), list(removed));
        let change = Change {
            operator: Operator { family: Family::Character, kind: edit.kind },
            item: None,
            place: edit.place,
            inserted: &inserted,
            removed: &removed,
            bytes: None,
            goal,
        };
        self.keep(Some(rejected), change)?;
        ControlFlow::Continue(true)
    }

    /// Makes the test of an input that is not UTF-8, or begins with a byte order mark: `bytes` with what was put in at
    /// a byte of the base.
    pub(super) fn encoding(
        &mut self,
        bytes: &[u8],
        place: usize,
        operator: Operator,
        name: &str,
    ) -> ControlFlow<()> {
        let valid = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let (valid, _) = bytes.split_at(error.valid_up_to());
                std::str::from_utf8(valid).expect("invariant: the bytes are valid up to here")
            }
        };
        let is_text = valid.len() == bytes.len();
        // What is not text is not cut into tokens: its first wrong byte is the error, whatever is before it.
        let rejected = match self.judge.read(valid, operator.kind) {
            Some(rejected) if is_text => Rejected { class: Class::Encoding, ..rejected },
            None if is_text => return ControlFlow::Continue(()),
            _ => Rejected {
                token: self.judge.spans().len(),
                byte: valid.len(),
                class: Class::Encoding,
                expected: IdSet::new(self.language.bnf().terminal_count()),
                end_expected: false,
            },
        };
        self.text.clear();
        if is_text {
            self.text.push_str(valid);
        }
        let (inserted, no_text) = ([name.to_owned()], !is_text);
        let change = Change {
            operator,
            item: None,
            place,
            inserted: &inserted,
            removed: &[],
            bytes: no_text.then_some(bytes),
            goal: None,
        };
        self.keep(Some(rejected), change)
    }

    /// Whether tests need their errors.
    fn needs_error(&self) -> bool {
        let Wants { rejection, tokens, .. } = self.options.wants;
        rejection || tokens || self.selector.as_ref().is_some_and(Selector::needs_error)
    }

    /// Records which check is the first to find a change.
    fn compare(&mut self, edit: &Edit<'_>) {
        let Some(Weaker { checks, found }) = &mut self.weaker else { return };
        let finds = |check: &mut Box<dyn Check + '_>| {
            check.is_negative(edit.place, edit.removed, edit.inserted)
        };
        let first = checks.iter_mut().position(finds).unwrap_or(checks.len());
        found[first] += 1;
    }

    /// Adds the last text, if it is selected.
    fn keep(&mut self, rejected: Option<Rejected>, change: Change<'_>) -> ControlFlow<()> {
        let spans = self.judge.spans();
        let token = |at: Option<usize>| at.and_then(|at| spans.get(at)).map(|span| span.terminal);
        if let Some(selector) = &mut self.selector {
            let (class, around) = match &rejected {
                Some(Rejected { token: at, class, .. }) => {
                    (*class, (token(at.checked_sub(1)), token(Some(*at))))
                }
                None => (change.operator.kind.class(), (None, None)),
            };
            if !selector.keeps(change.operator, change.item, class, around) {
                return ControlFlow::Continue(());
            }
        }
        let tokens: Vec<WrittenToken> = match self.options.wants.tokens && change.bytes.is_none() {
            true => spans.iter().map(written).collect(),
            false => Vec::new(),
        };
        let count = spans.len();
        let verdict =
            match rejected.filter(|_| self.options.wants.rejection || change.bytes.is_some()) {
                None => Verdict::Reject,
                Some(error) => {
                    self.batch.rejections.push(self.details(error, change));
                    Verdict::RejectFor(self.batch.rejections.len() - 1)
                }
            };
        if self.add(verdict, count, change.goal) {
            self.batch.tokens.extend(tokens);
            self.close_tokens();
        }
        self.hand_on_if_full()
    }

    fn details(&self, error: Rejected, change: Change<'_>) -> RejectionDetails {
        let Change { operator, item, place, inserted, removed, bytes, .. } = change;
        let source = item.and_then(|item| item_source(self.language, item));
        let named = item.map(|item| item_name(self.language, item));
        let (rule, item) = named.map_or((None, None), |(rule, item)| (Some(rule), Some(item)));
        RejectionDetails {
            error,
            operator: operator.name(),
            rule,
            item,
            source,
            place,
            inserted: inserted.to_vec(),
            removed: removed.to_vec(),
            base: Arc::clone(&self.base_text),
            bytes: bytes.map(<[u8]>::to_vec),
        }
    }

    /// Adds the last text as a test; `false` if it is too long.
    fn add(&mut self, verdict: Verdict, tokens: usize, goal: Option<Goal>) -> bool {
        if self.options.max_bytes.is_some_and(|most| self.text.len() > most) {
            return false;
        }
        let fingerprint = match (self.options.is_unique, verdict) {
            (false, _) => 0,
            (true, Verdict::RejectFor(at)) if self.batch.rejections[at].bytes.is_some() => {
                let bytes = self.batch.rejections[at].bytes.as_deref().unwrap_or_default();
                let mut print = Fingerprint::default();
                bytes.iter().for_each(|&byte| print.add(byte.into()));
                print.finish()
            }
            (true, _) => {
                let mut print = Fingerprint::default();
                print.add_text(&self.text);
                print.finish()
            }
        };
        self.batch.add_test(fingerprint, &self.text, tokens, verdict, goal);
        if let Some(Goal { criterion, target }) = goal {
            let _: TargetId = target;
            self.batch.covers.push((criterion, target));
            let end = self.batch.covers.len();
            if let Some(entry) = self.batch.tests.last_mut() {
                entry.covers.end = end;
            }
        }
        true
    }

    fn close_tokens(&mut self) {
        let end = self.batch.tokens.len();
        if let Some(entry) = self.batch.tests.last_mut() {
            entry.tokens.end = end;
        }
    }

    fn hand_on_if_full(&mut self) -> ControlFlow<()> {
        let Batch { tests, texts, .. } = &self.batch;
        match texts.len() >= BATCH_BYTES || tests.len() >= self.batch_tests {
            true => self.hand_on(),
            false => ControlFlow::Continue(()),
        }
    }

    /// Hands all tests on that were made. The first ones come at once.
    pub(super) fn hand_on(&mut self) -> ControlFlow<()> {
        self.batch_tests = (2 * self.batch_tests).min(BATCH_TESTS);
        let flow = (self.emit)(Made::Batch(&self.batch));
        self.batch.clear();
        flow
    }

    /// Tests of which only the number is needed.
    pub(super) fn count(&mut self, tests: u64) -> ControlFlow<()> {
        (self.emit)(Made::Count(tests))
    }
}

fn written(span: &gramercy_mutate::Span) -> WrittenToken {
    WrittenToken { terminal: span.terminal, start: span.start, end: span.end }
}
