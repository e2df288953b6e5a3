//! Lexical path operations: joining and normalising, without file access.

/// Resolves `path` against the absolute `cwd`: removes `.`, `..`, doubled and trailing slashes.
#[must_use]
pub fn resolve(cwd: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let base = if path.starts_with('/') { "" } else { cwd };
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Joins `path` to `cwd` and keeps `..`, because after a symbolic link it must be resolved in the file
/// system. An empty path stays empty: it names nothing.
#[must_use]
pub fn join(cwd: &str, path: &str) -> String {
    if path.is_empty() || path.starts_with('/') { path.to_owned() } else { format!("{cwd}/{path}") }
}

/// The last component: `basename`.
#[must_use]
pub fn base_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// The directory of an absolute path.
#[must_use]
pub fn parent(path: &str) -> &str {
    match path.trim_end_matches('/').rfind('/') {
        None | Some(0) => "/",
        Some(i) => &path[..i],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_resolved() {
        assert_eq!(resolve("/home/alice", "a/../b//c/."), "/home/alice/b/c");
        assert_eq!(resolve("/home/alice", "/tmp/"), "/tmp");
        assert_eq!(resolve("/", "../.."), "/");
        assert_eq!((base_name("/a/b/"), parent("/a/b"), parent("/a")), ("b", "/a", "/"));
    }
}
