//! Runs the binary on the cases in `cases`, each with the files beside it.

#[test]
fn cases() {
    trycmd::TestCases::new().case("tests/cases/*.trycmd").run();
}
