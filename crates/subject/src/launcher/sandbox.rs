//! What a program may reach: files to write, the network, and processes to signal.
//!
//! Writes are refused by Landlock, the network by a seccomp filter on the creation of sockets. Both bind the thread
//! that asks for them and everything it starts, so the launcher itself stays free. Where the kernel lacks something,
//! the rest still works, and the report has a reason for each part that does not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, AccessFs, CompatLevel, Compatible, LandlockStatus, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

use crate::program::{Isolation, SandboxReport};

/// The version of Landlock that can do everything we ask for.
const WANTED: ABI = ABI::V6;

/// Devices that every program may write to.
const DEVICES: [&str; 6] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];

/// Binds this thread and everything it will start.
pub(super) fn enter(isolation: &Isolation, scratch: &Path) -> SandboxReport {
    if !isolation.is_sandboxed {
        let unwanted = || Some("the sandbox is switched off".to_owned());
        return SandboxReport {
            writes_open: unwanted(),
            network_open: unwanted(),
            signals_open: unwanted(),
            processes_watched: None,
        };
    }
    let mut report = match refuse_writes(isolation, scratch) {
        Ok(report) => report,
        Err(error) => {
            let reason = format!("Landlock failed: {error}");
            SandboxReport {
                writes_open: Some(reason.clone()),
                signals_open: Some(reason),
                network_open: None,
                processes_watched: None,
            }
        }
    };
    report.network_open = match isolation.allow_network {
        true => Some("the network is allowed".to_owned()),
        false => refuse_network().err(),
    };
    report
}

fn refuse_writes(
    isolation: &Isolation,
    scratch: &Path,
) -> Result<SandboxReport, landlock::RulesetError> {
    let writes = AccessFs::from_write(WANTED);
    let devices = DEVICES.iter().map(PathBuf::from);
    let places: Vec<PathBuf> =
        isolation.allow_writes.iter().cloned().chain([scratch.to_owned()]).chain(devices).collect();
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(writes)?
        .scope(Scope::Signal)?
        .scope(Scope::AbstractUnixSocket)?
        .create()?
        .add_rules(path_beneath_rules(places, writes))?
        .restrict_self()?;
    let (writes_open, signals_open) = match (status.ruleset, status.landlock) {
        (RulesetStatus::NotEnforced, _) => {
            let reason = "the kernel has no Landlock".to_owned();
            (Some(reason.clone()), Some(reason))
        }
        (_, LandlockStatus::Available { effective_abi, .. }) if effective_abi < WANTED => {
            (None, Some("the kernel's Landlock is too old for it".to_owned()))
        }
        _ => (None, None),
    };
    Ok(SandboxReport { writes_open, signals_open, ..SandboxReport::default() })
}

/// Sockets other than local ones cannot be made, nor can signals be sent to everybody at once. `io_uring` could make
/// sockets past the filter.
fn refuse_network() -> Result<(), String> {
    let word = |op, value| {
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, op, value)
            .and_then(|condition| SeccompRule::new(vec![condition]))
    };
    let rules = || -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
        let local = u64::from(libc::AF_UNIX.unsigned_abs());
        let everybody = u64::from(u32::MAX);
        Ok(BTreeMap::from([
            (libc::SYS_socket, vec![word(SeccompCmpOp::Ne, local)?]),
            (libc::SYS_kill, vec![word(SeccompCmpOp::Eq, everybody)?]),
            (libc::SYS_io_uring_setup, Vec::new()),
        ]))
    };
    let failed = |error: &dyn std::fmt::Display| format!("seccomp failed: {error}");
    let rules = rules().map_err(|error| failed(&error))?;
    let arch = std::env::consts::ARCH.try_into();
    let arch = arch.map_err(|error: seccompiler::BackendError| failed(&error))?;
    let errno = SeccompAction::Errno(libc::EACCES.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, errno, arch);
    let filter: BpfProgram = filter.and_then(TryInto::try_into).map_err(|error| failed(&error))?;
    seccompiler::apply_filter(&filter).map_err(|error| failed(&error))
}
