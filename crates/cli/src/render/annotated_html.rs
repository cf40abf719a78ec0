//! A grammar as a page that shows by color which alternatives were used, and how often.
//!
//! Alternatives nest, so a stack of open ones is enough; the page needs nothing but itself.

use std::fmt::Write;

use gramercy::Grammar;
use gramercy::base::Source;
use gramercy::coverage::AlternativeUses;

use super::numbers::grouped;

const STYLE: &str = "body{font-family:sans-serif;margin:2em}\
    pre{line-height:1.5;background:#fafafa;padding:1em;overflow:auto}\
    .hit{background:#d7f5d7}.miss{background:#fbd5d5}\
    sup{color:#555;font-size:.7em;margin-right:.2em}\
    @media(prefers-color-scheme:dark){body,pre{background:#111;color:#ddd}\
    .hit{background:#143d14}.miss{background:#5a1a1a}sup{color:#aaa}}";

/// The page.
pub(crate) fn page(grammar: &Grammar, uses: &[AlternativeUses]) -> String {
    let name = escaped(grammar.name());
    let used = uses.iter().filter(|of| of.uses > 0).count();
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>Coverage of {name}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>Coverage of {name}</h1>\n<p>{} of {} alternatives are used. The small numbers say how \
         often.</p>\n",
        grouped(used),
        grouped(uses.len()),
    );
    for (id, source) in grammar.sources().iter() {
        let here: Vec<_> = uses.iter().filter(|of| of.span.source == id).collect();
        if !here.is_empty() {
            let _ = writeln!(out, "<h2>{}</h2>", escaped(source.name()));
            let _ = writeln!(out, "<pre>{}</pre>", marked(source, &here));
        }
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn marked(source: &Source, uses: &[&AlternativeUses]) -> String {
    let (text, mut out, mut at) = (source.text(), String::new(), 0);
    let mut open: Vec<usize> = Vec::new();
    let close_until = |out: &mut String, open: &mut Vec<usize>, at: &mut usize, until: usize| {
        while let Some(&end) = open.last().filter(|&&end| end <= until) {
            out.push_str(&escaped(&text[*at..end]));
            out.push_str("</span>");
            *at = end;
            open.pop();
        }
    };
    for of in uses {
        let span = of.span.range();
        close_until(&mut out, &mut open, &mut at, span.start);
        out.push_str(&escaped(&text[at..span.start]));
        let class = if of.uses > 0 { "hit" } else { "miss" };
        let count = grouped(of.uses);
        let _ =
            write!(out, "<span class=\"{class}\" title=\"used {count} times\"><sup>{count}</sup>");
        at = span.start;
        open.push(span.end);
    }
    close_until(&mut out, &mut open, &mut at, text.len());
    out.push_str(&escaped(&text[at..]));
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
