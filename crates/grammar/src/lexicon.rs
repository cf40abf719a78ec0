//! The modes and channels of a lexer; its rules are in [`rule`](crate::rule).

use gramercy_base::{Span, Table};

use crate::{RuleId, TerminalId};

gramercy_base::define_id!(pub struct ModeId, "a lexer mode");
gramercy_base::define_id!(
    /// The first is the default channel, which the parser reads.
    pub struct ChannelId, "a channel of tokens");

/// The lexer's modes and channels.
#[derive(Clone, Debug)]
pub struct Lexicon {
    /// The modes; lexing begins in the first one.
    pub modes: Table<ModeId, Mode>,
    /// The channels; the parser reads the first one.
    pub channels: Table<ChannelId, Channel>,
}

/// A set of token rules that are tried together.
#[derive(Clone, Debug)]
pub struct Mode {
    /// Its name.
    pub name: Box<str>,
    /// Its declaration; the default mode has none.
    pub span: Option<Span>,
    /// Its token rules. Among equally long matches the first rule wins.
    pub rules: Vec<RuleId>,
}

/// A stream of tokens in addition to the one that the parser reads.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its name.
    pub name: Box<str>,
}

/// What a lexer does after a match, in the order written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// Drop the matched text.
    Skip,
    /// Keep the matched text and continue with the next match.
    More,
    /// Create a token of this type.
    Type(TerminalId),
    /// Put the token on this channel.
    Channel(ChannelId),
    /// Continue in this mode.
    Mode(ModeId),
    /// Continue in this mode until it is popped.
    PushMode(ModeId),
    /// Return to the previous mode.
    PopMode,
}
