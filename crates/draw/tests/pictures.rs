//! Pictures of small grammars. To accept changes, run with `SNAPSHOTS=overwrite` and compare the
//! files.

use std::path::Path;

use gramercy_analysis::{First, Nullable, Productive};
use gramercy_base::Limits;
use gramercy_draw::{Sketch, grammar_graph, lr_graph, railroad};
use gramercy_formats::{LoadOptions, Memory, load};
use gramercy_grammar::Grammar;
use gramercy_lr::{Construction, Facts, LrGraph};
use snapbox::{Data, assert_data_eq, file};

/// The grammar of Figure 1 of Havrikov, Kampmann, Zeller, TOSEM, shortened.
const EXPRESSIONS: &str = r#"
    Expr := AddExpr;
    AddExpr := MultExpr | AddExpr ("+" | "-") MultExpr;
    MultExpr := UnaryExpr | MultExpr ("*" | "/") UnaryExpr;
    UnaryExpr := "x" | "-" UnaryExpr | "(" AddExpr ")" | DecDigit+;
    DecDigit := "0" | "1";
"#;

/// The grammar of Figure 1(a) of Rossouw, Fischer, JSS 2024.
const DYCK: &str = r#"start D; D := "[" D "]" D | "";"#;

/// All constructs of a railroad diagram.
const TRACKS: &str = r#"
    Start := List Pairs? Counted* Long EOF;
    List := "<" (Item ("," Item)*)? ">" | "none" | "";
    Pairs := (ID NUM ";")* ID NUM;
    Counted := "a"{2} "b"{2,} "c"{,3} "d"{2,4} | Item+ | ("x" | "y")*;
    Item := List | ID;
    Long := "select" Item "from" Item "where" Item "group" Item "having" Item "order" Item
        "limit" NUM "offset" NUM "fetch" NUM;
    token ID := [a-z]+;
    token NUM := DIGIT+ ("." DIGIT+)?;
    fragment DIGIT := [0-9];
    skip WS := [ \t]+;
"#;

fn read(text: &str) -> Grammar {
    let loaded = load(Path::new("g.gram"), &Memory::with("g.gram", text), &LoadOptions::default());
    loaded.grammar.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

fn sketch_grammar_graph(text: &str) -> Sketch {
    let grammar = read(text);
    grammar_graph(&grammar, &grammar.graph())
}

fn sketch_lr_graph(text: &str, construction: Construction) -> Sketch {
    let (grammar, limits) = (read(text), Limits::default());
    let bnf = grammar.bnf(&grammar.graph(), &limits).expect("small");
    let nullable = Nullable::of(&bnf);
    let first = First::of(&bnf, &Productive::of(&bnf), &nullable);
    let facts = Facts { nullable: &nullable, first: &first };
    let automaton = construction.build(&bnf, &facts, &limits).expect("small");
    lr_graph(&grammar, &bnf, &LrGraph::new(&bnf, &automaton))
}

/// Compares both formats of a picture with stored files.
fn check(sketch: &Sketch, dot: Data, svg: Data) {
    assert_data_eq!(sketch.to_dot(), dot.raw());
    assert_data_eq!(sketch.to_svg().expect("small"), svg.raw());
}

#[test]
fn a_grammar_graph_is_a_tree_with_additional_edges() {
    let sketch = sketch_grammar_graph(EXPRESSIONS);
    check(&sketch, file!["snapshots/expressions.dot"], file!["snapshots/expressions.svg"]);
}

#[test]
fn an_lr_graph_has_states_push_edges_and_pop_edges() {
    let sketch = sketch_lr_graph(DYCK, Construction::Lr0);
    check(&sketch, file!["snapshots/dyck-lr0.dot"], file!["snapshots/dyck-lr0.svg"]);
    let sketch = sketch_lr_graph(DYCK, Construction::Canonical);
    check(&sketch, file!["snapshots/dyck-lr1.dot"], file!["snapshots/dyck-lr1.svg"]);
}

#[test]
fn a_railroad_diagram_has_tracks_for_everything() {
    assert_data_eq!(railroad(&read(TRACKS)), file!["snapshots/tracks.svg"].raw());
}

#[test]
fn text_is_escaped_in_every_form() {
    let text = r#"S := "<&>" "\"" "\\n" "\u{202e}" `a"b`; `a"b` := "x";"#;
    let grammar = read(text);
    let graph = sketch_grammar_graph(text);
    assert_data_eq!(graph.to_dot(), file!["snapshots/escaped.dot"].raw());
    for svg in [graph.to_svg().expect("small"), railroad(&grammar)] {
        assert!(svg.contains("&lt;&amp;&gt;") && !svg.contains('\u{202e}'), "{svg}");
    }
}

#[test]
fn a_huge_graph_is_rejected_in_favor_of_dot() {
    let alternatives: Vec<_> = (0..2_100).map(|n| format!("\"{n}\"")).collect();
    let sketch = sketch_grammar_graph(&format!("S := {};", alternatives.join(" | ")));
    let error = sketch.to_svg().expect_err("too large");
    assert_eq!((error.vertices, error.edges), (2_101, 2_100));
    assert!(error.to_string().contains("write it as DOT"), "{error}");
    assert_eq!(sketch.to_dot().lines().count(), 2_101 + 2_100 + 6);
}
