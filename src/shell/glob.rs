//! Pathname expansion over the simulated file system.

use super::ShellContext;
use super::pattern::{Pattern, has_wildcards, unmarked};
use base::order::StableSort as _;
use host::fs::FileKind;
use host::path::join;

/// Maximum number of names from one pattern.
const MAX_NAMES: usize = 100_000;
/// Maximum depth of `**`.
const MAX_DEPTH: u32 = 40;

/// Matching options.
#[derive(Clone, Copy, Debug)]
pub struct GlobOptions {
    /// `dotglob`
    pub dots: bool,
    /// `nocaseglob`
    pub fold: bool,
    /// `extglob`
    pub extglob: bool,
    /// `globstar`
    pub deep: bool,
}

/// The names that match a marked pattern, sorted; empty if there are none.
#[must_use]
pub fn expand(cx: &mut ShellContext, marked: &str, options: GlobOptions) -> Vec<String> {
    let Some(process) = cx.kernel.process(cx.pid) else { return Vec::new() };
    let (uid, cwd) = (process.origin.uid, process.cwd.to_string());
    let root = if marked.starts_with('/') { "/" } else { "" };
    let mut found = vec![root.to_owned()];
    let parts: Vec<&str> = marked.split('/').filter(|p| !p.is_empty()).collect();
    let directories_only = marked.ends_with('/');
    for (i, part) in parts.iter().enumerate() {
        let last = i + 1 == parts.len();
        let mut next = Vec::new();
        for base in &found {
            if next.len() > MAX_NAMES {
                break;
            }
            if options.deep && *part == "**" {
                next.push(base.clone());
                deep(cx, uid, &cwd, base, options, last, 0, &mut next);
                continue;
            }
            if !has_wildcards(part, options.extglob) {
                let path = format!("{base}{}", unmarked(part));
                if cx.kernel.fs.lstat(uid, &join(&cwd, &path)).is_ok() {
                    next.push(path);
                }
                continue;
            }
            let pattern = Pattern::new(part, options.extglob, options.fold);
            let dots = options.dots || pattern.begins_with_dot();
            let directory = if base.is_empty() { cwd.clone() } else { join(&cwd, base) };
            let names = cx.kernel.fs.list(uid, &directory).unwrap_or_default();
            cx.spend(4 * names.len());
            let hits = names.into_iter().filter(|n| (dots || !n.starts_with('.')) && pattern.matches(n));
            next.extend(hits.map(|n| format!("{base}{n}")));
        }
        if !last || directories_only {
            next.retain(|p| {
                p.is_empty() || cx.kernel.fs.stat(uid, &join(&cwd, p)).is_ok_and(|s| s.kind == FileKind::Dir)
            });
            next.iter_mut().filter(|p| !p.is_empty() && !p.ends_with('/')).for_each(|p| p.push('/'));
        }
        found = next;
    }
    found.retain(|p| !p.is_empty());
    found.order();
    found.dedup();
    found
}

/// The matches of `**` below a directory.
#[allow(clippy::too_many_arguments, reason = "the state of a recursion")]
fn deep(
    cx: &mut ShellContext,
    uid: base::ids::Uid,
    cwd: &str,
    base: &str,
    options: GlobOptions,
    files: bool,
    depth: u32,
    found: &mut Vec<String>,
) {
    if depth > MAX_DEPTH || found.len() > MAX_NAMES {
        return;
    }
    let directory = if base.is_empty() { cwd.to_owned() } else { join(cwd, base) };
    for name in cx.kernel.fs.list(uid, &directory).unwrap_or_default() {
        if name.starts_with('.') && !options.dots {
            continue;
        }
        let path = format!("{base}{name}");
        let is_dir = cx.kernel.fs.lstat(uid, &join(cwd, &path)).is_ok_and(|s| s.kind == FileKind::Dir);
        if is_dir {
            let inner = format!("{path}/");
            found.push(if files { path } else { inner.clone() });
            deep(cx, uid, cwd, &inner, options, files, depth + 1, found);
        } else if files {
            found.push(path);
        }
    }
}
