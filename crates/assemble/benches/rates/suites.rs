//! All tests of criteria with many targets, beside a loop that copies lines which are there already.

use std::hint::black_box;
use std::io::Write;

use gramercy_suite::sinks::Lines;

use crate::subject::{self, Distinct};
use crate::{clock, say};

/// A workload: grammar, criterion, and the tests it has where trees are shortest in tokens.
const WORKLOADS: [(&str, &str, u64); 4] = [
    ("sqlite.y", "step:4", 656_232),
    ("sqlite.y", "bfs:2", 58_747),
    ("sqlite.y", "pop-edge:lr0", 20_357),
    ("go.y", "step:4", 4_346),
];

pub(crate) fn rates() {
    say("suite\ttests\ttests/s\tMB/s\tbytes a test\t% distinct\ttimes a bare loop");
    for (name, cover, tests) in WORKLOADS {
        let Some(language) = subject::language("pytomata", name) else { continue };
        let recipe = subject::cover(cover);
        let mut out = Vec::new();
        let (time, summary) = clock::best(|| {
            out.clear();
            subject::make(&language, &recipe, &mut Lines::new(&mut out))
        });
        assert_eq!(summary.tests, tests, "{name} {cover}");
        let mut distinct = Distinct::default();
        subject::make(&language, &recipe, &mut distinct);
        let (lines, mut copy) = (out.clone(), Vec::with_capacity(out.len()));
        let (bare, count) = clock::best(|| clock::once(|| copy_lines(&lines, &mut copy)));
        assert_eq!(count, tests, "every test is a line");
        let seconds = time.as_secs_f64();
        say(&format!(
            "{name} {cover}\t{tests}\t{:.0}\t{:.1}\t{:.1}\t{:.2}\t{:.1}",
            tests as f64 / seconds,
            lines.len() as f64 / seconds / 1e6,
            lines.len() as f64 / tests as f64,
            distinct.share(),
            seconds / bare.as_secs_f64(),
        ));
    }
}

/// Writes lines that are there already.
fn copy_lines(lines: &[u8], out: &mut Vec<u8>) -> u64 {
    out.clear();
    let mut count = 0;
    for line in lines.split_inclusive(|&byte| byte == b'\n') {
        black_box(&mut *out).write_all(line).expect("memory takes everything");
        count += 1;
    }
    count
}
