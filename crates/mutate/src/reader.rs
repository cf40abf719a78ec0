//! Reading variants of one input: each resumes where it leaves the base.

use gramercy_base::IdSet;
use gramercy_grammar::TerminalId;
use gramercy_lr::StateId;
use gramercy_parse::parser::Workspace;
use gramercy_parse::tables::InputId;
use gramercy_parse::{Checkpoint, Parser, Recognizer};

/// Reads variants of a base. A base that shares its beginning with the one before is not read anew.
#[derive(Debug)]
pub struct Reader<'r> {
    parser: &'r Parser,
    recognizer: Recognizer<'r>,
    base: Vec<InputId>,
    /// One for each place up to the last one that is known.
    checkpoints: Vec<Checkpoint>,
    /// What can come at a place of the base.
    expected: Option<(usize, Expected)>,
}

/// What can come at a place: terminals, and the end.
pub type Expected = (IdSet<TerminalId>, bool);

impl<'r> Reader<'r> {
    /// A reader; `None` for a grammar without sentences.
    pub fn new(parser: &'r Parser, workspace: &'r mut Workspace) -> Option<Self> {
        let mut recognizer = Recognizer::new(parser, workspace)?;
        let checkpoints = vec![recognizer.checkpoint()];
        Some(Self { parser, recognizer, base: Vec::new(), checkpoints, expected: None })
    }

    /// The parser.
    #[must_use]
    pub fn parser(&self) -> &'r Parser {
        self.parser
    }

    /// The base.
    #[must_use]
    pub fn base(&self) -> &[InputId] {
        &self.base
    }

    /// Looks at another base.
    pub fn begin(&mut self, base: &[InputId]) {
        let pairs = self.base.iter().zip(base);
        let common = pairs.take_while(|(old, new)| old == new).count();
        self.checkpoints.truncate(common + 1);
        if self.expected.as_ref().is_some_and(|(place, _)| *place > common) {
            self.expected = None;
        }
        self.base.truncate(common);
        self.base.extend_from_slice(&base[common..]);
    }

    /// Reads the base up to a place; `false` if no sentence begins like that.
    pub fn go_to(&mut self, place: usize) -> bool {
        self.checkpoints.truncate(place + 1);
        let mut at = self.checkpoints.len() - 1;
        self.recognizer.resume(&self.checkpoints[at]);
        while at < place {
            if !self.recognizer.read(self.base[at]) {
                return false;
            }
            at += 1;
            self.checkpoints.push(self.recognizer.checkpoint());
        }
        true
    }

    /// Reads further symbols. The first that cannot come, by its number among all symbols read; `None` if all were
    /// read.
    pub fn read(&mut self, symbols: impl IntoIterator<Item = InputId>) -> Option<usize> {
        let recognizer = &mut self.recognizer;
        let is_stuck = symbols.into_iter().any(|symbol| !recognizer.read(symbol));
        is_stuck.then(|| recognizer.position())
    }

    /// Whether what was read is a sentence.
    pub fn is_sentence(&mut self) -> bool {
        self.recognizer.is_sentence()
    }

    /// The first error of the base with some symbols replaced; its length if it ends too early, `None` if it is a
    /// sentence.
    pub fn error_of_edit(
        &mut self,
        place: usize,
        removed: usize,
        inserted: impl IntoIterator<Item = InputId>,
    ) -> Option<usize> {
        assert!(self.go_to(place), "invariant: the base is a sentence");
        let Self { recognizer, base, .. } = self;
        let rest = base[place + removed..].iter().copied();
        if inserted.into_iter().chain(rest).any(|symbol| !recognizer.read(symbol)) {
            return Some(recognizer.position());
        }
        self.error_at_end()
    }

    /// The first error of any symbols. The beginning that they share with the base is not read again.
    pub fn error_of(&mut self, symbols: &[InputId]) -> Option<usize> {
        let common = self.base.iter().zip(symbols).take_while(|(old, new)| old == new).count();
        assert!(self.go_to(common), "invariant: the base is a sentence");
        let stuck = self.read(symbols[common..].iter().copied());
        stuck.or_else(|| self.error_at_end())
    }

    fn error_at_end(&mut self) -> Option<usize> {
        (!self.recognizer.is_sentence()).then(|| self.recognizer.position())
    }

    /// What can come after what was read.
    pub fn expected_here(&mut self) -> Expected {
        self.recognizer.expected()
    }

    /// What can come at a place of the base.
    pub fn expected_at(&mut self, place: usize) -> &Expected {
        if self.expected.as_ref().is_none_or(|(of, _)| *of != place) {
            assert!(self.go_to(place), "invariant: the base is a sentence");
            self.expected = Some((place, self.recognizer.expected()));
        }
        &self.expected.as_ref().expect("invariant: it was found").1
    }

    /// The states that can be on top of the stack after what was read, whatever comes next.
    pub fn viable_states(&mut self) -> Vec<StateId> {
        self.recognizer.viable_states()
    }

    /// The states that the last symbol led to.
    #[must_use]
    pub fn top_states(&self) -> Vec<StateId> {
        self.recognizer.top_states()
    }

    /// A place to come back to with [`resume`](Self::resume), before another one of the base is visited.
    pub fn checkpoint(&mut self) -> Checkpoint {
        self.recognizer.checkpoint()
    }

    /// Goes back.
    pub fn resume(&mut self, at: &Checkpoint) {
        self.recognizer.resume(at);
    }
}
