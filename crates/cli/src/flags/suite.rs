//! How large a suite is, which part of it is wanted, and how it is made.

use std::hash::{BuildHasher, RandomState};

use clap::Args;
use gramercy::assemble::Shard;
use gramercy::assemble::recipe::TieBreak;

use super::named;

const HEADING: &str = "Suite options";

/// The options of every command that makes a suite.
#[derive(Args)]
pub(crate) struct SuiteArgs {
    /// End the suite after this number of tests
    #[arg(long, short = 'n', visible_alias = "tests", value_name = "N", help_heading = HEADING)]
    pub(crate) limit: Option<u64>,
    /// Seed of everything that is drawn: a number, or `random` for another one each time
    #[arg(
        long, value_name = "N", default_value = "0", value_parser = seed, help_heading = HEADING
    )]
    pub(crate) seed: u64,
    /// Which of equally cheap choices to take
    #[arg(
        long, value_name = "HOW", default_value = "first", value_parser = named::<TieBreak>(),
        help_heading = HEADING
    )]
    pub(crate) ties: TieBreak,
    /// Keep part I of N of the suite; `auto` asks the job scheduler's environment
    #[arg(long, value_name = "I/N", value_parser = shard, help_heading = HEADING)]
    pub(crate) shard: Option<Shard>,
    /// How many tests to make at the same time [default: the number of processors]
    #[arg(long, value_name = "N", help_heading = HEADING)]
    pub(crate) jobs: Option<usize>,
    /// Keep one of several tests with equal text
    #[arg(long, help_heading = HEADING)]
    pub(crate) unique: bool,
    /// Only say how many tests there are
    #[arg(long, help_heading = HEADING)]
    pub(crate) count: bool,
    /// Leave out tests with more tokens than this
    #[arg(long, value_name = "N", help_heading = HEADING)]
    pub(crate) max_tokens: Option<usize>,
    /// Leave out tests with more bytes than this
    #[arg(long, value_name = "N", help_heading = HEADING)]
    pub(crate) max_bytes: Option<usize>,
    /// Leave out tests that the parser of the notation's own tool rejects: bison loses sentences where it
    /// resolves conflicts; of negative tests, base tests are left out
    #[arg(long, help_heading = HEADING)]
    pub(crate) accepted_by_tool: bool,
}

impl SuiteArgs {
    /// How many tests are made at the same time.
    pub(crate) fn jobs(&self) -> usize {
        jobs(self.jobs)
    }
}

/// More workers than this cost memory and save no time.
const MAX_JOBS: usize = 256;

/// The number of workers: the requested one, or the number of processors; never more than 256.
pub(crate) fn jobs(requested: Option<usize>) -> usize {
    let processors = || std::thread::available_parallelism().map_or(1, Into::into);
    requested.unwrap_or_else(processors).clamp(1, MAX_JOBS)
}

/// Reads a seed. `random` is another number each time; who uses it prints it.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    match text {
        "random" => Ok(RandomState::new().hash_one(0u64)),
        text => text.parse().map_err(|_| "a number, or `random`".to_owned()),
    }
}

/// Where job schedulers say which of several equal jobs this is: the variable of the index, the index
/// of the first, and the variable of their number.
const SCHEDULERS: [(&str, &str, &str, u64); 6] = [
    ("Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", 0),
    ("GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", 1),
    ("Kubernetes", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", 0),
    ("Buildkite", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0),
    ("CircleCI", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0),
    ("Google Cloud Run", "CLOUD_RUN_TASK_INDEX", "CLOUD_RUN_TASK_COUNT", 0),
];

/// Reads a shard.
pub(crate) fn shard(text: &str) -> Result<Shard, String> {
    match text {
        "auto" => shard_from(|name| std::env::var(name).ok()),
        text => text.parse(),
    }
}

fn shard_from(variable: impl Fn(&str) -> Option<String>) -> Result<Shard, String> {
    let number = |name: &str| variable(name)?.trim().parse::<u64>().ok();
    for (scheduler, index, count, first) in SCHEDULERS {
        let (Some(index), Some(count)) = (number(index), number(count)) else { continue };
        // A Slurm array may begin anywhere, and may leave out numbers in between.
        let (first, step) = match scheduler {
            "Slurm" => (
                number("SLURM_ARRAY_TASK_MIN").unwrap_or(first),
                number("SLURM_ARRAY_TASK_STEP").unwrap_or(1).max(1),
            ),
            _ => (first, 1),
        };
        let position = index.checked_sub(first).filter(|index| index.is_multiple_of(step));
        let shard = position.and_then(|index| Shard::new(index / step + 1, count));
        return shard.ok_or_else(|| {
            format!("{scheduler} says that this is job {index} of {count}, beginning with {first}")
        });
    }
    let known: Vec<_> = SCHEDULERS.iter().map(|(.., index, _, _)| *index).collect();
    Err(format!("no job scheduler says which job this is; known are {}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::shard_from;

    #[test]
    fn schedulers_say_which_job_this_is() {
        let check = |variables: &[(&str, &str)], expected: Option<&str>| {
            let variable = |name: &str| {
                variables.iter().find(|(of, _)| *of == name).map(|(_, value)| value.to_string())
            };
            let shard = shard_from(variable).ok().map(|shard| shard.to_string());
            assert_eq!(shard.as_deref(), expected, "{variables:?}");
        };
        check(&[("CI_NODE_INDEX", "1"), ("CI_NODE_TOTAL", "3")], Some("1/3"));
        check(&[("JOB_COMPLETION_INDEX", "0"), ("JOB_COMPLETIONS", "3")], Some("1/3"));
        let slurm = |index| {
            [
                ("SLURM_ARRAY_TASK_ID", index),
                ("SLURM_ARRAY_TASK_MIN", "5"),
                ("SLURM_ARRAY_TASK_COUNT", "4"),
            ]
        };
        check(&slurm("5"), Some("1/4"));
        check(&slurm("8"), Some("4/4"));
        let stepped = [slurm("9").as_slice(), &[("SLURM_ARRAY_TASK_STEP", "2")]].concat();
        check(&stepped, Some("3/4"));
        let between = [slurm("8").as_slice(), &[("SLURM_ARRAY_TASK_STEP", "2")]].concat();
        check(&between, None);
        check(&slurm("9"), None);
        check(&[], None);
        check(&[("CI_NODE_INDEX", "x"), ("CI_NODE_TOTAL", "3")], None);
    }
}
