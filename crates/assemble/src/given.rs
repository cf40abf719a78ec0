//! What a suite need not cover: what a corpus covers already, and exempt targets.

use std::ops::ControlFlow;

use gramercy_coverage::{CountedTrees, CriterionSpec, Exemptions, Measure, TargetSet};
use gramercy_language::Language;
use gramercy_suite::{Corpus, Expectation};

use crate::engine::summary::Given;
use crate::recipe::Systematic;
use crate::suite::SuiteError;

/// What inputs cover of each criterion, and what became of them. Inputs that are not in the language cover nothing.
pub(crate) fn measure(
    language: &Language,
    cover: &[CriterionSpec],
    corpus: &[String],
) -> Result<(Vec<TargetSet>, Given), SuiteError> {
    let mut given = Given::default();
    if corpus.is_empty() {
        return Ok((vec![TargetSet::new(); cover.len()], given));
    }
    let parser = language.parser()?;
    let criteria = cover.iter().map(|spec| spec.build(language)).collect::<Result<_, _>>()?;
    let productions = language.bnf().production_count();
    let measure = Measure { parser, criteria, productions, trees: CountedTrees::All };
    let (mut workspace, mut sum) = (parser.workspace(), measure.nothing());
    let mut unreadable = Vec::new();
    Corpus::new(corpus).with_encoding(language.input_encoding()).for_each(|input| {
        let input = match input {
            Ok(input) => input,
            Err(error) => {
                unreadable.push(error);
                return ControlFlow::Continue(());
            }
        };
        given.inputs += 1;
        let measured = input.text().and_then(|text| {
            let measured = measure.text(&mut workspace, &text);
            measured.map_err(|rejection| input.byte_of(&text, rejection.byte))
        });
        match measured {
            Ok(covered) => _ = sum.add(&covered),
            Err(_) if matches!(input.expect, Some(Expectation::Reject(_))) => {}
            Err(byte) => {
                given.reject(input.name, byte);
            }
        }
        ControlFlow::Continue(())
    });
    match unreadable.is_empty() {
        true => Ok((sum.targets, given)),
        false => Err(SuiteError::Unreadable(unreadable)),
    }
}

/// Adds the exempt targets of each criterion to what is covered.
pub(crate) fn exempt(
    language: &Language,
    tests: &Systematic,
    covered: &mut [TargetSet],
) -> Result<(), SuiteError> {
    let canonical = |name: &str| name.parse::<CriterionSpec>().map(|spec| spec.to_string());
    let exemptions = Exemptions::read(&tests.exempt.join("\n"), &canonical)
        .map_err(|(_, error)| SuiteError::Conflict(error.message))?;
    if exemptions.is_empty() {
        return Ok(());
    }
    for (spec, covered) in tests.cover.iter().zip(covered) {
        let (targets, _) = exemptions.of(&spec.to_string(), &*spec.build(language)?);
        targets.iter().for_each(|target| _ = covered.insert(target));
    }
    Ok(())
}
