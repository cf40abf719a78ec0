//! A conversation in the protocol of Shrink Ray's external reducers.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::channel;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gramercy_campaign::reduce::shrink_ray::Session;
use gramercy_campaign::reduce::{
    Bounds, Condition, ConditionError, Options, Reducer, Stay, Verdicts,
};
use serde_json::{Value, json};

use crate::example;

/// Plays Shrink Ray: answers queries until the reducer is idle, and gives the smallest interesting content.
fn play(lines: &mut impl BufRead, to: &mut impl Write, test_case: &str) -> (String, usize) {
    let feedback = |content: &[u8], interesting: bool| {
        json!({"content": STANDARD.encode(content), "interesting": interesting}).to_string()
    };
    // What is no message is ignored.
    writeln!(to, "\nnonsense\n{}", feedback(test_case.as_bytes(), true)).expect("open");
    let (mut best, mut queries) = (test_case.to_owned(), 0);
    loop {
        let mut line = String::new();
        lines.read_line(&mut line).expect("open");
        let message: Value = serde_json::from_str(&line).expect("JSON");
        if message.get("idle") == Some(&json!(true)) {
            return (best, queries);
        }
        let content =
            STANDARD.decode(message["content"].as_str().expect("a query")).expect("base64");
        let text = String::from_utf8(content).expect("text");
        queries += 1;
        let interesting = text.contains("bug");
        if interesting && text.len() < best.len() {
            best.clone_from(&text);
        }
        writeln!(to, "{}", feedback(text.as_bytes(), interesting)).expect("open");
    }
}

#[test]
fn two_test_cases_are_reduced_until_the_input_ends() {
    let json = example("json.gram");
    let (ours, theirs) = UnixStream::pair().expect("a pair");
    let session = Session::new(ours.try_clone().expect("a clone"));
    let (sender, test_cases) = channel();
    std::thread::scope(|scope| {
        let session = &session;
        scope.spawn(move || session.listen(BufReader::new(ours), &sender));
        let json = &json;
        let reducing = scope.spawn(move || {
            let mut reducer = Reducer::new(json).expect("there is a parser");
            let mut count = 0;
            for content in test_cases {
                let text = String::from_utf8(content).expect("text");
                let mut verdicts = Verdicts::default();
                verdicts.assume(text.as_bytes());
                let options = Options { stay: Stay::Inside, bounds: Bounds::default(), jobs: 2 };
                reducer.reduce(&text, session, &options, &mut verdicts, &mut ());
                session.idle().expect("open");
                count += 1;
            }
            count
        });
        let mut lines = BufReader::new(theirs.try_clone().expect("a clone"));
        let mut to = theirs;
        let (best, queries) = play(&mut lines, &mut to, "[1, {\"a\": [\"bug\", 2]}, null]");
        assert_eq!(best, "\"bug\"");
        assert!(queries > 0);
        assert_eq!(play(&mut lines, &mut to, "{\"bug\": [[]]}").0, "\"bug\"");
        to.shutdown(std::net::Shutdown::Both).expect("open");
        assert_eq!(reducing.join().expect("no panic"), 2);
    });
    // Nobody answers any more.
    assert_eq!(session.is_interesting(b"x"), Err(ConditionError::Closed));
}
