//! What the lexer does once a rule matched: the commands along the matched path, worked off in the
//! order written.

use gramercy_base::Id;
use gramercy_grammar::{ChannelId, Command, ModeId, TerminalId};

/// What becomes of the matched text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Emission {
    /// A token of this type.
    Token(TerminalId),
    /// Nothing.
    Skip,
    /// The beginning of a token that the next match goes on with.
    More,
}

/// One change of the mode stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ModeChange {
    /// Go on in this mode.
    Set(ModeId),
    /// Remember the mode and go on in this one.
    Push(ModeId),
    /// Go back to the mode remembered last.
    Pop,
}

/// Everything that a match does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Effect {
    /// What becomes of the text.
    pub emission: Emission,
    /// The channel that the rule names, if it names one.
    pub channel: Option<ChannelId>,
    /// How the mode stack changes, in order.
    pub mode_changes: Box<[ModeChange]>,
}

impl Effect {
    /// The effect of a match by a rule whose tokens are of type `token`.
    #[must_use]
    pub fn new(token: TerminalId, commands: impl IntoIterator<Item = Command>) -> Self {
        let (mut emission, mut channel) = (Emission::Token(token), None);
        let mut mode_changes = Vec::new();
        for command in commands {
            match command {
                Command::Skip => emission = Emission::Skip,
                Command::More => emission = Emission::More,
                Command::Type(token) => emission = Emission::Token(token),
                Command::Channel(to) => channel = Some(to),
                Command::Mode(mode) => mode_changes.push(ModeChange::Set(mode)),
                Command::PushMode(mode) => mode_changes.push(ModeChange::Push(mode)),
                Command::PopMode => mode_changes.push(ModeChange::Pop),
            }
        }
        Self { emission, channel, mode_changes: mode_changes.into() }
    }

    /// The channel of the token that is being made, where matches before this one (that were kept
    /// by `more`) named `kept`.
    #[inline]
    #[must_use]
    pub fn channel_after(&self, kept: Option<ChannelId>) -> Option<ChannelId> {
        self.channel.or(kept)
    }

    /// The token that the parser sees of this match, if it sees one. `kept` is as in
    /// [`channel_after`](Self::channel_after).
    #[inline]
    #[must_use]
    pub fn visible_token(&self, kept: Option<ChannelId>) -> Option<TerminalId> {
        match self.emission {
            Emission::Token(token) if is_visible(self.channel_after(kept)) => Some(token),
            Emission::Token(_) | Emission::Skip | Emission::More => None,
        }
    }

    /// Works the mode changes off on a stack whose last entry is the current mode.
    ///
    /// # Errors
    /// If a mode is popped that was never pushed; the stack is then left as it was by then.
    #[inline]
    pub fn change_modes(&self, stack: &mut Vec<ModeId>) -> Result<(), PoppedEmptyStack> {
        for change in &self.mode_changes {
            match *change {
                ModeChange::Set(mode) => *stack.last_mut().expect("never empty") = mode,
                ModeChange::Push(mode) => stack.push(mode),
                ModeChange::Pop if stack.len() > 1 => {
                    stack.pop();
                }
                ModeChange::Pop => return Err(PoppedEmptyStack),
            }
        }
        Ok(())
    }
}

/// Whether the parser reads a channel: it reads the first, where tokens are that name none.
#[inline]
#[must_use]
pub fn is_visible(channel: Option<ChannelId>) -> bool {
    channel.is_none_or(|channel| channel.index() == 0)
}

/// `popMode` without a `pushMode` before it: ANTLR's lexer throws an exception there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoppedEmptyStack;
