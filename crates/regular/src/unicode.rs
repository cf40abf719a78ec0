//! Unicode properties with the names of ANTLR 4.13 in `\p{…}`, as of Unicode 15.0, the version of
//! that release; and one-to-one case mapping.
//!
//! A name is a general category (`Lu`, `Letter`), a binary property (`ID_Start`), a script
//! (`Greek`, `Grek`), a block after `In` (`InBasicLatin`), or `property=value` with
//! General_Category, Script, Script_Extensions, Block, Grapheme_Cluster_Break, Word_Break,
//! Sentence_Break, Line_Break or East_Asian_Width by their long or short names. Names are
//! case-insensitive, `-` is `_`, and `_` may be missing even where ANTLR requires it. Some names
//! exist only in ANTLR (`EmojiRK`), and some have a different meaning there than in Unicode
//! (`Control`). The properties of bidirectional text, normalization, joining, numbers and Indic
//! syllables are not available.
//!
//! Most tables come from an old release of `regex-syntax`, which has the right version; it does not
//! know surrogates, so these are added. The missing tables are text files here: a line contains the
//! names of a set, a colon and its ranges, and continues in lines that begin with a space; `rest`
//! is the complement of all other sets of the file.
//!
//! Cost: a search in the table and a copy of the ranges; callers look up each name once.

use std::sync::LazyLock;

use unicode_15_tables::hir::{Class, HirKind};

use crate::CharSet;

const BLOCKS: &str = include_str!("unicode/blocks.txt");
const EAST_ASIAN_WIDTH: &str = include_str!("unicode/east_asian_width.txt");
const LINE_BREAK: &str = include_str!("unicode/line_break.txt");
const PICTOGRAPHS: &str = include_str!("unicode/pictographs.txt");

/// The code points with a property, or `None` if no property has this name.
#[must_use]
pub fn property(name: &str) -> Option<CharSet> {
    let name = name.to_ascii_lowercase().replace('-', "_");
    match name.split_once('=') {
        Some((property, value)) => property_value(property, value),
        None => antlr_property(&name)
            .or_else(|| general_category(&name))
            .or_else(|| table(&name))
            .or_else(|| script("sc", &name))
            .or_else(|| in_file(BLOCKS, name.strip_prefix("in")?)),
    }
}

/// The code points with `value` as their value of an enumerated property.
fn property_value(property: &str, value: &str) -> Option<CharSet> {
    match property {
        "gc" | "general_category" => general_category(value),
        "sc" | "script" => script("sc", value),
        "scx" | "script_extensions" => script("scx", value),
        "blk" | "block" => in_file(BLOCKS, value),
        "ea" | "east_asian_width" => in_file(EAST_ASIAN_WIDTH, value),
        "lb" | "line_break" => in_file(LINE_BREAK, value),
        "gcb" | "grapheme_cluster_break" => break_value("gcb", value),
        "wb" | "word_break" => break_value("wb", value),
        "sb" | "sentence_break" => break_value("sb", value),
        "emojipresentation" => emoji_presentation(value),
        _ => None,
    }
}

/// The names with a special meaning in ANTLR, and the POSIX classes as its library defines them.
fn antlr_property(name: &str) -> Option<CharSet> {
    Some(match name {
        "control" => general_category("c")?,
        "extended_pictographic" | "ep" => in_file(PICTOGRAPHS, name)?,
        "extpict" => table("extended_pictographic")?,
        "emojirk" => emoji_in_text()?,
        "emojinrk" => table("emoji")?.difference(&emoji_in_text()?),
        "alnum" => table("alphabetic")?.union(&table("nd")?),
        "blank" => table("zs")?.union(&CharSet::single('\t')),
        "graph" => graph()?,
        "print" => graph()?.union(&table("zs")?),
        "xdigit" => table("nd")?.union(&table("hex_digit")?),
        _ => return None,
    })
}

/// Emoji that are also used as plain text: regional indicators, keycaps and a few signs.
fn emoji_in_text() -> Option<CharSet> {
    let signs: CharSet = "#*0123456789\u{A9}\u{AE}\u{2122}\u{3030}\u{303D}".chars().collect();
    Some(table("regional_indicator")?.union(&signs))
}

fn emoji_presentation(value: &str) -> Option<CharSet> {
    let (emoji, shown) = (table("emoji")?, table("emoji_presentation")?);
    match value {
        "emojidefault" => Some(emoji.intersection(&shown)),
        "textdefault" => Some(emoji.difference(&shown)),
        "text" => Some(emoji.complement()),
        _ => None,
    }
}

/// Visible characters.
fn graph() -> Option<CharSet> {
    let unseen = ["white_space", "cc", "cn"].map(table);
    let unseen = unseen.into_iter().try_fold(surrogates(), |all, set| Some(all.union(&set?)));
    Some(unseen?.complement())
}

fn surrogates() -> CharSet {
    CharSet::range(0xD800, 0xDFFF)
}

fn general_category(value: &str) -> Option<CharSet> {
    match value {
        "cs" | "surrogate" => Some(surrogates()),
        "c" | "other" => Some(table("gc=c")?.union(&surrogates())),
        _ => table(&format!("gc={value}")),
    }
}

fn script(property: &str, value: &str) -> Option<CharSet> {
    match value {
        "zzzz" | "unknown" => Some(table("cn")?.union(&table("co")?).union(&surrogates())),
        _ => table(&format!("{property}={value}")),
    }
}

/// A value of a property of text segmentation. Some values exist although no character has them any
/// more.
fn break_value(property: &str, value: &str) -> Option<CharSet> {
    match (property, value) {
        (_, "xx" | "other") => Some(no_break_value(property)),
        ("gcb" | "wb", "eb" | "ebg" | "em" | "gaz") => Some(CharSet::empty()),
        ("gcb" | "wb", "e_base" | "e_base_gaz" | "e_modifier" | "glue_after_zwj") => {
            Some(CharSet::empty())
        }
        _ => table(&format!("{property}={value}")),
    }
}

/// The code points with none of the named values.
fn no_break_value(property: &str) -> CharSet {
    let values: &[&str] = match property {
        "gcb" => &["cn", "cr", "ex", "l", "lf", "lv", "lvt", "pp", "ri", "sm", "t", "v", "zwj"],
        "wb" => &[
            "cr",
            "dq",
            "ex",
            "extend",
            "fo",
            "hl",
            "ka",
            "le",
            "lf",
            "mb",
            "ml",
            "mn",
            "nl",
            "nu",
            "ri",
            "sq",
            "wsegspace",
            "zwj",
        ],
        _ => &["at", "cl", "cr", "ex", "fo", "le", "lf", "lo", "nu", "sc", "se", "sp", "st", "up"],
    };
    let sets = values.iter().filter_map(|value| break_value(property, value));
    sets.fold(CharSet::empty(), |all, set| all.union(&set)).complement()
}

/// A property of the tables, without surrogates.
fn table(name: &str) -> Option<CharSet> {
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_=".contains(&byte)) {
        return None;
    }
    let hir = unicode_15_tables::parse(&format!(r"\p{{{name}}}")).ok()?;
    Some(match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            let ranges = class.iter().map(|range| (range.start().into(), range.end().into()));
            CharSet::from_ranges(ranges).without_surrogates()
        }
        HirKind::Literal(one) => std::str::from_utf8(&one.0).ok()?.chars().collect(),
        _ => return None,
    })
}

/// The set with this name in a file.
fn in_file(file: &str, name: &str) -> Option<CharSet> {
    let (_, ranges) = sets_in(file).find(|(names, _)| {
        names.split(' ').any(|other| without_underscores(other).eq(without_underscores(name)))
    })?;
    if ranges.trim() != "rest" {
        return Some(read_ranges(ranges));
    }
    let others = sets_in(file).filter(|(_, ranges)| ranges.trim() != "rest");
    let all =
        CharSet::from_ranges(others.flat_map(|(_, others)| read_ranges(others).ranges().to_vec()));
    Some(all.complement())
}

fn without_underscores(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|&byte| byte != b'_').map(|byte| byte.to_ascii_lowercase())
}

/// The names and ranges of each set of a file.
fn sets_in(file: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = file;
    let entries = std::iter::from_fn(move || {
        let starts_entry = |&at: &usize| !rest[at + 1..].starts_with(' ');
        let end = rest.match_indices('\n').map(|(at, _)| at).find(starts_entry)?;
        let (entry, after) = rest.split_at(end + 1);
        rest = after;
        Some(entry)
    });
    entries.filter(|entry| !entry.starts_with('#')).filter_map(|entry| entry.split_once(':'))
}

fn read_ranges(ranges: &str) -> CharSet {
    let code =
        |digits| u32::from_str_radix(digits, 16).expect("invariant: the files are well-formed");
    CharSet::from_ranges(ranges.split_whitespace().map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        (code(first), code(last))
    }))
}

/// The lower-case and the upper-case form of a code point by the one-to-one mappings of Unicode
/// 15.0. A code point without such a form is its own form.
#[must_use]
pub fn simple_case_variants(code: u32) -> (u32, u32) {
    let Some(c) = char::from_u32(code) else { return (code, code) };
    let variants = (lower(c), upper(c));
    if c.is_ascii() {
        return (variants.0.into(), variants.1.into());
    }
    // The standard library may know letters of later versions.
    let assigned =
        |variant: char| if ASSIGNED.contains(variant.into()) { variant.into() } else { code };
    if ASSIGNED.contains(code) {
        (assigned(variants.0), assigned(variants.1))
    } else {
        (code, code)
    }
}

/// The code points that are assigned in Unicode 15.0.
static ASSIGNED: LazyLock<CharSet> =
    LazyLock::new(|| table("age=v15_0").expect("invariant: the tables know their version"));

fn lower(c: char) -> char {
    match only(c.to_lowercase()) {
        Some(lower) => lower,
        None if c == '\u{130}' => 'i',
        None => c,
    }
}

/// Small Greek letters with an iota subscript have two capital forms: two letters, or one
/// title-case letter, which is the one-to-one form.
fn upper(c: char) -> char {
    let title = |distance| char::from_u32(u32::from(c) + distance).unwrap_or(c);
    match only(c.to_uppercase()) {
        Some(upper) => upper,
        None => match c {
            '\u{1F80}'..='\u{1F87}' | '\u{1F90}'..='\u{1F97}' | '\u{1FA0}'..='\u{1FA7}' => title(8),
            '\u{1FB3}' | '\u{1FC3}' | '\u{1FF3}' => title(9),
            _ => c,
        },
    }
}

fn only(mut chars: impl ExactSizeIterator<Item = char>) -> Option<char> {
    if chars.len() == 1 { chars.next() } else { None }
}

#[cfg(test)]
mod tests {
    use super::{property, sets_in, simple_case_variants};

    /// Compares the number of code points, and some members, with those of ANTLR.
    fn check(names: &[&str], len: usize, members: &[u32]) {
        for name in names {
            let set = property(name).unwrap_or_else(|| panic!("{name} is known"));
            assert_eq!(set.len(), len, "{name}");
            members.iter().for_each(|&code| assert!(set.contains(code), "{name}: {code:x}"));
        }
    }

    #[test]
    fn general_categories() {
        check(
            &["Lu", "Uppercase_Letter", "gc=Lu", "General_Category=uppercase-letter"],
            1831,
            &[0x41],
        );
        check(&["L", "Letter", "LETTER"], 136_104, &[0x61, 0x4E00]);
        check(&["Nd", "digit", "Decimal_Number"], 680, &[0x30, 0x660]);
        check(&["Cs", "Surrogate"], 2048, &[0xD800, 0xDFFF]);
        check(&["Zl", "Line_Separator"], 1, &[0x2028]);
        check(&["Cn", "Unassigned"], 825_345, &[0x378, 0x1_FFFF]);
        check(&["Sc", "Currency_Symbol"], 63, &[0x24]);
    }

    #[test]
    fn names_with_a_different_meaning_in_antlr() {
        check(&["C", "Control"], 965_096, &[0, 0xD800, 0xE000, 0x10_FFFF]);
        check(&["Cc", "cntrl"], 65, &[0]);
        check(&["Space", "White_Space", "WSpace"], 25, &[0x20, 9]);
        check(&["Extended_Pictographic", "EP"], 2744, &[0x2605]);
        check(&["ExtPict"], 3537, &[0xA9]);
        check(&["EmojiRK"], 43, &[0x23, 0x1F1E6]);
        check(&["EmojiNRK"], 1381, &[0x1F600]);
        check(&["EmojiPresentation=EmojiDefault"], 1205, &[0x1F600]);
        check(&["EmojiPresentation=TextDefault"], 219, &[0x23]);
        check(&["EmojiPresentation=Text"], 1_112_688, &[0x41]);
    }

    #[test]
    fn scripts() {
        check(&["Greek", "Grek", "Script=Greek", "sc=grek", "SCRIPT=GREEK"], 518, &[0x3B1]);
        check(&["scx=Greek", "Script_Extensions=Grek"], 522, &[0x342]);
        check(&["Zzzz", "sc=Unknown"], 964_861, &[0xD800, 0xE000, 0x378]);
        check(&["Inherited", "Zinh", "Qaai"], 657, &[0x300]);
    }

    #[test]
    fn blocks() {
        check(
            &["InBasicLatin", "InBasic_Latin", "InASCII", "Block=Basic_Latin", "blk=ASCII"],
            128,
            &[0],
        );
        check(&["InLatin_1_Supplement", "InLatin-1_Supplement", "blk=latin_1"], 128, &[0x80, 0xFF]);
        check(&["InGreek", "InGreek_And_Coptic"], 144, &[0x370]);
        check(&["InNo_Block", "blk=NB"], 820_944, &[0x2FE0, 0x3_FFFF]);
    }

    #[test]
    fn binary_and_posix_properties() {
        check(&["Alphabetic", "Alpha"], 137_765, &[0x61]);
        check(&["ID_Start", "IDS"], 136_345, &[0x61]);
        check(&["XID_Continue", "XIDC"], 139_463, &[0x5F]);
        check(&["Emoji"], 1424, &[0x23]);
        check(&["Emoji_Presentation", "EPres"], 1205, &[0x1F600]);
        check(&["alnum"], 138_445, &[0x30]);
        check(&["blank"], 18, &[9, 0x20]);
        check(&["graph"], 286_635, &[0x21, 0xE000]);
        check(&["print"], 286_652, &[0x20]);
        check(&["xdigit"], 704, &[0x66, 0xFF11]);
    }

    #[test]
    fn enumerated_properties() {
        check(&["Grapheme_Cluster_Break=Extend", "GCB=EX"], 2130, &[0x300]);
        check(&["GCB=Control", "gcb=cn"], 3893, &[0]);
        check(&["GCB=Other", "gcb=xx"], 1_096_109, &[0x61, 0xD800]);
        check(&["GCB=E_Base", "wb=gaz"], 0, &[]);
        check(&["Word_Break=ALetter", "WB=LE"], 29_489, &[0x61]);
        check(&["Word_Break=Other"], 1_080_819, &[0x21, 0xD800]);
        check(&["Sentence_Break=STerm", "sb=st"], 151, &[0x21]);
        check(&["Line_Break=Alphabetic", "lb=al"], 22_215, &[0x61]);
        check(&["lb=SG", "Line_Break=Surrogate"], 2048, &[0xD800]);
        check(&["East_Asian_Width=Wide", "ea=W"], 182_412, &[0x1100]);
        check(&["ea=N", "East_Asian_Width=Neutral"], 792_623, &[0, 0xD800]);
    }

    #[test]
    fn unknown_names_are_unknown() {
        for name in ["", "Foo", "=", "sc=Foo", "InFoo", "Foo=Bar", "L}", "^L", "gc=", "In", "lb="] {
            assert_eq!(property(name), None, "{name}");
        }
    }

    #[test]
    fn files_name_each_set_once() {
        for (file, sets) in
            [(super::BLOCKS, 328), (super::EAST_ASIAN_WIDTH, 6), (super::LINE_BREAK, 43)]
        {
            assert_eq!(sets_in(file).count(), sets);
            let mut names: Vec<_> = sets_in(file).flat_map(|(names, _)| names.split(' ')).collect();
            names.sort_unstable();
            assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
        }
    }

    #[test]
    fn case_is_mapped_one_to_one() {
        let check = |code, lower, upper| {
            assert_eq!(simple_case_variants(code), (lower, upper), "{code:x}");
        };
        check(0x41, 0x61, 0x41);
        check(0x7A, 0x7A, 0x5A);
        check(0x31, 0x31, 0x31);
        check(0xDF, 0xDF, 0xDF);
        check(0x1E9E, 0xDF, 0x1E9E);
        check(0x130, 0x69, 0x130);
        check(0x131, 0x131, 0x49);
        check(0x1C5, 0x1C6, 0x1C4);
        check(0x1F80, 0x1F80, 0x1F88);
        check(0x1FB3, 0x1FB3, 0x1FBC);
        check(0x1F88, 0x1F80, 0x1F88);
        check(0x10D0, 0x10D0, 0x1C90);
        check(0x264, 0x264, 0x264);
        check(0x1_E943, 0x1_E943, 0x1_E921);
        check(0xD800, 0xD800, 0xD800);
        check(0x10D50, 0x10D50, 0x10D50);
    }
}
