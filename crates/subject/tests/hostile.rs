//! Programs that do their worst: each is observed as what it is, and nothing of it stays.
#![expect(clippy::print_stdout, reason = "what is skipped is said")]
#![expect(clippy::needless_pass_by_value, reason = "cases read better with values")]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use gramercy_subject::{
    Delivery, End, Launched, LauncherCommand, Observation, Program, Resource, Subject,
    SubjectError, WasRead, WorkDirectory,
};

fn launcher() -> LauncherCommand {
    LauncherCommand::new(env!("CARGO_BIN_EXE_gramercy-launcher"))
}

/// The compiled program, or `None` where there is no C compiler.
#[expect(clippy::disallowed_methods, reason = "tests compile the programs that they run")]
fn hostile() -> Option<&'static Path> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/hostile.c");
        let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("hostile-{}", std::process::id() % 32));
        let built = std::process::Command::new("cc").arg(source).arg("-o").arg(&target).status();
        built.is_ok_and(|status| status.success()).then_some(target)
    };
    BUILT.get_or_init(build).as_deref()
}

fn program(mode: &str, more: &[&str]) -> Option<Program> {
    let Some(hostile) = hostile() else {
        println!("skipped: there is no C compiler");
        return None;
    };
    let words =
        [hostile.to_str().expect("it is UTF-8"), mode].into_iter().chain(more.iter().copied());
    let mut program = Program::new(words.map(str::to_owned).collect());
    program.bounds.time = Duration::from_secs(20);
    Some(program)
}

fn observe(program: Program, test: &[u8]) -> Observation {
    let mut subject = Launched::new(launcher(), program).expect("the launcher starts");
    let mut observations = Vec::new();
    subject.observe(&[test], &mut observations).expect("the program starts");
    observations.pop().expect("there is one observation per test")
}

fn check(mode: &str, more: &[&str], end: End) {
    check_with(mode, more, end, |_| {});
}

fn check_with(mode: &str, more: &[&str], end: End, change: impl FnOnce(&mut Program)) {
    let Some(mut program) = program(mode, more) else { return };
    change(&mut program);
    let began = Instant::now();
    let seen = observe(program, b"test");
    assert_eq!(seen.end, end, "{mode} {more:?}: {seen:?}");
    assert!(began.elapsed() < Duration::from_secs(30), "{mode} took {:?}", began.elapsed());
    assert_eq!(strays(mode), 0, "{mode} left processes");
}

/// Processes of the hostile program in a mode that still live.
fn strays(mode: &str) -> usize {
    let own = hostile().and_then(Path::to_str).expect("it was built").to_owned();
    let entries = std::fs::read_dir("/proc").expect("this is Linux");
    let lines =
        entries.flatten().filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let mine = |line: &Vec<u8>| {
        let mut words = line.split(|&byte| byte == 0);
        words.next() == Some(own.as_bytes()) && words.next() == Some(mode.as_bytes())
    };
    lines.filter(mine).count()
}

fn short(program: &mut Program) {
    program.bounds.time = Duration::from_millis(300);
}

#[test]
fn exits_at_once() {
    check("exit", &["0"], End::Exit(0));
    check("exit", &["7"], End::Exit(7));
    check("exit", &["255"], End::Exit(255));
}

#[test]
fn hangs_and_ignores_signals() {
    check_with("hang", &[], End::TimedOut, short);
    check_with("ignore", &[], End::TimedOut, short);
    check_with("stop", &[], End::TimedOut, short);
    check_with("close", &[], End::TimedOut, short);
}

#[test]
fn detaches() {
    check("detach", &[], End::Exit(0));
    check("detach-and-hold", &[], End::Exit(3));
}

#[test]
fn uses_too_much() {
    let exceeded = End::Exceeded;
    check_with("allocate", &[], exceeded(Resource::Memory), |program| {
        program.bounds.memory = Some(64 << 20);
    });
    check_with("write", &[], exceeded(Resource::Output), |program| {
        program.bounds.output = 1 << 20;
    });
    check_with("write-error", &[], exceeded(Resource::Output), |program| {
        program.bounds.output = 1 << 20;
    });
    check_with("fill", &[], exceeded(Resource::File), |program| {
        program.bounds.file = Some(8 << 20);
    });
    check_with("fill-many", &[], exceeded(Resource::Disk), |program| {
        program.bounds.disk = Some(32 << 20);
    });
    check_with("spin", &[], exceeded(Resource::Cpu), |program| {
        program.bounds.cpu = Some(Duration::from_secs(1));
        program.bounds.time = Duration::from_secs(60);
    });
}

#[test]
fn forks_without_end() {
    let few = |program: &mut Program| {
        program.bounds.processes = Some(20);
        program.bounds.time = Duration::from_secs(20);
    };
    check_with("fork", &[], End::Exceeded(Resource::Processes), few);
    check_with("fork-sessions", &[], End::Exceeded(Resource::Processes), few);
}

#[test]
fn dies_by_each_signal() {
    // By default these do nothing, stop, or go on.
    let harmless = [17, 18, 19, 20, 21, 22, 23, 28];
    for signal in (1..32).filter(|signal| !harmless.contains(signal)) {
        let end = match signal {
            24 => End::Exceeded(Resource::Cpu),
            25 => End::Exceeded(Resource::File),
            signal => End::Signal(signal),
        };
        check("signal", &[&signal.to_string()], end);
    }
    let Some(program) = program("abort", &[]) else { return };
    let seen = observe(program, b"");
    assert_eq!(seen.end, End::Signal(6));
    assert_eq!(seen.stderr, b"assertion failed\n");
}

#[test]
fn wants_a_terminal() {
    check("terminal", &[], End::Exit(4));
}

#[test]
fn kills() {
    check("kill-group", &[], End::Signal(9));
    check("kill-all", &[], End::Exit(5));
    let Some(program) = program("kill-parent", &[]) else { return };
    let subject = Launched::new(launcher(), program.clone()).expect("the launcher starts");
    match &subject.sandbox().signals_open {
        None => check("kill-parent", &[], End::Exit(5)),
        Some(reason) => {
            println!("the launcher is not protected: {reason}");
            assert_eq!(observe(program, b"").end, End::Escaped);
        }
    }
}

#[test]
fn deletes_and_creates_files() {
    let Some(sample) = program("exit", &["0"]) else { return };
    let subject = Launched::new(launcher(), sample).expect("the launcher starts");
    if let Some(reason) = &subject.sandbox().writes_open {
        println!("skipped: {reason}");
        return;
    }
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("outside-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let file = folder.join("precious");
    std::fs::write(&file, "x").expect("the file can be written");
    let path = file.to_str().expect("it is UTF-8");
    let other = folder.join("other");
    let other = other.to_str().expect("it is UTF-8");
    check("delete", &[path], End::Exit(5));
    check("create", &[other], End::Exit(5));
    check_with("create", &[other], End::Exit(6), |program| {
        program.isolation.allow_writes = vec![folder.clone()];
    });
    assert!(file.exists());
    check_with("delete", &[path], End::Exit(6), |program| program.isolation.is_sandboxed = false);
    assert!(!file.exists());
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn opens_the_network() {
    check("network", &[], End::Exit(5));
    check("local-socket", &[], End::Exit(6));
    check_with("network", &[], End::Exit(6), |program| program.isolation.allow_network = true);
}

#[test]
fn litters() {
    let Some(program) = program("litter", &[]) else { return };
    let mut subject = Launched::new(launcher(), program).expect("the launcher starts");
    let mut observations = Vec::new();
    subject.observe(&[b"a", b"b"], &mut observations).expect("the program starts");
    assert!(observations.iter().all(|seen| seen.end == End::Exit(0)), "{observations:?}");
}

#[test]
fn it_is_seen_whether_the_test_was_read() {
    let Some(mut program) = program("read", &["{}"]) else { return };
    program.directory = WorkDirectory::Temporary;
    let seen = observe(program.clone(), b"abc");
    assert_eq!((seen.end, seen.read), (End::Exit(0), WasRead::Yes));
    program.command[1] = "exit".to_owned();
    assert_eq!(observe(program, b"3").read, WasRead::No);
}

#[test]
fn tests_come_by_file_input_and_argument() {
    let run = |words: &[&str], delivery: Delivery, test: &[u8]| {
        let mut program = Program::new(words.iter().map(|word| (*word).to_owned()).collect());
        program.delivery = delivery;
        observe(program, test)
    };
    let seen = run(&["cat"], Delivery::Stdin, b"text\n");
    assert_eq!((seen.end, &seen.stdout[..]), (End::Exit(0), &b"text\n"[..]));
    let seen = run(&["cat", "{}"], Delivery::File { extension: "x".to_owned() }, b"\0\xff");
    assert_eq!((seen.end, &seen.stdout[..]), (End::Exit(0), &b"\0\xff"[..]));
    let seen = run(&["printf", "<%s>", "{}"], Delivery::Argument, "a b\u{e4}".as_bytes());
    assert_eq!(seen.stdout, "<a b\u{e4}>".as_bytes());
    let seen = run(&["printf", "{}"], Delivery::Argument, b"a\0b");
    assert!(matches!(seen.end, End::Undeliverable(_)), "{seen:?}");
    let long = vec![b'x'; 1 << 20];
    let seen = run(&["printf", "{}"], Delivery::Argument, &long);
    assert!(matches!(seen.end, End::Undeliverable(_)), "{:?}", seen.end);
}

#[test]
fn commands_that_cannot_be_started() {
    let start = |command: &str| {
        let program = Program::new(vec![command.to_owned()]);
        let mut subject = Launched::new(launcher(), program).expect("the launcher starts");
        subject.observe(&[b""], &mut Vec::new()).expect_err("it cannot start")
    };
    let reason = |error: SubjectError| match error {
        SubjectError::CannotStart { reason, .. } => reason,
        SubjectError::Machine(what) => panic!("{what}"),
    };
    assert_eq!(reason(start("no-such-program-anywhere")), "there is no such program");
    assert_eq!(reason(start("/etc/passwd")), "it is not executable");
}

#[test]
fn nothing_stays_when_the_runner_is_gone() {
    let Some(mut program) = program("hang", &["gone"]) else { return };
    short(&mut program);
    let mut subject = Launched::new(launcher(), program).expect("the launcher starts");
    let handle = std::thread::spawn(move || {
        let mut observations = Vec::new();
        let _ = subject.observe(&[b"x"], &mut observations);
        subject
    });
    drop(handle.join().expect("the thread ends"));
    assert_eq!(strays("hang"), 0);
}
