//! Mounting, and per-host views of the tree (`mount(2)`, `setns(2)`).
//!
//! There is one tree. At the mount point of a per-host file system, path resolution continues in the file
//! system of the current host. The caller that runs a process or acts for a host must first select the host
//! with [`Fs::enter`].

use super::recent::LookupCache;
use super::{Errno, Fs, Ino, Inode, InodeContent, Volume};
use base::ids::{Gid, Uid};
use base::time::Time;
use config::FileSystem;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A host's view of the tree, to restore later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostView(u32);

impl Fs {
    /// Sets the supplementary groups of users, sorted by user.
    pub fn set_groups(&mut self, groups: Vec<(Uid, Vec<Gid>)>) {
        self.groups = groups;
        self.recent = LookupCache::default();
    }

    /// Selects the current host; returns the previous view for [`Fs::back`].
    pub fn enter(&mut self, host: &str, now: Time) -> HostView {
        let before = HostView(self.view);
        if !self.hosts.is_empty() && self.host_name(self.view) == host {
            return before;
        }
        match self.hosts_by_name.binary_search_by(|number| self.host_name(*number).cmp(host)) {
            Ok(at) => self.view = self.hosts_by_name.get(at).copied().unwrap_or(u32::MAX),
            Err(at) => {
                self.view = u32::try_from(self.hosts.len()).unwrap_or(u32::MAX);
                Arc::make_mut(&mut self.hosts).push(Arc::from(host));
                self.hosts_by_name.insert(at, self.view);
                self.furnish_host(now);
            }
        }
        before
    }

    fn host_name(&self, number: u32) -> &str {
        self.hosts.get(number as usize).map_or("", |name| name)
    }

    /// Selects a host that was entered before; returns the previous view.
    pub const fn turn(&mut self, view: HostView) -> HostView {
        let before = HostView(self.view);
        self.view = view.0;
        before
    }

    /// The current view.
    #[must_use]
    pub const fn view(&self) -> HostView {
        HostView(self.view)
    }

    /// Restores a previous view.
    pub const fn back(&mut self, view: HostView) {
        self.view = view.0;
    }

    /// Creates a host's own file systems when it is first entered.
    fn furnish_host(&mut self, now: Time) {
        for at in 0..self.own.len() {
            if let Some(what) = self.own.get(at).map(Arc::clone) {
                self.make_own(what, now).unwrap_or_default();
            }
        }
    }

    /// Mounts a file system on a directory, created if missing. Existing content moves to a shared file
    /// system; a per-host file system starts empty.
    ///
    /// # Errors
    /// If the directory cannot be created.
    pub fn mount(&mut self, what: FileSystem, now: Time) -> Result<(), Errno> {
        if what.path == "/" {
            if let Some(root) = self.volume_mut(0) {
                root.what = Arc::new(what);
            }
            return Ok(());
        }
        if self.lookup(Uid(0), &what.path).is_err() {
            self.mkdir_all(&what.path, Uid(0), 0o755, now)?;
        }
        let ino = self.lookup(Uid(0), &what.path)?;
        if what.shared {
            let (number, _) = self.enter_volume(Volume::new(Arc::new(what), None));
            return self.move_to(ino, number);
        }
        let entries = self.dir(ino)?.keys().cloned().collect::<Vec<_>>();
        for name in entries {
            self.remove_tree(&format!("{}/{name}", what.path), now)?;
        }
        self.get_mut(ino)?.node = InodeContent::Hosts(Vec::new());
        let what = Arc::new(what);
        if self.own.iter().all(|own| own.path != what.path) {
            self.own.push(Arc::clone(&what));
        }
        // Every known host gets its own instance.
        for host in 0..u32::try_from(self.hosts.len()).unwrap_or(0) {
            let before = std::mem::replace(&mut self.view, host);
            let made = self.make_own(Arc::clone(&what), now);
            self.view = before;
            made?;
        }
        Ok(())
    }

    /// Creates the current host's instance of a file system, empty.
    fn make_own(&mut self, what: Arc<FileSystem>, now: Time) -> Result<(), Errno> {
        let point = self.mount_point(&what.path)?;
        let mode = self.get(point)?.mode;
        let mut root = Inode::new(InodeContent::Dir(BTreeMap::new()), mode, Uid(0), now);
        let (number, volume) = self.enter_volume(Volume::new(what, Some(self.view)));
        volume.enter(&root);
        root.volume = number;
        let ino = self.free_number();
        self.inodes.insert(ino, root);
        let view = self.view;
        if let InodeContent::Hosts(roots) = &mut self.get_mut(point)?.node {
            roots.push((view, ino));
        }
        Ok(())
    }

    /// The inode of a per-host mount point. Its path contains no symbolic links.
    fn mount_point(&self, path: &str) -> Result<Ino, Errno> {
        let mut ino = super::ROOT;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            ino = self.dir(self.through(ino))?.get(name).copied().ok_or(Errno::ENOENT)?;
        }
        Ok(ino)
    }

    /// Crosses a mount point: the current host's root if per-host file systems are mounted here, else the
    /// inode itself.
    pub(super) fn through(&self, ino: Ino) -> Ino {
        match self.inodes.get(ino).map(|inode| &inode.node) {
            Some(InodeContent::Hosts(roots)) => {
                let own = roots.binary_search_by_key(&self.view, |(host, _)| *host).ok();
                own.and_then(|at| roots.get(at)).map_or(ino, |(_, root)| *root)
            }
            Some(
                InodeContent::File(_)
                | InodeContent::Dir(_)
                | InodeContent::Link(_)
                | InodeContent::Program(_)
                | InodeContent::Script(_)
                | InodeContent::Device(_),
            )
            | None => ino,
        }
    }

    /// Moves a subtree to another file system.
    fn move_to(&mut self, top: Ino, number: u32) -> Result<(), Errno> {
        let mut todo = vec![top];
        while let Some(ino) = todo.pop() {
            let inode = self.get(ino)?.clone();
            if let InodeContent::Dir(entries) = &inode.node {
                todo.extend(entries.values().copied());
            }
            if let Some(volume) = self.volume_mut(inode.volume) {
                volume.leave(&inode);
            }
            self.get_mut(ino)?.volume = number;
            if let Some(volume) = self.volume_mut(number) {
                volume.enter(&inode);
            }
        }
        Ok(())
    }

    /// `rm -rf` as root.
    ///
    /// # Errors
    /// `ENOENT`, or `EBUSY` for a mount point.
    pub fn remove_tree(&mut self, path: &str, now: Time) -> Result<(), Errno> {
        // Deepest first, so that every directory is empty when it is removed.
        let mut found = vec![path.to_owned()];
        let mut next = 0;
        while let Some(path) = found.get(next).cloned() {
            next += 1;
            let stat = self.lstat(Uid(0), &path)?;
            if stat.kind == super::FileKind::Dir {
                let names = self.list(Uid(0), &path)?;
                found.extend(names.iter().map(|name| format!("{path}/{name}")));
            }
        }
        while let Some(path) = found.pop() {
            match self.unlink(Uid(0), &path, now) {
                Err(Errno::EISDIR) => self.rmdir(Uid(0), &path, now)?,
                other => other?,
            }
        }
        Ok(())
    }

    /// Removes a user's files from the current host's own file systems, as an epilog does.
    pub fn clean_up(&mut self, uid: Uid, now: Time) {
        let own = self.volumes.values().filter(|volume| volume.host == Some(self.view));
        let tops: Vec<String> = own.map(|volume| volume.what.path.clone()).collect();
        for top in tops {
            for name in self.list(Uid(0), &top).unwrap_or_default() {
                let path = format!("{top}/{name}");
                if self.lstat(Uid(0), &path).is_ok_and(|stat| stat.uid == uid) {
                    self.remove_tree(&path, now).unwrap_or_default();
                }
            }
        }
    }
}
