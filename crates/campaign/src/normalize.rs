//! Messages and stacks without what differs from test to test, so that equal mistakes look equal.
//!
//! Of a sanitizer's or debugger's stack the names of the innermost functions are kept, without those of the sanitizer
//! and of the C library. Of other output the first line that reports an error is kept, with numbers, addresses,
//! paths and quoted parts replaced. Linear in the output.

use std::sync::LazyLock;

use regex::bytes::Regex;

/// How many functions of a stack tell mistakes apart.
const FRAMES: usize = 3;
/// Characters of a message that tell mistakes apart.
const LENGTH: usize = 160;

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("invariant: our own patterns are regular expressions")
}

static FRAME: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)^\s*#\d+\s+(?:0x[0-9a-f]+\s+)?(?:in\s+)?([^\s(]+)"));
static FOREIGN: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:__interceptor_|__asan|__sanitizer|__ubsan|__msan|__libc|__GI_|abort$|raise$|main$|_start$|std::panic|core::panic|rust_begin_unwind|<null>)",
    )
});
static SAID: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?i)error|fatal|panic|exception|assert|invalid|unexpected|fail|syntax|abort|expect")
});
static THROWN: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:Uncaught )?[\w.:$]*(?:Error|Exception)\b(?::|$| )"));
/// Words that can only be of the test.
static FOREIGN_WORD: LazyLock<Regex> =
    LazyLock::new(|| regex(r"[^\s:,;'()]*[^\x00-\x7F\s][^\s:,;'()]*"));
static PATH: LazyLock<Regex> = LazyLock::new(|| regex(r"(?:\.{0,2}/)[^\s:'\x22`(),]+"));
static QUOTED: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"'[^']*'|"[^"]*"|`[^`']*[`']|\x{2018}[^\x{2019}]*\x{2019}"#));
static NUMBER: LazyLock<Regex> = LazyLock::new(|| regex(r"0x[0-9a-fA-F]+|\d+"));

/// What is characteristic of the output of a program that failed.
#[must_use]
pub fn signature(stdout: &[u8], stderr: &[u8]) -> String {
    let stack = frames(stderr);
    match stack.is_empty() {
        false => format!("in {}", stack.join(", ")),
        true => message(first_message(stdout, stderr)),
    }
}

/// The line of the output that says best what is wrong, as it is.
#[must_use]
pub fn first_message<'o>(stdout: &'o [u8], stderr: &'o [u8]) -> &'o [u8] {
    if let Some(line) = exception(stderr) {
        return line;
    }
    let lines = |output: &'o [u8]| {
        output.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty())
    };
    let all = || lines(stderr).chain(lines(stdout));
    let thrown = all().find(|line| THROWN.is_match(line));
    thrown
        .or_else(|| all().find(|line| SAID.is_match(line)))
        .or_else(|| all().next())
        .unwrap_or_default()
}

/// The exception of a Python traceback: the first line after its frames, which are indented.
fn exception(stderr: &[u8]) -> Option<&[u8]> {
    let mut lines = stderr.split(|&byte| byte == b'\n');
    lines.find(|line| line.starts_with(b"Traceback (most recent call last):"))?;
    let is_frame = |line: &&[u8]| line.starts_with(b" ") || line.is_empty();
    lines.find(|line| !is_frame(line)).map(<[u8]>::trim_ascii)
}

/// A message with everything replaced that depends on the test.
#[must_use]
pub fn message(line: &[u8]) -> String {
    let line = QUOTED.replace_all(line, &b"'...'"[..]);
    let line = FOREIGN_WORD.replace_all(&line, &b"'...'"[..]);
    let line = PATH.replace_all(&line, &b"FILE"[..]);
    let line = NUMBER.replace_all(&line, &b"N"[..]);
    String::from_utf8_lossy(&line).chars().take(LENGTH).collect()
}

fn frames(stderr: &[u8]) -> Vec<String> {
    let names = FRAME.captures_iter(stderr).filter_map(|found| Some(found.get(1)?.as_bytes()));
    let own = names.filter(|name| !FOREIGN.is_match(name) && !name.starts_with(b"("));
    own.take(FRAMES).map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::signature;

    fn check(output: &str, expected: &str) {
        assert_eq!(signature(b"", output.as_bytes()), expected, "{output}");
    }

    #[test]
    fn what_differs_from_test_to_test_is_replaced() {
        check(
            "parse error: Invalid literal at line 1, column 17",
            "parse error: Invalid literal at line N, column N",
        );
        check("/tmp/x-1/input.txt:3: unexpected 'foo'", "FILE:N: unexpected '...'");
        check("reading\nfatal: address 0xdeadbeef\n", "fatal: address N");
        check("nothing to see", "nothing to see");
        check("tag mismatch: \u{8c48}x line 1 and a", "tag mismatch: '...' line N and a");
        let node =
            "const href = parse(input, raiseException);\n\nTypeError: Invalid URL\n    at new URL";
        check(node, "TypeError: Invalid URL");
        let python = "Traceback (most recent call last):\n  File \"x.py\", line 7, in f\n    raise Error(f\"bad\")\n\
            mod.Error: bad character at line 7\n";
        check(python, "mod.Error: bad character at line N");
        check("", "");
    }

    #[test]
    fn stacks_are_known_by_their_functions() {
        let report = "==1==ERROR: AddressSanitizer: heap-use-after-free\n\
            #0 0x4c in __interceptor_free (/lib/x+0x1)\n    #1 0x4d in free_node tree.c:7\n    \
            #2 0x4e in parse parse.c:9\n    #3 0x4e in main main.c:1\n";
        check(report, "in free_node, parse");
    }
}
