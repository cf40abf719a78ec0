//! Reduction with conditions that are functions.

mod laws;
mod naive;
mod resuming;
mod shrink_ray;
mod texts;

use gramercy_campaign::reduce::{Bounds, Options, Reduced, Reducer, Stay, Verdicts};
use gramercy_language::Language;

/// A condition as a function of the text.
type Interesting<'i> = &'i (dyn Fn(&str) -> bool + Sync);

/// One of the project's own grammars.
fn example(name: &str) -> Language {
    Language::read(gramercy_testkit::examples().join(name)).expect("the grammar is right")
}

/// Reduces a text where it is: in the language, or outside.
fn reduce(
    language: &Language,
    text: &str,
    jobs: usize,
    is_interesting: Interesting<'_>,
) -> Reduced {
    let mut reducer = Reducer::new(language).expect("there is a parser");
    let stay = reducer.membership(text);
    reduce_within(language, text, stay, jobs, is_interesting)
}

/// Reduces a text to others that stay somewhere.
fn reduce_within(
    language: &Language,
    text: &str,
    stay: Stay,
    jobs: usize,
    is_interesting: Interesting<'_>,
) -> Reduced {
    let mut reducer = Reducer::new(language).expect("there is a parser");
    let options = Options { stay, bounds: Bounds::default(), jobs };
    let condition = |content: &[u8]| std::str::from_utf8(content).is_ok_and(is_interesting);
    reducer.reduce(text, &condition, &options, &mut Verdicts::default(), &mut ())
}
