//! What files hold: reading, writing, and the disk's account.

use super::{Access, Device, Errno, Fs, Ino, MAX_FILE, MAX_TOTAL, Node};
use crate::base::ids::Uid;
use crate::base::time::Time;
use std::sync::Arc;

/// What a built-in program reads as: enough to be taken for a binary, and honest to whoever looks.
pub(super) fn stub(name: &str) -> Vec<u8> {
    format!("\x7fELF {name}: a built-in program of the simulation\n").into_bytes()
}

/// What an inode costs on the disk.
pub(super) fn charge(node: &Node) -> u64 {
    let bytes = match node {
        Node::File(data) => data.len(),
        Node::Link(target) => target.len(),
        Node::Dir(_) | Node::Program(_) | Node::Device(_) => 0,
    };
    bytes.try_into().unwrap_or(u64::MAX)
}

impl Fs {
    /// A whole regular file.
    pub fn read(&self, uid: Uid, path: &str) -> Result<Arc<Vec<u8>>, Errno> {
        let ino = self.lookup(uid, path)?;
        self.permit(uid, ino, Access::Read)?;
        match &self.get(ino)?.node {
            Node::File(data) => Ok(Arc::clone(data)),
            Node::Program(name) => Ok(Arc::new(stub(name))),
            Node::Device(Device::Null) => Ok(Arc::default()),
            Node::Dir(_) => Err(Errno::EISDIR),
            Node::Link(_) | Node::Device(_) => Err(Errno::EINVAL),
        }
    }

    /// At most `max` bytes of an open file.
    pub(in crate::host) fn read_at(&self, ino: Ino, offset: u64, max: usize) -> Result<Vec<u8>, Errno> {
        let piece = |data: &[u8]| {
            let start = usize::try_from(offset).unwrap_or(usize::MAX).min(data.len());
            let end = start.saturating_add(max).min(data.len());
            data[start..end].to_vec()
        };
        match &self.get(ino)?.node {
            Node::File(data) => Ok(piece(data)),
            Node::Program(name) => Ok(piece(&stub(name))),
            Node::Dir(_) => Err(Errno::EISDIR),
            Node::Link(_) | Node::Device(_) => Err(Errno::EINVAL),
        }
    }

    /// Creates or replaces a regular file with mode `mode` (an existing file keeps its mode and owner).
    pub fn write(&mut self, uid: Uid, path: &str, data: &[u8], mode: u32, now: Time) -> Result<Ino, Errno> {
        let ino = match self.walk(uid, path, true)?.ino {
            Some(ino) => {
                self.permit(uid, ino, Access::Write)?;
                ino
            }
            None => self.create(uid, path, mode, now)?,
        };
        if matches!(self.get(ino)?.node, Node::Device(Device::Null)) {
            return Ok(ino);
        }
        let old = self.file_size(ino)?;
        self.account(old, data.len())?;
        let inode = self.get_mut(ino)?;
        inode.node = Node::File(Arc::new(data.to_vec()));
        inode.mtime = now;
        Ok(ino)
    }

    /// Writes at an offset (a gap is filled with zeros); the new size is bounded.
    pub fn write_at(&mut self, ino: Ino, offset: u64, data: &[u8], now: Time) -> Result<(), Errno> {
        let old = self.file_size(ino)?;
        if data.is_empty() {
            return Ok(());
        }
        let start = usize::try_from(offset).map_err(|_| Errno::EFBIG)?;
        let end = start.checked_add(data.len()).ok_or(Errno::EFBIG)?;
        self.account(old, end.max(old))?;
        let inode = self.get_mut(ino)?;
        inode.mtime = now;
        if let Node::File(content) = &mut inode.node {
            let content = Arc::make_mut(content);
            if start == content.len() {
                content.extend_from_slice(data);
            } else {
                content.resize(end.max(old), 0);
                content[start..end].copy_from_slice(data);
            }
        }
        Ok(())
    }

    /// Empties a regular file.
    pub fn truncate(&mut self, ino: Ino, now: Time) -> Result<(), Errno> {
        let old = self.file_size(ino)?;
        self.account(old, 0)?;
        let inode = self.get_mut(ino)?;
        inode.node = Node::File(Arc::default());
        inode.mtime = now;
        Ok(())
    }

    /// A regular file's size, or why the inode cannot be written.
    fn file_size(&self, ino: Ino) -> Result<usize, Errno> {
        match &self.get(ino)?.node {
            Node::File(data) => Ok(data.len()),
            Node::Dir(_) => Err(Errno::EISDIR),
            Node::Program(_) => Err(Errno::EACCES),
            Node::Link(_) | Node::Device(_) => Err(Errno::EINVAL),
        }
    }

    /// Charges a change of size to the disk, if both file and disk can take it.
    pub(super) fn account(&mut self, old: usize, new: usize) -> Result<(), Errno> {
        if new > MAX_FILE {
            return Err(Errno::EFBIG);
        }
        let bytes = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        let used = self.used - bytes(old) + bytes(new);
        if new > old && used > bytes(MAX_TOTAL) {
            return Err(Errno::ENOSPC);
        }
        self.used = used;
        Ok(())
    }
}
