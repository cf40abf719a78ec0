//! A campaign as a job array of Slurm, on one node that this proof starts: seven tasks, one of which is killed and
//! requeued while it runs. It holds if the task went on where it was, and the merged report is that of a single run.
//!
//! Slurm's daemons get a configuration, state and ports of their own below the target directory, and are stopped in
//! the end. This takes the superuser, and about a minute.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::extent::Extent;
use crate::gramercy::{Gramercy, scratch};
use crate::process::{Call, Fallible, Profile, root};
use crate::{say, tools};

const TASKS: u64 = 7;
/// The task that is requeued.
const VICTIM: u64 = 2;
/// The suite, and the program with a pause, so that tasks are still running when one is killed.
const SUITE: [&str; 4] = ["--random", "150", "--tokens", "10"];
const PROGRAM: &str = "cat $1; sleep 0.03; grep -q true $1 && exit 1; exit 0";

/// Runs the array and compares.
pub(super) fn run(extent: Extent) -> Fallible {
    let is_root = Call::new("id").arg("-u").finish()?.stdout.trim() == "0";
    if extent == Extent::Short || !is_root {
        say(
            "left out: it starts the daemons of Slurm as the superuser; run `cargo xtask proof slurm`",
        );
        return Ok(());
    }
    tools::have("sbatch", "slurm-wlm", extent)?;
    tools::have("munged", "munge", extent)?;
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let folder = scratch("slurm")?;
    let whole = single_run(&gramercy)?;
    let cluster = Cluster::start(&folder)?;
    let parts = cluster.array(&gramercy)?;
    let all = folder.join("all.db");
    let _ = std::fs::remove_file(&all);
    let merged = Call::new(gramercy.path()).arg("merge").args(&parts).arg("-o").arg(&all);
    let merged = merged.arg("--json").finish()?;
    let merged: Value = parse(&merged.stdout)?;
    say(&format!("merged: {} tests, {}", merged["tests"], merged["verdicts"]));
    if merged != whole {
        return Err(format!(
            "the merged report differs from that of a single run: {}",
            whole["verdicts"]
        ));
    }
    Ok(())
}

fn parse(text: &str) -> Fallible<Value> {
    serde_json::from_str(text).map_err(|error| format!("{error}: {text}"))
}

fn single_run(gramercy: &Gramercy) -> Fallible<Value> {
    let call = Call::new(gramercy.path()).args(["run", "grammars/json.gram", "--json"]).args(SUITE);
    parse(&call.args(["--", "sh", "-c", PROGRAM, "sh", "{}"]).finish()?.stdout)
}

/// The daemons of one node.
struct Cluster {
    folder: PathBuf,
    /// Whether this proof started munged.
    own_munge: bool,
}

impl Cluster {
    fn start(folder: &Path) -> Fallible<Self> {
        for name in ["state", "spool"] {
            let path = folder.join(name);
            let _ = std::fs::remove_dir_all(&path);
            std::fs::create_dir_all(&path).map_err(|error| error.to_string())?;
        }
        let host = Call::new("hostname").finish()?.success()?;
        let file = folder.join("slurm.conf");
        std::fs::write(&file, configuration(host.trim(), folder))
            .map_err(|error| error.to_string())?;
        let cluster = Self { folder: folder.to_owned(), own_munge: start_munge()? };
        cluster.call("slurmctld").finish()?.success()?;
        cluster.call("slurmd").finish()?.success()?;
        cluster.wait("the node is idle", 60, || {
            let state = cluster.call("sinfo").args(["--noheader", "--format=%t"]).finish()?;
            Ok(state.stdout.trim() == "idle")
        })?;
        Ok(cluster)
    }

    fn call(&self, program: &str) -> Call {
        Call::new(program).env("SLURM_CONF", &self.folder.join("slurm.conf").display().to_string())
    }

    fn wait(&self, what: &str, seconds: u64, is_so: impl Fn() -> Fallible<bool>) -> Fallible {
        for _ in 0..seconds * 5 {
            if is_so()? {
                return Ok(());
            }
            sleep(Duration::from_millis(200));
        }
        let log = std::fs::read_to_string(self.folder.join("slurmctld.log")).unwrap_or_default();
        let last: Vec<&str> = log.lines().rev().take(5).collect();
        Err(format!("waited {seconds} s, but it did not happen: {what}\n{}", last.join("\n")))
    }

    /// Runs the array, with one task requeued. The databases of its tasks.
    fn array(&self, gramercy: &Gramercy) -> Fallible<Vec<PathBuf>> {
        let part = |task: u64| self.folder.join(format!("part-{task}.db"));
        for task in 1..=TASKS {
            for ending in ["", "-wal", "-shm"] {
                let _ = std::fs::remove_file(format!("{}{ending}", part(task).display()));
            }
        }
        let script = self.folder.join("task.sh");
        let text = task_script(gramercy.path(), &self.folder);
        std::fs::write(&script, text).map_err(|error| error.to_string())?;
        let job = self.call("sbatch").args(["--parsable", "--requeue", "--output=/dev/null"]);
        let job = job.arg(format!("--array=1-{TASKS}")).arg(&script).finish()?.success()?;
        let job = job.trim();
        let victim = format!("{job}_{VICTIM}");
        self.wait("the task has verdicts", 120, || Ok(verdicts(&part(VICTIM)) > 2))?;
        let before = verdicts(&part(VICTIM));
        self.call("scontrol").args(["requeue", &victim]).finish()?.success()?;
        let jobs = || self.call("squeue").args(["--noheader", "--jobs", job]).finish();
        self.wait("the array ends", 300, || Ok(jobs()?.stdout.trim().is_empty()))?;
        let shown = self.call("scontrol").args(["show", "job", &victim]).finish()?.stdout;
        let after = verdicts(&part(VICTIM));
        say(&format!(
            "task {VICTIM} had {before} verdicts when it was killed, and {after} in the end"
        ));
        if !shown.contains("Restarts=1") {
            return Err(format!("the task was not requeued:\n{shown}"));
        }
        if after <= before {
            return Err("the task had nothing left to do when it was killed".to_owned());
        }
        Ok((1..=TASKS).map(part).collect())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let mut files = vec![self.folder.join("slurmd.pid"), self.folder.join("slurmctld.pid")];
        if self.own_munge {
            files.push(PathBuf::from("/run/munge/munged.pid"));
        }
        for file in files {
            let Ok(pid) = std::fs::read_to_string(&file) else { continue };
            // A daemon that ended by itself is fine too.
            let _ = Call::new("kill").arg(pid.trim()).finish();
        }
    }
}

/// Starts munged, unless one runs already. Whether it was started.
fn start_munge() -> Fallible<bool> {
    let answers =
        || Call::new("munge").arg("--no-input").finish().is_ok_and(|it| it.code == Some(0));
    if answers() {
        return Ok(false);
    }
    Call::new("install").args(["-d", "-o", "munge", "/run/munge"]).finish()?.success()?;
    Call::new("runuser").args(["-u", "munge", "--", "munged"]).finish()?.success()?;
    for _ in 0..50 {
        if answers() {
            return Ok(true);
        }
        sleep(Duration::from_millis(100));
    }
    Err("munged does not answer".to_owned())
}

fn verdicts(database: &Path) -> u64 {
    let select =
        Call::new("sqlite3").arg("-readonly").arg(database).arg("SELECT count(*) FROM verdicts");
    select.finish().ok().and_then(|output| output.stdout.trim().parse().ok()).unwrap_or(0)
}

fn task_script(gramercy: &Path, folder: &Path) -> String {
    let (gramercy, folder, root) =
        (gramercy.display(), folder.display(), root().display().to_string());
    let suite = SUITE.join(" ");
    format!(
        "#!/bin/sh\ncd {root}\ndb={folder}/part-$SLURM_ARRAY_TASK_ID.db\n\
         resume=; [ -s \"$db\" ] && resume=--resume\n\
         {gramercy} run grammars/json.gram {suite} --shard auto --db \"$db\" $resume --jobs 1 -- \
         sh -c '{PROGRAM}' sh {{}} > /dev/null\nexit 0\n"
    )
}

/// One node with two processors. Requeued jobs start as soon as their old credentials have expired.
fn configuration(host: &str, folder: &Path) -> String {
    let folder = folder.display();
    let mut text = String::new();
    for line in [
        "ClusterName=gramercy".to_owned(),
        format!("SlurmctldHost={host}(127.0.0.1)"),
        "SlurmUser=root\nSlurmdUser=root".to_owned(),
        "AuthType=auth/munge\nAuthInfo=cred_expire=5".to_owned(),
        "ProctrackType=proctrack/pgid\nTaskPlugin=task/none".to_owned(),
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core".to_owned(),
        "SlurmdParameters=config_overrides".to_owned(),
        "SlurmctldPort=16817\nSlurmdPort=16818".to_owned(),
        format!("StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool"),
        format!("SlurmctldLogFile={folder}/slurmctld.log\nSlurmdLogFile={folder}/slurmd.log"),
        format!("SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd.pid"),
        "ReturnToService=2".to_owned(),
        format!("NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN"),
        "PartitionName=main Nodes=ALL Default=YES State=UP".to_owned(),
    ] {
        let _infallible = writeln!(text, "{line}");
    }
    text
}
