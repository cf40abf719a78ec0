//! The programs that are learned about, and how each is made ready to say what inputs cover.

use std::path::{Path, PathBuf};

use crate::extent::Extent;
use crate::process::{Call, Fallible, root};
use crate::tools::{have, python};

/// A program with the grammar of its inputs.
pub(super) struct Subject {
    pub(super) name: &'static str,
    /// What its inputs are.
    pub(super) kind: &'static str,
    /// The grammar, relative to the root of the checkout.
    pub(super) grammar: &'static str,
    reader: Reader,
}

/// How a program reads inputs.
enum Reader {
    /// A reader of `harness.py`.
    Python(&'static str),
    /// A driver class, the measured jar, other jars, and the Debian package.
    Java(&'static str, &'static str, &'static [&'static str], &'static str),
}

const JSON: &str = "xtask/src/experiment/learn/grammars/json.gram";
const URI: &str = "grammars/uri.gram";
const CSV: &str = "grammars/csv.gram";
const JARS: &str = "/usr/share/java";

const fn subject(
    name: &'static str,
    kind: &'static str,
    grammar: &'static str,
    reader: Reader,
) -> Subject {
    Subject { name, kind, grammar, reader }
}

pub(super) const SUBJECTS: &[Subject] = &[
    subject("python-json", "JSON", JSON, Reader::Python("json")),
    subject(
        "gson",
        "JSON",
        JSON,
        Reader::Java("GsonDriver", "gson.jar", &[], "libgoogle-gson-java"),
    ),
    subject(
        "json-simple",
        "JSON",
        JSON,
        Reader::Java("JsonSimpleDriver", "json-simple.jar", &[], "libjson-simple-java"),
    ),
    subject(
        "jackson-core",
        "JSON",
        JSON,
        Reader::Java("JacksonDriver", "jackson-core.jar", &[], "libjackson2-core-java"),
    ),
    subject(
        "jettison",
        "JSON",
        JSON,
        Reader::Java("JettisonDriver", "jettison.jar", &[], "libjettison-java"),
    ),
    subject("python-url", "URL", URI, Reader::Python("url")),
    subject("python-csv", "CSV", CSV, Reader::Python("csv")),
    subject(
        "commons-csv",
        "CSV",
        CSV,
        Reader::Java("CommonsCsvDriver", "commons-csv.jar", &[], "libcommons-csv-java"),
    ),
    subject(
        "opencsv",
        "CSV",
        CSV,
        Reader::Java(
            "OpenCsvDriver",
            "opencsv.jar",
            &["commons-lang3.jar", "commons-text.jar"],
            "libopencsv-java",
        ),
    ),
    subject(
        "tomllib",
        "TOML",
        "xtask/src/experiment/learn/grammars/toml.gram",
        Reader::Python("toml"),
    ),
    subject(
        "mistune",
        "Markdown",
        "xtask/src/experiment/learn/grammars/markdown.gram",
        Reader::Python("markdown"),
    ),
    subject(
        "rhino",
        "JavaScript",
        "xtask/src/experiment/learn/grammars/javascript.gram",
        Reader::Java("RhinoDriver", "rhino.jar", &[], "librhino-java"),
    ),
];

impl Subject {
    /// The command of a long-lived process that says what inputs cover; `None` if it cannot be had, which is told.
    /// `what` is `functions` or `branches`.
    pub(super) fn command(&self, what: &str, extent: Extent) -> Fallible<Option<Vec<String>>> {
        let programs = root().join("xtask/src/experiment/learn/programs");
        match self.reader {
            Reader::Python(reader) => {
                let Some(python) = python_with_coverage(extent)? else { return Ok(None) };
                let harness = programs.join("harness.py");
                Ok(Some(vec![text(&python), text(&harness), reader.to_owned(), what.to_owned()]))
            }
            Reader::Java(driver, jar, others, package) => {
                if !has_jars(&[jar], package, extent)?
                    || !has_jars(&["org.jacoco.core.jar", "asm.jar"], "libjacoco-java", extent)?
                {
                    return Ok(None);
                }
                let classes = compile(&programs.join("java"), driver, jar)?;
                let jars: Vec<String> =
                    [jar].iter().chain(others).map(|jar| format!("{JARS}/{jar}")).collect();
                let path = format!("{}:{}", text(&classes), tools());
                let command = ["java", "-cp", &path, "Harness", what, driver, &text(&classes)];
                let command = command.iter().map(ToString::to_string);
                Ok(Some(command.chain([jars.join(":")]).collect()))
            }
        }
    }
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// The class path of the harness itself.
fn tools() -> String {
    let jars = ["org.jacoco.core", "asm", "asm-commons", "asm-tree", "asm-analysis"];
    jars.map(|jar| format!("{JARS}/{jar}.jar")).join(":")
}

/// Python with coverage.py: that of the machine if it has it, else one of its own in the full extent.
fn python_with_coverage(extent: Extent) -> Fallible<Option<PathBuf>> {
    let packages = ["coverage", "mistune"];
    let import = format!("import {}", packages.join(", "));
    let has = Call::new("python3").args(["-c", &import]).finish();
    if has.is_ok_and(|output| output.code == Some(0)) {
        return Ok(Some(PathBuf::from("python3")));
    }
    match extent {
        Extent::Short => {
            crate::say("skipped: python3 has no coverage.py and mistune (PyPI coverage, mistune)");
            Ok(None)
        }
        Extent::Full => python("learn", &packages).map(Some),
    }
}

fn has_jars(jars: &[&str], package: &str, extent: Extent) -> Fallible<bool> {
    if !have("javac", "default-jdk", extent)? {
        return Ok(false);
    }
    let missing = || jars.iter().find(|jar| !Path::new(JARS).join(jar).exists());
    if missing().is_none() {
        return Ok(true);
    }
    if extent == Extent::Short {
        crate::say(&format!("skipped: the Debian package {package} is not installed"));
        return Ok(false);
    }
    let install = Call::new("apt-get").args(["install", "--yes", "--quiet", package]).finish()?;
    match missing() {
        None => Ok(true),
        Some(jar) => Err(format!("{jar} is missing, install {package}: {}", install.stderr)),
    }
}

/// Compiles the harness and a driver; the folder of the classes.
fn compile(sources: &Path, driver: &str, jar: &str) -> Fallible<PathBuf> {
    let classes = crate::gramercy::scratch("experiment-learn")?.join("classes");
    let path = format!("{}:{JARS}/{jar}", tools());
    Call::new("javac")
        .args(["-nowarn", "-d"])
        .arg(&classes)
        .args(["-cp", &path])
        .arg(sources.join("Harness.java"))
        .arg(sources.join(format!("{driver}.java")))
        .finish()?
        .success()?;
    Ok(classes)
}
