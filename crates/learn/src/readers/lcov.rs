//! LCOV tracefiles: records from `SF:` to `end_of_record`, with `FN:`/`FNDA:` for functions, `DA:` for lines and
//! `BRDA:` for branches (manual page geninfo(1)).
//!
//! LCOV 2.2 writes functions as `FNL:index,first,last` and `FNA:index,calls,name`.

use gramercy_base::IndexMap;

use super::{Granularity, branch, function, line};
use crate::behaviour::Report;

pub(super) fn read(text: &str, granularity: Granularity) -> Result<Report, String> {
    let (mut report, mut record) = (Report::default(), None);
    for (number, entry) in (1..).zip(text.lines()) {
        let entry = entry.trim_end();
        let (key, value) = entry.split_once(':').unwrap_or((entry, ""));
        match (key, &mut record) {
            ("SF", open) => *open = Some(Record::new(value)),
            ("end_of_record", open) => {
                let record = open.take().ok_or(format!("line {number} ends no record"))?;
                record.finish(granularity, &mut report);
            }
            ("TN" | "", _) => {}
            (_, None) if entry.starts_with('#') => {}
            (_, None) => return Err(format!("line {number} stands outside of a record")),
            (key, Some(record)) => {
                let known = record.add(key, value);
                known.ok_or_else(|| format!("line {number} is malformed: `{entry}`"))?;
            }
        }
    }
    match record {
        Some(_) => Err("its last record does not end".to_owned()),
        None => Ok(report),
    }
}

/// What is said about one source file.
struct Record {
    file: String,
    /// For each function its first and last line, and its calls.
    functions: IndexMap<String, (Option<(u32, u32)>, u64)>,
    /// The lines of functions by their index.
    indexed: IndexMap<u64, (u32, u32)>,
    lines: Vec<(u32, u64)>,
    branches: Vec<(u32, String, u64)>,
}

impl Record {
    fn new(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            functions: IndexMap::default(),
            indexed: IndexMap::default(),
            lines: Vec::new(),
            branches: Vec::new(),
        }
    }

    /// Adds an entry; `None` if it is malformed. Unknown entries are ignored.
    fn add(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            // FN:first,name or FN:first,last,name
            "FN" => {
                let (first, rest) = value.split_once(',')?;
                let first = first.parse().ok()?;
                let with_last = rest.split_once(',');
                let last = with_last.and_then(|(last, name)| Some((last.parse().ok()?, name)));
                let (last, name) = last.unwrap_or((first, rest));
                self.functions.entry(name.to_owned()).or_default().0 = Some((first, last));
            }
            "FNDA" => {
                let (calls, name) = value.split_once(',')?;
                self.functions.entry(name.to_owned()).or_default().1 +=
                    calls.parse::<u64>().ok()?;
            }
            "FNL" => {
                let mut parts = value.split(',');
                let (index, first) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
                let last = parts.next().map_or(Some(first), |last| last.parse().ok())?;
                self.indexed.insert(index, (first, last));
            }
            "FNA" => {
                let mut parts = value.splitn(3, ',');
                let index: u64 = parts.next()?.parse().ok()?;
                let calls: u64 = parts.next()?.parse().ok()?;
                let entry = self.functions.entry(parts.next()?.to_owned()).or_default();
                *entry = (self.indexed.get(&index).copied(), entry.1 + calls);
            }
            "DA" => {
                let mut parts = value.split(',');
                self.lines.push((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?));
            }
            "BRDA" => {
                let mut parts = value.split(',');
                let at = parts.next()?.parse().ok()?;
                let (block, number) = (parts.next()?, parts.next()?);
                let taken = parts.next()?;
                let taken = if taken == "-" { 0 } else { taken.parse().ok()? };
                self.branches.push((at, format!("{block}.{number}"), taken));
            }
            _ => {}
        }
        Some(())
    }

    fn finish(self, granularity: Granularity, report: &mut Report) {
        let file = &self.file;
        match granularity {
            Granularity::Functions => {
                for (name, (lines, calls)) in &self.functions {
                    report.add(function(file, name, *lines), *calls);
                }
            }
            Granularity::Lines => {
                self.lines.iter().for_each(|&(at, calls)| report.add(line(file, at), calls));
            }
            Granularity::Branches => {
                for (at, number, taken) in &self.branches {
                    report.add(branch(file, *at, number), *taken);
                }
            }
        }
    }
}
