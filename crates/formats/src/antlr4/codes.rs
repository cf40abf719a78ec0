//! The diagnostics of this notation only, with the numbers of ANTLR's own messages.

crate::codes::codes! {
    /// An imported grammar is not beside the file that imports it (ANTLR 110).
    MISSING_IMPORT, "missing-import", Error;
    /// A grammar of one kind imports one of a kind that it cannot hold (ANTLR 111).
    BAD_IMPORT, "bad-import", Error;
    /// A grammar imports itself, perhaps by way of others.
    IMPORT_CYCLE, "import-cycle", Warning;
    /// Options of an imported grammar do not count (ANTLR 109).
    IMPORTED_OPTIONS, "imported-options", Warning;
    /// The grammar that `tokenVocab` names is not there, so that tokens are names only (ANTLR 114).
    MISSING_VOCABULARY, "missing-vocabulary", Warning;
    /// A file of token types has a line that is none (ANTLR 21).
    BAD_VOCABULARY, "bad-vocabulary", Warning;
    /// A lexer grammar describes tokens, not sentences.
    LEXER_ONLY, "lexer-only", Error;
    /// A section stands where it does not belong (ANTLR 120, 163, 164).
    MISPLACED_SECTION, "misplaced-section", Error;
    /// A section is written twice; what it says is joined (ANTLR 54).
    REPEATED_SECTION, "repeated-section", Warning;
    /// A section is written as in ANTLR 3 (ANTLR 202, 203, 204).
    OLD_SYNTAX, "old-syntax", Warning;
    /// An option has a value that is none of its values (ANTLR 84).
    BAD_OPTION, "bad-option", Warning;
    /// A parser rule stands in a lexer grammar, or a lexer rule in a parser grammar (ANTLR 52, 53).
    MISPLACED_RULE, "misplaced-rule", Error;
    /// A rule has a name that means something else (ANTLR 159).
    RESERVED_NAME, "reserved-name", Error;
    /// A parser rule uses a token that no lexer rule makes (ANTLR 125).
    IMPLICIT_TOKEN, "implicit-token", Warning;
    /// A literal of a parser grammar is not the text of any lexer rule (ANTLR 126).
    UNKNOWN_LITERAL, "unknown-literal", Error;
    /// A command names a channel that does not exist (ANTLR 177).
    UNKNOWN_CHANNEL, "unknown-channel", Error;
    /// A command names a token type that does not exist (ANTLR 175).
    UNKNOWN_TOKEN, "unknown-token", Error;
    /// A lexer command does not exist (ANTLR 149).
    UNKNOWN_COMMAND, "unknown-command", Error;
    /// A lexer command lacks its argument or has one too many (ANTLR 150, 151).
    COMMAND_ARGUMENT, "command-argument", Error;
    /// Commands count, but ANTLR wants them at the end of a rule of one alternative (ANTLR 133).
    MISPLACED_COMMAND, "misplaced-command", Warning;
    /// Commands in fragments are never carried out (ANTLR 158).
    COMMAND_IN_FRAGMENT, "command-in-fragment", Warning;
    /// An associativity counts only at the beginning of an alternative (ANTLR 157).
    MISPLACED_ASSOCIATIVITY, "misplaced-associativity", Warning;
    /// Some alternatives of a rule have a name and others have none (ANTLR 122).
    PARTLY_LABELED, "partly-labeled", Warning;
    /// A mode has no rule that makes tokens (ANTLR 145).
    EMPTY_MODE, "empty-mode", Warning;
    /// A rule is named in a set of characters (ANTLR 183).
    RULE_IN_SET, "rule-in-set", Error;
    /// A set or range has a literal that is not one character (ANTLR 144).
    LONG_LITERAL_IN_SET, "long-literal-in-set", Error;
    /// A literal, set or range holds nothing (ANTLR 174).
    EMPTY_SET, "empty-set", Error;
    /// A range of characters begins or ends with a property (ANTLR 182).
    PROPERTY_IN_RANGE, "property-in-range", Error;
    /// A range of characters stands in a parser rule (ANTLR 181).
    RANGE_IN_PARSER, "range-in-parser", Error;
    /// A token rule matches the empty text, on which a lexer would not advance (ANTLR 146).
    EMPTY_TOKEN, "empty-token", Warning;
    /// A lexer rule begins with itself, perhaps by way of others (ANTLR 119).
    LEXER_LEFT_RECURSION, "lexer-left-recursion", Error;
    /// Parser rules begin with each other in a way that ANTLR refuses (ANTLR 119).
    MUTUAL_LEFT_RECURSION, "mutual-left-recursion", Warning;
    /// A repetition has a body that can be empty, which ANTLR refuses (ANTLR 153).
    NULLABLE_LOOP, "nullable-loop", Warning;
}
