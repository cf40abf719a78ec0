//! The coverages of suites as a picture: a panel for each length of paths, a dot for each suite.

use std::fmt::Write;

use gramercy::learn::correlate::Correlation;

const PANEL: f64 = 220.0;
const MARGIN: f64 = 40.0;

/// The picture.
pub(crate) fn svg(correlations: &[Correlation]) -> String {
    let step = PANEL + 2.0 * MARGIN;
    let panels = u32::try_from(correlations.len().max(1)).unwrap_or(u32::MAX);
    let (width, height) = (step * f64::from(panels), step);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (correlation, number) in correlations.iter().zip(0_u32..) {
        panel(&mut out, correlation, f64::from(number) * step + MARGIN);
    }
    out.push_str("</svg>\n");
    out
}

fn panel(out: &mut String, correlation: &Correlation, left: f64) {
    let rho = correlation.spearman.map_or_else(|| "-".to_owned(), |s| format!("{:.3}", s.rho));
    let (bottom, middle) = (MARGIN + PANEL, left + PANEL / 2.0);
    let _ = writeln!(
        out,
        "<rect x=\"{left}\" y=\"{MARGIN}\" width=\"{PANEL}\" height=\"{PANEL}\" fill=\"none\" stroke=\"black\"/>\n\
         <text x=\"{middle}\" y=\"{:.0}\" text-anchor=\"middle\">k = {}, rho = {rho}</text>\n\
         <text x=\"{middle}\" y=\"{:.0}\" text-anchor=\"middle\">covered paths</text>\n\
         <text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\" \
         transform=\"rotate(-90 {:.0} {:.0})\">covered targets</text>",
        MARGIN - 10.0,
        correlation.k,
        bottom + 20.0,
        left - 10.0,
        MARGIN + PANEL / 2.0,
        left - 10.0,
        MARGIN + PANEL / 2.0,
    );
    for (paths, targets) in &correlation.suites {
        let (x, y) = (left + paths * PANEL, bottom - targets * PANEL);
        let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"1.5\" fill=\"steelblue\"/>");
    }
}
