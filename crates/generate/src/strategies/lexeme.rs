//! `lexeme:K`: tests whose lexemes contain all paths of K symbolic nodes of the token rules' own graphs.
//!
//! Few texts of each token rule are found that cover its paths and that the lexer takes for this rule.
//! Each is put into the cheapest sentence that has the token; what the parser does not see, such as a
//! comment, is put beside the tokens of the cheapest sentence of all. A test a text. Texts are found when
//! the strategy is made: linear in the rules' graphs times their paths.

use gramercy_base::{LimitReached, Limits};
use gramercy_coverage::criteria::lexeme::Lexemes;
use gramercy_coverage::criteria::symbol::Symbols;
use gramercy_coverage::witness::Witness;
use gramercy_coverage::{Lexeme, TargetId, TargetSet, Views};
use gramercy_grammar::{RuleId, Symbol, TerminalId, TextKind};
use gramercy_lexis::Writer;

use crate::closings::Closings;
use crate::draft::{Draft, Fixed, Goal};
use crate::strategies::cover::Cover;
use crate::strategy::Indexed;

/// The tests for the paths of token rules.
pub struct LexemeTests<'v> {
    sentences: Cover<'v, Symbols<'v>>,
    /// The number of the start symbol among all symbols.
    start: TargetId,
    texts: Vec<WantedText>,
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
    /// The token that it is, with its number among all symbols; none if the parser does not see it.
    pub(crate) token: Option<(TerminalId, TargetId)>,
    /// Whether the parser sees it, as a token that no syntax rule has or one of another name: so it can be
    /// neither this token nor beside the tokens.
    pub(crate) is_misfit: bool,
}

impl WantedText {
    /// The token that it is; none if the parser does not see it.
    pub(crate) fn terminal(&self) -> Option<TerminalId> {
        self.token.map(|(terminal, _)| terminal)
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
        views: &'v Views<'v>,
        k: u32,
        closings: &'v Closings<'v>,
        criterion: usize,
        is_wanted: &dyn Fn(TargetId) -> bool,
        limits: &Limits,
    ) -> Result<Self, LimitReached> {
        let lexemes = Lexemes::new(views, k, limits)?;
        let symbols = Symbols::new(views);
        let start = symbols.rank(Symbol::Nonterminal(views.bnf.start()));
        let mut texts = Vec::new();
        let mut writer = closings.writer();
        assert_eq!(
            writer.is_some(),
            views.grammar.text_kind() == TextKind::Lexed,
            "invariant: closings are guided by a writer where there is a lexer"
        );
        for (rule, of) in views.grammar.rules().iter() {
            let Some(writer) = &mut writer else { break };
            let Some(token) = of.token() else { continue };
            let symbol = Symbol::Terminal(token.token);
            let is_seen = views.bnf.terminals().any(|terminal| terminal == token.token)
                && views.useful.contains(symbol);
            let token = is_seen.then(|| (token.token, symbols.rank(symbol)));
            texts.extend(wanted((&lexemes, is_wanted), rule, token, writer));
        }
        let sentences = Cover::new(symbols, criterion, views, closings);
        Ok(Self { sentences, start, texts, criterion })
    }

    /// The texts, by the numbers of their tests.
    pub(crate) fn texts(&self) -> &[WantedText] {
        &self.texts
    }

    /// The symbol that the test of a number is made around, by its number among all symbols.
    pub(crate) fn symbol(&self, number: u64) -> TargetId {
        let number = usize::try_from(number).expect("invariant: texts fit in memory");
        self.texts[number].token.map_or(self.start, |(_, symbol)| symbol)
    }
}

/// The texts of one rule, and its targets for which there is none.
fn wanted(
    (lexemes, is_wanted): (&Lexemes, &dyn Fn(TargetId) -> bool),
    rule: RuleId,
    token: Option<(TerminalId, TargetId)>,
    writer: &mut Writer<'_>,
) -> Vec<WantedText> {
    let is_misfit = token.is_none() && writer.is_always_seen(rule);
    let alphabet = writer.alphabet().clone();
    let characters = |set: &_, number| alphabet.character(set, number);
    let (found, missing) = lexemes.cover_rule(rule, is_wanted, &characters, |witness| {
        writer.is_lexeme(rule, &witness.text, witness.at_end)
    });
    let mut served = TargetSet::new();
    let found = found.into_iter().flat_map(|Witness { text, at_end: is_last }| {
        let covered = lexemes.covered_by(&Lexeme { rule, text: &text, is_last });
        let new = covered.iter().copied();
        let new = new.filter(|&target| is_wanted(target) && served.insert(target));
        let text: &str = &text;
        let wish = |target| WantedText { target, rule, text: text.into(), token, is_misfit };
        new.map(wish).collect::<Vec<_>>()
    });
    let missing = missing.into_iter();
    let missing =
        missing.map(|target| WantedText { target, rule, text: "".into(), token, is_misfit });
    found.chain(missing).collect()
}

impl Indexed for LexemeTests<'_> {
    fn count(&self) -> u64 {
        self.texts.len() as u64
    }

    fn make(&self, number: u64, attempt: u32, draft: &mut Draft) -> bool {
        let symbol = self.symbol(number);
        let number = usize::try_from(number).expect("invariant: texts fit in memory");
        let WantedText { target, rule, text, token, is_misfit } = &self.texts[number];
        // One attempt says what stands in the way.
        if attempt > 0 && *is_misfit || !self.sentences.make(symbol, attempt, draft) {
            return false;
        }
        draft.goal = Some(Goal { criterion: self.criterion, target: *target });
        match token {
            None => draft.hidden = vec![(*rule, text.clone())],
            Some((terminal, _)) => {
                let at = draft.tokens.iter().position(|token| token == terminal);
                let at = at.expect("invariant: the sentence was made for this token");
                draft.lexemes = vec![Fixed { at, rule: *rule, text: text.clone() }];
            }
        }
        true
    }
}
