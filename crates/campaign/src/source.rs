//! Where the tests of a campaign come from: recipes, or inputs that people already have.

use std::ops::ControlFlow;

use gramercy_assemble::recipe::Tests;
use gramercy_assemble::{Recipe, Shard, SuiteError, Watch, suite};
use gramercy_base::Fingerprint;
use gramercy_language::Language;
use gramercy_parse::{ErrorClass, TextWorkspace};
use gramercy_suite::{Corpus, CorpusError, Input, Sink, SinkError, Test, Wants, corpus};

use crate::case::{Case, Expectation, Position};
use crate::journal::Done;

/// Where tests come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// Suites that are made on the fly, one after the other. Tests are numbered through all of them.
    Recipes {
        /// How they are made. What they say about shards does not count.
        recipes: Vec<Recipe>,
        /// The part of all tests that is run.
        shard: Option<Shard>,
    },
    /// Files, folders, archives or NDJSON. What is expected of a program is what the corpus says, or else what the
    /// grammar says.
    Corpus {
        /// The files.
        arguments: Vec<String>,
        /// The part of the corpus that is run.
        shard: Option<Shard>,
    },
}

/// Why there are no more tests.
#[derive(Debug)]
pub enum SourceError {
    /// A suite cannot be made.
    Suite(SuiteError),
    /// An input cannot be read.
    Corpus(CorpusError),
}

impl std::fmt::Display for SourceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Suite(error) => error.fmt(f),
            Self::Corpus(error) => write!(f, "cannot read {error}"),
        }
    }
}

impl std::error::Error for SourceError {}

/// Takes cases until it breaks off.
pub(crate) type Take<'t> = dyn FnMut(Case) -> ControlFlow<()> + 't;

impl Source {
    /// The part of all tests that is run.
    #[must_use]
    pub fn shard(&self) -> Option<Shard> {
        match self {
            Self::Recipes { shard, .. } | Self::Corpus { shard, .. } => *shard,
        }
    }

    /// What decides which tests there are, as text: two sources with the same identity hand out the same tests for
    /// the same language. The content of a corpus is read for it.
    ///
    /// # Errors
    /// If an input cannot be read.
    pub fn identity(&self) -> Result<String, SourceError> {
        match self {
            Self::Recipes { recipes, .. } => {
                let whole: Vec<Recipe> =
                    recipes.iter().map(|recipe| Recipe { shard: None, ..recipe.clone() }).collect();
                Ok(serde_json::to_string(&whole).unwrap_or_default())
            }
            Self::Corpus { arguments, .. } => {
                let (mut print, mut failed) = (Fingerprint::default(), None);
                Corpus::new(arguments.iter().cloned()).for_each(|input| match input {
                    Ok(input) => {
                        print.add_bytes(input.name.as_bytes());
                        print.add_bytes(&input.content);
                        ControlFlow::Continue(())
                    }
                    Err(error) => {
                        failed = Some(error);
                        ControlFlow::Break(())
                    }
                });
                match failed {
                    Some(error) => Err(SourceError::Corpus(error)),
                    None => Ok(format!("corpus {:032x}", print.finish())),
                }
            }
        }
    }

    /// Hands out all tests that are not done, in order. Random tests that are done are not even made.
    pub(crate) fn for_each(
        &self,
        language: &Language,
        done: &Done,
        take: &mut Take<'_>,
    ) -> Result<(), SourceError> {
        match self {
            Self::Recipes { recipes, shard } => {
                let mut sink = Handing { take, done, shard: *shard, before: 0, is_closed: false };
                for recipe in recipes {
                    let recipe = Recipe { shard: None, ..recipe.clone() };
                    let made = suite(language, &recipe, &mut sink, &mut Unwatched);
                    if sink.is_closed {
                        return Ok(());
                    }
                    match made {
                        // A language of all texts has no negative tests.
                        Err(SuiteError::NothingToCover(_))
                            if matches!(recipe.tests, Tests::Negative(_)) => {}
                        made => sink.before += made.map_err(SourceError::Suite)?.numbered,
                    }
                }
                Ok(())
            }
            Self::Corpus { arguments, shard } => {
                for_each_input(arguments, *shard, language, done, take)
            }
        }
    }
}

/// Nobody watches; one worker makes tests, the others run them.
struct Unwatched;

impl Watch for Unwatched {}

/// Hands tests of suites on.
struct Handing<'h, 't> {
    take: &'h mut Take<'t>,
    done: &'h Done,
    shard: Option<Shard>,
    /// Tests of earlier suites.
    before: u64,
    is_closed: bool,
}

impl Sink for Handing<'_, '_> {
    fn wants(&self) -> Wants {
        Wants { text: true, tokens: false, target: true, covers: true, rejection: true }
    }

    fn has_through(&self) -> u64 {
        self.done.through.saturating_sub(self.before)
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        let id = self.before + test.id;
        if self.shard.is_some_and(|shard| !shard.has(id)) || self.done.has(id) {
            return Ok(());
        }
        let case = Case { id, ..Case::of(test) };
        match (self.take)(case) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => {
                self.is_closed = true;
                Err(std::io::Error::from(std::io::ErrorKind::BrokenPipe).into())
            }
        }
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}

fn for_each_input(
    arguments: &[String],
    shard: Option<Shard>,
    language: &Language,
    done: &Done,
    take: &mut Take<'_>,
) -> Result<(), SourceError> {
    let (mut id, mut failed) = (0, None);
    let mut judge = Judge::new(language);
    Corpus::new(arguments.iter().cloned()).with_encoding(language.input_encoding()).for_each(
        |input| {
            let input = match input {
                Ok(input) => input,
                Err(error) => {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            };
            id += 1;
            if shard.is_some_and(|shard| !shard.has(id)) || done.has(id) {
                return ControlFlow::Continue(());
            }
            match judge.case(id, input) {
                Ok(case) => take(case),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        },
    );
    match failed {
        Some(error) => Err(SourceError::Corpus(error)),
        None => Ok(()),
    }
}

/// Says what is expected of programs by the grammar.
pub(crate) struct Judge<'j> {
    language: &'j Language,
    workspace: Option<TextWorkspace>,
}

impl<'j> Judge<'j> {
    pub(crate) fn new(language: &'j Language) -> Self {
        Self { language, workspace: None }
    }

    fn case(&mut self, id: u64, input: Input) -> Result<Case, CorpusError> {
        let expect = match &input.expect {
            Some(corpus::Expectation::Accept) => Expectation::Accept,
            Some(corpus::Expectation::Reject(error)) => Expectation::Reject(place_of(error)),
            None => self.expectation(&input)?,
        };
        let Input { name, content, .. } = input;
        let (name, target, mutation) = (Some(name), None, None);
        Ok(Case { id, name, content, expect, target, mutation, covers: 0 })
    }

    fn expectation(&mut self, input: &Input) -> Result<Expectation, CorpusError> {
        let no_parser = |error| CorpusError {
            name: input.name.clone(),
            reason: format!(
                "it does not say what is expected, and the grammar has no parser: {error:?}"
            ),
        };
        let parser = self.language.parser().map_err(no_parser)?;
        let workspace = self.workspace.get_or_insert_with(|| parser.workspace());
        let text = match input.text() {
            Ok(text) => text,
            Err(byte) => {
                return Ok(Expectation::Reject(Some(Position::of(&input.content, byte))));
            }
        };
        match parser.recognize_as_tool(workspace, &text) {
            Ok(_) => Ok(Expectation::Accept),
            Err(rejection) => match rejection.class {
                // Nothing is known about such an input.
                ErrorClass::Limit(_) => Err(CorpusError {
                    name: input.name.clone(),
                    reason: "it does not say what is expected, and takes too much memory or time \
                             to be judged by the grammar"
                        .to_owned(),
                }),
                _ => {
                    let byte = input.byte_of(&text, rejection.byte) as u64;
                    let place = Position { byte, ..Position::of(text.as_bytes(), rejection.byte) };
                    Ok(Expectation::Reject(Some(place)))
                }
            },
        }
    }
}

/// What a corpus says about the place of an error.
fn place_of(error: &gramercy_suite::document::Error<'_>) -> Option<Position> {
    Some(Position {
        byte: error.byte? as u64,
        line: error.line? as u64,
        column: error.column? as u64,
    })
}
