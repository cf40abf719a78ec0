//! The workspace as `cargo metadata` describes it.

use serde_json::Value;

use crate::process::{Cargo, Fallible, output};

/// The crates of the workspace and their dependencies.
pub(super) struct Workspace {
    pub(super) members: Vec<Member>,
    pub(super) packages: Vec<Package>,
}

/// A crate of the workspace.
pub(super) struct Member {
    /// Its name without the common prefix: that of its folder.
    pub(super) name: String,
    /// The path of its manifest.
    pub(super) manifest: String,
    pub(super) dependencies: Vec<Dependency>,
}

/// A dependency of a crate.
pub(super) struct Dependency {
    /// The name of the package, or its alias; for crates of the workspace, that of the folder.
    pub(super) name: String,
    /// Whether it is a crate of the workspace.
    pub(super) own: bool,
    /// Whether only tests use it.
    pub(super) dev: bool,
}

/// An external package.
pub(super) struct Package {
    pub(super) name: String,
    pub(super) licence: String,
}

impl Workspace {
    pub(super) fn read() -> Fallible<Self> {
        let arguments = ["metadata", "--format-version", "1", "--locked"];
        let text = output(Cargo::path(), &arguments)?;
        let metadata: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let packages = array(&metadata["packages"]);
        let (own, foreign): (Vec<_>, Vec<_>) =
            packages.iter().partition(|package| package["source"].is_null());
        Ok(Self {
            members: own.into_iter().map(member).collect(),
            packages: foreign.into_iter().map(package).collect(),
        })
    }
}

fn member(package: &Value) -> Member {
    let dependencies = array(&package["dependencies"]).iter().map(|dependency| Dependency {
        name: folder_name(dependency["rename"].as_str().unwrap_or(text(&dependency["name"]))),
        own: dependency["source"].is_null(),
        dev: dependency["kind"] == "dev",
    });
    Member {
        name: folder_name(text(&package["name"])),
        manifest: text(&package["manifest_path"]).to_owned(),
        dependencies: dependencies.collect(),
    }
}

fn package(package: &Value) -> Package {
    Package {
        name: text(&package["name"]).to_owned(),
        licence: package["license"].as_str().unwrap_or("none").to_owned(),
    }
}

fn folder_name(package: &str) -> String {
    package.strip_prefix("gramercy-").unwrap_or(package).to_owned()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().expect("invariant: cargo's metadata has this list")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("invariant: cargo's metadata has this name")
}
