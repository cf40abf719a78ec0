//! The diagnostic codes that several notations use. Codes of a single notation are in its own
//! folder.

pub(crate) use gramercy_base::codes;

codes! {
    /// The file cannot be read.
    UNREADABLE_FILE, "unreadable-file", Error;
    /// The file is not UTF-8 text.
    NOT_UTF8, "not-utf8", Error;
    /// The file is larger than the limit on a grammar file.
    FILE_TOO_LARGE, "file-too-large", Error;
    /// The file name does not determine the notation.
    UNKNOWN_NOTATION, "unknown-notation", Error;
    /// A token is where the notation does not allow it.
    SYNTAX, "syntax", Error;
    /// A literal, comment, action or the like has no end.
    UNTERMINATED, "unterminated", Error;
    /// An escape sequence does not exist in the notation.
    BAD_ESCAPE, "bad-escape", Error;
    /// Parentheses or the like are nested more deeply than the limit.
    NESTED_TOO_DEEPLY, "nested-too-deeply", Error;
    /// A name is used that no rule defines.
    UNDEFINED_RULE, "undefined-rule", Error;
    /// A name is defined twice.
    DUPLICATE_RULE, "duplicate-rule", Error;
    /// The file defines no rule from which a sentence could be derived.
    NO_RULES, "no-rules", Error;
    /// The requested start rule does not exist.
    UNKNOWN_START, "unknown-start", Error;
    /// Several rules could be the start rule.
    SEVERAL_STARTS, "several-starts", Error;
    /// A quantifier or number is out of its range.
    BAD_NUMBER, "bad-number", Error;
    /// A regular expression or character class is malformed.
    BAD_REGEX, "bad-regex", Error;
    /// Probabilities of alternatives are out of range or add up to more than one.
    BAD_PROBABILITY, "bad-probability", Error;
    /// A regular expression or character class matches nothing.
    EMPTY_REGEX, "empty-regex", Warning;
    /// A regular expression contains a construct that has no special meaning in this dialect.
    SUSPICIOUS_REGEX, "suspicious-regex", Warning;
    /// A precedence cannot be written in another notation.
    LOST_PRECEDENCE, "lost-precedence", Warning;
    /// A literal in a syntax rule is the text of several token rules.
    AMBIGUOUS_LITERAL, "ambiguous-literal", Error;
    /// A command of a token rule names a mode that does not exist.
    UNKNOWN_MODE, "unknown-mode", Error;
    /// A lexer was given for a grammar whose rules are about characters.
    LEXER_NOT_WANTED, "lexer-not-wanted", Error;
    /// The file that was given as a lexer has no token rules.
    EMPTY_LEXER, "empty-lexer", Error;
    /// No rule of the given lexer creates a token of the grammar.
    UNPAIRED_TOKEN, "unpaired-token", Warning;
    /// A rule of the given lexer creates a token that the grammar does not have.
    UNPAIRED_RULE, "unpaired-rule", Warning;
    /// The file has so many errors that the remaining ones are not reported.
    TOO_MANY_MISTAKES, "too-many-mistakes", Error;
}
