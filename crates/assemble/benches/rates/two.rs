//! Two workers beside one, by a clock on the wall: the same bytes, sooner.

use gramercy_assemble::Recipe;
use gramercy_assemble::recipe::Size;
use gramercy_language::Language;
use gramercy_lexis::Lexemes;
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
    if let Some(language) = subject::language("antlr/json", "JSON.g4") {
        let recipe = subject::random(Size::Tokens(100, 100), Lexemes::Varied, 100_000);
        compare("JSON.g4 random", &language, &recipe);
    }
    for (name, cover) in SUITES {
        let Some(language) = subject::language("pytomata", name) else { continue };
        compare(&format!("{name} {cover}"), &language, &subject::cover(cover));
    }
}

fn compare(name: &str, language: &Language, recipe: &Recipe) {
    let mut outputs = [Vec::new(), Vec::new()];
    let mut times = [0.0; 2];
    for (at, (out, time)) in outputs.iter_mut().zip(&mut times).enumerate() {
        let (best, _) = clock::shortest(|| {
            out.clear();
            subject::make_with(at + 1, language, recipe, &mut Lines::new(&mut *out))
        });
        *time = best.as_secs_f64() * 1e3;
    }
    assert!(outputs[0] == outputs[1], "{name}: the suite of two workers is that of one");
    let [one, two] = times;
    say(&format!("{name}\t{one:.1}\t{two:.1}\t{:.2}", one / two));
}
