//! Runs the binary: the cases beside this file, and every command that the README and the guide
//! show.

/// Cases that need the files beside them run where those are.
#[test]
fn cases() {
    trycmd::TestCases::new().case("tests/cases/*.trycmd").run();
}

/// What the papers show is run at the root of the checkout, as a reader would.
#[test]
fn papers() {
    std::env::set_current_dir(gramercy_testkit::workspace()).expect("the checkout is there");
    trycmd::TestCases::new().case("README.md").case("guide/*.md").run();
}
