//! Uniform tests are uniform: our program lists all trees of a size and draws from them, and a chi-square test compares
//! how often each text was drawn. The same test rejects draws with a planted bias of one in a thousand. For ambiguous
//! grammars the same is shown of words.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::extent::Extent;
use crate::gramercy::{Entry, Gramercy, examples_folder};
use crate::process::{Fallible, Profile};
use crate::say;

/// Grammars whose trees have different texts, and ambiguous ones, with the unit of their sizes.
const TREES: [(&str, &str); 6] = [
    ("expr.gram", "nodes"),
    ("expr.gram", "tokens"),
    ("dyck-left.y", "tokens"),
    ("dyck-right.y", "nodes"),
    ("json.gram", "nodes"),
    ("json.gram", "tokens"),
];
const WORDS: [(&str, &str); 4] = [
    ("dangling-else.y", "tokens"),
    ("dangling-else.y", "nodes"),
    ("sum.y", "tokens"),
    ("sum.y", "nodes"),
];

/// The most trees of a size.
fn most_trees(extent: Extent) -> u64 {
    match extent {
        Extent::Short => 1_500,
        Extent::Full => 100_000,
    }
}

/// Draws for each tree.
const DRAWS: u64 = 20;
/// Every BIAS-th draw is replaced by the first tree.
const BIAS: usize = 1000;

pub(super) fn run(extent: Extent) -> Fallible {
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let mut problems = Vec::new();
    let cases = TREES.map(|case| (case, false)).into_iter().chain(WORDS.map(|case| (case, true)));
    for ((grammar, unit), is_words) in cases {
        let result = check(&gramercy, grammar, unit, is_words, most_trees(extent));
        problems.extend(result.err().map(|problem| format!("{grammar} in {unit}: {problem}")));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

fn check(gramercy: &Gramercy, name: &str, unit: &str, is_words: bool, most: u64) -> Fallible {
    let entry = Entry::new(examples_folder().join(name));
    let counted = gramercy.on("count", &entry, &["--sizes", "1-60", "--unit", unit, "--json"]);
    let counts: Value =
        serde_json::from_str(&counted.finish()?.success()?).map_err(|e| e.to_string())?;
    let trees = counts["trees"].as_object().ok_or("no numbers of trees")?;
    let number = |count: &Value| count.as_str().and_then(|count| count.parse::<u64>().ok());
    let within = trees.iter().filter_map(|(size, count)| Some((number(count)?, size)));
    let (count, size) =
        within.filter(|(count, _)| *count <= most).max().ok_or("no size has few trees")?;
    let flag = format!("--{unit}");
    let shared = ["--uniform", &*flag, size, "--quiet", "--lexemes", "shortest"];
    let all =
        gramercy.on("random", &entry, &[&shared[..], &["--all"]].concat()).finish()?.success()?;
    let mut found: BTreeMap<&str, u64> = all.lines().map(|line| (line, 0)).collect();
    if !is_words && found.len() as u64 != count {
        return Err(format!("{count} trees of {size} have {} texts", found.len()));
    }
    let texts = found.len() as u64;
    let draws = (DRAWS * texts).to_string();
    let mut arguments = [&shared[..], &["-n", &*draws]].concat();
    arguments.extend(is_words.then_some("--words"));
    let drawn = gramercy.on("random", &entry, &arguments).finish()?.success()?;
    let fair = deviation(drawn.lines(), &mut found)?;
    let first = all.lines().next().unwrap_or_default();
    let planted =
        drawn.lines().enumerate().map(|(at, line)| if at % BIAS == 0 { first } else { line });
    let biased = deviation(planted, &mut found)?;
    let what = if is_words { "words" } else { "trees" };
    say(&format!(
        "{name:<16} {texts:>7} {what} of {size:>2} {unit:<6} fair {fair:>6.2} deviations, biased {biased:>7.2}"
    ));
    if fair.abs() > 4.5 {
        return Err(format!("{what} are not uniform: {fair:.2} deviations"));
    }
    // The bias is plain where it adds many spreads to the chi-square.
    #[expect(clippy::cast_precision_loss, reason = "a figure")]
    let shift = (DRAWS * texts) as f64 * texts as f64 / 1e6 / (2.0_f64 * texts as f64).sqrt();
    if shift > 10.0 && biased < 6.0 {
        return Err(format!("a bias of one in {BIAS} is not noticed: {biased:.2} deviations"));
    }
    Ok(())
}

/// How many standard deviations a chi-square is beyond what is expected, by Wilson and Hilferty's cube root.
#[expect(clippy::cast_precision_loss, reason = "a statistic")]
fn deviation<'t>(
    drawn: impl Iterator<Item = &'t str>,
    found: &mut BTreeMap<&'t str, u64>,
) -> Fallible<f64> {
    found.values_mut().for_each(|count| *count = 0);
    let mut draws = 0_u64;
    for line in drawn {
        *found.get_mut(line).ok_or_else(|| format!("`{line}` is none of all texts"))? += 1;
        draws += 1;
    }
    let expected = draws as f64 / found.len() as f64;
    let chi: f64 = found.values().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
    let freedom = (found.len() - 1) as f64;
    let spread = 2.0 / (9.0 * freedom);
    Ok(((chi / freedom).cbrt() - (1.0 - spread)) / spread.sqrt())
}
