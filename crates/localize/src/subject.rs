//! The grammar under suspicion, prepared for charts of tokens and of characters.

use gramercy_base::{Map, Table};
use gramercy_grammar::{
    Cfg, ExprId, ExprKind, Grammar, NonterminalId, Origin, RuleId, Symbol, TextKind,
};
use gramercy_language::Language;
use gramercy_parse::text::TextParserError;
use gramercy_parse::{NonterminalSource, TextParser};

use crate::kinds::FirstKinds;
use crate::slots::{SlotId, Slots};
use crate::spellings::Spellings;

/// The grammar under suspicion.
#[derive(Debug)]
pub struct Subject<'l> {
    language: &'l Language,
    parser: &'l TextParser,
    slots: Slots,
    owners: Table<NonterminalId, Option<RuleId>>,
    spellings: Option<Spellings>,
    kinds: FirstKinds,
    /// The number of alternatives of each rule.
    alternatives: Table<RuleId, u32>,
}

impl<'l> Subject<'l> {
    /// Prepares a language.
    ///
    /// # Errors
    /// If the language has no parser, or an automaton grows beyond the limits.
    pub fn new(language: &'l Language) -> Result<Self, TextParserError> {
        let (grammar, parser) = (language.grammar(), language.parser()?);
        let spellings = match grammar.text_kind() {
            TextKind::Lexed => Some(
                Spellings::new(grammar, language.limits()).map_err(TextParserError::Limit)?,
            ),
            TextKind::Scannerless | TextKind::TokensOnly => None,
        };
        let rules = rules_of_exprs(grammar);
        let core = parser.parser();
        let owner = |nonterminal| match core.nonterminal_source(nonterminal) {
            NonterminalSource::Bnf(id) => match language.bnf().nonterminals()[id].origin {
                Origin::Rule(rule) => Some(rule),
                Origin::Group(expr) | Origin::Repeat(expr) => rules.get(&expr).copied(),
                Origin::Start => Some(grammar.start()),
            },
            NonterminalSource::Terminal(_) | NonterminalSource::Beginning(_) => None,
        };
        let owners = core.cfg().nonterminals().map(owner).collect();
        let alternatives = grammar.rules().map(|_, rule| match &grammar.expr(rule.body).kind {
            ExprKind::Alternation(branches) => gramercy_base::to_u32(branches.len()),
            _ => 1,
        });
        let slots = Slots::new(core.cfg().clone(), core.inputs());
        let kinds = FirstKinds::new(grammar, slots.cfg(), spellings.as_ref());
        Ok(Self { language, parser, slots, owners, spellings, kinds, alternatives })
    }

    /// The language.
    #[must_use]
    pub fn language(&self) -> &'l Language {
        self.language
    }

    /// The grammar.
    #[must_use]
    pub fn grammar(&self) -> &'l Grammar {
        self.language.grammar()
    }

    /// The parser.
    #[must_use]
    pub fn parser(&self) -> &'l TextParser {
        self.parser
    }

    /// The parser's grammar.
    #[must_use]
    pub fn slots(&self) -> &Slots {
        &self.slots
    }

    /// The start symbol of the parser's grammar.
    #[must_use]
    pub fn start(&self) -> NonterminalId {
        self.cfg().start()
    }

    /// The productions of the parser's grammar.
    #[must_use]
    pub fn cfg(&self) -> &Cfg {
        self.slots.cfg()
    }

    /// The lexical rules over characters.
    #[must_use]
    pub fn spellings(&self) -> Option<&Spellings> {
        self.spellings.as_ref()
    }

    /// The kinds of characters that symbols begin with.
    #[must_use]
    pub fn kinds(&self) -> &FirstKinds {
        &self.kinds
    }

    /// The rule that a slot is written in.
    #[must_use]
    pub fn owner(&self, slot: SlotId) -> Option<RuleId> {
        self.owners[self.cfg().lhs(self.slots.production(slot))]
    }

    /// The rule that a nonterminal is written in.
    #[must_use]
    pub fn owner_of(&self, nonterminal: NonterminalId) -> Option<RuleId> {
        self.owners[nonterminal]
    }

    /// The rule that a symbol refers to, if it is a reference to a rule of the parser.
    #[must_use]
    pub fn referenced(&self, symbol: Symbol) -> Option<RuleId> {
        let Symbol::Nonterminal(nonterminal) = symbol else { return None };
        match self.parser.parser().nonterminal_source(nonterminal) {
            NonterminalSource::Bnf(id) => match self.language.bnf().nonterminals()[id].origin {
                Origin::Rule(rule) => Some(rule),
                Origin::Group(_) | Origin::Repeat(_) | Origin::Start => None,
            },
            NonterminalSource::Terminal(_) | NonterminalSource::Beginning(_) => None,
        }
    }

    /// The number of alternatives of a rule.
    #[must_use]
    pub fn alternatives(&self, rule: RuleId) -> u32 {
        self.alternatives[rule]
    }
}

/// The rule that each expression is written in.
#[must_use]
pub fn rules_of_exprs(grammar: &Grammar) -> Map<ExprId, RuleId> {
    let mut rules = Map::default();
    for (id, rule) in grammar.rules().iter() {
        let mut stack = vec![rule.body];
        while let Some(expr) = stack.pop() {
            rules.insert(expr, id);
            match &grammar.expr(expr).kind {
                ExprKind::Alternation(branches) => stack.extend(branches.iter().map(|b| b.expr)),
                ExprKind::Sequence(parts) => stack.extend(parts),
                ExprKind::Repeat { body, .. } => stack.push(*body),
                ExprKind::Rule(_) | ExprKind::Terminal(_) | ExprKind::Commands(_) => {}
            }
        }
    }
    rules
}
