//! `lexeme:K`: tests whose lexemes contain all paths of K symbolic nodes of the token rules' own graphs.
//!
//! Few texts of each token rule are found that cover its paths and that the lexer takes for this rule.
//! Each is put into the cheapest sentence that has the token; what the parser does not see, such as a
//! comment, is put beside the tokens of the cheapest sentence of all. Rules that match nothing there
//! (other modes, tokens of another type, parts of tokens) get sentences that are searched for. A test a
//! text. Texts are found when the strategy is made: linear in the rules' graphs times their paths.

use gramercy_base::{LimitReached, Map};
use gramercy_coverage::criteria::lexeme::Lexemes;
use gramercy_coverage::criteria::symbol::Symbols;
use gramercy_coverage::witness::Witness;
use gramercy_coverage::{Lexeme, TargetId, TargetSet};
use gramercy_grammar::{RuleId, Symbol, TerminalId, TextKind};
use gramercy_language::Language;
use gramercy_lexis::Writer;

use crate::strategies::cover::Cover;
use gramercy_derive::candidate::{Candidate, FixedText, Goal};
use gramercy_derive::contexts::Step;
use gramercy_derive::resolutions::Resolutions;
use gramercy_derive::search::{Guide, TokenSite, TokenSites};
use gramercy_derive::strategy::{Indexed, Propose};

/// The tests for the paths of token rules.
pub struct LexemeTests<'v> {
    sentences: Cover<'v, Symbols<'v>>,
    /// The number of the start symbol among all symbols.
    start: TargetId,
    texts: Vec<WantedText>,
    homes: Map<RuleId, Home>,
    criterion: usize,
}

/// A text that is wanted in some test, for one target: targets of the same text share a test.
#[derive(Debug)]
pub(crate) struct WantedText {
    /// The target.
    pub(crate) target: TargetId,
    /// The rule that is to match it.
    pub(crate) rule: RuleId,
    /// Empty if none was found.
    pub(crate) text: Box<str>,
    /// Whether its match may go on, whatever stands after it.
    pub(crate) is_last: bool,
    /// Texts for the same target that begin or end otherwise, for neighbours with which the first one is read as
    /// something else.
    others: Vec<Box<str>>,
}

/// Characters with which other texts begin or end, and the most such texts of a target.
const OTHER_CHARACTERS: [char; 10] = [' ', '0', 'A', '-', '.', '\n', '"', 'z', '<', '\t'];
const MAX_OTHERS: usize = 6;

/// Where the texts of a rule are put.
#[derive(Debug, Default)]
pub(crate) struct Home {
    /// The token of the rule's own name, with its number among all symbols, if sentences have it: the
    /// cheapest one of these is the home, and the cheapest of all if there are none.
    token: Option<(TerminalId, TargetId)>,
    /// Whether the rule can match something there.
    is_usual: bool,
    /// Where it can, if not there.
    places: Vec<TokenSite>,
}

impl Home {
    /// Whether there is no place for the rule's texts.
    pub(crate) fn is_nowhere(&self) -> bool {
        !self.is_usual && self.places.is_empty()
    }

    /// A step to a token where the rule can match something, if that is not one of its own name.
    pub(crate) fn step(&self) -> Option<Step> {
        self.places.first().map(|place| place.step)
    }
}

impl std::fmt::Debug for LexemeTests<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("LexemeTests").field(&self.texts).finish()
    }
}

impl<'v> LexemeTests<'v> {
    /// The tests for paths of `k` nodes, as far as they are wanted; they are made for the criterion of this
    /// number in a suite.
    ///
    /// # Errors
    /// If there are more targets than the limit.
    pub fn new(
        language: &'v Language,
        k: u32,
        resolutions: &'v Resolutions<'v>,
        criterion: usize,
        is_wanted: &dyn Fn(TargetId) -> bool,
    ) -> Result<Self, LimitReached> {
        let lexemes = Lexemes::new(language, k)?;
        let symbols = Symbols::new(language);
        let start = symbols.rank(Symbol::Nonterminal(language.bnf().start()));
        let mut texts = Vec::new();
        let mut writer = resolutions.writer();
        assert_eq!(
            writer.is_some(),
            language.grammar().text_kind() == TextKind::Lexed,
            "invariant: resolutions are guided by a writer where there is a lexer"
        );
        for rule in language.grammar().rules().ids() {
            let Some(writer) = &mut writer else { break };
            if language.grammar().rules()[rule].token().is_some() {
                texts.extend(wanted((&lexemes, is_wanted), rule, writer));
            }
        }
        let sentences = Cover::new(symbols, criterion, language, resolutions);
        let mut tests = Self { sentences, start, texts, homes: Map::default(), criterion };
        if let Some(guide) = resolutions.guide() {
            tests.find_homes(language, guide, resolutions);
        }
        for text in &mut tests.texts {
            let has_places =
                tests.homes.get(&text.rule).is_some_and(|home| !home.places.is_empty());
            if let Some(writer) = writer.as_mut().filter(|_| has_places) {
                text.others = other_texts(&lexemes, text, writer);
            }
        }
        Ok(tests)
    }

    fn find_homes(
        &mut self,
        language: &Language,
        guide: &Guide<'v>,
        resolutions: &Resolutions<'v>,
    ) {
        let symbols = Symbols::new(language);
        for WantedText { rule, .. } in &self.texts {
            if self.homes.contains_key(rule) {
                continue;
            }
            let own = language.grammar().rules()[*rule].token().map(|of| of.token);
            let own = own.filter(|&own| {
                language.bnf().terminals().any(|terminal| terminal == own)
                    && language.useful().contains(Symbol::Terminal(own))
            });
            let token = own.map(|own| (own, symbols.rank(Symbol::Terminal(own))));
            let mut home = Home { token, ..Home::default() };
            home.is_usual = self.is_usual(*rule, &home, guide);
            self.homes.insert(*rule, home);
        }
        let unusual = |(rule, home): (&RuleId, &Home)| (!home.is_usual).then_some(*rule);
        let mut unusual: Vec<RuleId> = self.homes.iter().filter_map(unusual).collect();
        unusual.sort_unstable();
        if unusual.is_empty() {
            return;
        }
        let (language, cheapest) =
            (resolutions.writable(language), resolutions.shortest_writable());
        let found =
            TokenSites { language, guide, cheapest, nothing: resolutions.shortest() }.find(unusual);
        for (rule, places) in found {
            self.homes.entry(rule).or_default().places = places;
        }
    }

    /// Whether a rule can match a whole text in the cheapest sentence.
    fn is_usual(&self, rule: RuleId, home: &Home, guide: &Guide<'_>) -> bool {
        let mut candidate = Candidate::default();
        let symbol = home.token.map_or(self.start, |(_, symbol)| symbol);
        if !self.sentences.candidate(symbol, 0, &mut candidate) {
            return false;
        }
        let at = home.token.map_or(0, |(token, _)| position(&candidate, token));
        let part = guide.part(&candidate.tokens, at, |part| {
            part.rule == rule && part.is_hidden == home.token.is_none()
        });
        part.is_some_and(|part| part.before.is_empty() && part.after.is_empty())
    }

    /// The texts, by the numbers of their tests.
    pub(crate) fn texts(&self) -> &[WantedText] {
        &self.texts
    }

    /// Where the texts of a rule are put.
    pub(crate) fn home(&self, rule: RuleId) -> &Home {
        &self.homes[&rule]
    }

    /// The symbol that the test of a number is made around, by its number among all symbols.
    pub(crate) fn symbol(&self, number: u64) -> TargetId {
        let number = usize::try_from(number).expect("invariant: texts fit in memory");
        self.homes[&self.texts[number].rule].token.map_or(self.start, |(_, symbol)| symbol)
    }
}

/// Where a token is in a sentence that was made for it.
fn position(candidate: &Candidate, token: TerminalId) -> usize {
    let at = candidate.tokens.iter().position(|&of| of == token);
    at.expect("invariant: the sentence was made for this token")
}

/// The texts of one rule, and its targets for which there is none.
fn wanted(
    (lexemes, is_wanted): (&Lexemes, &dyn Fn(TargetId) -> bool),
    rule: RuleId,
    writer: &mut Writer<'_>,
) -> Vec<WantedText> {
    let Some(matching) = writer.matching(rule) else { return Vec::new() };
    let (found, missing) = lexemes.cover_rule(rule, is_wanted, matching);
    let mut served = TargetSet::new();
    let found = found.into_iter().flat_map(|Witness { text, at_end }| {
        let covered = lexemes.covered_by(&Lexeme { rule, text: &text, is_last: at_end });
        let new = covered.iter().copied();
        let new = new.filter(|&target| is_wanted(target) && served.insert(target));
        let (text, is_last): (&str, _) = (&text, at_end || !can_end(writer, rule, &text));
        let wanted =
            |target| WantedText { target, rule, text: text.into(), is_last, others: Vec::new() };
        new.map(wanted).collect::<Vec<_>>()
    });
    let missing = missing.into_iter().map(|target| WantedText {
        target,
        rule,
        text: "".into(),
        is_last: false,
        others: Vec::new(),
    });
    found.chain(missing).collect()
}

/// Texts for the target of a text that differ from it in their first or last character.
fn other_texts(lexemes: &Lexemes, wanted: &WantedText, writer: &mut Writer<'_>) -> Vec<Box<str>> {
    let WantedText { target, rule, text, .. } = wanted;
    let (Some(first), Some(last)) = (text.chars().next(), text.chars().next_back()) else {
        return Vec::new();
    };
    let [behind, before] = [&text[first.len_utf8()..], &text[..text.len() - last.len_utf8()]];
    let changed =
        OTHER_CHARACTERS.iter().flat_map(|c| [format!("{c}{behind}"), format!("{before}{c}")]);
    let mut others: Vec<Box<str>> = Vec::new();
    for other in changed {
        let is_known = *other == **text || others.iter().any(|known| **known == *other);
        let lexeme = Lexeme { rule: *rule, text: &other, is_last: false };
        if !is_known
            && others.len() < MAX_OTHERS
            && can_end(writer, *rule, &other)
            && lexemes.covered_by(&lexeme).contains(target)
        {
            others.push(other.into());
        }
    }
    others
}

/// Whether a text of a rule may end where something follows.
fn can_end(writer: &mut Writer<'_>, rule: RuleId, text: &str) -> bool {
    writer.matching(rule).is_some_and(|mut matching| {
        let behind = matching.behind(text).ok().flatten();
        behind.is_some_and(|state| matching.can_end(state).unwrap_or(false))
    })
}

impl Indexed for LexemeTests<'_> {
    fn count(&self) -> u64 {
        self.texts.len() as u64
    }

    fn proposer(&self) -> Box<dyn Propose + '_> {
        Box::new(|number, attempt, candidate: &mut Candidate| {
            self.candidate(number, attempt, candidate)
        })
    }
}

impl LexemeTests<'_> {
    /// Makes the candidate of a number and attempt; `false` if there is none.
    fn candidate(&self, number: u64, attempt: u32, candidate: &mut Candidate) -> bool {
        let symbol = self.symbol(number);
        let number = usize::try_from(number).expect("invariant: texts fit in memory");
        let WantedText { target, rule, text, others, .. } = &self.texts[number];
        let Home { token, places, .. } = self.home(*rule);
        // All places with the first text, then with the others.
        let rounds = (attempt as usize).checked_div(places.len()).unwrap_or(0);
        let text = match rounds.checked_sub(1) {
            None => Some(text),
            Some(other) => others.get(other),
        };
        let Some(text) = text else { return false };
        let place = (attempt as usize).checked_rem(places.len()).and_then(|at| places.get(at));
        if let Some(place) = place {
            candidate.productions.clone_from(&place.productions);
            candidate.tokens.clone_from(&place.tokens);
            let fixed = FixedText::new(text, &place.part);
            match place.part.is_hidden {
                true => candidate.hidden.push(fixed),
                false => candidate.lexemes.push((place.at, fixed)),
            }
        } else if places.is_empty() {
            // Beside tokens there is nothing else to try, so one attempt says what stands in the way.
            let is_vain = attempt > 0 && token.is_none() && !self.home(*rule).is_usual;
            if is_vain || !self.sentences.candidate(symbol, attempt, candidate) {
                return false;
            }
            let fixed = FixedText::whole(text, *rule);
            match token {
                None => candidate.hidden.push(fixed),
                Some((token, _)) => candidate.lexemes.push((position(candidate, *token), fixed)),
            }
        } else {
            return false;
        }
        candidate.goal = Some(Goal { criterion: self.criterion, target: *target });
        true
    }
}
