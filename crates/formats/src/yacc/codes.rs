//! The diagnostic codes of yacc files.

crate::codes::codes! {
    /// A `%` directive does not exist in yacc, bison or Lrama.
    UNKNOWN_DIRECTIVE, "unknown-directive", Error;
    /// A preprocessor line is among declarations or rules, which yacc does not preprocess.
    PREPROCESSOR_LINE, "preprocessor-line", Error;
    /// The file has no `%%` before its rules.
    MISSING_SECTION, "missing-section", Error;
    /// The file is a grammar for Lemon, whose notation is another one.
    LEMON_FILE, "lemon-file", Error;
    /// Something follows the end of input in an alternative, which then derives no sentence.
    AFTER_END, "after-end", Warning;
    /// A rule is given for a name that is declared as a token.
    RULE_FOR_TOKEN, "rule-for-token", Error;
    /// A token is given a precedence twice.
    PRECEDENCE_TWICE, "precedence-twice", Error;
    /// `%empty` is in an alternative that is not empty.
    NOT_EMPTY, "not-empty", Error;
    /// A directive that is allowed once per alternative is repeated.
    SAID_TWICE, "said-twice", Error;
    /// All alternatives of the start rule need the `error` token, so none remain.
    ONLY_ERROR_PRODUCTIONS, "only-error-productions", Error;
    /// A parameterized rule is used that is not defined.
    UNDEFINED_TEMPLATE, "undefined-template", Error;
    /// A parameterized rule is used with too many or too few arguments.
    WRONG_ARGUMENTS, "wrong-arguments", Error;
    /// A parameterized or inlined rule uses itself endlessly.
    ENDLESS_EXPANSION, "endless-expansion", Error;
    /// Two tokens have the same alias; in rules it means the first one.
    ALIAS_TWICE, "alias-twice", Warning;
    /// The token of a `%prec` is not declared.
    UNDECLARED_PREC, "undeclared-prec", Warning;
    /// Commas between symbols have no meaning.
    STRAY_COMMA, "stray-comma", Warning;
}
