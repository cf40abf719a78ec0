//! A lexer and a parser that are too simple to be wrong: longest match by trying all ends, and Earley's algorithm by
//! adding items until nothing changes. They share no code with the library, and say what fast code must say too.

use std::collections::BTreeSet;

use gramercy_testkit::random::Random;

/// A set of characters that occurs once, any number of times, or at least once.
#[derive(Clone)]
struct Part {
    chars: &'static str,
    repeats: char,
}

/// A token rule, which the parser may not see.
struct TokenRule {
    name: &'static str,
    parts: Vec<Part>,
    is_skipped: bool,
}

/// A symbol of a production.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Symbol {
    Token(usize),
    Rule(usize),
}

/// A random grammar with a random lexer.
pub(crate) struct Naive {
    tokens: Vec<TokenRule>,
    /// Left-hand sides and right-hand sides; rule 0 is the start.
    productions: Vec<(usize, Vec<Symbol>)>,
}

/// An item: a production, how much of it was read, and where it began.
type Item = (usize, usize, usize);

/// The first error of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FirstError {
    pub(crate) token: usize,
    pub(crate) byte: usize,
    /// `lexical`, `end`, or nothing for a token that cannot come.
    pub(crate) class: &'static str,
    pub(crate) expected: BTreeSet<String>,
}

const TOKENS: [&str; 4] = ["A", "B", "C", "D"];
const RULES: [&str; 3] = ["S", "T", "U"];
const SETS: [&str; 5] = ["a", "b", "c", "ab", "bc"];

impl Naive {
    /// The grammar of a seed.
    pub(crate) fn random(random: &mut Random) -> Self {
        let part = |random: &mut Random| Part {
            chars: SETS[random.below(SETS.len())],
            repeats: *random.pick(&['1', '1', '1', '+', '*']),
        };
        let mut tokens: Vec<TokenRule> = Vec::new();
        for name in TOKENS {
            let mut parts: Vec<Part> = (0..=random.below(3)).map(|_| part(random)).collect();
            // No token is empty.
            parts[0].repeats = if parts[0].repeats == '*' { '+' } else { parts[0].repeats };
            tokens.push(TokenRule { name, parts, is_skipped: false });
        }
        let one = |chars| Part { chars, repeats: '1' };
        let space = vec![Part { chars: " ", repeats: '+' }];
        tokens.push(TokenRule { name: "SPACE", parts: space, is_skipped: true });
        let note = vec![one("#"), Part { chars: "ab", repeats: '*' }, one(";")];
        tokens.push(TokenRule { name: "NOTE", parts: note, is_skipped: true });
        let mut productions = Vec::new();
        for rule in 0..RULES.len() {
            for _ in 0..=random.below(3) {
                let symbol = |random: &mut Random| match random.below(7) {
                    it @ 0..=3 => Symbol::Token(it),
                    it => Symbol::Rule(it - 4),
                };
                let length = random.below(4);
                productions.push((rule, (0..length).map(|_| symbol(random)).collect()));
            }
            // Every rule derives something.
            productions.push((rule, vec![Symbol::Token(random.below(4))]));
        }
        Self { tokens, productions }
    }

    /// The grammar in our own notation.
    pub(crate) fn grammar(&self) -> String {
        let mut text = String::new();
        for (rule, name) in RULES.iter().enumerate() {
            let of = self.productions.iter().filter(|(lhs, _)| *lhs == rule);
            let alternatives: Vec<String> = of
                .map(|(_, rhs)| match &rhs[..] {
                    [] => "\"\"".to_owned(),
                    rhs => {
                        rhs.iter().map(|symbol| self.name(*symbol)).collect::<Vec<_>>().join(" ")
                    }
                })
                .collect();
            text += &format!("{name} := {};\n", alternatives.join(" | "));
        }
        for TokenRule { name, parts, is_skipped } in &self.tokens {
            let parts: Vec<String> = parts
                .iter()
                .map(|part| match part.repeats {
                    '1' => format!("[{}]", part.chars),
                    repeats => format!("[{}]{repeats}", part.chars),
                })
                .collect();
            let kind = if *is_skipped { "skip" } else { "token" };
            text += &format!("{kind} {name} := {};\n", parts.join(" "));
        }
        text
    }

    fn name(&self, symbol: Symbol) -> &'static str {
        match symbol {
            Symbol::Token(token) => self.tokens[token].name,
            Symbol::Rule(rule) => RULES[rule],
        }
    }

    /// In which sets of the lexer a character is: what it can be told from others by.
    pub(crate) fn class(&self, c: char) -> String {
        let parts = self.tokens.iter().flat_map(|rule| &rule.parts);
        parts.map(|part| if part.chars.contains(c) { '1' } else { '0' }).collect()
    }

    /// The tokens of a text with their first bytes, and where no further one can be made.
    pub(crate) fn lex(&self, text: &str) -> (Vec<(usize, usize)>, Option<usize>) {
        let (mut found, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let end_of = |rule: &TokenRule| ends(&rule.parts, &text[at..]).into_iter().max();
            let ends = self.tokens.iter().map(|rule| end_of(rule).unwrap_or(0));
            let Some((token, length)) = ends
                .enumerate()
                .filter(|(_, length)| *length > 0)
                .max_by_key(|&(token, length)| (length, std::cmp::Reverse(token)))
            else {
                return (found, Some(at));
            };
            if !self.tokens[token].is_skipped {
                found.push((token, at));
            }
            at += length;
        }
        (found, None)
    }

    /// The items after each of some tokens, as far as they can come.
    fn read(&self, tokens: &[usize]) -> Vec<BTreeSet<Item>> {
        let starts = (0..self.productions.len()).filter(|&of| self.productions[of].0 == 0);
        let mut sets = vec![self.closed(starts.map(|of| (of, 0, 0)).collect(), &[])];
        for &token in tokens {
            let last = sets.last().expect("there is a first set");
            let moved = last.iter().filter(|item| self.next(item) == Some(Symbol::Token(token)));
            let moved: BTreeSet<Item> = moved.map(|&(of, dot, from)| (of, dot + 1, from)).collect();
            if moved.is_empty() {
                break;
            }
            let closed = self.closed(moved, &sets);
            sets.push(closed);
        }
        sets
    }

    fn next(&self, &(of, dot, _): &Item) -> Option<Symbol> {
        self.productions[of].1.get(dot).copied()
    }

    /// Adds items until nothing changes.
    fn closed(&self, mut items: BTreeSet<Item>, before: &[BTreeSet<Item>]) -> BTreeSet<Item> {
        let here = before.len();
        loop {
            let mut more = Vec::new();
            for item in &items {
                match self.next(item) {
                    Some(Symbol::Rule(rule)) => {
                        let of = (0..self.productions.len())
                            .filter(|&of| self.productions[of].0 == rule);
                        more.extend(of.map(|of| (of, 0, here)));
                    }
                    Some(Symbol::Token(_)) => {}
                    None => {
                        let (of, _, from) = *item;
                        let rule = Symbol::Rule(self.productions[of].0);
                        let waiting = if from == here { &items } else { &before[from] };
                        let waiting = waiting.iter().filter(|item| self.next(item) == Some(rule));
                        more.extend(waiting.map(|&(of, dot, from)| (of, dot + 1, from)));
                    }
                }
            }
            let count = items.len();
            items.extend(more);
            if items.len() == count {
                return items;
            }
        }
    }

    fn is_complete(&self, items: &BTreeSet<Item>) -> bool {
        items
            .iter()
            .any(|item| item.2 == 0 && self.productions[item.0].0 == 0 && self.next(item).is_none())
    }

    /// Whether tokens are a sentence.
    pub(crate) fn is_sentence(&self, tokens: &[usize]) -> bool {
        let sets = self.read(tokens);
        sets.len() == tokens.len() + 1 && self.is_complete(&sets[tokens.len()])
    }

    /// The first error of a text; `None` if it is in the language.
    pub(crate) fn first_error(&self, text: &str) -> Option<FirstError> {
        let (found, stopped) = self.lex(text);
        let tokens: Vec<usize> = found.iter().map(|(token, _)| *token).collect();
        let sets = self.read(&tokens);
        let (token, items) = (sets.len() - 1, sets.last().expect("there is a first set"));
        let (byte, class) = match (found.get(token), stopped) {
            (Some((_, start)), _) => (*start, ""),
            (None, Some(byte)) => (byte, "lexical"),
            (None, None) if self.is_complete(items) => return None,
            (None, None) => (text.len(), "end"),
        };
        let next = items.iter().filter_map(|item| self.next(item));
        let names = next.filter(|symbol| matches!(symbol, Symbol::Token(_)));
        let mut expected: BTreeSet<String> =
            names.map(|token| self.name(token).to_owned()).collect();
        if self.is_complete(items) {
            expected.insert("end of input".to_owned());
        }
        Some(FirstError { token, byte, class, expected })
    }

    /// The tokens of syntax rules that some text of at most four letters is.
    pub(crate) fn written_tokens(&self) -> BTreeSet<usize> {
        let is_used = |token: &usize| {
            self.productions.iter().any(|(_, rhs)| rhs.contains(&Symbol::Token(*token)))
        };
        let alone = texts("abc", 4).into_iter().filter_map(|text| match self.lex(&text) {
            (found, None) if found.len() == 1 => Some(found[0].0),
            _ => None,
        });
        alone.filter(is_used).collect()
    }
}

/// Where a token rule can end at the begin of a text.
fn ends(parts: &[Part], text: &str) -> BTreeSet<usize> {
    let Some((first, rest)) = parts.split_first() else { return BTreeSet::from([0]) };
    let fits = |at: usize| text[at..].chars().next().is_some_and(|c| first.chars.contains(c));
    let (mut found, mut at) = (BTreeSet::new(), 0);
    if first.repeats == '*' {
        found.extend(ends(rest, text));
    }
    while fits(at) {
        at += 1;
        found.extend(ends(rest, &text[at..]).into_iter().map(|end| at + end));
        if first.repeats == '1' {
            break;
        }
    }
    found
}

/// All texts of some characters up to a length.
pub(crate) fn texts(characters: &str, longest: usize) -> Vec<String> {
    let (mut all, mut last) = (vec![String::new()], 0);
    for _ in 0..longest {
        let until = all.len();
        for at in last..until {
            let longer = characters.chars().map(|c| format!("{}{c}", all[at]));
            let longer: Vec<String> = longer.collect();
            all.extend(longer);
        }
        last = until;
    }
    all
}
