//! How many tests suites have, against the sizes that are known of the grammars of Rossouw and Fischer.
//!
//! Known sizes are averages of a reference over random orders of rules; ours are those of file order.
//! Where ties do not matter, both are equal. Elsewhere the tolerance is the spread over drawn orders:
//! 420 to 458 for `deriv` and 62 to 74 for `pll` of AMPL with shallow trees; in SQLite one tie decides
//! whether `cdrc` has some 1,610 or 1,690 tests and `step:3` 28,800 or 31,900.

use gramercy_derive::Embedding;
use gramercy_language::Language;
use gramercy_suite::sink::Nowhere;

use crate::support::{make, small, systematic};

/// Criterion, the known sizes (shallowest, shortest), and by how many percent ours may differ.
type Row = (&'static str, [u64; 2], u64);

fn check(file: &str, rows: &[Row]) {
    let Some(folder) = gramercy_testkit::shared("pytomata") else { return };
    let language = Language::read(folder.join(file)).unwrap_or_else(|error| panic!("{error}"));
    for &(cover, known, percent) in rows {
        for (embedding, known) in
            [Embedding::Shallowest, Embedding::Shortest].into_iter().zip(known)
        {
            let mut recipe = small(cover);
            systematic(&mut recipe).embedding = embedding;
            let tests = make(&language, &recipe, &mut Nowhere).tests;
            let most = known * percent / 100;
            let message = format!("{file} {cover} {embedding:?}: {tests}, known are {known}");
            assert!(tests.abs_diff(known) <= most, "{message}");
        }
    }
}

#[test]
fn ampl() {
    check(
        "ampl20.y",
        &[
            ("rule", [45, 45], 0),
            ("cdrc", [78, 78], 0),
            ("step:3", [178, 178], 0),
            ("step:4", [422, 422], 0),
            ("bfs:2", [147, 147], 0),
            ("deriv", [440, 452], 4),
            ("pll", [68, 57], 9),
        ],
    );
}

#[test]
fn go() {
    check(
        "go.y",
        &[
            ("rule", [160, 160], 0),
            ("cdrc", [317, 316], 0),
            ("step:3", [1270, 1269], 0),
            ("step:4", [4348, 4345], 1),
            ("bfs:2", [476, 475], 0),
            ("deriv", [5810, 5653], 3),
            ("pll", [542, 517], 3),
        ],
    );
}

#[test]
fn sqlite() {
    check(
        "sqlite.y",
        &[
            ("rule", [371, 366], 1),
            ("cdrc", [1695, 1676], 3),
            ("step:3", [32098, 31556], 3),
            ("step:4", [671_294, 656_232], 0),
            ("bfs:2", [57446, 57373], 3),
            ("deriv", [12993, 13320], 3),
            ("pll", [4839, 4047], 6),
        ],
    );
}
