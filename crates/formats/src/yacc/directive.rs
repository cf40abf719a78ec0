//! The `%` directives of yacc, bison and Lrama, with their arguments.

use gramercy_grammar::Associativity;

/// The meaning of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Directive {
    /// Declares tokens.
    Token,
    /// Declares nonterminals.
    Nonterminal,
    /// Declares the type of symbols.
    Type,
    /// Declares tokens of one precedence level.
    Precedence(Associativity),
    /// Declares the start rule.
    Start,
    /// Defines a parameterized rule (Lrama).
    Rule,
    /// Declares that a parameterized rule replaces its uses (Lrama).
    Inline,
    /// The token whose precedence an alternative has.
    Prec,
    /// The rank of an alternative among several readings.
    DynamicPrec,
    /// How several readings of an alternative are merged.
    Merge,
    /// Marks an empty alternative.
    Empty,
    /// The number of conflicts, of the file or of an alternative.
    Expect,
    /// No effect on the grammar.
    Other(Arguments),
}

/// The arguments of a directive without an effect on the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arguments {
    /// None.
    None,
    /// An optional string.
    OptionalText,
    /// An optional string, possibly after `=`.
    Text,
    /// Code in braces.
    Code,
    /// One or more blocks of code in braces.
    Codes,
    /// An optional name, then code in braces.
    NamedCode,
    /// Code in braces, then symbols and tags.
    CodeAndSymbols,
    /// A name, then optionally a name, number, string or code.
    Definition,
    /// A name.
    Name,
}

/// The directives with their meaning. Those of one character are from the first yacc.
const DIRECTIVES: &[(&str, Directive)] = &[
    ("token", Directive::Token),
    ("term", Directive::Token),
    ("0", Directive::Token),
    ("nterm", Directive::Nonterminal),
    ("type", Directive::Type),
    ("left", Directive::Precedence(Associativity::Left)),
    ("<", Directive::Precedence(Associativity::Left)),
    ("right", Directive::Precedence(Associativity::Right)),
    (">", Directive::Precedence(Associativity::Right)),
    ("nonassoc", Directive::Precedence(Associativity::Never)),
    ("binary", Directive::Precedence(Associativity::Never)),
    ("2", Directive::Precedence(Associativity::Never)),
    ("precedence", Directive::Precedence(Associativity::Undeclared)),
    ("start", Directive::Start),
    ("rule", Directive::Rule),
    ("inline", Directive::Inline),
    ("prec", Directive::Prec),
    ("=", Directive::Prec),
    ("dprec", Directive::DynamicPrec),
    ("merge", Directive::Merge),
    ("empty", Directive::Empty),
    ("expect", Directive::Expect),
    ("expect-rr", Directive::Expect),
    ("union", Directive::Other(Arguments::NamedCode)),
    ("code", Directive::Other(Arguments::NamedCode)),
    ("initial-action", Directive::Other(Arguments::Code)),
    ("param", Directive::Other(Arguments::Codes)),
    ("parse-param", Directive::Other(Arguments::Codes)),
    ("lex-param", Directive::Other(Arguments::Codes)),
    ("destructor", Directive::Other(Arguments::CodeAndSymbols)),
    ("printer", Directive::Other(Arguments::CodeAndSymbols)),
    ("error-token", Directive::Other(Arguments::CodeAndSymbols)),
    ("define", Directive::Other(Arguments::Definition)),
    ("language", Directive::Other(Arguments::Text)),
    ("skeleton", Directive::Other(Arguments::Text)),
    ("require", Directive::Other(Arguments::Text)),
    ("output", Directive::Other(Arguments::Text)),
    ("file-prefix", Directive::Other(Arguments::Text)),
    ("name-prefix", Directive::Other(Arguments::Text)),
    ("ident", Directive::Other(Arguments::Text)),
    ("defines", Directive::Other(Arguments::OptionalText)),
    ("header", Directive::Other(Arguments::OptionalText)),
    ("feature", Directive::Other(Arguments::Definition)),
    ("after-shift", Directive::Other(Arguments::Name)),
    ("before-reduce", Directive::Other(Arguments::Name)),
    ("after-reduce", Directive::Other(Arguments::Name)),
    ("after-shift-error-token", Directive::Other(Arguments::Name)),
    ("after-pop-stack", Directive::Other(Arguments::Name)),
    ("debug", Directive::Other(Arguments::None)),
    ("default-prec", Directive::Other(Arguments::None)),
    ("no-default-prec", Directive::Other(Arguments::None)),
    ("error-verbose", Directive::Other(Arguments::None)),
    ("fixed-output-files", Directive::Other(Arguments::None)),
    ("glr-parser", Directive::Other(Arguments::None)),
    ("nondeterministic-parser", Directive::Other(Arguments::None)),
    ("locations", Directive::Other(Arguments::None)),
    ("no-lines", Directive::Other(Arguments::None)),
    ("no-stdlib", Directive::Other(Arguments::None)),
    ("pure-parser", Directive::Other(Arguments::None)),
    ("token-table", Directive::Other(Arguments::None)),
    ("verbose", Directive::Other(Arguments::None)),
    ("yacc", Directive::Other(Arguments::None)),
];

impl Directive {
    /// The meaning of a directive; older files have `_` instead of `-`.
    pub(crate) fn of(word: &str) -> Option<Self> {
        let same = |known: &str| {
            let known = known.bytes();
            known.eq(word.bytes().map(|byte| if byte == b'_' { b'-' } else { byte }))
        };
        DIRECTIVES.iter().find(|(known, _)| same(known)).map(|&(_, directive)| directive)
    }

    /// All directives.
    pub(crate) fn words() -> impl Iterator<Item = &'static str> {
        DIRECTIVES.iter().map(|&(word, _)| word)
    }

    /// Whether it is allowed in an alternative.
    pub(crate) fn is_of_alternative(self) -> bool {
        matches!(
            self,
            Directive::Prec
                | Directive::DynamicPrec
                | Directive::Merge
                | Directive::Empty
                | Directive::Expect
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Arguments, Directive};

    #[test]
    fn words_are_known_in_both_spellings() {
        let check = |word, expected| assert_eq!(Directive::of(word), expected, "{word}");
        check("token", Some(Directive::Token));
        check("pure_parser", Some(Directive::Other(Arguments::None)));
        check("pure-parser", Some(Directive::Other(Arguments::None)));
        check("expect_rr", Some(Directive::Expect));
        check("tokens", None);
        check("", None);
    }

    #[test]
    fn no_word_is_listed_twice() {
        let mut words: Vec<_> = Directive::words().collect();
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count);
    }
}
