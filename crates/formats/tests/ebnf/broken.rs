//! Files with errors: every error is found in one run, at its position, and nothing else is
//! reported.

use crate::support::{read, said};

/// A text and its diagnostics: positions, codes, messages.
type Case = (&'static str, &'static [&'static str]);

fn check(file: &str, cases: &[Case]) {
    for (text, expected) in cases {
        let said = said(&read(file, text));
        let said: Vec<_> = said.lines().collect();
        assert_eq!(said, *expected, "{text}");
    }
}

const NATIVE: &[Case] = &[
    (r#"A = "a";"#, &["1:3 syntax: expected `:=`, found `=`"]),
    (r#"A : "a" | B; B := "b";"#, &["1:3 syntax: expected `:=`, found `:`"]),
    (r#"A := "a" B := "b";"#, &["1:9 syntax: expected `;` at the end of the rule"]),
    (
        r#"A := "a"
B := "b""#,
        &[
            "1:9 syntax: expected `;` at the end of the rule",
            "2:9 missing-semicolon: the last rule has no `;`",
        ],
    ),
    (
        r#"A := ("a" | "b";
B := "b";"#,
        &["1:6 syntax: this `(` has no `)`"],
    ),
    (r#"A := "a") "b"; B := A;"#, &["1:9 syntax: this `)` has no `(`"]),
    (
        r#"A := "a
 "b"; B := A C;"#,
        &["1:6 unterminated: this literal has no end", "2:14 undefined-rule: no rule defines `C`"],
    ),
    (
        "A := 'abc;
B := A;",
        &["1:6 unterminated: this literal has no end"],
    ),
    (
        r#"A := "a\q\xZZ\u{110000}\uD800" ;"#,
        &[
            r#"1:8 bad-escape: `\q` is not an escape sequence"#,
            r#"1:10 bad-escape: `\x` is not a code point"#,
            r#"1:14 bad-escape: `\u{110000}` is not a code point"#,
            r#"1:24 bad-escape: `\uD800` is not a character"#,
        ],
    ),
    (r#"A := "\p{L}";"#, &[r#"1:7 bad-escape: `\p{L}` is a set; put it in brackets"#]),
    ("A := [a-z;", &["1:6 unterminated: this character class has no end"]),
    (
        r#"A := [z-a] [] [\p{Nope}] [a-\d];"#,
        &[
            "1:7 bad-regex: a range goes from one character to a later one",
            "1:12 empty-regex: this character class matches nothing",
            r#"1:16 bad-escape: `\p{Nope}` is not a Unicode property"#,
            "1:27 bad-regex: a range goes from one character to a later one",
        ],
    ),
    ("A := /a/b;", &["1:9 bad-regex: there is no dialect `b` of regular expressions"]),
    ("A := /a(/;", &["1:8 bad-regex: unclosed group"]),
    ("A := /^a/;", &["1:7 bad-regex: anchors are not supported"]),
    ("A := /abc", &["1:6 unterminated: this regular expression has no end"]),
    (
        r#"A := "a"{3,2} "b"{99999999999} "c"{x} ;"#,
        &[
            "1:9 bad-number: the minimum is greater than the maximum",
            "1:19 bad-number: this number is too large; the largest is 4294967295",
            "1:36 syntax: expected a number, found `x`",
        ],
    ),
    (r#"A := "a"**;"#, &["1:10 syntax: an item takes only one quantifier"]),
    (r#"A := "a"{};"#, &["1:11 syntax: expected a number, found `;`"]),
    (
        r#"A := "a" @@ 1.5 | "b" @@ x | "c" @@;"#,
        &[
            "1:13 bad-probability: the probability 1.5 is not between 0 and 1",
            "1:26 bad-probability: `x` is not a number",
            "1:36 syntax: expected a probability, found `;`",
        ],
    ),
    (
        r#"A := "a" @@ 0.6 | "b" @@ 0.6;"#,
        &["1:26 bad-probability: the probabilities up to here add up to 1.2000, more than 1"],
    ),
    (
        r#"A := "a" @@ 0.6 "b";"#,
        &[r#"1:17 syntax: expected `|`, `)` or `;` after marks and commands, found `"`"#],
    ),
    (
        "A := B; A := C; B := Expresion; Expression := D; ",
        &[
            "1:9 duplicate-rule: `A` is defined twice",
            "1:14 undefined-rule: no rule defines `C`",
            "1:22 undefined-rule: no rule defines `Expresion`",
            "1:47 undefined-rule: no rule defines `D`",
        ],
    ),
    (r#"start X; A := "a";"#, &["1:7 undefined-rule: nothing defines `X`"]),
    (
        r#"start A; start B; A := B; B := "b";"#,
        &["1:16 repeated: the start rule was declared before"],
    ),
    (r#"token := "a"; mode X"#, &["1:21 syntax: expected `;`, found the end of the file"]),
    (
        r#"tokn A := "b"; A := "c";"#,
        &["1:6 syntax: expected `:=`, found `A`", "1:16 duplicate-rule: `A` is defined twice"],
    ),
    (r#"A := "a" -> skip;"#, &["1:10 misplaced: commands belong in token rules"]),
    (
        r#"A := [a-z] B; token B := "b";"#,
        &[
            "1:6 misplaced: a character class in a syntax rule, but the parser of this grammar sees tokens",
        ],
    ),
    (
        r#"A := F; fragment F := "a"; token T := F A;"#,
        &[
            "1:6 misplaced: `F` is a fragment: it creates no token for syntax rules",
            "1:41 misplaced: `A` is a syntax rule; lexical rules consist of characters",
        ],
    ),
    (
        r#"A := ~B ~"x" ~[a] ~(C|"y"); B := "b"; token C := "c";"#,
        &[
            "1:7 misplaced: `B` is a syntax rule; a token is expected here",
            "1:15 misplaced: a character class in a syntax rule, but the parser of this grammar sees tokens",
        ],
    ),
    (
        r#"A := ~"ab";"#,
        &["1:7 misplaced: `~` takes single characters, ranges and character classes here"],
    ),
    (
        r#"A := "x"; token X := "x"; token Y := "x";"#,
        &["1:6 ambiguous-literal: this literal could be either of two tokens"],
    ),
    (
        r#"A := X; token X := "x" -> push(Y), pusch(Z);"#,
        &["1:36 syntax: expected a command, found `pusch`"],
    ),
    (
        r#"A := X; token X := "x" -> push(Y), type(Q), mode; "#,
        &["1:49 syntax: expected `(`, found `;`"],
    ),
    (
        r#"A := X; token X := "x" -> push(Y), type(A), channel(C);
mode Yy; token Z := Q;"#,
        &[
            "1:32 unknown-mode: there is no mode `Y`",
            "1:41 misplaced: `A` is a syntax rule; a token is expected here",
            "2:21 undefined-rule: no rule defines `Q`",
        ],
    ),
    (
        r#"left "+", "+"; A := "+" %prec X;"#,
        &[
            "1:11 repeated: `+` already has a precedence",
            "1:31 undefined-rule: nothing defines `X`",
        ],
    ),
    (
        r#"A |= "a"; B := A; B |= "b"; "#,
        &[
            "1:1 undefined-rule: `|=` adds to a rule, but there is no `A :=`",
            "1:16 undefined-rule: no rule defines `A`",
        ],
    ),
    (
        r#"A := "a"; A |= B; token B := "b"; B |= "c";"#,
        &["1:35 misplaced: `|=` adds to a syntax rule, but `B` is not one"],
    ),
    (r#"EOF := "a";"#, &["1:1 syntax: `EOF` is the end of input and cannot be a rule"]),
    (
        "A := `a;
B := A;",
        &["1:6 unterminated: this name has no end"],
    ),
    ("A := ``;", &["1:6 syntax: a name cannot be empty", "1:6 undefined-rule: no rule defines ``"]),
    (
        r#"A := "a" <right> "b";"#,
        &["1:10 syntax: expected a name, a literal, a class or `(`, found `<`"],
    ),
    (r#"A := <up> "b";"#, &["1:7 syntax: expected `left`, `right` or `nonassoc`, found `up`"]),
    (r#"A := "a" # ;"#, &["1:12 syntax: expected the name of the alternative, found `;`"]),
    (
        r#"A := "a" %dprec ; B := A %foo;"#,
        &[
            "1:17 syntax: expected a number, found `;`",
            "1:26 syntax: expected `%prec` or `%dprec`, found `%`",
        ],
    ),
    (
        r#"A := "a".."bc" "z".."a" "a"..b;"#,
        &[
            "1:6 bad-regex: a range goes from one character to another",
            "1:16 bad-regex: this range is reversed",
            "1:30 syntax: expected a second character, found `b`",
        ],
    ),
    ("A := ... ;", &["1:6 syntax: expected a name, a literal, a class or `(`, found `.`"]),
    (
        r#"/* unterminated
A := "b";"#,
        &["1:1 unterminated: this comment has no end"],
    ),
    ("", &["- no-rules: there is no syntax rule in this file"]),
    ("// nothing", &["- no-rules: there is no syntax rule in this file"]),
    (r#"token A := "a";"#, &["- no-rules: there is no syntax rule in this file"]),
    (
        r#"nocase A := "b";"#,
        &["1:8 syntax: `nocase` must be before `token`, `skip`, `fragment` or `literals`"],
    ),
    ("A := x= ;", &["1:9 syntax: expected a name, a literal, a class or `(`, found `;`"]),
    ("A := x=(;", &["1:8 syntax: this `(` has no `)`"]),
    (r#"A B := "c";"#, &["1:3 syntax: expected `:=`, found `B`"]),
    (r#"A := "a";;"#, &["1:10 syntax: expected a rule, found `;`"]),
    (r#"; A := "a";"#, &["1:1 syntax: expected a rule, found `;`"]),
    (r#"$ A := "a";"#, &["1:1 syntax: expected a rule, found `$`"]),
    (
        r#"A := "a" $ ;
B := A "b" & ;
C := B;"#,
        &[
            "1:10 syntax: expected a name, a literal, a class or `(`, found `$`",
            "2:12 syntax: expected a name, a literal, a class or `(`, found `&`",
        ],
    ),
    (
        r#"A := "a" ~ ;"#,
        &["1:12 syntax: expected a token, a literal or a character class, found `;`"],
    ),
    (r#"A := ~("a" ;"#, &["1:12 syntax: expected `|` or `)`, found `;`"]),
    (r#"fragment := "a""#, &["1:16 missing-semicolon: the last rule has no `;`"]),
    ("token A, A; B := A;", &["1:10 duplicate-rule: `A` is defined twice"]),
    (r#"token A "a" "b"; B := A;"#, &[r#"1:13 syntax: expected `;`, found `"`"#]),
    (r#"token A := "a" B := "b"; C := A;"#, &["1:15 syntax: expected `;` at the end of the rule"]),
    (
        r#"A := "a" (B "c" ; B := C;
start B"#,
        &[
            "1:10 syntax: this `(` has no `)`",
            "1:24 undefined-rule: no rule defines `C`",
            "2:8 syntax: expected `;`, found the end of the file",
        ],
    ),
    (r#"mode ; A := "a";"#, &["1:6 syntax: expected the name of a mode, found `;`"]),
    (r#"left ; A := "a";"#, &["1:6 syntax: expected a token or a literal, found `;`"]),
    (r#"skip ; A := "a";"#, &["1:6 syntax: expected a name, found `;`"]),
    (r#"A := "a" token B := "b";"#, &["1:9 syntax: expected `;` at the end of the rule"]),
    (r#"A := "a" %prec ;"#, &["1:16 syntax: expected a token or a literal, found `;`"]),
    (
        r#"A := "x" @@ 0.5 -> skip; token T := "t";"#,
        &["1:17 syntax: commands are allowed once, after the items and before marks"],
    ),
    (r#"A := (-> skip); token T := "t";"#, &["1:7 misplaced: commands belong in token rules"]),
    (r#"A := T; token T := ("t" -> skip, ) ;"#, &["1:34 syntax: expected a command, found `)`"]),
    (
        "token T; A := T; token U := T;",
        &["1:29 misplaced: `T` is a token without a rule; lexical rules consist of characters"],
    ),
    (r#"start T; token T := "t"; A := T;"#, &["1:7 misplaced: the start must be a syntax rule"]),
    (
        r#"A := ~T; T := "t";"#,
        &["1:7 misplaced: `~` takes single characters, ranges and character classes here"],
    ),
    (r"A := [\p];", &[r"1:7 bad-escape: `\p` is not a Unicode property"]),
    (
        r##"A := "a" @@ 0.2 @@ 0.3 # X # Y %prec "b" %prec "c" %dprec 1 %dprec 2;"##,
        &[
            "1:20 syntax: this alternative has a probability already",
            "1:30 repeated: the alternative already has this mark",
            "1:42 repeated: the alternative already has this mark",
            "1:61 repeated: the alternative already has this mark",
        ],
    ),
];

#[test]
fn native_files() {
    check("a.gram", NATIVE);
}

const TRIBBLE: &[Case] = &[
    (r#"A := "a";"#, &["1:3 syntax: expected `=`, found `:`"]),
    (r#"A "a";"#, &[r#"1:3 syntax: expected `=`, found `"`"#]),
    (r#"A = "a" B = "b";"#, &["1:8 syntax: expected `;` at the end of the rule"]),
    (
        r#"A = "a" B"#,
        &[
            "1:9 undefined-rule: no rule defines `B`",
            "1:10 missing-semicolon: the last rule has no `;`",
        ],
    ),
    (
        r#"A = ("a" | "b";
B = A;"#,
        &["1:5 syntax: this `(` has no `)`"],
    ),
    (
        r#"A = "a" | ;"#,
        &["1:11 syntax: expected a name, a literal, a regular expression or `(`, found `;`"],
    ),
    ("A = ;", &["1:5 syntax: expected a name, a literal, a regular expression or `(`, found `;`"]),
    (
        "A = () ;",
        &["1:6 syntax: expected a name, a literal, a regular expression or `(`, found `)`"],
    ),
    (
        r#"A = "\q\x41";"#,
        &[
            r#"1:6 bad-escape: `\q` is not an escape sequence"#,
            r#"1:8 bad-escape: `\x` is not an escape sequence"#,
        ],
    ),
    (r#"A = "unterminated ; B = x;"#, &["1:5 unterminated: this literal has no end"]),
    (r#"A = /unterminated ; B = "x";"#, &["1:5 unterminated: this regular expression has no end"]),
    (r#"A = /a"b/;"#, &["1:7 bad-regex: a quotation mark in a regular expression must be escaped"]),
    (r#"A = /\d\(a\)\//;"#, &[r#"1:6 bad-escape: `\d` is not an escape sequence"#]),
    (
        r#"A = /\\d/ /\\n/ /^a$/ /[\\x20-\\x21]/;"#,
        &[
            r#"1:6 suspicious-regex: `\d` is just the character `d` in this dialect"#,
            r#"1:12 suspicious-regex: `\n` is just the character `n` in this dialect"#,
            "1:18 suspicious-regex: `^` and `$` are ordinary characters in this dialect",
            r#"1:25 suspicious-regex: `\x` is just the character `x` in this dialect"#,
        ],
    ),
    ("A = /a(/;", &["1:8 bad-regex: the pattern ends too early"]),
    (
        "A = /[b-a]/;",
        &["1:6 empty-regex: this regular expression matches nothing, not even the empty text"],
    ),
    (
        "A = // empty
;",
        &["2:1 syntax: expected a name, a literal, a regular expression or `(`, found `;`"],
    ),
    (
        r#"A = "a"{0} "b"{1} "c"{1,1} "d"{,0} "e"{3,2} "f"{0,0} "g"{,} "h" ;"#,
        &[
            "1:8 bad-number: an item that never occurs can be left out",
            "1:15 bad-number: an item that occurs once needs no quantifier",
            "1:22 bad-number: an item that occurs once needs no quantifier",
            "1:31 bad-number: an item that never occurs can be left out",
            "1:39 bad-number: the minimum is greater than the maximum",
            "1:48 bad-number: an item that never occurs can be left out",
            "1:60 syntax: expected a number, found ` `",
        ],
    ),
    (
        r#"A = "a"? ? "b"*+;"#,
        &[
            "1:10 syntax: an item takes only one quantifier",
            "1:16 syntax: an item takes only one quantifier",
        ],
    ),
    (
        r#"A = "a" @@ 0.7 | "b" @@ 0.7;"#,
        &["1:25 bad-probability: the probabilities up to here add up to 1.4000, more than 1"],
    ),
    (
        r#"A = "a" @@ 0.7 "c" | "b";"#,
        &[r#"1:16 syntax: expected `|` or `;` after a probability, found `"`"#],
    ),
    (
        r#"A = "a"; A = "b"; B = A C;"#,
        &["1:10 duplicate-rule: `A` is defined twice", "1:25 undefined-rule: no rule defines `C`"],
    ),
    (r#"A = "a"; B = "b";"#, &["1:1 several-starts: several rules could be the start: `A`, `B`"]),
    (
        "A = B; B = A;",
        &["1:1 start-guessed: every rule is used by others; the first, `A`, is taken as the start"],
    ),
    (
        r#"A = "x" A | "y"; B = "z"; C = D; D = C;"#,
        &["1:1 unconnected-rules: 3 rules cannot be reached from `B`"],
    ),
    (
        r#"A = "x" B | "y"; B = "z"; C = D; D = C;"#,
        &["1:27 unconnected-rules: 2 rules cannot be reached from `A`"],
    ),
    (
        r#"A = "a" /* unclosed ;"#,
        &[
            "1:8 missing-semicolon: the last rule has no `;`",
            "1:9 unterminated: this comment has no end",
        ],
    ),
    (
        r#"A = "a" % "b"; B = A & ;"#,
        &[
            "1:9 syntax: expected a name, a literal, a regular expression or `(`, found `%`",
            "1:22 syntax: expected a name, a literal, a regular expression or `(`, found `&`",
        ],
    ),
    (r#"A = "a" @@ 0.2 @@ 0.3;"#, &["1:19 syntax: this alternative has a probability already"]),
];

#[test]
fn tribble_files() {
    check("a.tribble", TRIBBLE);
}

const SCALA: &[Case] = &[
    (r#"'A := "a""#, &["1:1 syntax: expected `Grammar(`, found `'`"]),
    (r#"Grammar('A := "a" 'B, 'B := "b")"#, &["1:19 syntax: expected `~`, `|` or `,`, found `'`"]),
    (
        r#"Grammar('A := "a" 'B := "b")"#,
        &["1:19 syntax: expected `,` before the next rule, found `'`"],
    ),
    (
        r#"Grammar('A := "a" ~ ~ "b", 'B := 'A ~ 'C)"#,
        &[
            "1:21 syntax: expected a symbol, a string or `(`, found `~`",
            "1:39 undefined-rule: no rule defines `C`",
        ],
    ),
    (r#"Grammar('A := ("a" ~ "b", 'B := 'A)"#, &["1:15 syntax: this `(` has no `)`"]),
    (
        r#"Grammar('A := "a" ~ "b"), 'B := 'A)"#,
        &["1:25 syntax: expected the end of the file after `Grammar(…)`, found `,`"],
    ),
    (
        r#"Grammar('A := "a
, 'B := 'A)"#,
        &["1:15 unterminated: this string has no end"],
    ),
    (
        r#"Grammar('A := """a
, 'B := 'A)"#,
        &["1:15 unterminated: this string has no end"],
    ),
    (
        r#"Grammar('A := "a".rep(1,1) ~ "b".rep(3,2) ~ "c".rep(0,0) ~ "d".rep(x), 'B := 'A.rep(2,))"#,
        &[
            "1:18 bad-number: an item that occurs once needs no quantifier",
            "1:33 bad-number: the minimum is greater than the maximum",
            "1:48 bad-number: an item that never occurs can be left out",
            "1:68 syntax: expected a number, found `x`",
            "1:87 syntax: expected a number, found `)`",
        ],
    ),
    (
        r#"Grammar('A := "a".foo, 'B := 'A.rep.?)"#,
        &[
            "1:19 syntax: expected `?` or `rep` after `.`, found `foo`",
            "1:36 syntax: an item takes only one quantifier",
        ],
    ),
    (
        r#"Grammar('A := "".regex ~ "a(".regex ~ "\\d".regex)"#,
        &[
            "1:15 bad-regex: this regular expression is empty",
            "1:29 bad-regex: the pattern ends too early",
            r#"1:40 suspicious-regex: `\d` is just the character `d` in this dialect"#,
        ],
    ),
    (
        r#"Grammar('A := "\q\u00")"#,
        &[
            r#"1:16 bad-escape: `\q` is not an escape sequence"#,
            r#"1:18 bad-escape: `\u` is not an escape sequence"#,
        ],
    ),
    (
        "Grammar('A := 'z' -> 'a' ~ 'b' )",
        &[
            "1:15 empty-regex: the range from 'z' to 'a' is empty",
            "1:32 syntax: expected `->` and a second character, found `)`",
        ],
    ),
    ("Grammar('A := 'b' -> )", &["1:22 syntax: expected `->` and a second character, found `)`"]),
    (
        r#"Grammar('A := "a" @@ 2)"#,
        &["1:22 bad-probability: the probability 2 is not between 0 and 1"],
    ),
    (
        r#"Grammar('A := "a" @@ 0.5 ~ "b")"#,
        &["1:26 syntax: expected `|` or `,` after a probability, found `~`"],
    ),
    ("Grammar()", &["- no-rules: there is no rule in this file"]),
    (r#"Grammar('A = "a")"#, &["1:12 syntax: expected `:=`, found `=`"]),
    (
        r#"Grammar('A := "a""#,
        &["1:18 syntax: expected `)` at the end of the grammar, found the end of the file"],
    ),
    ("Grammar('A := ')", &["1:16 syntax: expected a name after `'`, found `)`"]),
    (r#"Grammar(' := "a", 'B := "b")"#, &["1:10 syntax: expected a name after `'`, found ` `"]),
    (
        r#"Grammar('A := "a" | , 'B := 'A)"#,
        &["1:21 syntax: expected a symbol, a string or `(`, found `,`"],
    ),
    (r#"Grammar("A" := "a", 'B := "b")"#, &[r#"1:9 syntax: expected a rule, found `"`"#]),
    (
        r#"Grammar('A := "\uD83D\uDE00\uD83D")"#,
        &[r#"1:28 bad-escape: `\uD83D` is half of a surrogate pair"#],
    ),
];

#[test]
fn scala_files() {
    check("a.scala", SCALA);
}

#[test]
fn codes_are_unique_over_all_notations() {
    use gramercy_formats::{antlr4, codes, ebnf, native, yacc};
    let lists =
        [codes::ALL, ebnf::codes::ALL, native::codes::ALL, antlr4::codes::ALL, yacc::codes::ALL];
    let mut names: Vec<_> = lists.into_iter().flatten().map(|code| code.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
