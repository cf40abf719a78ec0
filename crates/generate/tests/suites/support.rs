//! Grammars and suites for tests.

use std::ops::ControlFlow;
use std::path::Path;

use gramercy_base::Limits;
use gramercy_coverage::{CriterionSpec, TargetId, TargetSet, Views, criteria};
use gramercy_formats::{Disk, LoadOptions, Memory, load};
use gramercy_generate::strategies::{self, Wishes};
use gramercy_generate::{
    Closings, Kept as PipelineKept, Minimizer, Named, Options, Pipeline, Resolution, Strategy,
    Summary,
};
use gramercy_grammar::{Bnf, Grammar, GrammarGraph};
use gramercy_lexis::{WriteOptions, Writer};
use gramercy_suite::{Sink, SinkError, Test, Wants};

/// A grammar with its views.
pub(crate) struct Subject {
    pub(crate) grammar: Grammar,
    pub(crate) graph: GrammarGraph,
    pub(crate) bnf: Bnf,
}

impl Subject {
    pub(crate) fn read(file: &Path) -> Option<Self> {
        load(file, &Disk, &LoadOptions::default()).grammar.map(Self::new)
    }

    pub(crate) fn of_text(name: &str, text: &str) -> Self {
        Self::of_files(&[(name, text)])
    }

    /// A grammar of several files; the last one is read.
    pub(crate) fn of_files(files: &[(&str, &str)]) -> Self {
        let (name, _) = files.last().expect("some files");
        let with = |memory: Memory, &(name, text): &(&str, &str)| memory.and(name, text);
        let memory = files.iter().fold(Memory::default(), with);
        let loaded = load(Path::new(name), &memory, &LoadOptions::default());
        Self::new(loaded.grammar.expect("a grammar without mistakes"))
    }

    fn new(grammar: Grammar) -> Self {
        let graph = grammar.graph();
        let bnf = grammar.bnf(&graph, &Limits::default()).expect("within the limits");
        Self { grammar, graph, bnf }
    }

    pub(crate) fn views(&self) -> Views<'_> {
        Views::new(&self.grammar, &self.graph, &self.bnf, &Limits::default())
    }
}

/// How a suite is to be made.
#[derive(Clone)]
pub(crate) struct Recipe {
    pub(crate) cover: &'static str,
    pub(crate) resolution: Resolution,
    pub(crate) variants: u32,
    pub(crate) options: Options,
    pub(crate) form: Form,
    /// What is covered already of each criterion.
    pub(crate) given: Vec<TargetSet>,
}

/// Which of several suites that cover the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A small test a target.
    Small,
    /// What greedy set cover leaves of it.
    Minimized,
    /// Few large tests.
    Packed,
}

impl Recipe {
    pub(crate) fn of(cover: &'static str) -> Self {
        let (resolution, options) = (Resolution::default(), Options::default());
        Self { cover, resolution, variants: 1, options, form: Form::Small, given: Vec::new() }
    }

    pub(crate) fn specs(&self) -> Vec<CriterionSpec> {
        CriterionSpec::parse_list(self.cover).expect("known criteria")
    }

    /// Makes the suite.
    pub(crate) fn make(&self, subject: &Subject, sink: &mut dyn Sink) -> Summary {
        self.try_make(subject, sink).expect("the sink takes everything")
    }

    pub(crate) fn try_make(
        &self,
        subject: &Subject,
        sink: &mut dyn Sink,
    ) -> Result<Summary, SinkError> {
        let (views, limits) = (subject.views(), Limits::default());
        let writer = Writer::new(&subject.grammar, &WriteOptions::default()).expect("a lexer");
        let closings = Closings::new(&views, self.resolution, self.variants);
        let closings = closings.guided(&views, &writer);
        let (views, closings) = (&views, &closings);
        let strategies = || self.strategies(views, closings);
        let named = |spec: CriterionSpec| Named {
            name: spec.to_string(),
            criterion: criteria::build(spec, views, &limits).expect("within the limits"),
        };
        let criteria = self.specs().into_iter().map(named).collect();
        let options = self.options.clone();
        let mut pipeline = Pipeline { views, writer, criteria, options };
        let watch = &mut |_| ControlFlow::Continue(());
        if self.form == Form::Minimized {
            let targets = |named: &Named<'_>| (named.criterion.targets(), TargetSet::new());
            let targets: Vec<_> = pipeline.criteria.iter().map(targets).collect();
            let mut minimizer = Minimizer::new(&targets, 1 << 30).expect("small");
            let mut survey = |test, covers: &[(usize, TargetId)]| {
                minimizer.add(test, covers).expect("small");
                ControlFlow::Continue(())
            };
            pipeline.survey(&mut strategies(), &mut survey, watch);
            pipeline.options.kept = Some(PipelineKept::new(&minimizer.select(None).kept));
        }
        pipeline.run(&mut strategies(), sink, watch)
    }

    fn strategies<'s>(
        &self,
        views: &'s Views<'s>,
        closings: &'s Closings<'s>,
    ) -> Vec<Strategy<'s>> {
        let (specs, limits) = (self.specs(), Limits::default());
        let given = |at: usize| self.given.get(at).cloned().unwrap_or_default();
        if self.form == Form::Packed {
            // A parser of all trees takes long for a large ambiguous text.
            let wish = |at| Wishes { given: given(at), max_tokens: Some(60), ..Wishes::default() };
            let wishes: Vec<Wishes> = (0..specs.len()).map(wish).collect();
            let packed = strategies::build_packed(&specs, views, closings, &wishes, &limits);
            return vec![packed.expect("within the limits")];
        }
        let build = |(index, spec)| {
            let wishes = Wishes { given: given(index), ..Wishes::default() };
            strategies::build(spec, index, views, closings, &wishes, &limits)
        };
        let built = specs.into_iter().enumerate().map(build);
        built.map(|strategy| strategy.expect("within the limits")).collect()
    }

    /// The texts of the suite.
    pub(crate) fn texts(&self, subject: &Subject) -> Vec<String> {
        let mut kept = Kept::default();
        self.make(subject, &mut kept);
        kept.texts
    }
}

/// Keeps everything.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(crate) wants: Wants,
    pub(crate) ids: Vec<u64>,
    pub(crate) texts: Vec<String>,
    pub(crate) targets: Vec<Option<String>>,
    /// `criterion#rank`, for each test.
    pub(crate) covers: Vec<Vec<String>>,
    /// Name and text of the tokens of each test.
    pub(crate) tokens: Vec<Vec<(String, String)>>,
}

impl Kept {
    /// What tests cover of each criterion.
    pub(crate) fn covered(&self, criteria: &[&str]) -> Vec<TargetSet> {
        let of = |name: &&str| {
            let targets = self.covers.iter().flatten().filter_map(|covers| covers.rsplit_once('#'));
            let own = targets.filter(|(criterion, _)| criterion == name);
            own.map(|(_, rank)| rank.parse::<u64>().expect("a rank")).collect()
        };
        criteria.iter().map(of).collect()
    }
}

impl Sink for Kept {
    fn wants(&self) -> Wants {
        self.wants
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        self.ids.push(test.id);
        self.texts.push(test.text.to_owned());
        self.targets.push(test.target.map(str::to_owned));
        let covers = test.covers.iter().map(|of| format!("{}#{}", of.criterion, of.rank));
        self.covers.push(covers.collect());
        let tokens = test.tokens.iter();
        let tokens = tokens.map(|of| (of.name.to_owned(), test.text[of.start..of.end].to_owned()));
        self.tokens.push(tokens.collect());
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}
