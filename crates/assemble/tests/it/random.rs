//! Random suites: as many tests as requested, and of the requested size, also where the lexer makes fewer tokens
//! than the parser knows.

use gramercy_assemble::Recipe;
use gramercy_assemble::recipe::{Random, Size, Tests};
use gramercy_suite::Wants;

use crate::support::{kept, of_text};

/// `THERE` and `NOWHERE` are never made, since `NAME` wins; most trees of the grammar have one of them.
const NEVER_MADE: &str = "grammar a; s : x+ EOF ; x : a a a a | NAME '=' NAME ; \
                          a : THERE | NOWHERE x | NUM ; \
                          NAME : [a-z]+ ; THERE : 'there' ; NOWHERE : 'a' 'b' ; \
                          NUM : [0-9]+ ; WS : ' ' -> skip ;";

#[test]
fn tokens_that_the_lexer_never_makes_are_not_drawn() {
    let language = of_text("a.g4", NEVER_MADE);
    for method in ["size", "depth", "free", "graph", "forced", "cooldown"] {
        let method = Some(method.parse().expect("a method"));
        let tests = Tests::Random(Random { method, ..Random::default() });
        let recipe = Recipe { tests, limit: Some(50), ..Recipe::default() };
        let (kept, summary) = kept(&language, &recipe, Wants::TEXT);
        assert_eq!((kept.texts.len(), summary.unwritten_count), (50, 0), "{method:?}");
    }
}

#[test]
fn sizes_are_those_of_tokens_that_are_made() {
    let language = of_text("a.g4", NEVER_MADE);
    for tokens in [7, 20, 100] {
        let tests =
            Tests::Random(Random { size: Size::Tokens(tokens, tokens), ..Random::default() });
        let recipe = Recipe { tests, limit: Some(30), ..Recipe::default() };
        let (kept, _) = kept(&language, &recipe, Wants::TEXT);
        let missed = |&count: &usize| tokens.abs_diff(count as u64) > (tokens / 10).max(2);
        assert!(!kept.token_counts.iter().any(missed), "{tokens}: {:?}", kept.token_counts);
    }
}
