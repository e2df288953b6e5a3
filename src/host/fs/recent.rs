//! A cache of the last path lookup: starting a program resolves its path twice, and the next program often
//! has the same path.

use super::{HostView, Ino};
use base::ids::Uid;
use std::cell::Cell;
use std::fmt;

/// The last lookup; valid until anything but file content changes.
#[derive(Default)]
pub(super) struct LookupCache(Cell<Option<Box<CachedLookup>>>);

struct CachedLookup {
    who: (Uid, HostView),
    path: String,
    ino: Ino,
}

impl fmt::Debug for LookupCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LookupCache")
    }
}

/// A clone starts with an empty cache.
impl Clone for LookupCache {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl LookupCache {
    /// The cached inode of a path.
    pub(super) fn find(&self, who: (Uid, HostView), path: &str) -> Option<Ino> {
        let cached = self.0.take()?;
        let found = (cached.who == who && cached.path == path).then_some(cached.ino);
        self.0.set(Some(cached));
        found
    }

    /// Caches a lookup.
    pub(super) fn note(&self, who: (Uid, HostView), path: &str, ino: Ino) {
        let mut cached =
            self.0.take().unwrap_or_else(|| Box::new(CachedLookup { who, path: String::new(), ino }));
        (cached.who, cached.ino) = (who, ino);
        cached.path.clear();
        cached.path.push_str(path);
        self.0.set(Some(cached));
    }
}
