//! Edited files, and what differs in them.

use std::io;
use std::path::{Path, PathBuf};

use gramercy_base::IndexMap;
use gramercy_formats::Files;

/// Files of which some have another text.
#[derive(Debug)]
pub struct PatchedFiles<'f, F: ?Sized> {
    /// All files.
    pub files: &'f F,
    /// The other texts.
    pub texts: IndexMap<PathBuf, String>,
}

impl<F: Files + ?Sized> Files for PatchedFiles<'_, F> {
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>> {
        match self.texts.get(path) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => self.files.read(path, limit),
        }
    }

    fn exists(&self, path: &Path) -> bool {
        self.texts.contains_key(path) || self.files.exists(path)
    }
}

/// Lines around a change that are shown.
const CONTEXT: usize = 3;

/// The difference of two texts, as `diff -u` shows it. The lines between the first and the last change are compared by
/// their longest common subsequence, quadratic in their number.
#[must_use]
pub fn unified_diff(name: &str, old: &str, new: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let steps = steps(&old, &new);
    let mut text = format!("--- {name}\n+++ {name}\n");
    let changes: Vec<_> =
        steps.iter().enumerate().filter(|(_, step)| step.0 != ' ').map(|(at, _)| at).collect();
    let mut next = 0;
    while next < changes.len() {
        let first = changes[next].saturating_sub(CONTEXT);
        let mut last = changes[next];
        while next < changes.len() && changes[next] <= last + 2 * CONTEXT {
            last = changes[next];
            next += 1;
        }
        let hunk = &steps[first..steps.len().min(last + CONTEXT + 1)];
        let before = |kind: char| 1 + steps[..first].iter().filter(|step| step.0 != kind).count();
        let lines = |kind: char| hunk.iter().filter(|step| step.0 != kind).count();
        text += &format!("@@ -{},{} +{},{} @@\n", before('+'), lines('+'), before('-'), lines('-'));
        for (kind, line) in hunk {
            text += &format!("{kind}{line}\n");
        }
    }
    text
}

/// All lines, each with ` `, `-` or `+`.
fn steps<'l>(old: &[&'l str], new: &[&'l str]) -> Vec<(char, &'l str)> {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&old_rest[..old_rest.len() - end], &new_rest[..new_rest.len() - end]);
    let mut common = vec![vec![0_u32; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i][j] = match a[i] == b[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let mut steps: Vec<_> = old[..start].iter().map(|line| (' ', *line)).collect();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            steps.push((' ', a[i]));
            (i, j) = (i + 1, j + 1);
        } else if i < a.len() && (j == b.len() || common[i + 1][j] >= common[i][j + 1]) {
            steps.push(('-', a[i]));
            i += 1;
        } else {
            steps.push(('+', b[j]));
            j += 1;
        }
    }
    steps.extend(old[old.len() - end..].iter().map(|line| (' ', *line)));
    steps
}

#[cfg(test)]
mod tests {
    use super::unified_diff;

    #[test]
    fn a_changed_line_has_three_lines_of_context() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n";
        let expected = "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n";
        assert_eq!(unified_diff("f", old, new), expected);
    }

    #[test]
    fn far_changes_are_hunks_of_their_own() {
        let old: String = (0..30).map(|n| format!("{n}\n")).collect();
        let new = old.replace("3\n4\n", "3\nx\n4\n").replace("25\n", "");
        let diff = unified_diff("f", &old, &new);
        assert_eq!(diff.matches("@@ ").count(), 2, "{diff}");
        assert!(diff.contains("\n+x\n") && diff.contains("\n-25\n"), "{diff}");
    }
}
