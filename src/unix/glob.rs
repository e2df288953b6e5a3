//! Matches names against shell patterns, for find(1) and grep's `--include`.

/// Whether a name matches a shell pattern (`*`, `?`, `[a-z]`, `\x`).
#[must_use]
pub fn glob(pattern: &str, name: &str) -> bool {
    let (p, n): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // Where to continue after the last `*` if the rest does not match.
    let mut star: Option<(usize, usize)> = None;
    let (mut i, mut j) = (0, 0);
    while j < n.len() {
        let step = match p.get(i) {
            Some('*') => {
                star = Some((i + 1, j));
                i += 1;
                continue;
            }
            Some('?') => Some(1),
            Some('[') => {
                set(p.get(i..).unwrap_or_default(), n[j]).unwrap_or_else(|| (n[j] == '[').then_some(1))
            }
            Some('\\') if p.get(i + 1) == Some(&n[j]) => Some(2),
            Some(c) if *c == n[j] => Some(1),
            Some(_) | None => None,
        };
        match (step, star) {
            (Some(step), _) => (i, j) = (i + step, j + 1),
            (None, Some((after, from))) => {
                (i, j) = (after, from + 1);
                star = Some((after, from + 1));
            }
            (None, None) => return false,
        }
    }
    p.get(i..).unwrap_or_default().iter().all(|c| *c == '*')
}

/// Parses `[...]` at the start of a pattern. `None` if it is not a set; otherwise the length if `c` is in the set.
fn set(pattern: &[char], c: char) -> Option<Option<usize>> {
    let negated = matches!(pattern.get(1), Some('!' | '^'));
    let start = 1 + usize::from(negated);
    let end = (start + 1..pattern.len()).find(|i| pattern.get(*i) == Some(&']'))?;
    let members = pattern.get(start..end)?;
    let mut found = false;
    let mut i = 0;
    while let Some(&from) = members.get(i) {
        match (members.get(i + 1), members.get(i + 2)) {
            (Some('-'), Some(&to)) => {
                found |= (from..=to).contains(&c);
                i += 3;
            }
            _ => {
                found |= from == c;
                i += 1;
            }
        }
    }
    Some((found != negated).then_some(end + 1))
}

#[cfg(test)]
mod tests {
    use super::glob;

    #[test]
    fn globs() {
        for (pattern, name, expected) in [
            ("*.out", "slurm-1.out", true),
            ("*.out", "slurm.outx", false),
            ("a?c", "abc", true),
            ("[a-c]*[!0-9]", "b1x", true),
            ("[a-c]*[!0-9]", "b12", false),
            ("a*b*c", "aXbYbZc", true),
            ("\\*", "*", true),
            ("[", "[", true),
        ] {
            assert_eq!(glob(pattern, name), expected, "{pattern} {name}");
        }
    }
}
