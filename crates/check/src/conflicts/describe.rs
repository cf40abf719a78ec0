//! Texts for conflicts and their explanations, with the names of the grammar.

use gramercy_base::{Diagnostic, Id, IndexSet, Span};
use gramercy_grammar::{Grammar, NonterminalId, Notation, Origin, ProductionId, Symbol};
use gramercy_lr::{ItemId, Label, LabelId};

use super::alike::Finding;
use super::causes::{Cause, Rival};
use super::explain::{Ambiguity, Explanation, TwoWays};
use super::machine::Machine;
use super::reading::Event;
use super::reduced::Reduced;
use super::sentence::Sentence;
use crate::codes::{REDUCE_REDUCE, SHIFT_REDUCE};
use crate::context::Context;
use crate::names;

/// The maximal length of a reading in a message.
const WIDTH: usize = 400;

/// Describes the conflicts of one grammar.
pub(crate) struct Describer<'a> {
    pub(crate) context: &'a Context<'a>,
    pub(crate) machine: &'a Machine<'a>,
    pub(crate) reduced: &'a Reduced,
}

impl Describer<'_> {
    pub(crate) fn describe(&self, finding: &Finding) -> Diagnostic {
        let Finding { causes, explanation } = finding;
        let cause = &causes[0];
        let (code, kind) = match cause.rival {
            Rival::Shift(_) => (SHIFT_REDUCE, "shift/reduce"),
            Rival::Reduce(_) => (REDUCE_REDUCE, "reduce/reduce"),
        };
        let verdict = match explanation {
            Explanation::Ambiguity(_) => "the grammar is ambiguous",
            Explanation::TwoWays(_) => "the next token does not decide",
            Explanation::Merged => "only LALR(1) has this conflict",
            Explanation::Unknown => "no example was found",
        };
        let message = format!("{kind} conflict on {}: {verdict}", self.tokens(causes));
        let span = self.span(self.reduced.original(cause.reduction));
        let diagnostic = Diagnostic::new(code, message).label(span, "complete here, or");
        let diagnostic = self.with_rival(diagnostic, &cause.rival);
        let diagnostic = match explanation {
            Explanation::Ambiguity(found) => self.ambiguity(diagnostic, found, &cause.rival),
            Explanation::TwoWays(found) => self.two_ways(diagnostic, found, &cause.rival),
            Explanation::Merged => diagnostic.note(
                "no beginning of a sentence allows both: LALR(1) merges states that canonical \
                 LR(1) distinguishes",
            ),
            Explanation::Unknown => diagnostic,
        };
        self.with_others(diagnostic, causes).note(states(causes))
    }

    /// The tokens with conflicts.
    fn tokens(&self, causes: &[Cause]) -> String {
        let cells = causes.iter().flat_map(|cause| &cause.cells);
        let tokens: IndexSet<_> = cells.map(|cell| cell.next).collect();
        let labels = self.machine.automaton.labels();
        names::list(tokens.iter().map(|&next| self.label(labels.input(next))))
    }

    /// Adds the alternatives of the causes after the first.
    fn with_others(&self, diagnostic: Diagnostic, causes: &[Cause]) -> Diagnostic {
        let reductions: IndexSet<_> = causes.iter().map(|cause| cause.reduction).collect();
        if reductions.len() == 1 {
            return diagnostic;
        }
        let others = reductions.iter().skip(1);
        let others = others.map(|&id| self.context.names().production(self.reduced.original(id)));
        diagnostic.note(format!("the same with {}", names::list(others)))
    }

    fn with_rival(&self, diagnostic: Diagnostic, rival: &Rival) -> Diagnostic {
        match rival {
            Rival::Reduce(production) => {
                diagnostic.label(self.span(self.reduced.original(*production)), "complete here")
            }
            Rival::Shift(items) => items.iter().take(3).fold(diagnostic, |diagnostic, &item| {
                match self.span_of_item(item) {
                    Some(span) => diagnostic.label(span, "continues here"),
                    None => diagnostic,
                }
            }),
        }
    }

    fn ambiguity(&self, diagnostic: Diagnostic, found: &Ambiguity, rival: &Rival) -> Diagnostic {
        let of = found.of.map_or_else(|| self.start(), |id| self.nonterminal(id));
        let [one, other] = [&found.readings[0], &found.readings[1]];
        let form = self.form(one);
        let sentence = self.sentence(&found.sentence);
        let diagnostic = diagnostic
            .note(format!("`{of}` has two readings of: {form}"))
            .note(format!("first, reducing: {}", self.reading(one)))
            .note(format!("second, {}: {}", doing(rival), self.reading(other)));
        match sentence == form {
            true => diagnostic,
            false => diagnostic.note(format!("a whole sentence: {sentence}")),
        }
        .help(self.help(rival, true))
    }

    fn two_ways(&self, diagnostic: Diagnostic, found: &TwoWays, rival: &Rival) -> Diagnostic {
        let [one, other] = [&found.sentences[0], &found.sentences[1]];
        diagnostic
            .note(format!("reducing leads to: {}", self.sentence(one)))
            .note(format!("with: {}", self.reading(&found.readings[0])))
            .note(format!("{} leads to: {}", doing(rival), self.sentence(other)))
            .note(format!("with: {}", self.reading(&found.readings[1])))
            .help(self.help(rival, false))
    }

    /// How the tool of the notation resolves a conflict.
    fn help(&self, rival: &Rival, is_ambiguity: bool) -> &'static str {
        match (self.grammar().notation(), rival, is_ambiguity) {
            (Notation::Yacc, Rival::Shift(_), true) => {
                "yacc shifts; declare precedences, or change the rules"
            }
            (Notation::Yacc, Rival::Shift(_), false) => {
                "yacc shifts and may reject the first sentence; change the rules"
            }
            (Notation::Yacc, Rival::Reduce(_), true) => {
                "yacc reduces the rule that is first in the file; change the rules"
            }
            (Notation::Yacc, Rival::Reduce(_), false) => {
                "yacc reduces the rule that is first in the file and may reject the second sentence; \
                 change the rules"
            }
            (Notation::Antlr4, _, true) => {
                "ANTLR decides by precedence and the order of alternatives; change the rules, if \
                 another reading is intended"
            }
            (Notation::Antlr4, _, false) => "ANTLR looks further ahead, so this is not an error",
            (_, _, true) => "change the rules if only one reading is intended",
            (_, _, false) => "this is not an error, unless the grammar is for an LR parser",
        }
    }

    fn grammar(&self) -> &Grammar {
        self.context.grammar
    }

    fn start(&self) -> String {
        self.grammar().rules()[self.grammar().start()].name.as_ref().to_owned()
    }

    fn nonterminal(&self, id: NonterminalId) -> String {
        self.context.names().nonterminal(id)
    }

    fn label(&self, label: LabelId) -> String {
        match self.machine.label(label) {
            Label::Terminal(id) => self.context.names().symbol(Symbol::Terminal(id)),
            Label::Nonterminal(id) => self.nonterminal(id),
            Label::End => "end of input".to_owned(),
        }
    }

    /// The span of a production.
    fn span(&self, production: ProductionId) -> Span {
        let (grammar, bnf) = (self.grammar(), self.context.bnf);
        let expr = match bnf.alternative_expr(grammar, production) {
            Some(expr) => expr,
            None => match bnf.nonterminals()[bnf.lhs(production)].origin {
                Origin::Group(expr) | Origin::Repeat(expr) => expr,
                Origin::Rule(rule) => grammar.rules()[rule].body,
                Origin::Start => grammar.rules()[grammar.start()].body,
            },
        };
        grammar.expr(expr).span
    }

    /// The span of an item; S' → S `$` has none.
    fn span_of_item(&self, item: ItemId) -> Option<Span> {
        let production = self.machine.automaton.items().production(item)?;
        Some(self.span(self.reduced.original(production)))
    }

    /// The symbols of a reading in order.
    fn form(&self, reading: &[Event]) -> String {
        let words = reading.iter().filter_map(|event| match *event {
            Event::Leaf(label) | Event::Next(label) if !self.is_end(label) => {
                Some(self.brief(label))
            }
            Event::Dot => Some("•".to_owned()),
            _ => None,
        });
        names::cut(words.collect::<Vec<_>>().join(" "), WIDTH)
    }

    fn is_end(&self, label: LabelId) -> bool {
        self.machine.label(label) == Label::End
    }

    /// A reading with brackets: `name[…]`. The iterations of a repetition are next to each other.
    fn reading(&self, reading: &[Event]) -> String {
        let labels = self.machine.automaton.labels();
        let (mut text, mut open) = (String::new(), Vec::new());
        for (at, event) in reading.iter().enumerate() {
            let repeated = at.checked_sub(1).and_then(|before| self.repetition(reading[before]));
            match *event {
                Event::Open(production) => {
                    let lhs = self.machine.cfg.lhs(production);
                    open.push(repeated != Some(lhs));
                    if repeated != Some(lhs) {
                        push_word(&mut text, &format!("{}[", self.context.names().brief(lhs)));
                    }
                }
                Event::Close => text.push_str(if open.pop() == Some(true) { "]" } else { "" }),
                Event::Empty(label) if repeated.map(|id| labels.nonterminal(id)) == Some(label) => {
                }
                Event::Empty(label) => push_word(&mut text, &format!("{}[]", self.brief(label))),
                Event::Leaf(label) | Event::Next(label) if self.is_end(label) => {}
                Event::Leaf(label) | Event::Next(label) => push_word(&mut text, &self.brief(label)),
                Event::Dot => push_word(&mut text, "•"),
            }
        }
        names::cut(text, WIDTH)
    }

    /// The repetition that an event opens.
    fn repetition(&self, event: Event) -> Option<NonterminalId> {
        let Event::Open(production) = event else {
            return None;
        };
        let lhs = self.machine.cfg.lhs(production);
        let origin = self.context.bnf.nonterminals()[lhs].origin;
        matches!(origin, Origin::Repeat(_)).then_some(lhs)
    }

    fn brief(&self, label: LabelId) -> String {
        match self.machine.label(label) {
            Label::Nonterminal(id) => self.context.names().brief(id),
            Label::Terminal(_) | Label::End => self.label(label),
        }
    }

    fn sentence(&self, sentence: &Sentence) -> String {
        let names = self.context.names();
        let mut words: Vec<_> = sentence.terminals.iter().map(|&id| names.terminal(id)).collect();
        words.insert(sentence.dot, "•");
        names::cut(words.join(" "), WIDTH)
    }
}

/// Appends a word, separated by a space.
fn push_word(text: &mut String, word: &str) {
    if !text.is_empty() && !text.ends_with('[') {
        text.push(' ');
    }
    text.push_str(word);
}

fn states(causes: &[Cause]) -> String {
    let cells = causes.iter().flat_map(|cause| &cause.cells);
    let mut states: Vec<_> = cells.map(|cell| cell.state.index()).collect();
    states.sort_unstable();
    states.dedup();
    match &states[..] {
        [only] => format!("in state {only}"),
        [first @ .., last] if states.len() <= 8 => {
            let first: Vec<_> = first.iter().map(ToString::to_string).collect();
            format!("in the states {} and {last}", first.join(", "))
        }
        _ => format!("in state {} and {} others", states[0], states.len() - 1),
    }
}

fn doing(rival: &Rival) -> &'static str {
    match rival {
        Rival::Shift(_) => "shifting",
        Rival::Reduce(_) => "reducing the other",
    }
}
