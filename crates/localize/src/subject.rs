//! The grammar under suspicion, prepared for charts of tokens and of characters.

use gramercy_base::{Id, Map, Span, Table};
use gramercy_grammar::{
    Cfg, ExprId, ExprKind, Grammar, NonterminalId, Origin, ProductionId, RuleId, Symbol, TextKind,
};
use gramercy_language::Language;
use gramercy_parse::text::TextParserError;
use gramercy_parse::{NonterminalSource, ProductionSource, TextParser};

use crate::evidence::Site;
use crate::kinds::FirstKinds;
use crate::search::{Change, Explanation, Layer};
use crate::slots::{SlotId, Slots};
use crate::spellings::Spellings;

/// The grammar under suspicion.
#[derive(Debug)]
pub struct Subject<'l> {
    language: &'l Language,
    parser: &'l TextParser,
    slots: Slots,
    owners: Table<NonterminalId, Option<RuleId>>,
    bnf_owners: Table<NonterminalId, Option<RuleId>>,
    /// For each production of the BNF core, that of the parser's grammar.
    core_productions: Table<ProductionId, Option<ProductionId>>,
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
            TextKind::Lexed => {
                Some(Spellings::new(grammar, language.limits()).map_err(TextParserError::Limit)?)
            }
            TextKind::Scannerless | TextKind::TokensOnly => None,
        };
        let rules = rules_of_exprs(grammar);
        let core = parser.parser();
        let bnf_owners: Table<NonterminalId, Option<RuleId>> =
            language.bnf().nonterminals().map(|_, nonterminal| match nonterminal.origin {
                Origin::Rule(rule) => Some(rule),
                Origin::Group(expr) | Origin::Repeat(expr) => rules.get(&expr).copied(),
                Origin::Start => Some(grammar.start()),
            });
        let owner = |nonterminal| match core.nonterminal_source(nonterminal) {
            NonterminalSource::Bnf(id) => bnf_owners[id],
            NonterminalSource::Terminal(_) | NonterminalSource::Beginning(_) => None,
        };
        let owners = core.cfg().nonterminals().map(owner).collect();
        let alternatives = grammar.rules().map(|_, rule| match &grammar.expr(rule.body).kind {
            ExprKind::Alternation(branches) => gramercy_base::to_u32(branches.len()),
            _ => 1,
        });
        let slots = Slots::new(core.cfg().clone(), core.inputs());
        let kinds = FirstKinds::new(grammar, slots.cfg(), spellings.as_ref());
        let mut core_productions = Table::filled(None, language.bnf().production_count());
        for production in slots.cfg().productions() {
            if let ProductionSource::Bnf(id) = core.production_source(production) {
                core_productions[id] = Some(production);
            }
        }
        Ok(Self {
            language,
            parser,
            slots,
            owners,
            bnf_owners,
            core_productions,
            spellings,
            kinds,
            alternatives,
        })
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

    /// The rule that a production of the BNF core is written in.
    #[must_use]
    pub fn owner_in_bnf(&self, production: ProductionId) -> Option<RuleId> {
        self.bnf_owners[self.language.bnf().lhs(production)]
    }

    /// The slot after a number of symbols of a production of the BNF core.
    #[must_use]
    pub fn slot(&self, production: ProductionId, dot: usize) -> Option<SlotId> {
        let production = self.core_productions[production]?;
        let last = self.slots.last(production);
        Some(SlotId::from_index(self.slots.first(production).index() + dot).min(last))
    }

    /// The expression after a slot, or before it at the end of a production.
    #[must_use]
    pub fn expr(&self, layer: Layer, slot: SlotId) -> Option<ExprId> {
        match layer {
            Layer::Syntax => {
                let core = self.slots.production(slot);
                let ProductionSource::Bnf(production) =
                    self.parser.parser().production_source(core)
                else {
                    return None;
                };
                let nodes = self.language.bnf().nodes(production);
                let at = self.slots.dot(slot).min(nodes.len().checked_sub(1)?);
                nodes[at].map(|node| self.language.graph().expr(node))
            }
            Layer::Lexis => {
                let spellings = self.spellings.as_ref()?;
                let sources = spellings.sources(spellings.slots().production(slot));
                let at = spellings.slots().dot(slot).min(sources.len().checked_sub(1)?);
                Some(sources[at])
            }
        }
    }

    /// The place in the grammar's file of a change.
    #[must_use]
    pub fn span(&self, change: &Explanation) -> Option<Span> {
        if change.change == Change::Rematch {
            return None;
        }
        let expr = self.expr(change.layer, change.slot)?;
        let span = self.grammar().expr(expr).span;
        let body = self.grammar().expr(self.grammar().rules()[change.rule].body).span;
        // The change may belong to a rule that is referred to here.
        let is_inside =
            span.source == body.source && body.start <= span.start && span.end <= body.end;
        is_inside.then_some(span)
    }

    /// A change in words, for an input.
    #[must_use]
    pub fn describe(&self, change: &Explanation, input: &str) -> String {
        let (from, to) = change.inserted;
        let text = excerpt(&input[from..to.max(from)]);
        let next = self.expr(change.layer, change.slot).map(|expr| self.grammar().expr(expr).span);
        let next =
            next.map_or_else(String::new, |span| excerpt(self.grammar().sources().text(span)));
        match change.change {
            Change::Insert => format!("`{text}` is not allowed here"),
            Change::Skip => format!("`{next}` is missing in the input"),
            Change::Substitute => format!("`{text}` stands in the place of `{next}`"),
            Change::Transpose => format!("`{text}` is in another order"),
            Change::Alternative => format!("no alternative for `{text}`"),
            Change::Repeat => format!("`{next}` is not repeated"),
            Change::Widen => format!("`{text}` is not among the characters"),
            Change::Rematch => format!("should match `{text}`"),
        }
    }

    /// A site in words: the symbols of its production with a dot, or the name of its rule.
    #[must_use]
    pub fn describe_site(&self, site: Site) -> String {
        let name = &self.grammar().rules()[site.rule()].name;
        let Site::Item(_, layer, slot) = site else { return format!("`{name}`") };
        let slots = match (layer, &self.spellings) {
            (Layer::Lexis, Some(spellings)) => spellings.slots(),
            _ => &self.slots,
        };
        let (first, dot) = (slots.first(slots.production(slot)), slots.dot(slot));
        let len = slots.cfg().rhs(slots.production(slot)).len();
        let mut text = format!("`{name} →");
        for at in 0..=len {
            if at == dot {
                text += " •";
            }
            if at < len {
                let expr = self.expr(layer, SlotId::from_index(first.index() + at));
                let span = expr.map(|expr| self.grammar().expr(expr).span);
                text += " ";
                text +=
                    &span.map_or("…".into(), |span| excerpt(self.grammar().sources().text(span)));
            }
        }
        text + "`"
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

/// A text on one line, cut if it is long.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_empty() {
        words = text.escape_debug().to_string();
    }
    match words.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &words[..at]),
        None => words,
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
