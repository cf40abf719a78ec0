//! Resolves the names of a file and reports all errors. Nothing after this step can fail.

use gramercy_base::{Diagnostic, Map, Span, Table};

use super::codes::{MISPLACED, REPEATED};
use super::syntax::{DEFAULT_MODE, NativeFile, Sort};
use crate::ebnf::lower::characters;
use crate::ebnf::roots::{Rules, SelfReference};
use crate::ebnf::syntax::{
    Argument, Branch, CommandKind, CommandSyntax, ExprNode, ExprNodeKind, NameId, RuleSyntax,
};
use crate::ebnf::{names, plain, probabilities};
use crate::{Reading, codes, suggest};

/// The resolved names of a file.
pub(super) struct Checked<'f> {
    pub(super) meanings: Meanings,
    pub(super) literals: Literals<'f>,
    /// The index of the start rule.
    pub(super) start: usize,
}

/// The meaning of each name.
pub(super) struct Meanings {
    /// The index of a rule or, after all rules, of a declared token.
    of_name: Table<NameId, Option<usize>>,
    rules: usize,
    /// Declared tokens with the name of a fragment.
    beside_fragments: Map<NameId, usize>,
}

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The rule with this index.
    Rule(usize),
    /// The token with this index, which has no rule.
    Token(usize),
}

impl Meanings {
    /// The meaning of a name in the context of parser rules and tokens.
    pub(super) fn in_syntax(&self, name: NameId) -> Option<Meaning> {
        match self.beside_fragments.get(&name) {
            Some(&token) => Some(Meaning::Token(token)),
            None => self.in_lexis(name),
        }
    }

    /// The meaning of a name in lexical rules.
    pub(super) fn in_lexis(&self, name: NameId) -> Option<Meaning> {
        let index = self.of_name[name]?;
        Some(match index.checked_sub(self.rules) {
            Some(token) => Meaning::Token(token),
            None => Meaning::Rule(index),
        })
    }
}

/// The tokens of literals in syntax rules.
pub(super) type Literals<'f> = Map<&'f str, LiteralMeaning>;

/// The token of a literal.
#[derive(Clone, Copy)]
pub(super) struct LiteralMeaning {
    pub(super) meaning: Meaning,
    span: Span,
    /// A second token with the same text.
    other: Option<Span>,
}

/// Checks a file; `None` if it has errors, which are reported.
pub(super) fn check<'f>(
    reading: &mut Reading<'_>,
    file: &'f NativeFile<'_>,
) -> Option<Checked<'f>> {
    let meanings = define(reading, file);
    names::report_undefined(reading, &file.tree, &file.rules, &meanings.of_name);
    let checking = Checking { file, meanings, literals: literals(file) };
    checking.rules(reading);
    checking.levels(reading);
    probabilities::check(reading, &file.tree, &file.rules);
    if !file.sorts.contains(&Sort::Syntax) {
        plain::report_no_rules(reading, "syntax rule");
        return None;
    }
    let start = checking.start(reading)?;
    let Checking { meanings, literals, .. } = checking;
    (!reading.has_errors()).then_some(Checked { meanings, literals, start })
}

fn define(reading: &mut Reading<'_>, file: &NativeFile<'_>) -> Meanings {
    let mut is_fragment = Table::filled(false, file.tree.name_count());
    let mut definitions = Vec::new();
    for (index, (rule, sort)) in file.rules.iter().zip(&file.sorts).enumerate() {
        if *sort != Sort::Continued {
            definitions.push((rule.name, rule.span, index));
        }
        is_fragment[rule.name] |= matches!(sort, Sort::Fragment { .. });
    }
    let mut beside_fragments = Map::default();
    for (index, token) in file.tokens.iter().enumerate() {
        let Argument { name, span } = token.name;
        if !is_fragment[name] || beside_fragments.insert(name, index).is_some() {
            definitions.push((name, span, file.rules.len() + index));
        }
    }
    let of_name = names::define(reading, &file.tree, definitions);
    Meanings { of_name, rules: file.rules.len(), beside_fragments }
}

/// The literals that are the whole right-hand side of a token rule, or the text of a declared
/// token.
fn literals<'f>(file: &'f NativeFile<'_>) -> Literals<'f> {
    let mut literals = Literals::default();
    let mut add = |text: &'f str, meaning, span| {
        let new = LiteralMeaning { meaning, span, other: None };
        literals.entry(text).and_modify(|known| known.other = Some(span)).or_insert(new);
    };
    for (index, rule) in file.rules.iter().enumerate() {
        if matches!(file.sorts[index], Sort::Token { .. })
            && let Some(text) = whole_literal(file, rule)
        {
            add(text, Meaning::Rule(index), rule.span);
        }
    }
    for (index, token) in file.tokens.iter().enumerate() {
        if let Some(text) = &token.text {
            add(text, Meaning::Token(index), token.name.span);
        }
    }
    literals
}

/// The literal of a rule that consists of a single literal, possibly with commands.
pub(super) fn whole_literal<'f>(file: &'f NativeFile<'_>, rule: &RuleSyntax) -> Option<&'f str> {
    let [Branch { node, .. }] = rule.branches[..] else { return None };
    let mut node = file.tree.node(node);
    if let ExprNodeKind::Sequence(items) = &node.kind
        && let [first, commands] = items[..]
        && matches!(file.tree.node(commands).kind, ExprNodeKind::Commands(_))
    {
        node = file.tree.node(first);
    }
    match &node.kind {
        ExprNodeKind::Literal(text) if !text.is_empty() => Some(text),
        _ => None,
    }
}

struct Checking<'f, 't> {
    file: &'f NativeFile<'t>,
    meanings: Meanings,
    literals: Literals<'f>,
}

impl<'f> Checking<'f, '_> {
    fn rules(&self, reading: &mut Reading<'_>) {
        for (index, rule) in self.file.rules.iter().enumerate() {
            let sort = self.file.sorts[index];
            if sort == Sort::Continued {
                self.continued(reading, index);
            }
            for node in self.file.tree.nodes_of(rule) {
                match sort {
                    Sort::Syntax | Sort::Continued => self.in_syntax(reading, node),
                    Sort::Token { .. } | Sort::Fragment { .. } => self.in_lexis(reading, node),
                }
                if let ExprNodeKind::Alternation(branches) = &node.kind {
                    self.branches(reading, branches);
                }
            }
            self.branches(reading, &rule.branches);
        }
    }

    /// Checks that `|=` follows a definition of the same syntax rule.
    fn continued(&self, reading: &mut Reading<'_>, index: usize) {
        let rule = &self.file.rules[index];
        let name = self.file.tree.text(rule.name);
        let (code, message) = match self.meanings.in_lexis(rule.name) {
            Some(Meaning::Rule(first)) if self.file.sorts[first] == Sort::Syntax => {
                if first < index {
                    return;
                }
                (MISPLACED, format!("`|=` must come after `{name} :=`"))
            }
            Some(_) => (MISPLACED, format!("`|=` adds to a syntax rule, but `{name}` is not one")),
            None => {
                (codes::UNDEFINED_RULE, format!("`|=` adds to a rule, but there is no `{name} :=`"))
            }
        };
        reading.report(Diagnostic::at(code, rule.span, message));
    }

    fn in_syntax(&self, reading: &mut Reading<'_>, node: &ExprNode) {
        match &node.kind {
            ExprNodeKind::Commands(_) => {
                let message = "commands belong in token rules";
                reading.report(Diagnostic::at(MISPLACED, node.span, message));
            }
            ExprNodeKind::AnyBut(units) if self.file.has_tokens() => {
                units.iter().for_each(|unit| self.token(reading, unit));
            }
            ExprNodeKind::AnyBut(units) => {
                units.iter().for_each(|unit| self.character(reading, unit));
            }
            ExprNodeKind::Name(name) => {
                if let Some(Meaning::Rule(rule)) = self.meanings.in_syntax(*name)
                    && matches!(self.file.sorts[rule], Sort::Fragment { .. })
                {
                    self.misplaced_fragment(reading, node.span, *name);
                }
            }
            _ if self.file.has_tokens() => self.token_leaf(reading, node),
            _ => {}
        }
    }

    fn misplaced_fragment(&self, reading: &mut Reading<'_>, span: Span, name: NameId) {
        let name = self.file.tree.text(name);
        let message = format!("`{name}` is a fragment: it creates no token for syntax rules");
        let help = format!("make it a token rule: token {name} := …");
        reading.report(Diagnostic::at(MISPLACED, span, message).help(help));
    }

    /// A leaf of a syntax rule in a grammar over tokens.
    fn token_leaf(&self, reading: &mut Reading<'_>, node: &ExprNode) {
        let what = match &node.kind {
            ExprNodeKind::Literal(text) => return self.literal(reading, text, node.span),
            ExprNodeKind::Chars(_) => "a character class",
            ExprNodeKind::Pattern(_) => "a regular expression",
            _ => return,
        };
        let message =
            format!("{what} in a syntax rule, but the parser of this grammar sees tokens");
        let written = self.file.written(node.span);
        let help = format!("define a token: token NAME := {written};");
        reading.report(Diagnostic::at(MISPLACED, node.span, message).help(help));
    }

    fn literal(&self, reading: &mut Reading<'_>, text: &str, span: Span) {
        if let Some(LiteralMeaning { span: first, other: Some(other), .. }) =
            self.literals.get(text)
        {
            let message = "this literal could be either of two tokens";
            let diagnostic = Diagnostic::at(codes::AMBIGUOUS_LITERAL, span, message)
                .label(*first, "this one")
                .label(*other, "or this one");
            reading.report(diagnostic.help("write the name of the intended token"));
        }
    }

    /// A name or literal that must be a token.
    fn token(&self, reading: &mut Reading<'_>, node: &ExprNode) {
        match node.kind {
            ExprNodeKind::Name(name) => match self.meanings.in_syntax(name) {
                Some(Meaning::Rule(rule)) if self.file.sorts[rule].is_syntax() => {
                    let name = self.file.tree.text(name);
                    let message = format!("`{name}` is a syntax rule; a token is expected here");
                    reading.report(Diagnostic::at(MISPLACED, node.span, message));
                }
                Some(Meaning::Rule(rule))
                    if matches!(self.file.sorts[rule], Sort::Fragment { .. }) =>
                {
                    self.misplaced_fragment(reading, node.span, name);
                }
                _ => {}
            },
            _ => self.token_leaf(reading, node),
        }
    }

    fn in_lexis(&self, reading: &mut Reading<'_>, node: &ExprNode) {
        match &node.kind {
            ExprNodeKind::Name(name) => {
                let what = match self.meanings.in_lexis(*name) {
                    Some(Meaning::Rule(rule)) if self.file.sorts[rule].is_syntax() => {
                        "a syntax rule"
                    }
                    Some(Meaning::Token(_)) => "a token without a rule",
                    _ => return,
                };
                let name = self.file.tree.text(*name);
                let message = format!("`{name}` is {what}; lexical rules consist of characters");
                reading.report(Diagnostic::at(MISPLACED, node.span, message));
            }
            ExprNodeKind::AnyBut(units) => {
                units.iter().for_each(|unit| self.character(reading, unit));
            }
            ExprNodeKind::Commands(commands) => {
                commands.iter().for_each(|command| self.command(reading, command));
            }
            _ => {}
        }
    }

    /// A unit after `~` that must match single characters.
    fn character(&self, reading: &mut Reading<'_>, node: &ExprNode) {
        if characters(node).is_none() {
            let message = "`~` takes single characters, ranges and character classes here";
            reading.report(Diagnostic::at(MISPLACED, node.span, message));
        }
    }

    fn command(&self, reading: &mut Reading<'_>, command: &CommandSyntax) {
        let Some(argument @ Argument { name, span }) = command.argument else { return };
        match command.kind {
            CommandKind::Type => {
                let node = ExprNode { kind: ExprNodeKind::Name(name), span };
                self.defined(reading, argument);
                self.token(reading, &node);
            }
            CommandKind::Mode | CommandKind::Push => self.mode(reading, argument),
            _ => {}
        }
    }

    fn mode(&self, reading: &mut Reading<'_>, argument: Argument) {
        if self.file.modes.get(&self.file.tree, argument.name).is_some() {
            return;
        }
        let text = self.file.tree.text(argument.name);
        let message = format!("there is no mode `{text}`");
        let mut diagnostic = Diagnostic::at(codes::UNKNOWN_MODE, argument.span, message);
        if reading.keeps_errors() {
            let declared = self.file.modes.declared.iter().take(names::MOST_CANDIDATES);
            let modes = declared.map(|mode| self.file.tree.text(mode.name));
            diagnostic.help = suggest::did_you_mean(text, modes.chain([DEFAULT_MODE]))
                .or_else(|| Some(format!("begin it with `mode {text};`")));
        }
        reading.report(diagnostic);
    }

    /// Reports an undefined name; returns whether it is defined.
    fn defined(&self, reading: &mut Reading<'_>, Argument { name, span }: Argument) -> bool {
        let known = self.meanings.in_lexis(name).is_some();
        if !known {
            let message = format!("nothing defines `{}`", self.file.tree.text(name));
            let mut diagnostic = Diagnostic::at(codes::UNDEFINED_RULE, span, message);
            if reading.keeps_errors() {
                diagnostic.help =
                    names::did_you_mean(&self.file.tree, name, &self.meanings.of_name);
            }
            reading.report(diagnostic);
        }
        known
    }

    fn branches(&self, reading: &mut Reading<'_>, branches: &[Branch]) {
        let marks = branches.iter().filter_map(|branch| branch.marks.as_ref());
        for operand in marks.filter_map(|marks| marks.precedence_of.as_ref()) {
            self.operand(reading, operand);
        }
    }

    /// A terminal of a precedence declaration or mark.
    fn operand(&self, reading: &mut Reading<'_>, node: &ExprNode) {
        if let ExprNodeKind::Name(name) = node.kind {
            let argument = Argument { name, span: node.span };
            if !self.defined(reading, argument) {
                return;
            }
        }
        if self.file.has_tokens() || matches!(node.kind, ExprNodeKind::Name(_)) {
            self.token(reading, node);
        }
    }

    fn levels(&self, reading: &mut Reading<'_>) {
        let mut seen: Map<&str, Span> = Map::default();
        for operand in self.file.levels.iter().flat_map(|level| &level.operands) {
            self.operand(reading, operand);
            let key = self.operand_key(operand);
            if let Some(first) = seen.insert(key, operand.span) {
                let message = format!("`{key}` already has a precedence");
                let diagnostic = Diagnostic::at(REPEATED, operand.span, message);
                reading.report(diagnostic.label(first, "given here"));
            }
        }
    }

    /// A key for the terminal of an operand: the name of the token, or the text of the literal.
    fn operand_key<'k>(&'k self, node: &'k ExprNode) -> &'k str {
        let of_meaning = |meaning| match meaning {
            Meaning::Rule(rule) => self.file.rules[rule].name,
            Meaning::Token(token) => self.file.tokens[token].name.name,
        };
        match &node.kind {
            ExprNodeKind::Name(name) => self.file.tree.text(*name),
            ExprNodeKind::Literal(text) => match self.literals.get(&**text) {
                Some(known) => self.file.tree.text(of_meaning(known.meaning)),
                None => text,
            },
            _ => "",
        }
    }

    /// The start rule: the one that the user requests, the declared one, or the only root.
    fn start(&self, reading: &mut Reading<'_>) -> Option<usize> {
        let syntax_rule = |&index: &usize| {
            let rule = index < self.meanings.rules;
            rule && self.file.sorts[index] == Sort::Syntax
        };
        let of_name = self.meanings.of_name.map(|_, index| index.filter(syntax_rule));
        let rules = Rules { tree: &self.file.tree, rules: &self.file.rules, of_name: &of_name };
        if let Some(asked_for) = rules.asked_for(reading).ok()? {
            return Some(asked_for);
        }
        let Some(&declared) = self.file.starts.first() else {
            return rules.root(reading, SelfReference::Ignored);
        };
        if !self.defined(reading, declared) {
            return None;
        }
        if of_name[declared.name].is_none() {
            let message = "the start must be a syntax rule";
            reading.report(Diagnostic::at(MISPLACED, declared.span, message));
        }
        of_name[declared.name]
    }
}
