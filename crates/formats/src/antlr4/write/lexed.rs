//! Grammars with lexical rules.
//!
//! A grammar without modes and channels is written as a combined grammar, in which literals of
//! syntax rules stay literals; otherwise as a lexer grammar and a parser grammar, in which they get
//! names. A lexer rule that is only such a literal is put in parentheses, so that ANTLR does not
//! treat the two as the same token.
//!
//! If a rule ignores case, ANTLR extends its sets, which are already extended in the model.
//! Therefore a set is written in a spelling that means it after extension; if there is none, as for
//! upper-case letters alone, the rule is written with both cases of each letter.

use gramercy_base::{Id, LimitReached, Limits, Map, Set};
use gramercy_grammar::{
    ChannelId, Command, ExprKind, Grammar, Lexicon, ModeId, Rule, RuleId, RuleKind, TerminalId,
    TerminalKind,
};
use gramercy_regular::{CharSet, Dfa, Regex};

use super::expand::{Budget, Leaves, branches};
use super::names::{self, NameKind, Names};
use super::page::{Page, options_of};
use super::phrase::{Branch, Phrase};
use super::{regular, spell};
use crate::WrittenFile;
use crate::antlr4::gather::DEFAULT_MODE;
use crate::antlr4::sets::{self, Case};

pub(super) fn write(grammar: &Grammar, limits: &Limits) -> Result<Vec<WrittenFile>, LimitReached> {
    let lexicon = grammar.lexicon().expect("invariant: a lexed grammar has a lexicon");
    let mut names = Names::default();
    let plan = NamePlan::new(grammar, lexicon, &mut names);
    let mut lexer = LexerWriter {
        plan: &plan,
        limits,
        budget: Budget::new(limits),
        names,
        sets: Map::default(),
        helpers: Map::default(),
    };
    let sections = lexer.sections()?;
    let syntax = syntax_rules(&plan, lexer.budget)?;
    let name = names::of_grammar(grammar.name());
    Ok(match plan.layout {
        FileLayout::Combined => vec![combined(&plan, &name, &syntax, &sections)],
        FileLayout::Pair => pair(&plan, &name, &syntax, &sections),
    })
}

/// A rule ready to be written: the text before the colon, and the alternatives.
type WrittenRule = (String, Vec<Branch>);

fn combined(
    plan: &NamePlan<'_>,
    name: &str,
    syntax: &[WrittenRule],
    sections: &[(ModeId, Vec<WrittenRule>)],
) -> WrittenFile {
    let mut page = Page::new("grammar", name);
    page.options(plan.case_option());
    page.list("tokens", &plan.declared);
    for (head, branches) in syntax.iter().chain(sections.iter().flat_map(|(_, rules)| rules)) {
        page.rule(head, branches);
    }
    page.finish()
}

fn pair(
    plan: &NamePlan<'_>,
    name: &str,
    syntax: &[WrittenRule],
    sections: &[(ModeId, Vec<WrittenRule>)],
) -> Vec<WrittenFile> {
    let lexer_name = format!("{name}Lexer");
    let mut lexer = Page::new("lexer grammar", &lexer_name);
    lexer.options(plan.case_option());
    lexer.list("tokens", &plan.declared);
    lexer.list("channels", &plan.own_channels());
    for (mode, rules) in sections {
        if mode.index() > 0 {
            lexer.line(&format!("mode {};", plan.modes[mode.index()]));
        }
        rules.iter().for_each(|(head, branches)| lexer.rule(head, branches));
    }
    let mut parser = Page::new("parser grammar", &format!("{name}Parser"));
    parser.options(&[("tokenVocab", &lexer_name)]);
    syntax.iter().for_each(|(head, branches)| parser.rule(head, branches));
    vec![lexer.finish(), parser.finish()]
}

/// Whether lexer and parser rules are in one file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileLayout {
    Combined,
    Pair,
}

/// The names of everything.
struct NamePlan<'g> {
    grammar: &'g Grammar,
    lexicon: &'g Lexicon,
    layout: FileLayout,
    /// The case sensitivity of most rules.
    case: Case,
    rules: Map<RuleId, String>,
    tokens: Map<TerminalId, String>,
    /// Token types that are written as literals, with these literals.
    literals: Map<TerminalId, String>,
    /// All these literals.
    spelled: Set<String>,
    /// Token types without a rule.
    declared: Vec<String>,
    modes: Vec<String>,
    channels: Vec<String>,
    /// The rule that requires the end of input, if the start rule does not.
    start: Option<String>,
}

impl<'g> NamePlan<'g> {
    fn new(grammar: &'g Grammar, lexicon: &'g Lexicon, names: &mut Names) -> Self {
        let layout = layout(grammar, lexicon);
        let mut plan = Self {
            grammar,
            lexicon,
            layout,
            case: Case::Matters,
            rules: Map::default(),
            tokens: Map::default(),
            literals: Map::default(),
            spelled: Set::default(),
            declared: Vec::new(),
            modes: Vec::new(),
            channels: Vec::new(),
            start: None,
        };
        plan.literals = plan.find_literals();
        plan.spelled = plan.literals.values().cloned().collect();
        plan.name_rules(names);
        plan.name_tokens(names);
        plan.name_modes_and_channels(names);
        plan.start =
            super::tokens::needs_start(grammar).then(|| names.like("start_", NameKind::Rule));
        plan.case = plan.common_case();
        plan
    }

    /// The implicit tokens that can be written as literals: those of a combined grammar that syntax
    /// rules use, and that no command names.
    fn find_literals(&self) -> Map<TerminalId, String> {
        if self.layout == FileLayout::Pair {
            return Map::default();
        }
        let used = super::tokens::used_tokens(self.grammar);
        let typed = typed_tokens(self.grammar);
        let implicit = self
            .implicit_rules()
            .filter(|(_, token)| used.contains(token) && !typed.contains(token));
        implicit.filter_map(|(rule, token)| Some((token, self.literal(rule)?))).collect()
    }

    fn implicit_rules(&self) -> impl Iterator<Item = (&'g Rule, TerminalId)> + use<'g> {
        let implicit = |rule: &'g Rule| {
            rule.token().filter(|token| token.implicit).map(|token| (rule, token.token))
        };
        self.grammar.rules().values().filter_map(implicit)
    }

    /// The spelling of the literal of an implicit rule: the original one, if ANTLR accepts it.
    fn literal(&self, rule: &Rule) -> Option<String> {
        if spell::literal_value(&rule.name).is_some() {
            return Some(rule.name.to_string());
        }
        self.text(rule).map(spell::literal)
    }

    /// The text of a rule that is a single literal.
    fn text(&self, rule: &Rule) -> Option<&'g str> {
        let ExprKind::Alternation(alternatives) = &self.grammar.expr(rule.body).kind else {
            return None;
        };
        let [only] = &alternatives[..] else {
            return None;
        };
        match self.grammar.expr(only.expr).kind {
            ExprKind::Terminal(terminal) => match &self.grammar.terminals()[terminal].kind {
                TerminalKind::Literal(text) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    fn name_rules(&mut self, names: &mut Names) {
        let grammar = self.grammar;
        let is_written = |rule: &Rule| !rule.token().is_some_and(|token| token.implicit);
        for (kind, is_syntax) in [(NameKind::Rule, true), (NameKind::Token, false)] {
            let rules: Vec<_> = grammar
                .rules()
                .iter()
                .filter(|(_, rule)| rule.is_syntax() == is_syntax && is_written(rule))
                .collect();
            let wanted: Vec<_> = rules.iter().map(|(_, rule)| &*rule.name).collect();
            let given = names.give(&wanted, kind);
            self.rules.extend(rules.iter().map(|(id, _)| *id).zip(given));
        }
    }

    fn name_tokens(&mut self, names: &mut Names) {
        let grammar = self.grammar;
        let mut fragments: Map<&str, RuleId> = Map::default();
        for (id, rule) in grammar.rules().iter() {
            match &rule.kind {
                RuleKind::Token(token) if !token.implicit => {
                    self.tokens.insert(token.token, self.rules[&id].clone());
                }
                RuleKind::Token(token) if !self.literals.contains_key(&token.token) => {
                    let wanted = self.text(rule).map_or("T".to_owned(), names::of_text);
                    let name = names.like(&wanted, NameKind::Token);
                    self.tokens.insert(token.token, name.clone());
                    self.rules.insert(id, name);
                }
                RuleKind::Fragment { .. } => drop(fragments.insert(&rule.name, id)),
                RuleKind::Token(_) | RuleKind::Syntax => {}
            }
        }
        for (id, terminal) in grammar.terminals().iter() {
            let is_known = self.tokens.contains_key(&id) || self.literals.contains_key(&id);
            let TerminalKind::Token { name, text } = &terminal.kind else {
                continue;
            };
            if is_known {
                continue;
            }
            let wanted = super::tokens::wanted_name(name, text.as_deref());
            let name = match fragments.get(&**name) {
                // A parser rule refers to a fragment as if it were a token rule.
                Some(fragment) => self.rules[fragment].clone(),
                None => {
                    let name = names.like(&wanted, NameKind::Token);
                    self.declared.push(name.clone());
                    name
                }
            };
            self.tokens.insert(id, name);
        }
    }

    fn name_modes_and_channels(&mut self, names: &mut Names) {
        let mut give = |name: &str| match names::is_identifier(name) {
            true => names.unique(name),
            false => names.like(name, NameKind::Rule),
        };
        let modes = self.lexicon.modes.iter().map(|(id, mode)| match id.index() {
            0 => DEFAULT_MODE.to_owned(),
            _ => give(&mode.name),
        });
        self.modes = modes.collect();
        let channels = self.lexicon.channels.iter().map(|(id, channel)| match &*channel.name {
            _ if id.index() == 0 => "DEFAULT_TOKEN_CHANNEL".to_owned(),
            "HIDDEN" => "HIDDEN".to_owned(),
            number if is_number(number) => number.to_owned(),
            other => give(other),
        });
        self.channels = channels.collect();
    }

    /// The channels that must be declared.
    fn own_channels(&self) -> Vec<String> {
        let own = |id: ChannelId| is_own_channel(self.lexicon, id);
        let channels = self.lexicon.channels.ids().filter(|&id| own(id));
        channels
            .map(|id| self.channels[id.index()].clone())
            .filter(|name| !is_number(name))
            .collect()
    }

    /// The value of the grammar's option: the one that literals need, otherwise the one of all rules.
    fn common_case(&self) -> Case {
        let lexical = self.grammar.rules().values().filter(|rule| !rule.is_syntax());
        let mut cases = lexical.clone().map(case_of);
        let of_literals = lexical
            .filter(|rule| rule.token().is_some_and(|t| self.literals.contains_key(&t.token)))
            .map(case_of)
            .next();
        match of_literals {
            Some(case) => case,
            None if cases.all(Case::is_ignored) => Case::Ignored,
            None => Case::Matters,
        }
    }

    fn case_option(&self) -> &'static [(&'static str, &'static str)] {
        if self.case.is_ignored() { &[("caseInsensitive", "true")] } else { &[] }
    }

    /// The text before the colon of a lexer rule.
    fn head(&self, name: &str, kind: &RuleKind, case: Case) -> String {
        let fragment = if matches!(kind, RuleKind::Fragment { .. }) { "fragment " } else { "" };
        let option = match (self.case, case) {
            (Case::Matters, Case::Ignored) => Some("true"),
            (Case::Ignored, Case::Matters) => Some("false"),
            _ => None,
        };
        match option {
            Some(value) => {
                format!("{fragment}{name} {}", options_of(&[("caseInsensitive", value)]))
            }
            None => format!("{fragment}{name}"),
        }
    }
}

fn case_of(rule: &Rule) -> Case {
    let ignore_case = match &rule.kind {
        RuleKind::Token(token) => token.ignore_case,
        RuleKind::Fragment { ignore_case } => *ignore_case,
        RuleKind::Syntax => false,
    };
    if ignore_case { Case::Ignored } else { Case::Matters }
}

fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_own_channel(lexicon: &Lexicon, id: ChannelId) -> bool {
    id.index() > 0 && &*lexicon.channels[id].name != "HIDDEN"
}

/// One file if ANTLR accepts that: the lexer of a combined grammar has no modes, channels or
/// further token types.
fn layout(grammar: &Grammar, lexicon: &Lexicon) -> FileLayout {
    let channels = lexicon.channels.ids().any(|id| is_own_channel(lexicon, id));
    let made: Set<TerminalId> =
        grammar.rules().values().filter_map(|rule| Some(rule.token()?.token)).collect();
    let unmade = typed_tokens(grammar).iter().any(|token| !made.contains(token));
    match lexicon.modes.len() > 1 || channels || unmade {
        true => FileLayout::Pair,
        false => FileLayout::Combined,
    }
}

/// The token types in commands.
fn typed_tokens(grammar: &Grammar) -> Set<TerminalId> {
    let commands = grammar.exprs().values().filter_map(|expr| match &expr.kind {
        ExprKind::Commands(commands) => Some(commands),
        _ => None,
    });
    let typed = commands.flatten().filter_map(|command| match command {
        Command::Type(token) => Some(*token),
        _ => None,
    });
    typed.collect()
}

/// The parser rules.
fn syntax_rules(plan: &NamePlan<'_>, budget: Budget) -> Result<Vec<WrittenRule>, LimitReached> {
    let grammar = plan.grammar;
    let mut rules = Vec::new();
    if let Some(start) = &plan.start {
        let items = [plan.rules[&grammar.start()].as_str(), "EOF"].map(Phrase::atom);
        rules.push((start.clone(), vec![Branch::plain(Phrase::Sequence(items.into()))]));
    }
    let mut leaves = SyntaxLeaves { plan, budget };
    for (id, rule) in grammar.syntax_rules() {
        rules.push((plan.rules[&id].clone(), branches(grammar, &mut leaves, rule.body)?));
    }
    Ok(rules)
}

struct SyntaxLeaves<'p> {
    plan: &'p NamePlan<'p>,
    budget: Budget,
}

impl SyntaxLeaves<'_> {
    fn token(&self, token: TerminalId) -> &str {
        let NamePlan { tokens, literals, .. } = self.plan;
        literals.get(&token).unwrap_or_else(|| &tokens[&token])
    }
}

impl Leaves for SyntaxLeaves<'_> {
    fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }

    fn terminal(&mut self, id: TerminalId) -> Result<Phrase, LimitReached> {
        Ok(super::tokens::terminal(self.plan.grammar, id, |token| self.token(token).to_owned()))
    }

    fn rule(&self, rule: RuleId) -> String {
        self.plan.rules[&rule].clone()
    }

    fn command(&self, _: Command) -> String {
        unreachable!("invariant: commands are in lexical rules only")
    }
}

struct LexerWriter<'p> {
    plan: &'p NamePlan<'p>,
    limits: &'p Limits,
    budget: Budget,
    names: Names,
    /// The spelling of sets where case is or is not ignored, if there is one.
    sets: Map<(TerminalId, Case), Option<String>>,
    /// The fragments of regular expressions.
    helpers: Map<TerminalId, String>,
}

impl LexerWriter<'_> {
    /// The rules of each mode. Fragments keep their positions among those of the default mode.
    fn sections(&mut self) -> Result<Vec<(ModeId, Vec<WrittenRule>)>, LimitReached> {
        let grammar = self.plan.grammar;
        let is_fragment = |rule: &Rule| matches!(rule.kind, RuleKind::Fragment { .. });
        let fragments = grammar.rules().iter().filter(|(_, rule)| is_fragment(rule));
        let mut fragments = fragments.map(|(id, _)| id).peekable();
        let mut sections = Vec::new();
        for (id, mode) in self.plan.lexicon.modes.iter() {
            let mut written = Vec::new();
            for &rule in &mode.rules {
                let is_implicit = grammar.rules()[rule].token().is_some_and(|t| t.implicit);
                let may_precede = |f: &RuleId| id.index() == 0 && !is_implicit && *f < rule;
                while let Some(fragment) = fragments.next_if(may_precede) {
                    self.rule(fragment, &mut written)?;
                }
                self.rule(rule, &mut written)?;
            }
            if id.index() == 0 {
                fragments.by_ref().try_for_each(|rule| self.rule(rule, &mut written))?;
            }
            sections.push((id, written));
        }
        Ok(sections)
    }

    fn rule(&mut self, id: RuleId, written: &mut Vec<WrittenRule>) -> Result<(), LimitReached> {
        let rule = &self.plan.grammar.rules()[id];
        // A rule without a name is written as a literal.
        let Some(name) = self.plan.rules.get(&id) else {
            return Ok(());
        };
        let mut case = case_of(rule);
        let mut branches = self.branches(rule, Spelling::AsItIs(case), written)?;
        if branches.is_none() {
            case = Case::Matters;
            branches = self.branches(rule, Spelling::BothCases, written)?;
        }
        let mut branches = branches.expect("invariant: where case matters, any set can be written");
        self.protect_literals(&mut branches);
        written.push((self.plan.head(name, &rule.kind, case), branches));
        Ok(())
    }

    /// A rule's alternatives, unless a set cannot be written where case is ignored.
    fn branches(
        &mut self,
        rule: &Rule,
        spelling: Spelling,
        written: &mut Vec<WrittenRule>,
    ) -> Result<Option<Vec<Branch>>, LimitReached> {
        let grammar = self.plan.grammar;
        let mut leaves = LexicalLeaves { writer: self, spelling, written, impossible: false };
        let branches = branches(grammar, &mut leaves, rule.body)?;
        Ok((!leaves.impossible).then_some(branches))
    }

    /// Prevents ANTLR from treating a rule as the name of a literal that is a separate token.
    fn protect_literals(&self, branches: &mut [Branch]) {
        let [Branch { phrase, .. }] = branches else {
            return;
        };
        let literal = match phrase {
            Phrase::Sequence(items) => match &mut items[..] {
                [literal, Phrase::Commands(_)] => literal,
                _ => return,
            },
            literal => literal,
        };
        if let Phrase::Atom(text) = literal
            && self.plan.spelled.contains(text)
        {
            *text = format!("({text})");
        }
    }

    /// The fragment for a regular expression with intersection or complement.
    fn helper(
        &mut self,
        terminal: TerminalId,
        regex: &Regex,
        written: &mut Vec<WrittenRule>,
    ) -> Result<String, LimitReached> {
        if let Some(known) = self.helpers.get(&terminal) {
            return Ok(known.clone());
        }
        let dfa = Dfa::minimal(regex, self.limits)?;
        self.budget.take(dfa.num_states())?;
        let states = dfa.states().map(|_| self.names.like("Regex", NameKind::Token));
        let states: Vec<_> = states.collect();
        let any_of = |set: &CharSet| Phrase::Atom(spell::plain_set(set));
        let rules = regular::states(&dfa, &states, any_of);
        let kind = RuleKind::Fragment { ignore_case: false };
        for (name, branches) in states.iter().zip(rules) {
            written.push((self.plan.head(name, &kind, Case::Matters), branches));
        }
        self.helpers.insert(terminal, states[0].clone());
        Ok(states[0].clone())
    }
}

/// The spelling of letters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    /// For a rule in which case matters or is ignored.
    AsItIs(Case),
    /// As a set of both cases each, for a rule in which case matters.
    BothCases,
}

struct LexicalLeaves<'w, 'p> {
    writer: &'w mut LexerWriter<'p>,
    spelling: Spelling,
    written: &'w mut Vec<WrittenRule>,
    /// Whether a set cannot be written.
    impossible: bool,
}

impl LexicalLeaves<'_, '_> {
    fn case(&self) -> Case {
        match self.spelling {
            Spelling::AsItIs(case) => case,
            Spelling::BothCases => Case::Matters,
        }
    }

    fn literal(&self, text: &str) -> Phrase {
        match self.spelling {
            Spelling::AsItIs(_) => Phrase::Atom(spell::literal(text)),
            Spelling::BothCases => {
                let both = |c: char| spell::plain_set(&sets::single(c.into(), Case::Ignored));
                Phrase::sequence(text.chars().map(|c| Phrase::Atom(both(c))).collect())
            }
        }
    }

    /// A set, in its original spelling if that means the same.
    fn set(&mut self, chars: &CharSet, id: TerminalId, name: &str) -> Phrase {
        let case = self.case();
        let known = self.writer.sets.entry((id, case));
        let spelled = known.or_insert_with(|| spell::set(chars, name, case)).clone();
        self.spelled(spelled)
    }

    fn spelled(&mut self, spelled: Option<String>) -> Phrase {
        self.impossible |= spelled.is_none();
        Phrase::Atom(spelled.unwrap_or_default())
    }

    fn regex(&mut self, id: TerminalId, regex: &Regex) -> Result<Phrase, LimitReached> {
        if !regular::is_plain(regex) {
            return Ok(Phrase::Atom(self.writer.helper(id, regex, self.written)?));
        }
        regular::phrase(regex, self)
    }
}

impl regular::Letters for LexicalLeaves<'_, '_> {
    fn budget(&mut self) -> &mut Budget {
        &mut self.writer.budget
    }

    fn any_of(&mut self, set: &CharSet) -> Phrase {
        let spelled = spell::set(set, "", self.case());
        self.spelled(spelled)
    }
}

impl Leaves for LexicalLeaves<'_, '_> {
    fn budget(&mut self) -> &mut Budget {
        &mut self.writer.budget
    }

    fn takes_labels(&self) -> bool {
        false
    }

    fn terminal(&mut self, id: TerminalId) -> Result<Phrase, LimitReached> {
        let terminal = &self.writer.plan.grammar.terminals()[id];
        Ok(match &terminal.kind {
            TerminalKind::Literal(text) if text.is_empty() => Phrase::Empty,
            TerminalKind::Literal(text) => self.literal(text),
            TerminalKind::Chars(chars) => self.set(chars, id, &terminal.name),
            TerminalKind::Regex { regex, .. } => self.regex(id, regex)?,
            TerminalKind::Eof => Phrase::atom("EOF"),
            TerminalKind::Token { .. } | TerminalKind::AnyTokenBut(_) => {
                unreachable!("invariant: lexical rules consist of characters")
            }
        })
    }

    fn rule(&self, rule: RuleId) -> String {
        self.writer.plan.rules[&rule].clone()
    }

    fn command(&self, command: Command) -> String {
        let NamePlan { tokens, channels, modes, .. } = self.writer.plan;
        match command {
            Command::Skip => "skip".to_owned(),
            Command::More => "more".to_owned(),
            Command::PopMode => "popMode".to_owned(),
            Command::Type(token) => format!("type({})", tokens[&token]),
            Command::Channel(channel) => format!("channel({})", channels[channel.index()]),
            Command::Mode(mode) => format!("mode({})", modes[mode.index()]),
            Command::PushMode(mode) => format!("pushMode({})", modes[mode.index()]),
        }
    }
}
