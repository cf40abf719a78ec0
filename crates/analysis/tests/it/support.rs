//! Grammars for tests in a minimal notation: `name: 'token' other (x | y)* | ;` with the
//! quantifiers `? * + {n,m}`; `%%` and comments are skipped. Names without a rule are tokens; the
//! first rule is the start rule. A mistake in a text is a panic.

use gramercy_base::{IndexMap, SourceId, Sources, Span};
use gramercy_grammar::{Alternative, ExprId, Grammar, GrammarBuilder, Notation, RuleId, RuleKind};

/// The grammar that a text describes.
pub(crate) fn read(text: &str) -> Grammar {
    let mut sources = Sources::new();
    let source = sources.add("test", text);
    let words = words(text, source);
    let plain = !words.iter().any(|(word, _)| matches!(word.as_str(), "?" | "*" | "+" | "{"));
    let notation = if plain { Notation::Yacc } else { Notation::Native };
    let mut builder = GrammarBuilder::new("test", notation);
    let mut rules = IndexMap::default();
    for pair in words.windows(2).filter(|pair| pair[1].0 == ":") {
        let (name, span) = &pair[0];
        rules.entry(name.clone()).or_insert_with(|| builder.declare(name, RuleKind::Syntax, *span));
    }
    let start = rules[0];
    let mut reader = Reader { words, at: 0, rules, builder };
    while reader.at < reader.words.len() {
        reader.rule();
    }
    reader.builder.finish(start, sources)
}

struct Reader {
    words: Vec<(String, Span)>,
    at: usize,
    rules: IndexMap<String, RuleId>,
    builder: GrammarBuilder,
}

impl Reader {
    fn peek(&self) -> &str {
        &self.words[self.at].0
    }

    fn next(&mut self) -> (String, Span) {
        self.at += 1;
        self.words[self.at - 1].clone()
    }

    fn rule(&mut self) {
        let (name, span) = self.next();
        assert_eq!(self.next().0, ":", "in the rule {name}");
        let alternatives = self.alternatives();
        assert_eq!(self.next().0, ";", "in the rule {name}");
        self.builder.define(self.rules[&name], alternatives, span);
    }

    fn alternatives(&mut self) -> Vec<Alternative> {
        let mut alternatives = Vec::new();
        loop {
            let span = self.words[self.at].1;
            let mut items = Vec::new();
            while !matches!(self.peek(), "|" | ";" | ")") {
                items.push(self.item());
            }
            alternatives.push(Alternative::plain(self.builder.sequence(items, span)));
            if self.peek() != "|" {
                return alternatives;
            }
            self.at += 1;
        }
    }

    fn item(&mut self) -> ExprId {
        let (word, span) = self.next();
        let mut item = if word == "(" {
            let inner = self.alternatives();
            assert_eq!(self.next().0, ")");
            self.builder.alternation(inner, span)
        } else if let Some(&rule) = self.rules.get(&word) {
            self.builder.reference(rule, span)
        } else {
            let token = self.builder.token(&word, Some(span));
            self.builder.leaf(token, span)
        };
        while let Some((min, max)) = self.quantifier() {
            item = self.builder.repeat(item, min, max, true, span);
        }
        item
    }

    fn quantifier(&mut self) -> Option<(u32, Option<u32>)> {
        let bounds = match self.peek() {
            "?" => (0, Some(1)),
            "*" => (0, None),
            "+" => (1, None),
            "{" => {
                let number = |word: &str| word.parse().ok();
                let (min, max) = (&self.words[self.at + 1].0, &self.words[self.at + 3].0);
                let bounds = (number(min).expect("a minimum"), number(max));
                self.at += if bounds.1.is_some() { 4 } else { 3 };
                bounds
            }
            _ => return None,
        };
        self.at += 1;
        Some(bounds)
    }
}

fn words(text: &str, source: SourceId) -> Vec<(String, Span)> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let len = if rest.starts_with("/*") {
            rest.find("*/").expect("a closed comment") + 2
        } else if let Some(quoted) = rest.strip_prefix('\'') {
            quoted.find('\'').expect("a closed quote") + 2
        } else if c.is_alphanumeric() || c == '_' {
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            rest.find(|c| !is_name(c)).unwrap_or(rest.len())
        } else {
            c.len_utf8()
        };
        let word = &rest[..len];
        if !c.is_whitespace() && c != '%' && !word.starts_with("/*") {
            words.push((word.to_owned(), Span::new(source, at, at + len)));
        }
        at += len;
    }
    words
}
