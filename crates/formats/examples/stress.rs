use gramercy_formats::{LoadOptions, Memory, load, native};
use std::time::Instant;
fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let ext_only = std::env::args().nth(2);
    let q = '"';
    let mut cases: Vec<(&str, &str, String)> = Vec::new();
    for (ext, sign) in [("gram", ":="), ("tribble", "=")] {
        cases.push((
            ext,
            "rules",
            (0..n / 30)
                .map(|i| format!("A{i} {sign} \"abc\" A{} | \"x\";\n", (i + 1) % (n / 30)))
                .collect(),
        ));
        cases.push((ext, "one long rule", format!("A {sign} {};", "\"a\" ".repeat(n / 4))));
        cases.push((
            ext,
            "one long alternation",
            format!("A {sign} {} \"\";", "\"a\" | ".repeat(n / 6)),
        ));
        cases.push((ext, "duplicates", format!("A {sign} \"a\";\n").repeat(n / 12)));
        cases.push((
            ext,
            "undefined",
            (0..n / 14).map(|i| format!("A{i} {sign} B{i};\n")).collect(),
        ));
        cases.push((ext, "deep", format!("A {sign} {}", "(".repeat(n))));
        cases.push((
            ext,
            "deep closed",
            format!("A {sign} {}\"a\"{};", "(".repeat(n / 2), ")".repeat(n / 2)),
        ));
        cases.push((ext, "closing", format!("A {sign} {};", ")".repeat(n))));
        cases.push((ext, "quotes", format!("A {sign} {}", "\"".repeat(n + 1))));
        cases.push((ext, "escaped quotes", format!("A {sign} \"{}", "\\\"".repeat(n / 2))));
        cases.push((ext, "escaped quote lines", format!("A {sign} \"{}", "\\\"\n".repeat(n / 3))));
        cases.push((ext, "comments open", "/*".repeat(n / 2)));
        cases.push((ext, "slashes", format!("A {sign} {}", "/ ".repeat(n / 2))));
        cases.push((ext, "nul", "\0".repeat(n)));
        cases.push((ext, "crlf", "\r\n".repeat(n / 2)));
        cases.push((ext, "semicolons", ";".repeat(n)));
        cases.push((ext, "names", "a ".repeat(n / 2)));
        cases.push((ext, "signs", format!("a {sign} ").repeat(n / 5)));
        cases.push((ext, "bad escapes", format!("A {sign} \"{}\";", "\\q".repeat(n / 2))));
        cases.push((ext, "name comments", format!("A {sign} {};", "a/**/".repeat(n / 5))));
        cases.push((ext, "braces", format!("A {sign} \"a\"{};", "{2}".repeat(n / 3))));
        cases.push((
            ext,
            "probabilities",
            format!("A {sign} {} \"a\";", "\"a\" @@ 0.0 | ".repeat(n / 13)),
        ));
        cases.push((ext, "long name", format!("{} {sign} \"a\";", "a".repeat(n))));
        cases.push((ext, "long literal", format!("A {sign} \"{}\";", "a".repeat(n))));
        cases.push((ext, "long regex", format!("A {sign} /{}/;", "a".repeat(n))));
        cases.push((ext, "regex classes", format!("A {sign} /{}/;", "[a-z]".repeat(n / 5))));
    }
    cases.push(("gram", "backticks", "`".repeat(n)));
    cases.push(("gram", "class", format!("A := [{}];", "a".repeat(n))));
    cases.push(("gram", "class open", format!("A := {}", "[".repeat(n))));
    cases.push(("gram", "not", format!("A := {}", "~".repeat(n))));
    cases.push(("gram", "not units", format!("A := ~({}\"b\");", "\"a\"|".repeat(n / 4))));
    cases.push((
        "gram",
        "tokens",
        format!("token {} Z; A := Z;", (0..n / 10).map(|i| format!("T{i},")).collect::<String>()),
    ));
    cases.push((
        "gram",
        "literals",
        format!(
            "skip S := \" \"; A := {};",
            (0..n / 10).map(|i| format!("\"t{i}\" ")).collect::<String>()
        ),
    ));
    cases.push((
        "gram",
        "modes",
        (0..n / 10).map(|i| format!("mode M{i};\n")).collect::<String>() + "A := \"a\";",
    ));
    cases.push((
        "gram",
        "unknown modes",
        (0..n / 30).map(|i| format!("token T{i} := \"a\" -> push(M{i});\n")).collect::<String>()
            + "A := T1;",
    ));
    cases.push((
        "gram",
        "mode pushes",
        (0..n / 40)
            .map(|i| format!("mode M{i}; token T{i} := \"a\" -> push(M{i});\n"))
            .collect::<String>()
            + "A := T1;",
    ));
    cases.push(("gram", "starts", "start A;\n".repeat(n / 9)));
    cases.push((
        "gram",
        "levels",
        (0..n / 14).map(|i| format!("left \"t{i}\";\n")).collect::<String>() + "A := \"a\";",
    ));
    cases.push(("gram", "labels", format!("A := {};", "x=\"a\" ".repeat(n / 6))));
    cases.push((
        "gram",
        "continued",
        "A := \"a\";\n".to_string() + &"A |= \"a\";\n".repeat(n / 10),
    ));
    cases.push(("gram", "line starts", "\ntoken ".repeat(n / 7)));
    cases.push(("gram", "junk line", format!("$ {}", "start ".repeat(n / 6))));
    cases.push((
        "scala",
        "rules",
        format!(
            "Grammar({} 'Z := \"z\")",
            (0..n / 30)
                .map(|i| format!("'A{i} := \"abc\" ~ 'A{} | \"x\",\n", (i + 1) % (n / 30)))
                .collect::<String>()
        ),
    ));
    cases.push(("scala", "deep", format!("Grammar('A := {}", "(".repeat(n))));
    cases.push(("scala", "quotes", format!("Grammar('A := {}", "\"".repeat(n))));
    cases.push(("scala", "ticks", format!("Grammar({}", "'".repeat(n))));
    cases.push(("scala", "symbols", format!("Grammar({}", "'a ".repeat(n / 3))));
    cases.push(("scala", "raw", format!("Grammar('A := \"\"\"{}", "\\\"".repeat(n / 2))));
    cases.push(("scala", "unicode", format!("Grammar('A := \"{}\")", "\\u0041".repeat(n / 6))));
    for (ext, name, text) in cases {
        if ext_only.as_ref().is_some_and(|e| !name.contains(e.as_str())) {
            continue;
        }
        let file = format!("a.{ext}");
        let files = Memory::with(&file, text);
        let opts = LoadOptions::default();
        let t = Instant::now();
        let l = load(std::path::Path::new(&file), &files, &opts);
        let t1 = t.elapsed();
        let t = Instant::now();
        let w = l.grammar.as_ref().map(|g| native::write(g).len());
        println!(
            "{:7.2} {:7.2} {ext} {name}: {} diagnostics, {} {w:?}",
            t1.as_secs_f64(),
            t.elapsed().as_secs_f64(),
            l.diagnostics.len(),
            l.diagnostics
                .first()
                .map(|d| d.message.chars().take(60).collect::<String>())
                .unwrap_or_default()
        );
        let _ = q;
    }
}
