//! The diagnostics of yacc files only.

crate::codes::codes! {
    /// A `%` word is none that yacc, bison or Lrama know.
    UNKNOWN_DIRECTIVE, "unknown-directive", Error;
    /// A preprocessor line stands among declarations or rules, which yacc does not preprocess.
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
    /// `%empty` stands in an alternative that is not empty.
    NOT_EMPTY, "not-empty", Error;
    /// Something that may be said of an alternative once is said twice.
    SAID_TWICE, "said-twice", Error;
    /// The start rule is left without alternatives, because all of them need the `error` token.
    ONLY_ERROR_PRODUCTIONS, "only-error-productions", Error;
    /// A parameterized rule is used that is not defined.
    UNDEFINED_TEMPLATE, "undefined-template", Error;
    /// A parameterized rule is used with too many or too few arguments.
    WRONG_ARGUMENTS, "wrong-arguments", Error;
    /// A parameterized or inlined rule uses itself without end.
    ENDLESS_EXPANSION, "endless-expansion", Error;
    /// Two tokens have the same alias; in rules it stands for the first one.
    ALIAS_TWICE, "alias-twice", Warning;
    /// The token of a `%prec` is declared nowhere.
    UNDECLARED_PREC, "undeclared-prec", Warning;
    /// Commas stand between symbols, where they mean nothing.
    STRAY_COMMA, "stray-comma", Warning;
}
