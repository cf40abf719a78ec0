//! A harness in Rust: reads tests, answers each with a line. Replace `is_accepted` by what is under test.
use std::io::{Read, Write, stdin, stdout};

fn is_accepted(test: &[u8]) -> bool {
    test.first().is_some_and(|&byte| byte != b')')
}

fn main() -> std::io::Result<()> {
    let (mut tests, mut answers, mut header) = (stdin().lock(), stdout().lock(), [0; 4]);
    while tests.read_exact(&mut header).is_ok() {
        let mut test = vec![0; u32::from_le_bytes(header) as usize];
        tests.read_exact(&mut test)?;
        let answer = if is_accepted(&test) { "accept" } else { "reject" };
        writeln!(answers, "{answer}")?;
        answers.flush()?;
    }
    Ok(())
}
