//! Changes of the tree: creating, removing and renaming entries.

use super::walk::ResolvedPath;
use super::{Access, Errno, Fs, Ino, Inode, InodeContent, MAX_INODES, content};
use base::ids::{Gid, Uid};
use base::time::Time;
use std::collections::BTreeMap;
use std::sync::Arc;

const ROOT_UID: Uid = Uid(0);
/// In a directory with this bit, only the owner of a file or of the directory may remove the file.
const STICKY: u32 = 0o1000;
/// In a directory with this bit, new files inherit the directory's group.
const SETGID: u32 = 0o2000;

impl Fs {
    /// Creates an empty regular file; `EEXIST` if the name exists.
    pub fn create(&mut self, uid: Uid, path: &str, mode: u32, now: Time) -> Result<Ino, Errno> {
        let resolved = self.walk(uid, path, true)?;
        if resolved.ino.is_none() && resolved.slash {
            return Err(Errno::EISDIR);
        }
        self.make_at(uid, resolved, InodeContent::File(Arc::default()), mode, now)
    }

    /// Installs a built-in program, as root.
    pub fn install(&mut self, path: &str, program: &str, now: Time) -> Result<(), Errno> {
        self.put(path, InodeContent::Program(program.to_owned()), now)
    }

    /// Installs one of our scripts, executable by all users.
    pub fn install_script(&mut self, path: &str, script: &str, now: Time) -> Result<(), Errno> {
        self.put(path, InodeContent::Script(script.to_owned()), now)
    }

    fn put(&mut self, path: &str, node: InodeContent, now: Time) -> Result<(), Errno> {
        let dir = super::super::path::parent(path);
        if self.lookup(ROOT_UID, dir).is_err() {
            self.mkdir_all(dir, ROOT_UID, 0o755, now)?;
        }
        if self.lstat(ROOT_UID, path).is_ok() {
            self.unlink(ROOT_UID, path, now)?;
        }
        self.make(ROOT_UID, path, node, 0o755, now).map(drop)
    }

    /// `mkdir(2)`.
    pub fn mkdir(&mut self, uid: Uid, path: &str, mode: u32, now: Time) -> Result<(), Errno> {
        #[cfg(feature = "real-host")]
        if let Some(real_host) = self.real_host_at(uid, path) {
            return real_host.mkdir(path, mode);
        }
        self.make(uid, path, InodeContent::Dir(BTreeMap::new()), mode, now).map(drop)
    }

    /// `mkdir -p` as root; `owner` owns the last directory.
    pub fn mkdir_all(&mut self, path: &str, owner: Uid, mode: u32, now: Time) -> Result<(), Errno> {
        let path = super::super::path::resolve("/", path);
        let ends = path.match_indices('/').map(|(at, _)| at).skip(1).chain([path.len()]);
        for end in ends.filter(|end| *end > 1) {
            let bits = if end == path.len() { mode } else { 0o755 };
            match self.mkdir(ROOT_UID, &path[..end], bits, now) {
                Ok(()) => {}
                Err(Errno::EEXIST) => {
                    let ino = self.lookup(ROOT_UID, &path[..end])?;
                    self.dir(ino)?;
                }
                Err(error) => return Err(error),
            }
        }
        self.chown(ROOT_UID, &path, owner)
    }

    /// `symlink(2)`.
    pub fn symlink(&mut self, uid: Uid, target: &str, path: &str, now: Time) -> Result<(), Errno> {
        if target.is_empty() {
            return Err(Errno::ENOENT);
        }
        if target.len() >= 4096 {
            return Err(Errno::ENAMETOOLONG);
        }
        self.make(uid, path, InodeContent::Link(target.to_owned()), 0o777, now).map(drop)
    }

    /// `link(2)`: adds a name to a file.
    pub fn link(&mut self, uid: Uid, from: &str, to: &str, now: Time) -> Result<(), Errno> {
        let ino = self.find(uid, from, false)?;
        if self.dir(ino).is_ok() {
            return Err(Errno::EPERM);
        }
        let resolved = self.walk(uid, to, false)?;
        self.vacant(uid, &resolved)?;
        if self.get(ino)?.volume != self.get(resolved.dir)?.volume {
            return Err(Errno::EXDEV);
        }
        self.get_mut(ino)?.links += 1;
        self.dir_mut(resolved.dir, now)?.insert(resolved.name, ino);
        Ok(())
    }

    /// Creates an inode at a path; a symbolic link as its last component is not followed.
    pub(super) fn make(
        &mut self,
        uid: Uid,
        path: &str,
        node: InodeContent,
        mode: u32,
        now: Time,
    ) -> Result<Ino, Errno> {
        let resolved = self.walk(uid, path, false)?;
        if resolved.ino.is_none() && resolved.slash && !matches!(node, InodeContent::Dir(_)) {
            return Err(Errno::ENOENT);
        }
        self.make_at(uid, resolved, node, mode, now)
    }

    fn make_at(
        &mut self,
        uid: Uid,
        resolved: ResolvedPath,
        node: InodeContent,
        mode: u32,
        now: Time,
    ) -> Result<Ino, Errno> {
        self.vacant(uid, &resolved)?;
        if self.inodes.len() >= MAX_INODES {
            return Err(Errno::ENOSPC);
        }
        let mut inode = Inode::new(node, mode & 0o7777, uid, now);
        let dir = self.get(resolved.dir)?;
        inode.volume = dir.volume;
        if dir.mode & SETGID != 0 {
            inode.gid = dir.gid;
            if matches!(inode.node, InodeContent::Dir(_)) {
                inode.mode |= SETGID;
            }
        }
        self.keep(0, content::charge(&inode.node))?;
        if let Some(volume) = self.volume_mut(inode.volume) {
            volume.admit(uid, inode.disk(), 1)?;
            volume.enter(&inode);
        }
        let ino = self.free_number();
        self.inodes.insert(ino, inode);
        self.dir_mut(resolved.dir, now)?.insert(resolved.name, ino);
        Ok(ino)
    }

    /// The next unused inode number; numbers wrap around after 2^32 files.
    pub(super) fn free_number(&mut self) -> Ino {
        loop {
            let ino = Ino(self.next);
            self.next = self.next.checked_add(1).unwrap_or(2);
            if !self.inodes.contains(ino) {
                return ino;
            }
        }
    }

    /// Whether `uid` may create the name.
    fn vacant(&self, uid: Uid, resolved: &ResolvedPath) -> Result<(), Errno> {
        if resolved.ino.is_some() {
            return Err(Errno::EEXIST);
        }
        // A removed directory that is still some process's current directory accepts no entries.
        if self.get(resolved.dir)?.links == 0 {
            return Err(Errno::ENOENT);
        }
        self.permit(uid, resolved.dir, Access::Write)
    }

    /// Whether `uid` may remove the name; returns its inode.
    fn removable(&self, uid: Uid, resolved: &ResolvedPath) -> Result<Ino, Errno> {
        let ino = resolved.ino.ok_or(Errno::ENOENT)?;
        if resolved.name.is_empty() {
            return Err(Errno::EBUSY);
        }
        self.permit(uid, resolved.dir, Access::Write)?;
        let dir = self.get(resolved.dir)?;
        if dir.volume != self.get(ino)?.volume {
            // A mount point.
            return Err(Errno::EBUSY);
        }
        let owns = uid == ROOT_UID || uid == dir.uid || uid == self.get(ino)?.uid;
        if dir.mode & STICKY != 0 && !owns { Err(Errno::EPERM) } else { Ok(ino) }
    }

    /// Removes a name. The inode is freed with its last name and last open file.
    fn remove(&mut self, resolved: &ResolvedPath, ino: Ino, now: Time) -> Result<(), Errno> {
        self.dir_mut(resolved.dir, now)?.remove(&resolved.name);
        self.get_mut(ino)?.links -= 1;
        self.drop_if_gone(ino);
        Ok(())
    }

    /// `unlink(2)`.
    pub fn unlink(&mut self, uid: Uid, path: &str, now: Time) -> Result<(), Errno> {
        #[cfg(feature = "real-host")]
        if let Some(real_host) = self.real_host_at(uid, path) {
            return real_host.unlink(path);
        }
        let resolved = self.walk(uid, path, false)?;
        let ino = self.removable(uid, &resolved)?;
        if self.dir(ino).is_ok() {
            return Err(Errno::EISDIR);
        }
        self.remove(&resolved, ino, now)
    }

    /// `rmdir(2)`.
    pub fn rmdir(&mut self, uid: Uid, path: &str, now: Time) -> Result<(), Errno> {
        if super::super::path::base_name(path) == "." {
            return Err(Errno::EINVAL);
        }
        let resolved = self.walk(uid, path, false)?;
        let ino = self.removable(uid, &resolved)?;
        if !self.dir(ino)?.is_empty() {
            return Err(Errno::ENOTEMPTY);
        }
        self.remove(&resolved, ino, now)
    }

    /// `rename(2)`.
    pub fn rename(&mut self, uid: Uid, from: &str, to: &str, now: Time) -> Result<(), Errno> {
        let source = self.walk(uid, from, false)?;
        let target = self.walk(uid, to, false)?;
        let ino = self.removable(uid, &source)?;
        let is_dir = self.dir(ino).is_ok();
        if target.ino == Some(ino) {
            return Ok(());
        }
        if target.trail.contains(&ino) {
            return Err(Errno::EINVAL);
        }
        if target.slash && !is_dir {
            return Err(Errno::ENOTDIR);
        }
        if self.get(target.dir)?.volume != self.get(ino)?.volume {
            return Err(Errno::EXDEV);
        }
        if target.ino.is_some() {
            self.replaceable(uid, &target, is_dir)?;
        } else {
            self.vacant(uid, &target)?;
        }
        self.dir_mut(source.dir, now)?.remove(&source.name);
        if let Some(old) = target.ino {
            self.remove(&target, old, now)?;
        }
        self.dir_mut(target.dir, now)?.insert(target.name, ino);
        Ok(())
    }

    /// Whether a rename may replace the target, with a directory or another file type.
    fn replaceable(&self, uid: Uid, resolved: &ResolvedPath, by_dir: bool) -> Result<(), Errno> {
        let old = self.removable(uid, resolved)?;
        match (by_dir, self.dir(old)) {
            (true, Ok(entries)) if !entries.is_empty() => Err(Errno::ENOTEMPTY),
            (true, Err(_)) => Err(Errno::ENOTDIR),
            (false, Ok(_)) => Err(Errno::EISDIR),
            (true, Ok(_)) | (false, Err(_)) => Ok(()),
        }
    }

    /// `chmod(2)`.
    pub fn chmod(&mut self, uid: Uid, path: &str, mode: u32) -> Result<(), Errno> {
        #[cfg(feature = "real-host")]
        if let Some(real_host) = self.real_host_at(uid, path) {
            return real_host.chmod(path, mode);
        }
        let ino = self.owned(uid, path)?;
        let stranger = uid != ROOT_UID && !self.is_member(uid, self.get(ino)?.gid);
        let is_dir = self.is_dir(ino);
        // Without membership in the file's group, set-group-ID is cleared.
        let cleared = if stranger && !is_dir { SETGID } else { 0 };
        self.get_mut(ino)?.mode = mode & 0o7777 & !cleared;
        Ok(())
    }

    /// `chown(2)` to a user and their private group; root only.
    pub fn chown(&mut self, uid: Uid, path: &str, owner: Uid) -> Result<(), Errno> {
        self.set_owner(uid, path, Some(owner), Some(Gid(owner.0)), true)
    }

    /// `chown(2)`, `lchown(2)`: root may change both; an owner may change the group to one of their own.
    pub fn set_owner(
        &mut self,
        uid: Uid,
        path: &str,
        owner: Option<Uid>,
        group: Option<Gid>,
        follow: bool,
    ) -> Result<(), Errno> {
        let ino = self.find(uid, path, follow)?;
        let inode = self.get(ino)?.clone();
        let gives_away = owner.is_some_and(|owner| owner != inode.uid);
        let foreign = group.is_some_and(|group| group != inode.gid && !self.is_member(uid, group));
        if uid != ROOT_UID && (uid != inode.uid || gives_away || foreign) {
            return Err(Errno::EPERM);
        }
        let new = self.get_mut(ino)?;
        new.uid = owner.unwrap_or(new.uid);
        new.gid = group.unwrap_or(new.gid);
        let new = new.clone();
        if let Some(volume) = self.volume_mut(inode.volume) {
            volume.leave(&inode);
            volume.enter(&new);
        }
        Ok(())
    }

    /// Sets the modification time; only the owner and root may.
    pub fn touch(&mut self, uid: Uid, path: &str, mtime: Time) -> Result<(), Errno> {
        let ino = self.owned(uid, path)?;
        self.get_mut(ino)?.mtime = mtime;
        Ok(())
    }

    /// The inode of a path if `uid` owns it or is root, else `EPERM`.
    fn owned(&self, uid: Uid, path: &str) -> Result<Ino, Errno> {
        let ino = self.lookup(uid, path)?;
        if uid == ROOT_UID || uid == self.get(ino)?.uid { Ok(ino) } else { Err(Errno::EPERM) }
    }
}
