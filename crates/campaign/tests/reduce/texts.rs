//! Texts of real grammars: large, deep, long, and conditions that do their worst.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use gramercy_campaign::reduce::{Bounds, Ended, Options, Reducer, Stay, Verdicts};

use crate::{example, reduce, reduce_within};

/// A document of 17 KB with one member that is looked for.
fn haystack() -> String {
    let mut text = String::from("{");
    for i in 0..60 {
        let item = |j: usize| {
            format!("{{\"id\": {}, \"name\": \"item {i} {j}\", \"ok\": true}}", i * 7 + j)
        };
        let items: Vec<String> = (0..6).map(item).collect();
        text += &format!("\"key{i}\": [{}],\n  ", items.join(", "));
        if i == 37 {
            text += "\"list\": [1, 2, {\"deep\": [null, {\"b\": 3, \"bug\": 42, \"c\": []}]}],";
        }
    }
    text + "\"end\": null}\n"
}

#[test]
fn a_needle_is_found_in_few_runs_with_any_number_of_jobs() {
    let json = example("json.gram");
    let has_needle = |text: &str| text.replace(' ', "").contains("\"bug\":42");
    let reduced = reduce(&json, &haystack(), 1, &has_needle);
    assert_eq!(reduced.text, "{\"bug\":42}");
    assert_eq!(reduced.tokens, 5);
    assert!(reduced.runs <= 30, "{} runs", reduced.runs);
    assert_eq!(reduced.executed, reduced.runs);
    for jobs in [2, 8] {
        let other = reduce(&json, &haystack(), jobs, &has_needle);
        assert_eq!((other.text, other.runs), (reduced.text.clone(), reduced.runs));
    }
}

#[test]
fn small_conditions() {
    let check =
        |grammar: &str, text: &str, is_interesting: crate::Interesting<'_>, expected: &str| {
            let reduced = reduce(&example(grammar), text, 1, is_interesting);
            assert_eq!(reduced.text, expected, "{text}");
        };
    let json = "json.gram";
    // A key alone is a value.
    check(json, "{\"a\": 1, \"key\": [2]}", &|text| text.contains("key"), "\"key\"");
    // The first member goes too.
    check(json, "{\"a\": 1, \"b\": 2}", &|text| text.contains("\"b\":"), "{\"b\":2}");
    check(json, "[1, [2, [3, [4, [5]]]]]", &|text| text.matches('[').count() >= 3, "[[[]]]");
    check(json, "[10, 20, 30, 40]", &|text| text.matches(',').count() >= 2, "[0,0,0]");
    // Gaps that matter are kept, others go.
    check(json, "[ 1,\n\n  2 ]", &|text| text.contains('\n'), "\n2");
    // Two names, used twice each.
    let pairs = |text: &str| ["xx", "yy"].iter().all(|name| text.matches(name).count() == 2);
    check(json, "[\"xx\", 1, \"yy\", {\"xx\": \"yy\"}, null]", &pairs, "\"xxyyxxyy\"");
}

#[test]
fn errors_stay_errors_of_their_kind() {
    let json = example("json.gram");
    let text = "{\"a\": [1, 2, {\"b\": null}], \"c\": [true,, false], \"d\": {\"e\": [3]}}";
    let reduced = reduce(&json, text, 1, &|_| true);
    // The error is still a comma that cannot come after a comma.
    assert_eq!(reduced.text, "[0,,");
    let reduced = reduce(&json, text, 1, &|text| text.contains(",,"));
    assert_eq!(reduced.text, "[0,,");
    let reduced = reduce_within(&json, text, Stay::Outside(None), 1, &|text| text.contains(",,"));
    assert_eq!(reduced.text, ",,");
    // Every error is allowed.
    let reduced = reduce_within(&json, text, Stay::Outside(None), 1, &|_| true);
    assert_eq!(reduced.text, "");
}

#[test]
fn deep_and_long_texts() {
    let json = example("json.gram");
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let reduced = reduce(&json, &deep, 1, &|text| text.matches('[').count() >= 5);
    assert_eq!(reduced.text, "[[[[[]]]]]");
    assert!(reduced.runs < 200, "{} runs", reduced.runs);
    let long = format!("[{}\"needle\"{}]", "1, ".repeat(80_000), ", {\"a\": []}".repeat(60_000));
    let reduced = reduce(&json, &long, 1, &|text| text.contains("needle"));
    assert_eq!(reduced.text, "\"needle\"");
    assert!(reduced.runs < 200, "{} runs", reduced.runs);
    let string = format!("[\"{}needle{}\"]", "x".repeat(200_000), "y".repeat(300_000));
    let reduced = reduce(&json, &string, 1, &|text| text.contains("needle"));
    assert_eq!(reduced.text, "\"needle\"");
    assert!(reduced.runs < 400, "{} runs", reduced.runs);
}

#[test]
fn hostile_conditions() {
    let json = example("json.gram");
    let never = reduce(&json, "[1]", 2, &|_| false);
    assert_eq!((never.ended, never.runs), (Ended::NotInteresting, 1));
    // A condition that changes its mind ends nevertheless, with a text that was interesting once.
    let asked = AtomicU64::new(0);
    let flaky = |_: &str| asked.fetch_add(1, Ordering::Relaxed) % 3 != 1;
    let reduced = reduce(&json, &haystack(), 1, &flaky);
    assert_eq!(reduced.ended, Ended::Complete);
    // Nothing but the input.
    let text = haystack();
    let only = reduce(&json, "[1, {\"a\": [2, 3]}]", 3, &|other| other == "[1, {\"a\": [2, 3]}]");
    assert_eq!(only.text, "[1, {\"a\": [2, 3]}]");
    let bounded = |bounds: Bounds| {
        let mut reducer = Reducer::new(&json).expect("there is a parser");
        let slow = |content: &[u8]| {
            std::thread::sleep(Duration::from_millis(2));
            String::from_utf8_lossy(content).contains("42")
        };
        let options = Options { stay: Stay::Inside, bounds, jobs: 2 };
        reducer.reduce(&text, &slow, &options, &mut Verdicts::default(), &mut ())
    };
    let runs = bounded(Bounds { runs: Some(5), time: None });
    assert_eq!((runs.ended, runs.runs), (Ended::Runs, 5));
    assert!(runs.text.len() < text.len() && runs.text.contains("42"));
    let time = bounded(Bounds { runs: None, time: Some(Duration::from_millis(4)) });
    assert_eq!(time.ended, Ended::Time);
}

#[test]
fn everything_is_allowed_with_any() {
    let json = example("json.gram");
    let reduced = reduce_within(&json, "[1, {\"a\": [2, 3]}]", Stay::Anywhere, 1, &|text| {
        text.contains("a\":")
    });
    assert_eq!(reduced.text, "a\":");
}
