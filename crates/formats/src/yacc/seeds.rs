//! Small yacc files, one construct each: for tests, and as seeds for fuzzing.

/// Files that load.
pub const VALID: &[&str] = &[
    "%%\nS: 'a' S 'b' | ;\n",
    "%%\nE: E '+' T | T ; T: 'id' | '(' E ')'\n%%\n",
    "%token A B 258 C 0x103 \"see\" '+' \"plus\" ;\n%%\ns: A B \"see\" '+';\n",
    "%token <str> ID <int> NUM 300 \"number\" X \"x\\ty\"\n%type <node> s\n%%\ns: ID NUM;\n",
    "%token END 0 \"end of file\"\n%token A\n%%\ns: A END | A \"end of file\" | A YYEOF;\n",
    "%token NUM _(\"number\")\n%%\ns: NUM | \"number\";\n",
    "%left '+' '-'\n%left '*'\n%right '^' UMINUS\n%nonassoc '<'\n%precedence NOT\n%token N\n\
     %%\ne: e '+' e | e '*' e | '-' e %prec UMINUS | NOT e | N;\n",
    "%{\n#include <x.h>\nint f() { return '%'; } /* %} */\n%}\n%union { int i; struct { char *s; } t; }\n\
     %union name { int i; }\n%start b\n%%\na: 'x'; b: a;\n",
    "%define api.pure full\n%define api.value.type {struct x}\n%define parse.error \"verbose\"\n\
     %code requires { struct x; }\n%code { int i; }\n%param {int a} {int b}\n%parse-param {int c}\n\
     %lex-param {int d}\n%initial-action { f(); };\n%destructor { free($$); } s <tag> <*> <> 'a'\n\
     %printer { } <tag>\n%locations %pure-parser %glr-parser %debug %error-verbose %verbose %yacc\n\
     %language \"c++\" %skeleton \"lalr1.cc\" %require \"3.8\" %output=\"x.c\" %file-prefix \"y\"\n\
     %name-prefix=\"z\" %defines \"h.h\" %header %no-lines %token-table %expect 3 %expect-rr 1\n\
     %default-prec %no-default-prec\n%%\ns: 'a';\n",
    "%pure_parser %error_verbose %name_prefix \"x\" %expect_rr 0\n%term A\n%binary B\n%0 C\n%2 D\n\
     %< E\n%> F\n%%\ns: A B C %= D | E F;\n",
    "%%\ns: A { x(); } B { $$ = 1; } C { y(); };\n",
    "%%\ns: <int>{ $$ = 1; }[name] A { f($name); } | %?{ ok() } B;\n",
    "%%\nexp[result]: exp[left] '+' exp[right] { $result = $left + $[right]; } | N;\n",
    "%glr-parser\n%%\ns: A %dprec 1 | A %dprec 2 %merge <join> | %empty %expect 1 %expect-rr 0;\n",
    "%%\ns: A { 1'000'000; \"}\"; '}'; R\"x(})x\"; /* } */ // }\n };\n",
    "%%\na: b c d: e f: g ; ; | h ;\n",
    "%%\na: b = { act(); } | '\\n' '\\'' '\\\\' '\\101' '\\x42' '\"' \"'\" \"\\\"\";\n",
    "%token A\n%%\ns: A | error ';' | t; t: error; u: t A | A;\n",
    "%token A\n%type <x> s\n%%\n%token B;\ns: A B t; %type <y> t; t: ;\n%% junk ' \" /*\n",
    "\u{feff}%token A\r\n%%\r\ns: A\r\n | A 'b' { x }\r\n ;\r\n",
    "%token A B\n%%\ns: option(A) list(B) nonempty_list(A) separated_list(',', B)\n\
     | A? B* A+ | delimited('(', A, ')') preceded(A, B) terminated(B, A) ;\n",
    "%token A B\n%rule pair(X, Y) <t>: X Y { } ;\n%rule %inline op: '+' | '-' ;\n%rule one: A ;\n\
     %%\ns: pair(A, list(B)) op one | pair(A, op)?;\n",
    "%%\ns: YYACCEPT { YYERROR; } A { YYABORT; } B { YYACCEPT; };\n",
    "%token A RUBY_TOKEN(POW) \"**\" B \"'while'\"\n%%\ns: A B;\n",
    "#line 3 \"other.y\"\n%%\ns: 'a', 'b';\n",
    "%%\n%{ int at_head; %}\ns: 'a';\n",
    "%start a b\n%start c\n%%\na: 'x'; b: 'y'; c: 'z';\n",
];

/// Files that do not load, each with its diagnostics: code, position and a part of the message.
pub const BROKEN: &[(&str, &[&str])] = &[
    ("", &["missing-section 1:1 no `%%`"]),
    ("%token A\n", &["missing-section 2:1 no `%%`"]),
    ("a: b;\n", &["missing-section 1:1 no `%%`"]),
    ("a: b;\n%%\nc d;\n", &["missing-section 1:1 no `%%`", "syntax 3:1 `c` begins no rule"]),
    ("%%\n", &["no-rules - no rules"]),
    ("%token A\n%%\n%%\na: A;\n", &["no-rules - no rules"]),
    ("%token A\n%%\na: B A;\n", &["undefined-rule 3:4 `B` is neither"]),
    ("%type <x> a\n%%\na: b; b: C;\n", &["undefined-rule 3:10 `C` is neither"]),
    (
        "%token ID\n%%\nstat: expresion ID stat;\nexpression: ID;\n",
        &["undefined-rule 3:7 `expresion`"],
    ),
    (
        "%token A\n%%\na: x y x;\nb: z;\n",
        &["undefined-rule 3:4 `x`", "undefined-rule 3:6 `y`", "undefined-rule 4:4 `z`"],
    ),
    ("%tokn A\n%%\na: 'x';\n", &["unknown-directive 1:1 `%tokn`"]),
    ("%%\na: 'x' %precc A;\n", &["unknown-directive 2:8 `%precc`"]),
    ("%bogus a b 3 \"x\" {y}\n%%\na: 'x';\n", &["unknown-directive 1:1 `%bogus`"]),
    ("%token\n%%\na: 'x';\n", &["syntax 2:1 the name of a token"]),
    ("%token \"x\" A\n%%\na: 'x';\n", &["syntax 1:8 the name of a token"]),
    ("%token A 1 2\n%%\na: A;\n", &["syntax 1:12 the name of a token"]),
    ("%left\n%%\na: 'x';\n", &["syntax 2:1 tokens after `%left`"]),
    ("%type <x>\n%%\na: 'x';\n", &["syntax 2:1 symbols after `%type`"]),
    ("%start\n%%\na: 'x';\n", &["syntax 2:1 the name of a rule"]),
    ("%start b\n%%\na: 'x';\n", &["unknown-start 1:8 has no rule"]),
    ("%token B\n%start B\n%%\na: B;\n", &["unknown-start 2:8 is a token"]),
    ("%union\n%%\na: 'x';\n", &["syntax 2:1 code in braces after `%union`"]),
    ("%expect x\n%%\na: 'x';\n", &["syntax 1:9 a number after `%expect`"]),
    ("%require 3\n%%\na: 'x';\n", &["syntax 1:10 a string after `%require`"]),
    ("%define\n%%\na: 'x';\n", &["syntax 2:1 a name after `%define`"]),
    ("%prec A\n%empty\n%%\na: 'x';\n", &["syntax 1:1 `%prec`", "syntax 2:1 `%empty`"]),
    ("%debug x y\n%%\na: 'x';\n", &["syntax 1:8 a declaration, found `x`"]),
    ("%token A\n%%\nA: 'x';\n", &["rule-for-token 3:1 `A` is a token"]),
    ("%left A\n%right A\n%%\na: A;\n", &["precedence-twice 2:8 A is given"]),
    ("%left A A\n%%\na: A;\n", &["precedence-twice 1:9 A is given"]),
    ("%%\nerror: 'x';\n", &["rule-for-token 2:1 `error` is a token"]),
    ("%%\na: error;\n", &["only-error-productions 2:1 `a` needs `error`"]),
    ("%%\na: b 'x'; b: error | c; c: b;\n", &["only-error-productions 2:1 `a`"]),
    ("%%\na: 'x' %empty;\n", &["not-empty 2:8 not empty"]),
    ("%%\na: %empty {x} {y};\n", &["not-empty 2:4 not empty"]),
    ("%%\na: 'x' %prec 'x' %prec 'y';\n", &["said-twice 2:18 `%prec`"]),
    ("%%\na: 'x' %dprec 1 %dprec 2;\n", &["said-twice 2:17 `%dprec`"]),
    ("%%\na: 'x' %prec;\n", &["syntax 2:13 a token after `%prec`"]),
    ("%%\na: 'x' %dprec y;\n", &["syntax 2:15 a number after `%dprec`"]),
    ("%%\na: 'x' %merge y;\n", &["syntax 2:15 a function in `<>`"]),
    ("%%\na: 'x' ( 'y' | 'z' );\n", &["syntax 2:8 found `(`"]),
    ("%%\na: b ( c d );\n", &["syntax 2:10 an argument, `,` or `)`"]),
    ("%%\na: 'x' 3 'y';\nb: } ;\n", &["syntax 2:8 the number 3", "syntax 3:4 found `}`"]),
    ("%%\na: 'x' : 'y';\n", &["syntax 2:4 'x' cannot have a rule"]),
    ("%%\na = b;\n%%\n", &["syntax 2:1 `a` begins no rule"]),
    ("%%\na: ((b|'c')* d)? 5;\n", &["syntax 2:4 found `(`", "syntax 2:18 the number 5"]),
    ("%%\na ::= b ;\n", &["syntax 2:4 found `:`"]),
    ("%%\na b c | d;\ne: 'x';\n", &["syntax 2:1 `a` begins no rule"]),
    ("%%\n| 'x';\n", &["syntax 2:1 a rule, found `|`"]),
    (
        "%%\n'x': 'y';\n\"z\": 'y';\n",
        &["syntax 2:1 'x' cannot have", "syntax 3:1 \"z\" cannot have"],
    ),
    (
        "%%\na: 'x\n  ;\nb: 'y;\n",
        &["unterminated 2:4 no closing `'`", "unterminated 4:4 closing `'`"],
    ),
    ("%token A \"x\n%%\na: A;\n", &["unterminated 1:10 no closing `\"`"]),
    ("%token A _(\"x\"\n%%\na: A;\n", &["unterminated 1:10 `_(` has no `)`"]),
    ("%%\na: '' \"\";\n", &["syntax 2:4 nothing between the quotes"]),
    (
        "%%\na: '\\q' '\\0' \"\\xyz\";\n",
        &["bad-escape 2:5 `\\q`", "bad-escape 2:10 NUL", "bad-escape 2:15 `\\x`"],
    ),
    ("%%\na: '\0';\n", &["syntax 2:4 NUL"]),
    ("%%\na: \0 'x';\n", &["syntax 2:4 U+0000"]),
    ("%%\na: \u{e4} @ $;\n", &["syntax 2:4 found `\u{e4}`"]),
    ("%token A 99999999999\n%%\na: A;\n", &["bad-number 1:10 larger than"]),
    ("%token A 12ab\n%%\na: A;\n", &["syntax 1:10 `12ab`"]),
    ("%token <x A\n%%\na: 'y';\n", &["unterminated 1:8 no `>`", "syntax 2:1 the name of a token"]),
    ("%%\na[: 'x';\nb[c: 'y';\n", &["syntax 2:2 needs a name", "unterminated 3:2 no `]`"]),
    (
        "%%\na: 'x' {\n  y;\nb: 'z' {\n",
        &["unterminated 2:8 no closing `}`", "unterminated 4:8 `}`"],
    ),
    (
        "%%\na: 'x' { \"y };\nb: 'z';\n",
        &["unterminated 2:8 no closing `}`", "unterminated 2:10 string has no end"],
    ),
    (
        "%%\na: 'x' { 'y };\n};\nb: C 5;\n",
        &["unterminated 2:10 character constant", "syntax 4:6 the number 5"],
    ),
    (
        "%{\nint x;\n%token A\n%%\na: A B;\n",
        &["unterminated 1:1 no `%}`", "undefined-rule 5:6 `B`"],
    ),
    ("%%\na: 'x'; /* b: 'y';\n", &["unterminated 2:9 no `*/`"]),
    ("%%\na: 'x' %? 'y';\n", &["syntax 2:8 found `%`"]),
    ("%%\na: 'x'; %}\n", &["syntax 2:9 found `%`"]),
    (
        "%token A\n#ifdef X\n%token B\n#endif\n%%\n#if 0\na: A;\n#endif\n",
        &[
            "preprocessor-line 2:1 `#ifdef`",
            "preprocessor-line 4:1 `#endif`",
            "preprocessor-line 6:1 `#if`",
            "preprocessor-line 8:1 `#endif`",
        ],
    ),
    (
        "%token A\n%%\na: optin(A) f(A);\n",
        &["undefined-template 3:4 `optin`", "undefined-template 3:13 `f`"],
    ),
    (
        "%token A\n%%\na: option(A, A) list();\n",
        &["wrong-arguments 3:4 takes 1", "syntax 3:22 an argument"],
    ),
    ("%token A\n%rule f(X): f(list(X));\n%%\na: f(A);\n", &["endless-expansion 2:13 `f`"]),
    ("%token A\n%rule %inline f: f A | A;\n%%\na: f;\n", &["endless-expansion 4:4 `f`"]),
    (
        "%token A\n%rule f(: A;\n%rule %inline;\n%rule g(X) A;\n%%\na: A;\n",
        &[
            "syntax 2:9 `%rule name(parameters)",
            "syntax 3:14 `%rule name(parameters)",
            "syntax 4:12 `%rule name(parameters)",
        ],
    ),
    (
        "%token A\n%rule f(X): X;\n%rule f(X): X X;\n%inline\n%%\na: f(A);\n",
        &["duplicate-rule 3:7 `f`", "syntax 4:1 `%inline`"],
    ),
    (
        "%%\na: option('x' 'y') b;\nc: ;\nd 'x';\n",
        &["syntax 2:15 an argument", "syntax 4:1 `d` begins"],
    ),
];
