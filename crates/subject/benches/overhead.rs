//! What a launcher costs beyond a bare spawn: `true`, started in both ways in turns.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use gramercy_subject::{Launched, LauncherCommand, Program, Subject};

const RUNS: u32 = 500;

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
#[expect(clippy::disallowed_methods, reason = "the bare spawn that is compared with")]
fn main() {
    let launcher = LauncherCommand::new(env!("CARGO_BIN_EXE_gramercy-launcher"));
    let program = Program::new(vec!["true".to_owned(), "{}".to_owned()]);
    let mut subject = Launched::new(launcher, program).expect("the launcher starts");
    let (mut bare, mut launched) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..RUNS {
        let began = Instant::now();
        let output = Command::new("true").stdin(Stdio::null()).output();
        assert!(output.is_ok(), "true is everywhere");
        bare += began.elapsed();
        let (began, mut seen) = (Instant::now(), Vec::new());
        subject.observe(&[b"test"], &mut seen).expect("true is everywhere");
        launched += began.elapsed();
    }
    let micros = |time: Duration| time.as_micros() / u128::from(RUNS);
    let (bare, launched) = (micros(bare), micros(launched));
    println!(
        "bare spawn {bare} us, launcher {launched} us, beyond it {} us",
        launched.saturating_sub(bare)
    );
}
