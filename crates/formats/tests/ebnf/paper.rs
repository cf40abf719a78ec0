//! The figures of Havrikov, Kampmann, Zeller, TOSEM, load as printed.

use gramercy_base::Id;
use gramercy_grammar::{Grammar, NodeKind};

use crate::kpath_figures::kpaths;
use crate::support::{grammar, read, said};

/// Figure 1: expressions of JavaScript, simplified.
pub(crate) const EXPRESSIONS: &str = r#"Expr := AddExpr;
AddExpr := MultExpr
         | AddExpr ("+" | "-") MultExpr;
MultExpr := UnaryExpr
         | MultExpr ("*" | "/" | "%") UnaryExpr;
UnaryExpr := Identifier
         | "+" UnaryExpr
         | "-" UnaryExpr
         | "++" UnaryExpr
         | "--" UnaryExpr
         | "(" AddExpr ")"
         | DecDigits;
DecDigits := DecDigit+;
DecDigit := "0" | "1" | "2" | "3" | "4"
         | "5" | "6" | "7" | "8" | "9";
Identifier := "x" | "y" | "z";
"#;

fn check_kpaths(text: &str, nodes: usize, expected: [u64; 5]) {
    let graph = grammar("figure.gram", text).graph();
    assert_eq!((graph.len(), kpaths(&graph)), (nodes, expected));
}

/// Nodes as in the publication: `AddExpr_0`.
fn node_names(grammar: &Grammar) -> Vec<String> {
    let graph = grammar.graph();
    let name = |node| match graph.kind(node) {
        NodeKind::Reference(rule) => Some(grammar.rules()[rule].name.to_string()),
        NodeKind::Leaf(terminal) => Some(grammar.terminals()[terminal].name.to_string()),
        NodeKind::Alternation | NodeKind::Concatenation | NodeKind::Quantifier { .. } => None,
    };
    graph.ids().filter_map(|node| Some(format!("{}_{}", name(node)?, node.index()))).collect()
}

#[test]
fn figure_1_has_the_published_nodes_and_paths() {
    check_kpaths(EXPRESSIONS, 54, [39, 125, 523, 2331, 10245]);
    let names = node_names(&grammar("figure.gram", EXPRESSIONS));
    let named = ["AddExpr_0", "UnaryExpr_8", "\"+\"_10", "UnaryExpr_15", "\"+\"_27", "AddExpr_36"];
    for name in named.into_iter().chain(["DecDigit_42"]) {
        assert!(names.iter().any(|known| known == name), "{name} in {names:?}");
    }
}

#[test]
fn figure_2_misses_a_semicolon_and_some_rules() {
    let text = r#"Grammar := Production+;
Production := NonTerminal " := " Alternation ";";
Alternation := Concatenation (" | " Concatenation)*;
Concatenation := Atom+;
Atom := (" (" Alternation ") " | Literal | Reference) Quantifier?;
Quantifier := "?" | "+" | "*"
            | "{, " num "}"
            | "{ " num ", }"
            | "{ " num ", " num "}"
"#;
    let loaded = read("figure.gram", text);
    let expected = "2:15 undefined-rule: no rule defines `NonTerminal`
5:34 undefined-rule: no rule defines `Literal`
5:44 undefined-rule: no rule defines `Reference`
7:21 undefined-rule: no rule defines `num`
9:36 missing-semicolon: the last rule has no `;`
";
    assert_eq!(said(&loaded), expected);
    let rest = "; NonTerminal := \"n\"; Literal := \"l\"; Reference := \"r\"; num := \"1\";";
    let whole = grammar("figure.gram", &format!("{text}{rest}"));
    assert_eq!(&*whole.rules()[whole.start()].name, "Grammar");
}

#[test]
fn figure_5_omits_some_rules() {
    let text = r#"DecDigit := S0;
S0 := "0" | S1;
S1 := "1" | S2;
S2 := "2" | S3;
...
S8 := "8" | S9;
S9 := "9";
"#;
    let expected = "4:13 undefined-rule: no rule defines `S3`
5:1 syntax: expected a rule, found `.`
";
    let loaded = read("figure.gram", text);
    assert_eq!(said(&loaded), expected);
    assert!(loaded.diagnostics[1].help.as_deref().is_some_and(|help| help.contains("`...`")));
    let rest: String = (3..8).map(|n| format!("S{n} := \"{n}\" | S{};\n", n + 1)).collect();
    check_kpaths(&text.replace("...\n", &rest), 29, [20, 19, 17, 15, 13]);
}

#[test]
fn figure_6_is_an_excerpt() {
    let text = r#"Identifier := Character | Character Identifier;
Character := ASCIICharacter | UnicodeCharacter;
ASCIICharacter := ASCIIUpper | ASCIILower | "_";
"#;
    let expected = "2:31 undefined-rule: no rule defines `UnicodeCharacter`
3:19 undefined-rule: no rule defines `ASCIIUpper`
3:32 undefined-rule: no rule defines `ASCIILower`
";
    assert_eq!(said(&read("figure.gram", text)), expected);
}

#[test]
fn figures_12_and_13_have_a_rule_named_start() {
    let automaton = r#"start := q1;
q1 := "ping" q1 | "auth" q2;
q2 := "auth" q2 | "connect" q3 | "";
q3 := "cmd" q3 | "quit" q2;
"#;
    let configuration = r#"start := config;
config := os;
os := "windows-"processor | "linux-"processor | "macos-"processor;
processor := "arm-"browser | "intel-"browser;
browser := "chrome" | "edge" | "firefox" | "safari";
"#;
    for text in [automaton, configuration] {
        let figure = grammar("figure.gram", text);
        assert_eq!(&*figure.rules()[figure.start()].name, "start");
        assert_eq!(said(&read("figure.gram", text)), "");
    }
    check_kpaths(configuration, 24, [16, 27, 42, 36, 24]);
}
