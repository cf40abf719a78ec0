//! Criteria by name: joined with `+`, or in several options.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use gramercy::base::LimitReached;
use gramercy::coverage::spec;
use gramercy::coverage::{Criterion, CriterionSpec, SpecError};
use gramercy::formats::suggest::did_you_mean;
use gramercy::language::Language;
use gramercy::mutate::criteria::{NegativeSpec, REGISTRY};

/// Several criteria joined with `+`, and the names that were used for them.
#[derive(Clone, Debug)]
pub(crate) struct Criteria<S = CriterionSpec>(pub(crate) Vec<S>, Vec<String>);

/// A criterion that inputs are measured by: for sentences, or for inputs that must be rejected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MeasuredCriterion {
    Positive(CriterionSpec),
    Negative(NegativeSpec),
}

impl MeasuredCriterion {
    /// The criterion for a language.
    pub(crate) fn build<'v>(
        self,
        language: &'v Language,
    ) -> Result<Box<dyn Criterion + 'v>, LimitReached> {
        match self {
            Self::Positive(spec) => spec.build(language),
            Self::Negative(spec) => Ok(spec.build(language)?),
        }
    }
}

impl FromStr for MeasuredCriterion {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        match NegativeSpec::is_name(text) {
            true => text.parse().map(Self::Negative),
            false => text.parse().map(Self::Positive),
        }
    }
}

impl fmt::Display for MeasuredCriterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Positive(spec) => spec.fmt(f),
            Self::Negative(spec) => spec.fmt(f),
        }
    }
}

impl<S: FromStr<Err = SpecError>> FromStr for Criteria<S> {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let names: Vec<String> = text.split('+').map(|name| name.trim().to_owned()).collect();
        let specs = names.iter().map(|name| name.parse().map_err(|error| suggest(name, error)));
        Ok(Self(specs.collect::<Result<_, _>>()?, names))
    }
}

/// Adds the nearest name to an error about an unknown one.
fn suggest(name: &str, error: SpecError) -> SpecError {
    let word = word_of(name);
    let known: Vec<String> = spec::listed().into_iter().map(|(usage, _)| usage).collect();
    let known = known.iter().map(|usage| word_of(usage));
    let known: Vec<&str> = known.chain(REGISTRY.iter().map(|entry| entry.name)).collect();
    match did_you_mean(word, known.iter().copied()).filter(|_| !known.contains(&word)) {
        Some(help) => SpecError { message: format!("`{name}` is not a criterion; {help}") },
        None => error,
    }
}

fn word_of(usage: &str) -> &str {
    usage.split(':').next().unwrap_or(usage)
}

/// All criteria of an option that may be given several times, each once, with the names that were used.
pub(crate) fn joined<S: Copy + PartialEq>(options: &[Criteria<S>]) -> Vec<(String, S)> {
    let mut joined: Vec<(String, S)> = Vec::new();
    for Criteria(specs, names) in options {
        for (name, spec) in names.iter().zip(specs) {
            if joined.iter().all(|(_, known)| known != spec) {
                joined.push((name.clone(), *spec));
            }
        }
    }
    joined
}

/// The specs of [`joined`].
pub(crate) fn specs<S: Copy + PartialEq>(options: &[Criteria<S>]) -> Vec<S> {
    joined(options).into_iter().map(|(_, spec)| spec).collect()
}

/// A parser for criteria that also lists them for completions.
pub(crate) fn criteria<S>() -> impl TypedValueParser<Value = Criteria<S>>
where
    S: FromStr<Err = SpecError> + Clone + Send + Sync + 'static,
{
    CriteriaParser(PhantomData)
}

#[derive(Clone)]
struct CriteriaParser<S>(PhantomData<S>);

impl<S: FromStr<Err = SpecError> + Clone + Send + Sync + 'static> TypedValueParser
    for CriteriaParser<S>
{
    type Value = Criteria<S>;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Criteria<S>, clap::Error> {
        let parser = StringValueParser::new().try_map(|text: String| text.parse::<Criteria<S>>());
        parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let listed = spec::examples().into_iter();
        Some(Box::new(listed.map(|(name, help)| PossibleValue::new(name).help(help))))
    }
}

#[cfg(test)]
mod tests {
    use super::{Criteria, joined};

    #[test]
    fn options_are_joined() {
        let read = |text: &str| text.parse::<Criteria>().expect("criteria");
        let names: Vec<String> = joined(&[read("rule+kpath:2"), read("cdrc"), read("rule")])
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["rule", "kpath:2", "cdrc"]);
    }

    #[test]
    fn unknown_names_have_a_suggestion() {
        let check = |name: &str, expected: &str| {
            let error = name.parse::<Criteria>().expect_err("a mistake");
            assert!(error.message.contains(expected), "{name}: {}", error.message);
        };
        check("kpaht:2", "did you mean `kpath`?");
        check("rules", "did you mean `rule`?");
        check("rule+popedge:lr0", "did you mean `pop-edge`?");
        check("xyzzy", "known are");
        check("kpath", "needs a number");
    }
}
