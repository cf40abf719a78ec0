//! `gramercy stats`: the sizes of a grammar and of its views.

use std::io::{self, Write};

use clap::Args;
use gramercy::base::LimitReached;
use gramercy::language::Language;
use gramercy::lr::ConflictCounts;
use gramercy::{Bnf, Construction, GrammarGraph, KPaths, LrGraph, check};

use super::automata::Automata;
use crate::console::Console;
use crate::flags::{GrammarArgs, JsonArgs, LimitArgs, LoadedGrammar, automata};
use crate::outcome::{Failure, Outcome};
use crate::render::json;
use crate::render::shift_reduce::{self, ShiftReduce, StateRow};
use crate::render::sizes::{BnfSizes, GrammarSizes, GraphSizes, LrSizes, Sizes, UnresolvedSizes};

/// Show the sizes of a grammar, its graph with k-paths, its BNF core, and its LR automata
#[derive(Args)]
#[command(after_help = "\
Examples:
  gramercy stats grammar.gram
  gramercy stats grammar.y --lr lr0,lalr,lr1 --json
  gramercy stats grammar.y --sets --table --lr lalr
  gramercy stats grammar.g4 --start file")]
pub(crate) struct Stats {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Count the paths of up to this many symbolic nodes
    #[arg(long, value_name = "K", default_value_t = 5)]
    kpaths: usize,
    /// LR automata to build
    #[arg(
        long, value_name = "NAMES", value_delimiter = ',', default_value = "lr0,lalr",
        value_parser = automata()
    )]
    lr: Vec<Construction>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Also list FIRST and FOLLOW of every nonterminal
    #[arg(long, help_heading = "Output options")]
    sets: bool,
    /// Also list the parse table of the last automaton of --lr
    #[arg(long, help_heading = "Output options")]
    table: bool,
    #[command(flatten)]
    output: JsonArgs,
}

impl Stats {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let loaded = self.grammar.load(self.limits.limits(), console)?;
        let sizes = self.measure(&loaded)?;
        let language = &loaded.language;
        let sets = self.sets.then(|| shift_reduce::sets(language));
        let table = match self.table {
            true => Some(self.parse_table(language)?),
            false => None,
        };
        let palette = console.out_palette();
        if self.output.json {
            let sets = sets.map(|sets| serde_json::to_string(&sets)).transpose();
            let table = table.map(|table| serde_json::to_string(&table)).transpose();
            let raw = [("sets", sets), ("table", table)];
            let raw: Vec<(&str, String)> = raw
                .into_iter()
                .filter_map(|(name, json)| Some((name, json.map_err(io::Error::from).transpose()?)))
                .map(|(name, json)| json.map(|json| (name, json)))
                .collect::<Result<_, _>>()?;
            let raw: Vec<(&str, &str)> = raw.iter().map(|(name, json)| (*name, &**json)).collect();
            json::write_with(console.out(), &sizes, &raw)?;
        } else {
            let mut parts = vec![sizes.for_people(palette)];
            parts.extend(sets.map(|sets| shift_reduce::sets_for_people(&sets, palette)));
            parts.extend(table.map(|table| shift_reduce::table_for_people(&table, palette)));
            console.out().write_all(parts.join("\n").as_bytes())?;
        }
        Ok(Outcome::Clean)
    }

    fn parse_table(&self, language: &Language) -> Result<Vec<StateRow>, LimitReached> {
        let construction = *self.lr.last().unwrap_or(&Construction::Lalr);
        let automaton = Automata::of(language.bnf(), self.limits.limits()).build(construction)?;
        Ok(ShiftReduce { language, automaton: &automaton }.table())
    }

    fn measure<'a>(&self, loaded: &'a LoadedGrammar) -> Result<Sizes<'a>, LimitReached> {
        let language = &loaded.language;
        Ok(Sizes {
            grammar: grammar_sizes(loaded),
            graph: graph_sizes(language.graph(), self.kpaths)?,
            bnf: bnf_sizes(language.bnf()),
            lr: self.lr_sizes(language)?,
        })
    }

    fn lr_sizes(&self, language: &Language) -> Result<Vec<(&'static str, LrSizes)>, LimitReached> {
        let (grammar, bnf) = (language.grammar(), language.bnf());
        let has_precedence =
            grammar.terminals().values().any(|terminal| terminal.precedence.is_some());
        let automata = Automata::of(bnf, self.limits.limits());
        let measure = |&construction: &Construction| {
            let automaton = automata.build(construction)?;
            let graph = LrGraph::new(bnf, &automaton);
            let conflicts = ConflictCounts::of(bnf, &automaton);
            let unresolved = has_precedence.then(|| {
                let left = check::conflicts::unresolved(grammar, bnf, &automaton);
                let check::conflicts::Counts { shift_reduce, reduce_reduce } = left;
                UnresolvedSizes { shift_reduce, reduce_reduce }
            });
            let sizes = LrSizes {
                states: automaton.state_count(),
                push_edges: graph.push_edge_count(),
                pop_edges: graph.pop_edge_count(),
                shift_reduce: conflicts.shift_reduce.conflicts,
                reduce_reduce: conflicts.reduce_reduce.conflicts,
                unresolved,
            };
            Ok((construction.as_str(), sizes))
        };
        // An automaton that is named twice is one field of the document all the same.
        let named = |construction: &&Construction| self.lr.contains(construction);
        Construction::ALL.iter().filter(named).map(measure).collect()
    }
}

fn grammar_sizes(loaded: &LoadedGrammar) -> GrammarSizes<'_> {
    let grammar = loaded.grammar();
    GrammarSizes {
        file: loaded.file.display().to_string(),
        notation: grammar.notation().as_str(),
        start: &grammar.rules()[grammar.start()].name,
        rules: grammar.written_rules(),
        notes: grammar.notes().len(),
    }
}

fn graph_sizes(graph: &GrammarGraph, longest: usize) -> Result<GraphSizes, LimitReached> {
    Ok(GraphSizes {
        nodes: graph.len(),
        symbolic: graph.ids().filter(|&node| graph.kind(node).is_symbolic()).count(),
        kpaths: (1..).zip(KPaths::counts(graph, longest)?).collect(),
    })
}

fn bnf_sizes(bnf: &Bnf) -> BnfSizes {
    BnfSizes {
        nonterminals: bnf.nonterminals().len(),
        terminals: bnf.terminal_count(),
        productions: bnf.production_count(),
    }
}
