//! Laws of every reduction, on random grammars and conditions.

use gramercy_analysis::Productive;
use gramercy_campaign::reduce::{Ended, Stay};
use gramercy_derive::{Candidate, CheapestTrees, Resolution};
use gramercy_grammar::Symbol;
use gramercy_language::Language;
use gramercy_lexis::{Choice, WriteOptions};
use gramercy_testkit::random::Random;
use gramercy_testkit::random_syntax::random_syntax;

use crate::{naive, reduce, reduce_within};

/// A random sentence with up to about this number of expansions.
fn sentence(language: &Language, random: &mut Random, expansions: usize) -> Option<String> {
    let cheapest = CheapestTrees::new(language, Resolution::default());
    let productive = Productive::of(language.bnf());
    let bnf = language.bnf();
    cheapest.production(bnf.start())?;
    let mut stack = vec![Symbol::Nonterminal(bnf.start())];
    let mut tokens = Vec::new();
    let mut left = expansions;
    while let Some(symbol) = stack.pop() {
        match symbol {
            Symbol::Terminal(terminal) => tokens.push(terminal),
            Symbol::Nonterminal(_) if left == 0 => {
                let mut rest = Candidate::default();
                cheapest.close(symbol, &mut rest);
                tokens.extend(rest.tokens);
            }
            Symbol::Nonterminal(id) => {
                left -= 1;
                let all = bnf.productions_of(id).iter().copied();
                let possible: Vec<_> = all.filter(|&it| productive.has_production(it)).collect();
                stack.extend(bnf.rhs(*random.pick(&possible)).iter().rev());
            }
        }
    }
    let mut writer = language.writer(&WriteOptions::default()).ok()?;
    writer.write(&tokens, &Choice::default()).ok().map(|written| written.text)
}

/// A condition with everything it needs.
type Owned = Box<dyn Fn(&str) -> bool + Sync>;

/// Conditions of several kinds that a text has itself.
fn conditions(text: &str, random: &mut Random) -> Vec<Owned> {
    let chars: Vec<char> = text.chars().collect();
    let mut made: Vec<Owned> = vec![Box::new(|_| true)];
    if chars.is_empty() {
        return made;
    }
    let at = random.below(chars.len());
    let part: String = chars[at..].iter().take(3).collect();
    made.push(Box::new(move |text| text.contains(&part)));
    let letter = *random.pick(&chars);
    let least = chars.iter().filter(|&&c| c == letter).count().div_ceil(2);
    made.push(Box::new(move |text| text.matches(letter).count() >= least));
    let (first, last) = (*random.pick(&chars), *random.pick(&chars));
    let in_order = move |text: &str| text.find(first).is_some_and(|at| text[at..].contains(last));
    made.push(Box::new(in_order));
    // Not monotone at all.
    let rest = text.len() % 3;
    made.push(Box::new(move |text| text.len() % 3 == rest && text.contains(letter)));
    made.retain(|condition| condition(text));
    made
}

#[test]
fn results_are_interesting_in_the_language_minimal_and_the_same_for_all_jobs() {
    let mut checked = 0;
    for seed in 0..60 {
        let mut random = Random(seed);
        let grammar = random_syntax(&mut random);
        let Ok(language) = Language::from_text("random.gram", &grammar) else { continue };
        let expansions = 5 + random.below(25);
        let Some(text) = sentence(&language, &mut random, expansions) else { continue };
        for (number, condition) in conditions(&text, &mut random).iter().enumerate() {
            let what = format!("seed {seed}, condition {number}, {text:?} of\n{grammar}");
            let reduced = reduce(&language, &text, 1, condition);
            assert_eq!(reduced.ended, Ended::Complete, "{what}");
            assert!(condition(&reduced.text), "{what}");
            let parser = language.parser().expect("there is a parser");
            let read = parser.recognize(&mut parser.workspace(), &reduced.text);
            assert!(read.is_ok(), "{:?} from {what}", reduced.text);
            let found = naive::smaller(&language, &reduced.text, condition);
            assert_eq!(found, None, "{:?} is not minimal: {what}", reduced.text);
            for jobs in [2, 3] {
                let other = reduce(&language, &text, jobs, condition);
                assert_eq!((&other.text, other.runs), (&reduced.text, reduced.runs), "{what}");
            }
            checked += 1;
        }
    }
    assert!(checked > 60, "{checked}");
}

#[test]
fn texts_outside_of_the_language_stay_outside() {
    let mut checked = 0;
    for seed in 0..40 {
        let mut random = Random(seed);
        let grammar = random_syntax(&mut random);
        let Ok(language) = Language::from_text("random.gram", &grammar) else { continue };
        let Some(mut text) = sentence(&language, &mut random, 20) else { continue };
        text.insert(random.below(text.len() + 1), *random.pick(&['a', 'b', 'x']));
        let parser = language.parser().expect("there is a parser");
        let mut workspace = parser.workspace();
        if parser.recognize(&mut workspace, &text).is_ok() {
            continue;
        }
        for condition in conditions(&text, &mut random) {
            let what = format!("seed {seed}, {text:?} of\n{grammar}");
            let reduced = reduce_within(&language, &text, Stay::Outside(None), 1, &condition);
            assert!(condition(&reduced.text), "{what}");
            assert!(parser.recognize(&mut workspace, &reduced.text).is_err(), "{what}");
            for (at, c) in reduced.text.char_indices() {
                let mut shorter = reduced.text.clone();
                shorter.replace_range(at..at + c.len_utf8(), "");
                let is_out = parser.recognize(&mut workspace, &shorter).is_err();
                assert!(
                    !(is_out && condition(&shorter)),
                    "{shorter:?}, {:?}, {what}",
                    reduced.text
                );
            }
            let other = reduce_within(&language, &text, Stay::Outside(None), 3, &condition);
            assert_eq!((&other.text, other.runs), (&reduced.text, reduced.runs), "{what}");
            checked += 1;
        }
    }
    assert!(checked > 40, "{checked}");
}
