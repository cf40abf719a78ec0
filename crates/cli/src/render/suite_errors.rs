//! Why there is no suite, in words.

use gramercy::assemble::SuiteError;
use gramercy::base::{Diagnostic, Sources};
use gramercy::formats::suggest::did_you_mean;
use gramercy::grammar::TerminalId;
use gramercy::language::Language;
use gramercy::sample::methods::RandomError;
use gramercy::sample::methods::uniform::SpaceError;

use super::numbers::grouped;
use crate::codes;
use crate::outcome::Failure;

/// The failure of a command whose suite could not be made.
pub(crate) fn failure(error: SuiteError, language: &Language) -> Failure {
    let refused = |code, message: String| Failure::refused(Diagnostic::new(code, message));
    match error {
        SuiteError::Conflict(message) => Failure::usage(&message),
        SuiteError::NoSentence => refused(
            codes::NOTHING_TO_COVER,
            "the start rule derives no sentence, so there is nothing to test".to_owned(),
        ),
        error @ SuiteError::NothingToCover(_) => {
            refused(codes::NOTHING_TO_COVER, error.to_string())
        }
        SuiteError::NoSuchRank { criterion, rank, targets } => {
            let message = format!("`{criterion}` has no target of rank {rank}");
            let help = format!("ranks go from 0 to {}", targets.saturating_sub(1));
            Failure::refused(Diagnostic::new(codes::NOTHING_TO_COVER, message).help(help))
        }
        SuiteError::NoStrategy(spec) => {
            let message = format!("no strategy makes suites for `{spec}`");
            let mut diagnostic = Diagnostic::new(codes::NO_STRATEGY, message);
            if spec.name() == "push-edge" {
                let automaton = spec.argument().automaton.as_str();
                let help = format!("`pop-edge:{automaton}` takes every push edge too");
                diagnostic = diagnostic.help(help);
            }
            Failure::refused(diagnostic)
        }
        SuiteError::Traversal(error) => refused(codes::NO_STRATEGY, error.to_string()),
        SuiteError::Limit(limit) => limit.into(),
        SuiteError::Lexer(error) => error.into(),
        SuiteError::UnknownToken(name) => unknown_token(&name, language),
        SuiteError::WrongLexemes(wrong) => wrong_lexemes(language, &wrong),
        SuiteError::Unreadable(errors) => {
            let diagnostic = |error: &gramercy::suite::CorpusError| {
                Diagnostic::new(codes::UNREADABLE_INPUT, format!("cannot read {error}"))
            };
            Failure::Refused(errors.iter().map(diagnostic).collect(), Sources::new())
        }
        SuiteError::Size(error) => no_such_size(error),
        SuiteError::NoBytes { bytes, nearest } => {
            let message = format!("no tests of about {} bytes were found", grouped(bytes));
            let help = format!("the nearest have about {} bytes", grouped(nearest));
            Failure::refused(Diagnostic::new(codes::NO_SUCH_SIZE, message).help(help))
        }
        SuiteError::Space(error) => no_space(&error, language),
        SuiteError::TooAmbiguous(share) => {
            let trees = format!("about one in {:.1e} trees would be accepted", 1.0 / share);
            let message = "words cannot be drawn: the grammar is too ambiguous at this size";
            let help =
                "use a smaller size, or leave --words out: uniform over trees needs no rejection";
            let diagnostic = Diagnostic::new(codes::HOPELESS_WORDS, message);
            Failure::refused(diagnostic.note(trees).help(help))
        }
        SuiteError::Interrupted => Failure::Interrupted,
        SuiteError::Sink(error) => error.into(),
    }
}

/// Why trees of the requested size cannot be drawn or counted.
fn no_space(error: &SpaceError, language: &Language) -> Failure {
    let bnf = language.bnf();
    let diagnostic = match error {
        SpaceError::NoSize { below, above, .. } => {
            let sizes: Vec<String> = below.iter().chain(above).map(grouped).collect();
            let help = match &sizes[..] {
                [] => "no tree of a near size exists".to_owned(),
                sizes => format!("the nearest sizes with a tree: {}", sizes.join(" and ")),
            };
            Diagnostic::new(codes::NO_SUCH_SIZE, error.to_string()).help(help)
        }
        SpaceError::Cyclic { cycle, .. } => {
            let names = cycle.iter().chain(cycle.first());
            let names = names.map(|&id| &*bnf.nonterminals()[id].name).collect::<Vec<_>>();
            let note = format!("{} derives itself: {}", names[0], names.join(" ⇒ "));
            Diagnostic::new(codes::CYCLIC_SIZES, error.to_string())
                .note(note)
                .help("count nodes instead: each step of the cycle is one")
        }
        SpaceError::NoLength(terminal) => {
            let name = &language.grammar().terminals()[*terminal].name;
            let message = format!("texts of `{name}` may have several lengths");
            Diagnostic::new(codes::NO_LENGTH, message).help(
                "measure in tokens or nodes, or write the terminal as rules over characters: \
                 convert --unfold-regexes",
            )
        }
        SpaceError::NoSentence | SpaceError::Limit(_) => {
            Diagnostic::new(codes::NOTHING_TO_COVER, error.to_string())
        }
    };
    Failure::refused(diagnostic)
}

fn wrong_lexemes(language: &Language, wrong: &[(TerminalId, String)]) -> Failure {
    let diagnostic = |(terminal, text): &(TerminalId, String)| {
        let name = &language.grammar().terminals()[*terminal].name;
        let message = format!("the grammar does not read `{text}` as the token `{name}`");
        Diagnostic::new(codes::BAD_LEXEMES, message)
    };
    Failure::Refused(wrong.iter().map(diagnostic).collect(), Sources::new())
}

fn unknown_token(name: &str, language: &Language) -> Failure {
    let terminals = language.grammar().terminals();
    let help = did_you_mean(name, terminals.values().map(|terminal| &*terminal.name));
    let help = help.unwrap_or_else(|| "--write-lexemes FILE lists all tokens".to_owned());
    let message = format!("the grammar has no token `{name}`");
    Failure::refused(Diagnostic::new(codes::NO_SUCH_TOKEN, message).help(help))
}

fn no_such_size(error: RandomError) -> Failure {
    let (message, help) = match error {
        RandomError::NoSentence => {
            let message = "the start rule derives no sentence, so there is nothing to test";
            return Failure::refused(Diagnostic::new(codes::NOTHING_TO_COVER, message));
        }
        RandomError::TooShallow { least } => (
            "no sentence has a tree as shallow as requested".to_owned(),
            format!("the shallowest has {least} nested rules: use --depth {least} or more"),
        ),
        RandomError::TooLarge { limit } => (
            "the requested tests are too large to be made".to_owned(),
            format!("a test has at most {} tokens", grouped(limit)),
        ),
        RandomError::TooShort { least } => (
            "no sentence is as short as requested".to_owned(),
            format!("the shortest has {}", tokens(least)),
        ),
        RandomError::TooLong { most } => (
            "no sentence is as long as requested".to_owned(),
            format!("the longest has {}", tokens(most)),
        ),
        RandomError::NoSize { below, above } => {
            let sizes: Vec<String> = below.into_iter().chain(above).map(grouped).collect();
            let help = format!("the nearest have {} tokens", sizes.join(" or "));
            ("no sentence has about the requested number of tokens".to_owned(), help)
        }
    };
    Failure::refused(Diagnostic::new(codes::NO_SUCH_SIZE, message).help(help))
}

fn tokens(count: u64) -> String {
    format!("{} token{}", grouped(count), if count == 1 { "" } else { "s" })
}
