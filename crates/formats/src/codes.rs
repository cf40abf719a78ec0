//! The diagnostics that all notations share. Codes of one notation only are in its own room.

pub(crate) use gramercy_base::codes;

codes! {
    /// The file cannot be read.
    UNREADABLE_FILE, "unreadable-file", Error;
    /// The file is not UTF-8 text.
    NOT_UTF8, "not-utf8", Error;
    /// The file is larger than the limit on a grammar file.
    FILE_TOO_LARGE, "file-too-large", Error;
    /// The notation cannot be told from the file's name.
    UNKNOWN_NOTATION, "unknown-notation", Error;
    /// Something stands where the notation does not allow it.
    SYNTAX, "syntax", Error;
    /// A literal, comment, action or the like has no end.
    UNTERMINATED, "unterminated", Error;
    /// An escape sequence is not one of the notation's.
    BAD_ESCAPE, "bad-escape", Error;
    /// Parentheses or the like are nested more deeply than the limit.
    NESTED_TOO_DEEPLY, "nested-too-deeply", Error;
    /// A name is used that no rule defines.
    UNDEFINED_RULE, "undefined-rule", Error;
    /// A name is defined twice.
    DUPLICATE_RULE, "duplicate-rule", Error;
    /// The file defines no rule from which a sentence could be derived.
    NO_RULES, "no-rules", Error;
    /// The start rule that was asked for does not exist.
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
    /// A regular expression holds something that looks special but is not in this dialect.
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
    /// No rule of the lexer that was given makes a token of the grammar.
    UNPAIRED_TOKEN, "unpaired-token", Warning;
    /// A rule of the lexer that was given makes a token that the grammar does not have.
    UNPAIRED_RULE, "unpaired-rule", Warning;
    /// The file has so many mistakes that the rest is not reported.
    TOO_MANY_MISTAKES, "too-many-mistakes", Error;
}
