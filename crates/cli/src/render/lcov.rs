//! The coverage of a grammar as an LCOV tracefile: rules are functions, alternatives are branches,
//! and a line is executed as often as its most used alternative.

use std::collections::BTreeMap;
use std::fmt::Write;

use gramercy::Grammar;
use gramercy::base::{Id, SourceId};
use gramercy::coverage::AlternativeUses;

/// The tracefile.
pub(crate) fn tracefile(grammar: &Grammar, uses: &[AlternativeUses]) -> String {
    let mut out = String::new();
    for (id, source) in grammar.sources().iter() {
        let here: Vec<_> = uses.iter().filter(|of| of.span.source == id).collect();
        if here.is_empty() {
            continue;
        }
        let line = |of: &AlternativeUses| source.position(of.span.start as usize).line;
        let _ = writeln!(out, "TN:\nSF:{}", source.name());
        rules(&mut out, grammar, id, &here);
        for of in &here {
            let block = of.alternative.alternation.index();
            let (line, branch) = (line(of), of.alternative.index);
            let _ = writeln!(out, "BRDA:{line},{block},{branch},{}", of.uses);
        }
        let hit = here.iter().filter(|of| of.uses > 0).count();
        let _ = writeln!(out, "BRF:{}\nBRH:{hit}", here.len());
        let mut lines: BTreeMap<usize, u64> = BTreeMap::new();
        for of in &here {
            let most = lines.entry(line(of)).or_default();
            *most = of.uses.max(*most);
        }
        for (line, most) in &lines {
            let _ = writeln!(out, "DA:{line},{most}");
        }
        let hit = lines.values().filter(|&&most| most > 0).count();
        let _ = writeln!(out, "LF:{}\nLH:{hit}\nend_of_record", lines.len());
    }
    out
}

fn rules(out: &mut String, grammar: &Grammar, source: SourceId, uses: &[&AlternativeUses]) {
    let mut counts: BTreeMap<usize, (&str, u64)> = BTreeMap::new();
    for of in uses {
        let Some(rule) = of.rule.map(|rule| &grammar.rules()[rule]) else { continue };
        if rule.span.source == source {
            let line = grammar.sources().position(rule.span).line;
            counts.entry(line).or_insert((&rule.name, 0)).1 += of.uses;
        }
    }
    for (line, (name, _)) in &counts {
        let _ = writeln!(out, "FN:{line},{name}");
    }
    for (name, count) in counts.values() {
        let _ = writeln!(out, "FNDA:{count},{name}");
    }
    let hit = counts.values().filter(|(_, count)| *count > 0).count();
    let _ = writeln!(out, "FNF:{}\nFNH:{hit}", counts.len());
}
