//! A test as a JSON document: what the NDJSON sink writes, and what is read back from it.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::test::{self, Content, Expect, Origin, Test};

/// The version of the documents.
const SCHEMA: u32 = 1;

/// A test as a JSON document. It owns what it was read with, and borrows what it is written from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document<'t> {
    /// The version of the document.
    pub schema: u32,
    /// The test's number in the whole suite.
    pub id: u64,
    /// The input, if it is UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Cow<'t, str>>,
    /// The input in base64, if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<String>,
    /// The tokens that the parser sees.
    #[serde(default)]
    pub tokens: Vec<Token<'t>>,
    /// `accept` or `reject`.
    pub expect: Cow<'t, str>,
    /// The first error of an input that is to be rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Error<'t>>,
    /// What the test was made for, as a pattern.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Cow<'t, str>>,
    /// What it is the first to cover, as `criterion#rank`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covers: Vec<String>,
    /// How it was made from another test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutation: Option<Mutation<'t>>,
    /// The seed of its suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token<'t> {
    /// The name of its type.
    pub name: Cow<'t, str>,
    /// Its text.
    pub text: Cow<'t, str>,
    /// Its first byte.
    pub byte: usize,
}

/// The first error of an input. Hand-written corpora may leave out all but what they know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Error<'t> {
    /// The number of the first token that cannot come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<usize>,
    /// Where it begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byte: Option<usize>,
    /// Its line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Its column in code points, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// What could have come there.
    #[serde(default)]
    pub expected: Vec<Cow<'t, str>>,
    /// The class of the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<Cow<'t, str>>,
}

/// How a test was made from another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutation<'t> {
    /// The operator.
    pub operator: Cow<'t, str>,
    /// The rule that was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Cow<'t, str>>,
    /// The changed item of this rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<Cow<'t, str>>,
    /// Where this item stands in the grammar: `FILE:LINE:COLUMN`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Cow<'t, str>>,
    /// The token or byte at which the input was changed.
    pub place: usize,
    /// What was put in.
    #[serde(default)]
    pub inserted: Vec<Cow<'t, str>>,
    /// What was taken out.
    #[serde(default)]
    pub removed: Vec<Cow<'t, str>>,
    /// The input that was changed.
    pub base: Cow<'t, str>,
}

impl<'t> Document<'t> {
    /// The document of a test.
    #[must_use]
    pub fn of(test: &Test<'t>) -> Self {
        let (text, bytes) = match test.content {
            Content::Text(text) => (Some(text), None),
            Content::Bytes(bytes) => (None, Some(STANDARD.encode(bytes))),
        };
        let token = |token: &test::Token<'t>| Token {
            name: token.name.into(),
            text: text.map_or("", |text| &text[token.start..token.end]).into(),
            byte: token.start,
        };
        Self {
            schema: SCHEMA,
            id: test.id,
            text: text.map(Cow::from),
            bytes,
            tokens: test.tokens.iter().map(token).collect(),
            expect: test.expect.as_str().into(),
            error: match test.expect {
                Expect::Accept => None,
                Expect::Reject(error) => Some(Error::of(error)),
            },
            target: test.target().map(Cow::from),
            covers: test.covers.iter().map(|of| format!("{}#{}", of.criterion, of.rank)).collect(),
            mutation: match test.origin {
                Origin::Mutation(mutation) => Some(Mutation::of(mutation)),
                Origin::Target(_) | Origin::Draw => None,
            },
            seed: test.seed,
        }
    }

    /// The same document with everything in it owned.
    #[must_use]
    pub fn into_owned(self) -> Document<'static> {
        Document {
            schema: self.schema,
            id: self.id,
            text: self.text.map(owned),
            bytes: self.bytes,
            tokens: self.tokens.into_iter().map(Token::into_owned).collect(),
            expect: owned(self.expect),
            error: self.error.map(Error::into_owned),
            target: self.target.map(owned),
            covers: self.covers,
            mutation: self.mutation.map(Mutation::into_owned),
            seed: self.seed,
        }
    }

    /// The input's bytes.
    ///
    /// # Errors
    /// If the document holds neither a text nor base64.
    pub fn content(&self) -> Result<Vec<u8>, String> {
        match (&self.text, &self.bytes) {
            (Some(text), _) => Ok(text.as_bytes().to_vec()),
            (None, Some(bytes)) => STANDARD.decode(bytes).map_err(|error| error.to_string()),
            (None, None) => Err("it has neither `text` nor `bytes`".to_owned()),
        }
    }
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

fn all_owned(all: Vec<Cow<'_, str>>) -> Vec<Cow<'static, str>> {
    all.into_iter().map(owned).collect()
}

impl Token<'_> {
    fn into_owned(self) -> Token<'static> {
        Token { name: owned(self.name), text: owned(self.text), byte: self.byte }
    }
}

impl<'t> Error<'t> {
    fn into_owned(self) -> Error<'static> {
        let Self { token, byte, line, column, expected, class } = self;
        let (expected, class) = (all_owned(expected), class.map(owned));
        Error { token, byte, line, column, expected, class }
    }

    fn of(error: &test::Error<'t>) -> Self {
        Self {
            token: Some(error.token),
            byte: Some(error.byte),
            line: Some(error.line),
            column: Some(error.column),
            expected: error.expected.iter().map(|&name| name.into()).collect(),
            class: Some(error.class.into()),
        }
    }
}

impl<'t> Mutation<'t> {
    fn into_owned(self) -> Mutation<'static> {
        Mutation {
            operator: owned(self.operator),
            rule: self.rule.map(owned),
            item: self.item.map(owned),
            source: self.source.map(owned),
            place: self.place,
            inserted: all_owned(self.inserted),
            removed: all_owned(self.removed),
            base: owned(self.base),
        }
    }

    fn of(mutation: &test::Mutation<'t>) -> Self {
        let list = |all: &[&'t str]| all.iter().map(|&text| text.into()).collect();
        Self {
            operator: mutation.operator.into(),
            rule: mutation.rule.map(Cow::from),
            item: mutation.item.map(Cow::from),
            source: mutation.source.map(Cow::from),
            place: mutation.place,
            inserted: list(&mutation.inserted),
            removed: list(&mutation.removed),
            base: mutation.base.into(),
        }
    }
}
