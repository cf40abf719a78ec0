//! Seeded faults: single changes of correct grammars, and how well they are localized from suites of the correct
//! grammar.
//!
//! Every fault is an edit of the grammar's text. The tests of each suite are run on the faulty grammar; those whose
//! verdict is wrong are the failing tests, the others pass. A fault that no test of a suite notices does not count for
//! this suite. Published figures for such faults: rules first in 41.5 % and in the top five in 73.6 % of the cases with
//! spectra of real parsers, 60.4 % and 97.0 % with synthetic spectra (Raselimo and Fischer, SLE 2019).

use std::path::{Path, PathBuf};

use gramercy_assemble::negative::recipe::Negative;
use gramercy_assemble::recipe::Tests as Kind;
use gramercy_assemble::{Recipe, Tests};
use gramercy_base::Span;
use gramercy_formats::Memory;
use gramercy_grammar::{ExprId, ExprKind, Grammar, Notation, RuleId};
use gramercy_language::Language;
use gramercy_localize::search::failure::Effort;
use gramercy_localize::{FailingTest, Options, Subject, Wanted, localize};

use crate::Fallible;
use crate::columns::aligned;
use crate::faults::percent;
use crate::languages;

/// Tests of a suite.
const SUITE: u64 = 600;
/// Tokens that replace a token, and that are alternatives too much, at each place.
const SWAPPED: usize = 6;
const SUPERFLUOUS: usize = 6;
/// Failing and passing tests of a suite that are used for a fault.
const FAILING: usize = 5;
const PASSING: usize = 60;

/// The suites: positive ones by criterion, negative ones by operator.
const SUITES: [&str; 6] =
    ["cdrc", "pop-edge:lr0", "rule", "rule mutants", "edge mutants", "stack mutants"];

/// The grammars, of the collection next to the checkout.
pub const GRAMMARS: [&str; 8] =
    ["ampl.y", "simpl18.y", "go.y", "sqlite.y", "css3.y", "dot.y", "toylang.y", "vdm.y"];

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// An alternative is missing.
    DroppedAlternative,
    /// A token is another one.
    SwappedToken,
    /// An element may be left out.
    GratuitousOptional,
    /// A list has one element only.
    ShorterList,
    /// A symbol is a more general one.
    OverGeneralized,
    /// Two elements are in the wrong order.
    WrongOrder,
    /// An alternative is too much.
    SuperfluousAlternative,
}

impl FaultKind {
    const ALL: [FaultKind; 7] = [
        FaultKind::DroppedAlternative,
        FaultKind::SwappedToken,
        FaultKind::GratuitousOptional,
        FaultKind::ShorterList,
        FaultKind::OverGeneralized,
        FaultKind::WrongOrder,
        FaultKind::SuperfluousAlternative,
    ];

    fn name(self) -> &'static str {
        match self {
            FaultKind::DroppedAlternative => "dropped alternative",
            FaultKind::SwappedToken => "swapped token",
            FaultKind::GratuitousOptional => "gratuitous optional",
            FaultKind::ShorterList => "list one shorter",
            FaultKind::OverGeneralized => "over-generalized symbol",
            FaultKind::WrongOrder => "order violated",
            FaultKind::SuperfluousAlternative => "superfluous alternative",
        }
    }
}

/// A fault.
#[derive(Clone, Debug)]
pub struct Fault {
    kind: FaultKind,
    rule: String,
    span: Span,
    text: String,
}

/// A correct grammar with its suites and faults.
#[derive(Debug)]
pub struct Seeded {
    /// The name of the grammar.
    pub name: String,
    file: PathBuf,
    language: Language,
    suites: Vec<Vec<(String, Wanted)>>,
    /// The faults.
    pub faults: Vec<Fault>,
}

/// Where the correct rule is ranked, by suite, and the union of all suites last; `None` where no test notices.
#[derive(Clone, Debug)]
pub struct Ranks {
    kind: FaultKind,
    rules: usize,
    ranks: Vec<Option<f64>>,
}

/// A grammar of the collection with its suites and at most a number of faults, evenly chosen.
///
/// # Errors
/// If the grammar cannot be read.
pub fn seed(folder: &Path, name: &str, most: usize) -> Fallible<Seeded> {
    let file = folder.join(name);
    let language = languages::read(&file, None)?;
    let suites = SUITES.iter().map(|suite| tests(&language, suite)).collect();
    let all = faults(language.grammar());
    let step = all.len().div_ceil(most.max(1)).max(1);
    let faults = all.into_iter().step_by(step).collect();
    Ok(Seeded { name: name.to_owned(), file, language, suites, faults })
}

fn tests(language: &Language, suite: &str) -> Vec<(String, Wanted)> {
    let recipe = match suite.strip_suffix(" mutants") {
        None => Recipe::cover(suite).ok(),
        Some(operator) => operator.parse().ok().map(|operator| {
            let negative =
                Negative { mutate: vec![operator], cover: Vec::new(), ..Negative::default() };
            Recipe { tests: Kind::Negative(negative), ..Recipe::default() }
        }),
    };
    let Some(mut recipe) = recipe else { return Vec::new() };
    recipe.limit = Some(SUITE);
    let made = Tests::new(language, &recipe).filter_map(Result::ok);
    let Ok(parser) = languages::parser(language) else { return Vec::new() };
    let mut workspace = parser.workspace();
    let made = made.filter_map(|test| {
        let byte = test.error.as_ref().and_then(|error| error.byte);
        let is_negative = suite.ends_with("mutants");
        let wanted = if is_negative { Wanted::Reject(byte) } else { Wanted::Accept };
        Some((test.text?.into_owned(), wanted))
    });
    // Texts that stand for other tokens, because two tokens have one name, say nothing about a fault.
    made.filter(|(text, wanted)| {
        parser.recognize(&mut workspace, text).is_ok() == (*wanted == Wanted::Accept)
    })
    .collect()
}

impl Seeded {
    /// Localizes a fault; `None` if the faulty grammar cannot be read.
    #[must_use]
    pub fn run(&self, fault: &Fault) -> Option<Ranks> {
        let source = self.language.grammar().sources().get(fault.span.source);
        let mut text = source.text().to_owned();
        text.replace_range(fault.span.range(), &fault.text);
        let name = self.file.display().to_string();
        let start = &self.language.grammar().rules()[self.language.grammar().start()].name;
        let faulty =
            languages::read_from(&self.file, &Memory::with(&name, text), Some(start)).ok()?;
        let subject = Subject::new(&faulty).ok()?;
        let parser = faulty.parser().ok()?;
        let mut workspace = parser.workspace();
        let mut judged: Vec<[Vec<&(String, Wanted)>; 2]> = Vec::new();
        for suite in &self.suites {
            let mut sides = [Vec::new(), Vec::new()];
            for test in suite {
                let accepted = parser.recognize(&mut workspace, &test.0).is_ok();
                let passes = accepted == (test.1 == Wanted::Accept);
                sides[usize::from(passes)].push(test);
            }
            judged.push(sides);
        }
        let union =
            [0, 1].map(|side| judged.iter().flat_map(|sides| sides[side].clone()).collect());
        judged.push(union);
        let ranks = judged.iter().enumerate().map(|(at, [failing, passing])| {
            // Negative tests alone do not tell which rules are right.
            let positives: Vec<_> = match at {
                3..=5 => judged[0][1].clone(),
                _ => passing.clone(),
            };
            self.rank(&subject, fault, failing, &positives)
        });
        let ranks = ranks.collect();
        Some(Ranks { kind: fault.kind, rules: faulty.grammar().written_rules(), ranks })
    }

    fn rank(
        &self,
        subject: &Subject<'_>,
        fault: &Fault,
        failing: &[&(String, Wanted)],
        passing: &[&(String, Wanted)],
    ) -> Option<f64> {
        let spread = |tests: usize, most: usize| tests.div_ceil(most).max(1);
        let failed: Vec<_> = failing
            .iter()
            .step_by(spread(failing.len(), FAILING))
            .map(|(text, wanted)| FailingTest { text, wanted: *wanted, mutated: None })
            .collect();
        if failed.is_empty() {
            return None;
        }
        let passed: Vec<_> = passing
            .iter()
            .filter(|(_, wanted)| *wanted == Wanted::Accept)
            .step_by(spread(passing.len(), PASSING))
            .map(|(text, _)| text.as_str())
            .collect();
        let effort = Effort { items: 400_000, errors: 2, ..Effort::default() };
        let options = Options { effort, ..Options::default() };
        let localized = localize(subject, &failed, &passed, &options);
        let name = |rule: RuleId| &*subject.grammar().rules()[rule].name;
        let found = localized.ranking.iter().find(|ranked| name(ranked.rule) == fault.rule);
        Some(found.map_or(f64::INFINITY, |ranked| ranked.rank))
    }
}

/// All faults of a grammar.
fn faults(grammar: &Grammar) -> Vec<Fault> {
    let mut seeder = Seeder { grammar, faults: Vec::new(), rule: grammar.start() };
    for (id, rule) in grammar.syntax_rules() {
        seeder.rule = id;
        seeder.rule_body(rule.body);
    }
    seeder.faults
}

struct Seeder<'g> {
    grammar: &'g Grammar,
    rule: RuleId,
    faults: Vec<Fault>,
}

impl Seeder<'_> {
    fn text(&self, expr: ExprId) -> &str {
        self.grammar.sources().text(self.span(expr))
    }

    fn span(&self, expr: ExprId) -> Span {
        self.grammar.expr(expr).span
    }

    fn push(&mut self, kind: FaultKind, span: Span, text: String) {
        let rule = self.grammar.rules()[self.rule].name.to_string();
        self.faults.push(Fault { kind, rule, span, text });
    }

    fn rule_body(&mut self, body: ExprId) {
        let grammar = self.grammar;
        let ExprKind::Alternation(alternatives) = &grammar.expr(body).kind else { return };
        let exprs: Vec<_> = alternatives.iter().map(|alternative| alternative.expr).collect();
        for (at, pair) in exprs.windows(2).enumerate() {
            let (first, second) = (self.span(pair[0]), self.span(pair[1]));
            if first.start == first.end || second.start == second.end {
                continue;
            }
            let dropped = Span { start: first.end, ..second };
            self.push(FaultKind::DroppedAlternative, dropped, String::new());
            if at == 0 {
                let dropped = Span { end: second.start, ..first };
                self.push(FaultKind::DroppedAlternative, dropped, String::new());
            }
        }
        let end = Span { start: self.span(body).end, ..self.span(body) };
        for token in self.tokens(SUPERFLUOUS, body) {
            self.push(FaultKind::SuperfluousAlternative, end, format!(" | {token}"));
        }
        for expr in exprs {
            self.alternative(expr, end);
        }
    }

    /// Some tokens of the grammar, other ones for each place.
    fn tokens(&self, count: usize, place: ExprId) -> Vec<String> {
        use gramercy_base::Id;
        let names: Vec<_> = self
            .grammar
            .terminals()
            .values()
            .take(self.grammar.syntax_terminals())
            .map(|terminal| terminal.name.to_string())
            .collect();
        let first = place.index() * 7;
        (0..count.min(names.len()))
            .map(|at| names[(first + 13 * at) % names.len()].clone())
            .collect()
    }

    fn alternative(&mut self, expr: ExprId, end: Span) {
        let grammar = self.grammar;
        let parts: Vec<ExprId> = match &grammar.expr(expr).kind {
            ExprKind::Sequence(parts) => parts.to_vec(),
            _ => vec![expr],
        };
        for (at, &part) in parts.iter().enumerate() {
            self.part(part);
            if parts.len() > 1 {
                self.optional(&parts, at, end);
            }
            if let Some(&next) = parts.get(at + 1) {
                let span = Span { end: self.span(next).end, ..self.span(part) };
                let swapped = format!("{} {}", self.text(next), self.text(part));
                if self.text(next) != self.text(part) {
                    self.push(FaultKind::WrongOrder, span, swapped);
                }
            }
        }
        let is_recursive = |part: ExprId| grammar.expr(part).kind == ExprKind::Rule(self.rule);
        if let Some(&part) = parts.iter().find(|&&part| is_recursive(part))
            && parts.len() > 1
        {
            self.push(FaultKind::ShorterList, self.span(part), String::new());
        }
    }

    fn optional(&mut self, parts: &[ExprId], at: usize, end: Span) {
        let kind = FaultKind::GratuitousOptional;
        if self.grammar.notation() == Notation::Yacc {
            let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
            let texts: Vec<_> = others.map(|(_, &part)| self.text(part).to_owned()).collect();
            self.push(kind, end, format!(" | {}", texts.join(" ")));
        } else {
            let text = format!("({})?", self.text(parts[at]));
            self.push(kind, self.span(parts[at]), text);
        }
    }

    fn part(&mut self, part: ExprId) {
        let grammar = self.grammar;
        let span = self.span(part);
        match &grammar.expr(part).kind {
            ExprKind::Terminal(_) if span.start < span.end => {
                let old = self.text(part).to_owned();
                for token in self.tokens(SWAPPED, part).into_iter().filter(|token| *token != old) {
                    self.push(FaultKind::SwappedToken, span, token);
                }
            }
            ExprKind::Rule(rule) => {
                for (above, name) in self.more_general(*rule) {
                    if above != self.rule {
                        self.push(FaultKind::OverGeneralized, span, name);
                    }
                }
            }
            ExprKind::Repeat { max: None, .. } => {
                let text = self.text(part);
                let shorter = match text.chars().next_back() {
                    Some('*') => format!("{}?", &text[..text.len() - 1]),
                    Some('+') => text[..text.len() - 1].to_owned(),
                    _ => return,
                };
                self.push(FaultKind::ShorterList, span, shorter);
            }
            _ => {}
        }
    }

    /// The rules that derive another rule and more, in one step.
    fn more_general(&self, rule: RuleId) -> Vec<(RuleId, String)> {
        let grammar = self.grammar;
        let derives = |body: ExprId| match &grammar.expr(body).kind {
            ExprKind::Alternation(alternatives) => {
                let is_it = |expr: ExprId| grammar.expr(expr).kind == ExprKind::Rule(rule);
                alternatives.len() > 1 && alternatives.iter().any(|branch| is_it(branch.expr))
            }
            _ => false,
        };
        grammar
            .syntax_rules()
            .filter(|(_, above)| derives(above.body))
            .map(|(id, above)| (id, above.name.to_string()))
            .take(2)
            .collect()
    }
}

/// Shares by kind of fault and suite.
#[must_use]
pub fn table(ranks: &[Ranks]) -> String {
    let head = ["fault", "suite", "noticed", "first", "top five", "median rank"];
    let mut rows = Vec::new();
    let mut add = |name: &str, of: &[&Ranks]| {
        for (at, suite) in SUITES.iter().copied().chain(["union"]).enumerate() {
            let mut noticed: Vec<_> =
                of.iter().filter_map(|ranks| Some((ranks.ranks[at]?, ranks.rules))).collect();
            if noticed.is_empty() {
                continue;
            }
            noticed.sort_by(|a, b| a.0.total_cmp(&b.0));
            let within = |most: f64| noticed.iter().filter(|(rank, _)| *rank <= most).count();
            let (median, rules) = noticed[noticed.len() / 2];
            #[expect(clippy::cast_precision_loss, reason = "numbers of rules")]
            let share = 100.0 * median / rules as f64;
            rows.push([
                name.to_owned(),
                suite.to_owned(),
                format!("{}/{}", noticed.len(), of.len()),
                percent(within(1.0), noticed.len()),
                percent(within(5.0), noticed.len()),
                format!("{share:.1} %"),
            ]);
        }
    };
    for kind in FaultKind::ALL {
        let of: Vec<_> = ranks.iter().filter(|ranks| ranks.kind == kind).collect();
        add(kind.name(), &of);
    }
    add("all", &ranks.iter().collect::<Vec<_>>());
    let published = "published for single faults: first 41.5 %, top five 73.6 % with spectra of real parsers; \
        60.4 % and 97.0 % with synthetic spectra";
    format!("{}\n\n{} faults; {published}", aligned(&head, &rows).join("\n"), ranks.len())
}
