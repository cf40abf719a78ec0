//! The diagnostic codes of this notation, with the numbers of ANTLR's own messages.

crate::codes::codes! {
    /// An imported grammar is not next to the file that imports it (ANTLR 110).
    MISSING_IMPORT, "missing-import", Error;
    /// A grammar imports one of a kind that it cannot contain (ANTLR 111).
    BAD_IMPORT, "bad-import", Error;
    /// A grammar imports itself, directly or indirectly.
    IMPORT_CYCLE, "import-cycle", Warning;
    /// Options of an imported grammar are ignored (ANTLR 109).
    IMPORTED_OPTIONS, "imported-options", Warning;
    /// The grammar of `tokenVocab` does not exist, so tokens are only names (ANTLR 114).
    MISSING_VOCABULARY, "missing-vocabulary", Warning;
    /// A line of a file of token types is invalid (ANTLR 21).
    BAD_VOCABULARY, "bad-vocabulary", Warning;
    /// A lexer grammar defines tokens, not sentences.
    LEXER_ONLY, "lexer-only", Error;
    /// A section is not allowed at this position (ANTLR 120, 163, 164).
    MISPLACED_SECTION, "misplaced-section", Error;
    /// A section is repeated; the contents are joined (ANTLR 54).
    REPEATED_SECTION, "repeated-section", Warning;
    /// A section is written as in ANTLR 3 (ANTLR 202, 203, 204).
    OLD_SYNTAX, "old-syntax", Warning;
    /// The value of an option is invalid (ANTLR 84).
    BAD_OPTION, "bad-option", Warning;
    /// A parser rule is in a lexer grammar, or a lexer rule in a parser grammar (ANTLR 52, 53).
    MISPLACED_RULE, "misplaced-rule", Error;
    /// The name of a rule has another meaning (ANTLR 159).
    RESERVED_NAME, "reserved-name", Error;
    /// A parser rule uses a token that no lexer rule creates (ANTLR 125).
    IMPLICIT_TOKEN, "implicit-token", Warning;
    /// A literal of a parser grammar is not the text of any lexer rule (ANTLR 126).
    UNKNOWN_LITERAL, "unknown-literal", Error;
    /// The channel of a command does not exist (ANTLR 177).
    UNKNOWN_CHANNEL, "unknown-channel", Error;
    /// The token type of a command does not exist (ANTLR 175).
    UNKNOWN_TOKEN, "unknown-token", Error;
    /// A lexer command does not exist (ANTLR 149).
    UNKNOWN_COMMAND, "unknown-command", Error;
    /// A lexer command lacks its argument or has one too many (ANTLR 150, 151).
    COMMAND_ARGUMENT, "command-argument", Error;
    /// Commands work here, but ANTLR requires them at the end of a rule of one alternative (ANTLR
    /// 133).
    MISPLACED_COMMAND, "misplaced-command", Warning;
    /// Commands in fragments are never executed (ANTLR 158).
    COMMAND_IN_FRAGMENT, "command-in-fragment", Warning;
    /// An associativity is valid only at the beginning of an alternative (ANTLR 157).
    MISPLACED_ASSOCIATIVITY, "misplaced-associativity", Warning;
    /// Some alternatives of a rule have a label and others have none (ANTLR 122).
    PARTLY_LABELED, "partly-labeled", Warning;
    /// A mode has no rule that creates tokens (ANTLR 145).
    EMPTY_MODE, "empty-mode", Warning;
    /// A set of characters contains a rule (ANTLR 183).
    RULE_IN_SET, "rule-in-set", Error;
    /// A set or range has a literal that is not one character (ANTLR 144).
    LONG_LITERAL_IN_SET, "long-literal-in-set", Error;
    /// A literal, set or range is empty (ANTLR 174).
    EMPTY_SET, "empty-set", Error;
    /// A range of characters begins or ends with a property (ANTLR 182).
    PROPERTY_IN_RANGE, "property-in-range", Error;
    /// A range of characters is in a parser rule (ANTLR 181).
    RANGE_IN_PARSER, "range-in-parser", Error;
    /// A token rule matches the empty text, so the lexer would not advance (ANTLR 146).
    EMPTY_TOKEN, "empty-token", Warning;
    /// A lexer rule is left-recursive, directly or indirectly (ANTLR 119).
    LEXER_LEFT_RECURSION, "lexer-left-recursion", Error;
    /// Parser rules are left-recursive in a way that ANTLR rejects (ANTLR 119).
    MUTUAL_LEFT_RECURSION, "mutual-left-recursion", Warning;
    /// The body of a repetition can be empty, which ANTLR rejects (ANTLR 153).
    NULLABLE_LOOP, "nullable-loop", Warning;
}
