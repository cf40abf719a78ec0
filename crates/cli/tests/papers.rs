//! Runs every command that the README and the guide show, at the root of the checkout, as a reader
//! would; and makes every picture again.

use gramercy_testkit::workspace;
use snapbox::Data;
use snapbox::cmd::{Command, cargo_bin};

#[test]
fn commands() {
    std::env::set_current_dir(workspace()).expect("the checkout is there");
    trycmd::TestCases::new().case("README.md").case("guide/*.md").case("guide/*/*.md").run();
}

#[test]
fn pictures() {
    let check = |picture: &str, arguments: &[&str]| {
        let file = workspace().join("guide/pictures").join(picture);
        let command = Command::new(cargo_bin!("gramercy")).current_dir(workspace());
        command.args(arguments).assert().success().stdout_eq(Data::read_from(&file, None).raw());
    };
    check("json-graph.svg", &["graph", "grammars/json.gram"]);
    check("json-railroad.svg", &["graph", "grammars/json.gram", "--kind", "railroad"]);
}
