//! Right-hand sides as words. Nesting is on an explicit stack.

use gramercy_base::{Id, Table};
use gramercy_grammar::{
    Alternative, Associativity, Attributes, ChannelId, Command, ExprId, ExprKind, Grammar,
    TerminalId, TerminalKind, quantifier,
};

use super::layout::Words;
use super::spelling;
use super::syntax::DEFAULT_CHANNEL;
use super::write::mode_name;

/// The context for turning expressions into words.
#[derive(Clone, Copy)]
pub(super) struct Phrasing<'g> {
    pub(super) grammar: &'g Grammar,
    /// The spelling of each terminal.
    pub(super) spellings: &'g Table<TerminalId, Box<str>>,
}

impl<'g> Phrasing<'g> {
    /// The words of an alternative.
    pub(super) fn alternative(self, alternative: &'g Alternative) -> Words {
        self.phrase(alternative, None)
    }

    /// The words of an alternative that [`skips`](Self::skips), without that command.
    pub(super) fn without_skip(self, alternative: &'g Alternative) -> Words {
        self.phrase(alternative, Some(self.last(alternative.expr)))
    }

    fn phrase(self, alternative: &'g Alternative, skip: Option<ExprId>) -> Words {
        let (words, tasks) = (Words::new(), Vec::new());
        let mut phrase = Phrase { phrasing: self, skip, words, tasks, open: false, bar: false };
        phrase.push_alternative(alternative);
        while let Some(task) = phrase.tasks.pop() {
            phrase.run(task);
        }
        phrase.words
    }

    /// Whether an alternative ends with commands that begin with `skip`.
    pub(super) fn skips(self, expr: ExprId) -> bool {
        let last = self.grammar.expr(self.last(expr));
        let unlabelled = last.label.is_none() && self.grammar.expr(expr).label.is_none();
        let skip = |commands: &[Command]| commands.first() == Some(&Command::Skip);
        unlabelled && matches!(&last.kind, ExprKind::Commands(commands) if skip(commands))
    }

    /// The last item of an alternative.
    fn last(self, expr: ExprId) -> ExprId {
        match &self.grammar.expr(expr).kind {
            ExprKind::Sequence(items) => items.last().copied().unwrap_or(expr),
            _ => expr,
        }
    }

    fn command(self, command: Command) -> String {
        let mode = |mode| mode_name(self.grammar.lexicon(), mode);
        match command {
            Command::Skip => "skip".into(),
            Command::More => "more".into(),
            Command::PopMode => "pop".into(),
            Command::Mode(to) => format!("mode({})", mode(to)),
            Command::PushMode(to) => format!("push({})", mode(to)),
            Command::Channel(to) => format!("channel({})", self.channel(to)),
            Command::Type(to) => {
                let token = spelling::token_name(&self.grammar.terminals()[to]);
                format!("type({})", spelling::name(token))
            }
        }
    }

    fn channel(self, channel: ChannelId) -> String {
        match self.grammar.lexicon().and_then(|lexicon| lexicon.channels.get(channel)) {
            Some(known) if channel.index() > 0 => spelling::name(&known.name),
            _ => DEFAULT_CHANNEL.into(),
        }
    }
}

/// The position of an expression, which decides whether it needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExprPosition {
    /// A whole alternative.
    Alternative,
    /// An item of a sequence, but not the last one.
    Item,
    /// The last item of a sequence.
    LastItem,
    /// An expression with a quantifier or a label.
    Operand,
}

/// A pending output.
enum PendingWord<'g> {
    Expr(ExprId, ExprPosition),
    /// The marks after an alternative.
    Marks(&'g Attributes),
    /// The word before the items of an alternative.
    Associativity(&'static str),
    /// A prefix of the next word, on the same line.
    Bar,
    /// A suffix of the last word.
    Glued(String),
}

/// A right-hand side that is being turned into words.
struct Phrase<'g> {
    phrasing: Phrasing<'g>,
    /// Commands whose first one is omitted.
    skip: Option<ExprId>,
    words: Words,
    tasks: Vec<PendingWord<'g>>,
    /// Whether the next word is appended to the last one.
    open: bool,
    /// Whether a bar is before the next word.
    bar: bool,
}

impl<'g> Phrase<'g> {
    fn word(&mut self, text: impl Into<String>) {
        let text = text.into();
        if std::mem::take(&mut self.open)
            && let Some(last) = self.words.last_mut()
        {
            last.push_str(&text);
            return;
        }
        let bar = if std::mem::take(&mut self.bar) { "| " } else { "" };
        self.words.push(format!("{bar}{text}"));
    }

    /// A word to which the next one is appended.
    fn opening(&mut self, text: impl Into<String>) {
        self.word(text);
        self.open = true;
    }

    fn run(&mut self, task: PendingWord<'g>) {
        match task {
            PendingWord::Expr(expr, position) => self.expr(expr, position),
            PendingWord::Marks(attributes) => self.marks(attributes),
            PendingWord::Associativity(word) => self.word(word),
            PendingWord::Bar => self.bar = true,
            PendingWord::Glued(text) => {
                self.open = true;
                self.word(text);
            }
        }
    }

    fn push_alternative(&mut self, alternative: &'g Alternative) {
        if let Some(attributes) = &alternative.attributes {
            self.tasks.push(PendingWord::Marks(attributes));
        }
        self.tasks.push(PendingWord::Expr(alternative.expr, ExprPosition::Alternative));
        let associativity = alternative.attributes.as_ref().and_then(|of| of.associativity);
        match associativity {
            Some(Associativity::Left) => self.tasks.push(PendingWord::Associativity("<left>")),
            Some(Associativity::Right) => self.tasks.push(PendingWord::Associativity("<right>")),
            Some(Associativity::Never) => self.tasks.push(PendingWord::Associativity("<nonassoc>")),
            Some(Associativity::Undeclared) | None => {}
        }
    }

    fn expr(&mut self, id: ExprId, position: ExprPosition) {
        let expr = self.phrasing.grammar.expr(id);
        let position = match &expr.label {
            Some(label) => {
                self.opening(format!("{}=", spelling::name(label)));
                ExprPosition::Operand
            }
            None => position,
        };
        match &expr.kind {
            ExprKind::Terminal(terminal) => self.word(&*self.phrasing.spellings[*terminal]),
            ExprKind::Rule(rule) => {
                let name = spelling::name(&self.phrasing.grammar.rules()[*rule].name);
                self.word(name);
            }
            ExprKind::Sequence(items) => {
                self.parentheses(position != ExprPosition::Alternative);
                let (last, others) = items.split_last().expect("invariant: two or more items");
                self.tasks.push(PendingWord::Expr(*last, ExprPosition::LastItem));
                self.tasks.extend(
                    others.iter().rev().map(|&item| PendingWord::Expr(item, ExprPosition::Item)),
                );
            }
            ExprKind::Alternation(alternatives) => {
                self.parentheses(true);
                for (index, alternative) in alternatives.iter().enumerate().rev() {
                    self.push_alternative(alternative);
                    if index > 0 {
                        self.tasks.push(PendingWord::Bar);
                    }
                }
            }
            &ExprKind::Repeat { body, min, max, greedy } => {
                self.parentheses(position == ExprPosition::Operand);
                self.tasks.push(PendingWord::Glued(native_quantifier(min, max, greedy)));
                self.tasks.push(PendingWord::Expr(body, ExprPosition::Operand));
            }
            ExprKind::Commands(commands) => {
                self.parentheses(!matches!(
                    position,
                    ExprPosition::Alternative | ExprPosition::LastItem
                ));
                self.commands(&commands[usize::from(self.skip == Some(id))..]);
            }
        }
    }

    /// Opens a parenthesis if needed, and schedules its end after the expressions that are pushed
    /// next.
    fn parentheses(&mut self, wanted: bool) {
        if wanted {
            self.opening("(");
            self.tasks.push(PendingWord::Glued(")".into()));
        }
    }

    fn commands(&mut self, commands: &[Command]) {
        for (index, &command) in commands.iter().enumerate() {
            if index == 0 {
                self.word("->");
            }
            let comma = if index + 1 < commands.len() { "," } else { "" };
            self.word(format!("{}{comma}", self.phrasing.command(command)));
        }
    }

    fn marks(&mut self, attributes: &Attributes) {
        if let Some(probability) = attributes.probability {
            self.word(format!("@@ {probability}"));
        }
        // The end of input has no precedence here, so no alternative can refer to it.
        let is_token =
            |id: &TerminalId| self.phrasing.grammar.terminals()[*id].kind != TerminalKind::Eof;
        if let Some(terminal) = attributes.precedence_of.filter(is_token) {
            self.word(format!("%prec {}", self.phrasing.spellings[terminal]));
        }
        if let Some(number) = attributes.dynamic_precedence {
            self.word(format!("%dprec {number}"));
        }
        if let Some(label) = &attributes.label {
            self.word(format!("# {}", spelling::name(label)));
        }
    }
}

/// A quantifier of the native notation, which writes `{,N}` without the zero.
fn native_quantifier(min: u32, max: Option<u32>, greedy: bool) -> String {
    let quantifier = match (min, max) {
        (0, Some(max @ 2..)) => format!("{{,{max}}}"),
        _ => quantifier(min, max),
    };
    if greedy { quantifier } else { quantifier + "?" }
}
