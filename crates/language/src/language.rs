//! A grammar with its views, facts, automata, lexer and parser, each built once.

use std::sync::{Arc, OnceLock};

use gramercy_analysis::{Productive, Useful, Viable};
use gramercy_base::{Encoding, Fingerprint, IdSet, LimitReached, Limits, Table};
use gramercy_grammar::{
    Bnf, Grammar, GrammarGraph, NodeId, NonterminalId, Origin, RuleId, TerminalId, TextKind,
};
use gramercy_lexis::{Lexer, LexerError, WriteOptions, Writer};
use gramercy_lr::Construction;
use gramercy_parse::TextParser;
use gramercy_parse::text::TextParserError;

use crate::facts::{self, LanguageFacts};
use crate::lr_view::{LrView, Productions};

/// A grammar with everything that is derived from it. A clone shares all parts.
#[derive(Clone, Debug)]
pub struct Language {
    shared: Arc<Shared>,
    restricted: Arc<Restricted>,
    input_encoding: Encoding,
}

/// The parts that do not depend on the excluded terminals.
#[derive(Debug)]
struct Shared {
    grammar: Grammar,
    graph: GrammarGraph,
    bnf: Arc<Bnf>,
    limits: Limits,
    textless: OnceLock<IdSet<TerminalId>>,
    never_written: OnceLock<IdSet<TerminalId>>,
    rules_of_nodes: OnceLock<Table<NodeId, RuleId>>,
    lexer: OnceLock<Result<Option<Arc<Lexer>>, LexerError>>,
    parser: OnceLock<Result<TextParser, TextParserError>>,
}

/// The parts that depend on the excluded terminals.
#[derive(Debug, Default)]
struct Restricted {
    /// Terminals that must not occur, in addition to those that no text matches.
    excluded: Option<IdSet<TerminalId>>,
    facts: OnceLock<LanguageFacts>,
    whole: LrViews,
    useful: LrViews,
}

/// One automaton per construction.
type LrViews = [OnceLock<Result<LrView, LimitReached>>; Construction::ALL.len()];

impl Language {
    /// The language of a grammar. All parts are built within the limits.
    ///
    /// # Errors
    /// If the BNF core exceeds the limits.
    pub fn new(grammar: Grammar, limits: Limits) -> Result<Self, LimitReached> {
        let graph = grammar.graph();
        let bnf = Arc::new(grammar.bnf(&graph, &limits)?);
        let shared = Shared {
            grammar,
            graph,
            bnf,
            limits,
            textless: OnceLock::new(),
            never_written: OnceLock::new(),
            rules_of_nodes: OnceLock::new(),
            lexer: OnceLock::new(),
            parser: OnceLock::new(),
        };
        let (shared, restricted) = (Arc::new(shared), Arc::default());
        Ok(Self { shared, restricted, input_encoding: Encoding::UTF_8 })
    }

    /// The same, with files of inputs in another encoding than UTF-8.
    #[must_use]
    pub fn with_input_encoding(mut self, encoding: Encoding) -> Self {
        self.input_encoding = encoding;
        self
    }

    /// The encoding of files with inputs.
    #[must_use]
    pub fn input_encoding(&self) -> Encoding {
        self.input_encoding
    }

    /// The sentences of this language without any of these terminals. Grammar, views, lexer and
    /// parser stay the same; facts and automata are those of the smaller set of sentences.
    #[must_use]
    pub fn without(&self, terminals: &IdSet<TerminalId>) -> Self {
        let mut excluded = terminals.clone();
        if let Some(more) = &self.restricted.excluded {
            excluded.union_with(more.words());
        }
        let restricted = Restricted { excluded: Some(excluded), ..Restricted::default() };
        Self { shared: Arc::clone(&self.shared), restricted: Arc::new(restricted), ..*self }
    }

    /// Whether both values are clones of each other.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.restricted, &other.restricted)
    }

    /// The limits for all parts.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    /// The grammar.
    #[must_use]
    pub fn grammar(&self) -> &Grammar {
        &self.shared.grammar
    }

    /// The grammar graph.
    #[must_use]
    pub fn graph(&self) -> &GrammarGraph {
        &self.shared.graph
    }

    /// The BNF core.
    #[must_use]
    pub fn bnf(&self) -> &Bnf {
        &self.shared.bnf
    }

    /// The nonterminals and productions that derive some string.
    #[must_use]
    pub fn productive(&self) -> &Productive {
        &self.facts().productive
    }

    /// The symbols and productions that some sentence uses.
    #[must_use]
    pub fn useful(&self) -> &Useful {
        &self.facts().useful
    }

    /// The edges of the grammar graph that occur in some derivation tree.
    #[must_use]
    pub fn viable(&self) -> &Viable {
        &self.facts().viable
    }

    fn facts(&self) -> &LanguageFacts {
        self.restricted.facts.get_or_init(|| {
            let Shared { graph, bnf, .. } = &*self.shared;
            match &self.restricted.excluded {
                None => LanguageFacts::new(graph, bnf, self.textless()),
                Some(excluded) => {
                    let mut textless = self.textless().clone();
                    excluded.iter().for_each(|terminal| _ = textless.insert(terminal));
                    LanguageFacts::new(graph, bnf, &textless)
                }
            }
        })
    }

    /// The terminals that no text matches: empty classes and regexes. Terminals of lexical rules alone are not among
    /// them, but can be looked up.
    #[must_use]
    pub fn textless(&self) -> &IdSet<TerminalId> {
        let Shared { grammar, limits, textless, .. } = &*self.shared;
        textless.get_or_init(|| grammar.textless_terminals(limits))
    }

    /// The terminals of syntax rules that no text has, wherever they stand: those that no text matches, and tokens
    /// that the lexer never makes because other rules win. Not all of them where that is beyond the limits.
    #[must_use]
    pub fn never_written(&self) -> &IdSet<TerminalId> {
        self.shared.never_written.get_or_init(|| {
            let options = WriteOptions { limits: *self.limits(), ..WriteOptions::default() };
            match self.writer(&options) {
                Ok(mut writer) => writer.never_written(),
                Err(_) => self.textless().clone(),
            }
        })
    }

    /// The sentences of this language that have a text, as far as that is decided by
    /// [`never_written`](Self::never_written) tokens.
    #[must_use]
    pub fn written(&self) -> Self {
        match self.never_written().is_empty() {
            true => self.clone(),
            false => self.without(self.never_written()),
        }
    }

    /// The rule whose right-hand side contains a node of the graph.
    #[must_use]
    pub fn rule_of(&self, node: NodeId) -> RuleId {
        let Shared { grammar, graph, rules_of_nodes, .. } = &*self.shared;
        rules_of_nodes.get_or_init(|| facts::rules_of_nodes(grammar, graph))[node]
    }

    /// The name of a nonterminal for users: the name of its rule, or the text of the group it was
    /// made from.
    #[must_use]
    pub fn nonterminal_name(&self, id: NonterminalId) -> &str {
        let nonterminal = &self.bnf().nonterminals()[id];
        match nonterminal.origin {
            Origin::Rule(_) | Origin::Start => &nonterminal.name,
            Origin::Group(expr) | Origin::Repeat(expr) => {
                self.grammar().sources().text(self.grammar().expr(expr).span)
            }
        }
    }

    /// The automaton of the whole grammar, useless productions included.
    ///
    /// # Errors
    /// If it has more states than the limit.
    pub fn lr(&self, construction: Construction) -> Result<&LrView, LimitReached> {
        let built = self.restricted.whole[construction as usize].get_or_init(|| {
            let productions = Productions::Whole(Arc::clone(&self.shared.bnf));
            LrView::new(productions, self.productive(), construction, self.limits())
        });
        built.as_ref().map_err(|&limit| limit)
    }

    /// The automaton of the useful productions only: that of the whole grammar if all productions
    /// are useful.
    ///
    /// # Errors
    /// If it has more states than the limit.
    pub fn useful_lr(&self, construction: Construction) -> Result<&LrView, LimitReached> {
        let is_useful = |id| self.useful().has_production(id);
        if self.bnf().productions().all(is_useful) {
            return self.lr(construction);
        }
        let built = self.restricted.useful[construction as usize].get_or_init(|| {
            let cfg = self.bnf().without_productions(&|id| !is_useful(id));
            let productive = Productive::of(&cfg);
            let productions = Productions::Useful(Box::new(cfg));
            LrView::new(productions, &productive, construction, self.limits())
        });
        built.as_ref().map_err(|&limit| limit)
    }

    /// The lexer, if the grammar has lexical rules.
    ///
    /// # Errors
    /// If no lexer can be built from the lexical rules.
    pub fn lexer(&self) -> Result<Option<&Arc<Lexer>>, LexerError> {
        let Shared { grammar, limits, lexer, .. } = &*self.shared;
        let built = lexer.get_or_init(|| match grammar.text_kind() {
            TextKind::Lexed => Lexer::new(grammar, limits).map(|lexer| Some(Arc::new(lexer))),
            TextKind::Scannerless | TextKind::TokensOnly => Ok(None),
        });
        built.as_ref().map(Option::as_ref).map_err(Clone::clone)
    }

    /// The parser of texts.
    ///
    /// # Errors
    /// See [`TextParserError`].
    pub fn parser(&self) -> Result<&TextParser, TextParserError> {
        let Shared { grammar, bnf, limits, parser, .. } = &*self.shared;
        let built = parser.get_or_init(|| {
            let lexer = self.lexer().map_err(TextParserError::Lexer)?;
            TextParser::with_lexer(grammar, bnf, lexer.cloned(), limits)
        });
        built.as_ref().map_err(Clone::clone)
    }

    /// A writer that turns token strings into text.
    ///
    /// # Errors
    /// If no lexer can be built from the lexical rules.
    pub fn writer(&self, options: &WriteOptions) -> Result<Writer<'_>, LexerError> {
        Writer::with_lexer(self.grammar(), self.lexer()?.cloned(), options)
    }

    /// A fingerprint of everything that determines the language: its files and its start rule.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let grammar = self.grammar();
        let mut print = Fingerprint::default();
        print.add_text(&grammar.rules()[grammar.start()].name);
        grammar.sources().iter().for_each(|(_, source)| print.add_text(source.text()));
        format!("{:032x}", print.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    /// A lexed grammar has terminals that only its lexical rules use.
    #[test]
    fn every_terminal_can_be_asked_whether_it_has_a_text() {
        let lexer: String = (0..70).map(|at| format!("fragment F{at}: '{at}x';\n")).collect();
        let uses: Vec<String> = (0..70).map(|at| format!("F{at}")).collect();
        let text = format!("grammar G; s: A EOF; A: {};\n{lexer}", uses.join(" | "));
        let language = Language::from_text("G.g4", &text).expect("a grammar");
        let terminals = language.grammar().terminals();
        assert!(terminals.len() > language.bnf().terminal_count() + 64);
        assert!(terminals.ids().all(|terminal| !language.textless().contains(terminal)));
        let empty = Language::from_text("g.gram", "start S; S := \"a\" | [];");
        let empty = empty.expect("a grammar");
        assert_eq!(empty.textless().iter().count(), 1);
    }
}
