//! Short bash scripts that every host has: what people see of programs that are not simulated by themselves. A file
//! system keeps their names ([`super::fs::Node::Script`]), so that neither a saved world nor the page's first prompt needs
//! their texts.

/// All of them, sorted by name.
const TEXTS: &[(&str, &str)] = &[
    ("activate", include_str!("activate.sh")),
    ("apptainer", include_str!("apptainer.sh")),
    ("cc", include_str!("cc.sh")),
    ("conda", include_str!("conda.sh")),
    ("conda-functions", include_str!("conda-functions.sh")),
    ("conda-installer", include_str!("conda-installer.sh")),
    ("git", include_str!("git.sh")),
    ("glost_launch", include_str!("glost_launch.sh")),
    ("lmod", include_str!("lmod.sh")),
    ("make", include_str!("make.sh")),
    ("mpirun", include_str!("mpirun.sh")),
    ("orted", include_str!("orted.sh")),
    ("parallel", include_str!("parallel.sh")),
    ("pip", include_str!("pip.sh")),
    ("small", include_str!("small.sh")),
    ("virtualenv", include_str!("virtualenv.sh")),
    ("wget", include_str!("wget.sh")),
];

/// Their names and lengths in bytes: a first prompt looks at files, and should not need the texts for that.
static LENGTHS: [(&str, usize); TEXTS.len()] = {
    let mut all = [("", 0); TEXTS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = (TEXTS[at].0, TEXTS[at].1.len());
        at += 1;
    }
    all
};

/// How long the text of a script is, bytes.
#[must_use]
pub fn length(name: &str) -> usize {
    let place = LENGTHS.binary_search_by_key(&name, |script| script.0);
    place.ok().and_then(|at| LENGTHS.get(at)).map_or(0, |script| script.1)
}

/// The text of a script; nothing, if there is none of this name.
// A function of its own in WebAssembly too, so that the texts can come after the first prompt.
#[inline(never)]
#[must_use]
pub fn text(name: &str) -> &'static [u8] {
    let place = TEXTS.binary_search_by_key(&name, |script| script.0);
    place.ok().and_then(|at| TEXTS.get(at)).map_or(&[], |script| script.1.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_stand_in_order() {
        assert!(TEXTS.is_sorted_by_key(|script| script.0));
        assert!(text("make").starts_with(b"#!"));
        assert!(text("nobody").is_empty() && length("nobody") == 0);
        assert!(TEXTS.iter().all(|script| length(script.0) == text(script.0).len()));
    }
}
