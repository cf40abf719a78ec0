//! Reading text: the lexer and the parser of one grammar together.
//!
//! With lexical rules, text is cut into tokens and the tokens are parsed; a scannerless grammar
//! reads characters; for a grammar of tokens only, an input is names or aliases of tokens separated
//! by white space (of several that fit, the longest). Whatever the kind, the first error is the one furthest to the left: a token that
//! cannot come, or a place at which there is no token.

use std::sync::Arc;

use gramercy_base::{IdSet, LimitReached, Limits};
use gramercy_grammar::{Bnf, Grammar, ProductionId, RuleId, TerminalId, TextKind};
use gramercy_lexis::{Dfa, Lexer, LexerError, LexicalError, Match, Scan, TokenNames};

use crate::budget::{Budget, InputLimit, InputLimits};
use crate::derivations::Derivations;
use crate::forest::Forest;
use crate::parser::{Parser, Rejection, Workspace};
use crate::preferred::Preferences;
use crate::tables::InputId;
use crate::tool::{ToolParser, ToolWorkspace};

/// Everything that is needed to read the text of one grammar, frozen.
#[derive(Clone, Debug)]
pub struct TextParser {
    parser: Parser,
    preferences: Preferences,
    tool: Option<ToolParser>,
    kind: Kind,
    lexer_states: usize,
    input_limits: InputLimits,
}

#[derive(Clone, Debug)]
enum Kind {
    Lexed(Arc<Lexer>),
    Scannerless,
    TokensOnly(TokenNames),
}

/// Automata and tables that grow while they are used. They belong to one [`TextParser`].
#[derive(Clone, Debug)]
pub struct TextWorkspace {
    pub(crate) parsing: Workspace,
    pub(crate) lexing: Option<Dfa>,
    /// Made when it is first needed.
    tool: Option<ToolWorkspace>,
    inputs: Vec<InputId>,
    /// Memory for the tokens of the next text.
    tokens: Vec<TokenSpan>,
}

/// Bytes of a tree for each of its productions.
const BYTES_PER_NODE: usize = 96;

impl TextWorkspace {
    /// Sets limits for each text from now on.
    pub fn set_limits(&mut self, limits: InputLimits) {
        self.parsing.limits = limits;
    }

    /// Takes back what nobody needs any more: the next text is read into its memory, which is faster
    /// than new memory.
    pub fn recycle(&mut self, parsed: Parsed) {
        self.tokens = parsed.tokens;
        self.parsing.recycle(parsed.forest);
    }
}

/// A token as the parser sees it; in a scannerless grammar, a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenSpan {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The token's type; a character has none.
    pub terminal: Option<TerminalId>,
}

/// A match of the lexer, whatever became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleMatch {
    /// The token rule that matched.
    pub rule: RuleId,
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A text that was accepted.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// What the forest's token numbers stand for.
    pub tokens: Vec<TokenSpan>,
    /// All derivations.
    pub forest: Forest,
}

/// A text that was accepted, with the tree that its grammar prefers.
#[derive(Clone, Debug)]
pub struct PreferredTree {
    /// What the tree's token numbers stand for.
    pub tokens: Vec<TokenSpan>,
    /// The tree: every node is derived in one way.
    pub tree: Derivations,
}

/// Why a text is not in the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextRejection {
    /// What is wrong.
    pub class: ErrorClass,
    /// The number of the first token that cannot come, or cannot be made.
    pub token: usize,
    /// Where that token begins; at the end, the text's length.
    pub byte: usize,
    /// The terminals that could have come there.
    pub expected: IdSet<TerminalId>,
    /// Whether the text could have ended there.
    pub end_expected: bool,
}

impl TextRejection {
    /// A text about which nothing is known, because a limit was reached.
    #[must_use]
    pub fn at_limit(limit: InputLimit, text: &str) -> Self {
        let (byte, expected) = (text.len(), IdSet::new(0));
        Self { class: ErrorClass::Limit(limit), token: 0, byte, expected, end_expected: false }
    }
}

/// The classes of errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// A token that cannot come here.
    Token(Option<TerminalId>),
    /// The text ends too early.
    End,
    /// No token can be made here.
    Lexical(LexicalError),
    /// There is no token of this name.
    UnknownToken,
    /// A limit was reached here; whether the text is in the language is not known.
    Limit(InputLimit),
}

/// Why there is no parser for a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextParserError {
    /// The lexical rules make no lexer.
    Lexer(LexerError),
    /// A bound was reached.
    Limit(LimitReached),
}

impl TextParser {
    /// The reader of a grammar's text.
    ///
    /// # Errors
    /// See [`TextParserError`].
    pub fn new(grammar: &Grammar, bnf: &Bnf, limits: &Limits) -> Result<Self, TextParserError> {
        let lexer = match grammar.text_kind() {
            TextKind::Lexed => {
                Some(Arc::new(Lexer::new(grammar, limits).map_err(TextParserError::Lexer)?))
            }
            TextKind::Scannerless | TextKind::TokensOnly => None,
        };
        Self::with_lexer(grammar, bnf, lexer, limits)
    }

    /// The reader of a grammar's text, whose lexer is at hand, where it has lexical rules.
    ///
    /// # Errors
    /// See [`TextParserError`].
    pub fn with_lexer(
        grammar: &Grammar,
        bnf: &Bnf,
        lexer: Option<Arc<Lexer>>,
        limits: &Limits,
    ) -> Result<Self, TextParserError> {
        let kind = match grammar.text_kind() {
            TextKind::Scannerless => Kind::Scannerless,
            TextKind::TokensOnly => Kind::TokensOnly(TokenNames::new(grammar)),
            TextKind::Lexed => {
                Kind::Lexed(lexer.ok_or(TextParserError::Lexer(LexerError::NoLexicalRules))?)
            }
        };
        let parser = Parser::new(grammar, bnf, limits).map_err(TextParserError::Limit)?;
        let tool = ToolParser::new(grammar, bnf, &parser);
        let preferences = Preferences::of(grammar, bnf);
        let input_limits = InputLimits { memory: limits.input_memory, time: limits.input_time };
        Ok(Self { parser, preferences, tool, kind, lexer_states: limits.states, input_limits })
    }

    /// The parser of token types or characters.
    #[must_use]
    pub fn parser(&self) -> &Parser {
        &self.parser
    }

    /// What chooses one tree of a forest.
    #[must_use]
    pub fn preferences(&self) -> &Preferences {
        &self.preferences
    }

    /// The parser of the notation's own tool, if there is one.
    #[must_use]
    pub fn tool(&self) -> Option<&ToolParser> {
        self.tool.as_ref()
    }

    /// The lexer, if the grammar has lexical rules.
    #[must_use]
    pub fn lexer(&self) -> Option<&Lexer> {
        match &self.kind {
            Kind::Lexed(lexer) => Some(lexer),
            Kind::Scannerless | Kind::TokensOnly(_) => None,
        }
    }

    /// Whether inputs are names of tokens.
    #[must_use]
    pub fn is_tokens_only(&self) -> bool {
        matches!(self.kind, Kind::TokensOnly(_))
    }

    /// Empty automata and tables. Texts have the limits that the parser was made with.
    #[must_use]
    pub fn workspace(&self) -> TextWorkspace {
        let mut parsing = self.parser.workspace();
        parsing.limits = self.input_limits;
        TextWorkspace {
            parsing,
            lexing: self.lexer().map(|lexer| Dfa::new(lexer, self.lexer_states)),
            tool: None,
            inputs: Vec::new(),
            tokens: Vec::new(),
        }
    }

    /// Whether a text is in the language.
    ///
    /// # Errors
    /// Where and why it is not.
    pub fn recognize(
        &self,
        workspace: &mut TextWorkspace,
        text: &str,
    ) -> Result<(), Box<TextRejection>> {
        self.run(workspace, text, Parser::recognize, |_| ())
    }

    /// All derivations of a text.
    ///
    /// # Errors
    /// Where and why it is not in the language.
    pub fn parse(
        &self,
        workspace: &mut TextWorkspace,
        text: &str,
    ) -> Result<Parsed, Box<TextRejection>> {
        let mut tokens = std::mem::take(&mut workspace.tokens);
        tokens.clear();
        let forest = self.run(workspace, text, Parser::parse, |token| tokens.push(token))?;
        Ok(Parsed { tokens, forest })
    }

    /// The tree of a text that the grammar prefers: the one that the notation's own tool builds, in linear time. Where the
    /// tool rejects the text though it is in the language, or there is no tool, the tree is chosen from all derivations.
    ///
    /// # Errors
    /// Where and why it is not in the language.
    pub fn preferred(
        &self,
        workspace: &mut TextWorkspace,
        text: &str,
    ) -> Result<PreferredTree, Box<TextRejection>> {
        let mut tokens = std::mem::take(&mut workspace.tokens);
        tokens.clear();
        let stopped = self.tokenize(workspace, text, |token| tokens.push(token));
        if stopped.is_some() {
            let rejection = self.parser.reject_at_end(&mut workspace.parsing, &workspace.inputs);
            return Err(Box::new(self.explain(workspace, text, rejection, stopped)));
        }
        let mut budget = Budget::new(&workspace.parsing.limits);
        let built = self.preferred_of_tokens(workspace, &mut budget);
        let tree = built.map_err(|rejection| self.explain(workspace, text, rejection, None))?;
        Ok(PreferredTree { tokens, tree })
    }

    /// The preferred tree of the tokens in the workspace.
    fn preferred_of_tokens(
        &self,
        workspace: &mut TextWorkspace,
        budget: &mut Budget,
    ) -> Result<Derivations, Rejection> {
        let len = workspace.inputs.len();
        if let Some(productions) = self.by_tool(workspace, budget) {
            let nodes = productions.len().saturating_mul(BYTES_PER_NODE);
            return match budget.check(nodes) {
                Err(limit) => Err(self.parser.reached(limit, len)),
                _ => Ok(Derivations::of_postorder(&self.parser, productions, len)),
            };
        }
        if let Some(limit) = budget.stop() {
            return Err(self.parser.reached(limit, len));
        }
        let TextWorkspace { parsing, inputs, .. } = workspace;
        if self.tool.is_some() {
            // What the tool rejects is mostly wrong, and that is known without a forest.
            self.parser.recognize_within(parsing, inputs, budget)?;
        }
        let forest = self.parser.parse_within(parsing, inputs, budget)?;
        let derivations = Derivations::of_forest(&self.parser, &forest);
        drop(forest);
        match self.preferences.pick_within(&derivations, budget) {
            Ok(tree) => Ok(tree),
            Err(limit) => Err(self.parser.reached(limit, len)),
        }
    }

    /// Whether a text is in the language: if the notation's own tool accepts it, it is, and else the exact parser decides.
    ///
    /// # Errors
    /// Where and why it is not in the language.
    pub fn recognize_as_tool(
        &self,
        workspace: &mut TextWorkspace,
        text: &str,
    ) -> Result<Vec<TokenSpan>, Box<TextRejection>> {
        let mut tokens = Vec::new();
        let stopped = self.tokenize(workspace, text, |token| tokens.push(token));
        if stopped.is_some() {
            let rejection = self.parser.reject_at_end(&mut workspace.parsing, &workspace.inputs);
            return Err(Box::new(self.explain(workspace, text, rejection, stopped)));
        }
        let mut budget = Budget::new(&workspace.parsing.limits);
        let recognized = self.recognize_tokens(workspace, &mut budget);
        match recognized {
            Ok(()) => Ok(tokens),
            Err(rejection) => Err(Box::new(self.explain(workspace, text, rejection, None))),
        }
    }

    /// Whether the tokens in the workspace are a sentence.
    fn recognize_tokens(
        &self,
        workspace: &mut TextWorkspace,
        budget: &mut Budget,
    ) -> Result<(), Rejection> {
        if self.by_tool(workspace, budget).is_some() {
            return Ok(());
        }
        let TextWorkspace { parsing, inputs, .. } = workspace;
        if let Some(limit) = budget.stop() {
            return Err(self.parser.reached(limit, inputs.len()));
        }
        self.parser.recognize_within(parsing, inputs, budget)
    }

    /// Whether the notation's own tool accepts a text. Without a tool nothing is known.
    #[must_use]
    pub fn is_accepted_by_tool(&self, workspace: &mut TextWorkspace, text: &str) -> Option<bool> {
        self.tool.as_ref()?;
        let stopped = self.tokenize(workspace, text, |_| ());
        let mut budget = Budget::new(&workspace.parsing.limits);
        Some(stopped.is_none() && self.by_tool(workspace, &mut budget).is_some())
    }

    /// Whether the notation's own tool may reject sentences of the grammar.
    #[must_use]
    pub fn tool_may_lose_sentences(&self) -> bool {
        self.tool.as_ref().is_some_and(|tool| tool.may_lose_sentences(&self.parser))
    }

    /// Whether the notation's own tool accepts these tokens. Without a tool nothing is known.
    #[must_use]
    pub fn are_accepted_by_tool(
        &self,
        workspace: &mut TextWorkspace,
        tokens: &[TerminalId],
    ) -> Option<bool> {
        self.tool.as_ref()?;
        workspace.inputs.clear();
        workspace.inputs.extend(tokens.iter().map(|&token| self.parser.input_of_token(token)));
        let mut budget = Budget::new(&workspace.parsing.limits);
        Some(self.by_tool(workspace, &mut budget).is_some())
    }

    /// The tree that the notation's own tool builds of the tokens in the workspace, in postorder; `None` if it builds none.
    fn by_tool<'w>(
        &self,
        workspace: &'w mut TextWorkspace,
        budget: &mut Budget,
    ) -> Option<&'w [ProductionId]> {
        let tool = self.tool.as_ref()?;
        let TextWorkspace { inputs, tool: memory, .. } = workspace;
        let memory = memory.get_or_insert_with(|| tool.workspace(&self.parser));
        tool.parse(&self.parser, memory, inputs, budget)
    }

    /// All derivations of a text, where nobody asks which text a token is.
    ///
    /// # Errors
    /// Where and why it is not in the language.
    pub fn forest(
        &self,
        workspace: &mut TextWorkspace,
        text: &str,
    ) -> Result<Forest, Box<TextRejection>> {
        self.run(workspace, text, Parser::parse, |_| ())
    }

    /// The tokens of a text, as far as they can be made, and why not further.
    #[must_use]
    pub fn tokens(
        &self,
        workspace: &mut TextWorkspace,
        text: &str,
    ) -> (Vec<TokenSpan>, Option<(usize, ErrorClass)>) {
        let mut tokens = Vec::new();
        let stopped = self.tokenize(workspace, text, |token| tokens.push(token));
        (tokens, stopped)
    }

    /// What the lexer matches in a text, hidden and skipped matches included, as far as it comes.
    /// Grammars without a lexer match nothing.
    #[must_use]
    pub fn matches(&self, workspace: &mut TextWorkspace, text: &str) -> Vec<RuleMatch> {
        let (Kind::Lexed(lexer), Some(dfa)) = (&self.kind, &mut workspace.lexing) else {
            return Vec::new();
        };
        let mut scan = Scan::new(lexer, dfa, text);
        let mut found = Vec::new();
        while let Ok(Some(matched)) = scan.next_match() {
            found.push(matched);
        }
        let of = |Match { start, end, outcome }| RuleMatch {
            rule: dfa.outcome(outcome).rule,
            start,
            end,
        };
        found.into_iter().map(of).collect()
    }

    fn run<T>(
        &self,
        workspace: &mut TextWorkspace,
        text: &str,
        parse: impl Fn(&Parser, &mut Workspace, &[InputId]) -> Result<T, Rejection>,
        mut see: impl FnMut(TokenSpan),
    ) -> Result<T, Box<TextRejection>> {
        let stopped = self.tokenize(workspace, text, &mut see);
        let TextWorkspace { parsing, inputs, .. } = workspace;
        let rejection = match stopped {
            None => match parse(&self.parser, parsing, inputs) {
                Ok(value) => return Ok(value),
                Err(rejection) => rejection,
            },
            Some(_) => self.parser.reject_at_end(parsing, inputs),
        };
        Err(Box::new(self.explain(workspace, text, rejection, stopped)))
    }

    /// Says where a rejection is in the text.
    fn explain(
        &self,
        workspace: &mut TextWorkspace,
        text: &str,
        rejection: Rejection,
        stopped: Option<(usize, ErrorClass)>,
    ) -> TextRejection {
        let Rejection { at: token, expected, end_expected, limit } = rejection;
        let (byte, class) = match stopped {
            _ if limit.is_some() => {
                let span = self.tokens(workspace, text).0.get(token).copied();
                let byte = span.map_or(text.len(), |span| span.start as usize);
                (byte, ErrorClass::Limit(limit.expect("invariant: one was reached")))
            }
            Some(stopped) if token == workspace.inputs.len() => stopped,
            None if token == workspace.inputs.len() => (text.len(), ErrorClass::End),
            _ => {
                let span = self.tokens(workspace, text).0[token];
                (span.start as usize, ErrorClass::Token(span.terminal))
            }
        };
        TextRejection { class, token, byte, expected, end_expected }
    }

    /// Cuts a text into input symbols; where that stops, says why.
    fn tokenize(
        &self,
        workspace: &mut TextWorkspace,
        text: &str,
        mut see: impl FnMut(TokenSpan),
    ) -> Option<(usize, ErrorClass)> {
        let TextWorkspace { lexing, inputs, .. } = workspace;
        inputs.clear();
        let fit = |n: usize| u32::try_from(n).expect("invariant: texts are under 4 GiB");
        match &self.kind {
            Kind::Lexed(lexer) => {
                let dfa = lexing.as_mut().expect("invariant: a lexed grammar has its automaton");
                let mut scan = Scan::new(lexer, dfa, text);
                loop {
                    match scan.next_visible() {
                        Ok(Some(token)) => {
                            inputs.push(self.parser.input_of_token(token.terminal));
                            let (start, end) = (fit(token.start), fit(token.end));
                            see(TokenSpan { start, end, terminal: Some(token.terminal) });
                        }
                        Ok(None) => return None,
                        Err(error) => {
                            let byte = error.byte().unwrap_or(scan.offset());
                            return Some((byte, ErrorClass::Lexical(error)));
                        }
                    }
                }
            }
            Kind::Scannerless => {
                for (start, c) in text.char_indices() {
                    inputs.push(self.parser.input_of_char(c));
                    let (start, end) = (fit(start), fit(start + c.len_utf8()));
                    see(TokenSpan { start, end, terminal: None });
                }
                None
            }
            Kind::TokensOnly(names) => {
                let mut at = 0;
                while let Some((start, word)) = names.next(text, at) {
                    let Some((token, len)) = word else {
                        return Some((start, ErrorClass::UnknownToken));
                    };
                    inputs.push(self.parser.input_of_token(token));
                    at = start + len;
                    see(TokenSpan { start: fit(start), end: fit(at), terminal: Some(token) });
                }
                None
            }
        }
    }
}
