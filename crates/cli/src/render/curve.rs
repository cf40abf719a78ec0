//! The probability of covering everything by the number of tests, as SVG: uniform tests against planned ones. Bounds
//! are bands between their two lines.

use gramercy::sample::methods::uniform::Plan;
use gramercy::sample::methods::uniform::plan::bounds::Covering;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 28.0;
const BOTTOM: f64 = 44.0;
/// Points on a line.
const POINTS: u32 = 160;
/// The curve ends where nearly everything is covered by both, or here.
const MOST_TESTS: u128 = 1_000_000_000_000_000_000_000_000;

/// The picture of a plan.
pub(crate) fn svg(plan: &Plan) -> String {
    let last = |covering: &Covering| covering.trees_for(0.9999).1.unwrap_or(MOST_TESTS);
    let most = last(&plan.plain).max(last(&plan.biased)).clamp(10, MOST_TESTS);
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<title>Probability of covering everything by the number of tests</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    axes(most, &mut picture);
    for (covering, color, name, row) in
        [(&plan.plain, "#b5541a", "uniform", 0.0), (&plan.biased, "#1a5fb4", "by the plan", 1.0)]
    {
        line(covering, most, color, &mut picture);
        let (x, y) = (LEFT + 10.0, TOP + 14.0 + 16.0 * row);
        picture.push_str(&format!("<text x=\"{x}\" y=\"{y}\" fill=\"{color}\">{name}</text>\n"));
    }
    picture + "</svg>\n"
}

fn axes(most: u128, picture: &mut String) {
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    for tenth in [0, 25, 50, 75, 100] {
        let y = y(f64::from(tenth) / 100.0);
        picture.push_str(&format!(
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\n\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tenth} %</text>\n",
            LEFT - 6.0,
            y + 4.0
        ));
    }
    let step = 10_u128.pow(1 + most.ilog10() / 12);
    let mut tests = 1_u128;
    while tests <= most {
        let x = x(tests, most);
        picture.push_str(&format!(
            "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"#eee\"/>\n\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
            bottom + 16.0,
            power_of_ten(tests)
        ));
        tests = tests.saturating_mul(step);
    }
    picture.push_str(&format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">tests</text>\n",
        (LEFT + right) / 2.0,
        HEIGHT - 8.0
    ));
}

/// A power of ten as a label.
fn power_of_ten(number: u128) -> String {
    match number.ilog10() {
        0..=4 => number.to_string(),
        exponent => format!("1e{exponent}"),
    }
}

/// The band between the bounds, which is a line where they are equal.
fn line(covering: &Covering, most: u128, color: &str, picture: &mut String) {
    let mut numbers: Vec<u128> = (0..=POINTS).map(|at| point(at, most)).collect();
    numbers.dedup();
    let of = |tests: u128, value: f64| format!("{:.1},{:.1}", x(tests, most), y(value));
    let lower = numbers.iter().map(|&tests| of(tests, covering.probability(tests).least));
    let upper = numbers.iter().rev().map(|&tests| of(tests, covering.probability(tests).most));
    let band: Vec<String> = lower.clone().chain(upper).collect();
    picture.push_str(&format!(
        "<polygon points=\"{}\" fill=\"{color}\" fill-opacity=\"0.2\"/>\n\
         <polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\n",
        band.join(" "),
        lower.collect::<Vec<_>>().join(" ")
    ));
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place in a picture"
)]
fn point(at: u32, most: u128) -> u128 {
    (most as f64).powf(f64::from(at) / f64::from(POINTS)).round() as u128
}

#[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
fn x(tests: u128, most: u128) -> f64 {
    LEFT + (WIDTH - LEFT - RIGHT) * (tests as f64).ln() / (most as f64).ln()
}

fn y(probability: f64) -> f64 {
    HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * probability
}
