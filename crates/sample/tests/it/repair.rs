//! Trees that no text has are repaired.

use gramercy_derive::Candidate;
use gramercy_derive::strategy::Repaired;
use gramercy_formats::{LoadOptions, Memory};
use gramercy_language::Language;
use gramercy_lexis::{Choice, WriteOptions};
use gramercy_sample::methods::size::TOLERANCE;

use crate::request::without_trees;
use crate::support::derivations;

/// Behind a name a line break or a semicolon is an end, as in Go: a semicolon of its own cannot come there.
const LEXER: &str = r"lexer grammar L;
NAME: [a-z]+ -> mode(BEHIND); PLUS: '+'; SEMI: ';'; WS: [ \n]+ -> skip;
mode BEHIND;
END: [\n;]+ -> mode(DEFAULT_MODE); SPACE: ' '+ -> skip; OTHER: -> mode(DEFAULT_MODE), skip;";

const PARSER: &str = "parser grammar P; options { tokenVocab = L; }
    s: (e (SEMI | END))+; e: NAME | PLUS | e PLUS e;";

#[test]
fn trees_that_no_text_has_are_repaired() {
    let files = Memory::with("L.g4", LEXER).and("P.g4", PARSER);
    let language = Language::read_from("P.g4", &files, &LoadOptions::default());
    let language = language.expect("a grammar");
    let mut writer = language.writer(&WriteOptions::default()).expect("a writer");
    writer.prepare_quick(7).expect("a small automaton");
    for request in without_trees() {
        let strategy = request.indexed(&language).expect("such tests exist");
        let repairer = strategy.repairer().expect("somebody who repairs");
        let mut proposer = strategy.proposer();
        let (mut repaired, mut candidate) = (0, Candidate::default());
        for number in 0..strategy.count() {
            candidate.clear();
            proposer.propose(number, 0, &mut candidate);
            let choice = Choice { seed: 7, test: number, fixed: &[] };
            let before = writer.write(&candidate.tokens, &choice).is_ok();
            let mut trial = writer.trial(&choice).expect("pools");
            let outcome = repairer.repair(number, 0, &mut trial, &mut candidate);
            assert_ne!(outcome, Repaired::Failed, "{request:?} {number}");
            derivations(&language, &candidate);
            let (least, most) = request.options.tokens;
            if request.method.name() == "size" && least == most {
                let missed = most.abs_diff(candidate.tokens.len() as u64);
                assert!(missed <= most / TOLERANCE, "{number}");
            }
            let mut written = writer.write(&candidate.tokens, &choice).expect("it was repaired");
            written.is_certain = false;
            assert!(writer.reads_back(&written), "{:?}", written.text);
            repaired += u64::from(!before);
        }
        assert!(repaired > strategy.count() / 4, "{request:?}: {repaired} were wrong");
    }
}
