//! Diagnostics: messages to users about their input. Each has a stable code, a severity, a
//! sentence, spans in the source, and help. Crates create diagnostics; only the command line
//! renders them.

use crate::Span;

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A part of the input is ignored, or a default is chosen; nothing is wrong.
    Note,
    /// The input is probably not what its author meant.
    Warning,
    /// The input cannot be used as it is.
    Error,
}

impl Severity {
    /// The name of the severity in messages and in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A stable name for one kind of diagnostic, such as `undefined-rule`.
///
/// Codes are constants in the `codes` module of the crate that emits them, listed in its `ALL`. A
/// test over all lists keeps them unique and documented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The stable name, in kebab case.
    pub name: &'static str,
    /// The severity that every diagnostic of this code has.
    pub severity: Severity,
    /// One sentence that says what it means, for the guide.
    pub meaning: &'static str,
}

/// Defines the codes of a module, one per line, and the list `ALL` of them. The doc comment of a
/// code is also its meaning in the guide:
///
/// ```
/// gramercy_base::codes! {
///     /// The soup is cold.
///     COLD_SOUP, "cold-soup", Warning;
/// }
/// assert_eq!(ALL[0].meaning, "The soup is cold.");
/// ```
#[macro_export]
macro_rules! codes {
    ($($(#[doc = $doc:literal])* $constant:ident, $name:literal, $severity:ident;)*) => {
        $($(#[doc = $doc])*
        pub const $constant: $crate::Code = $crate::Code {
            name: $name,
            severity: $crate::Severity::$severity,
            meaning: concat!($($doc),*).trim_ascii(),
        };)*

        /// All codes of this module.
        pub const ALL: &[$crate::Code] = &[$($constant),*];
    };
}

/// A span with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The span.
    pub span: Span,
    /// What the user sees there; may be empty.
    pub text: String,
}

/// A message to a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of diagnostic.
    pub code: Code,
    /// The sentence, without a final period.
    pub message: String,
    /// Where in the source. The first label is the cause; the others explain.
    pub labels: Vec<Label>,
    /// Further facts, one sentence each.
    pub notes: Vec<String>,
    /// What the user can do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A diagnostic without a span.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), labels: Vec::new(), notes: Vec::new(), help: None }
    }

    /// A diagnostic at a span.
    #[must_use]
    pub fn at(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(code, message).label(span, "")
    }

    /// Adds a label.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Sets the help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The span of the first label, if there is one.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }

    /// The severity of its code.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.code.severity
    }

    /// Whether the input cannot be used.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }
}
