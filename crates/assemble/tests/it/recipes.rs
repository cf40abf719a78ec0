//! Recipes in files.

use gramercy_assemble::Recipe;
use gramercy_assemble::recipe::{
    CloseOffName, Minimize, Random, Size, StrategyName, Systematic, Tests, TextRecipe, TieBreak,
    TokenLexemes,
};

/// A recipe in which nothing has its default.
fn unusual_systematic() -> Recipe {
    let tests = Systematic {
        cover: vec!["lr-path:2:lr1".parse().expect("a criterion")],
        strategy: StrategyName::Pack,
        embedding: gramercy_derive::Embedding::Shallowest,
        length: gramercy_analysis::Length::LrEdges,
        ties: TieBreak::Random,
        variants: 3,
        given: vec!["corpus/".to_owned()],
        exempt: vec!["rule  a → b".to_owned()],
        targets: Some("1-4,9".parse().expect("ranks")),
        minimize: Some(Minimize { memory: 5 }),
        close_off: CloseOffName::Random,
        fall_over: Some(70),
        recur: Some("90s".parse().expect("a time")),
        sampling: gramercy_assemble::recipe::Sampling {
            depth: 4,
            repetitions: 2,
            choose: "least-pair:7".parse().expect("a choice"),
            partition: Some(1),
            damping: 0.25,
            similarity: 0.5,
        },
        max_tokens: Some(40),
    };
    Recipe { tests: Tests::Systematic(tests), ..unusual_frame() }
}

fn unusual_random() -> Recipe {
    let tests = Random {
        method: Some("breadth-first".parse().expect("a method")),
        size: Size::Tokens(3, 9),
        cooldown: 0.75,
        max_tokens: 12,
        ..Random::default()
    };
    Recipe { tests: Tests::Random(tests), ..unusual_frame() }
}

fn unusual_frame() -> Recipe {
    Recipe {
        tests: Tests::Random(Random::default()),
        seed: 6,
        limit: Some(8),
        shard: Some("2/3".parse().expect("a shard")),
        unique: true,
        max_bytes: Some(99),
        accepted_by_tool: true,
        report: vec!["pll".parse().expect("a criterion")],
        text: TextRecipe {
            lexemes: gramercy_lexis::Lexemes::Random,
            pool: vec![TokenLexemes { token: "ID".to_owned(), texts: vec!["x".to_owned()] }],
            lexeme_length: 3,
            spacing: gramercy_lexis::Spacing::Newline,
            alphabet: "a-z".parse().expect("an alphabet"),
        },
    }
}

#[test]
fn recipes_are_written_and_read_back() {
    let sizes = [Size::Default, Size::Bytes(1024, 4096), Size::Depth(7)].map(|size| {
        let tests = Tests::Random(Random { size, ..Random::default() });
        Recipe { tests, ..Recipe::default() }
    });
    let all = [Recipe::default(), unusual_systematic(), unusual_random()].into_iter().chain(sizes);
    for recipe in all {
        let text = serde_json::to_string(&recipe).expect("a recipe is JSON");
        let read: Recipe = serde_json::from_str(&text).expect("what was written is read");
        assert_eq!(read, recipe, "{text}");
    }
}

/// Every field of a recipe that is changed is changed in the file too, so no field is forgotten.
#[test]
fn no_field_is_left_out_of_the_file() {
    let flat = |recipe: &Recipe| {
        let value = serde_json::to_value(recipe).expect("a recipe is JSON");
        let mut fields = Vec::new();
        flatten("", &value, &mut fields);
        fields
    };
    for (unusual, usual) in
        [(unusual_systematic(), Recipe::default()), (unusual_random(), Recipe::random(10))]
    {
        let (unusual, usual) = (flat(&unusual), flat(&usual));
        for (path, value) in &usual {
            let changed = unusual.iter().find(|(other, _)| other == path).map(|(_, value)| value);
            let is_shared = path.contains(".random.sampling");
            assert!(is_shared || changed != Some(value), "{path} is {value} in both");
        }
    }
}

fn flatten(path: &str, value: &serde_json::Value, into: &mut Vec<(String, String)>) {
    match value {
        serde_json::Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| flatten(&format!("{path}.{name}"), value, into));
        }
        value => into.push((path.to_owned(), value.to_string())),
    }
}

#[test]
fn mistakes_in_a_recipe_are_told() {
    let check = |from: &str, to: &str, expected: &str| {
        let text = serde_json::to_string(&Recipe::default()).expect("JSON").replace(from, to);
        let error = serde_json::from_str::<Recipe>(&text).expect_err(&text).to_string();
        assert!(error.contains(expected), "{error}");
    };
    check("kpath:2", "kpaths:2", "is not a criterion");
    check("\"strategy\":\"cover\"", "\"strategy\":\"hide\"", "is none of cover, pack, lr-bfs");
    check("\"seed\":0", "\"sead\":0", "unknown field `sead`");
}
