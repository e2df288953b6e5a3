//! From path to inode, and who may do what: `path_resolution(7)`.

use super::{Access, Errno, Fs, Ino, Inode, Node, ROOT};
use crate::base::ids::{Gid, Uid};

/// Longest path, bytes.
const PATH_MAX: usize = 4096;
/// Longest name, bytes.
const NAME_MAX: usize = 255;
/// Most symbolic links in one walk.
const MAX_LINKS: u32 = 40;

/// Where a path leads: a name in a directory, taken or not.
pub(super) struct Place {
    /// The directory.
    pub dir: Ino,
    /// The name in it; empty for the root.
    pub name: String,
    /// What has the name.
    pub ino: Option<Ino>,
    /// The path ends in a slash: only a directory will do.
    pub slash: bool,
    /// The directories on the way, `dir` included.
    pub trail: Vec<Ino>,
}

/// A walk under way.
struct Walk<'a> {
    dirs: Vec<Ino>,
    /// Names of `dirs`, the root's left out.
    names: Vec<&'a str>,
    /// Components still to go, the next one last.
    rest: Vec<&'a str>,
    links: u32,
    slash: bool,
}

impl<'a> Walk<'a> {
    /// Puts a path (or a link's target) in front of what is still to go.
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

    /// Ends at a name in the current directory.
    fn end(self, name: &str, ino: Option<Ino>) -> (Place, Vec<&'a str>) {
        let place =
            Place { dir: self.dir(), name: name.to_owned(), ino, slash: self.slash, trail: self.dirs };
        (place, self.names)
    }

    /// Ends at the current directory itself.
    fn end_here(mut self) -> (Place, Vec<&'a str>) {
        let ino = self.dir();
        if self.dirs.len() > 1 {
            self.dirs.pop();
        }
        let name = self.names.pop().unwrap_or_default();
        self.end(name, Some(ino))
    }
}

impl Fs {
    /// Walks a path; the last component need not exist. A last symbolic link is followed if `follow`, or if a slash
    /// stands after it.
    pub(super) fn walk(&self, uid: Uid, path: &str, follow: bool) -> Result<Place, Errno> {
        Ok(self.walk_names(uid, path, follow)?.0)
    }

    /// A walk, and the names of the directories on the way (the root's left out).
    fn walk_names<'a>(
        &'a self,
        uid: Uid,
        path: &'a str,
        follow: bool,
    ) -> Result<(Place, Vec<&'a str>), Errno> {
        let mut walk = Walk { dirs: vec![ROOT], names: Vec::new(), rest: Vec::new(), links: 0, slash: false };
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
                Node::Link(target) if !last || follow || walk.slash => {
                    walk.links += 1;
                    if walk.links > MAX_LINKS {
                        return Err(Errno::ELOOP);
                    }
                    walk.push(target)?;
                }
                Node::Dir(_) => {
                    walk.dirs.push(ino);
                    walk.names.push(name);
                }
                Node::Hosts(_) => return Err(Errno::ENOENT),
                Node::File(_) | Node::Link(_) | Node::Program(_) | Node::Script(_) | Node::Device(_) => {
                    if !last || walk.slash {
                        return Err(Errno::ENOTDIR);
                    }
                    return Ok(walk.end(name, Some(ino)));
                }
            }
        }
        Ok(walk.end_here())
    }

    /// What a path leads to.
    pub(super) fn find(&self, uid: Uid, path: &str, follow: bool) -> Result<Ino, Errno> {
        let who = (uid, self.view());
        if let Some(ino) = self.recent.find(who, path) {
            return Ok(ino);
        }
        match self.straight(uid, path) {
            Some(found) => {
                found.iter().for_each(|ino| self.recent.note(who, path, *ino));
                found
            }
            None => self.walk(uid, path, follow)?.ino.ok_or(Errno::ENOENT),
        }
    }

    /// The way that most paths go: down from the root, through directories only. None: it is for [`Fs::walk`] to say.
    fn straight(&self, uid: Uid, path: &str) -> Option<Result<Ino, Errno>> {
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
            let Node::Dir(entries) = &inode.node else { return None };
            if !self.allows(uid, inode, Access::Exec) {
                return None;
            }
            let Some(next) = entries.get(name) else {
                return more.is_none().then_some(Err(Errno::ENOENT));
            };
            ino = *next;
            inode = self.inodes.get(ino)?;
            if let Node::Hosts(_) = inode.node {
                ino = self.through(ino);
                inode = self.inodes.get(ino)?;
            }
            if matches!(inode.node, Node::Hosts(_) | Node::Link(_)) {
                return None;
            }
            match more {
                None => return Some(Ok(ino)),
                Some(more) => rest = more,
            }
        }
    }

    /// The inode at an absolute path, symbolic links followed (also the last one).
    pub fn lookup(&self, uid: Uid, path: &str) -> Result<Ino, Errno> {
        self.find(uid, path, true)
    }

    /// `realpath(3)`, but the last component need not exist (`readlink -f`).
    pub fn real_path(&self, uid: Uid, path: &str) -> Result<String, Errno> {
        let (place, mut names) = self.walk_names(uid, path, true)?;
        names.push(&place.name);
        Ok(format!("/{}", names.join("/")))
    }

    /// Whether `uid` may access an inode in this way: `EACCES` if not. Root may everything but execute a file without
    /// any execute bit.
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
            access != Access::Exec || matches!(inode.node, Node::Dir(_)) || inode.mode & 0o111 != 0
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
