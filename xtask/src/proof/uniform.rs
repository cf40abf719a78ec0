//! Uniform tests are uniform: our program lists all trees of a size and draws from them, and a chi-square test compares
//! how often each text was drawn. The same is shown of words of ambiguous grammars, and of trees that cover a symbol.
//! Each test also rejects the same draws with a planted bias of one in a thousand.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::extent::Extent;
use crate::gramercy::{Entry, Gramercy, examples_folder};
use crate::process::{Fallible, Profile};
use crate::say;

/// What is equally likely.
#[derive(Clone, Copy)]
enum Promise {
    /// Trees, which all have different texts.
    Trees,
    /// Words.
    Words,
    /// Trees that have a literal, which are those whose text contains it.
    TreesWith(&'static str),
}

/// Grammars with the unit of sizes.
const CASES: [(&str, &str, Promise); 14] = [
    ("session.gram", "nodes", Promise::Trees),
    ("dyck-left.y", "tokens", Promise::Trees),
    ("dyck-right.y", "nodes", Promise::Trees),
    ("json.gram", "nodes", Promise::Trees),
    ("uri.gram", "nodes", Promise::Trees),
    ("mini.gram", "nodes", Promise::Trees),
    ("sum.y", "tokens", Promise::Words),
    ("sum.y", "nodes", Promise::Words),
    ("calc.y", "nodes", Promise::Words),
    ("csv.gram", "nodes", Promise::Words),
    ("session.gram", "nodes", Promise::TreesWith("cmd")),
    ("json.gram", "nodes", Promise::TreesWith("{")),
    ("uri.gram", "nodes", Promise::TreesWith("#")),
    ("mini.gram", "nodes", Promise::TreesWith("return")),
];

/// The most trees of a size.
fn most_trees(extent: Extent) -> u64 {
    match extent {
        Extent::Short => 1_500,
        Extent::Full => 100_000,
    }
}

/// Draws for each text, at least.
const DRAWS: u64 = 20;
/// Every BIAS-th draw is replaced by the first tree.
const BIAS: usize = 1000;
/// Standard deviations that the bias moves a chi-square by, if it is drawn often enough.
const PLAIN_BIAS: f64 = 12.0;

pub(super) fn run(extent: Extent) -> Fallible {
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let mut problems = Vec::new();
    for case in CASES {
        let (grammar, unit, _) = case;
        let result = check(&gramercy, case, extent);
        problems.extend(result.err().map(|problem| format!("{grammar} in {unit}: {problem}")));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// The largest number of trees that a size has within a bound, and the size.
fn largest(gramercy: &Gramercy, entry: &Entry, unit: &str, most: u64) -> Fallible<(u64, String)> {
    let counted = gramercy.on("count", entry, &["--sizes", "1-60", "--unit", unit, "--json"]);
    let counts: Value =
        serde_json::from_str(&counted.finish()?.success()?).map_err(|e| e.to_string())?;
    let trees = counts["trees"].as_object().ok_or("no numbers of trees")?;
    let number = |count: &Value| count.as_str().and_then(|count| count.parse::<u64>().ok());
    let within = trees.iter().filter_map(|(size, count)| Some((number(count)?, size)));
    let found = within.filter(|(count, _)| *count <= most).max().ok_or("no size has few trees")?;
    Ok((found.0, found.1.clone()))
}

fn check(
    gramercy: &Gramercy,
    (name, unit, promise): (&str, &str, Promise),
    extent: Extent,
) -> Fallible {
    let entry = Entry::new(examples_folder().join(name));
    let (count, size) = largest(gramercy, &entry, unit, most_trees(extent))?;
    let flag = format!("--{unit}");
    let shared = ["--uniform", &*flag, &*size, "--quiet", "--lexemes", "shortest"];
    let run = |more: &[&str]| {
        gramercy.on("random", &entry, &[&shared[..], more].concat()).finish()?.success()
    };
    let all = run(&["--all"])?;
    let is_covered = |line: &&str| match promise {
        Promise::TreesWith(literal) => line.contains(literal),
        _ => true,
    };
    let mut found: BTreeMap<&str, u64> =
        all.lines().filter(is_covered).map(|line| (line, 0)).collect();
    let texts = found.len() as u64;
    let kept = all.lines().filter(is_covered).count() as u64;
    if !matches!(promise, Promise::Words) && texts != kept || all.lines().count() as u64 != count {
        return Err(format!("{count} trees of {size} have {texts} texts"));
    }
    let draws = draws(texts, extent).to_string();
    let cover = if let Promise::TreesWith(literal) = promise { literal } else { "" };
    let cover = format!("symbols:\"{cover}\"");
    let drawn = match promise {
        Promise::Trees => run(&["-n", &draws]),
        Promise::Words => run(&["-n", &draws, "--words"]),
        Promise::TreesWith(_) => run(&["-n", &draws, "--biased", "--cover", &cover]),
    }?;
    let fair = deviation(drawn.lines(), &mut found)?;
    let first = all.lines().find(is_covered).unwrap_or_default();
    let planted =
        drawn.lines().enumerate().map(|(at, line)| if at % BIAS == 0 { first } else { line });
    let biased = deviation(planted, &mut found)?;
    let what = match promise {
        Promise::Trees => "trees".to_owned(),
        Promise::Words => "words".to_owned(),
        Promise::TreesWith(literal) => format!("trees with {literal}"),
    };
    say(&format!(
        "{name:<16} {texts:>7} {what:<17} of {size:>2} {unit:<6} {draws:>8} draws: fair {fair:>6.2} deviations, \
         biased {biased:>7.2}"
    ));
    if fair.abs() > 4.5 {
        return Err(format!("{what} are not uniform: {fair:.2} deviations"));
    }
    if (extent == Extent::Full || texts > 5_000) && biased < 6.0 {
        return Err(format!("a bias of one in {BIAS} is not noticed: {biased:.2} deviations"));
    }
    Ok(())
}

/// How many trees are drawn. A bias of 1/B towards one of t texts adds draws · t / B² to a chi-square, whose standard
/// deviation is the root of 2t; with the full extent it is moved by [`PLAIN_BIAS`] deviations at least.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "about this number"
)]
fn draws(texts: u64, extent: Extent) -> u64 {
    let (count, bias) = (texts as f64, BIAS as f64);
    let plain = PLAIN_BIAS * (2.0 * count).sqrt() * bias * bias / count;
    match extent {
        Extent::Short => DRAWS * texts,
        Extent::Full => (DRAWS * texts).max(plain.ceil() as u64),
    }
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
