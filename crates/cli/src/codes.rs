//! The diagnostics that the command line itself speaks; those about grammars come from the library.

gramercy::base::codes! {
    /// A folder was given as the grammar, and it holds none, or more than one.
    NOT_ONE_GRAMMAR, "not-one-grammar", Error;
    /// An output file or the standard output cannot be written.
    UNWRITABLE, "unwritable", Error;
    /// The result is more than one file, and no folder was named for them.
    SEVERAL_FILES, "several-files", Error;
    /// Something grew beyond its limit.
    LIMIT_REACHED, "limit-reached", Error;
    /// Reading an input takes more memory or time than is allowed; whether it is in the language is not known.
    INPUT_LIMIT, "input-limit", Error;
    /// A transformation would leave nothing of the grammar.
    NOTHING_LEFT, "nothing-left", Error;
    /// No strategy makes suites for a criterion.
    NO_STRATEGY, "no-strategy", Error;
    /// The lexical rules of a grammar make no lexer.
    NO_LEXER, "no-lexer", Error;
    /// No sentence covers anything that a criterion wants covered.
    NOTHING_TO_COVER, "nothing-to-cover", Error;
    /// No sentence of the grammar is as short, as long or as shallow as requested.
    NO_SUCH_SIZE, "no-such-size", Error;
    /// Fewer different tests were found than requested.
    FEW_TESTS, "few-tests", Warning;
    /// A set is too large to be listed, so that its number is not told.
    NOT_COUNTED, "not-counted", Warning;
    /// A grammar is so ambiguous that words are seldom drawn: most trees share their word with many others.
    TOO_AMBIGUOUS, "too-ambiguous", Warning;
    /// A grammar is so ambiguous that words cannot be drawn: nearly no tree would be accepted.
    HOPELESS_WORDS, "hopeless-words", Error;
    /// A grammar has infinitely many trees of one size, because some rules derive themselves.
    CYCLIC_SIZES, "cyclic-sizes", Error;
    /// Texts of a terminal may have several lengths, so sizes in characters are not a matter of trees.
    NO_LENGTH, "no-length", Error;
    /// No tree of the requested size covers some elements.
    NOT_COVERABLE, "not-coverable", Warning;
    /// Ctrl-C ended a command before it was done; what is told is what was done until then.
    INTERRUPTED, "interrupted", Warning;
    /// An option, or a default of `gramercy.toml`, decides about nothing here.
    IDLE_OPTION, "idle-option", Warning;
    /// Some targets were not written: no text was found that the grammar's lexer reads as a test for
    /// them, they would have to follow the end of input, or a bound was in the way.
    UNWRITTEN, "unwritten", Warning;
    /// Names of tokens stand in for texts that the grammar does not say.
    PLACEHOLDERS, "placeholders", Warning;
    /// A rule is asked for that the grammar does not have.
    NO_SUCH_RULE, "no-such-rule", Error;
    /// Random tests reached the most tokens of a test, and were closed off there.
    CLOSED_OFF, "closed-off", Warning;
    /// Tests are in the language, and bison's parser rejects them because resolved conflicts lose sentences.
    REJECTED_BY_TOOL, "rejected-by-tool", Warning;
    /// Texts are given for a token that the grammar does not have.
    NO_SUCH_TOKEN, "no-such-token", Error;
    /// Texts of tokens cannot be read, are missing, or are not what their tokens look like.
    BAD_LEXEMES, "bad-lexemes", Error;
    /// A manifest cannot be read, or is about another grammar.
    BAD_MANIFEST, "bad-manifest", Error;
    /// The place for a suite holds something else.
    IN_THE_WAY, "in-the-way", Error;
    /// The file with the defaults, `gramercy.toml`, cannot be read or is not TOML.
    BAD_DEFAULTS, "bad-defaults", Error;
    /// A key of `gramercy.toml` names no option.
    UNKNOWN_OPTION, "unknown-option", Error;
    /// The value of a key of `gramercy.toml` is not one that the option takes.
    BAD_OPTION_VALUE, "bad-option-value", Error;
    /// An input is not in the language of the grammar.
    REJECTED, "rejected", Error;
    /// An input cannot be read.
    UNREADABLE_INPUT, "unreadable-input", Error;
    /// An input that a suite begins with, or that is compared with suites, is not in the language.
    GIVEN_REJECTED, "given-rejected", Warning;
    /// No negative test was found: nothing that was tried is outside the language.
    NOTHING_NEGATIVE, "nothing-negative", Warning;
    /// Less is covered than was asked for.
    COVERAGE_TOO_LOW, "coverage-too-low", Error;
    /// Something that the baseline covers is no longer covered.
    REGRESSION, "regression", Error;
    /// A part of the result has nothing in the baseline that it could be compared with.
    NOT_COMPARED, "not-compared", Warning;
    /// A list of exempt targets cannot be used.
    BAD_EXEMPTIONS, "bad-exemptions", Error;
    /// A list of exempt targets names one that the criterion does not have.
    UNKNOWN_EXEMPTION, "unknown-exemption", Warning;
    /// A file cannot be used as a baseline.
    BAD_BASELINE, "bad-baseline", Error;
    /// A campaign's database cannot be used.
    BAD_DATABASE, "bad-database", Error;
    /// The program under test cannot be started, or the machine refused what a campaign needs.
    CANNOT_RUN, "cannot-run", Error;
    /// Most tests ended alike before the program under test read anything.
    BROKEN_HARNESS, "broken-harness", Error;
    /// A campaign has no test.
    NO_TESTS, "no-tests", Error;
    /// A pattern is not a regular expression.
    BAD_PATTERN, "bad-pattern", Error;
    /// A part of the sandbox does nothing on this machine.
    SANDBOX_OPEN, "sandbox-open", Warning;
    /// A part of a campaign is missing, or did not come to its end.
    MISSING_SHARD, "missing-shard", Warning;
    /// What a program did on inputs cannot be read, or there is nothing to learn from.
    BAD_BEHAVIOUR, "bad-behaviour", Error;
    /// A file cannot be used as a model of the grammar.
    BAD_MODEL, "bad-model", Error;
    /// A model does not know a target.
    UNKNOWN_TARGET, "unknown-target", Error;
    /// An input or a coverage report is left out of what is learned from.
    LEFT_OUT, "left-out", Warning;
    /// Failing tests point at this rule.
    SUSPECT, "suspect", Note;
    /// No input was given that fails, or none of them can be read.
    NO_FAILING_INPUT, "no-failing-input", Error;
    /// An input was given as failing, and the grammar treats it as it should.
    DOES_NOT_FAIL, "does-not-fail", Warning;
    /// Too few inputs tell a target apart.
    FEW_SAMPLES, "few-samples", Warning;
    /// The work for a tree did not suffice to prove that it is optimal.
    NOT_OPTIMAL, "not-optimal", Warning;
    /// No input is predicted to reach a target.
    UNREACHED, "unreached", Warning;
    /// The input of a reduction is not interesting itself, so nothing can be made smaller.
    NOT_INTERESTING, "not-interesting", Error;
    /// A text was interesting once, and then not.
    FLAKY_CONDITION, "flaky-condition", Warning;
    /// The state of a reduction cannot be used.
    BAD_STATE, "bad-state", Error;
    /// A campaign has no group of this number.
    NO_SUCH_GROUP, "no-such-group", Error;
}
