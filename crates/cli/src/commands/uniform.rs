//! What `gramercy random` does with uniform trees beside making tests: plans, ranks and weights.

use std::io::Write;

use gramercy::assemble::recipe::{Recipe, Selection, Tests, Uniform};
use gramercy::assemble::uniform;
use gramercy::base::{Diagnostic, Limits};
use gramercy::formats::native;
use gramercy::grammar::ProductionId;
use gramercy::parse::{Derivations, Derived, DerivedChild, Preferences};
use gramercy::sample::methods::uniform::plan::simulation::Simulation;
use gramercy::sample::methods::uniform::{Elements, Plan, PlanOptions, Ranking};
use gramercy::suite::{Corpus, Input};
use gramercy::transform;

use crate::codes;
use crate::console::Console;
use crate::flags::{LoadedGrammar, UniformArgs, jobs};
use crate::outcome::{Failure, Outcome};
use crate::progress::Progress;
use crate::render::plan::{PlanRequest, PlanView, Simulated};
use crate::render::{curve, json, suite_errors};

/// Flags and what they are about.
pub(super) struct Asked<'a> {
    pub(super) args: &'a UniformArgs,
    pub(super) loaded: &'a LoadedGrammar,
    pub(super) recipe: &'a Recipe,
    pub(super) cover: Option<&'a str>,
    pub(super) is_json: bool,
    pub(super) jobs: Option<usize>,
}

impl Asked<'_> {
    /// Does what was asked for; `None` if that is to make tests.
    pub(super) fn run(&self, console: &mut Console) -> Result<Option<Outcome>, Failure> {
        let Tests::Uniform(tests) = &self.recipe.tests else { return Ok(None) };
        if self.args.plan {
            return self.plan(tests, console).map(Some);
        }
        if self.args.print_weights {
            return self.print_weights(tests, console).map(Some);
        }
        if !self.args.rank.is_empty() {
            return self.rank(tests, console).map(Some);
        }
        Ok(None)
    }

    fn plan(&self, tests: &Uniform, console: &mut Console) -> Result<Outcome, Failure> {
        let language = &self.loaded.language;
        let options = PlanOptions { jobs: jobs(self.jobs), max_elements: self.args.max_elements };
        let kind = self.cover.unwrap_or("nonterminal");
        let mut progress = Progress::of("elements planned", console.is_quiet());
        let mut watch = |done, all| {
            progress.show(done, done, Some(all));
            std::ops::ControlFlow::Continue(())
        };
        let (elements, plan) = uniform::make_plan(language, tests, kind, options, &mut watch)
            .map_err(|error| suite_errors::failure(error, language))?;
        progress.clear();
        let simulated = match self.args.simulate {
            None => None,
            Some(suites) => Some(self.simulate(suites, &elements, &plan, console)?),
        };
        if !plan.impossible.is_empty() {
            let message = format!("no tree of {} covers some elements", tests.range());
            let note = format!("left out: {}", plan.impossible.join(", "));
            let warning = Diagnostic::new(codes::NOT_COVERABLE, message).note(note);
            console.report(&[warning], language.grammar().sources());
        }
        if let Some(path) = &self.args.curve {
            let picture = curve::svg(&plan);
            std::fs::write(path, picture).map_err(|error| Failure::unwritable(path, &error))?;
        }
        let asked = PlanRequest {
            tests,
            cover: kind,
            confidence: self.args.confidence,
            count: self.recipe.limit.unwrap_or(1),
            simulated,
        };
        let view = PlanView::new(&plan, asked);
        match self.is_json {
            true => json::write(console.out(), &view)?,
            false => {
                let text = view.for_people(console.out_palette());
                console.out().write_all(text.as_bytes())?;
            }
        }
        Ok(Outcome::Clean)
    }

    /// Draws suites to see how many of them cover everything.
    fn simulate(
        &self,
        suites: u64,
        elements: &Elements,
        plan: &Plan,
        console: &Console,
    ) -> Result<Simulated, Failure> {
        let language = &self.loaded.language;
        let failure = |error| suite_errors::failure(error, language);
        let (tests, seed) = (self.recipe.limit.unwrap_or(1), self.recipe.seed);
        let simulation = Simulation { suites, tests, seed, jobs: jobs(self.jobs) };
        let samplers = uniform::samplers(elements, plan).map_err(failure)?;
        let mut progress = Progress::of("suites drawn", console.is_quiet());
        let mut watch = |done, _| {
            progress.show(done, done, Some(suites));
            std::ops::ControlFlow::Continue(())
        };
        let plain = simulation.plain(elements, plan, &mut watch);
        let plain = plain.map_err(|error| failure(error.into()))?;
        let biased = simulation.biased(elements, plan, &samplers, &mut watch);
        progress.clear();
        let all = "invariant: nobody stops it";
        Ok(Simulated { suites, plain: plain.expect(all), biased: biased.expect(all) })
    }

    /// Prints the rank of the tree of each input.
    fn rank(&self, tests: &Uniform, console: &mut Console) -> Result<Outcome, Failure> {
        let language = &self.loaded.language;
        let failure = |error| suite_errors::failure(error, language);
        let space = uniform::space(language, tests).map_err(failure)?;
        let ranking = Ranking::new(space).map_err(|error| failure(error.into()))?;
        let parser = language.parser().map_err(|error| failure(error.into()))?;
        let preferences = Preferences::of(language.grammar(), language.bnf());
        let mut workspace = parser.workspace();
        let (mut lines, mut problem) = (Vec::new(), None);
        let files: Vec<String> =
            self.args.rank.iter().map(|file| file.display().to_string()).collect();
        Corpus::new(&files).with_encoding(language.input_encoding()).for_each(|input| {
            let ranked =
                input.map_err(|error| format!("cannot read {error}")).and_then(|input: Input| {
                    let text = input
                        .text()
                        .map_err(|byte| format!("`{}` is no text at byte {byte}", input.name))?;
                    let parsed = parser.parse(&mut workspace, &text);
                    let parsed =
                        parsed.map_err(|_| format!("`{}` is not in the language", input.name))?;
                    let derivations = Derivations::of_forest(parser.parser(), &parsed.forest);
                    let productions = productions(&preferences.pick(&derivations));
                    let rank = ranking.rank(&productions).ok_or_else(|| {
                        format!("the tree of `{}` does not have {}", input.name, tests.range())
                    })?;
                    Ok((input.name.clone(), rank))
                });
            match ranked {
                Ok(ranked) => {
                    lines.push(ranked);
                    std::ops::ControlFlow::Continue(())
                }
                Err(message) => {
                    problem = Some(message);
                    std::ops::ControlFlow::Break(())
                }
            }
        });
        if let Some(message) = problem {
            return Err(Failure::refused(Diagnostic::new(codes::UNREADABLE_INPUT, message)));
        }
        for (name, rank) in lines {
            match self.is_json {
                true => {
                    json::write(console.out(), &RankView { input: &name, rank: rank.to_string() })?;
                }
                false => writeln!(console.out(), "{rank} {name}")?,
            }
        }
        Ok(Outcome::Clean)
    }

    /// Prints the grammar with the probabilities of a tuned Boltzmann sampler.
    fn print_weights(&self, tests: &Uniform, console: &mut Console) -> Result<Outcome, Failure> {
        let language = &self.loaded.language;
        let Selection::Boltzmann(tuning) = &tests.selection else {
            unreachable!("invariant: the flag asks for a Boltzmann sampler")
        };
        let (_, sampler) = uniform::tune(language, tests, tuning)
            .map_err(|error| suite_errors::failure(error, language))?;
        let (bnf, mut seen) = (language.bnf(), gramercy::base::Set::default());
        let mut probabilities = Vec::new();
        for (production, &probability) in sampler.probabilities().iter() {
            if let Some(of) = bnf.alternative(production)
                && bnf.productions_of(bnf.lhs(production)).len() > 1
                && seen.insert(of)
            {
                probabilities.push((of, probability));
            }
        }
        let weighed =
            transform::weigh_alternatives(language.grammar(), &probabilities, &Limits::default())?;
        console.out().write_all(native::write(&weighed).as_bytes())?;
        Ok(Outcome::Clean)
    }
}

/// A rank as a document.
#[derive(serde::Serialize)]
struct RankView<'a> {
    input: &'a str,
    rank: String,
}

/// The productions of the leftmost derivation of a tree.
fn productions(tree: &Derivations) -> Vec<ProductionId> {
    let (mut found, mut open) = (Vec::new(), vec![tree.root()]);
    while let Some(node) = open.pop() {
        let way = tree.ways(node).next().expect("invariant: a tree derives each of its nodes");
        if let Derived::Nonterminal(_) = tree.label(node) {
            found.push(way.production);
        }
        open.extend(way.parts.iter().rev().filter_map(|part| match *part {
            DerivedChild::Node(node) => Some(node),
            DerivedChild::Terminal(..) => None,
        }));
        open.extend(way.prefix);
    }
    found
}
