//! Other reducers, installed from PyPI into environments below the target directory.

use std::fs;
use std::path::{Path, PathBuf};

use super::Figures;
use super::cases::Case;
use crate::process::{Call, Fallible, target};
use crate::say;
use crate::tools;

/// What can be had of the others.
pub(super) struct Peers {
    picireny: Option<Picireny>,
    shrink_ray: Option<PathBuf>,
}

struct Picireny {
    program: PathBuf,
    jar: PathBuf,
}

/// Seconds that a reducer gets for one case.
const PATIENCE: &str = "300";

impl Peers {
    /// Installs what can be installed, and says what cannot.
    pub(super) fn install() -> Self {
        let or_left_out = |name: &str, error: &String| say(&format!("left out: {name}: {error}"));
        let picireny = Picireny::install().inspect_err(|error| or_left_out("Picireny", error));
        let shrink_ray = install_shrink_ray().inspect_err(|error| or_left_out("Shrink Ray", error));
        Self { picireny: picireny.ok(), shrink_ray: shrink_ray.ok() }
    }

    /// No others.
    pub(super) fn none() -> Self {
        Self { picireny: None, shrink_ray: None }
    }

    /// What Picireny makes of a case; `None` if it cannot.
    pub(super) fn run_picireny(&self, case: &Case, folder: &Path) -> Fallible<Option<Figures>> {
        let (Some(peer), Some(grammar)) = (&self.picireny, case.antlr_files()) else {
            return Ok(None);
        };
        let Some(start) = &case.grammar.start else { return Ok(None) };
        let (out, count) = (folder.join("picireny"), folder.join("picireny.count"));
        let _absent = fs::remove_file(&count);
        let _absent = fs::remove_dir_all(&out);
        let call = Call::new("timeout").arg(PATIENCE).arg(&peer.program);
        let call = call.arg("--antlr").arg(&peer.jar).arg("--input").arg(case.input());
        let call = call.arg("--test").arg(case.test()).arg("--grammar").args(&grammar);
        let call = call.args(["--start", start, "--out"]).arg(&out);
        let call = call.env("REDUCE_COUNT", &count.display().to_string());
        // It writes its result at the end.
        let ended = call.finish()?;
        Ok(figures(&out.join("input.txt"), &count, ended.code))
    }

    /// What Shrink Ray makes of a case; `None` if it cannot.
    pub(super) fn run_shrink_ray(&self, case: &Case, folder: &Path) -> Fallible<Option<Figures>> {
        let Some(program) = &self.shrink_ray else { return Ok(None) };
        let count = folder.join("shrinkray.count");
        let _absent = fs::remove_file(&count);
        let file = folder.join("shrinkray.txt");
        fs::copy(case.input(), &file).map_err(|error| error.to_string())?;
        let call = Call::new("timeout").arg(PATIENCE).arg(program);
        let call = call.args(["--ui", "basic", "--volume", "quiet", "--parallelism", "1"]);
        let call = call.args(["--input-type", "arg", "--no-python-reducer", "--no-history"]);
        let call = call.arg(case.test()).arg(&file);
        let ended = call.env("REDUCE_COUNT", &count.display().to_string()).finish()?;
        Ok(figures(&file, &count, ended.code))
    }
}

/// The exit code of `timeout` when the time is over.
const TIMED_OUT: i32 = 124;

/// The size of a result that was written, and the runs; `None` if the reducer failed.
fn figures(result: &Path, count: &Path, code: Option<i32>) -> Option<Figures> {
    let is_finished = match code? {
        0 => true,
        TIMED_OUT => false,
        _ => return None,
    };
    let bytes = fs::metadata(result).ok()?.len();
    let runs = fs::metadata(count).ok()?.len();
    Some(Figures { bytes: usize::try_from(bytes).ok()?, runs, is_finished })
}

impl Picireny {
    fn install() -> Fallible<Self> {
        let python = tools::python("picireny", &["picireny==21.8", "setuptools<81"])?;
        // Its own version reads only what an older ANTLR makes.
        let runtime = "antlr4-python3-runtime==4.13.2";
        let install = Call::new(&python).args(["-m", "pip", "install", "--quiet", runtime]);
        install.finish()?.success()?;
        let program = python.with_file_name("picireny");
        Ok(Self { program, jar: antlr_jar()? })
    }
}

/// ANTLR itself, from npm.
fn antlr_jar() -> Fallible<PathBuf> {
    let folder = target()?.join("peers").join("antlr-jar");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let package = folder.join("node_modules/antlr4ng-cli");
    if !package.is_dir() {
        let call = Call::new("npm").args(["install", "--silent", "--prefix"]).arg(&folder);
        call.arg("antlr4ng-cli@2.0.0").finish()?.success()?;
    }
    let found = fs::read_dir(&package).map_err(|error| error.to_string())?;
    let mut jars = found.filter_map(Result::ok).map(|entry| entry.path());
    jars.find(|path| path.extension().is_some_and(|extension| extension == "jar"))
        .ok_or_else(|| "the npm package has no jar".to_owned())
}

/// Packages that Shrink Ray needs, without those for language models, which take an hour to build.
const SHRINK_RAY_NEEDS: [&str; 11] = [
    "click",
    "chardet",
    "trio",
    "textual",
    "textual-plotext",
    "humanize",
    "libcst",
    "binaryornot",
    "black",
    "tree-sitter",
    "tree-sitter-language-pack",
];

fn install_shrink_ray() -> Fallible<PathBuf> {
    let folder = target()?.join("peers").join("shrinkray");
    let (python, complete) = (folder.join("bin/python"), folder.join("complete"));
    if !complete.exists() {
        let newer = newer_python().ok_or("it needs Python 3.12 or later")?;
        Call::new(newer).args(["-m", "venv"]).arg(&folder).finish()?.success()?;
        let pip = || Call::new(&python).args(["-m", "pip", "install", "--quiet"]);
        pip().arg("--only-binary=:all:").args(SHRINK_RAY_NEEDS).finish()?.success()?;
        pip().args(["--no-deps", "shrinkray==26.9.13.0"]).finish()?.success()?;
        fs::write(&complete, "").map_err(|error| error.to_string())?;
    }
    Ok(folder.join("bin/shrinkray"))
}

/// A Python that is new enough, wherever it is installed.
fn newer_python() -> Option<PathBuf> {
    let is_new = |program: &PathBuf| {
        let check = "import sys; sys.exit(sys.version_info < (3, 12))";
        Call::new(program).args(["-c", check]).finish().is_ok_and(|out| out.code == Some(0))
    };
    let mut programs: Vec<PathBuf> =
        ["python3", "python3.13", "python3.12"].iter().map(PathBuf::from).collect();
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    if let Ok(versions) = fs::read_dir(home.join(".pyenv/versions")) {
        let mut found: Vec<PathBuf> =
            versions.filter_map(Result::ok).map(|entry| entry.path().join("bin/python3")).collect();
        found.sort();
        programs.extend(found);
    }
    programs.into_iter().find(is_new)
}
