//! Where base tests come from: another suite, a corpus, or the trees of a suite.

use std::cell::Cell;
use std::ops::ControlFlow;

use gramercy_base::{Id, Map};
use gramercy_coverage::CriterionSpec;
use gramercy_derive::candidate::Candidate;
use gramercy_derive::resolutions::Resolutions;
use gramercy_derive::strategy::{Outcome, Strategy};
use gramercy_generate::strategies::{CriterionRequest, StrategyRequest};
use gramercy_grammar::{ProductionId, TerminalId, TextKind};
use gramercy_language::Language;
use gramercy_lexis::{Choice, Writer};
use gramercy_mutate::{Base, Family, Span};
use gramercy_parse::{TextParser, TextWorkspace};
use gramercy_suite::{Content, Corpus, Expectation, Sink, SinkError, Test, Wants};

use super::recipe::{Bases, Negative};
use crate::engine::summary::Given;
use crate::engine::{Progress, Watch};
use crate::recipe::{Recipe, Systematic, Tests};
use crate::suite::{SuiteError, suite};

/// Takes a base test, and says whether more are needed.
pub(super) type Visit<'v> = dyn FnMut(Base) -> ControlFlow<()> + 'v;

/// Takes a tree, as its productions and tokens, and says whether more are needed.
pub(super) type VisitTree<'v> = dyn FnMut(&[ProductionId], &[TerminalId]) -> ControlFlow<()> + 'v;

/// Where base tests come from.
pub(super) struct Source<'s> {
    pub(super) language: &'s Language,
    pub(super) recipe: &'s Recipe,
    pub(super) tests: &'s Negative,
}

impl Source<'_> {
    /// The criteria whose suite is changed, where nothing is said: for edges and stacks the pop edges, for characters
    /// rules and lexemes, else rules.
    fn usual(&self) -> Vec<CriterionSpec> {
        let has = |family| self.tests.mutate.contains(&family);
        let is_lexed = self.language.grammar().text_kind() == TextKind::Lexed;
        let name = if has(Family::Edge) || has(Family::Stack) {
            "pop-edge:lr0"
        } else if is_lexed && (has(Family::Character) || has(Family::Encoding)) {
            "rule+lexeme:1"
        } else {
            "rule"
        };
        CriterionSpec::parse_list(name).expect("invariant: all are criteria")
    }

    /// Visits all base tests.
    pub(super) fn visit(
        &self,
        jobs: usize,
        given: &mut Given,
        visit: &mut Visit<'_>,
    ) -> Result<(), SuiteError> {
        let recipe = match &self.tests.of {
            Some(Bases::Corpus(corpus)) => return self.visit_corpus(corpus, given, visit),
            Some(Bases::Recipe(recipe)) => {
                let accepted_by_tool = recipe.accepted_by_tool || self.recipe.accepted_by_tool;
                Recipe { accepted_by_tool, ..(**recipe).clone() }
            }
            Some(Bases::Criteria(cover)) => self.systematic(cover.clone()),
            None => self.systematic(self.usual()),
        };
        let mut terminals = Map::default();
        for id in self.language.bnf().terminals() {
            terminals.entry(&*self.language.grammar().terminals()[id].name).or_insert(id);
        }
        let is_over = Cell::new(false);
        let mut sink = BaseSink { terminals, is_over: &is_over, visit };
        let mut watch = UntilOver { jobs, is_over: &is_over };
        let summary = suite(self.language, &recipe, &mut sink, &mut watch)?;
        given.rejected_by_tool = summary.rejected_by_tool;
        given.left_out_by_tool = summary.left_out_by_tool;
        Ok(())
    }

    fn systematic(&self, cover: Vec<CriterionSpec>) -> Recipe {
        let Negative { embedding, length, ties, max_tokens, .. } = *self.tests;
        let tests =
            Systematic { cover, embedding, length, ties, max_tokens, ..Systematic::default() };
        let Recipe { seed, accepted_by_tool, .. } = *self.recipe;
        let (tests, text) = (Tests::Systematic(tests), self.recipe.text.clone());
        Recipe { tests, seed, text, accepted_by_tool, ..Recipe::default() }
    }

    fn visit_corpus(
        &self,
        corpus: &[String],
        given: &mut Given,
        visit: &mut Visit<'_>,
    ) -> Result<(), SuiteError> {
        let parser = self.language.parser()?;
        let mut workspace = parser.workspace();
        let asks_tool = parser.tool_may_lose_sentences();
        (given.rejected_by_tool, given.left_out_by_tool) = (0, 0);
        let mut unreadable = Vec::new();
        Corpus::new(corpus).with_encoding(self.language.input_encoding()).for_each(|input| {
            let input = match input {
                Ok(input) => input,
                Err(error) => {
                    unreadable.push(error);
                    return ControlFlow::Continue(());
                }
            };
            if matches!(input.expect, Some(Expectation::Reject(_))) {
                return ControlFlow::Continue(());
            }
            given.inputs += 1;
            let read = input.text().and_then(|text| {
                match parser.recognize_as_tool(&mut workspace, &text) {
                    Ok(_) => Ok(text),
                    Err(rejection) => Err(input.byte_of(&text, rejection.byte)),
                }
            });
            let count = self.language.bnf().terminal_count();
            match read {
                Ok(text) => {
                    if asks_tool && parser.is_accepted_by_tool(&mut workspace, &text) == Some(false)
                    {
                        if self.recipe.accepted_by_tool {
                            given.left_out_by_tool += 1;
                            return ControlFlow::Continue(());
                        }
                        given.rejected_by_tool += 1;
                    }
                    let base = of_text(parser, &mut workspace, &text);
                    match base.tokens.iter().all(|token| token.index() < count) {
                        true => visit(base),
                        false => ControlFlow::Continue(()),
                    }
                }
                Err(byte) => {
                    given.reject(input.name.clone(), byte);
                    ControlFlow::Continue(())
                }
            }
        });
        match unreadable.is_empty() {
            true => Ok(()),
            false => Err(SuiteError::Unreadable(unreadable)),
        }
    }

    /// Visits the trees of all candidates for the criteria: productions and tokens.
    pub(super) fn visit_trees(
        &self,
        visit: &mut VisitTree<'_>,
    ) -> Result<ControlFlow<()>, SuiteError> {
        let cover = match &self.tests.of {
            Some(Bases::Criteria(cover)) => cover.clone(),
            _ => self.usual(),
        };
        let Recipe { tests, .. } = self.systematic(cover.clone());
        let Tests::Systematic(tests) = tests else { unreachable!("invariant: it is systematic") };
        let resolution = tests.resolution(self.recipe.seed);
        let resolutions = Resolutions::new(self.language, resolution, 1);
        let request = CriterionRequest { seed: self.recipe.seed, ..CriterionRequest::default() };
        for (index, &spec) in cover.iter().enumerate() {
            let (language, request) = (self.language, &request);
            let making =
                StrategyRequest { spec, index, language, resolutions: &resolutions, request };
            let mut candidate = Candidate::default();
            match making.small()? {
                Strategy::Indexed(strategy) => {
                    let mut proposer = strategy.proposer();
                    for number in 0..strategy.count() {
                        candidate.clear();
                        if proposer.propose(number, 0, &mut candidate)
                            && visit(&candidate.productions, &candidate.tokens).is_break()
                        {
                            return Ok(ControlFlow::Break(()));
                        }
                    }
                }
                Strategy::Sequential(mut strategy) => loop {
                    candidate.clear();
                    if !strategy.propose(&mut candidate) {
                        break;
                    }
                    if visit(&candidate.productions, &candidate.tokens).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    strategy.conclude(Outcome::Accepted, &mut candidate);
                },
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// A text with the tokens that its lexer finds; a scannerless grammar has none.
pub(super) fn of_text(parser: &TextParser, workspace: &mut TextWorkspace, text: &str) -> Base {
    let (tokens, _) = parser.tokens(workspace, text);
    let spans = tokens.iter().filter_map(|token| {
        let (start, end) = (token.start as usize, token.end as usize);
        Some(Span { terminal: token.terminal?, start, end })
    });
    Base::new(text.to_owned(), spans.collect())
}

/// A sentence with its text, if the lexer can make its tokens.
pub(super) fn written(writer: &mut Writer<'_>, tokens: &[TerminalId]) -> Option<Base> {
    let written = writer.write(tokens, &Choice::default()).ok()?;
    if !writer.reads_back(&written) {
        return None;
    }
    let spans = written.tokens.iter().map(|token| Span {
        terminal: token.terminal,
        start: token.start,
        end: token.end,
    });
    let spans = spans.collect();
    Some(Base::new(written.text, spans))
}

/// Takes the tests of a suite as base tests.
struct BaseSink<'b, 'v> {
    terminals: Map<&'b str, TerminalId>,
    is_over: &'b Cell<bool>,
    visit: &'b mut Visit<'v>,
}

impl Sink for BaseSink<'_, '_> {
    fn wants(&self) -> Wants {
        Wants { tokens: true, ..Wants::TEXT }
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        let Content::Text(text) = test.content else { return Ok(()) };
        if self.is_over.get() {
            return Ok(());
        }
        let span = |token: &gramercy_suite::Token<'_>| {
            let terminal = *self.terminals.get(token.name)?;
            Some(Span { terminal, start: token.start, end: token.end })
        };
        // A token that no syntax rule names stands where any token may: it cannot be told from others there.
        let spans: Option<Vec<Span>> = test.tokens.iter().map(span).collect();
        if let Some(spans) = spans
            && (self.visit)(Base::new(text.to_owned(), spans)).is_break()
        {
            self.is_over.set(true);
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}

/// Ends a suite of base tests when no more of them are needed.
struct UntilOver<'w> {
    jobs: usize,
    is_over: &'w Cell<bool>,
}

impl Watch for UntilOver<'_> {
    fn jobs(&self) -> usize {
        self.jobs
    }

    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        match self.is_over.get() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
