//! Random grammars, as readers of other notations might build them, are equal after writing and
//! reading.

use gramercy_base::{Id, SourceId, Sources, Span};
use gramercy_grammar::{
    Alternative, Associativity, Attributes, Channel, ChannelId, Command, ExprId, Grammar,
    GrammarBuilder, Lexicon, Mode, ModeId, Notation, Precedence, RuleId, RuleKind, TerminalId,
    TerminalKind, TokenRule,
};
use gramercy_regular::CharSet;

use crate::native_write::check_round_trip;

const NAMES: [&str; 10] =
    ["a", "B_1", "c'$", "$@1", "if statement", "token", "EOF", "'gt", "x`y", "Ünïcode"];
const TEXTS: [&str; 9] = ["a", "+", "'", "\"", "\\", "\n", "//", "ä\u{200D}\0", "while"];

struct Random {
    state: u64,
    builder: GrammarBuilder,
    at: usize,
}

impl Random {
    fn new(seed: u64, notation: Notation) -> Self {
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        Self { state, builder: GrammarBuilder::new("random", notation), at: 0 }
    }

    fn below(&mut self, n: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state % n as u64).expect("small")
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn reference(&mut self, rules: &[RuleId]) -> ExprId {
        let (rule, span) = (self.pick(rules), self.span());
        self.builder.reference(rule, span)
    }

    fn token(&mut self, tokens: &[TerminalId]) -> ExprId {
        let (token, span) = (self.pick(tokens), self.span());
        self.builder.leaf(token, span)
    }

    /// A span after all earlier ones.
    fn span(&mut self) -> Span {
        self.at += 1;
        Span::new(SourceId::from_index(0), self.at, self.at)
    }

    fn chars(&mut self) -> TerminalKind {
        let ranges = (0..self.below(4)).map(|_| {
            let first = [0, 9, 45, 91, 92, 93, 94, 97, 0xD800, 0x2028, 0x10_FFFF][self.below(11)];
            (first, first + [0, 1, 2, 25][self.below(4)])
        });
        let set = CharSet::from_ranges(ranges.collect::<Vec<_>>());
        let set = set.intersection(&CharSet::any());
        TerminalKind::Chars(if self.one_in(3) { set.complement() } else { set })
    }

    fn text_leaf(&mut self) -> ExprId {
        let kind = match self.below(6) {
            0 => TerminalKind::Eof,
            1 => TerminalKind::empty(),
            2 | 3 => self.chars(),
            _ => TerminalKind::Literal(self.pick(&TEXTS).into()),
        };
        let span = self.span();
        let terminal = self.builder.terminal(kind, "?", span);
        self.builder.leaf(terminal, span)
    }

    /// An expression of at most this depth.
    fn expr(&mut self, depth: usize, leaf: &mut dyn FnMut(&mut Self) -> ExprId) -> ExprId {
        let expr = match if depth == 0 { 0 } else { self.below(6) } {
            1 | 2 => {
                let items = (0..self.below(4)).map(|_| self.expr(depth - 1, leaf)).collect();
                let span = self.span();
                self.builder.sequence(items, span)
            }
            3 => {
                let alternatives = (0..=self.below(3)).map(|_| self.alternative(depth - 1, leaf));
                let alternatives = alternatives.collect();
                let span = self.span();
                self.builder.alternation(alternatives, span)
            }
            4 => {
                let body = self.expr(depth - 1, leaf);
                let min = u32::try_from(self.below(3)).expect("small");
                let max = [None, Some(min), Some(min + 1), Some(1.max(min))][self.below(4)];
                let greedy = !self.one_in(3);
                let span = self.span();
                self.builder.repeat(body, min, max, greedy, span)
            }
            _ => return leaf(self),
        };
        if self.one_in(6) {
            let label = self.pick(&NAMES);
            self.builder.label(expr, label);
        }
        expr
    }

    fn alternative(
        &mut self,
        depth: usize,
        leaf: &mut dyn FnMut(&mut Self) -> ExprId,
    ) -> Alternative {
        let expr = self.expr(depth, leaf);
        let attributes = self.one_in(3).then(|| {
            let label = self.pick(&NAMES);
            let probability = [0.0, 0.125, 0.1, 1e-9][self.below(4)];
            let sides = [Associativity::Left, Associativity::Right, Associativity::Never];
            Box::new(Attributes {
                label: self.one_in(2).then(|| label.into()),
                probability: self.one_in(2).then_some(probability),
                precedence_of: None,
                associativity: self.one_in(2).then(|| sides[self.below(3)]),
                dynamic_precedence: Some(7),
            })
        });
        Alternative { expr, attributes }
    }

    fn define(&mut self, rule: RuleId, leaf: &mut dyn FnMut(&mut Self) -> ExprId) {
        let alternatives = (0..=self.below(3)).map(|_| self.alternative(3, leaf)).collect();
        let span = self.span();
        self.builder.define(rule, alternatives, span);
    }

    fn declare(&mut self, kind: &RuleKind, prefix: &str) -> Vec<RuleId> {
        let declare = |(index, name): (usize, &&str)| {
            let span = self.span();
            self.builder.declare(&format!("{prefix}{name}{index}"), kind.clone(), span)
        };
        NAMES.iter().enumerate().map(declare).collect()
    }

    fn finish(self, start: RuleId) -> Grammar {
        let mut sources = Sources::new();
        sources.add("random", " ".repeat(self.at));
        self.builder.finish(start, sources)
    }
}

fn scannerless(seed: u64) -> Grammar {
    let mut random = Random::new(seed, Notation::Tribble);
    let rules = random.declare(&RuleKind::Syntax, "");
    for &rule in &rules {
        random.define(rule, &mut |random| {
            if random.one_in(2) {
                return random.text_leaf();
            }
            random.reference(&rules)
        });
    }
    random.finish(rules[usize::from(seed.is_multiple_of(2))])
}

/// Token types as yacc has them: names, aliases, quoted characters.
fn yacc_tokens(random: &mut Random) -> Vec<TerminalId> {
    let (mut tokens, mut level) = (Vec::new(), 0);
    for name in ["NUM", "'+'", "'\\n'", "\"<=\"", "LE", "UMINUS", "error", "'\\''"] {
        let span = random.span();
        let token = random.builder.token(name, Some(span));
        let text = match name {
            "'+'" => Some("+"),
            "'\\n'" => Some("\n"),
            "\"<=\"" | "LE" => Some("<="),
            "'\\''" => Some("'"),
            _ => None,
        };
        if let Some(text) = text {
            random.builder.set_token_text(token, text);
        }
        if random.one_in(2) {
            level += 1;
            let associativity =
                if level % 2 == 0 { Associativity::Left } else { Associativity::Never };
            random.builder.set_precedence(token, Precedence { level, associativity });
        }
        tokens.push(token);
    }
    tokens
}

/// Productions in any order, as a yacc file may have them.
fn tokens_only(seed: u64) -> Grammar {
    let mut random = Random::new(seed, Notation::Yacc);
    let tokens = yacc_tokens(&mut random);
    let rules = random.declare(&RuleKind::Syntax, "");
    for round in 0..2 {
        for &rule in &rules {
            let items = (0..random.below(4)).map(|_| {
                if random.one_in(2) { random.token(&tokens) } else { random.reference(&rules) }
            });
            let items: Vec<_> = items.collect();
            let span = random.span();
            let expr = random.builder.sequence(items, span);
            let precedence_of = Some(random.pick(&tokens));
            let attributes = Attributes { precedence_of, ..Attributes::default() };
            let attributes = (round == 1).then(|| Box::new(attributes));
            random.builder.define(rule, vec![Alternative { expr, attributes }], span);
        }
    }
    random.finish(rules[0])
}

fn lexed(seed: u64) -> Grammar {
    let mut random = Random::new(seed, Notation::Antlr4);
    let syntax = random.declare(&RuleKind::Syntax, "");
    let modes = 1 + random.below(3);
    let mut tokens = Vec::new();
    let mut token_rules = Vec::new();
    for index in 0..6 {
        let (name, span) = (format!("T{index}"), random.span());
        let token = random.builder.token(&name, Some(span));
        let mode = ModeId::from_index(random.below(modes));
        let kind = TokenRule { mode, token, ignore_case: random.one_in(3), implicit: false };
        tokens.push(token);
        token_rules.push((random.builder.declare(&name, RuleKind::Token(kind), span), mode));
    }
    let span = random.span();
    tokens.push(random.builder.token("DECLARED", Some(span)));
    let fragments =
        random.declare(&RuleKind::Fragment { ignore_case: seed.is_multiple_of(2) }, "F");
    let names: Vec<_> =
        token_rules.iter().map(|(rule, _)| *rule).chain(fragments.clone()).collect();
    for &rule in &names {
        random.define(rule, &mut |random| {
            let span = random.span();
            match random.below(6) {
                0 => random.reference(&names),
                1 => {
                    let commands = [
                        Command::Skip,
                        Command::More,
                        Command::PopMode,
                        Command::Type(random.pick(&tokens)),
                        Command::Channel(ChannelId::from_index(random.below(2))),
                        Command::Mode(ModeId::from_index(random.below(modes))),
                        Command::PushMode(ModeId::from_index(0)),
                    ];
                    let commands = (0..=random.below(2)).map(|_| random.pick(&commands)).collect();
                    random.builder.commands(commands, span)
                }
                _ => random.text_leaf(),
            }
        });
    }
    let implicit = define_implicit(&mut random, &mut tokens);
    for &rule in &syntax {
        random.define(rule, &mut |random| {
            let span = random.span();
            match random.below(8) {
                0 | 1 => random.reference(&syntax),
                2 => random.builder.eof(span),
                3 => {
                    let mut but: Vec<_> =
                        tokens.iter().copied().filter(|_| random.one_in(3)).collect();
                    but.sort_unstable();
                    let kind = TerminalKind::AnyTokenBut(but.into());
                    let terminal = random.builder.terminal(kind, "?", span);
                    random.builder.leaf(terminal, span)
                }
                _ => random.token(&tokens),
            }
        });
    }
    let mode = |index: usize| Mode {
        name: ["DEFAULT_MODE", "INSIDE", "STRING"][index].into(),
        span: None,
        rules: implicit
            .iter()
            .map(|&rule| (rule, ModeId::from_index(0)))
            .chain(token_rules.iter().copied())
            .filter(|&(_, mode)| mode.index() == index)
            .map(|(rule, _)| rule)
            .collect(),
    };
    let channel = |name: &str| Channel { name: name.into() };
    random.builder.set_lexicon(Lexicon {
        modes: (0..modes).map(mode).collect(),
        channels: ["DEFAULT_TOKEN_CHANNEL", "HIDDEN"].map(channel).into_iter().collect(),
    });
    random.finish(syntax[0])
}

/// Literals that only occur in syntax rules. All must be used there, in this order.
fn define_implicit(random: &mut Random, tokens: &mut Vec<TerminalId>) -> Vec<RuleId> {
    let mut rules = Vec::new();
    let mut items = Vec::new();
    for (name, text) in [("'<<'", "<<"), ("\"x\\n\"", "x\n"), ("'\\u0041'", "A")] {
        let span = random.span();
        let token = random.builder.token(name, Some(span));
        random.builder.set_token_text(token, text);
        items.push(random.builder.leaf(token, span));
        let kind =
            TokenRule { mode: ModeId::from_index(0), token, ignore_case: true, implicit: true };
        let rule = random.builder.declare(name, RuleKind::Token(kind), span);
        let literal = random.builder.literal(text, name, span);
        random.builder.define(rule, vec![Alternative::plain(literal)], span);
        tokens.push(token);
        rules.push(rule);
    }
    let span = random.span();
    let sequence = random.builder.sequence(items, span);
    random.builder.define(RuleId::from_index(0), vec![Alternative::plain(sequence)], span);
    rules
}

#[test]
fn random_grammars_survive() {
    for seed in 0..200 {
        check_round_trip(&format!("scannerless {seed}"), &scannerless(seed));
        check_round_trip(&format!("tokens only {seed}"), &tokens_only(seed));
        check_round_trip(&format!("lexed {seed}"), &lexed(seed));
    }
}
