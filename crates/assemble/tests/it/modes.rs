//! Suites of grammars whose lexers have modes: trees are searched for where the cheapest ones have no text.

use std::collections::BTreeSet;
use std::fmt::Write;

use gramercy_base::Draw;
use gramercy_language::Language;
use gramercy_suite::Wants;

use crate::engine;
use crate::support::{Form, cover, kept, of_files, small, texts};

#[test]
fn what_the_last_token_needs_is_known_at_the_first() {
    let lexer = "lexer grammar L;
        A: 'a'; B: 'b' -> mode(BEHIND); C: 'c'; D: 'd'; E: 'e';
        mode BEHIND;
        BEHIND_A: 'a' -> type(A); BEHIND_C: 'c' -> type(C); BEHIND_D: 'd' -> type(D);
        BEHIND_E: 'e' -> type(E); LAST: 'z';";
    // Four choices at twelve places after the one that matters: no trial finds it in time.
    let parser = "parser grammar P; options { tokenVocab = L; }
        s: first x x x x x x x x x x x x LAST;
        first: A | a a a a B;
        a: A A A A;
        x: A | C | D | E;";
    let language = of_files(&[("L.g4", lexer), ("P.g4", parser)]);
    let long = "a".repeat(16) + "b";
    let expected = ["a", "c", "d", "e"].map(|x| format!("{long}{x}{}z", "a".repeat(11)));
    assert_eq!(texts(&language, &small("rule")), expected);
}

/// Processing instructions of XML: everything up to the end is kept by `more` and belongs to the token that ends it.
#[test]
fn tokens_that_begin_with_what_more_keeps_are_written() {
    let lexer = "lexer grammar L; COMMENT : '<!--' .*? '-->' ; SEA : (' ' | '\\n')+ ; OPEN : '<' -> pushMode(INSIDE) ;
        SPECIAL : '<?' NAME -> more, pushMode(PROC) ; TEXT : ~[<& \\n]+ ; mode INSIDE ; CLOSE : '>' -> popMode ;
        END : '/>' -> popMode ; NAME : [a-z]+ ; S : [ \\n] -> skip ; mode PROC ; PI : '?>' -> popMode ; REST : . -> more ;";
    let parser = "parser grammar P; options { tokenVocab = L; }
        document : misc* element misc* EOF ; element : OPEN NAME END ; misc : COMMENT | PI | SEA ;";
    let language = of_files(&[("L.g4", lexer), ("P.g4", parser)]);
    for criteria in ["rule", "kpath:2", "lexeme:1"] {
        let (kept, summary) = kept(&language, &small(criteria), Wants::TEXT);
        assert_eq!(summary.unwritten_count, 0, "{criteria}: {:?}", summary.unwritten);
        let is_instruction = |text: &String| text.contains("<?") && text.contains("?>");
        assert!(kept.texts.iter().any(is_instruction), "{criteria}: {:?}", kept.texts);
    }
}

const TOKENS: u8 = 4;
const RULES: usize = 5;
/// How long the sentences are among which a naive search looks for a text.
const LONGEST: usize = 4;

/// In which mode the lexer is after a token, for each mode and token that it makes there.
type Lexer = Vec<Vec<Option<usize>>>;
/// A symbol is a token, or a rule after all tokens.
type Alternatives = Vec<Vec<u8>>;

#[test]
fn a_text_is_found_where_some_sentence_has_one() {
    let (mut found, mut searched) = (0, 0);
    for number in 0..200 {
        let (language, lexer, rules) = random(number);
        let sentences = sentences(&rules);
        let mut has_text = sentences.iter().filter(|sentence| is_walk(&lexer, sentence));
        let shortest = sentences.iter().min_by_key(|sentence| sentence.len());
        searched += usize::from(!is_walk(&lexer, shortest.expect("rules have sentences")));
        let texts = texts(&language, &small("symbol"));
        if has_text.next().is_some() {
            assert!(!texts.is_empty(), "{number}: {rules:?} {lexer:?}");
            found += 1;
        }
        for text in texts {
            assert!(is_walk(&lexer, &tokens(&text)), "{number}: {text} {lexer:?}");
        }
    }
    assert!(found > 50 && searched > 50, "{found} have a text, {searched} not the first one");
}

#[test]
fn every_rule_of_the_lexer_is_matched_that_some_sentence_has() {
    let mut matched = 0;
    for number in 0..200 {
        let (language, lexer, rules) = random(number);
        let sentences = sentences(&rules);
        let expected = sentences.iter().filter(|sentence| is_walk(&lexer, sentence));
        let expected: BTreeSet<_> =
            expected.flat_map(|sentence| matches(&lexer, sentence)).collect();
        for form in [Form::Small, Form::Packed] {
            let texts = texts(&language, &cover("lexeme:1", form));
            let found: BTreeSet<_> =
                texts.iter().flat_map(|text| matches(&lexer, &tokens(text))).collect();
            assert!(found.is_superset(&expected), "{number}: {texts:?} {rules:?} {lexer:?}");
        }
        matched += expected.len();
    }
    assert!(matched > 300, "{matched} rules");
}

#[test]
fn packing_loses_nothing_that_small_tests_have() {
    let (mut small, mut packed) = (0, 0);
    for number in 0..200 {
        let (language, lexer, _) = random(number);
        for criterion in ["rule", "cdrc", "pair"] {
            // Not even what is there by chance counts for large tests.
            let suite = |form| {
                let (texts, given_up) = engine::given_up(&language, criterion, form);
                for text in &texts {
                    assert!(is_walk(&lexer, &tokens(text)), "{number}: {text} {lexer:?}");
                }
                (texts, given_up)
            };
            let ((one, missing), (other, unwritten)) = (suite(Form::Small), suite(Form::Packed));
            let lost: Vec<u64> = unwritten.iter().filter(|&of| !missing.contains(of)).collect();
            assert!(lost.is_empty(), "{number} {criterion}: {lost:?} {one:?} {other:?}");
            (small, packed) = (small + one.len(), packed + other.len());
        }
    }
    assert!(packed * 2 < small, "{packed} large tests for {small} small ones");
}

#[test]
fn rules_match_wherever_the_lexer_lets_them() {
    let lexer = r#"lexer grammar L;
        A: 'a'; OTHER_A: 'o' -> type(A); ANY: 'y';
        OPEN: '(' -> pushMode(INSIDE);
        QUOTE: '"' -> more, pushMode(TEXT);
        COMMENT: '/*' -> pushMode(COMMENT_MODE), skip;
        WS: ' ' -> skip;
        mode INSIDE; INSIDE_A: 'i' -> type(A); CLOSE: ')' -> popMode; BLANK: [ \t] -> channel(HIDDEN);
        mode TEXT; LETTER: [x-z] -> more; STRING: '"' -> popMode;
        mode COMMENT_MODE; STAR: '*/' -> popMode, skip; INNER: ~'*' -> skip;"#;
    let parser = "parser grammar P; options { tokenVocab = L; }
        s: A (OPEN A CLOSE)? STRING? ~A?;";
    let language = of_files(&[("L.g4", lexer), ("P.g4", parser)]);
    for form in [Form::Small, Form::Packed] {
        let (kept, summary) = kept(&language, &cover("lexeme:1", form), Wants::TEXT);
        assert_eq!(summary.unwritten, [], "{form:?}: {:?}", kept.texts);
        let all = kept.texts.concat();
        for text in ["o", "y", "i)", "( ", "\"x", "/*a"] {
            assert!(all.contains(text), "{form:?} {text}: {:?}", kept.texts);
        }
    }
}

/// A grammar of a random lexer and random rules, with both.
fn random(number: u64) -> (Language, Lexer, Vec<Alternatives>) {
    let draw = &mut Draw::new([number, 0, 0, 0]);
    let lexer = random_lexer(draw);
    let rules: Vec<Alternatives> = (0..RULES).map(|number| random_rule(number, draw)).collect();
    let files = [("L.g4", &*lexer_text(&lexer)), ("P.g4", &*parser_text(&rules))];
    (of_files(&files), lexer, rules)
}

fn random_lexer(draw: &mut Draw) -> Lexer {
    let modes = 2 + draw.below(2);
    let mut token = |_| (draw.below(3) > 0).then(|| draw.below(modes));
    (0..modes).map(|_| (0..TOKENS).map(&mut token).collect()).collect()
}

/// Its first alternative is of tokens, so that every rule has sentences, and the last one refers to
/// the next rule, so that every rule is used.
fn random_rule(number: usize, draw: &mut Draw) -> Alternatives {
    let mut alternative = |symbols: usize, shortest: usize| {
        let len = shortest + draw.below(4 - shortest);
        (0..len).map(|_| u8::try_from(draw.below(symbols)).expect("few")).collect::<Vec<u8>>()
    };
    let first = alternative(TOKENS.into(), 1);
    let symbols = usize::from(TOKENS) + RULES;
    let (second, mut last) = (alternative(symbols, 0), alternative(symbols, 0));
    last.push(TOKENS + u8::try_from((number + 1) % RULES).expect("few"));
    vec![first, second, last]
}

fn lexer_text(lexer: &Lexer) -> String {
    let mut text = String::from("lexer grammar L; tokens { T0, T1, T2, T3 }\n");
    for (mode, tokens) in lexer.iter().enumerate() {
        if mode > 0 {
            writeln!(text, "mode M{mode};").expect("a string");
        }
        // A mode without rules would be a mistake.
        writeln!(text, "NEVER{mode}: 'never{mode}';").expect("a string");
        for (token, next) in tokens.iter().enumerate() {
            let Some(next) = next else { continue };
            let next = if *next == 0 { "DEFAULT_MODE".to_owned() } else { format!("M{next}") };
            let letter = char::from(b'a' + u8::try_from(token).expect("few"));
            writeln!(text, "IN{mode}T{token}: '{letter}' -> mode({next}), type(T{token});")
                .expect("a string");
        }
    }
    text
}

fn parser_text(rules: &[Alternatives]) -> String {
    let mut text = String::from("parser grammar P; options { tokenVocab = L; }\ns: r0;\n");
    for (number, alternatives) in rules.iter().enumerate() {
        let symbol = |&symbol: &u8| match symbol.checked_sub(TOKENS) {
            None => format!("T{symbol}"),
            Some(rule) => format!("r{rule}"),
        };
        let one = |symbols: &Vec<u8>| symbols.iter().map(symbol).collect::<Vec<_>>().join(" ");
        let alternatives: Vec<String> = alternatives.iter().map(one).collect();
        writeln!(text, "r{number}: {};", alternatives.join(" | ")).expect("a string");
    }
    text
}

/// All sentences of the first rule that are not too long.
fn sentences(rules: &[Alternatives]) -> BTreeSet<Vec<u8>> {
    let mut languages = vec![BTreeSet::<Vec<u8>>::new(); rules.len()];
    loop {
        let before: usize = languages.iter().map(BTreeSet::len).sum();
        for (number, alternatives) in rules.iter().enumerate() {
            for symbols in alternatives {
                let mut heads = BTreeSet::from([Vec::new()]);
                for &symbol in symbols {
                    let tails = match symbol.checked_sub(TOKENS) {
                        None => BTreeSet::from([vec![symbol]]),
                        Some(rule) => languages[usize::from(rule)].clone(),
                    };
                    let joined = heads.iter().flat_map(|head| {
                        tails.iter().map(move |tail| [&head[..], &tail[..]].concat())
                    });
                    heads = joined.filter(|sentence| sentence.len() <= LONGEST).collect();
                }
                languages[number].extend(heads);
            }
        }
        if languages.iter().map(BTreeSet::len).sum::<usize>() == before {
            return languages.swap_remove(0);
        }
    }
}

fn tokens(text: &str) -> Vec<u8> {
    text.bytes().map(|byte| byte - b'a').collect()
}

/// The modes in which tokens are made, with these.
fn matches(lexer: &Lexer, tokens: &[u8]) -> Vec<(usize, u8)> {
    let mut mode = 0;
    let mut step = |&token: &u8| {
        let next = lexer[mode][usize::from(token)].expect("the lexer makes it");
        (std::mem::replace(&mut mode, next), token)
    };
    tokens.iter().map(&mut step).collect()
}

fn is_walk(lexer: &Lexer, tokens: &[u8]) -> bool {
    let step = |mode: usize, &token: &u8| lexer[mode][usize::from(token)];
    tokens.iter().try_fold(0, step).is_some()
}
