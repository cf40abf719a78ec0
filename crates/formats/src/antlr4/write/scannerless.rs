//! Grammars whose terminals are text, parsed by character: the lexer has one token for every class
//! of characters that all terminals treat alike. So the parser decides everything, and the texts
//! are the same.
//!
//! A class of one character is a literal; others are lexer rules. A terminal of several classes,
//! and every regular expression, is a separate parser rule.

use gramercy_base::{LimitReached, Limits, Map, Table};
use gramercy_grammar::{Command, Grammar, RuleId, TerminalId, TerminalKind};
use gramercy_regular::classes::{self, ClassId};
use gramercy_regular::{CharSet, Dfa, Regex};

use super::expand::{Budget, Leaves, branches};
use super::names::{self, NameKind, Names};
use super::page::Page;
use super::phrase::{Branch, Phrase};
use super::regular::Letters;
use super::tokens::needs_start;
use super::{regular, spell};
use crate::WrittenFile;

pub(super) fn write(grammar: &Grammar, limits: &Limits) -> Result<Vec<WrittenFile>, LimitReached> {
    let mut writer = Writer::new(grammar, limits)?;
    let start = needs_start(grammar).then(|| writer.names.like("start_", NameKind::Rule));
    let mut rules = Vec::new();
    if let Some(start) = start {
        let items = [writer.rules[&grammar.start()].as_str(), "EOF"].map(Phrase::atom);
        rules.push((start, vec![Branch::plain(Phrase::Sequence(items.into()))]));
    }
    for (id, rule) in grammar.syntax_rules() {
        let branches = branches(grammar, &mut writer, rule.body)?;
        rules.push((writer.rules[&id].clone(), branches));
    }
    Ok(vec![writer.page(&rules)])
}

struct Writer<'g> {
    grammar: &'g Grammar,
    budget: Budget,
    names: Names,
    rules: Map<RuleId, String>,
    /// The automata of regular expressions that need one.
    automata: Map<TerminalId, Dfa>,
    /// The classes of every set.
    members: Map<CharSet, Vec<ClassId>>,
    /// The spelling of the classes.
    classes: Table<ClassId, String>,
    /// The classes that are lexer rules.
    lexer: Vec<(String, CharSet)>,
    /// A token without any text, if one is needed.
    nothing: Option<String>,
    /// The rules of terminals, where they have one.
    of_terminal: Map<TerminalId, String>,
    of_set: Map<CharSet, String>,
    helpers: Vec<(String, Vec<Branch>)>,
}

/// Up to this many classes are written inline.
const FEW: usize = 3;

impl<'g> Writer<'g> {
    fn new(grammar: &'g Grammar, limits: &Limits) -> Result<Self, LimitReached> {
        let mut names = Names::default();
        let rules: Vec<_> = grammar.syntax_rules().collect();
        let wanted: Vec<_> = rules.iter().map(|(_, rule)| &*rule.name).collect();
        let given = names.give(&wanted, NameKind::Rule);
        let rules = rules.iter().map(|(id, _)| *id).zip(given).collect();
        let mut writer = Self {
            grammar,
            budget: Budget::new(limits),
            names,
            rules,
            automata: Map::default(),
            members: Map::default(),
            classes: Table::new(),
            lexer: Vec::new(),
            nothing: None,
            of_terminal: Map::default(),
            of_set: Map::default(),
            helpers: Vec::new(),
        };
        writer.divide(limits)?;
        Ok(writer)
    }

    /// Divides the alphabet into classes and names them.
    fn divide(&mut self, limits: &Limits) -> Result<(), LimitReached> {
        let mut sets = Vec::new();
        for (id, terminal) in self.grammar.terminals().iter() {
            match &terminal.kind {
                TerminalKind::Literal(text) => sets.extend(text.chars().map(CharSet::single)),
                TerminalKind::Chars(set) => sets.push(set.clone()),
                TerminalKind::Regex { regex, .. } if regular::is_plain(regex) => {
                    regular::sets(regex, &mut sets);
                }
                TerminalKind::Regex { regex, .. } => {
                    let dfa = Dfa::minimal(regex, limits)?;
                    let of_state = |state| dfa.transitions(state).map(|(set, _)| set);
                    sets.extend(dfa.states().flat_map(of_state));
                    self.automata.insert(id, dfa);
                }
                TerminalKind::Token { .. } | TerminalKind::AnyTokenBut(_) | TerminalKind::Eof => {}
            }
        }
        let distinct: gramercy_base::IndexSet<CharSet> = sets.into_iter().collect();
        let partition = classes::partition(&distinct);
        let mut is_used = Table::filled(false, partition.classes.len());
        partition.members.values().flatten().for_each(|&class| is_used[class] = true);
        self.members = distinct.into_iter().zip(partition.members.values().cloned()).collect();
        for (class, chars) in partition.classes.iter() {
            let name = if is_used[class] { self.class(chars) } else { String::new() };
            self.classes.push(name);
        }
        Ok(())
    }

    fn class(&mut self, chars: &CharSet) -> String {
        let mut of_text = chars.chars();
        match (chars.len(), of_text.next()) {
            (1, Some(c)) => spell::literal(&c.to_string()),
            _ => {
                let name = self.names.like(class_name(chars), NameKind::Token);
                self.lexer.push((name.clone(), chars.clone()));
                name
            }
        }
    }

    fn nothing(&mut self) -> String {
        let names = &mut self.names;
        self.nothing.get_or_insert_with(|| names.like("NOTHING", NameKind::Token)).clone()
    }

    fn literal(&mut self, text: &str) -> Phrase {
        let chars: Vec<_> = text.chars().map(|c| self.any_of(&CharSet::single(c))).collect();
        Phrase::sequence(chars)
    }

    fn regex(&mut self, id: TerminalId, regex: &Regex) -> Result<Phrase, LimitReached> {
        if let Some(known) = self.of_terminal.get(&id) {
            return Ok(Phrase::Atom(known.clone()));
        }
        let name = match self.automata.remove(&id) {
            Some(dfa) => self.automaton(&dfa)?,
            None => {
                let name = self.names.like("regex", NameKind::Rule);
                let phrase = regular::phrase(regex, self)?;
                self.helpers.push((name.clone(), branches_of(phrase)));
                name
            }
        };
        self.of_terminal.insert(id, name.clone());
        Ok(Phrase::Atom(name))
    }

    /// The rules of an automaton's states, and the name of the first.
    fn automaton(&mut self, dfa: &Dfa) -> Result<String, LimitReached> {
        self.budget.take(dfa.num_states())?;
        let states: Vec<_> =
            dfa.states().map(|_| self.names.like("regex", NameKind::Rule)).collect();
        let rules = regular::states(dfa, &states, |set| self.any_of(set));
        self.helpers.extend(states.iter().cloned().zip(rules));
        Ok(states[0].clone())
    }

    fn page(self, rules: &[(String, Vec<Branch>)]) -> WrittenFile {
        let mut page = Page::new("grammar", &names::of_grammar(self.grammar.name()));
        page.list("tokens", self.nothing.as_slice());
        for (name, branches) in rules.iter().chain(&self.helpers) {
            page.rule(name, branches);
        }
        for (name, chars) in &self.lexer {
            page.rule(name, &[Branch::plain(Phrase::Atom(spell::plain_set(chars)))]);
        }
        page.finish()
    }
}

/// The alternatives of a phrase that is a whole right-hand side.
fn branches_of(phrase: Phrase) -> Vec<Branch> {
    match phrase {
        Phrase::Choice(phrases) => phrases.into_iter().map(Branch::plain).collect(),
        other => vec![Branch::plain(other)],
    }
}

/// A readable name for a class.
fn class_name(chars: &CharSet) -> &'static str {
    const DIGITS: (u32, u32) = ('0' as u32, '9' as u32);
    const LOWER: (u32, u32) = ('a' as u32, 'z' as u32);
    const UPPER: (u32, u32) = ('A' as u32, 'Z' as u32);
    let within = |(first, last): (u32, u32)| {
        chars.ranges().iter().all(|range| first <= range.0 && range.1 <= last)
    };
    let is_letter = |&(first, last): &(u32, u32)| {
        [LOWER, UPPER].iter().any(|letters| letters.0 <= first && last <= letters.1)
    };
    match chars.ranges() {
        _ if within(DIGITS) => "DIGIT",
        _ if within(LOWER) => "LOWER",
        _ if within(UPPER) => "UPPER",
        ranges if ranges.iter().all(is_letter) => "LETTER",
        _ => "CHARS",
    }
}

impl Letters for Writer<'_> {
    fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }

    fn any_of(&mut self, set: &CharSet) -> Phrase {
        // Only the empty set may be missing.
        let classes = self.members.get(set).map_or(&[][..], Vec::as_slice);
        let atoms = classes.iter().map(|&class| Phrase::Atom(self.classes[class].clone()));
        match classes.len() {
            0 => Phrase::Atom(self.nothing()),
            1..=FEW => Phrase::choice(atoms.collect()),
            _ => {
                if let Some(known) = self.of_set.get(set) {
                    return Phrase::Atom(known.clone());
                }
                let branches = atoms.map(Branch::plain).collect();
                let name = self.names.like("chars", NameKind::Rule);
                self.helpers.push((name.clone(), branches));
                self.of_set.insert(set.clone(), name.clone());
                Phrase::Atom(name)
            }
        }
    }
}

impl Leaves for Writer<'_> {
    fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }

    fn terminal(&mut self, id: TerminalId) -> Result<Phrase, LimitReached> {
        let grammar = self.grammar;
        Ok(match &grammar.terminals()[id].kind {
            TerminalKind::Literal(text) => self.literal(text),
            TerminalKind::Chars(set) => self.any_of(set),
            TerminalKind::Regex { regex, .. } => self.regex(id, regex)?,
            TerminalKind::Eof => Phrase::atom("EOF"),
            TerminalKind::Token { .. } | TerminalKind::AnyTokenBut(_) => {
                unreachable!("invariant: a scannerless grammar has no tokens")
            }
        })
    }

    fn rule(&self, rule: RuleId) -> String {
        self.rules[&rule].clone()
    }

    fn command(&self, _: Command) -> String {
        unreachable!("invariant: commands are in lexical rules only")
    }
}
