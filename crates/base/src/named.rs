//! Values that users choose by name. One table per type feeds parsers, help texts, completions and
//! files.

/// One value with the name and the help text that users see.
#[derive(Clone, Copy, Debug)]
pub struct Choice<T: 'static> {
    /// The value.
    pub value: T,
    /// Its name on the command line and in files.
    pub name: &'static str,
    /// What it is, in one line.
    pub help: &'static str,
}

/// A type whose values users choose by name.
pub trait Named: Copy + PartialEq + Send + Sync + 'static {
    /// All values, in the order of listings.
    const CHOICES: &'static [Choice<Self>];

    /// The name of a value.
    ///
    /// # Panics
    /// If the value is not listed.
    fn name(self) -> &'static str {
        let choice = Self::CHOICES.iter().find(|choice| choice.value == self);
        choice.expect("invariant: every value is listed").name
    }

    /// The value of a name.
    #[must_use]
    fn from_name(name: &str) -> Option<Self> {
        Self::CHOICES.iter().find(|choice| choice.name == name).map(|choice| choice.value)
    }

    /// All names, for messages.
    #[must_use]
    fn names() -> Vec<&'static str> {
        Self::CHOICES.iter().map(|choice| choice.name).collect()
    }
}

/// One row of a table of choices.
#[must_use]
pub const fn choice<T>(value: T, name: &'static str, help: &'static str) -> Choice<T>
where
    T: Copy + 'static,
{
    Choice { value, name, help }
}
