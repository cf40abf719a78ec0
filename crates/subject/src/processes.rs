//! The processes below this one: found in `/proc`, measured, and ended.
//!
//! A launcher is a *subreaper*: what a test starts and abandons becomes the launcher's own child. So everything a
//! test started is below the launcher at any time, whatever sessions and groups it moved to. Looking at all
//! processes of the machine is linear in their number.

use std::time::{Duration, Instant};

use rustix::process::{self, Pid, Signal, WaitOptions};

/// How long processes may take to die of `SIGKILL`. Only the kernel can keep them longer.
const PATIENCE: Duration = Duration::from_secs(10);

/// One process of the machine.
#[derive(Clone, Copy, Debug)]
struct Entry {
    pid: i32,
    parent: i32,
    session: i32,
    resident_pages: u64,
    is_zombie: bool,
}

/// How many processes there are below this one, and their memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) processes: u64,
    pub(crate) resident_bytes: u64,
}

/// What all processes below this one use.
pub(crate) fn usage() -> Usage {
    let page = rustix::param::page_size() as u64;
    let living = descendants().into_iter().filter(|entry| !entry.is_zombie);
    living.fold(Usage::default(), |sum, entry| Usage {
        processes: sum.processes + 1,
        resident_bytes: sum.resident_bytes + entry.resident_pages * page,
    })
}

/// The number of threads of all processes of the machine, which one short file tells; 0 where it does not.
pub(crate) fn threads_of_machine() -> u64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let of_all = text.split('/').nth(1).and_then(|rest| rest.split(' ').next());
    of_all.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Ends every process below this one and waits until all are gone. A process group is ended as a whole first, because
/// its members cannot escape that by forking. Whether all are gone.
pub(crate) fn end_all(group: Option<Pid>) -> bool {
    let began = Instant::now();
    loop {
        if let Some(group) = group {
            // The group may be gone already.
            let _ = process::kill_process_group(group, Signal::KILL);
        }
        if reap() {
            return true;
        }
        for entry in descendants() {
            kill(entry.pid);
        }
        if reap() {
            return true;
        }
        if began.elapsed() > PATIENCE {
            return false;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Ends what a launcher that died left behind: the processes of its session.
pub(crate) fn end_session(session: Pid) {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        let left = all();
        let left = left.iter().filter(|entry| entry.session == session.as_raw_nonzero().get());
        let mut left = left.filter(|entry| !entry.is_zombie).peekable();
        if left.peek().is_none() {
            return;
        }
        left.for_each(|entry| kill(entry.pid));
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Whether a process of this number lives.
pub(crate) fn is_alive(pid: i32) -> bool {
    let pid = Pid::from_raw(pid);
    pid.is_some_and(|pid| process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

fn kill(pid: i32) {
    if let Some(pid) = Pid::from_raw(pid) {
        // It may be gone already.
        let _ = process::kill_process(pid, Signal::KILL);
    }
}

/// Takes the exit codes of all children that ended. Whether no child is left.
pub(crate) fn reap() -> bool {
    loop {
        match process::wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
            Ok(None) => return false,
            Err(_) => return true,
        }
    }
}

/// All processes below this one, in no particular order.
fn descendants() -> Vec<Entry> {
    let mut others = all();
    let mut parents = vec![process::getpid().as_raw_nonzero().get()];
    let mut found = Vec::new();
    while let Some(parent) = parents.pop() {
        others.retain(|&entry| {
            let is_child = entry.parent == parent;
            if is_child {
                parents.push(entry.pid);
                found.push(entry);
            }
            !is_child
        });
    }
    found
}

fn all() -> Vec<Entry> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter_map(read).collect()
}

/// A process that ended in the meantime is no process.
fn read(pid: i32) -> Option<Entry> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    parse(pid, &stat)
}

/// The name stands in parentheses and may hold anything, also parentheses.
fn parse(pid: i32, stat: &str) -> Option<Entry> {
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    Some(Entry {
        pid,
        is_zombie: matches!(*fields.first()?, "Z" | "X"),
        parent: fields.get(1)?.parse().ok()?,
        session: fields.get(3)?.parse().ok()?,
        resident_pages: fields.get(21)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::{all, parse};

    #[test]
    fn names_of_processes_may_hold_anything() {
        let stat = "7 (a ) R 1 (b)) S 3 4 5 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 9 1000 42 0";
        let entry = parse(7, stat).expect("it is a process");
        assert_eq!((entry.parent, entry.session, entry.resident_pages), (3, 5, 42));
        assert!(!entry.is_zombie);
        assert!(parse(7, "7 (a").is_none());
    }

    #[test]
    fn this_process_is_listed() {
        let pid = i32::try_from(std::process::id()).expect("it is small");
        assert!(all().iter().any(|entry| entry.pid == pid && entry.resident_pages > 0));
    }
}
