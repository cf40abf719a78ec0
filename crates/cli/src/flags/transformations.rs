//! Transformations of a grammar, in the order in which they are asked for.

use clap::parser::ArgMatches;
use clap::{Arg, ArgAction, Args, Command, FromArgMatches, value_parser};
use gramercy::base::Limits;
use gramercy::{Grammar, Transformation};

use crate::outcome::Failure;

const HEADING: &str = "Transformations, applied in the order given";

/// The flags and what they stand for. Only inlining takes a value: the number of levels.
const FLAGS: &[(&str, Transformation)] = &[
    ("inline", Transformation::InlineReferences { levels: 1 }),
    ("extract-alternations", Transformation::ExtractAlternations),
    ("epsilonize", Transformation::EpsilonizeQuantifiers),
    ("unfold-regexes", Transformation::UnfoldRegexes),
    ("merge-literals", Transformation::MergeLiterals),
    ("reduce", Transformation::Reduce),
];

/// The transformations that a user asks for. Written out by hand, for the order among different
/// flags matters.
pub(crate) struct TransformationArgs(Vec<Transformation>);

impl TransformationArgs {
    /// The grammar after all of them.
    pub(crate) fn apply(&self, grammar: Grammar, limits: &Limits) -> Result<Grammar, Failure> {
        self.0.iter().try_fold(grammar, |grammar, step| Ok(step.apply(&grammar, limits)?))
    }
}

impl Args for TransformationArgs {
    fn augment_args(command: Command) -> Command {
        command.args(FLAGS.iter().map(|&(flag, step)| argument(flag, step)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn argument(flag: &'static str, step: Transformation) -> Arg {
    let (first, rest) = step.summary().split_at(1);
    let help = first.to_uppercase() + rest;
    let argument = Arg::new(flag).long(flag).help_heading(HEADING).help(help);
    let argument = argument.action(ArgAction::Append);
    match step {
        Transformation::InlineReferences { .. } => {
            argument.value_name("LEVELS").value_parser(value_parser!(usize))
        }
        _ => argument.num_args(0).value_parser(value_parser!(bool)).default_missing_value("true"),
    }
}

impl FromArgMatches for TransformationArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut steps = Vec::new();
        for &(flag, step) in FLAGS {
            let places = matches.indices_of(flag).into_iter().flatten();
            steps.extend(places.zip(occurrences(flag, step, matches)));
        }
        steps.sort_by_key(|&(place, _)| place);
        Ok(Self(steps.into_iter().map(|(_, step)| step).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The transformations that the occurrences of one flag stand for.
fn occurrences(flag: &str, step: Transformation, matches: &ArgMatches) -> Vec<Transformation> {
    match step {
        Transformation::InlineReferences { .. } => {
            let levels = matches.get_many::<usize>(flag).into_iter().flatten();
            levels.map(|&levels| Transformation::InlineReferences { levels }).collect()
        }
        _ => matches.get_many::<bool>(flag).into_iter().flatten().map(|_| step).collect(),
    }
}
