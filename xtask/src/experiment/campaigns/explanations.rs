//! Why grammars and programs disagree: the explanations of the experiment with campaigns.

/// Who is to blame for a disagreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blame {
    /// The grammar says something else than the language's definition.
    Grammar,
    /// The program departs from the language's definition.
    Program,
    /// The program was called, or its answer understood, in another way than the grammar means.
    Harness,
}

/// An explanation of groups of findings.
pub(super) struct Explanation {
    pub(super) language: &'static str,
    /// The program; empty for all of the language.
    pub(super) program: &'static str,
    /// Texts that all stand in the verdict, message, reason or smallest test of the group.
    pub(super) signs: &'static [&'static str],
    pub(super) blame: Blame,
    pub(super) why: &'static str,
}

const fn because(
    language: &'static str,
    program: &'static str,
    signs: &'static [&'static str],
    blame: Blame,
    why: &'static str,
) -> Explanation {
    Explanation { language, program, signs, blame, why }
}

/// The explanations; the first that fits a group counts.
pub(super) const EXPLAINED: &[Explanation] = &[];
