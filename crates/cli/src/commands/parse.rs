//! `gramercy parse`: whether inputs are in the language, and how they are derived.
//!
//! What is said about an input is written by the thread that read it, and shown in the order of the
//! inputs.

use std::io::Write;
use std::ops::ControlFlow;

use clap::{Args, ValueEnum, ValueHint};
use gramercy::base::{Diagnostic, LimitReached, Sources};
use gramercy::grammar::{TerminalId, TextKind};
use gramercy::lexis::{Dfa, Emission};
use gramercy::parse::count::TreeCount;
use gramercy::parse::{
    Derivations, Forest, Matches, Parsed, PreferredTree, Readings, TextRejection, TextWorkspace,
    TokenSpan,
};
use gramercy::suite::{CorpusError, Expectation, Input};
use gramercy::{Automaton, Construction};
use serde::Serialize;

use super::expectations::{Judgement, judge};
use super::inputs::Inputs;
use super::reading::{Limited, Reading, unreadable};
use crate::console::Console;
use crate::flags::{
    CorpusArgs, GrammarArgs, InputLimitArgs, JobArgs, JsonArgs, LimitArgs, Trees, TreesArgs,
};
use crate::outcome::{Failure, Outcome};
use crate::render::numbers::grouped_or_rounded;
use crate::render::rejections::{PlacedError, Rejected, plain, position};
use crate::render::shift_reduce::{ShiftReduce, Step, trace_for_people};
use crate::render::tokens::{MatchRow, SecondRow, TokenRow, match_table, token_table};
use crate::render::tree::TreeView;
use crate::render::{Palette, json};

/// Say whether inputs are in the language of a grammar, where they are not, and how they are derived
#[derive(Args)]
#[command(after_help = "\
An input is a file, a folder, a pattern with `*`, an archive (.tar, .tar.gz, .tar.zst, .zip), an \
NDJSON file (.ndjson, .jsonl) or `-` for standard input. For a grammar of tokens only, an input is \
names or aliases of tokens, separated by white space. Where NDJSON says what is expected \
(`expect: reject`), the verdict is compared with that. The exit code is 1 if an input is \
rejected, or not read as expected, and 2 if one cannot be read.

Examples:
  gramercy parse grammar.gram input.txt
  gramercy parse grammar.g4 --text 'a + b * c' --tree text
  gramercy parse grammar.gram inputs/ --json
  gramercy parse grammar.g4 input.txt --tokens --explain")]
pub(crate) struct Parse {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Inputs to read
    #[arg(value_name = "INPUT", required_unless_present = "text", value_hint = ValueHint::AnyPath)]
    inputs: Vec<String>,
    /// Read this text; may be given several times
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Vec<String>,
    #[command(flatten)]
    corpus: CorpusArgs,
    #[command(flatten)]
    trees: TreesArgs,
    /// Count the trees of each input; always done where all trees count
    #[arg(long)]
    count_trees: bool,
    #[command(flatten)]
    jobs: JobArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    input_limits: InputLimitArgs,
    /// Show the tree; where all trees count and there are several, two that differ
    #[arg(long, value_name = "FORM", help_heading = "Output options")]
    tree: Option<Form>,
    /// List the tokens: type, text, place, channel
    #[arg(long, help_heading = "Output options")]
    tokens: bool,
    /// List the steps of a shift-reduce parser by the LALR automaton, for grammars with tokens
    #[arg(long, help_heading = "Output options")]
    trace: bool,
    /// List which lexical rule won at each place, and which came second
    #[arg(long, help_heading = "Output options")]
    explain: bool,
    #[command(flatten)]
    output: JsonArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Text,
    Json,
    Dot,
}

/// One input, as JSON.
#[derive(Serialize)]
struct Verdict<'v> {
    input: &'v str,
    accepted: bool,
    /// How that compares with what the corpus expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    judgement: Option<Judgement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'v PlacedError>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trees: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ambiguity: Option<Ambiguity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<Vec<TokenRow<'v>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<Vec<MatchRow<'v>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Vec<Step>>,
}

/// An input that reached a limit, as JSON.
#[derive(Serialize)]
struct NoVerdict<'v> {
    input: &'v str,
    accepted: Option<bool>,
    limit: &'v str,
}

/// Where two trees differ, and how.
#[derive(Serialize)]
struct Ambiguity {
    symbol: String,
    byte: usize,
    line: usize,
    column: usize,
    readings: [String; 2],
}

impl Parse {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let reading = Reading::new(&self.grammar, self.limits.limits(), console)?;
        if self.trace && reading.grammar().text_kind() == TextKind::Scannerless {
            return Err(Failure::usage("--trace is for grammars with tokens"));
        }
        let automaton = match self.trace {
            true => Some(&reading.language.lr(Construction::Lalr)?.automaton),
            false => None,
        };
        let run = Run {
            options: self,
            automaton,
            reading: &reading,
            trees: self.trees.for_grammar(reading.grammar()),
            palette: console.out_palette(),
        };
        let mut end = End::default();
        let inputs = Inputs {
            texts: &self.text,
            corpus: self.corpus.corpus(&self.inputs, self.grammar.encoding()),
            jobs: self.jobs.jobs(),
        };
        inputs.for_each(
            || {
                let mut workspace = reading.parser().workspace();
                workspace.set_limits(self.input_limits.for_jobs(self.jobs.jobs()));
                workspace
            },
            |workspace, input: Result<Input, CorpusError>| {
                input.map(|input| run.input(workspace, &input))
            },
            |shown| end.add(shown, console),
        );
        end.result()
    }
}

/// How a run ends, as far as it has come.
#[derive(Default)]
struct End {
    is_found: bool,
    is_limited: bool,
    is_unreadable: bool,
    failure: Option<Failure>,
}

impl End {
    fn add(
        &mut self,
        shown: Result<Result<Shown, Failure>, CorpusError>,
        console: &mut Console,
    ) -> ControlFlow<()> {
        match shown {
            Ok(shown) => match shown.and_then(|shown| shown.write(console)) {
                Ok(outcome) => {
                    self.is_found |= outcome == Outcome::Found;
                    self.is_limited |= outcome == Outcome::Limited;
                }
                Err(failure) => {
                    self.failure = Some(failure);
                    return ControlFlow::Break(());
                }
            },
            Err(error) => {
                self.is_unreadable = true;
                console.report(&[unreadable(&error)], &Sources::new());
            }
        }
        ControlFlow::Continue(())
    }

    fn result(self) -> Result<Outcome, Failure> {
        match self.failure {
            Some(failure) => Err(failure),
            None if self.is_limited => Ok(Outcome::Limited),
            None if self.is_unreadable => Err(Failure::Reported),
            None if self.is_found => Ok(Outcome::Found),
            None => Ok(Outcome::Clean),
        }
    }
}

/// What all inputs of a run share.
struct Run<'r> {
    options: &'r Parse,
    /// The automaton whose steps are listed.
    automaton: Option<&'r Automaton>,
    reading: &'r Reading,
    trees: Trees,
    palette: Palette,
}

/// What is shown of one input.
struct Shown {
    text: Vec<u8>,
    outcome: Outcome,
    /// Told on standard error.
    diagnostic: Option<Diagnostic>,
}

impl Shown {
    fn write(&self, console: &mut Console) -> Result<Outcome, Failure> {
        console.out().write_all(&self.text)?;
        console.report(self.diagnostic.as_slice(), &Sources::new());
        Ok(self.outcome)
    }
}

/// What an accepted input has to show.
struct Accepted<'i> {
    text: &'i str,
    tokens: Vec<TokenSpan>,
    /// The number of trees, if it was counted.
    count: Option<TreeCount>,
    /// The preferred tree, if something of it is shown.
    tree: Option<Derivations>,
    readings: Option<Readings>,
}

impl Run<'_> {
    fn input(&self, workspace: &mut TextWorkspace, input: &Input) -> Result<Shown, Failure> {
        let text = match self.reading.text(input) {
            Ok(text) => text,
            Err(rejected) => return self.reject(&rejected, None, input.expect.as_ref(), None),
        };
        let text = &*text;
        match self.read(workspace, text) {
            Err(rejection) => {
                let limits = &self.options.input_limits;
                if let Some(limited) =
                    self.reading.limited(limits, self.trees, &input.name, &rejection)
                {
                    return self.limit(limited);
                }
                let rejected = self.reading.rejected(workspace, input, text, &rejection);
                let trace = self.trace(&self.reading.parser().tokens(workspace, text).0);
                self.reject(&rejected, Some(text), input.expect.as_ref(), trace)
            }
            Ok(accepted) => {
                let judgement = judge(input.expect.as_ref(), None);
                self.accept(&input.name, &accepted, judgement)
            }
        }
    }

    /// Shows an input without a verdict.
    fn limit(&self, limited: Limited) -> Result<Shown, Failure> {
        let Limited { input, diagnostic } = limited;
        let mut out = Vec::new();
        if self.options.output.json {
            let verdict = NoVerdict { input: &input, accepted: None, limit: &diagnostic.message };
            json::write(&mut out, &verdict)?;
        }
        Ok(Shown { text: out, outcome: Outcome::Limited, diagnostic: Some(diagnostic) })
    }

    /// Whether the tree, or something of it, is shown.
    fn shows_tree(&self) -> bool {
        self.options.tree.is_some() || self.options.tokens
    }

    fn read<'i>(
        &self,
        workspace: &mut TextWorkspace,
        text: &'i str,
    ) -> Result<Accepted<'i>, Box<TextRejection>> {
        match self.trees {
            Trees::All => self.read_all(workspace, text),
            Trees::Preferred => self.read_preferred(workspace, text),
        }
    }

    /// Reads an input of which the preferred tree counts.
    fn read_preferred<'i>(
        &self,
        workspace: &mut TextWorkspace,
        text: &'i str,
    ) -> Result<Accepted<'i>, Box<TextRejection>> {
        let parser = self.reading.parser();
        let (tokens, tree) = if self.shows_tree() {
            let PreferredTree { tokens, tree } = parser.preferred(workspace, text)?;
            (tokens, Some(tree))
        } else {
            (parser.recognize_as_tool(workspace, text)?, None)
        };
        let count = match self.options.count_trees {
            true => Some(self.count(&parser.forest(workspace, text)?, text)?),
            false => None,
        };
        Ok(Accepted { text, tokens, count, tree, readings: None })
    }

    /// The number of trees.
    fn count(&self, forest: &Forest, text: &str) -> Result<TreeCount, Box<TextRejection>> {
        let limits = self.options.input_limits.for_jobs(self.options.jobs.jobs());
        let counted = forest.count_trees_within(&limits);
        counted.map_err(|limit| Box::new(TextRejection::at_limit(limit, text)))
    }

    /// Reads an input of which all trees count.
    fn read_all<'i>(
        &self,
        workspace: &mut TextWorkspace,
        text: &'i str,
    ) -> Result<Accepted<'i>, Box<TextRejection>> {
        let parser = self.reading.parser();
        let Parsed { tokens, forest } = parser.parse(workspace, text)?;
        let count = self.count(&forest, text)?;
        let (mut tree, mut readings) = (None, None);
        if self.shows_tree() || !count.is_one() {
            let derivations = Derivations::of_forest(parser.parser(), &forest);
            drop(forest);
            if !count.is_one() {
                readings = parser.preferences().readings(&derivations);
            }
            tree = self.shows_tree().then(|| parser.preferences().pick(&derivations));
        }
        Ok(Accepted { text, tokens, count: Some(count), tree, readings })
    }

    fn reject(
        &self,
        rejected: &Rejected,
        text: Option<&str>,
        expect: Option<&Expectation>,
        trace: Option<Vec<Step>>,
    ) -> Result<Shown, Failure> {
        let judgement = judge(expect, Some(&rejected.error));
        let is_expected = judgement.as_ref().is_some_and(Judgement::is_as_expected);
        let tokens = self.tokens(text.unwrap_or_default(), None)?;
        let matches = self.matches(text.unwrap_or_default())?;
        let mut out = Vec::new();
        if self.options.output.json {
            let error = Some(&rejected.error);
            let input = &rejected.input;
            let verdict = Verdict {
                input,
                accepted: false,
                judgement,
                error,
                trees: None,
                ambiguity: None,
                tokens,
                matches,
                trace,
            };
            json::write(&mut out, &verdict)?;
        } else {
            if is_expected {
                writeln!(out, "{}; rejected as expected", rejected.line())?;
            } else {
                out.extend(rejected.for_people(text, self.palette).into_bytes());
                say(judgement.as_ref(), &rejected.input, &mut out)?;
            }
            self.lists(tokens.as_deref(), matches.as_deref(), trace.as_deref(), &mut out);
        }
        let outcome = if is_expected { Outcome::Clean } else { Outcome::Found };
        Ok(Shown { text: out, outcome, diagnostic: None })
    }

    fn accept(
        &self,
        name: &str,
        accepted: &Accepted<'_>,
        judgement: Option<Judgement>,
    ) -> Result<Shown, Failure> {
        let is_wrong = judgement.as_ref().is_some_and(|judgement| !judgement.is_as_expected());
        let outcome = if is_wrong { Outcome::Found } else { Outcome::Clean };
        let tokens = self.tokens(accepted.text, Some(accepted))?;
        let matches = self.matches(accepted.text)?;
        let trace = self.trace(&accepted.tokens);
        let mut out = Vec::new();
        if self.options.output.json {
            let verdict = Verdict {
                input: name,
                accepted: true,
                judgement,
                error: None,
                trees: accepted.count.as_ref().map(TreeCount::to_string),
                ambiguity: self.ambiguity(accepted),
                tokens,
                matches,
                trace,
            };
            let trees = self.options.tree.map(|_| self.tree_views(accepted));
            let trees = trees.iter().flatten().map(TreeView::to_json).collect::<Vec<_>>();
            let names = ["tree", "other_tree"].into_iter();
            let raw: Vec<_> = names.zip(&trees).map(|(name, tree)| (name, &**tree)).collect();
            json::write_with(&mut out, &verdict, &raw)?;
        } else {
            self.accept_for_people(name, accepted, &mut out)?;
            say(judgement.as_ref(), name, &mut out)?;
            self.lists(tokens.as_deref(), matches.as_deref(), trace.as_deref(), &mut out);
            self.show_trees(accepted, &mut out)?;
        }
        Ok(Shown { text: out, outcome, diagnostic: None })
    }

    fn accept_for_people(
        &self,
        name: &str,
        accepted: &Accepted<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        if matches!(self.options.tree, None | Some(Form::Text)) {
            let trees = accepted.count.as_ref().map(trees_in_words);
            let trees = trees.map_or_else(String::new, |trees| format!(", {trees}"));
            writeln!(out, "{}: accepted{trees}", plain(name))?;
        }
        if let Some(Ambiguity { symbol, line, column, readings, .. }) = self.ambiguity(accepted)
            && self.options.tree.is_none()
        {
            writeln!(out, "  two readings of {symbol} at {line}:{column}:")?;
            readings.iter().try_for_each(|reading| writeln!(out, "    {reading}"))?;
        }
        Ok(())
    }

    fn show_trees(&self, accepted: &Accepted<'_>, out: &mut Vec<u8>) -> Result<(), Failure> {
        let Some(form) = self.options.tree else { return Ok(()) };
        for (number, view) in self.tree_views(accepted).iter().enumerate() {
            let text = match form {
                Form::Text => view.to_text(),
                Form::Json => view.to_json() + "\n",
                Form::Dot => view.to_dot(),
            };
            if number > 0 && form == Form::Text {
                writeln!(out, "another tree:")?;
            }
            out.extend(text.into_bytes());
        }
        Ok(())
    }

    /// The trees to be shown: one, or two that differ.
    fn tree_views<'a>(&'a self, accepted: &'a Accepted<'_>) -> Vec<TreeView<'a>> {
        let trees = match &accepted.readings {
            Some(Readings { preferred, other, .. }) => vec![preferred, other],
            None => accepted.tree.iter().collect(),
        };
        trees.into_iter().map(|tree| self.view(accepted, tree)).collect()
    }

    fn view<'a>(&'a self, accepted: &'a Accepted<'_>, tree: &'a Derivations) -> TreeView<'a> {
        let (grammar, bnf) = (self.reading.grammar(), self.reading.language.bnf());
        TreeView { grammar, bnf, tree, text: accepted.text, tokens: &accepted.tokens }
    }

    fn ambiguity(&self, accepted: &Accepted<'_>) -> Option<Ambiguity> {
        let Readings { preferred, other, node } = accepted.readings.as_ref()?;
        let view = self.view(accepted, preferred);
        let byte = view.bytes(preferred.range(*node)).start;
        let (line, column) = position(accepted.text.as_bytes(), byte);
        let readings = [preferred, other].map(|tree| self.view(accepted, tree).outline(*node));
        Some(Ambiguity { symbol: view.name(*node).to_owned(), byte, line, column, readings })
    }

    fn lists(
        &self,
        tokens: Option<&[TokenRow<'_>]>,
        matches: Option<&[MatchRow<'_>]>,
        trace: Option<&[Step]>,
        out: &mut Vec<u8>,
    ) {
        let trace = trace.map(|steps| trace_for_people(steps, self.palette));
        let tokens = tokens.map(|rows| token_table(rows, self.palette));
        let matches = matches.map(|rows| match_table(rows, self.palette));
        out.extend([tokens, matches, trace].into_iter().flatten().flat_map(String::into_bytes));
    }

    /// The steps of a parser, if they are asked for.
    fn trace(&self, tokens: &[TokenSpan]) -> Option<Vec<Step>> {
        let parser = ShiftReduce { language: &self.reading.language, automaton: self.automaton? };
        let terminals: Vec<TerminalId> = tokens.iter().filter_map(|it| it.terminal).collect();
        Some(parser.trace(&terminals))
    }

    /// The tokens, if they are asked for. Characters are not listed; where a grammar reads those,
    /// the terminals of the tree are.
    fn tokens<'t>(
        &'t self,
        text: &'t str,
        accepted: Option<&'t Accepted<'_>>,
    ) -> Result<Option<Vec<TokenRow<'t>>>, Failure> {
        if !self.options.tokens {
            return Ok(None);
        }
        let mut rows = Vec::new();
        let mut row = |name, text_of: &'t str, byte, channel| {
            let (line, column) = position(text.as_bytes(), byte);
            rows.push(TokenRow { name, text: text_of, byte, line, column, channel });
        };
        if self.reading.parser().lexer().is_some() {
            let mut start = None;
            self.for_each_match(text, |found| {
                let from = *start.get_or_insert(found.start);
                match found.emission {
                    Emission::More => return,
                    Emission::Skip => {}
                    Emission::Token(terminal) => {
                        let name = &*self.reading.grammar().terminals()[terminal].name;
                        let lexicon = self.reading.grammar().lexicon();
                        let channel =
                            found.channel.zip(lexicon).map(|(id, of)| &*of.channels[id].name);
                        row(name, &text[from..found.end], from, channel);
                    }
                }
                start = None;
            })?;
        } else if let Some(accepted) = accepted
            && let Some(tree) = &accepted.tree
        {
            let view = self.view(accepted, tree);
            view.for_each_leaf(|name, of, byte| row(name, of, byte, None));
        }
        Ok(Some(rows))
    }

    /// The matches of the lexer, if they are asked for and there is one.
    fn matches<'t>(&'t self, text: &'t str) -> Result<Option<Vec<MatchRow<'t>>>, Failure> {
        if !self.options.explain || self.reading.parser().lexer().is_none() {
            return Ok(None);
        }
        let grammar = self.reading.grammar();
        let mut rows = Vec::new();
        self.for_each_match(text, |found| {
            let (line, column) = position(text.as_bytes(), found.start);
            let name = |rule| &*grammar.rules()[rule].name;
            rows.push(MatchRow {
                text: &text[found.start..found.end],
                byte: found.start,
                line,
                column,
                mode: grammar.lexicon().map_or("", |lexicon| &lexicon.modes[found.mode].name),
                rule: name(found.rule),
                made: match found.emission {
                    Emission::Token(terminal) => &grammar.terminals()[terminal].name,
                    Emission::Skip => "skip",
                    Emission::More => "more",
                },
                second: found.second.map(|second| SecondRow {
                    rule: name(second.rule),
                    text: &text[found.start..second.end],
                    because: if second.end < found.end { "shorter" } else { "listed later" },
                }),
            });
        })?;
        Ok(Some(rows))
    }

    fn for_each_match(
        &self,
        text: &str,
        mut visit: impl FnMut(gramercy::parse::LexerMatch),
    ) -> Result<(), LimitReached> {
        let Some(lexer) = self.reading.parser().lexer() else { return Ok(()) };
        let mut dfa = Dfa::new(lexer, self.reading.language.limits().states);
        let mut matches = Matches::new(lexer, &mut dfa, text)?;
        while let Some(found) = matches.next_match()? {
            visit(found);
        }
        Ok(())
    }
}

/// Says what is wrong with a verdict, if the corpus expects another one.
fn say(judgement: Option<&Judgement>, name: &str, out: &mut Vec<u8>) -> Result<(), Failure> {
    if let Some(wrong) = judgement.and_then(Judgement::in_words) {
        writeln!(out, "{}: {wrong}", plain(name))?;
    }
    Ok(())
}

fn trees_in_words(count: &TreeCount) -> String {
    match count {
        TreeCount::Infinite => "infinitely many trees".to_owned(),
        TreeCount::Finite(count) => {
            let count = grouped_or_rounded(count);
            let plural = if count == "1" { "" } else { "s" };
            format!("{count} tree{plural}")
        }
    }
}
