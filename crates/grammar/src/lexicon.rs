//! What a grammar says about its lexer beside the rules themselves.

use gramercy_base::{Span, Table};

use crate::{RuleId, TerminalId};

gramercy_base::define_id!(pub struct ModeId, "a lexer mode");
gramercy_base::define_id!(
    /// The first is the default channel, the one that the parser reads.
    pub struct ChannelId, "a channel of tokens");

/// The lexer's modes and channels.
#[derive(Clone, Debug)]
pub struct Lexicon {
    /// The modes; the first is the one in which lexing begins.
    pub modes: Table<ModeId, Mode>,
    /// The channels; the first is the parser's.
    pub channels: Table<ChannelId, Channel>,
}

/// A set of token rules that are tried together.
#[derive(Clone, Debug)]
pub struct Mode {
    /// Its name.
    pub name: Box<str>,
    /// Where it was declared; the default mode is not.
    pub span: Option<Span>,
    /// Its token rules, first the ones that win among equally long matches.
    pub rules: Vec<RuleId>,
}

/// A stream of tokens beside the one that the parser reads.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its name.
    pub name: Box<str>,
}

/// What a lexer does once a rule matched, in the order written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// Drop the text.
    Skip,
    /// Keep the text and go on with the next match.
    More,
    /// Make a token of this type.
    Type(TerminalId),
    /// Put the token on this channel.
    Channel(ChannelId),
    /// Go on in this mode.
    Mode(ModeId),
    /// Go on in this mode until it is popped.
    PushMode(ModeId),
    /// Go back to the mode before.
    PopMode,
}
