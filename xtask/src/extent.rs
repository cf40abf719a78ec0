//! The two extents of a proof or a benchmark.

/// The extent of a chore that can take long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Some seconds, with installed programs and the build of the tests.
    Short,
    /// Everything.
    Full,
}

impl Extent {
    /// Removes `--short` from arguments; `None` if there is another flag.
    pub(crate) fn of(arguments: &[String]) -> Option<(Self, Vec<&str>)> {
        let (flags, others): (Vec<_>, Vec<_>) =
            arguments.iter().map(String::as_str).partition(|argument| argument.starts_with('-'));
        match flags[..] {
            [] => Some((Extent::Full, others)),
            ["--short"] => Some((Extent::Short, others)),
            _ => None,
        }
    }
}
