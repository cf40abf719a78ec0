//! What no recipe asks the engine for.

use gramercy_assemble::engine::Engine;
use gramercy_assemble::engine::options::{Merge, Options};
use gramercy_assemble::plan;
use gramercy_assemble::recipe::TextRecipe;
use gramercy_coverage::{CriterionSpec, TargetSet};
use gramercy_derive::strategy::Strategy;
use gramercy_derive::{Resolution, Resolutions};
use gramercy_generate::strategies::{CriterionRequest, StrategyRequest, packed};
use gramercy_language::Language;
use gramercy_sample::methods::{Method, RandomOptions};
use gramercy_suite::Wants;
use gramercy_suite::sinks::Format;

use crate::support::{Form, Jobs, Kept, examples, of_text};

fn engine<'l>(language: &'l Language, cover: &[CriterionSpec], options: Options) -> Engine<'l> {
    let writer = plan::writer(language, &TextRecipe::default()).expect("a writer");
    let criteria = plan::criteria(language, cover).expect("few targets");
    Engine::new(language, writer, criteria, options)
}

/// The texts of a suite, and the targets that it gives up; they are not looked for in tests for others, as a recipe
/// does.
pub(crate) fn given_up(
    language: &Language,
    criterion: &str,
    form: Form,
) -> (Vec<String>, TargetSet) {
    let spec: CriterionSpec = criterion.parse().expect("a criterion");
    let engine = engine(language, &[spec], Options::default());
    let writer = plan::writer(language, &TextRecipe::default()).expect("a writer");
    let resolutions = Resolutions::new(language, Resolution::default(), 1);
    let resolutions = &resolutions.guided(language, &writer);
    let is_packed = form == Form::Packed;
    let max_tokens = is_packed.then_some(60);
    let request = &CriterionRequest { max_tokens, ..CriterionRequest::default() };
    let making = StrategyRequest { spec, index: 0, language, resolutions, request };
    let strategy = if is_packed { packed(&[making]) } else { making.small() };
    let mut kept = Kept::of(Wants::TEXT);
    let summary = engine.run(&mut [strategy.expect("few targets")], &mut kept, &mut ());
    let unwritten = summary.expect("nothing fails").unwritten_targets.into_iter().next();
    (kept.texts, unwritten.unwrap_or_default())
}

#[test]
fn equal_tests_of_systematic_suites_can_be_kept() {
    let language = of_text("a.gram", r#"S := A | B; A := "x" "y"; B := "xy" | "x" "y";"#);
    let spec: CriterionSpec = "rule".parse().expect("a criterion");
    let resolutions = &Resolutions::new(&language, Resolution::default(), 1);
    let request = &CriterionRequest::default();
    let making = StrategyRequest { spec, index: 0, language: &language, resolutions, request };
    let count = |merge| {
        let engine = engine(&language, &[spec], Options { merge, ..Options::default() });
        let mut kept = Kept::of(Wants::TEXT);
        let mut strategies = [making.small().expect("few targets")];
        engine.run(&mut strategies, &mut kept, &mut ()).expect("nothing fails");
        kept.texts.len()
    };
    assert_eq!([Merge::Nothing, Merge::Sentences, Merge::Texts].map(count), [5, 2, 1]);
}

/// A limit may fall into the middle of what a worker wrote.
#[test]
fn a_limit_cuts_what_was_rendered() {
    let method: Method = "size".parse().expect("a method");
    let random =
        RandomOptions { tokens: (12, 12), seed: 7, count: 1500, ..RandomOptions::default() };
    let mut compared = 0;
    for (name, language) in examples() {
        let Ok(Strategy::Indexed(_)) = method.strategy(&language, &random) else { continue };
        let options = Options { merge: Merge::Nothing, limit: Some(901), ..Options::default() };
        let mut writer = plan::writer(&language, &TextRecipe::default()).expect("a writer");
        writer.prepare_quick(options.seed).expect("a small automaton");
        let engine = Engine::new(&language, writer, Vec::new(), options);
        for jobs in [1, 2] {
            let (mut rendered, mut kept) = (Vec::new(), Kept::of(Wants::TEXT));
            let strategy = || [method.strategy(&language, &random).expect("it was possible")];
            let mut sink = Format::Nul.sink(&mut rendered);
            let summary = engine.run(&mut strategy(), &mut *sink, &mut Jobs(jobs));
            drop(sink);
            let seen = engine.run(&mut strategy(), &mut kept, &mut Jobs(jobs));
            let summary = summary.expect("nothing fails");
            assert_eq!(summary, seen.expect("nothing fails"), "{name}");
            assert_eq!(summary.tests, 901, "{name}");
            let texts: Vec<u8> =
                kept.texts.iter().flat_map(|text| [text.as_bytes(), b"\0"].concat()).collect();
            assert!(rendered == texts, "{name}");
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
}
