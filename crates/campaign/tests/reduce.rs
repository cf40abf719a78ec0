//! Reduction with conditions that are functions.

use gramercy_campaign::reduce::{Bounds, Options, Reduced, Reducer, Verdicts};
use gramercy_language::Language;

fn language(file: &str) -> Language {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../").join(file);
    Language::read(&path).expect("the grammar is right")
}

fn json_document() -> String {
    let mut text = String::from("{");
    for i in 0..60 {
        let inner: Vec<String> = (0..6)
            .map(|j| format!("{{\"id\": {}, \"name\": \"item {i} {j}\", \"ok\": true}}", i * 7 + j))
            .collect();
        text.push_str(&format!("\"key{i}\": [{}],\n  ", inner.join(", ")));
        if i == 37 {
            text.push_str(
                "\"list\": [1, 2, {\"deep\": [null, {\"b\": 3, \"bug\": 42, \"c\": []}]}],",
            );
        }
    }
    text.push_str("\"end\": null}\n");
    text
}

fn run(
    language: &Language,
    text: &str,
    jobs: usize,
    condition: &(dyn Fn(&[u8]) -> bool + Sync),
) -> Reduced {
    let mut reducer = Reducer::new(language).expect("there is a parser");
    let stay = reducer.place_of(text);
    let options = Options { stay, bounds: Bounds::default(), jobs };
    reducer.reduce(text, &condition, &options, &mut Verdicts::default(), &mut ())
}

#[test]
fn needle_in_json() {
    let text = json_document();
    let trace = std::env::var("TRACE").is_ok();
    let has = |content: &[u8]| {
        let is = String::from_utf8_lossy(content).replace(' ', "").contains("\"bug\":42");
        if trace {
            let t = String::from_utf8_lossy(content).into_owned();
            println!("{is} {} {}", t.len(), t.chars().take(100).collect::<String>());
        }
        is
    };
    for file in ["grammars/json.gram", "../shared/grammars/antlr/json/JSON.g4"] {
        if !std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../").join(file).exists() {
            continue;
        }
        let language = language(file);
        for jobs in [1, 2, 8] {
            let began = std::time::Instant::now();
            let reduced = run(&language, &text, jobs, &has);
            println!(
                "{file} {} bytes -> {:?} {} tokens, {} runs, {} executed {:?} {:?}",
                text.len(),
                reduced.text,
                reduced.tokens,
                reduced.runs,
                reduced.executed,
                reduced.ended,
                began.elapsed()
            );
            if trace {
                return;
            }
        }
    }
}
