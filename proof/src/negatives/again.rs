//! Negative tests are read again from their first character on, by a parser that knows nothing of how they were made.
//!
//! Each must be rejected, at the token and byte that it names, with the expected set that it lists. What is not UTF-8
//! must be invalid from the named byte on. Tests of a grammar of tokens only are read by their tokens, because a token
//! that is a line feed cannot be told from what separates names.

use gramercy_assemble::recipe::{Negative, Tests};
use gramercy_assemble::{Recipe, SuiteError, suite};
use gramercy_base::{IdSet, Map};
use gramercy_grammar::TerminalId;
use gramercy_language::Language;
use gramercy_mutate::{CheckName, Family};
use gramercy_parse::{TextParser, TextWorkspace};
use gramercy_suite::test::Error;
use gramercy_suite::{Content, Expect, Sink, SinkError, Test, Wants};

use crate::{Fallible, languages};

/// How the end of the input is called among what is expected.
const END: &str = "end of input";

/// The results for one grammar.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Tests that were read again.
    pub tests: u64,
    /// The first problem of each suite.
    pub problems: Vec<String>,
}

/// Reads the suites of a grammar again, at most `most` tests of each.
///
/// # Errors
/// If the grammar has no parser.
pub fn run(language: &Language, most: u64) -> Fallible<Outcome> {
    let mut outcome = Outcome::default();
    for tests in suites() {
        let name = format!("{}, {:?}, order {}", tests.name(), tests.check, tests.order);
        let mut reader = Reader::new(language, languages::parser(language)?);
        let recipe =
            Recipe { tests: Tests::Negative(tests), limit: Some(most), ..Recipe::default() };
        match suite(language, &recipe, &mut reader, &mut ()) {
            // The operator does not suit the grammar.
            Ok(_) | Err(SuiteError::Conflict(_)) => {}
            Err(error) => outcome.problems.push(format!("{name}: {error}")),
        }
        outcome.tests += reader.tests;
        outcome.problems.extend(reader.problem.map(|problem| format!("{name}: {problem}")));
    }
    Ok(outcome)
}

/// How tests are made.
fn suites() -> Vec<Negative> {
    let cover = |names: &str| Negative {
        cover: names.split('+').filter_map(|name| name.parse().ok()).collect(),
        ..Negative::default()
    };
    let by = |family, check| Negative { mutate: vec![family], check, ..Negative::default() };
    vec![
        cover("item-edit+lexeme-error"),
        cover("error-entry:lr0"),
        by(Family::Word, CheckName::Exact),
        by(Family::Rule, CheckName::Exact),
        by(Family::Edge, CheckName::Pairs),
        by(Family::Stack, CheckName::Prefix),
        by(Family::Character, CheckName::Exact),
        by(Family::Encoding, CheckName::Exact),
        Negative { order: 2, ..by(Family::Word, CheckName::Exact) },
    ]
}

/// Reads tests.
struct Reader<'l> {
    language: &'l Language,
    parser: &'l TextParser,
    workspace: TextWorkspace,
    tokens: Option<TokenReader<'l>>,
    tests: u64,
    problem: Option<String>,
}

/// Reads the tokens of tests.
struct TokenReader<'l> {
    terminals: Map<&'l str, TerminalId>,
    workspace: gramercy_parse::parser::Workspace,
}

/// Where and why a test is rejected.
#[derive(Debug, PartialEq)]
struct Place {
    token: usize,
    byte: usize,
    expected: IdSet<TerminalId>,
    end_expected: bool,
}

impl<'l> Reader<'l> {
    fn new(language: &'l Language, parser: &'l TextParser) -> Self {
        let tokens = parser.is_tokens_only().then(|| {
            let mut terminals = Map::default();
            for id in language.bnf().terminals() {
                terminals.entry(&*language.grammar().terminals()[id].name).or_insert(id);
            }
            TokenReader { terminals, workspace: parser.parser().workspace() }
        });
        let workspace = parser.workspace();
        Self { language, parser, workspace, tokens, tests: 0, problem: None }
    }

    /// Where a test is rejected; `None` if it is accepted.
    fn read(&mut self, text: &str, test: &Test<'_>) -> Option<Place> {
        let Some(TokenReader { terminals, workspace }) = &mut self.tokens else {
            let rejection = self.parser.recognize(&mut self.workspace, text).err()?;
            return Some(Place {
                token: rejection.token,
                byte: rejection.byte,
                expected: rejection.expected,
                end_expected: rejection.end_expected,
            });
        };
        let parser = self.parser.parser();
        let inputs: Vec<_> =
            test.tokens.iter().map(|token| parser.input_of_token(terminals[token.name])).collect();
        let rejection = parser.recognize(workspace, &inputs).err()?;
        let byte = test.tokens.get(rejection.at).map_or(text.len(), |token| token.start);
        Some(Place {
            token: rejection.at,
            byte,
            expected: rejection.expected,
            end_expected: rejection.end_expected,
        })
    }

    fn check(&mut self, test: &Test<'_>, error: &Error<'_>) -> Result<(), String> {
        let text = match test.content {
            Content::Text(text) => text,
            Content::Bytes(bytes) => {
                let wrong = std::str::from_utf8(bytes).err().map(|error| error.valid_up_to());
                return match wrong == Some(error.byte) {
                    true => Ok(()),
                    false => Err(format!("{bytes:?}: invalid at {wrong:?}, not {}", error.byte)),
                };
            }
        };
        let place = self.read(text, test).ok_or_else(|| format!("{text:?} is accepted"))?;
        let names = place.expected.iter().map(|id| &*self.language.grammar().terminals()[id].name);
        let expected = names.chain(place.end_expected.then_some(END));
        let is_same = place.token == error.token
            && place.byte == error.byte
            && expected.eq(error.expected.iter().copied());
        match is_same {
            true => Ok(()),
            false => Err(format!("{text:?}: {place:?}, not {error:?}")),
        }
    }
}

impl Sink for Reader<'_> {
    fn wants(&self) -> Wants {
        Wants { text: true, tokens: true, rejection: true, ..Wants::default() }
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        self.tests += 1;
        if let Expect::Reject(error) = test.expect
            && let Err(problem) = self.check(test, error)
        {
            self.problem.get_or_insert(problem);
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}
