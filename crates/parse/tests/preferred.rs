//! The preferred tree: against hand-checked cases for ANTLR's reading, against bison itself for
//! yacc's, and laws on both.

use std::path::Path;

use gramercy_base::{Limits, Table};
use gramercy_formats::{LoadOptions, Memory, load};
use gramercy_grammar::{Bnf, Grammar, Origin};
use gramercy_parse::{Derivations, Derived, DerivedChild, DerivedId, Preferences, TextParser};

struct Reader {
    grammar: Grammar,
    bnf: Bnf,
    parser: TextParser,
}

impl Reader {
    fn new(file: &str, text: &str) -> Self {
        let loaded = load(Path::new(file), &Memory::with(file, text), &LoadOptions::default());
        let grammar = loaded.grammar.unwrap_or_else(|| panic!("{file}: {:?}", loaded.diagnostics));
        let bnf = grammar.bnf(&grammar.graph(), &Limits::default()).expect("small");
        let parser = TextParser::new(&grammar, &bnf, &Limits::default()).expect("small");
        Self { grammar, bnf, parser }
    }

    fn derivations(&self, input: &str) -> (Derivations, Vec<String>) {
        let parsed = self.parser.parse(&mut self.parser.workspace(), input);
        let parsed = parsed.unwrap_or_else(|error| panic!("{input}: {error:?}"));
        let tokens = parsed.tokens.iter();
        let tokens = tokens.map(|token| input[token.start as usize..token.end as usize].to_owned());
        (Derivations::of_forest(self.parser.parser(), &parsed.forest), tokens.collect())
    }

    fn preferred(&self, input: &str) -> String {
        let (derivations, tokens) = self.derivations(input);
        let tree = Preferences::of(&self.grammar, &self.bnf).pick(&derivations);
        assert!(tree.is_unambiguous(), "{input}");
        let shown = self.show(&tree, &tokens);
        let found = self.parser.preferred(&mut self.parser.workspace(), input);
        let found = found.unwrap_or_else(|error| panic!("{input}: {error:?}"));
        assert_eq!(self.show(&found.tree, &tokens), shown, "{input}");
        shown
    }

    /// The tree with brackets around every node of a rule that has more than one part.
    fn show(&self, tree: &Derivations, tokens: &[String]) -> String {
        self.show_with(tree, tokens, |_, words| match words {
            [] => String::new(),
            [only] => only.clone(),
            several => format!("[{}]", several.join(" ")),
        })
    }

    /// The tree with every node of a rule as `named` writes it.
    fn show_with(
        &self,
        tree: &Derivations,
        tokens: &[String],
        named: impl Fn(&str, &[String]) -> String,
    ) -> String {
        let mut texts: Table<DerivedId, Vec<String>> = Table::filled(Vec::new(), tree.len());
        for node in tree.children_first().nodes {
            let mut words = Vec::new();
            let way = tree.ways(node).next().expect("one way");
            for part in way.parts {
                match part {
                    DerivedChild::Terminal(_, range) => {
                        words.push(tokens[range.start as usize..range.end as usize].concat());
                    }
                    DerivedChild::Node(child) => words.extend(texts[*child].iter().cloned()),
                }
            }
            let Derived::Nonterminal(id) = tree.label(node) else { panic!("a prefix") };
            texts[node] = match self.bnf.nonterminals()[id].origin {
                Origin::Rule(rule) => {
                    let text = named(&self.grammar.rules()[rule].name, &words);
                    vec![text].into_iter().filter(|text| !text.is_empty()).collect()
                }
                _ => words,
            };
        }
        texts[tree.root()].join(" ")
    }
}

#[test]
fn alternatives_as_antlr_orders_them() {
    let reader = Reader::new(
        "E.g4",
        "grammar E;
         s: e EOF;
         e: '-' e
          | e '!'
          | <assoc=right> e '^' e
          | e ('*' | '/') e
          | e '+' e
          | <assoc=right> e '?' e ':' e
          | <assoc=right> e '=' e
          | '(' e ')'
          | ID;
         ID: [a-z]+; WS: ' ' -> skip;",
    );
    let check = |input: &str, expected: &str| assert_eq!(reader.preferred(input), expected);
    check("a+b*c", "[a + [b * c]]");
    check("a*b+c", "[[a * b] + c]");
    check("a+b+c", "[[a + b] + c]");
    check("a*b/c*d", "[[[a * b] / c] * d]");
    check("a^b^c", "[a ^ [b ^ c]]");
    check("a=b=c", "[a = [b = c]]");
    check("-a*b", "[[- a] * b]");
    check("-a!", "[[- a] !]");
    check("a*b!", "[a * [b !]]");
    check("a?b:c?d:e", "[a ? b : [c ? d : e]]");
    check("a?b?c:d:e", "[a ? [b ? c : d] : e]");
    check("a?b=c:d", "[a ? [b = c] : d]");
    check("a+b?c:d", "[[a + b] ? c : d]");
    check("a=b?c:d", "[a = [b ? c : d]]");
    check("(a+b)*c", "[[( [a + b] )] * c]");
    check("- -a+b", "[[- [- a]] + b]");
}

#[test]
fn a_low_prefix_operator_takes_all_it_can() {
    let reader = Reader::new(
        "P.g4",
        "grammar P; s: e EOF; e: e '*' e | 'not' e | e '+' e | ID; ID: [a-z]; WS: ' ' -> skip;",
    );
    let check = |input: &str, expected: &str| assert_eq!(reader.preferred(input), expected);
    check("not a*b", "[not [a * b]]");
    check("not a+b", "[[not a] + b]");
    check("a*not b*c", "[a * [not [b * c]]]");
    check("a*not b+c", "[[a * [not b]] + c]");
}

#[test]
fn loops_and_options_are_greedy_unless_they_say_otherwise() {
    let check = |rules: &str, input: &str, expected: &str| {
        let text = format!("grammar L; {rules} A: 'a'; B: 'b'; WS: ' ' -> skip;");
        let reader = Reader::new("L.g4", &text);
        let (derivations, tokens) = reader.derivations(input);
        let tree = Preferences::of(&reader.grammar, &reader.bnf).pick(&derivations);
        let named = |name: &str, words: &[String]| format!("{name}[{}]", words.join(" "));
        assert_eq!(reader.show_with(&tree, &tokens, named), expected, "{rules}");
        assert!(reader.parser.tool().is_some(), "{rules}");
        let found = reader.parser.preferred(&mut reader.parser.workspace(), input).expect("valid");
        assert_eq!(reader.show_with(&found.tree, &tokens, named), expected, "{rules}");
    };
    check("s: x y EOF; x: A*; y: A*;", "a a a", "s[x[a a a] y[]]");
    check("s: x y EOF; x: A+; y: A+;", "a a a", "s[x[a a] y[a]]");
    check("s: x y EOF; x: A+?; y: A+;", "a a a", "s[x[a] y[a a]]");
    check("s: x y EOF; x: A*?; y: A+;", "a a a", "s[x[] y[a a a]]");
    check("s: x y EOF; x: A A?; y: A*;", "a a", "s[x[a a] y[]]");
    check("s: x y EOF; x: A A??; y: A*;", "a a", "s[x[a] y[a]]");
    check("s: x EOF; x: A x | A x B x | ;", "a a b", "s[x[a x[a x[] b x[]]]]");
    check("s: x EOF; x: A x B x | A x | ;", "a a b", "s[x[a x[a x[]] b x[]]]");
    check("s: (x | y) EOF; x: A; y: A;", "a", "s[x[a]]");
    check("s: (y | x) EOF; x: A; y: A;", "a", "s[y[a]]");
}

const CALCULATOR: &str = "%token N IF THEN ELSE
%precedence THEN
%precedence ELSE
%right '='
%left '<'
%left '+' '-'
%left '*' '/'
%precedence NEG
%right '^'
%%
";

/// Productions as data, which become our grammar and bison's with actions that print the tree.
const PRODUCTIONS: &[(&str, &str)] = &[
    ("s", "e"),
    ("s", "IF e THEN s"),
    ("s", "IF e THEN s ELSE s"),
    ("e", "N"),
    ("e", "e '=' e"),
    ("e", "e '<' e"),
    ("e", "e '+' e"),
    ("e", "e '-' e"),
    ("e", "e '*' e"),
    ("e", "e '/' e"),
    ("e", "'-' e %prec NEG"),
    ("e", "e '^' e"),
    ("e", "'(' e ')'"),
    // Without a precedence: shifted, and the first of two that could be reduced.
    ("e", "e '&' e"),
    ("e", "t"),
    ("t", "N"),
];

#[test]
fn precedence_as_bison_resolves_it() {
    let rules: String = PRODUCTIONS.iter().map(|(lhs, rhs)| format!("{lhs}: {rhs};\n")).collect();
    let reader = Reader::new("calc.y", &format!("{CALCULATOR}{rules}"));
    let check = |input: &str, expected: &str| assert_eq!(reader.preferred(input), expected);
    check("N + N * N", "[N + [N * N]]");
    check("N * N + N", "[[N * N] + N]");
    check("N - N - N", "[[N - N] - N]");
    check("N ^ N ^ N", "[N ^ [N ^ N]]");
    check("- N ^ N", "[- [N ^ N]]");
    check("- N * N", "[[- N] * N]");
    check("N = N = N", "[N = [N = N]]");
    check("N & N & N", "[N & [N & N]]");
    check("N + N & N", "[N + [N & N]]");
    check("IF N THEN IF N THEN N ELSE N", "[IF N THEN [IF N THEN N ELSE N]]");
    let inputs = sentences();
    match bison::trees(CALCULATOR, PRODUCTIONS, &inputs) {
        #[expect(clippy::print_stdout, reason = "a skipped test says so")]
        Err(reason) => println!("skipped: {reason}"),
        Ok(trees) => {
            for (input, tree) in inputs.iter().zip(&trees) {
                check(input, tree);
            }
            assert_eq!(trees.len(), inputs.len(), "bison answers for every input");
        }
    }
}

#[test]
fn bisons_nonassoc_loses_no_sentence() {
    let reader = Reader::new("n.y", "%token N\n%nonassoc '<'\n%%\ne: e '<' e | N;\n");
    assert_eq!(reader.preferred("N < N < N"), "[[N < N] < N]");
}

/// Sentences of the calculator, drawn at random.
fn sentences() -> Vec<String> {
    let mut seed = 1u64;
    let mut draw = move |n: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % n
    };
    (0..400).map(|_| sentence(&mut draw)).collect()
}

fn sentence(draw: &mut impl FnMut(u64) -> u64) -> String {
    let mut words: Vec<&str> = Vec::new();
    let mut open = vec!["s"];
    while let Some(symbol) = open.pop() {
        let budget = 30 > words.len() + open.len();
        match symbol {
            "s" => match draw(3) {
                0 if budget => open.extend(["s", "THEN", "e", "IF"]),
                1 if budget => open.extend(["s", "ELSE", "s", "THEN", "e", "IF"]),
                _ => open.push("e"),
            },
            "e" => match draw(5) {
                0 if budget => open.extend(["e", "-"]),
                1 if budget => open.extend([")", "e", "("]),
                2 | 3 if budget => {
                    let operators = ["=", "<", "+", "-", "*", "/", "^", "&"];
                    let operator = operators[usize::try_from(draw(8)).expect("small")];
                    open.extend(["e", operator, "e"]);
                }
                _ => words.push("N"),
            },
            word => words.push(word),
        }
    }
    words.join(" ")
}

#[test]
fn cyclic_and_very_ambiguous_derivations_have_one_preferred_tree() {
    let check = |grammar: &str, input: &str, expected: &str| {
        assert_eq!(Reader::new("c.y", grammar).preferred(input), expected, "{grammar}");
    };
    check("%token A\n%%\ns: s | A;", "A", "A");
    check("%token A\n%%\ns: s s | A | ;", "A A", "[A A]");
    check("%token A\n%%\ns: s s | A;", "A A A A", "[A [A [A A]]]");
    check("%token A\n%%\ns: s s s | s s | A;", "A A A", "[A A A]");
    let many = vec!["A"; 60].join(" ");
    let native = Reader::new("c.gram", "S := S S | \"a\";");
    // A binary operator without a sign, which binds to the left.
    assert_eq!(native.preferred("aaaa"), "[[[a a] a] a]");
    let right = Reader::new("c.y", "%token A\n%%\ns: s s | A;").preferred(&many);
    assert!(right.ends_with(&"]".repeat(59)), "{right}");
}

#[test]
fn readings_differ_at_a_node_of_both() {
    let check = |file: &str, grammar: &str, input: &str, expected: Option<[&str; 2]>| {
        let reader = Reader::new(file, grammar);
        let (derivations, tokens) = reader.derivations(input);
        let readings = Preferences::of(&reader.grammar, &reader.bnf).readings(&derivations);
        let shown = readings.map(|readings| {
            assert_eq!(
                readings.preferred.range(readings.node),
                readings.other.range(readings.node)
            );
            [readings.preferred, readings.other].map(|tree| reader.show(&tree, &tokens))
        });
        assert_eq!(shown, expected.map(|pair| pair.map(str::to_owned)), "{grammar}");
    };
    let sum = "%token N\n%left '+'\n%%\ne: e '+' e | N;";
    check("s.y", sum, "N", None);
    check("s.y", sum, "N + N", None);
    check("s.y", sum, "N + N + N", Some(["[[N + N] + N]", "[N + [N + N]]"]));
    let antlr = "grammar S; s: e EOF; e: e '*' e | e '+' e | 'n';";
    check("S.g4", antlr, "n+n*n", Some(["[n + [n * n]]", "[[n + n] * n]"]));
    check("c.y", "%token A\n%%\ns: s | A;", "A", Some(["A", "A"]));
    check(
        "t.y",
        "%token A\n%%\ns: t t t; t: A | A A;",
        "A A A A",
        Some(["[[A A] A A]", "[A [A A] A]"]),
    );
}

mod bison {
    //! bison as the judge: a parser with actions that print the tree.

    use std::fmt::Write;
    use std::process::{Command, Stdio};

    pub(crate) fn trees(
        declarations: &str,
        productions: &[(&str, &str)],
        inputs: &[String],
    ) -> Result<Vec<String>, String> {
        let folder = std::env::temp_dir().join(format!("gramercy-bison-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let result = run(&folder, &file(declarations, productions), inputs);
        let _ = std::fs::remove_dir_all(&folder);
        result
    }

    fn file(declarations: &str, productions: &[(&str, &str)]) -> String {
        let mut rules = String::from("top: s { puts($1); };\n");
        for (lhs, rhs) in productions {
            let plain = rhs.split("%prec").next().unwrap_or(rhs);
            let parts: Vec<_> = plain.split_whitespace().collect();
            let format = vec!["%s"; parts.len()].join(" ");
            let format = if parts.len() > 1 { format!("[{format}]") } else { format };
            let arguments: String = (1..=parts.len()).map(|n| format!(", ${n}")).collect();
            let _ = writeln!(rules, "{lhs}: {rhs} {{ $$ = show(\"{format}\"{arguments}); }};");
        }
        format!(
            "%{{
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define YYSTYPE char *
int yylex(void);
void yyerror(const char *message) {{ (void)message; puts(\"error\"); }}
static char *show(const char *format, ...) {{
  char *text;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0) exit(2);
  va_end(arguments);
  return text;
}}
%}}
{declarations}{rules}%%
static char *rest;
int yylex(void) {{
  char *word = strtok(rest, \" \");
  rest = NULL;
  if (!word) return 0;
  yylval = word;
  if (!strcmp(word, \"N\")) return N;
  if (!strcmp(word, \"IF\")) return IF;
  if (!strcmp(word, \"THEN\")) return THEN;
  if (!strcmp(word, \"ELSE\")) return ELSE;
  return word[0];
}}
int main(void) {{
  static char line[65536];
  while (fgets(line, sizeof line, stdin)) {{
    line[strcspn(line, \"\\n\")] = 0;
    rest = line;
    yyparse();
  }}
  return 0;
}}
"
        )
    }

    fn run(folder: &std::path::Path, file: &str, inputs: &[String]) -> Result<Vec<String>, String> {
        std::fs::write(folder.join("t.y"), file).map_err(|error| error.to_string())?;
        start(folder, "bison", &["-Wnone", "-o", "t.c", "t.y"], "")?;
        start(folder, "gcc", &["-D_GNU_SOURCE", "-w", "-o", "t", "t.c"], "")?;
        let program = folder.join("t").display().to_string();
        let output = start(folder, &program, &[], &(inputs.join("\n") + "\n"))?;
        Ok(output.lines().map(str::to_owned).collect())
    }

    fn start(
        folder: &std::path::Path,
        program: &str,
        arguments: &[&str],
        input: &str,
    ) -> Result<String, String> {
        let given = folder.join("input");
        std::fs::write(&given, input).map_err(|error| error.to_string())?;
        let input = std::fs::File::open(&given).map_err(|error| error.to_string())?;
        #[expect(clippy::disallowed_methods, reason = "the judge is another program")]
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder).stdin(Stdio::from(input));
        let output = command.output().map_err(|error| format!("{program}: {error}"))?;
        if !output.status.success() {
            return Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr)));
        }
        String::from_utf8(output.stdout).map_err(|error| error.to_string())
    }
}
