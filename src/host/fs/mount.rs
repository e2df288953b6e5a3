//! Which files a host sees: mounting file systems, and moving the view from host to host (`mount(2)`, `setns(2)`).
//!
//! There is one tree. Where a file system is mounted of which each host has its own, a walk goes on in that of the
//! host whose process runs. So whoever runs a process, or acts for a host, says so first with [`Fs::enter`].

use super::recent::Recent;
use super::{Errno, Fs, Ino, Inode, Node, Volume};
use crate::base::ids::{Gid, Uid};
use crate::base::time::Time;
use crate::config::FileSystem;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A host's view of the tree, to come back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View(u32);

impl Fs {
    /// Who is in which groups besides the own one; sorted by user.
    pub fn set_groups(&mut self, groups: Vec<(Uid, Vec<Gid>)>) {
        self.groups = groups;
        self.recent = Recent::default();
    }

    /// Paths mean the files of this host from now on. Gives the view before, for [`Fs::back`].
    pub fn enter(&mut self, host: &str, now: Time) -> View {
        let before = View(self.view);
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

    /// Paths mean the files of a host that was entered before. Gives the view before.
    pub const fn turn(&mut self, view: View) -> View {
        let before = View(self.view);
        self.view = view.0;
        before
    }

    /// Whose files paths mean.
    #[must_use]
    pub const fn view(&self) -> View {
        View(self.view)
    }

    /// Paths mean the files of the host before.
    pub const fn back(&mut self, view: View) {
        self.view = view.0;
    }

    /// A host that is entered for the first time gets its own file systems.
    fn furnish_host(&mut self, now: Time) {
        for at in 0..self.own.len() {
            if let Some(what) = self.own.get(at).map(Arc::clone) {
                self.make_own(what, now).unwrap_or_default();
            }
        }
    }

    /// Mounts a file system on a directory, which is made where it is missing. What the directory holds already goes
    /// to the new file system if that is shared; a host's own begins empty.
    ///
    /// # Errors
    /// If the directory cannot be made.
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
        self.get_mut(ino)?.node = Node::Hosts(Vec::new());
        let what = Arc::new(what);
        if self.own.iter().all(|own| own.path != what.path) {
            self.own.push(Arc::clone(&what));
        }
        // Every host that is known already has its own from now on.
        for host in 0..u32::try_from(self.hosts.len()).unwrap_or(0) {
            let before = std::mem::replace(&mut self.view, host);
            let made = self.make_own(Arc::clone(&what), now);
            self.view = before;
            made?;
        }
        Ok(())
    }

    /// The present host's own file system, empty.
    fn make_own(&mut self, what: Arc<FileSystem>, now: Time) -> Result<(), Errno> {
        let place = self.mount_point(&what.path)?;
        let mode = self.get(place)?.mode;
        let mut root = Inode::new(Node::Dir(BTreeMap::new()), mode, Uid(0), now);
        let (number, volume) = self.enter_volume(Volume::new(what, Some(self.view)));
        volume.enter(&root);
        root.volume = number;
        let ino = self.free_number();
        self.inodes.insert(ino, root);
        let view = self.view;
        if let Node::Hosts(roots) = &mut self.get_mut(place)?.node {
            roots.push((view, ino));
        }
        Ok(())
    }

    /// The inode on which the file systems of hosts are mounted. Its way leads through no links.
    fn mount_point(&self, path: &str) -> Result<Ino, Errno> {
        let mut ino = super::ROOT;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            ino = self.dir(self.through(ino))?.get(name).copied().ok_or(Errno::ENOENT)?;
        }
        Ok(ino)
    }

    /// Where a walk goes on from an inode: the present host's root where file systems of hosts are mounted.
    pub(super) fn through(&self, ino: Ino) -> Ino {
        match self.inodes.get(ino).map(|inode| &inode.node) {
            Some(Node::Hosts(roots)) => {
                let own = roots.binary_search_by_key(&self.view, |(host, _)| *host).ok();
                own.and_then(|at| roots.get(at)).map_or(ino, |(_, root)| *root)
            }
            Some(
                Node::File(_)
                | Node::Dir(_)
                | Node::Link(_)
                | Node::Program(_)
                | Node::Script(_)
                | Node::Device(_),
            )
            | None => ino,
        }
    }

    /// A whole tree belongs to another file system.
    fn move_to(&mut self, top: Ino, number: u32) -> Result<(), Errno> {
        let mut todo = vec![top];
        while let Some(ino) = todo.pop() {
            let inode = self.get(ino)?.clone();
            if let Node::Dir(entries) = &inode.node {
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

    /// `rm -rf`, by root; nothing is asked.
    ///
    /// # Errors
    /// `ENOENT`, or `EBUSY` for a mount point.
    pub fn remove_tree(&mut self, path: &str, now: Time) -> Result<(), Errno> {
        // Deepest first: every directory is empty when its turn comes.
        let mut found = vec![path.to_owned()];
        let mut next = 0;
        while let Some(path) = found.get(next).cloned() {
            next += 1;
            let stat = self.lstat(Uid(0), &path)?;
            if stat.kind == super::Kind::Dir {
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

    /// What a user left on the present host's own file systems is removed, as an epilog does it.
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
