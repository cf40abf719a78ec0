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
    /// The channel of the token. The parser reads the first.
    pub channel: ChannelId,
    /// How the mode stack changes, in order.
    pub mode_changes: Box<[ModeChange]>,
}

impl Effect {
    /// The effect of a match by a rule whose tokens are of type `token`.
    #[must_use]
    pub fn new(token: TerminalId, commands: impl IntoIterator<Item = Command>) -> Self {
        let (mut emission, mut channel) = (Emission::Token(token), ChannelId::from_index(0));
        let mut mode_changes = Vec::new();
        for command in commands {
            match command {
                Command::Skip => emission = Emission::Skip,
                Command::More => emission = Emission::More,
                Command::Type(token) => emission = Emission::Token(token),
                Command::Channel(to) => channel = to,
                Command::Mode(mode) => mode_changes.push(ModeChange::Set(mode)),
                Command::PushMode(mode) => mode_changes.push(ModeChange::Push(mode)),
                Command::PopMode => mode_changes.push(ModeChange::Pop),
            }
        }
        Self { emission, channel, mode_changes: mode_changes.into() }
    }

    /// The token that the parser sees, if it sees one.
    #[must_use]
    pub fn visible_token(&self) -> Option<TerminalId> {
        match self.emission {
            Emission::Token(token) if self.channel.index() == 0 => Some(token),
            Emission::Token(_) | Emission::Skip | Emission::More => None,
        }
    }

    /// Whether the parser sees nothing of a match, and no token is begun.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.emission != Emission::More && self.visible_token().is_none()
    }

    /// Works the mode changes off on a stack whose last entry is the current mode.
    ///
    /// # Errors
    /// If a mode is popped that was never pushed; the stack is then left as it was by then.
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

/// `popMode` without a `pushMode` before it: ANTLR's lexer throws an exception there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoppedEmptyStack;
