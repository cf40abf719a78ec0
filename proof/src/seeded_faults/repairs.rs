//! Seeded faults, repaired from the tests that notice them.
//!
//! A patch gets failing tests of all suites, and passing ones, positive and negative. It is *equal* to the original if
//! all tests of all suites of the original have the right verdict with it, and the original accepts the tests of the
//! patched grammar's own suite.

use std::ops::ControlFlow;

use gramercy_assemble::{Recipe, Tests};
use gramercy_formats::{LoadOptions, Memory};
use gramercy_language::Language;
use gramercy_localize::Wanted;
use gramercy_localize::repair::search::Source;
use gramercy_localize::repair::{PatchedFiles, Proposal, RepairOptions, RepairTest, repair};

use super::seeding::{Fault, FaultKind};
use super::{Seeded, SuiteTest, evenly};

/// Failing tests, passing positive and passing negative tests that a patch has to be right on.
const FAILING: usize = 10;
const PASSING: usize = 100;
/// Tests of the patched grammar that the original has to accept.
const OWN: u64 = 300;

/// What became of a fault.
#[derive(Clone, Copy, Debug)]
pub struct RepairedFault {
    /// Its kind.
    pub kind: FaultKind,
    /// Whether a patch makes all given tests pass.
    pub passes: bool,
    /// The number of the first proposal that is equal to the original, from 0.
    pub equal: Option<usize>,
}

impl Seeded {
    /// Repairs a fault; `None` if the faulty grammar cannot be read or no test notices the fault.
    #[must_use]
    pub fn repair(&self, fault: &Fault) -> Option<RepairedFault> {
        let faulty = self.faulty(fault)?;
        let [failing, passing] = self.judge(&faulty)?.pop()?;
        if failing.is_empty() {
            return None;
        }
        let side = |accepted: bool| -> Vec<&SuiteTest> {
            let wanted = |test: &&&SuiteTest| (test.1 == Wanted::Accept) == accepted;
            passing.iter().filter(wanted).copied().collect()
        };
        let (positive, negative) = (side(true), side(false));
        let failed: Vec<_> = evenly(&failing, FAILING).map(|test| as_test(test)).collect();
        let passed = evenly(&positive, PASSING).chain(evenly(&negative, PASSING));
        let passed: Vec<_> = passed.map(|test| as_test(test)).collect();
        let name = self.file.display().to_string();
        let files = Memory::with(&name, self.faulty_text(fault));
        let start = &self.language.grammar().rules()[self.language.grammar().start()].name;
        let load = LoadOptions { start: Some(start.to_string()), ..LoadOptions::default() };
        let source = Source { path: &self.file, files: &files, load: &load };
        let options =
            RepairOptions { proposals: 3, compared: 100, rounds: 2, ..RepairOptions::default() };
        let mut watch = |_| ControlFlow::Continue(());
        let repaired = repair(source, &failed, &passed, &options, &mut watch).ok()?;
        let equal = repaired
            .proposals
            .iter()
            .position(|patch| self.is_equal(&files, &load, patch) == Some(true));
        Some(RepairedFault { kind: fault.kind, passes: !repaired.proposals.is_empty(), equal })
    }

    fn is_equal(&self, files: &Memory, load: &LoadOptions, patch: &Proposal) -> Option<bool> {
        let files = PatchedFiles { files, texts: patch.files.clone() };
        let patched = Language::read_from(&self.file, &files, load).ok()?;
        let [failing, _] = self.judge(&patched)?.pop()?;
        let recipe = Recipe { limit: Some(OWN), ..Recipe::cover("cdrc").ok()? };
        let parser = self.language.parser().ok()?;
        let own_parser = patched.parser().ok()?;
        let (mut workspace, mut own_workspace) = (parser.workspace(), own_parser.workspace());
        // Texts that stand for other tokens, because two tokens have one name, say nothing.
        let mut own = Tests::new(&patched, &recipe)
            .filter_map(|test| test.ok()?.text)
            .filter(|text| own_parser.recognize(&mut own_workspace, text).is_ok());
        let accepts = own.all(|text| parser.recognize(&mut workspace, &text).is_ok());
        Some(failing.is_empty() && accepts)
    }
}

fn as_test(test: &SuiteTest) -> RepairTest<'_> {
    RepairTest { text: &test.0, wanted: test.1 }
}
