//! Two workers beside one, by a clock on the wall: the same bytes, sooner.

use gramercy_generate::Summary;
use gramercy_generate::strategies::random::Method;
use gramercy_lexis::Lexemes;
use gramercy_suite::Sink;
use gramercy_suite::sinks::Lines;

use crate::{clock, say, subject};

/// Suites that take long enough to be shared out.
const SUITES: [(&str, &str); 4] = [
    ("sqlite.y", "step:4"),
    ("sqlite.y", "bfs:2"),
    ("sqlite.y", "pop-edge:lr1"),
    ("go.y", "bfs:3"),
];

pub(crate) fn rates() {
    say("suite\tms with one worker\tms with two\ttimes as fast");
    if let Some(file) = subject::file("antlr/json", "JSON.g4") {
        let grammar = subject::grammar(&file);
        let kind = (Method::Size(100), Lexemes::Varied);
        compare("JSON.g4 random", |jobs, with| {
            subject::random(&grammar, kind, (100_000, jobs), with);
        });
    }
    for (name, cover) in SUITES {
        let Some(file) = subject::file("pytomata", name) else { continue };
        let grammar = subject::grammar(&file);
        compare(&format!("{name} {cover}"), |jobs, with| {
            subject::suite(&grammar, cover, jobs, with);
        });
    }
}

/// What makes a suite into a sink.
type Run<'r> = &'r mut dyn FnMut(&mut dyn Sink) -> Summary;

fn compare(name: &str, make: impl Fn(usize, &mut dyn FnMut(Run<'_>))) {
    let mut outputs = [Vec::new(), Vec::new()];
    let mut times = [0.0; 2];
    for (at, (out, time)) in outputs.iter_mut().zip(&mut times).enumerate() {
        make(at + 1, &mut |run| {
            let (best, _) = clock::best_on_the_wall(|| {
                out.clear();
                run(&mut Lines::new(&mut *out))
            });
            *time = best.as_secs_f64() * 1e3;
        });
    }
    assert!(outputs[0] == outputs[1], "{name}: the suite of two workers is that of one");
    let [one, two] = times;
    say(&format!("{name}\t{one:.1}\t{two:.1}\t{:.2}", one / two));
}
