//! All texts of a k-path suite with very many targets and long tests, beside a loop that writes as many
//! lines of their mean size.

use std::hint::black_box;
use std::io::Write;

use gramercy_suite::sinks::Lines;
use gramercy_testkit::clock::peak_memory;

use crate::subject;
use crate::{clock, say};

/// The grammar, the criterion, and its targets.
const WORKLOAD: (&str, &str, u64) = ("css_domato.tribble", "kpath:5", 1_992_384);
/// How much is gathered before it is written.
const BUFFERED: usize = 1 << 16;

pub(crate) fn rates() {
    let (name, cover, targets) = WORKLOAD;
    let Some(language) = subject::language("tribble", name) else { return };
    say("suite\ttargets\ttests\tseconds\tMB/s\tbytes a test\tpeak MB\ttimes a bare loop");
    let recipe = subject::cover(cover);
    let (time, summary) = subject::make(&language, &recipe, &mut Lines::new(std::io::sink()));
    assert_eq!(summary.written, targets, "{name} {cover}");
    let size = usize::try_from(summary.bytes / summary.tests).expect("a text fits in memory");
    let (bare, ()) = clock::once(|| write_lines(summary.tests, &vec![b'x'; size]));
    let seconds = time.as_secs_f64();
    say(&format!(
        "{name} {cover}\t{targets}\t{}\t{seconds:.1}\t{:.1}\t{size}\t{}\t{:.1}",
        summary.tests,
        summary.bytes as f64 / seconds / 1e6,
        peak_memory() / 1024,
        seconds / bare.as_secs_f64(),
    ));
}

fn write_lines(count: u64, line: &[u8]) {
    let (mut out, mut buffer) = (std::io::sink(), Vec::with_capacity(2 * BUFFERED));
    for _ in 0..count {
        buffer.extend_from_slice(black_box(line));
        if buffer.len() > BUFFERED {
            black_box(&mut out).write_all(&buffer).expect("nothing is kept");
            buffer.clear();
        }
    }
}
