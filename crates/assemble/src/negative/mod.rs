//! Suites of tests that must fail: base tests are changed, or negative criteria are covered.
//!
//! Base tests come from another suite, from a corpus or from the operator itself, one after the other; each is
//! written once, its changes are checked and judged, and what is not in the language goes to the engine like any
//! other test. Memory does not grow with the tests, but for 16 bytes per test where equal texts are merged.
//!
//! In reading order: [`recipe`], `bases` (where base tests come from), `maker` (from changes to tests).

mod bases;
mod maker;
pub mod recipe;

use std::ops::ControlFlow;

use gramercy_base::Named;
use gramercy_coverage::{Criterion, TargetSet};
use gramercy_derive::{CheapestTrees, Contexts, Goal, Resolution, Ties};
use gramercy_grammar::{Symbol, TerminalId, TextKind};
use gramercy_language::Language;
use gramercy_lexis::Writer;
use gramercy_mutate::check::Anything;
use gramercy_mutate::check::exact::Exact;
use gramercy_mutate::check::pairs::Pairs;
use gramercy_mutate::check::prefix::Prefix;
use gramercy_mutate::criteria::{Change, NegativeCriterion, Tools};
use gramercy_mutate::operators::character::Characters;
use gramercy_mutate::operators::edge::Edges;
use gramercy_mutate::operators::encoding::{FORMS, MARK, utf16};
use gramercy_mutate::operators::rule::Rules;
use gramercy_mutate::operators::stack::Stacks;
use gramercy_mutate::operators::word::Words;
use gramercy_mutate::{
    Base, Check, CheckName, Edit, Family, Judge, Kind, Operator, Reader, Selector, Splicer,
    Vocabulary,
};
use gramercy_parse::TextParser;
use gramercy_parse::parser::Workspace;
use gramercy_suite::Sink;

use crate::engine::options::{Merge, Options};
use crate::engine::summary::{Given, Summary};
use crate::engine::{Engine, NamedCriterion, Watch};
use crate::plan;
use crate::recipe::{Recipe, TieBreak};
use crate::suite::SuiteError;

use maker::{Emit, Maker, Weaker};
pub use recipe::{Bases, Negative};

/// Makes the suite of a recipe.
pub(crate) fn make(
    language: &Language,
    recipe: &Recipe,
    tests: &Negative,
    sink: &mut dyn Sink,
    watch: &mut dyn Watch,
) -> Result<Summary, SuiteError> {
    check(language, tests)?;
    let writer = plan::writer(language, &recipe.text)?;
    let criteria = match tests.mutate.is_empty() {
        true => tests.cover.iter().map(|spec| spec.build(language)).collect::<Result<_, _>>()?,
        false => Vec::new(),
    };
    let named = tests.cover.iter().zip(&criteria).map(|(spec, criterion)| NamedCriterion {
        name: spec.to_string(),
        criterion: Box::new(Borrowed(&**criterion)),
    });
    // Tests that cover criteria are all different.
    let is_unique = recipe.unique || !criteria.is_empty();
    let options = Options {
        limit: recipe.limit,
        shard: recipe.shard,
        seed: recipe.seed,
        merge: if is_unique { Merge::Texts } else { Merge::Nothing },
        ..Options::default()
    };
    let wants = sink.wants();
    let engine = Engine::new(language, writer.clone(), named.collect(), options);
    let suite = Suite {
        language,
        recipe,
        tests,
        parser: language.parser()?,
        options: maker::Options {
            wants,
            is_unique,
            max_bytes: recipe.max_bytes,
            with_positives: tests.with_positives,
        },
        is_counted: wants == gramercy_suite::Wants::default()
            && !is_unique
            && recipe.limit.is_none()
            && recipe.shard.is_none()
            && recipe.max_bytes.is_none()
            && tests.select.is_none()
            && tests.order == 1,
    };
    let (mut given, mut found) = (Given::default(), Vec::new());
    let jobs = watch.jobs();
    let summary = engine.collect(sink, watch, |emit| {
        suite.make(writer, &criteria, jobs, emit, &mut given, &mut found)
    })?;
    Ok(Summary { given, found_by_check: found, ..summary })
}

/// A criterion that the suite owns.
#[derive(Debug)]
struct Borrowed<'c>(&'c dyn NegativeCriterion);

impl Criterion for Borrowed<'_> {
    fn targets(&self) -> u64 {
        self.0.targets()
    }

    fn coverable(&self) -> u64 {
        self.0.coverable()
    }

    fn uncoverable(&self, target: u64) -> Option<gramercy_coverage::Uncoverable> {
        self.0.uncoverable(target)
    }

    fn cover(&self, _: &gramercy_coverage::Reading<'_>, _: &mut TargetSet) {}

    fn describe(&self, target: u64) -> String {
        self.0.describe(target)
    }

    fn place(&self, target: u64) -> Option<gramercy_base::Span> {
        self.0.place(target)
    }
}

/// Refuses what does not go together.
fn check(language: &Language, tests: &Negative) -> Result<(), SuiteError> {
    if !language.useful().contains(Symbol::Nonterminal(language.bnf().start())) {
        return Err(SuiteError::NoSentence);
    }
    let kind = language.grammar().text_kind();
    let below_tokens =
        tests.mutate.iter().find(|of| matches!(of, Family::Character | Family::Encoding));
    let is_covering = tests.mutate.is_empty();
    let message = if let (TextKind::TokensOnly, Some(family)) = (kind, below_tokens) {
        format!(
            "--mutate {family} changes texts, and this grammar says nothing about the texts of its tokens: give it a lexer with --lexer"
        )
    } else if kind == TextKind::Scannerless && tests.check != CheckName::Exact {
        format!(
            "--check {} is about tokens, and in a grammar without tokens it would let sentences pass: use --check exact",
            tests.check.name()
        )
    } else if !(1..=2).contains(&tests.order) {
        "--order is 1 or 2".to_owned()
    } else if tests.order == 2 && tests.check != CheckName::Exact {
        "mutants of mutants are sure to be negative by --check exact only".to_owned()
    } else if tests.order == 2
        && (is_covering || tests.mutate.iter().any(|of| !matches!(of, Family::Word | Family::Edge)))
    {
        "--order 2 is for --mutate word and --mutate edge".to_owned()
    } else if is_covering && tests.of.is_some() {
        "criteria are covered by tests of their own: --of is for --mutate".to_owned()
    } else if is_covering && tests.check != CheckName::Exact {
        "criteria are covered by exact tests: --check is for --mutate".to_owned()
    } else if tests.mutate.contains(&Family::Stack)
        && matches!(tests.of, Some(Bases::Corpus(_) | Bases::Recipe(_)))
    {
        "--mutate stack changes trees: --of must name criteria".to_owned()
    } else {
        return Ok(());
    };
    Err(SuiteError::Conflict(message))
}

/// Everything that the tests of a suite are made from.
struct Suite<'s> {
    language: &'s Language,
    recipe: &'s Recipe,
    tests: &'s Negative,
    parser: &'s TextParser,
    options: maker::Options,
    /// Whether nothing is needed of tests but their number.
    is_counted: bool,
}

impl<'s> Suite<'s> {
    fn make(
        &self,
        mut writer: Writer<'s>,
        criteria: &[Box<dyn NegativeCriterion + '_>],
        jobs: usize,
        emit: &mut Emit<'_>,
        given: &mut Given,
        found: &mut Vec<u64>,
    ) -> Result<(), SuiteError> {
        let splicer = Splicer::new(self.language, &mut writer);
        let mut spaces: Vec<Workspace> = (0..5).map(|_| self.parser.parser().workspace()).collect();
        let mut spaces = spaces.iter_mut();
        let mut reader = || {
            let space = spaces.next().expect("invariant: there is one for each reader");
            Reader::new(self.parser.parser(), space).expect("invariant: there are sentences")
        };
        let judge = Judge::new(self.language, self.parser, reader());
        let has_tokens = self.language.grammar().text_kind() != TextKind::Scannerless;
        let weaker = (has_tokens && !self.is_counted && !self.tests.mutate.is_empty())
            .then(|| self.weaker(&mut reader))
            .flatten();
        let mut search = Judge::new(self.language, self.parser, reader());
        let mut exact = has_tokens.then(|| Exact::new(Vocabulary::new(self.language), reader()));
        let maker = Maker::new(self.language, &splicer, judge, self.options, emit);
        let mut maker = maker.selecting(self.tests.select.map(Selector::new)).comparing(weaker);
        let made = match self.tests.mutate.is_empty() {
            true => {
                let mut tools = Tools {
                    writer: &mut writer,
                    splicer: &splicer,
                    judge: &mut search,
                    exact: exact.as_mut(),
                };
                self.cover(criteria, &mut tools, &mut maker);
                Ok(())
            }
            false => {
                let mut pairs;
                let mut anything;
                let mut prefix;
                let check: &mut dyn Check = match (self.tests.check, &mut exact) {
                    (_, None) => {
                        anything = Anything::new(Vocabulary::new(self.language));
                        &mut anything
                    }
                    (CheckName::Exact, Some(exact)) => exact,
                    (CheckName::Pairs, _) => {
                        pairs = Pairs::new(self.language);
                        &mut pairs
                    }
                    (CheckName::Prefix, _) => {
                        let vocabulary = Vocabulary::new(self.language);
                        prefix = Prefix::new(vocabulary, Pairs::new(self.language), reader());
                        &mut prefix
                    }
                };
                self.mutate(&mut writer, check, jobs, &mut maker, given)
            }
        };
        let _ = maker.hand_on();
        *found = maker.found();
        made
    }

    /// The checks that find less than the chosen one.
    fn weaker<'c>(&self, reader: &mut dyn FnMut() -> Reader<'c>) -> Option<Weaker<'c>> {
        let pairs = || Pairs::new(self.language);
        let mut checks: Vec<Box<dyn Check + 'c>> = Vec::new();
        if self.tests.check != CheckName::Pairs {
            checks.push(Box::new(pairs()));
        }
        if self.tests.check == CheckName::Exact {
            checks.push(Box::new(Prefix::new(Vocabulary::new(self.language), pairs(), reader())));
        }
        let found = vec![0; checks.len() + 1];
        (!checks.is_empty()).then_some(Weaker { checks, found })
    }

    fn resolution(&self) -> Resolution {
        let ties = match self.tests.ties {
            TieBreak::First => Ties::First,
            TieBreak::Random => Ties::Random { seed: self.recipe.seed, variant: 0 },
        };
        Resolution { embedding: self.tests.embedding, length: self.tests.length, ties }
    }

    /// Makes a test for each target of negative criteria.
    fn cover(
        &self,
        criteria: &[Box<dyn NegativeCriterion + '_>],
        tools: &mut Tools<'_, '_, '_>,
        maker: &mut Maker<'_>,
    ) {
        for (number, criterion) in criteria.iter().enumerate() {
            let mut last = Base::default();
            let flow = criterion.search(tools, &mut |target, base, change| {
                let goal = Some(Goal { criterion: number, target });
                if *base != last {
                    last = base.clone();
                    maker.begin(self.read(base));
                    maker.positive()?;
                }
                match change {
                    Change::Tokens(edit) => maker.edit(edit, goal),
                    Change::Characters(edit) => maker.character(edit, goal).map_continue(|_| ()),
                }
            });
            if flow.is_break() {
                return;
            }
        }
    }

    /// A base whose tokens are known, if it has tokens.
    fn read(&self, base: &Base) -> Base {
        if !base.spans.is_empty() || self.language.grammar().text_kind() != TextKind::Lexed {
            return base.clone();
        }
        bases::of_text(self.parser, &mut self.parser.workspace(), &base.text)
    }

    /// Changes base tests by operators.
    fn mutate(
        &self,
        writer: &mut Writer<'s>,
        check: &mut dyn Check,
        jobs: usize,
        maker: &mut Maker<'_>,
        given: &mut Given,
    ) -> Result<(), SuiteError> {
        if self.tests.mutate.contains(&Family::Rule) && self.rules(writer, check, maker).is_break()
        {
            return Ok(());
        }
        if self.tests.mutate.contains(&Family::Stack)
            && self.stacks(writer, check, maker)?.is_break()
        {
            return Ok(());
        }
        let of_texts = |family: &&Family| !matches!(family, Family::Rule | Family::Stack);
        let families: Vec<Family> = self.tests.mutate.iter().filter(of_texts).copied().collect();
        if families.is_empty() {
            return Ok(());
        }
        let mut mutators = Mutators::new(self, &families);
        let source =
            bases::Source { language: self.language, recipe: self.recipe, tests: self.tests };
        source.visit(jobs, given, &mut |base| mutators.base(base, check, maker))
    }

    /// Changes productions.
    fn rules(
        &self,
        writer: &mut Writer<'_>,
        check: &mut dyn Check,
        maker: &mut Maker<'_>,
    ) -> ControlFlow<()> {
        let language = self.language.written();
        let cheapest = CheapestTrees::new(&language, self.resolution());
        let contexts = Contexts::new(&language, &cheapest);
        let rules = Rules::new(&language, &contexts);
        for production in rules.productions() {
            if !contexts.reach(self.language.bnf().lhs(production)) {
                continue;
            }
            let rule = rules.base(production);
            let Some(base) = bases::written(writer, &rule.tokens) else { continue };
            if !self.fits(&base) || !maker.begin(base) {
                continue;
            }
            check.begin(&maker.base().tokens);
            maker.positive()?;
            rules.visit(&rule, check, &mut |edit| maker.edit(edit, None))?;
        }
        ControlFlow::Continue(())
    }

    fn fits(&self, base: &Base) -> bool {
        self.tests.max_tokens.is_none_or(|most| base.tokens.len() <= most)
    }

    /// Changes reductions of trees.
    fn stacks(
        &self,
        writer: &mut Writer<'s>,
        check: &mut dyn Check,
        maker: &mut Maker<'_>,
    ) -> Result<ControlFlow<()>, SuiteError> {
        let resolution =
            Resolution { embedding: gramercy_derive::Embedding::Shortest, ..self.resolution() };
        let language = self.language.written();
        let cheapest = CheapestTrees::new(&language, resolution);
        let useful = language.useful();
        let productions = self.language.bnf().productions().filter(|&id| useful.has_production(id));
        let stacks = Stacks::new(&cheapest, productions);
        let source =
            bases::Source { language: self.language, recipe: self.recipe, tests: self.tests };
        source.visit_trees(&mut |productions, tokens| {
            let Some(base) = bases::written(writer, tokens) else {
                return ControlFlow::Continue(());
            };
            if !self.fits(&base) || !maker.begin(base) {
                return ControlFlow::Continue(());
            }
            check.begin(&maker.base().tokens);
            maker.positive()?;
            stacks.visit(productions, tokens, check, &mut |edit| maker.edit(edit, None))
        })
    }
}

/// An operator on the tokens of a sentence.
#[derive(Clone)]
enum TokenOperator {
    Word(Words),
    Edge(Edges),
}

impl TokenOperator {
    fn visit(
        &mut self,
        tokens: &[TerminalId],
        check: &mut dyn Check,
        visit: &mut gramercy_mutate::operators::Visit<'_>,
    ) -> ControlFlow<()> {
        match self {
            Self::Word(words) => words.visit(tokens, check, visit),
            Self::Edge(edges) => edges.visit(tokens, check, visit),
        }
    }

    fn count(&mut self, tokens: &[TerminalId], check: &mut dyn Check) -> u64 {
        match self {
            Self::Word(words) => words.count(tokens, check),
            Self::Edge(edges) => edges.count(tokens, check),
        }
    }
}

/// The operators that change texts and their tokens, whatever tree they have.
struct Mutators<'s> {
    suite: &'s Suite<'s>,
    tokens: Vec<TokenOperator>,
    characters: Option<Characters>,
    encodes: bool,
}

impl<'s> Mutators<'s> {
    fn new(suite: &'s Suite<'s>, families: &[Family]) -> Self {
        let terminals = suite.language.bnf().terminal_count();
        let tokens = families.iter().filter_map(|family| match family {
            Family::Word => Some(TokenOperator::Word(Words::new(terminals))),
            Family::Edge => Some(TokenOperator::Edge(Edges::new(terminals))),
            _ => None,
        });
        let tokens = tokens.collect();
        let characters = families
            .contains(&Family::Character)
            .then(|| Characters::new(suite.language, suite.parser));
        Self { suite, tokens, characters, encodes: families.contains(&Family::Encoding) }
    }

    fn base(
        &mut self,
        base: Base,
        check: &mut dyn Check,
        maker: &mut Maker<'_>,
    ) -> ControlFlow<()> {
        if !self.suite.fits(&base) {
            return ControlFlow::Continue(());
        }
        let tokens = base.tokens.clone();
        let is_counted = self.suite.is_counted
            && self.suite.language.grammar().text_kind() == TextKind::TokensOnly;
        if is_counted {
            check.begin(&tokens);
            let operators = self.tokens.iter_mut();
            let mutants = operators.map(|operator| operator.count(&tokens, check)).sum::<u64>();
            return maker.count(mutants + u64::from(self.suite.tests.with_positives));
        }
        if !maker.begin(base) {
            return ControlFlow::Continue(());
        }
        maker.positive()?;
        if !self.tokens.is_empty() {
            check.begin(&tokens);
        }
        for operator in &mut self.tokens {
            match self.suite.tests.order {
                1 => operator.visit(&tokens, check, &mut |edit| maker.edit(edit, None))?,
                _ => self.suite.twice(operator, &tokens, maker)?,
            }
        }
        if let Some(characters) = &self.characters {
            let text = maker.base().text.clone();
            characters
                .visit(&text, &mut |edit| maker.character(edit, None).map_continue(|_| ()))?;
        }
        if self.encodes { encode(maker) } else { ControlFlow::Continue(()) }
    }
}

/// Puts bytes that are not UTF-8 into a text: at its begin, after each of its tokens, inside the longest, at its end.
fn encode(maker: &mut Maker<'_>) -> ControlFlow<()> {
    let base = maker.base().clone();
    let bytes = base.text.as_bytes();
    let mut places = vec![0, bytes.len()];
    places.extend(base.spans.iter().map(|span| span.end));
    let longest = base.spans.iter().max_by_key(|span| span.end - span.start);
    places.extend(longest.and_then(|span| {
        let inside = base.text[span.start..span.end].char_indices().nth(1);
        inside.map(|(at, _)| span.start + at)
    }));
    places.sort_unstable();
    places.dedup();
    let operator = Operator { family: Family::Encoding, kind: Kind::Insert };
    for place in places {
        for form in FORMS {
            let bytes = [&bytes[..place], form.bytes, &bytes[place..]].concat();
            maker.encoding(&bytes, place, operator, form.name)?;
        }
    }
    let marked = [MARK.as_bytes(), bytes].concat();
    maker.encoding(&marked, 0, operator, "byte order mark")?;
    let operator = Operator { family: Family::Encoding, kind: Kind::Substitute };
    maker.encoding(&utf16(&base.text), 0, operator, "UTF-16")
}

impl Suite<'_> {
    /// Changes a sentence twice: the second change is after the first, so that it does not undo it.
    fn twice(
        &self,
        operator: &mut TokenOperator,
        tokens: &[TerminalId],
        maker: &mut Maker<'_>,
    ) -> ControlFlow<()> {
        let mut anything = Anything::new(Vocabulary::new(self.language));
        let mut again = operator.clone();
        anything.begin(tokens);
        let mut firsts: Vec<(Operator, usize, usize, Vec<TerminalId>)> = Vec::new();
        let _ = operator.visit(tokens, &mut anything, &mut |edit| {
            firsts.push((edit.operator, edit.place, edit.removed, edit.inserted.to_vec()));
            ControlFlow::Continue(())
        });
        for (operator, place, removed, inserted) in &firsts {
            let (operator, place, removed) = (*operator, *place, *removed);
            let first = Edit { operator, place, removed, inserted, item: None };
            let changed = first.apply(tokens);
            let behind = place + inserted.len();
            anything.begin(&changed);
            again.visit(&changed, &mut anything, &mut |second| match second.place > behind {
                // Both changes as one: what is between them stays.
                true => {
                    let kept = &changed[place..second.place];
                    let both = [kept, second.inserted].concat();
                    let removed = second.place - behind + removed + second.removed;
                    let joined = Edit {
                        operator: second.operator,
                        place,
                        removed,
                        inserted: &both,
                        item: None,
                    };
                    maker.edit_if_negative(&joined)
                }
                false => ControlFlow::Continue(()),
            })?;
        }
        ControlFlow::Continue(())
    }
}
