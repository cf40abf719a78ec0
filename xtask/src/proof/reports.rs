//! Reports, read by the programs that they are for.
//!
//! [`page`] uses the HTML page in Chromium: filters, groups, copying, dark mode, a hundred thousand tests; the W3C's
//! checker says whether it is valid. [`forms`] validates SARIF against its schema, and JUnit against pytest's schema,
//! and reads both with libraries that other people use. Screenshots are left below the target directory.

use std::path::{Path, PathBuf};

use crate::extent::Extent;
use crate::gramercy::{Gramercy, scratch};
use crate::process::{Call, Fallible, Profile, root};
use crate::{say, tools};

/// A program with many kinds of failures, depending on the length of the test and its content.
const PROGRAM: &str = "cat \"$1\" > /dev/null; case $(wc -c < \"$1\") in \
    *3) echo \"error: line 1: bad <thing> & more\" >&2; exit 1;; \
    *7) kill -SEGV $$;; *9) echo 'parser.c:7:3: runtime error: signed integer overflow' >&2; exit 1;; esac; \
    grep -q '\\\\' \"$1\" && exit 2; exit 0";

/// Uses the page in a browser.
pub(super) fn page(extent: Extent) -> Fallible {
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let folder = scratch("report-page")?;
    let Some(modules) = tools::node("report-page", &["playwright-core", "vnu-jar"], extent)? else {
        return Ok(());
    };
    if !tools::have("chromium", "chromium", extent)? {
        return Ok(());
    }
    let small = folder.join("small.html");
    campaign(&gramercy, &[], &[&small])?;
    let large = folder.join("large.html");
    large_campaign(&gramercy, &large, if extent == Extent::Short { 2_000 } else { 100_000 })?;
    let script = root().join("xtask/src/proof/report_page.js");
    let call = Call::new("node").env("NODE_PATH", &modules.display().to_string());
    let call = call.arg(script).arg(&folder).arg(&small).arg(&large).finish()?;
    say(call.stdout.trim_end());
    if call.code != Some(0) {
        return Err(format!("the page does not work{}", call.stderr));
    }
    validate(&modules, &small)?;
    say(&format!("screenshots are in {}", folder.display()));
    Ok(())
}

/// Runs the program with all its failures, and writes reports.
fn campaign(gramercy: &Gramercy, arguments: &[&str], reports: &[&Path]) -> Fallible {
    let call = Call::new(gramercy.path()).args(["run", "grammars/json.gram", "--quiet"]);
    let call = call.args(arguments);
    let call = reports.iter().fold(call, |call, report| call.arg("--report").arg(report));
    let output = call.args(["--", "sh", "-c", PROGRAM, "sh", "{}"]).finish()?;
    match output.code {
        Some(1) => Ok(()),
        _ => Err(format!("the campaign failed: {}", output.stderr)),
    }
}

/// Many random tests for a long-lived program.
fn large_campaign(gramercy: &Gramercy, report: &Path, tests: u32) -> Fallible {
    let call = Call::new(gramercy.path()).args(["run", "grammars/json.gram", "--kind", "positive"]);
    let call =
        call.args(["--random", &tests.to_string(), "--tokens", "12", "--report"]).arg(report);
    let call =
        call.args(["--reruns", "0", "--persistent", "--", "python3", "guide/harnesses/harness.py"]);
    let output = call.finish()?;
    match output.code {
        Some(0 | 1) => Ok(()),
        _ => Err(format!("the large campaign failed: {}", output.stderr)),
    }
}

/// Asks the W3C's checker.
fn validate(modules: &Path, page: &Path) -> Fallible {
    let jar = modules.join("vnu-jar/build/dist/vnu.jar");
    if Call::new("java").arg("-version").finish().is_err() {
        say("skipped: java is not installed, which the HTML checker needs");
        return Ok(());
    }
    let checked = Call::new("java").args(["-Xss8m", "-jar"]).arg(jar).arg(page).finish()?;
    match checked.code {
        Some(0) => {
            say("ok: the page is valid HTML");
            Ok(())
        }
        _ => Err(format!("the page is not valid HTML:\n{}", checked.stderr)),
    }
}

/// Validates and reads SARIF and JUnit.
pub(super) fn forms(extent: Extent) -> Fallible {
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let folder = scratch("report-forms")?;
    let file = |name: &str| folder.join(name);
    let (junit, sarif, tap) = (file("report.xml"), file("report.sarif"), file("report.tap"));
    campaign(&gramercy, &[], &[&junit, &sarif, &tap, &file("report.md"), &file("report.json")])?;
    if extent == Extent::Short {
        say(
            "left out: schemas and readers come from npm and PyPI; run `cargo xtask proof report-forms`",
        );
        return Ok(());
    }
    let modules = tools::node("report-forms-npm", &["@microsoft/jest-sarif"], extent)?;
    let modules = modules.ok_or("npm installs nothing")?;
    let schema = modules.join("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
    let packages = ["jsonschema", "junitparser", "tap.py", "sarif-tools"];
    let python = tools::python("report-forms", &packages)?;
    let xsd = pytest_schema(&python, &folder)?;
    tools::have("xmllint", "libxml2-utils", extent)?;
    let valid = Call::new("xmllint").args(["--noout", "--schema"]).arg(xsd).arg(&junit).finish()?;
    valid.success().map_err(|error| format!("JUnit: {error}"))?;
    let script = root().join("xtask/src/proof/report_forms.py");
    let read = Call::new(&python).arg(script).args([&schema, &sarif, &junit, &tap]);
    let read = read.arg(file("report.json")).finish()?;
    say(read.stdout.trim_end());
    read.success().map(|_| ())
}

/// The schema of JUnit that pytest tests itself with, out of its source package.
fn pytest_schema(python: &Path, folder: &Path) -> Fallible<PathBuf> {
    let inside = "testing/example_scripts/junit-10.xsd";
    let path = folder.join("junit-10.xsd");
    if !path.exists() {
        let call = Call::new(python).args(["-m", "pip", "download", "--quiet", "--no-deps"]);
        let call = call.args(["--no-binary", ":all:", "pytest==8.3.4", "--dest"]).arg(folder);
        call.finish()?.success()?;
        let archive = folder.join("pytest-8.3.4.tar.gz");
        let call = Call::new("tar").arg("--extract").arg("--file").arg(archive).arg("--directory");
        let call =
            call.arg(folder).args(["--strip-components=3", &format!("pytest-8.3.4/{inside}")]);
        call.finish()?.success()?;
    }
    Ok(path)
}
