//! How much memory and time one input may take.

use std::time::Duration;

use clap::Args;
use gramercy::parse::{InputLimit, InputLimits};

/// For commands that read inputs.
#[derive(Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct InputLimitArgs {
    /// Memory that reading inputs may take together, as `512M` or `4G`; an input that needs more gets no
    /// verdict [default: half of the machine's memory]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_memory: Option<usize>,
    /// Time that one input may take, as `500ms`, `10s` or `2m`; one that needs more gets no verdict
    #[arg(long, value_name = "TIME", value_parser = time)]
    time_per_input: Option<Duration>,
}

/// What is made of an input takes memory several times: a forest, its derivations, and what is chosen of them.
const COPIES: usize = 3;

impl InputLimitArgs {
    /// The limits of each of several inputs that are read at the same time.
    pub(crate) fn for_jobs(&self, jobs: usize) -> InputLimits {
        let memory = self.memory() / COPIES / jobs.max(1);
        InputLimits { memory, time: self.time_per_input }
    }

    /// A limit that was reached in words, and what can be done about it.
    pub(crate) fn in_words(&self, limit: InputLimit) -> (String, &'static str) {
        match limit {
            InputLimit::Memory => {
                let mebibytes = self.memory() >> 20;
                let message = format!("reading takes more memory than {mebibytes} MiB allow");
                (
                    message,
                    "raise the limit with --max-memory, or read fewer inputs at a time with --jobs 1",
                )
            }
            InputLimit::Time => {
                let seconds = self.time_per_input.unwrap_or_default().as_secs_f64();
                let message = format!("reading takes longer than {seconds} s");
                (message, "raise the limit with --time-per-input")
            }
        }
    }

    fn memory(&self) -> usize {
        self.max_memory.unwrap_or_else(|| available().map_or(usize::MAX, |bytes| bytes / 2))
    }
}

/// The memory of the machine, of the container or of the shell's limit, whichever is least.
fn available() -> Option<usize> {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let word = |text: &str, prefix: &str, at: usize| -> Option<usize> {
        let line = text.lines().find(|line| line.starts_with(prefix))?;
        line[prefix.len()..].split_whitespace().nth(at)?.parse().ok()
    };
    let machine = word(&read("/proc/meminfo"), "MemTotal:", 0).map(|kibibytes| kibibytes << 10);
    let container = read("/sys/fs/cgroup/memory.max").trim().parse().ok();
    let shell = word(&read("/proc/self/limits"), "Max address space", 0);
    [machine, container, shell].into_iter().flatten().min()
}

fn size(text: &str) -> Result<usize, String> {
    let (number, unit) = split(text);
    let shift = match unit.to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err("a size such as `512M` or `4G` is needed".to_owned()),
    };
    let number: usize = number.parse().map_err(|_| "a whole number is needed".to_owned())?;
    match number.checked_mul(1 << shift) {
        Some(0) | None => Err("this is no size of a memory".to_owned()),
        Some(bytes) => Ok(bytes),
    }
}

fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let unit = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("a time such as `500ms`, `10s` or `2m` is needed".to_owned()),
    };
    let number: f64 = number.parse().map_err(|_| "a number is needed".to_owned())?;
    let time = Duration::try_from_secs_f64(number * unit).map_err(|error| error.to_string())?;
    if time.is_zero() { Err("nothing can be read in no time".to_owned()) } else { Ok(time) }
}

/// A number, and the unit after it.
fn split(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

#[cfg(test)]
mod tests {
    use super::{size, time};
    use std::time::Duration;

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("4GiB"), Ok(4 << 30));
        assert_eq!(size("100"), Ok(100));
        assert_eq!(size("3kb"), Ok(3 << 10));
        for wrong in ["", "0", "G", "1.5G", "4X", "99999999999999999999T", "-1"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_have_units() {
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("10"), Ok(Duration::from_secs(10)));
        assert_eq!(time("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(time("2m"), Ok(Duration::from_secs(120)));
        for wrong in ["", "0", "s", "1d", "-1", "1e400s"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }
}
