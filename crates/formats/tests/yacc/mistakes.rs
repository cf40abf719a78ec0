//! Every error is reported at its position, whatever else is wrong.

use gramercy_formats::LoadOptions;
use gramercy_formats::yacc::seeds::{BROKEN, VALID};

use crate::{read, rendered};

fn check(text: &str, expected: &[&str]) {
    let found = rendered(&read(text));
    let fits = |found: &String, expected: &&str| {
        let mut parts = expected.splitn(3, ' ');
        let mut of_found = found.splitn(3, ' ');
        parts.next() == of_found.next()
            && parts.next() == of_found.next()
            && of_found.next().unwrap_or("").contains(parts.next().unwrap_or(""))
    };
    let all = found.len() == expected.len() && found.iter().zip(expected).all(|(f, e)| fits(f, e));
    assert!(all, "in:\n{text}\nfound {found:#?}\nexpected {expected:#?}");
}

#[test]
fn broken_files_get_their_diagnostics() {
    for (text, expected) in BROKEN {
        check(text, expected);
        assert!(read(text).grammar.is_none(), "{text}");
    }
}

#[test]
fn every_prefix_of_a_file_is_read_without_harm() {
    for text in VALID.iter().chain(BROKEN.iter().map(|(text, _)| text)) {
        for (end, _) in text.char_indices() {
            read(&text[..end]);
            read(&text[end..]);
        }
    }
}

#[test]
fn help_names_similar_names() {
    let check = |text: &str, expected: &str| {
        let loaded = read(text);
        let help = loaded.diagnostics[0].help.as_deref();
        assert_eq!(help, Some(expected), "{text}");
    };
    check("%token ID\n%%\ns: expr;\nexper: ID;\n", "did you mean `exper`?");
    check("%token NUM\n%%\ns: NUMM;\n", "did you mean `NUM`?");
    check("%tokne A\n%%\ns: 'a';\n", "did you mean `%token`?");
    check("%start stmts\n%%\nstmt: 'a';\n", "did you mean `stmt`?");
    check("%%\ns: lisst(A);\n", "did you mean `list`?");
}

#[test]
fn warnings_do_not_keep_a_file_from_loading() {
    let check_warning = |text: &str, expected: &str| {
        check(text, &[expected]);
        assert!(read(text).grammar.is_some(), "{text}");
    };
    check_warning("%token A \"x\" B \"x\"\n%%\ns: A B;\n", "alias-twice 1:16 the alias of `A`");
    check_warning("%token A\n%%\ns: A %prec LOW | A A %prec LOW;\n", "undeclared-prec 3:12 LOW");
    check_warning("%%\ns: A, B, C;\n", "stray-comma 2:5 comma");
}

#[test]
fn the_requested_start_must_exist() {
    let start = |start: &str| {
        let files = gramercy_formats::Memory::with("a.y", "%%\nstmt: 'x'; expr: 'y' | error;");
        let options = LoadOptions { start: Some(start.into()), ..LoadOptions::default() };
        gramercy_formats::load(std::path::Path::new("a.y"), &files, &options)
    };
    let found = start("expr").grammar.expect("a rule");
    assert_eq!(&*found.rules()[found.start()].name, "expr");
    assert_eq!(rendered(&start("exp")), ["unknown-start - there is no rule `exp` to start from"]);
}

/// Linear in size and depth: otherwise these would take hours.
#[test]
fn large_files_are_read_in_linear_time() {
    const MANY: usize = 50_000;
    let check = |text: &str, loads: bool| assert_eq!(read(text).grammar.is_some(), loads);
    check(&format!("%%\n{}", "a: b c;\n".repeat(MANY)), true);
    check(&format!("%%\na: x {};\n", "| b c ".repeat(MANY)), true);
    check(&format!("%%\na: {};\n", "{ $$ = $1; } b ".repeat(MANY)), true);
    check(&format!("%%\na: b {}{};\n", "{".repeat(100_000), "}".repeat(100_000)), true);
    check(&format!("%%\na: b {};\n", "{".repeat(100_000)), false);
    check(&format!("%%\n{}", "a: {\n".repeat(MANY)), false);
    check(&format!("%%\n{}", "a: { /*\n".repeat(MANY)), false);
    check(&format!("%%\n{}", "a: { R\"x(\n".repeat(MANY)), false);
    check(&"%{\n".repeat(MANY), false);
    check(&format!("%token {}\n%%\n", "<".repeat(MANY)), false);
    let nested = |depth| format!("%%\na: {}b{};\n", "option(".repeat(depth), ")".repeat(depth));
    check(&nested(2 * MANY), false);
    check(&nested(500), true);
    check(&format!("%%\na: b{};\n", "?".repeat(500)), true);
    check(&"; @ ".repeat(MANY), false);
    let undefined = (0..MANY).map(|n| format!("a{n}: b{n};\n")).collect::<String>();
    check(&format!("%token A\n%%\n{undefined}"), false);
    let chain = (0..MANY).map(|n| format!("a{n}: a{} X | Y;\n", n + 1)).collect::<String>();
    check(&format!("%%\n{chain}a{MANY}: error;\n"), true);
}
