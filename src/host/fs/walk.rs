//! Path resolution and permission checks: `path_resolution(7)`.

use super::{Access, Errno, Fs, Ino, Inode, InodeContent, ROOT};
use base::ids::{Gid, Uid};

/// Maximum length of a path in bytes, with its terminating zero.
pub const PATH_MAX: usize = 4096;
/// Maximum name length in bytes.
const NAME_MAX: usize = 255;
/// Maximum number of symbolic links followed in one resolution.
const MAX_LINKS: u32 = 40;

/// The result of resolving a path: a name in a directory, whether it exists or not.
pub(super) struct ResolvedPath {
    /// The parent directory.
    pub dir: Ino,
    /// The name in it; empty for the root directory.
    pub name: String,
    /// The inode of that name.
    pub ino: Option<Ino>,
    /// Whether the path ends in a slash, so only a directory matches.
    pub slash: bool,
    /// The directories traversed, including `dir`.
    pub trail: Vec<Ino>,
}

/// A path resolution in progress.
struct PathWalk<'a> {
    dirs: Vec<Ino>,
    /// Names of `dirs` without the root.
    names: Vec<&'a str>,
    /// Remaining components, the next one last.
    rest: Vec<&'a str>,
    links: u32,
    slash: bool,
}

impl<'a> PathWalk<'a> {
    /// Prepends a path or a link target to the remaining components.
    fn push(&mut self, path: &'a str) -> Result<(), Errno> {
        if path.is_empty() {
            return Err(Errno::ENOENT);
        }
        if path.len() >= PATH_MAX {
            return Err(Errno::ENAMETOOLONG);
        }
        if path.starts_with('/') {
            self.dirs.truncate(1);
            self.names.clear();
        }
        if self.rest.is_empty() {
            self.slash |= path.ends_with('/') || path.ends_with("/.");
        }
        self.rest.extend(path.rsplit('/').filter(|part| !matches!(*part, "" | ".")));
        Ok(())
    }

    fn dir(&self) -> Ino {
        self.dirs.last().copied().unwrap_or(ROOT)
    }

    /// Finishes at a name in the current directory.
    fn end(self, name: &str, ino: Option<Ino>) -> (ResolvedPath, Vec<&'a str>) {
        let resolved =
            ResolvedPath { dir: self.dir(), name: name.to_owned(), ino, slash: self.slash, trail: self.dirs };
        (resolved, self.names)
    }

    /// Finishes at the current directory itself.
    fn end_here(mut self) -> (ResolvedPath, Vec<&'a str>) {
        let ino = self.dir();
        if self.dirs.len() > 1 {
            self.dirs.pop();
        }
        let name = self.names.pop().unwrap_or_default();
        self.end(name, Some(ino))
    }
}

impl Fs {
    /// Resolves a path; the last component need not exist. Follows a symbolic link in the last component if
    /// `follow`, or if a slash follows it.
    pub(super) fn walk(&self, uid: Uid, path: &str, follow: bool) -> Result<ResolvedPath, Errno> {
        Ok(self.walk_names(uid, path, follow)?.0)
    }

    /// Resolves a path; also returns the names of the directories traversed, without the root.
    fn walk_names<'a>(
        &'a self,
        uid: Uid,
        path: &'a str,
        follow: bool,
    ) -> Result<(ResolvedPath, Vec<&'a str>), Errno> {
        let mut walk =
            PathWalk { dirs: vec![ROOT], names: Vec::new(), rest: Vec::new(), links: 0, slash: false };
        walk.push(path)?;
        while let Some(name) = walk.rest.pop() {
            let dir = walk.dir();
            self.permit(uid, dir, Access::Exec)?;
            if name == ".." {
                if walk.dirs.len() > 1 {
                    walk.dirs.pop();
                    walk.names.pop();
                }
                continue;
            }
            if name.len() > NAME_MAX {
                return Err(Errno::ENAMETOOLONG);
            }
            let last = walk.rest.is_empty();
            let Some(ino) = self.dir(dir)?.get(name).copied() else {
                return if last { Ok(walk.end(name, None)) } else { Err(Errno::ENOENT) };
            };
            let ino = self.through(ino);
            match &self.get(ino)?.node {
                InodeContent::Link(target) if !last || follow || walk.slash => {
                    walk.links += 1;
                    if walk.links > MAX_LINKS {
                        return Err(Errno::ELOOP);
                    }
                    walk.push(target)?;
                }
                InodeContent::Dir(_) => {
                    walk.dirs.push(ino);
                    walk.names.push(name);
                }
                InodeContent::Hosts(_) => return Err(Errno::ENOENT),
                InodeContent::File(_)
                | InodeContent::Link(_)
                | InodeContent::Program(_)
                | InodeContent::Script(_)
                | InodeContent::Device(_) => {
                    if !last || walk.slash {
                        return Err(Errno::ENOTDIR);
                    }
                    return Ok(walk.end(name, Some(ino)));
                }
            }
        }
        Ok(walk.end_here())
    }

    /// The inode of a path.
    pub(super) fn find(&self, uid: Uid, path: &str, follow: bool) -> Result<Ino, Errno> {
        let who = (uid, self.view());
        if let Some(ino) = self.recent.find(who, path) {
            return Ok(ino);
        }
        match self.descend(uid, path) {
            Some(found) => {
                found.iter().for_each(|ino| self.recent.note(who, path, *ino));
                found
            }
            None => self.walk(uid, path, follow)?.ino.ok_or(Errno::ENOENT),
        }
    }

    /// Fast path: descends from the root through directories only. `None` if [`Fs::walk`] must decide.
    fn descend(&self, uid: Uid, path: &str) -> Option<Result<Ino, Errno>> {
        if !path.starts_with('/') || path.len() >= PATH_MAX {
            return None;
        }
        let (mut ino, mut rest) = (ROOT, path.get(1..)?);
        let mut inode = self.inodes.get(ino)?;
        loop {
            let (name, more) = rest.split_once('/').map_or((rest, None), |(name, more)| (name, Some(more)));
            if matches!(name, "" | "." | "..") || name.len() > NAME_MAX {
                return None;
            }
            let InodeContent::Dir(entries) = &inode.node else { return None };
            if !self.allows(uid, inode, Access::Exec) {
                return None;
            }
            let Some(next) = entries.get(name) else {
                return more.is_none().then_some(Err(Errno::ENOENT));
            };
            ino = *next;
            inode = self.inodes.get(ino)?;
            if let InodeContent::Hosts(_) = inode.node {
                ino = self.through(ino);
                inode = self.inodes.get(ino)?;
            }
            if matches!(inode.node, InodeContent::Hosts(_) | InodeContent::Link(_)) {
                return None;
            }
            match more {
                None => return Some(Ok(ino)),
                Some(more) => rest = more,
            }
        }
    }

    /// The inode of a path in the simulation, with symbolic links followed.
    #[cfg(feature = "real-host")]
    pub(crate) fn find_inside(&self, uid: Uid, path: &str) -> Result<Ino, Errno> {
        self.find(uid, path, true)
    }

    /// The inode of an absolute path, with symbolic links followed.
    pub fn lookup(&self, uid: Uid, path: &str) -> Result<Ino, Errno> {
        self.find(uid, path, true)
    }

    /// `realpath(3)`, except that the last component need not exist (`readlink -f`).
    pub fn real_path(&self, uid: Uid, path: &str) -> Result<String, Errno> {
        let (resolved, mut names) = self.walk_names(uid, path, true)?;
        names.push(&resolved.name);
        Ok(format!("/{}", names.join("/")))
    }

    /// Checks access to an inode: `EACCES` if denied. Root may do anything except execute a file without any
    /// execute bit.
    pub fn permit(&self, uid: Uid, ino: Ino, access: Access) -> Result<(), Errno> {
        if self.allows(uid, self.get(ino)?, access) { Ok(()) } else { Err(Errno::EACCES) }
    }

    fn allows(&self, uid: Uid, inode: &Inode, access: Access) -> bool {
        let bit = match access {
            Access::Read => 4,
            Access::Write => 2,
            Access::Exec => 1,
        };
        if uid == Uid(0) {
            access != Access::Exec || matches!(inode.node, InodeContent::Dir(_)) || inode.mode & 0o111 != 0
        } else if uid == inode.uid {
            inode.mode >> 6 & bit != 0
        } else if self.is_member(uid, inode.gid) {
            inode.mode >> 3 & bit != 0
        } else {
            inode.mode & bit != 0
        }
    }

    /// Whether a user is in a group.
    #[must_use]
    pub fn is_member(&self, uid: Uid, gid: Gid) -> bool {
        let listed = self.groups.binary_search_by_key(&uid, |(user, _)| *user).ok();
        let groups = listed.and_then(|at| self.groups.get(at));
        gid.0 == uid.0 || groups.is_some_and(|(_, groups)| groups.contains(&gid))
    }
}
