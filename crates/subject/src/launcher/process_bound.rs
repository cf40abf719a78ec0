//! Bounds the number of processes of a test in the kernel, where a group of the `pids` controller can be made.
//!
//! Limits of single users do not bind the superuser, and counting processes from time to time comes too late for a
//! program that forks without end. A control group binds everybody: the launcher moves itself, and so everything that
//! it starts, into a group of its own, in which a fork beyond the bound fails. Both versions of control groups are
//! known. Where no group can be made, the watch over the processes remains, and the report says so.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where control groups are mounted: those of the first version have a folder per controller.
const ROOT: &str = "/sys/fs/cgroup";
/// Threads that the launcher itself may have beside the processes of a test.
const OWN: u64 = 8;

/// A control group of this launcher.
#[derive(Debug)]
pub(super) struct ProcessBound {
    group: PathBuf,
    parent: PathBuf,
}

impl ProcessBound {
    /// Moves this process into a group with at most this number of processes beside its own threads.
    pub(super) fn enter(processes: u64) -> io::Result<Self> {
        let parent = parent(&fs::read_to_string("/proc/self/cgroup")?)
            .ok_or_else(|| io::Error::other("there is no `pids` controller"))?;
        remove_abandoned(&parent);
        let group = parent.join(format!("gramercy-{}", std::process::id()));
        fs::create_dir(&group)?;
        let bound = Self { group, parent };
        // Dropping the value removes the group again.
        fs::write(bound.group.join("pids.max"), (processes + OWN).to_string())?;
        fs::write(bound.group.join("cgroup.procs"), "0")?;
        Ok(bound)
    }

    /// How often a fork failed because of the bound.
    pub(super) fn refused(&self) -> u64 {
        let events = fs::read_to_string(self.group.join("pids.events")).unwrap_or_default();
        let count = events.lines().find_map(|line| line.strip_prefix("max ")?.trim().parse().ok());
        count.unwrap_or(0)
    }
}

impl Drop for ProcessBound {
    fn drop(&mut self) {
        // A group with a process in it cannot be removed.
        let _ = fs::write(self.parent.join("cgroup.procs"), "0");
        let _ = fs::remove_dir(&self.group);
    }
}

/// The folder in which groups with the `pids` controller are made.
fn parent(cgroups: &str) -> Option<PathBuf> {
    let of_first = cgroups.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?);
        let has = controllers.split(',').any(|name| name == "pids");
        has.then(|| Path::new(ROOT).join("pids").join(path.trim_start_matches('/')))
    });
    let of_second = || {
        let path = cgroups.lines().find_map(|line| line.strip_prefix("0::/"))?;
        let folder = Path::new(ROOT).join(path);
        let enabled = fs::read_to_string(folder.join("cgroup.subtree_control")).ok()?;
        enabled.split_whitespace().any(|name| name == "pids").then_some(folder)
    };
    of_first.or_else(of_second)
}

/// Removes the groups of launchers that no longer live. Those with processes in them stay.
fn remove_abandoned(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix("gramercy-")?.parse().ok());
        if owner.is_some_and(|pid| !crate::processes::is_alive(pid)) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parent;

    #[test]
    fn the_controller_is_found_in_the_first_version() {
        let cgroups = "9:name=systemd:/\n8:pids:/a/b\n0::/\n";
        let found = parent(cgroups).expect("it is listed");
        assert_eq!(found, std::path::Path::new("/sys/fs/cgroup/pids/a/b"));
        assert_eq!(parent("8:memory:/a\n"), None);
    }
}
