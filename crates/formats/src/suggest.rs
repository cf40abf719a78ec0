//! "Did you mean": the known name that is closest to an unknown one.

/// The candidate closest to `wrong`, if one is close enough.
#[must_use]
pub fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = wrong.chars().count();
    // A name of one or two letters is close to everything.
    let allowed = length / 3;
    candidates
        .into_iter()
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= allowed)
        .map(|candidate| (distance(wrong, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn distance(wrong: &str, candidate: &str) -> usize {
    if wrong.eq_ignore_ascii_case(candidate) {
        return 0;
    }
    strsim::damerau_levenshtein(wrong, candidate)
}

/// The help with the closest candidate, if there is one.
#[must_use]
pub fn did_you_mean<'a>(
    wrong: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(wrong, candidates).map(|name| format!("did you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn only_close_names_are_suggested() {
        let check = |wrong, expected| {
            assert_eq!(nearest(wrong, ["expression", "term", "ID"]), expected, "{wrong}");
        };
        check("expresion", Some("expression"));
        check("expr", None);
        check("tern", Some("term"));
        check("id", Some("ID"));
        check("statement", None);
        check("IF", None);
        check("x", None);
    }
}
