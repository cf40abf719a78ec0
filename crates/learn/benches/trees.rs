//! How long learning takes: `cargo bench -p gramercy-learn`.
//!
//! Tables are random but shaped like those of k-paths: each column is an earlier one without some of its inputs, so many
//! columns are similar and most are sparse. Times are those of the processor, beside a bare loop that counts every column
//! of the same table once.

#![expect(clippy::print_stdout, reason = "a benchmark shows its figures")]

use std::time::Duration;

use gramercy_base::Draw;
use gramercy_learn::bits;
use gramercy_learn::features::columns::Columns;
use gramercy_learn::trees::cart::cart;
use gramercy_learn::trees::optimal::{OptimalOptions, optimal};
use rustix::time::{ClockId, clock_gettime};

fn main() {
    let rows = 1000;
    let large = table(rows, 100_000);
    let loop_time = timed(|| {
        let mask = bits::all(rows);
        let sum: u64 =
            (0..large.len()).map(|at| u64::from(bits::count_both(large.column(at), &mask))).sum();
        assert!(sum > 0);
    });
    let targets = 100;
    let mut questions = 0;
    let cart_time = timed(|| {
        for number in 0..targets {
            let target = target(&large, number);
            questions += cart(&large, &target, &bits::all(rows), 5).splits();
        }
    });
    show("one pass over 1,000 inputs x 100,000 features", loop_time, loop_time);
    show("100 greedy trees of depth 5 on them", cart_time, loop_time);
    println!("  {:.1} questions on average", questions as f64 / targets as f64);
    let small = table(rows, 1500);
    for depth in [2, 3] {
        let (mut open, mut slowest) = (0, Duration::ZERO);
        let all = timed(|| {
            for number in 0..20 {
                let target = target(&small, number);
                let options = OptimalOptions { depth, ..OptimalOptions::default() };
                slowest = slowest
                    .max(timed(|| open += u64::from(optimal(&small, &target, options).gap() > 0)));
            }
        });
        show(&format!("20 optimal trees of depth {depth}, 1,500 features"), all, loop_time);
        println!("  slowest {:.3} s, {open} not proved", slowest.as_secs_f64());
    }
}

fn table(rows: usize, columns: usize) -> Columns {
    let mut draw = Draw::new([rows as u64, columns as u64, 0, 0]);
    let mut all: Vec<Vec<u64>> = Vec::new();
    for at in 0..columns {
        let mut column = match at {
            0..50 => bits::all(rows),
            _ => all[draw.below(at)].clone(),
        };
        let kept = 1 + draw.below(9);
        for row in bits::ones(&column.clone()) {
            if draw.below(10) >= kept && bits::count(&column) > 5 {
                column[row / 64] &= !(1 << (row % 64));
            }
        }
        all.push(column);
    }
    Columns::of_bits(rows, all)
}

/// A target that depends on four columns, with some noise.
fn target(columns: &Columns, number: u64) -> Vec<u64> {
    let mut draw = Draw::new([number, 1, 2, 3]);
    let [a, b, c, d] = [0; 4].map(|_: usize| draw.below(columns.len().min(2000)));
    let mut target = vec![0; bits::words(columns.rows())];
    for row in 0..columns.rows() {
        let has = |column: usize| bits::contains(columns.column(column), row);
        if ((has(a) && !has(b)) || (has(c) && has(d))) != (draw.below(100) == 0) {
            bits::insert(&mut target, row);
        }
    }
    target
}

fn show(what: &str, time: Duration, bare: Duration) {
    let ratio = time.as_secs_f64() / bare.as_secs_f64();
    println!("{what}: {:.3} s, {ratio:.1} bare passes", time.as_secs_f64());
}

fn timed(work: impl FnOnce()) -> Duration {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
    };
    let start = now();
    work();
    now() - start
}
