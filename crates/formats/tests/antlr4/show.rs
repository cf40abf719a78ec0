//! Loads grammars from memory and shows them in a line or two per rule.

use std::path::Path;

use gramercy_base::Severity;
use gramercy_formats::{LoadOptions, Loaded, Memory, load};
use gramercy_grammar::{
    Command, Expr, ExprId, ExprKind, Grammar, Rule, RuleKind, TerminalId, TerminalKind,
};

/// Loads `T.g4` and the other files.
pub(crate) fn load_files(files: &Memory, main: &str) -> Loaded {
    load(Path::new(main), files, &LoadOptions::default())
}

/// Loads one file.
pub(crate) fn load_text(text: &str) -> Loaded {
    load_files(&Memory::with("T.g4", text), "T.g4")
}

/// The grammar of files without errors.
pub(crate) fn grammar_of(loaded: Loaded) -> Grammar {
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    loaded.grammar.expect("a grammar without errors")
}

/// The names of all warnings.
pub(crate) fn warnings(loaded: &Loaded) -> Vec<&'static str> {
    let warnings = loaded.diagnostics.iter().filter(|d| d.severity() == Severity::Warning);
    warnings.map(|diagnostic| diagnostic.code.name).collect()
}

/// All rules, one per line.
pub(crate) fn show(grammar: &Grammar) -> Vec<String> {
    grammar.rules().values().map(|rule| show_rule(grammar, rule)).collect()
}

fn show_rule(grammar: &Grammar, rule: &Rule) -> String {
    let mode = |token: &gramercy_grammar::TokenRule| {
        let lexicon = grammar.lexicon().expect("a token rule has a lexicon");
        match &*lexicon.modes[token.mode].name {
            "DEFAULT_MODE" => String::new(),
            other => format!("<{other}>"),
        }
    };
    let head = match &rule.kind {
        RuleKind::Syntax => String::new(),
        RuleKind::Token(token) => {
            let implicit = if token.implicit { "implicit " } else { "" };
            let case = if token.ignore_case { "caseless " } else { "" };
            format!("{}{implicit}{case}", mode(token))
        }
        RuleKind::Fragment { ignore_case } => {
            format!("fragment {}", if *ignore_case { "caseless " } else { "" })
        }
    };
    format!("{head}{}: {}", rule.name, show_expr(grammar, rule.body))
}

fn show_expr(grammar: &Grammar, id: ExprId) -> String {
    let Expr { kind, label, .. } = grammar.expr(id);
    let shown = match kind {
        ExprKind::Alternation(alternatives) => {
            let alternatives = alternatives.iter().map(|alternative| {
                let mut text = show_expr(grammar, alternative.expr);
                if let Some(attributes) = &alternative.attributes {
                    if let Some(associativity) = attributes.associativity {
                        text = format!("<{associativity:?}> {text}");
                    }
                    if let Some(label) = &attributes.label {
                        text = format!("{text} #{label}");
                    }
                }
                text
            });
            alternatives.collect::<Vec<_>>().join(" | ")
        }
        ExprKind::Sequence(items) => {
            let items = items.iter().map(|&item| in_group(grammar, item));
            items.collect::<Vec<_>>().join(" ")
        }
        ExprKind::Repeat { body, min, max, greedy } => {
            let suffix = match (min, max) {
                (0, Some(1)) => "?",
                (0, None) => "*",
                (1, None) => "+",
                _ => "{}",
            };
            let greedy = if *greedy { "" } else { "?" };
            let body = match grammar.expr(*body).kind {
                ExprKind::Sequence(_) => format!("({})", show_expr(grammar, *body)),
                _ => in_group(grammar, *body),
            };
            format!("{body}{suffix}{greedy}")
        }
        ExprKind::Rule(rule) => grammar.rules()[*rule].name.to_string(),
        ExprKind::Terminal(terminal) => show_terminal(grammar, *terminal),
        ExprKind::Commands(commands) => {
            let commands = commands.iter().map(|command| show_command(grammar, *command));
            format!("-> {}", commands.collect::<Vec<_>>().join(", "))
        }
    };
    match (label, kind) {
        (Some(label), ExprKind::Alternation(_)) => format!("{label}=({shown})"),
        (Some(label), _) => format!("{label}={shown}"),
        (None, _) => shown,
    }
}

fn in_group(grammar: &Grammar, id: ExprId) -> String {
    match grammar.expr(id) {
        Expr { kind: ExprKind::Alternation(_), label: None, .. } => {
            format!("({})", show_expr(grammar, id))
        }
        _ => show_expr(grammar, id),
    }
}

/// A terminal by its meaning.
pub(crate) fn show_terminal(grammar: &Grammar, id: TerminalId) -> String {
    let terminal = &grammar.terminals()[id];
    match &terminal.kind {
        TerminalKind::Literal(text) => format!("{text:?}"),
        TerminalKind::Chars(set) => show_ranges(set.ranges()),
        TerminalKind::Regex { source, .. } => format!("/{source}/"),
        TerminalKind::Token { name, .. } => name.to_string(),
        TerminalKind::AnyTokenBut(members) => {
            let members = members.iter().map(|&member| show_terminal(grammar, member));
            format!("~({})", members.collect::<Vec<_>>().join(" "))
        }
        TerminalKind::Eof => "EOF".to_owned(),
    }
}

/// Ranges as `[a-z 1F600]`: printable ASCII as it is, the rest in hexadecimal.
fn show_ranges(ranges: &[(u32, u32)]) -> String {
    let code = |code: u32| match char::from_u32(code) {
        Some(c) if c.is_ascii_graphic() => c.to_string(),
        _ => format!("{code:X}"),
    };
    let range = |&(first, last): &(u32, u32)| match first == last {
        true => code(first),
        false => format!("{}-{}", code(first), code(last)),
    };
    format!("[{}]", ranges.iter().map(range).collect::<Vec<_>>().join(" "))
}

fn show_command(grammar: &Grammar, command: Command) -> String {
    let lexicon = grammar.lexicon().expect("commands stand in lexers");
    match command {
        Command::Skip => "skip".to_owned(),
        Command::More => "more".to_owned(),
        Command::Type(token) => format!("type({})", show_terminal(grammar, token)),
        Command::Channel(channel) => format!("channel({})", lexicon.channels[channel].name),
        Command::Mode(mode) => format!("mode({})", lexicon.modes[mode].name),
        Command::PushMode(mode) => format!("pushMode({})", lexicon.modes[mode].name),
        Command::PopMode => "popMode".to_owned(),
    }
}
