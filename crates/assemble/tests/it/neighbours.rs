//! Where the cheapest tree of a target has neighbours that nothing separates, another tree is found.

use gramercy_language::Language;
use gramercy_suite::Wants;

use crate::support::{kept, of_files, of_text, small};

/// Rows of fields. A `TEXT` takes any tab beside it, so a `TAB` is only read between strings.
const ROWS: &str = "grammar f; f : row row* EOF ; row : field (TAB field)* EOL ; \
                    field : TEXT | STRING ; TAB : '\\t' ; EOL : '\\n' ; TEXT : ~[\\n\"]+ ; \
                    STRING : '\"' '\"' ;";

fn check(grammar: &str, cover: &str, unwritten: u64, part: &str) {
    check_in(&of_text("f.g4", grammar), cover, unwritten, part);
}

fn check_in(language: &Language, cover: &str, unwritten: u64, part: &str) {
    let (kept, summary) = kept(language, &small(cover), Wants::TEXT);
    assert_eq!(summary.unwritten_count, unwritten, "{cover}: {:?}", summary.unwritten);
    assert!(kept.texts.iter().any(|text| text.contains(part)), "{cover}: {:?}", kept.texts);
}

/// Only that a `TEXT` follows a `TAB` has no text.
#[test]
fn other_tokens_are_put_beside_those_that_nothing_separates() {
    check(ROWS, "kpath:2", 1, "\n\"\"\t\"\"");
    check(ROWS, "rule", 0, "\"\"\t\"\"");
    check(ROWS, "cdrc", 1, "\"\"\t\"\"");
}

/// A comment takes everything up to the end of the line, so another line end must follow it in the repetition.
#[test]
fn a_repetition_goes_on_after_what_must_not_be_its_last() {
    let lines = "grammar f; s : '[' (value nl ',')* value nl ']' EOF ; value : ID ; \
                 nl : (NL COMMENT?)* ; ID : [a-z]+ ; NL : '\\n' ; COMMENT : '#' ~'\\n'* ;";
    for cover in ["rule", "kpath:2", "kpath:3"] {
        check(lines, cover, 0, "\n#");
    }
}

/// A quote that stands before the end of a string belongs to the end.
#[test]
fn a_repetition_goes_on_in_a_mode_too() {
    let lexer = "lexer grammar L; OPEN : '\"\"\"' -> pushMode(M) ; mode M ; \
                 CLOSE : QUOTE? '\"\"\"' -> popMode ; QUOTE : '\"'+ ; TEXT : ~[\"$]+ ;";
    let parser = "parser grammar P; options { tokenVocab = L; } \
                  s : OPEN (content | QUOTE)* CLOSE EOF ; content : TEXT ;";
    let language = of_files(&[("L.g4", lexer), ("P.g4", parser)]);
    check_in(&language, "rule", 0, "\"\"\"\"a\"\"\"");
    check_in(&language, "kpath:2", 0, "\"\"\"");
}

/// After a name only an `EOS` can come, so a `SEMI` ends a statement only where that ends with a colon: not at the
/// place where the cheapest tree has it.
#[test]
fn a_target_is_found_at_another_place() {
    let lexer = "lexer grammar L; ID : [a-z]+ -> mode(M) ; COLON : ':' ; SEMI : ';' ; PACKAGE : '!' ; L : '{' ; R : '}' -> mode(M) ; \
                 mode M ; EOS : ('\\n' | ';') -> mode(DEFAULT_MODE) ; \
                 OTHER : -> mode(DEFAULT_MODE), channel(HIDDEN) ;";
    let parser = "parser grammar P; options { tokenVocab = L; } s : PACKAGE ID eos (decl eos)* EOF ; \
                  decl : L (stmt eos)* R ; stmt : ID | ID COLON stmt? ; eos : SEMI | EOS ;";
    let language = of_files(&[("L.g4", lexer), ("P.g4", parser)]);
    check_in(&language, "rule", 0, ":;");
}

/// What is known to have a text: two names in temporaries need a blank, a dash is an item of a class, a separator is
/// a key, the lines of a diagram, the sign of a number separates it from another one.
#[test]
fn targets_with_short_witnesses_are_written() {
    let temporaries = "grammar f; script : sequence EOF ; sequence : temps ws? statement? | ws? statement ; \
        temps : PIPE (ws? ID)+ ws? PIPE ; statement : ID (ws? op ws? ID)* '.'? ; op : PIPE | BINARY ; \
        ws : (SEP | COMMENT)+ ; SEP : [ \\t\\r\\n] ; COMMENT : '\"' ~[\"]* '\"' ; PIPE : '|' ; \
        BINARY : [+*/] ; ID : [a-z]+ ;";
    let classes = "grammar f; re : cls EOF ; cls : '[' group ']' ; group : pos ('-' cls)? ; \
        pos : (range | item)+ ; range : item '-' item ; item : CHAR | ESC | '-' ; \
        ESC : '\\\\' [nrt] ; CHAR : ~[[\\]\\\\-] ;";
    let properties = "grammar f; file : row* EOF ; row : (decl | COMMENT)? TERM ; \
        decl : key (SEP value?)? ; key : TEXT | SEP ; value : TEXT ; COMMENT : [!#] ~[\\r\\n]* ; \
        SEP : [ \\t]* [:=\\t] [ \\t]* ; TERM : '\\r'? '\\n' ; TEXT : ~[ \\t:=\\r\\n#!]+ ;";
    let diagram = "grammar f; uml : '@startuml' NL? (line NL)* '@enduml' EOF ; line : ID ':' ID? ; \
        NL : '\\n' ; ID : [a-z@] [a-z]* ; WS : ' ' -> skip ;";
    let numbers = "grammar f; s : pair* EOF ; pair : NUM NUM ';' | ID NUM ; NUM : [+-]? [0-9]+ ; ID : [a-z]+ ;";
    let directives = "grammar f; s : stmt* EOF ; stmt : ID ';' ; ID : [a-z]+ ; \
        DIRECTIVE : '#' ~[\\n]* '\\n' -> channel(HIDDEN) ; WS : ' ' -> skip ;";
    for cover in ["rule", "kpath:2", "kpath:3"] {
        check(temporaries, cover, 0, "|");
        check(classes, cover, 0, "-");
        check(properties, cover, 0, "\n");
        check(diagram, cover, 0, "@enduml");
        check(numbers, cover, 0, "+");
    }
    check(classes, "kpath:2", 0, "[--[");
    check(directives, "lexeme:1", 0, "#");
}
