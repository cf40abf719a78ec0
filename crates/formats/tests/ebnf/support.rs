//! Common helpers of the tests: reading from memory, and a grammar as text.

use std::fmt::Write;
use std::path::Path;

use gramercy_base::{Diagnostic, Limits};
use gramercy_formats::{LoadOptions, Loaded, Memory, load};
use gramercy_grammar::{
    Alternative, Command, ExprId, ExprKind, Grammar, RuleKind, Symbol, TerminalId, TerminalKind,
};

/// Reads a file of this name with this text.
pub(crate) fn read(file: &str, text: &str) -> Loaded {
    read_from(file, text, None)
}

/// Reads a file with a requested start rule.
pub(crate) fn read_from(file: &str, text: &str, start: Option<&str>) -> Loaded {
    let options = LoadOptions { start: start.map(Into::into), ..LoadOptions::default() };
    load(Path::new(file), &Memory::with(file, text), &options)
}

/// Reads a file without errors.
pub(crate) fn grammar(file: &str, text: &str) -> Grammar {
    let loaded = read(file, text);
    let said = said(&loaded);
    loaded.grammar.unwrap_or_else(|| panic!("{text}\n{said}"))
}

/// All diagnostics, one per line: `line:column code: message`.
pub(crate) fn said(loaded: &Loaded) -> String {
    let line = |diagnostic: &Diagnostic| {
        let place = diagnostic.span().map_or("-".into(), |span| {
            let position = loaded.sources.position(span);
            format!("{}:{}", position.line, position.column)
        });
        format!("{place} {}: {}\n", diagnostic.code.name, diagnostic.message)
    };
    loaded.diagnostics.iter().map(line).collect()
}

/// The productions of the BNF core, one per line.
pub(crate) fn productions(grammar: &Grammar) -> String {
    let graph = grammar.graph();
    let bnf = grammar.bnf(&graph, &Limits::default()).expect("within the limits");
    let mut text = String::new();
    for production in bnf.productions() {
        write!(text, "{} →", bnf.nonterminals()[bnf.lhs(production)].name).expect("a string");
        for &symbol in bnf.rhs(production) {
            let name = match symbol {
                Symbol::Terminal(id) => terminal(grammar, id),
                Symbol::Nonterminal(_) => bnf.symbol_name(grammar, symbol).to_string(),
            };
            write!(text, " {name}").expect("a string");
        }
        text.push('\n');
    }
    text
}

/// Everything in a grammar that a writer must keep, as text.
pub(crate) fn dump(grammar: &Grammar) -> String {
    let mut text =
        format!("{:?} from {}\n", grammar.text_kind(), grammar.rules()[grammar.start()].name);
    text.push_str(&productions(grammar));
    for (_, rule) in grammar.rules().iter() {
        let kind = match &rule.kind {
            RuleKind::Syntax => "syntax".into(),
            RuleKind::Fragment { ignore_case } => format!("fragment nocase={ignore_case}"),
            RuleKind::Token(token) => {
                let made = &grammar.terminals()[token.token].name;
                let (mode, nocase) = (token.mode, token.ignore_case);
                format!("token {made} {mode:?} nocase={nocase} implicit={}", token.implicit)
            }
        };
        let body = body(grammar, rule.body);
        writeln!(text, "{kind} {}: {body}", rule.name).expect("a string");
    }
    let mut terminals: Vec<_> = grammar
        .terminals()
        .ids()
        .filter(|&id| matches!(grammar.terminals()[id].kind, TerminalKind::Token { .. }))
        .map(|id| format!("{} {:?}", terminal(grammar, id), grammar.terminals()[id].precedence))
        .collect();
    terminals.sort();
    writeln!(text, "{}", terminals.join("\n")).expect("a string");
    if let Some(lexicon) = grammar.lexicon() {
        for mode in lexicon.modes.values() {
            let rules: Vec<_> =
                mode.rules.iter().map(|&rule| &*grammar.rules()[rule].name).collect();
            writeln!(text, "mode {}: {}", mode.name, rules.join(" ")).expect("a string");
        }
    }
    text
}

fn terminal(grammar: &Grammar, id: TerminalId) -> String {
    let terminal = &grammar.terminals()[id];
    match &terminal.kind {
        TerminalKind::Token { name, .. } => name.to_string(),
        TerminalKind::Literal(text) => format!("{text:?}"),
        TerminalKind::Eof => "EOF".into(),
        TerminalKind::AnyTokenBut(but) => {
            let mut but: Vec<_> = but.iter().map(|&id| self::terminal(grammar, id)).collect();
            but.sort();
            format!("~{but:?}")
        }
        TerminalKind::Chars(set) => format!("{:X?}", set.ranges()),
        TerminalKind::Regex { source, .. } => format!("/{source}/"),
    }
}

fn body(grammar: &Grammar, id: ExprId) -> String {
    let expr = grammar.expr(id);
    let label = expr.label.as_ref().map_or(String::new(), |label| format!("{label}="));
    let inner = |id| body(grammar, id);
    let kind = match &expr.kind {
        ExprKind::Alternation(alternatives) => {
            let alternative = |alternative: &Alternative| {
                let mut text = inner(alternative.expr);
                if let Some(attributes) = &alternative.attributes {
                    let of = attributes.precedence_of.map(|id| terminal(grammar, id));
                    write!(
                        text,
                        " @{:?} #{:?} {:?} {of:?} {:?}",
                        attributes.probability,
                        attributes.label,
                        attributes.associativity,
                        attributes.dynamic_precedence
                    )
                    .expect("a string");
                }
                text
            };
            format!("({})", alternatives.iter().map(alternative).collect::<Vec<_>>().join(" | "))
        }
        ExprKind::Sequence(items) => {
            format!("[{}]", items.iter().map(|&item| inner(item)).collect::<Vec<_>>().join(" "))
        }
        ExprKind::Repeat { body, min, max, greedy } => {
            format!("{}{{{min},{max:?},{greedy}}}", inner(*body))
        }
        ExprKind::Rule(rule) => grammar.rules()[*rule].name.to_string(),
        ExprKind::Terminal(id) => terminal(grammar, *id),
        ExprKind::Commands(commands) => {
            let command = |command: &Command| match command {
                Command::Type(id) => format!("type{}", terminal(grammar, *id)),
                Command::Channel(id) => {
                    let channels = &grammar.lexicon().expect("it has commands").channels;
                    format!("channel {}", channels[*id].name)
                }
                other => format!("{other:?}"),
            };
            format!("->{}", commands.iter().map(command).collect::<Vec<_>>().join(","))
        }
    };
    label + &kind
}
