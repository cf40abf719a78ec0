//! Reductions that are continued.

use std::sync::atomic::{AtomicU64, Ordering};

use gramercy_campaign::reduce::{
    Bounds, Ended, Options, Reduced, Reducer, Stay, Verdicts, VerdictsError,
};
use gramercy_testkit::Folder;

use crate::example;

#[test]
fn a_stopped_reduction_goes_on_where_it_was() {
    let json = example("json.gram");
    let folder = Folder::new("reduce-resume");
    let path = folder.path().join("state");
    let text = format!("[{}\"x\", {{\"k\": [7]}}]", "[1, 2, {\"a\": null}], ".repeat(50));
    let judged = AtomicU64::new(0);
    let run = |verdicts: &mut Verdicts, runs: Option<u64>| -> Reduced {
        let condition = |content: &[u8]| {
            judged.fetch_add(1, Ordering::Relaxed);
            String::from_utf8_lossy(content).contains("\"k\"")
        };
        let bounds = Bounds { runs, time: None };
        let options = Options { stay: Stay::Inside, bounds, jobs: 1 };
        let mut reducer = Reducer::new(&json).expect("there is a parser");
        reducer.reduce(&text, &condition, &options, verdicts, &mut ())
    };
    let whole = run(&mut Verdicts::default(), None);
    assert_eq!(whole.text, "\"k\"");
    judged.store(0, Ordering::Relaxed);
    let stopped = run(&mut Verdicts::create(&path, "about").expect("a file"), Some(6));
    assert_eq!(stopped.ended, Ended::Runs);
    // The last line is cut off, as after a loss of power.
    let mut lines = std::fs::read(&path).expect("a file");
    lines.truncate(lines.len() - 3);
    std::fs::write(&path, &lines).expect("a file");
    let mut verdicts = Verdicts::resume(&path, "about").expect("a file");
    assert_eq!(verdicts.len(), 5);
    let resumed = run(&mut verdicts, None);
    assert_eq!((&resumed.text, resumed.runs), (&whole.text, whole.runs));
    // One verdict was lost with its line.
    assert_eq!(judged.load(Ordering::Relaxed), whole.runs + 1);
    let again = run(&mut Verdicts::resume(&path, "about").expect("a file"), None);
    assert_eq!((again.text, again.executed), (whole.text, 0));
    let other = Verdicts::resume(&path, "else");
    assert!(matches!(other, Err(VerdictsError::Other)));
    let wrong = folder.file("wrong", "something");
    assert!(matches!(Verdicts::resume(&wrong, "about"), Err(VerdictsError::NotVerdicts)));
}
