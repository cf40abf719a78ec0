//! Nearly correct texts: those of random trees with a few characters changed. Most are wrong, some
//! are correct in another way, and the verdicts must agree on all of them.

use gramercy_testkit::random::Random;

/// A text with one to three edits; inserted text comes from the text itself or from another.
#[must_use]
pub fn mutant(text: &str, other: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let mut pool = letters.clone();
    pool.extend(other.chars());
    for _ in 0..=random.below(3) {
        edit(&mut letters, &pool, random);
    }
    letters.into_iter().collect()
}

fn edit(letters: &mut Vec<char>, pool: &[char], random: &mut Random) {
    let at = random.below(letters.len() + 1);
    let to = (at + 1 + random.below(4)).min(letters.len());
    match random.below(7) {
        0 | 1 if at < letters.len() => drop(letters.drain(at..to)),
        2 if at < letters.len() => letters.extend_from_within(at..to),
        3 if at + 1 < letters.len() => letters.swap(at, at + 1),
        4 => letters.truncate(at),
        5 if at < letters.len() && !pool.is_empty() => letters[at] = *random.pick(pool),
        _ if !pool.is_empty() => letters.insert(at, *random.pick(pool)),
        _ => {}
    }
}
