//! Random small lexers in ANTLR's notation, and random texts over their alphabet.

use crate::random::Random;

/// The features of a random lexer.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    /// The maximal number of modes.
    pub modes: usize,
    /// The maximal number of rules per mode.
    pub rules_per_mode: usize,
    /// The maximal number of fragments.
    pub fragments: usize,
    /// Whether rules may refer to themselves and to each other.
    pub recursion: bool,
    /// Whether rules may contain the end of input.
    pub eof: bool,
    /// Whether rules may have commands.
    pub commands: bool,
    /// Whether most modes have a rule that skips blanks.
    pub blanks: bool,
}

impl Features {
    /// All features.
    pub const ALL: Features = Features {
        modes: 3,
        rules_per_mode: 5,
        fragments: 2,
        recursion: true,
        eof: true,
        commands: true,
        blanks: true,
    };
}

/// The characters of random texts.
pub const LETTERS: [char; 6] = ['a', 'b', 'c', ' ', '\n', 'é'];

/// A text of up to `length` letters.
pub fn random_text(random: &mut Random, length: usize) -> String {
    // Texts over fewer letters match more rules.
    let letters = 2 + random.below(LETTERS.len() - 1);
    (0..random.below(length + 1)).map(|_| *random.pick(&LETTERS[..letters])).collect()
}

/// The rules of a random lexer. ANTLR may reject some of them.
#[must_use]
pub fn random_lexer(random: &mut Random, features: &Features) -> String {
    let modes = 1 + random.below(features.modes);
    let counts: Vec<_> = (0..modes).map(|_| 1 + random.below(features.rules_per_mode)).collect();
    let fragments = random.below(features.fragments + 1);
    let mut generator = LexerGenerator { random, features, counts, fragments, text: String::new() };
    for mode in 0..modes {
        generator.mode(mode);
    }
    for fragment in 0..fragments {
        let body = generator.alternatives(2, Some(RuleContext::Fragment(fragment)));
        generator.text += &format!("fragment F{fragment} : {body} ;\n");
    }
    generator.text
}

/// The rules of a parser, `P`, for all strings over the tokens of a lexer, `L`, in nested groups.
#[must_use]
pub fn parser_over(rules: &str) -> String {
    let name = |line: &str| {
        let name = line.split([':', ' ']).next()?;
        let is_token = name.starts_with(|c: char| c.is_ascii_uppercase());
        is_token.then(|| name.to_owned())
    };
    let names: Vec<String> = rules.lines().filter_map(name).collect();
    let tokens = names.join(" | ");
    format!("parser grammar P; options {{ tokenVocab = L; }} s: (t s?)*; t: {tokens};")
}

/// The kind of rule that contains an expression, if references are allowed in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RuleContext {
    Rule(usize, usize),
    Fragment(usize),
}

struct LexerGenerator<'r> {
    random: &'r mut Random,
    features: &'r Features,
    /// The number of rules of each mode.
    counts: Vec<usize>,
    fragments: usize,
    text: String,
}

impl LexerGenerator<'_> {
    fn mode(&mut self, mode: usize) {
        if mode > 0 {
            self.text += &format!("mode M{mode} ;\n");
        }
        for rule in 0..self.counts[mode] {
            self.rule(mode, rule);
        }
        if self.features.blanks && !self.random.one_in(4) {
            let blanks = *self.random.pick(&["' '", "[ \\n]+", "' '+", "' ' | '\\n'"]);
            self.text += &format!("W{mode} : ({blanks}) -> skip ;\n");
        }
    }

    fn rule(&mut self, mode: usize, rule: usize) {
        let body = match self.random.one_in(3) {
            true => format!("({})", self.alternatives(2, Some(RuleContext::Rule(mode, rule)))),
            false => self.sequence(2, Some(RuleContext::Rule(mode, rule))),
        };
        let commands = self.commands();
        self.text += &format!("T{mode}{rule} : {body}{commands} ;\n");
    }

    fn commands(&mut self) -> String {
        if !self.features.commands || self.random.below(10) < 5 {
            return String::new();
        }
        let count = if self.random.one_in(4) { 2 } else { 1 };
        let commands: Vec<_> = (0..count).map(|_| self.command()).collect();
        format!(" -> {}", commands.join(", "))
    }

    fn command(&mut self) -> String {
        let mode = self.random.below(self.counts.len());
        let mode = if mode == 0 { "DEFAULT_MODE".to_owned() } else { format!("M{mode}") };
        match self.random.below(9) {
            0 | 1 => "skip".into(),
            2 => "more".into(),
            3 => "channel(HIDDEN)".into(),
            4 => {
                let mode = self.random.below(self.counts.len());
                format!("type(T{mode}{})", self.random.below(self.counts[mode]))
            }
            5 => format!("mode({mode})"),
            6 | 7 => format!("pushMode({mode})"),
            _ => "popMode".into(),
        }
    }

    fn alternatives(&mut self, depth: usize, context: Option<RuleContext>) -> String {
        let count = 1 + self.random.below(3);
        let alternatives: Vec<_> = (0..count).map(|_| self.sequence(depth, context)).collect();
        alternatives.join(" | ")
    }

    fn sequence(&mut self, depth: usize, context: Option<RuleContext>) -> String {
        let count = 1 + self.random.below(3);
        let items: Vec<_> = (0..count).map(|at| self.item(depth, context, at > 0)).collect();
        items.join(" ")
    }

    fn item(&mut self, depth: usize, context: Option<RuleContext>, after_item: bool) -> String {
        let atom = self.atom(depth, context, after_item);
        let quantifier = match self.random.below(12) {
            0 => "?",
            1 => "*",
            2 => "+",
            3 => "??",
            4 | 5 => "*?",
            6 => "+?",
            _ => "",
        };
        format!("{atom}{quantifier}")
    }

    fn atom(&mut self, depth: usize, context: Option<RuleContext>, after_item: bool) -> String {
        match self.random.below(14) {
            0 | 1 if depth > 0 => format!("({})", self.alternatives(depth - 1, context)),
            2 => self.reference(context, after_item),
            3 => ".".into(),
            4 => self.random.pick(&["[ab]", "[a-c]", "[bcé]", "[a\\n]"]).to_string(),
            5 => self.random.pick(&["~'a'", "~[bc]", "~[\\n ]"]).to_string(),
            6 if self.features.eof && self.random.one_in(3) => "EOF".into(),
            7..=9 => self.random.pick(&["'ab'", "'abc'", "'aa'", "'ba'", "'cab'"]).to_string(),
            _ => self.random.pick(&["'a'", "'b'", "'c'", "'a'", "'b'", "'é'"]).to_string(),
        }
    }

    fn reference(&mut self, context: Option<RuleContext>, after_item: bool) -> String {
        if self.features.recursion && after_item && self.random.one_in(2) {
            let mode = self.random.below(self.counts.len());
            return format!("T{mode}{}", self.random.below(self.counts[mode]));
        }
        // Fragments refer only to later ones, so they are not recursive.
        let first = if let Some(RuleContext::Fragment(own)) = context { own + 1 } else { 0 };
        if first < self.fragments {
            return format!("F{}", first + self.random.below(self.fragments - first));
        }
        "'b'".into()
    }
}
