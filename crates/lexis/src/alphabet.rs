//! Which characters lexemes are made of: those that a user allows, and of these the pleasant ones
//! first.
//!
//! Characters fall into kinds, from lowercase letters to what no one wants to read. Every class of
//! the lexer's alphabet offers its members by kind, all of them if they are ASCII and some if not.
//! Surrogates are never offered: text cannot hold them. Cost: the ranges of a class times the kinds.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use gramercy_base::Table;
use gramercy_regular::{CharSet, ClassId, Classes, unicode};

/// The characters that lexemes may have: `any`, `ascii`, or a list with ranges such as `a-z0-9_`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    written: Box<str>,
    allowed: Option<CharSet>,
}

impl Default for Alphabet {
    fn default() -> Self {
        Self::any()
    }
}

impl FromStr for Alphabet {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "any" => Self::any(),
            "ascii" => Self::ascii(),
            list => Self { written: list.into(), allowed: Some(listed(list)) },
        })
    }
}

impl fmt::Display for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

/// The characters of a list with ranges.
fn listed(list: &str) -> CharSet {
    let characters: Vec<u32> = list.chars().map(u32::from).collect();
    let (mut set, mut rest) = (CharSet::default(), &characters[..]);
    while let [first, more @ ..] = rest {
        let (last, more) = match more {
            [dash, last, more @ ..] if *dash == u32::from('-') && last >= first => (last, more),
            more => (first, more),
        };
        set = set.union(&CharSet::range(*first, *last));
        rest = more;
    }
    set
}

impl Alphabet {
    /// Every character.
    #[must_use]
    pub fn any() -> Self {
        Self { written: "any".into(), allowed: None }
    }

    /// Only ASCII.
    #[must_use]
    pub fn ascii() -> Self {
        Self { written: "ascii".into(), allowed: Some(CharSet::range(0, 0x7F)) }
    }

    /// Whether every character of a text is allowed.
    #[must_use]
    pub fn allows(&self, text: &str) -> bool {
        self.allowed.as_ref().is_none_or(|allowed| text.chars().all(|c| allowed.contains(c.into())))
    }

    pub(crate) fn restrict(&self, set: &CharSet) -> CharSet {
        match &self.allowed {
            None => set.clone(),
            Some(allowed) => set.intersection(allowed),
        }
    }
}

/// What a character is to a reader, the pleasant first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CharKind {
    /// `a` to `z`.
    Lower,
    /// `0` to `9`.
    Digit,
    /// `A` to `Z`.
    Upper,
    /// Any other visible ASCII character.
    Punctuation,
    /// The space.
    Space,
    /// Line feed and carriage return.
    LineEnd,
    /// The tabulator.
    Tab,
    /// A visible character beyond ASCII, in the basic plane.
    Wide,
    /// A visible character beyond the basic plane.
    Astral,
    /// What combines with others, and spaces beyond ASCII.
    Combining,
    /// Control characters, unassigned code points, private use.
    Odd,
}

impl CharKind {
    /// All kinds, the pleasant first.
    pub const ALL: [CharKind; 11] = [
        CharKind::Lower,
        CharKind::Digit,
        CharKind::Upper,
        CharKind::Punctuation,
        CharKind::Space,
        CharKind::LineEnd,
        CharKind::Tab,
        CharKind::Wide,
        CharKind::Astral,
        CharKind::Combining,
        CharKind::Odd,
    ];

    /// What a character of this kind costs in a lexeme. A shorter lexeme is better than a nicer one,
    /// unless the odd can be avoided.
    #[must_use]
    pub fn cost(self) -> u64 {
        match self {
            CharKind::Lower => 1000,
            CharKind::Digit => 1001,
            CharKind::Upper => 1002,
            CharKind::Punctuation => 1004,
            CharKind::Space => 1006,
            CharKind::LineEnd => 1010,
            CharKind::Tab => 1012,
            CharKind::Wide => 1100,
            CharKind::Astral => 1150,
            CharKind::Combining => 1300,
            CharKind::Odd => 20_000,
        }
    }

    fn members(self) -> &'static CharSet {
        &KINDS[self as usize]
    }
}

static KINDS: LazyLock<Vec<CharSet>> = LazyLock::new(|| {
    let one = |c: char| CharSet::single(c);
    let ascii = CharSet::range(0, 0x7F);
    let alphanumeric = CharSet::from_ranges([(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)]);
    let visible = categories(&["L", "N", "P", "S"]).difference(&ascii);
    let combining = categories(&["M", "Zs"]).difference(&ascii);
    let basic = CharSet::range(0, 0xFFFF);
    let mut kinds = vec![
        CharSet::range(0x61, 0x7A),
        CharSet::range(0x30, 0x39),
        CharSet::range(0x41, 0x5A),
        CharSet::range(0x21, 0x7E).difference(&alphanumeric),
        one(' '),
        one('\n').union(&one('\r')),
        one('\t'),
        visible.intersection(&basic),
        visible.difference(&basic),
        combining,
    ];
    let known = kinds.iter().fold(CharSet::empty(), |known, kind| known.union(kind));
    kinds.push(known.complement().without_surrogates());
    kinds
});

fn categories(names: &[&str]) -> CharSet {
    let property = |name| unicode::property(name).expect("invariant: a general category");
    names.iter().fold(CharSet::empty(), |set, name| set.union(&property(name)))
}

/// Characters beyond ASCII that most people have seen.
const WELL_KNOWN: [char; 6] = ['é', 'λ', 'ж', '中', '€', '😀'];
/// How many characters beyond ASCII a set offers of each kind.
const BEYOND_ASCII: usize = 6;

/// A character that a set offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pick {
    pub(crate) kind: CharKind,
    pub(crate) c: char,
}

impl Pick {
    /// What this character costs in a lexeme. Of equally pleasant ones the first in Unicode's order
    /// is the best.
    pub(crate) fn cost(self) -> u64 {
        self.kind.cost() * 256 + u64::from(u32::from(self.c).min(255))
    }
}

/// The characters that a set offers, the pleasant first; none if it has none that may be used.
pub(crate) fn picks(set: &CharSet, alphabet: &Alphabet) -> Box<[Pick]> {
    let set = alphabet.restrict(set);
    let mut picks = Vec::new();
    for kind in CharKind::ALL {
        let members = set.intersection(kind.members());
        let of_kind = |c| Pick { kind, c };
        if kind < CharKind::Wide {
            picks.extend(members.chars().map(of_kind));
            continue;
        }
        let first = picks.len();
        let known = WELL_KNOWN.into_iter().filter(|&c| members.contains(c.into()));
        picks.extend(known.map(of_kind));
        for c in members.chars().take(BEYOND_ASCII) {
            if picks.len() < first + BEYOND_ASCII && !picks[first..].contains(&of_kind(c)) {
                picks.push(of_kind(c));
            }
        }
    }
    picks.into()
}

/// The most pleasant of the characters that a set offers.
pub(crate) fn best(set: &CharSet, alphabet: &Alphabet) -> Option<Pick> {
    let set = alphabet.restrict(set);
    CharKind::ALL.into_iter().find_map(|kind| {
        let members = set.intersection(kind.members());
        let known = WELL_KNOWN.into_iter().find(|&c| members.contains(c.into()));
        known.or_else(|| members.chars().next()).map(|c| Pick { kind, c })
    })
}

/// What every class of a lexer's alphabet offers.
#[derive(Clone, Debug)]
pub(crate) struct Palette {
    picks: Table<ClassId, Box<[Pick]>>,
}

impl Palette {
    pub(crate) fn new(classes: &Classes, alphabet: &Alphabet) -> Self {
        Self { picks: classes.iter().map(|(_, set)| picks(set, alphabet)).collect() }
    }

    /// What each class offers, the pleasant first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[Pick]> {
        self.picks.values().map(|picks| &**picks)
    }

    /// The most pleasant character of a class, if any of it may be used.
    pub(crate) fn best(&self, class: ClassId) -> Option<Pick> {
        self.picks[class].first().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::{Alphabet, CharKind, best, picks};
    use gramercy_regular::CharSet;

    fn check(set: &CharSet, alphabet: &Alphabet, expected: &str) {
        let found: String = picks(set, alphabet).iter().map(|pick| pick.c).collect();
        assert_eq!(found, expected);
        assert_eq!(best(set, alphabet).map(|pick| pick.c), expected.chars().next());
    }

    #[test]
    fn pleasant_characters_come_first() {
        check(&"_B\nb \r1".chars().collect(), &Alphabet::any(), "b1B_ \n\r");
        check(&CharSet::range(0xE0, 0xF0), &Alphabet::any(), "éàáâãä");
        check(&CharSet::range(0xD7FF, 0xE000), &Alphabet::any(), "\u{D7FF}\u{E000}");
    }

    #[test]
    fn surrogates_and_what_is_not_allowed_are_never_offered() {
        check(&CharSet::range(0xD800, 0xDFFF), &Alphabet::any(), "");
        check(&CharSet::from_ranges([(0x61, 0x62), (0xE9, 0xE9)]), &Alphabet::ascii(), "ab");
    }

    #[test]
    fn the_kinds_are_all_characters_once() {
        let total: usize = CharKind::ALL.iter().map(|kind| kind.members().len()).sum();
        assert_eq!(total, 0x11_0000 - 2048);
    }
}
