//! What the commands that make suites share: criteria by name, the run of a pipeline, and manifests.

use std::ops::ControlFlow;
use std::path::Path;
use std::str::FromStr;

use gramercy::Grammar;
use gramercy::base::{Diagnostic, Fingerprint, Limits};
use gramercy::coverage::{CriterionSpec, SpecError, Views, criteria};
use gramercy::generate::pipeline::options::Texts;
use gramercy::generate::{self, Named, Pipeline, Strategy, Summary, Survey};
use gramercy::grammar::TerminalKind;
use gramercy::suite::manifest::GrammarFile;
use gramercy::suite::sink::Nowhere;
use gramercy::suite::{Manifest, ManifestError, Sink};

use crate::codes;
use crate::console::Console;
use crate::flags::{DestinationArgs, LoadedGrammar};
use crate::interrupt::Interrupt;
use crate::outcome::Failure;
use crate::progress::Progress;

/// Several criteria joined with `+`.
#[derive(Clone)]
pub(super) struct Criteria(pub(super) Vec<CriterionSpec>);

impl FromStr for Criteria {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        CriterionSpec::parse_list(text).map(Self)
    }
}

impl Criteria {
    pub(super) fn names(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }

    /// The criteria for a grammar.
    pub(super) fn named<'v>(
        &self,
        views: &'v Views<'v>,
        limits: &Limits,
    ) -> Result<Vec<Named<'v>>, Failure> {
        let named = |&spec: &CriterionSpec| {
            let criterion = criteria::build(spec, views, limits)?;
            Ok(Named { name: spec.to_string(), criterion })
        };
        self.0.iter().map(named).collect()
    }
}

/// Where a suite goes.
pub(super) struct Places<'p> {
    pub(super) destination: &'p DestinationArgs,
    pub(super) texts: Texts,
    /// The criteria of a table of coverage.
    pub(super) criteria: Vec<String>,
}

/// Makes a suite, with a line of progress, until it ends or the user wants no more.
pub(super) fn run_pipeline(
    pipeline: &Pipeline<'_>,
    strategies: &mut [Strategy<'_>],
    places: &Places<'_>,
    console: &mut Console,
) -> Result<Summary, Failure> {
    let shows_tests = places.destination.is_standard() && places.texts == Texts::Wanted;
    let mut watching =
        Watching::new("tests", console.is_quiet() || (shows_tests && console.is_terminal()));
    let mut sink: Box<dyn Sink + '_> = match places.texts {
        Texts::Counted => Box::new(Nowhere),
        Texts::Wanted => {
            let literals = literals(pipeline.views.grammar);
            places.destination.sink(console.out(), &literals, places.criteria.clone())?
        }
    };
    Ok(pipeline.run(strategies, &mut *sink, &mut |progress| watching.show(progress))?)
}

/// Makes a suite only to see what its tests cover, with a line of progress.
pub(super) fn run_survey(
    pipeline: &Pipeline<'_>,
    strategies: &mut [Strategy<'_>],
    survey: &mut Survey<'_>,
    console: &Console,
) -> Summary {
    let mut watching = Watching::new("tests looked at", console.is_quiet());
    pipeline.survey(strategies, survey, &mut |progress| watching.show(progress))
}

/// Shows progress, and looks whether the user wants no more.
struct Watching {
    line: Progress,
    interrupt: Interrupt,
}

impl Watching {
    fn new(what: &'static str, quiet: bool) -> Self {
        Self { line: Progress::of(what, quiet), interrupt: Interrupt::listen() }
    }

    fn show(&mut self, progress: generate::Progress) -> ControlFlow<()> {
        self.line.show(progress.tests, progress.done, progress.all);
        match self.interrupt.is_wanted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// What is kept of a suite beside it, so that it can be made again.
pub(super) fn manifest(
    command: &str,
    arguments: Vec<String>,
    loaded: &LoadedGrammar,
    fingerprint: &str,
    summary: &Summary,
) -> Manifest {
    let file = loaded.file.display().to_string();
    Manifest {
        schema: Manifest::SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command: command.to_owned(),
        grammar: GrammarFile { file, fingerprint: fingerprint.to_owned() },
        arguments,
        tests: summary.tests,
        tokens: summary.tokens,
        bytes: summary.bytes,
        unwritten: summary.unwritten_count,
        minimized: None,
    }
}

/// The arguments that a manifest of a command holds.
pub(super) fn arguments_from(
    path: &Path,
    fingerprint: &str,
    command: &str,
) -> Result<Vec<String>, Failure> {
    let refuse = |message: String| Failure::refused(Diagnostic::new(codes::BAD_MANIFEST, message));
    let here = path.display();
    let checked = Manifest::read(path).and_then(|manifest| {
        manifest.check_grammar(fingerprint)?;
        Ok(manifest)
    });
    let manifest = checked.map_err(|error| match error {
        ManifestError::Unreadable(reason) => refuse(format!("cannot read `{here}`: {reason}")),
        ManifestError::OtherGrammar(other) => {
            let message =
                format!("`{here}` is about another grammar, or `{}` was changed", other.file);
            refuse(message)
        }
    })?;
    if manifest.command != command {
        return Err(refuse(format!("`{here}` is about a suite of `{}`", manifest.command)));
    }
    Ok(manifest.arguments)
}

/// A fingerprint of what decides about a grammar: its files and where it starts.
pub(super) fn fingerprint(grammar: &Grammar) -> String {
    let mut print = Fingerprint::default();
    print.add_text(&grammar.rules()[grammar.start()].name);
    grammar.sources().iter().for_each(|(_, source)| print.add_text(source.text()));
    format!("{:032x}", print.finish())
}

/// The texts that stand for themselves in a grammar.
pub(super) fn literals(grammar: &Grammar) -> Vec<&str> {
    let texts = grammar.terminals().values().filter_map(|terminal| match &terminal.kind {
        TerminalKind::Literal(text) | TerminalKind::Token { text: Some(text), .. } => Some(&**text),
        _ => None,
    });
    let mut literals: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
    literals.sort_unstable();
    literals.dedup();
    literals
}
