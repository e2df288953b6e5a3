//! Bash scripts installed on every host, in place of programs that are not simulated themselves. A file
//! system stores only their names ([`super::fs::InodeContent::Script`]), so neither a saved world nor the first
//! prompt needs their texts.

/// All scripts, sorted by name.
const TEXTS: &[(&str, &str)] = &[
    ("activate", include_str!("activate.sh")),
    ("apptainer", include_str!("apptainer.sh")),
    ("conda", include_str!("conda.sh")),
    ("conda-functions", include_str!("conda-functions.sh")),
    ("conda-installer", include_str!("conda-installer.sh")),
    ("git", include_str!("git.sh")),
    ("glost_launch", include_str!("glost_launch.sh")),
    ("lmod", include_str!("lmod.sh")),
    ("make", include_str!("make.sh")),
    ("mpirun", include_str!("mpirun.sh")),
    ("orted", include_str!("orted.sh")),
    ("packages", include_str!("packages.txt")),
    ("parallel", include_str!("parallel.sh")),
    ("pip", include_str!("pip.sh")),
    ("small", include_str!("small.sh")),
    ("virtualenv", include_str!("virtualenv.sh")),
    ("wget", include_str!("wget.sh")),
];

/// Names and lengths in bytes: listing files at the first prompt must not need the texts.
static LENGTHS: [(&str, usize); TEXTS.len()] = {
    let mut all = [("", 0); TEXTS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = (TEXTS[at].0, TEXTS[at].1.len());
        at += 1;
    }
    all
};

/// The length of a script in bytes.
#[must_use]
pub fn length(name: &str) -> usize {
    let found = LENGTHS.binary_search_by_key(&name, |script| script.0);
    found.ok().and_then(|at| LENGTHS.get(at)).map_or(0, |script| script.1)
}

/// The text of a script; empty if the name is unknown.
// Not inlined in WebAssembly, so the texts can be in the deferred module.
#[inline(never)]
#[must_use]
pub fn text(name: &str) -> &'static [u8] {
    let found = TEXTS.binary_search_by_key(&name, |script| script.0);
    found.ok().and_then(|at| TEXTS.get(at)).map_or(&[], |script| script.1.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_sorted() {
        assert!(TEXTS.is_sorted_by_key(|script| script.0));
        assert!(text("make").starts_with(b"#!"));
        assert!(text("nobody").is_empty() && length("nobody") == 0);
        assert!(TEXTS.iter().all(|script| length(script.0) == text(script.0).len()));
    }
}
