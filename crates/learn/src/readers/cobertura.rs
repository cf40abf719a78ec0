//! XML reports in the format of Cobertura: classes with methods and lines.
//!
//! A method is covered if one of its lines is. Many tools list no methods; then only lines and branches can be learned.
//! Of branches the report says how many of a line were taken, not which ones.

use super::xml::{Element, Tag, tags};
use super::{Granularity, branch, function, line};
use crate::behaviour::Report;

pub(super) fn read(text: &str, granularity: Granularity) -> Result<Report, String> {
    let (mut state, mut report) = (State::default(), Report::default());
    tags(text, |tag| state.visit(&tag, granularity, &mut report))?;
    let is_empty = report.covered.is_empty() && report.uncovered.is_empty();
    match (state.is_coverage, granularity) {
        (false, _) => Err("it has no element `coverage`".to_owned()),
        (true, Granularity::Functions) if is_empty && state.has_lines => {
            Err("it lists no methods; use lines instead".to_owned())
        }
        (true, _) => Ok(report),
    }
}

#[derive(Default)]
struct State {
    is_coverage: bool,
    has_lines: bool,
    file: String,
    method: Option<Method>,
}

struct Method {
    name: String,
    lines: Option<(u32, u32)>,
    hits: u64,
}

impl State {
    fn visit(&mut self, tag: &Tag, granularity: Granularity, report: &mut Report) {
        match tag {
            Tag::End(name) if name == "method" => {
                if let Some(method) = self.method.take() {
                    let Method { name, lines, hits } = method;
                    if granularity == Granularity::Functions {
                        report.add(function(&self.file, &name, lines), hits);
                    }
                }
            }
            Tag::End(_) => {}
            Tag::Begin(element) => self.begin(element, granularity, report),
        }
    }

    fn begin(&mut self, element: &Element, granularity: Granularity, report: &mut Report) {
        let text = |name: &str| element.get(name).unwrap_or_default().to_owned();
        match &*element.name {
            "coverage" => self.is_coverage = true,
            "class" => self.file = text("filename"),
            "method" => {
                let name = format!("{}{}", text("name"), text("signature"));
                self.method = Some(Method { name, lines: None, hits: 0 });
            }
            "line" => self.line(element, granularity, report),
            _ => {}
        }
    }

    fn line(&mut self, element: &Element, granularity: Granularity, report: &mut Report) {
        let Some(at) = element.number::<u32>("number") else { return };
        let hits = element.number("hits").unwrap_or(0);
        self.has_lines = true;
        // The lines of methods are listed once more for the whole class.
        if let Some(method) = &mut self.method {
            let (first, last) = method.lines.unwrap_or((at, at));
            method.lines = Some((first.min(at), last.max(at)));
            method.hits = method.hits.max(hits);
            return;
        }
        match granularity {
            Granularity::Functions => {}
            Granularity::Lines => report.add(line(&self.file, at), hits),
            Granularity::Branches => {
                let (taken, all) = taken_of(element).unwrap_or((0, 0));
                for number in 1..=all {
                    report.add(branch(&self.file, at, number), u64::from(number <= taken));
                }
            }
        }
    }
}

/// The numbers in `condition-coverage="50% (1/2)"`.
fn taken_of(element: &Element) -> Option<(u32, u32)> {
    let text = element.get("condition-coverage")?;
    let (taken, all) = text.split_once('(')?.1.split_once('/')?;
    Some((taken.parse().ok()?, all.trim_end_matches(')').parse().ok()?))
}
