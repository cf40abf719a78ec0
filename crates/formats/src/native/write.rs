//! Writes any grammar in the native notation. Reading it back gives the same productions, lexical
//! rules, labels, probabilities and precedence, in the same order and with the same names. Parts
//! that a reader ignored are not written; comments mention those that affect the language.
//!
//! Linear in the grammar.

use gramercy_base::{Id, IndexMap, Span, Table};
use gramercy_grammar::{
    Alternative, Associativity, ExprKind, Grammar, Lexicon, ModeId, Precedence, Rule, RuleId,
    RuleKind, TerminalId, TerminalKind, TextKind, TokenRule,
};

use super::layout;
use super::phrase::Phrasing;
use super::spelling;
use super::syntax::DEFAULT_MODE;

/// The grammar in the native notation.
#[must_use]
pub fn write(grammar: &Grammar) -> String {
    let spellings = spelling::of_terminals(grammar);
    let writer = Writer { grammar, phrasing: Phrasing { grammar, spellings: &spellings } };
    let mut page = StatementList::default();
    writer.declarations(&mut page);
    writer.rules(&mut page);
    page.finish()
}

/// The statements so far.
#[derive(Default)]
struct StatementList {
    statements: Vec<(Group, String)>,
}

/// The groups of statements, which are written together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Notes,
    Declarations,
    Mode,
    Syntax,
    Lexis,
}

impl StatementList {
    fn push(&mut self, group: Group, statement: String) {
        self.statements.push((group, statement));
    }

    /// Blank lines separate groups, and statements of several lines.
    fn finish(self) -> String {
        let mut text = String::new();
        let mut before: Option<(Group, bool)> = None;
        for (group, statement) in self.statements {
            let long = statement.contains('\n');
            if before.is_some_and(|before| before != (group, false) || long) {
                text.push('\n');
            }
            text.push_str(&statement);
            text.push('\n');
            before = Some((group, long));
        }
        text
    }
}

struct Writer<'g> {
    grammar: &'g Grammar,
    phrasing: Phrasing<'g>,
}

/// A rule, or some of its alternatives that are adjacent in the file.
struct RuleDefinition<'g> {
    rule: RuleId,
    place: Span,
    alternatives: Vec<&'g Alternative>,
}

impl<'g> Writer<'g> {
    fn spelled(&self, terminal: TerminalId) -> &str {
        &self.phrasing.spellings[terminal]
    }

    fn declarations(&self, page: &mut StatementList) {
        let grammar = self.grammar;
        for (message, times) in self.notes() {
            let times = if times > 1 { format!(" ({times} times)") } else { String::new() };
            page.push(Group::Notes, format!("// Note: {message}{times}"));
        }
        let start = spelling::name(&grammar.rules()[grammar.start()].name);
        page.push(Group::Declarations, format!("start {start};"));
        let tokens = self.declared_tokens();
        if !tokens.is_empty() {
            page.push(Group::Declarations, layout::list("token", &tokens));
        }
        self.levels().into_iter().for_each(|level| page.push(Group::Declarations, level));
        let ignores_case = |rule: &Rule| rule.token().is_some_and(|token| token.ignore_case);
        if grammar.rules().values().any(|rule| self.is_unwritten(rule) && ignores_case(rule)) {
            page.push(Group::Declarations, "nocase literals;".into());
        }
        let lexical = |rule: &Rule| !rule.is_syntax() && !self.is_unwritten(rule);
        let has_tokens = match grammar.text_kind() {
            TextKind::Lexed => grammar.rules().values().any(lexical),
            TextKind::TokensOnly => !tokens.is_empty(),
            TextKind::Scannerless => true,
        };
        if !has_tokens {
            page.push(Group::Declarations, format!("mode {DEFAULT_MODE};"));
        }
    }

    /// The ignored parts that change the language, each with its number.
    fn notes(&self) -> IndexMap<String, usize> {
        let mut notes = IndexMap::default();
        for note in self.grammar.notes().iter().filter(|note| note.kind.changes_language()) {
            *notes.entry(note.message.replace(['\n', '\r'], " ")).or_default() += 1;
        }
        notes
    }

    /// The token types without a rule. Literals are declared if no rule uses them, or if nothing
    /// else shows that they are tokens.
    fn declared_tokens(&self) -> Vec<String> {
        let terminals = self.grammar.terminals();
        let mut has_rule = Table::filled(false, terminals.len());
        for rule in self.grammar.rules().values().filter_map(Rule::token) {
            has_rule[rule.token] = true;
        }
        let is_token = |id: &TerminalId| matches!(terminals[*id].kind, TerminalKind::Token { .. });
        let unmade: Vec<_> = terminals.ids().filter(is_token).filter(|&id| !has_rule[id]).collect();
        let only_literals = unmade.iter().all(|&id| self.is_literal(id));
        let needed = |id: TerminalId| {
            let unused = id.index() >= self.grammar.syntax_terminals();
            !self.is_literal(id) || unused || (only_literals && self.grammar.lexicon().is_none())
        };
        unmade.into_iter().filter(|&id| needed(id)).map(|id| self.declared_token(id)).collect()
    }

    /// Whether a rule only defines the token of a literal in syntax rules.
    fn is_unwritten(&self, rule: &Rule) -> bool {
        rule.token().is_some_and(|token| token.implicit && self.is_literal(token.token))
    }

    /// Whether a token is written as a literal.
    fn is_literal(&self, token: TerminalId) -> bool {
        self.spelled(token).starts_with(['"', '\''])
    }

    fn declared_token(&self, token: TerminalId) -> String {
        let spelled = self.spelled(token);
        match &self.grammar.terminals()[token].kind {
            TerminalKind::Token { text: Some(text), .. } if !self.is_literal(token) => {
                format!("{spelled} {}", spelling::literal(text))
            }
            _ => spelled.into(),
        }
    }

    /// The precedence declarations, weakest first.
    fn levels(&self) -> Vec<String> {
        let terminals = self.grammar.terminals().iter();
        let mut operators: Vec<(Precedence, TerminalId)> =
            terminals.filter_map(|(id, terminal)| Some((terminal.precedence?, id))).collect();
        operators.sort_by_key(|(precedence, _)| precedence.level);
        let level = |operators: &[(Precedence, TerminalId)]| {
            let keyword = match operators[0].0.associativity {
                Associativity::Left => "left",
                Associativity::Right => "right",
                Associativity::Never => "nonassoc",
                Associativity::Undeclared => "precedence",
            };
            let names: Vec<_> = operators.iter().map(|&(_, id)| self.spelled(id).into()).collect();
            layout::list(keyword, &names)
        };
        operators.chunk_by(|(a, _), (b, _)| a == b).map(level).collect()
    }

    /// All rules except those of literals.
    fn rules(&self, page: &mut StatementList) {
        let mut modes = Modes { lexicon: self.grammar.lexicon(), current: 0, announced: 1 };
        let mut begun = Table::filled(false, self.grammar.rules().len());
        for part in self.parts() {
            let rule = &self.grammar.rules()[part.rule];
            if let Some(token) = rule.token() {
                modes.enter(token.mode, page);
            }
            let sign = if begun[part.rule] { "|=" } else { ":=" };
            begun[part.rule] = true;
            let group = if rule.is_syntax() { Group::Syntax } else { Group::Lexis };
            page.push(group, self.rule(rule, sign, &part.alternatives));
        }
        modes.announce_rest(page);
    }

    /// The rules in file order. A rule with several definitions is divided into several
    /// definitions, if necessary.
    fn parts(&self) -> Vec<RuleDefinition<'g>> {
        let grammar = self.grammar;
        let scattered = grammar.is_scattered();
        let mut parts = Vec::new();
        for (id, rule) in grammar.rules().iter().filter(|(_, rule)| !self.is_unwritten(rule)) {
            let alternatives = alternatives(grammar, rule);
            if scattered && rule.is_syntax() {
                parts.extend(alternatives.iter().map(|alternative| RuleDefinition {
                    rule: id,
                    place: grammar.expr(alternative.expr).span,
                    alternatives: vec![alternative],
                }));
            } else {
                let alternatives = alternatives.iter().collect();
                parts.push(RuleDefinition { rule: id, place: rule.span, alternatives });
            }
        }
        if scattered {
            parts.sort_by_key(|part| part.place);
        }
        // The tokens of literals come before all others, even if they need rules.
        parts.sort_by_key(|part| !is_implicit(&grammar.rules()[part.rule]));
        parts.dedup_by(|next, before| {
            let same = next.rule == before.rule;
            if same {
                before.alternatives.append(&mut next.alternatives);
            }
            same
        });
        parts
    }

    fn rule(&self, rule: &Rule, sign: &str, alternatives: &[&Alternative]) -> String {
        let skips = rule.token().is_some()
            && alternatives.iter().all(|alternative| self.phrasing.skips(alternative.expr));
        let keyword = match &rule.kind {
            RuleKind::Syntax => "",
            RuleKind::Token(TokenRule { ignore_case: true, .. }) if skips => "nocase skip ",
            RuleKind::Token(TokenRule { ignore_case: true, .. }) => "nocase token ",
            RuleKind::Token(_) if skips => "skip ",
            RuleKind::Token(_) => "token ",
            RuleKind::Fragment { ignore_case: true } => "nocase fragment ",
            RuleKind::Fragment { ignore_case: false } => "fragment ",
        };
        let head = format!("{keyword}{}", spelling::name(&rule.name));
        let phrase = |alternative: &&Alternative| {
            if skips {
                self.phrasing.without_skip(alternative)
            } else {
                self.phrasing.alternative(alternative)
            }
        };
        layout::rule(&head, sign, &alternatives.iter().map(phrase).collect::<Vec<_>>())
    }
}

fn is_implicit(rule: &Rule) -> bool {
    rule.token().is_some_and(|token| token.implicit)
}

fn alternatives<'g>(grammar: &'g Grammar, rule: &Rule) -> &'g [Alternative] {
    match &grammar.expr(rule.body).kind {
        ExprKind::Alternation(alternatives) => alternatives,
        other => unreachable!("invariant: {other:?} is an alternation"),
    }
}

/// The modes that are already written, and the mode of the following rules.
struct Modes<'g> {
    lexicon: Option<&'g Lexicon>,
    current: usize,
    announced: usize,
}

impl Modes<'_> {
    /// Makes `mode` the current one. Modes are written in their order, so that they keep it.
    fn enter(&mut self, mode: ModeId, page: &mut StatementList) {
        let mode = mode.index();
        while self.announced < mode {
            self.announce(self.announced, page);
        }
        if self.current != mode {
            self.announce(mode, page);
        }
    }

    fn announce(&mut self, mode: usize, page: &mut StatementList) {
        page.push(
            Group::Mode,
            format!("mode {};", mode_name(self.lexicon, ModeId::from_index(mode))),
        );
        self.current = mode;
        self.announced = self.announced.max(mode + 1);
    }

    /// Writes modes without rules.
    fn announce_rest(&mut self, page: &mut StatementList) {
        let modes = self.lexicon.map_or(0, |lexicon| lexicon.modes.len());
        while self.announced < modes {
            self.announce(self.announced, page);
        }
    }
}

/// The spelling of the name of a mode.
pub(super) fn mode_name(lexicon: Option<&Lexicon>, mode: ModeId) -> String {
    match lexicon.and_then(|lexicon| lexicon.modes.get(mode)) {
        Some(known) if mode.index() > 0 => spelling::name(&known.name),
        _ => DEFAULT_MODE.into(),
    }
}
