//! How much of a proof or a benchmark is wanted.

/// The two forms of a chore that can take long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Some seconds, with what is installed and with what the tests have built.
    Short,
    /// Everything.
    Full,
}

impl Form {
    /// Takes `--short` out of arguments; `None` if there is another flag.
    pub(crate) fn of(arguments: &[String]) -> Option<(Self, Vec<&str>)> {
        let (flags, others): (Vec<_>, Vec<_>) =
            arguments.iter().map(String::as_str).partition(|argument| argument.starts_with('-'));
        match flags[..] {
            [] => Some((Form::Full, others)),
            ["--short"] => Some((Form::Short, others)),
            _ => None,
        }
    }
}
