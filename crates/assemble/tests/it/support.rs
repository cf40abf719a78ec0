//! Languages and suites for tests.

use gramercy_assemble::engine::summary::Summary;
use gramercy_assemble::recipe::{Minimize, Recipe, StrategyName, Systematic, Tests};
use gramercy_assemble::{SuiteError, Watch, suite};
use gramercy_coverage::TargetSet;
use gramercy_formats::{LoadOptions, Memory};
use gramercy_language::Language;
use gramercy_suite::{Sink, SinkError, Test, Wants};

/// An example of the project.
pub(crate) fn example(name: &str) -> Language {
    let file = gramercy_testkit::examples().join(name);
    Language::read(file).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// All grammars of the project, by file name.
pub(crate) fn examples() -> Vec<(String, Language)> {
    let files = gramercy_testkit::example_files().into_iter();
    files.map(|(name, _)| (name.clone(), example(&name))).collect()
}

/// A language of several files; the last one is read.
pub(crate) fn of_files(files: &[(&str, &str)]) -> Language {
    let (name, _) = files.last().expect("some files");
    let with = |memory: Memory, &(name, text): &(&str, &str)| memory.and(name, text);
    let memory = files.iter().fold(Memory::default(), with);
    let language = Language::read_from(name, &memory, &LoadOptions::default());
    language.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A language of one file.
pub(crate) fn of_text(name: &str, text: &str) -> Language {
    of_files(&[(name, text)])
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

/// A suite that covers criteria.
pub(crate) fn cover(criteria: &str, form: Form) -> Recipe {
    let mut recipe = Recipe::cover(criteria).expect("known criteria");
    let tests = systematic(&mut recipe);
    match form {
        Form::Small => {}
        Form::Minimized => tests.minimize = Some(Minimize { memory: 1024 }),
        Form::Packed => {
            tests.strategy = StrategyName::Pack;
            // A parser of all trees takes long for a large ambiguous text.
            tests.max_tokens = Some(60);
        }
    }
    recipe
}

/// A suite of a small test a target.
pub(crate) fn small(criteria: &str) -> Recipe {
    cover(criteria, Form::Small)
}

/// What a recipe says of tests that cover criteria.
pub(crate) fn systematic(recipe: &mut Recipe) -> &mut Systematic {
    match &mut recipe.tests {
        Tests::Systematic(tests) => tests,
        _ => panic!("the tests cover no criteria"),
    }
}

/// Makes the suite of a recipe by some workers.
pub(crate) fn try_make(
    language: &Language,
    recipe: &Recipe,
    sink: &mut dyn Sink,
    jobs: usize,
) -> Result<Summary, SuiteError> {
    suite(language, recipe, sink, &mut Jobs(jobs))
}

/// Makes the suite of a recipe.
pub(crate) fn make(language: &Language, recipe: &Recipe, sink: &mut dyn Sink) -> Summary {
    try_make(language, recipe, sink, 1).unwrap_or_else(|error| panic!("{error}: {recipe:?}"))
}

/// The texts of the suite of a recipe.
pub(crate) fn texts(language: &Language, recipe: &Recipe) -> Vec<String> {
    kept(language, recipe, Wants::TEXT).0.texts
}

/// The suite of a recipe, as a sink with these wants gets it.
pub(crate) fn kept(language: &Language, recipe: &Recipe, wants: Wants) -> (Kept, Summary) {
    let mut kept = Kept::of(wants);
    let summary = make(language, recipe, &mut kept);
    (kept, summary)
}

/// How many workers make tests.
pub(crate) struct Jobs(pub(crate) usize);

impl Watch for Jobs {
    fn jobs(&self) -> usize {
        self.0
    }
}

/// Keeps everything.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) wants: Wants,
    pub(crate) ids: Vec<u64>,
    pub(crate) texts: Vec<String>,
    pub(crate) token_counts: Vec<usize>,
    pub(crate) targets: Vec<Option<String>>,
    /// `criterion#rank`, for each test.
    pub(crate) covers: Vec<Vec<String>>,
    /// Name and text of the tokens of each test.
    pub(crate) tokens: Vec<Vec<(String, String)>>,
}

impl Kept {
    /// Nothing yet.
    pub(crate) fn of(wants: Wants) -> Self {
        Self { wants, ..Self::default() }
    }

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
        let text = test.content.to_text();
        self.ids.push(test.id);
        self.token_counts.push(test.token_count);
        self.targets.push(test.target().map(str::to_owned));
        let covers = test.covers.iter().map(|of| format!("{}#{}", of.criterion, of.rank));
        self.covers.push(covers.collect());
        let tokens = test.tokens.iter();
        let tokens = tokens.map(|of| (of.name.to_owned(), text[of.start..of.end].to_owned()));
        self.tokens.push(tokens.collect());
        self.texts.push(text.into_owned());
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}
