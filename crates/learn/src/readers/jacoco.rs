//! XML reports of JaCoCo: packages with classes and their methods, and source files with their lines.
//!
//! Constructors and class initializers are no targets: they run with every use of a class. `mi` and `ci` count missed
//! and covered instructions of a line, `mb` and `cb` its branches, of which the report does not say which one is which.

use super::xml::{Element, Tag, tags};
use super::{Granularity, branch, line};
use crate::behaviour::{Report, TargetInfo};

pub(super) fn read(text: &str, granularity: Granularity) -> Result<Report, String> {
    let (mut state, mut report) = (State::default(), Report::default());
    tags(text, |tag| state.visit(&tag, granularity, &mut report))?;
    match state.is_report {
        true => Ok(report),
        false => Err("it has no element `report`".to_owned()),
    }
}

#[derive(Default)]
struct State {
    is_report: bool,
    package: String,
    class: String,
    source: String,
    method: Option<TargetInfo>,
}

impl State {
    fn visit(&mut self, tag: &Tag, granularity: Granularity, report: &mut Report) {
        let Tag::Begin(element) = tag else {
            if matches!(tag, Tag::End(name) if name == "method") {
                self.method = None;
            }
            return;
        };
        let text = |name: &str| element.get(name).unwrap_or_default().to_owned();
        match &*element.name {
            "report" => self.is_report = true,
            "package" => self.package = text("name"),
            "class" => {
                self.class = text("name");
                self.source = text("sourcefilename");
            }
            "sourcefile" => self.source = text("name"),
            "method" if granularity == Granularity::Functions => self.method = self.method(element),
            "counter" if element.get("type") == Some("METHOD") => {
                if let Some(method) = self.method.take() {
                    report.add(method, element.number("covered").unwrap_or(0));
                }
            }
            "line" => self.line(element, granularity, report),
            _ => {}
        }
    }

    fn file(&self) -> String {
        if self.package.is_empty() {
            self.source.clone()
        } else {
            format!("{}/{}", self.package, self.source)
        }
    }

    fn method(&self, element: &Element) -> Option<TargetInfo> {
        let name = element.get("name").filter(|name| !name.starts_with('<'))?;
        let descriptor = element.get("desc").unwrap_or_default();
        Some(TargetInfo {
            name: format!("{}.{name}{descriptor}", self.class),
            file: Some(self.file()),
            first_line: element.number("line"),
            last_line: None,
        })
    }

    fn line(&self, element: &Element, granularity: Granularity, report: &mut Report) {
        let Some(at) = element.number("nr") else { return };
        let count = |name: &str| element.number::<u64>(name).unwrap_or(0);
        match granularity {
            Granularity::Functions => {}
            Granularity::Lines => report.add(line(&self.file(), at), count("ci")),
            Granularity::Branches => {
                let (missed, covered) = (count("mb"), count("cb"));
                // That at least this many branches of the line were taken.
                for number in 1..=missed + covered {
                    report.add(branch(&self.file(), at, number), u64::from(number <= covered));
                }
            }
        }
    }
}
