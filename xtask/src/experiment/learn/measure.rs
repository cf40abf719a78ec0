//! How good a model is: predictions on fresh inputs, and what inputs that were made for its targets really reach.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::statistics::{cohens_d, count, mean, median, wilcoxon};
use crate::gramercy::Gramercy;
use crate::process::{Call, Fallible};

/// Inputs that are made for each target.
const PER_TARGET: usize = 10;

/// A subject at work: its files, and how it is called.
pub(super) struct Lab<'l> {
    pub(super) gramercy: &'l Gramercy,
    pub(super) grammar: PathBuf,
    pub(super) folder: PathBuf,
    pub(super) command: Vec<String>,
}

/// What one input does: the covered targets with their calls.
pub(super) struct Run {
    pub(super) text: String,
    pub(super) covered: BTreeMap<String, f64>,
}

/// How well a model predicts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quality {
    pub(super) accuracy: f64,
    pub(super) precision: f64,
    pub(super) recall: f64,
}

/// Right and wrong predictions of "not covered" and "covered".
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    right: [f64; 2],
    wrong: [f64; 2],
}

impl Counts {
    /// The number of inputs that cover the target.
    pub(super) fn positives(&self) -> f64 {
        self.right[1] + self.wrong[0]
    }

    pub(super) fn quality(&self) -> Quality {
        let share =
            |some: f64, rest: f64| if some + rest == 0.0 { 1.0 } else { some / (some + rest) };
        Quality {
            accuracy: share(self.right[0] + self.right[1], self.wrong[0] + self.wrong[1]),
            precision: share(self.right[1], self.wrong[1]),
            recall: share(self.right[1], self.wrong[0]),
        }
    }
}

/// What inputs that were made for targets reach, beside as many random ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Reached {
    /// The median over targets of the share of inputs that reach the target: of random inputs, and of those made for it.
    pub(super) relative: [f64; 2],
    /// The mean of the same.
    pub(super) mean_relative: [f64; 2],
    pub(super) absolute: [f64; 2],
    pub(super) bytes: [f64; 2],
    pub(super) median_methods: [f64; 2],
    pub(super) mean_methods: [f64; 2],
    pub(super) mean_calls: [f64; 2],
    pub(super) p_value: f64,
    pub(super) effect: f64,
    pub(super) without_inputs: usize,
}

/// A model with the trees that it has.
pub(super) struct Learned {
    pub(super) file: PathBuf,
    pub(super) trainable: Vec<String>,
    pub(super) observed: usize,
    pub(super) questions: f64,
}

impl Learned {
    /// Reads a model.
    pub(super) fn read(file: PathBuf) -> Fallible<Self> {
        let model = read_json(&file)?;
        let names = |key: &str| -> Vec<String> {
            let all = model[key].as_array().into_iter().flatten();
            all.filter_map(|target| target["name"].as_str().map(str::to_owned)).collect()
        };
        let trees = model["targets"].as_array().into_iter().flatten();
        let questions: Vec<f64> = trees
            .filter_map(|target| target["tree"].as_array())
            .map(|tree| count(tree.len() / 2))
            .collect();
        let trainable = names("targets");
        let observed = trainable.len() + names("always").len();
        Ok(Learned { file, trainable, observed, questions: mean(&questions) })
    }
}

impl Lab<'_> {
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Learns a model from runs of the program.
    pub(super) fn learn(&self, name: &str, inputs: &[&str], more: &[&str]) -> Fallible<Learned> {
        let file = self.path(&format!("{name}.json"));
        let call = Call::new(self.gramercy.path()).arg("learn").arg(&self.grammar);
        let call = call.args(["--collect", "harness", "--json", "--quiet", "--cache"]);
        let call = call.arg(self.path("runs.db")).args(inputs).args(more).arg("-o").arg(&file);
        let call = call.arg("--write-behaviour").arg(self.path(&format!("{name}.ndjson")));
        let output = call.arg("--").args(&self.command).finish()?;
        if output.code.is_none_or(|code| code > 1) {
            return Err(output.stderr.lines().take(5).collect::<Vec<_>>().join("\n"));
        }
        Learned::read(file)
    }

    /// The runs of the inputs that a model was learned from.
    pub(super) fn runs(&self, name: &str) -> Fallible<Vec<Run>> {
        let path = self.path(&format!("{name}.ndjson"));
        let text = read(&path)?;
        let run = |line: &str| {
            let line: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            let calls = |name: &str| line["calls"][name].as_f64().unwrap_or(1.0);
            let covered = line["covered"].as_array().into_iter().flatten();
            let covered = covered.filter_map(Value::as_str);
            let covered = covered.map(|name| (name.to_owned(), calls(name))).collect();
            Ok(Run { text: line["input"].as_str().unwrap_or_default().to_owned(), covered })
        };
        text.lines().map(run).collect()
    }

    /// Compares predictions on fresh inputs with what the program did, over all targets.
    pub(super) fn quality(&self, model: &Learned, fresh: &[Run]) -> Fallible<Quality> {
        let mut all = Counts::default();
        for of in self.counts(model, fresh)? {
            all.right = [all.right[0] + of.right[0], all.right[1] + of.right[1]];
            all.wrong = [all.wrong[0] + of.wrong[0], all.wrong[1] + of.wrong[1]];
        }
        Ok(all.quality())
    }

    /// Right and wrong predictions on fresh inputs, for each target.
    pub(super) fn counts(&self, model: &Learned, fresh: &[Run]) -> Fallible<Vec<Counts>> {
        let corpus = self.path("fresh-inputs.ndjson");
        let texts = fresh.iter().map(|run| run.text.as_str());
        write_corpus(&corpus, texts)?;
        let call = Call::new(self.gramercy.path()).arg("predict").arg(&self.grammar);
        let call = call.args(["--json", "--quiet", "--model"]).arg(&model.file).arg(&corpus);
        let output = call.finish()?.success()?;
        let mut counts = vec![Counts::default(); model.trainable.len()];
        for (line, run) in output.lines().zip(fresh) {
            let line: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            for (target, counts) in model.trainable.iter().zip(&mut counts) {
                let predicted = line["targets"][target]["covered"].as_bool().unwrap_or(false);
                let real = run.covered.contains_key(target);
                let of = if predicted == real { &mut counts.right } else { &mut counts.wrong };
                of[usize::from(predicted)] += 1.0;
            }
        }
        Ok(counts)
    }

    /// Makes inputs for each target, runs the program on them, and compares them with as many random ones.
    pub(super) fn reached(&self, model: &Learned, fresh: &[Run]) -> Fallible<Reached> {
        let mut made: Vec<Vec<String>> = Vec::new();
        for target in &model.trainable {
            made.push(self.target(model, target)?);
        }
        let all: BTreeSet<&str> = made.iter().flatten().map(String::as_str).collect();
        let corpus = self.path("targeted-inputs.ndjson");
        write_corpus(&corpus, all.iter().copied())?;
        self.learn("targeted", &["--corpus", &corpus.display().to_string()], &[])?;
        let runs = self.runs("targeted")?;
        let by_text: BTreeMap<&str, &Run> =
            runs.iter().map(|run| (run.text.as_str(), run)).collect();
        let mut reached = compare(model, &made, &by_text, fresh);
        reached.bytes = [sizes(fresh.iter()), sizes(runs.iter())];
        let methods = |runs: &[Run]| -> Vec<f64> {
            runs.iter().map(|run| count(run.covered.len())).collect()
        };
        let (random, targeted) = (methods(fresh), methods(&runs));
        reached.median_methods = [median(&random), median(&targeted)];
        reached.mean_methods = [mean(&random), mean(&targeted)];
        Ok(reached)
    }

    /// Spearman's rho of k-path coverage and the coverage of these runs, for k from 1 to 5.
    pub(super) fn correlate(&self, name: &str) -> Fallible<Vec<f64>> {
        let call = Call::new(self.gramercy.path()).arg("correlate").arg(&self.grammar);
        let call = call.args(["--json", "--quiet", "--behaviour"]);
        let output = call.arg(self.path(&format!("{name}.ndjson"))).finish()?.success()?;
        let found: Value = serde_json::from_str(&output).map_err(|error| error.to_string())?;
        let lengths = found["lengths"].as_array().into_iter().flatten();
        Ok(lengths.map(|length| length["rho"].as_f64().unwrap_or(f64::NAN)).collect())
    }

    fn target(&self, model: &Learned, target: &str) -> Fallible<Vec<String>> {
        let call = Call::new(self.gramercy.path()).arg("target").arg(&self.grammar);
        let call = call.args(["--quiet", "--format", "ndjson", "--jobs", "1", "--model"]);
        let call = call.arg(&model.file).arg(target).args(["-n", &PER_TARGET.to_string()]);
        let output = call.finish()?;
        let text = |line: &str| -> Option<String> {
            let line: Value = serde_json::from_str(line).ok()?;
            line["text"].as_str().map(str::to_owned)
        };
        Ok(output.stdout.lines().filter_map(text).collect())
    }
}

/// The two coverage fractions and the calls, each beside random inputs.
fn compare(
    model: &Learned,
    made: &[Vec<String>],
    by_text: &BTreeMap<&str, &Run>,
    fresh: &[Run],
) -> Reached {
    let (mut relative, mut absolute, mut calls) = ([vec![], vec![]], [0.0; 2], [vec![], vec![]]);
    let mut without_inputs = 0;
    for (number, (target, texts)) in model.trainable.iter().zip(made).enumerate() {
        let targeted: Vec<&Run> =
            texts.iter().filter_map(|text| by_text.get(text.as_str()).copied()).collect();
        without_inputs += usize::from(targeted.is_empty());
        let random: Vec<&Run> = (0..targeted.len().max(1))
            .map(|at| &fresh[(number * PER_TARGET + at) % fresh.len()])
            .collect();
        for (side, runs) in [random, targeted].iter().enumerate() {
            let of = |run: &&Run| run.covered.get(target).copied().unwrap_or(0.0);
            let of_target: Vec<f64> = runs.iter().map(of).collect();
            let hits = of_target.iter().filter(|calls| **calls > 0.0).count();
            relative[side].push(count(hits) / count(runs.len().max(1)));
            absolute[side] += f64::from(u8::from(hits > 0));
            calls[side].push(mean(&of_target));
        }
    }
    let targets = count(model.trainable.len()).max(1.0);
    let differences: Vec<f64> = calls[1].iter().zip(&calls[0]).map(|(c, r)| c - r).collect();
    Reached {
        relative: [median(&relative[0]), median(&relative[1])],
        mean_relative: [mean(&relative[0]), mean(&relative[1])],
        absolute: [absolute[0] / targets, absolute[1] / targets],
        mean_calls: [mean(&calls[0]), mean(&calls[1])],
        p_value: wilcoxon(&differences),
        effect: cohens_d(&differences),
        without_inputs,
        ..Reached::default()
    }
}

fn sizes<'r>(runs: impl Iterator<Item = &'r Run>) -> f64 {
    mean(&runs.map(|run| count(run.text.len())).collect::<Vec<_>>())
}

fn write_corpus<'t>(path: &Path, texts: impl Iterator<Item = &'t str>) -> Fallible {
    let mut lines = String::new();
    for (number, text) in texts.enumerate() {
        let line = serde_json::json!({"name": format!("input {number}"), "text": text});
        let _infallible = writeln!(lines, "{line}");
    }
    std::fs::write(path, lines).map_err(|error| format!("{}: {error}", path.display()))
}

fn read(path: &Path) -> Fallible<String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn read_json(path: &Path) -> Fallible<Value> {
    serde_json::from_str(&read(path)?).map_err(|error| format!("{}: {error}", path.display()))
}
