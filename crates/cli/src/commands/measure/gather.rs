//! Measures all inputs, in parallel, and joins the results in the order of the inputs.

use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;

use gramercy::base::Sources;
use gramercy::check::suspects::Suspects;
use gramercy::coverage::{CountedTrees, Covered, Measure, RejectedInput, TargetSet};
use gramercy::lexis::Dfa;
use gramercy::parse::TextWorkspace;
use gramercy::suite::{Corpus, CorpusError, Expectation, Input};

use crate::commands::expectations::{Judgement, judge};
use crate::commands::inputs::Inputs;
use crate::commands::reading::{Limited, Reading, unreadable};
use crate::console::Console;
use crate::flags::{InputLimitArgs, Trees};
use crate::interrupt::Interrupt;
use crate::outcome::Failure;
use crate::progress::Progress;
use crate::render::coverage::Unexpected;
use crate::render::csv::Csv;
use crate::render::rejections::Rejected;

/// What to measure, and what to keep of it.
pub(super) struct Options<'o> {
    pub(super) corpus: Corpus,
    /// The names of the criteria.
    pub(super) names: Vec<String>,
    pub(super) jobs: usize,
    pub(super) csv: Option<&'o Path>,
    pub(super) input_limits: &'o InputLimitArgs,
    /// Whether what each input covers is kept.
    pub(super) keeps_all: bool,
}

/// What all inputs cover.
pub(super) struct Gathered {
    pub(super) sum: Covered,
    /// The names of the inputs that are in the language.
    pub(super) accepted: Vec<String>,
    /// The inputs that are not in the language, though they should be, or nothing is expected of them.
    pub(super) rejected: Vec<Rejected>,
    /// The likely causes of those rejections, as numbers of the grammar's notes.
    pub(super) causes: Vec<usize>,
    /// How many are not in the language, as expected.
    pub(super) expected_rejections: u64,
    /// The inputs that should be rejected, and are accepted or rejected elsewhere.
    pub(super) unexpected: Vec<Unexpected>,
    /// What each accepted input covers, if that is kept.
    pub(super) kept: Option<Vec<Vec<TargetSet>>>,
    pub(super) is_unreadable: bool,
    /// The inputs that reached a limit.
    pub(super) limited: Vec<String>,
    /// Whether the user wanted no more before all inputs were measured.
    pub(super) is_interrupted: bool,
}

impl Gathered {
    /// Notes an input that was read otherwise than its corpus says.
    fn note(&mut self, input: &str, judgement: Option<Judgement>) {
        if let Some(judgement) = judgement.filter(|judgement| !judgement.is_as_expected()) {
            self.unexpected.push(Unexpected { input: input.to_owned(), judgement });
        }
    }
}

/// What became of one input.
enum Measured {
    Covered(String, Covered, Option<Judgement>),
    /// With the number of the grammar's note about the likely cause, if there is one.
    Rejected(Rejected, Covered, Option<Judgement>, Option<usize>),
    Limited(Limited),
    Unreadable(CorpusError),
}

pub(super) fn gather(
    reading: &Reading,
    measure: &Measure<'_>,
    options: &Options<'_>,
    console: &Console,
) -> Result<Gathered, Failure> {
    let mut joining = Joining::new(measure, options, console)?;
    let inputs = Inputs { texts: &[], corpus: options.corpus.clone(), jobs: options.jobs };
    let suspects = suspects(reading);
    let worker = || {
        let mut workspace = reading.parser().workspace();
        workspace.set_limits(options.input_limits.for_jobs(options.jobs));
        (workspace, None)
    };
    let work = |(workspace, dfa): &mut (TextWorkspace, Option<Dfa>),
                input: Result<Input, CorpusError>| match input {
        Err(error) => Measured::Unreadable(error),
        Ok(input) => match measured(reading, measure, options, workspace, &input) {
            Ok(covered) => {
                let judgement = judge(input.expect.as_ref(), None);
                Measured::Covered(input.name, covered, judgement)
            }
            Err(NotMeasured::Limited(limited)) => Measured::Limited(*limited),
            Err(NotMeasured::Rejected(rejected)) => {
                let judgement = judge(input.expect.as_ref(), Some(&rejected.error));
                let start = rejected.error.start;
                let covered = rejected_covers(measure, &input, start);
                let cause = suspects.as_ref().and_then(|suspects| {
                    let text = input.text().ok()?;
                    suspects.find(dfa.get_or_insert_with(|| suspects.dfa()), &text, start)
                });
                Measured::Rejected(*rejected, covered, judgement, cause)
            }
        },
    };
    inputs.for_each(worker, work, |measured| joining.add(measured));
    joining.finish()
}

/// The token rules whose ignored code may be why inputs are rejected.
pub(super) fn suspects(reading: &Reading) -> Option<Suspects<'_>> {
    let lexer = reading.language.lexer().ok().flatten()?;
    Suspects::of(reading.grammar(), lexer, reading.language.limits())
}

fn measured(
    reading: &Reading,
    measure: &Measure<'_>,
    options: &Options<'_>,
    workspace: &mut TextWorkspace,
    input: &Input,
) -> Result<Covered, NotMeasured> {
    let text = reading.text(input).map_err(NotMeasured::Rejected)?;
    measure.text(workspace, &text).map_err(|rejection| {
        let trees = match measure.trees {
            CountedTrees::All => Trees::All,
            CountedTrees::Preferred => Trees::Preferred,
        };
        match reading.limited(options.input_limits, trees, &input.name, &rejection) {
            Some(limited) => NotMeasured::Limited(Box::new(limited)),
            None => {
                let rejected = reading.rejected(workspace, input, &text, &rejection);
                NotMeasured::Rejected(Box::new(rejected))
            }
        }
    })
}

/// Why an input was not measured.
enum NotMeasured {
    Rejected(Box<Rejected>),
    Limited(Box<Limited>),
}

/// What an input covers that is not in the language.
fn rejected_covers(measure: &Measure<'_>, input: &Input, byte: usize) -> Covered {
    let Ok(text) = input.text() else { return measure.nothing() };
    let class = match &input.expect {
        Some(Expectation::Reject(error)) => error.class.as_deref(),
        _ => None,
    };
    let mutation = input.mutation.as_deref();
    measure.rejected(&RejectedInput {
        text: &text,
        byte,
        class,
        operator: mutation.map(|mutation| &*mutation.operator),
        item: mutation.and_then(|mutation| mutation.item.as_deref()),
    })
}

/// The results so far.
struct Joining<'j> {
    console: &'j Console,
    gathered: Gathered,
    csv: Option<Csv<BufWriter<std::fs::File>>>,
    csv_path: Option<&'j Path>,
    progress: Progress,
    /// While nothing is measured yet, there is nothing to keep.
    interrupt: Option<Interrupt>,
    result: std::io::Result<()>,
}

impl<'j> Joining<'j> {
    fn new(
        measure: &Measure<'_>,
        options: &Options<'j>,
        console: &'j Console,
    ) -> Result<Self, Failure> {
        let create = |path: &Path| {
            let file = std::fs::File::create(path).map(BufWriter::new);
            let csv = file.and_then(|file| Csv::new(file, &options.names));
            csv.map_err(|error| Failure::unwritable(path, &error))
        };
        let gathered = Gathered {
            sum: measure.nothing(),
            accepted: Vec::new(),
            rejected: Vec::new(),
            causes: Vec::new(),
            expected_rejections: 0,
            unexpected: Vec::new(),
            kept: options.keeps_all.then(Vec::new),
            is_unreadable: false,
            limited: Vec::new(),
            is_interrupted: false,
        };
        Ok(Self {
            console,
            gathered,
            csv: options.csv.map(create).transpose()?,
            csv_path: options.csv,
            progress: Progress::of("inputs", console.is_quiet()),
            interrupt: None,
            result: Ok(()),
        })
    }

    fn add(&mut self, measured: Measured) -> ControlFlow<()> {
        self.progress.step();
        let gathered = &mut self.gathered;
        match measured {
            Measured::Covered(name, covered, judgement) => {
                let new = gathered.sum.add(&covered);
                if let Some(csv) = &mut self.csv {
                    self.result = csv.accepted(&name, &covered, &new, &gathered.sum);
                }
                gathered.note(&name, judgement);
                gathered.accepted.push(name);
                if let Some(kept) = &mut gathered.kept {
                    kept.push(covered.targets);
                }
            }
            Measured::Rejected(rejected, covered, judgement, cause) => {
                gathered.sum.add(&covered);
                if let Some(csv) = &mut self.csv {
                    self.result = csv.rejected(&rejected.input, &gathered.sum);
                }
                match judgement {
                    None | Some(Judgement::RejectedPositive) => {
                        gathered.rejected.push(rejected);
                        gathered.causes.extend(cause);
                    }
                    Some(judgement) => {
                        gathered.expected_rejections += 1;
                        gathered.note(&rejected.input, Some(judgement));
                    }
                }
            }
            Measured::Limited(Limited { input, diagnostic }) => {
                gathered.limited.push(input);
                self.console.report(&[diagnostic], &Sources::new());
            }
            Measured::Unreadable(error) => {
                gathered.is_unreadable = true;
                self.console.report(&[unreadable(&error)], &Sources::new());
            }
        }
        let interrupt = self.interrupt.get_or_insert_with(Interrupt::listen);
        gathered.is_interrupted = interrupt.is_wanted();
        match self.result.is_ok() && !gathered.is_interrupted {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    fn finish(self) -> Result<Gathered, Failure> {
        let flushed = self.csv.map_or(Ok(()), |csv| csv.into_inner().flush());
        match (self.result.and(flushed), self.csv_path) {
            (Err(error), Some(path)) => Err(Failure::unwritable(path, &error)),
            _ => Ok(self.gathered),
        }
    }
}
