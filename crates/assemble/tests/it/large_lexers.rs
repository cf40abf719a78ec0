//! Lexers with very many keywords beside a rule that refers to itself, as those of SQL dialects have: every target is
//! written, and nothing is said about the grammar that only a bound of ours makes true.

use std::fmt::Write as _;

use gramercy_language::Language;
use gramercy_suite::sink::Nowhere;

use crate::support::{make, of_files, small};

const STATEMENTS: usize = 150;
const KEYWORDS: usize = 6 * STATEMENTS;

/// A keyword of about nine letters; many begin alike.
fn keyword(number: usize) -> String {
    const SYLLABLES: [&str; 10] =
        ["AB", "CON", "DER", "EXE", "FOR", "GRA", "IN", "KEY", "SEL", "UN"];
    let digits = [number / 100 % 10, number / 10 % 10, number % 10];
    digits.iter().map(|&digit| SYLLABLES[digit]).collect()
}

/// 900 keywords in any case, nested comments, and statements that use all of them.
fn dialect() -> Language {
    let mut lexer = "lexer grammar L; options { caseInsensitive = true; }\n".to_owned();
    for number in 0..KEYWORDS {
        _ = writeln!(lexer, "K{number} : '{}' ;", keyword(number));
    }
    lexer += "COMMENT : '/*' (COMMENT | .)*? '*/' -> channel(HIDDEN) ;
        LINE : '--' ~[\\r\\n]* -> skip ; SPACE : [ \\t\\r\\n]+ -> skip ;
        ID : [A-Z_] [A-Z0-9_$#]* ; QUOTED : '[' ~']'* ']' ; NUMBER : [0-9]+ ('.' [0-9]+)? ;
        STRING : 'N'? '\\'' (~'\\'' | '\\'\\'')* '\\'' ;
        COMMA : ',' ; LP : '(' ; RP : ')' ; SEMI : ';' ; DOT : '.' ; STAR : '*' ; SLASH : '/' ; MINUS : '-' ;";
    let mut parser = "parser grammar P; options { tokenVocab = L; }
        file : (stmt SEMI?)* EOF ; name : ID | QUOTED | name DOT name ;
        expr : NUMBER | STRING | name | expr (STAR | SLASH | MINUS) expr | LP expr RP | LP stmt RP ;\n"
        .to_owned();
    let names: Vec<String> = (0..STATEMENTS).map(|number| format!("s{number}")).collect();
    _ = writeln!(parser, "stmt : {} ;", names.join(" | "));
    for (number, name) in names.iter().enumerate() {
        let key = |at: usize| format!("K{}", 6 * number + at);
        let [a, b, c, d, e, f] = [key(0), key(1), key(2), key(3), key(4), key(5)];
        _ = writeln!(
            parser,
            "{name} : {a} name ({b} expr)? (COMMA ({c} | {d}) LP expr RP)* ({e} name {f})? ;"
        );
    }
    of_files(&[("L.g4", lexer.as_str()), ("P.g4", parser.as_str())])
}

#[test]
fn nested_comments_beside_many_keywords_hide_no_token() {
    let language = dialect();
    for cover in ["rule", "kpath:2"] {
        let summary = make(&language, &small(cover), &mut Nowhere);
        assert_eq!(summary.unwritten, [], "{cover}");
        assert!(summary.written >= KEYWORDS as u64, "{cover}: {} targets", summary.written);
    }
}

/// 78 keywords of 40 letters, each with states of its own, beside nested comments.
#[test]
fn long_keywords_leave_room_for_all_others() {
    let word = |number: u8| {
        let letter = |at: u8| char::from(b'a' + (number / 3 + at * (number % 3 + 1)) % 26);
        let first = char::from(b'a' + number % 26);
        format!("{first}{}{}", number / 26, (0..38).map(letter).collect::<String>())
    };
    let mut grammar = "grammar g; s : ".to_owned();
    let names: Vec<String> = (0..78).map(|number| format!("K{number}")).collect();
    _ = writeln!(grammar, "{} ;", names.join(" | "));
    for number in 0..78 {
        _ = writeln!(grammar, "K{number} : '{}' ;", word(number));
    }
    grammar += "C : '/*' (C | .)*? '*/' -> skip ; ID : [a-z]+ ;";
    let summary = make(&of_files(&[("g.g4", grammar.as_str())]), &small("rule"), &mut Nowhere);
    assert_eq!((summary.unwritten, summary.tests), (Vec::new(), 78));
}
