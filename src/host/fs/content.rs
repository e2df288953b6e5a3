//! File content: reading, writing, and accounting of stored bytes.

use super::{Access, Device, Errno, Fs, Ino, InodeContent, MAX_FILE, MAX_TOTAL};
use crate::scripts;
use base::ids::Uid;
use base::time::Time;
use std::sync::Arc;

/// The content of a built-in program: it begins like a binary, and its text says what it is.
pub(super) fn stub(name: &str) -> Vec<u8> {
    format!("\x7fELF {name}: a built-in program of the simulation\n").into_bytes()
}

/// Maximum file size in bytes (1 PiB).
const MAX_SIZE: u64 = 1 << 50;
/// Runs of zeros of at least this length are counted, not stored.
const ZEROS: usize = 4096;

/// A length in bytes.
pub(super) fn bytes(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// A position in stored content; past its end if the offset is too large.
fn position(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

/// The bytes that the simulation stores for an inode.
pub(super) fn charge(node: &InodeContent) -> u64 {
    match node {
        InodeContent::File(data) => bytes(data.len()),
        InodeContent::Link(target) => bytes(target.len()),
        InodeContent::Dir(_)
        | InodeContent::Program(_)
        | InodeContent::Script(_)
        | InodeContent::Hosts(_)
        | InodeContent::Device(_) => 0,
    }
}

/// The target layout of a file: stored content and size-only bytes.
struct FileLayout {
    kept: u64,
    size: u64,
    sparse: u64,
}

impl Fs {
    /// Reads a whole regular file; `EFBIG` if it is larger than the stored part may be.
    pub fn read(&self, uid: Uid, path: &str) -> Result<Arc<Vec<u8>>, Errno> {
        #[cfg(feature = "real-host")]
        if let Some(real_host) = self.real_host_at(uid, path) {
            return real_host.read(path).map(Arc::new);
        }
        let ino = self.lookup(uid, path)?;
        self.permit(uid, ino, Access::Read)?;
        let inode = self.get(ino)?;
        match &inode.node {
            InodeContent::File(data) if inode.hole == 0 => Ok(Arc::clone(data)),
            InodeContent::File(_) if inode.size() > bytes(MAX_FILE) => Err(Errno::EFBIG),
            InodeContent::File(_) => self.read_at(ino, 0, MAX_FILE).map(Arc::new),
            InodeContent::Program(name) => Ok(Arc::new(stub(name))),
            InodeContent::Script(name) => Ok(Arc::new(scripts::text(name).to_vec())),
            InodeContent::Device(Device::Null) => Ok(Arc::default()),
            InodeContent::Dir(_) | InodeContent::Hosts(_) => Err(Errno::EISDIR),
            InodeContent::Link(_) | InodeContent::Device(_) => Err(Errno::EINVAL),
        }
    }

    /// Reads at most `max` bytes of an open file.
    pub(crate) fn read_at(&self, ino: Ino, offset: u64, max: usize) -> Result<Vec<u8>, Errno> {
        let piece = |data: &[u8]| {
            let start = position(offset).min(data.len());
            let end = start.saturating_add(max).min(data.len());
            data[start..end].to_vec()
        };
        let inode = self.get(ino)?;
        match &inode.node {
            InodeContent::File(data) => {
                let mut found = piece(data);
                let left = inode.size().saturating_sub(offset.saturating_add(bytes(found.len())));
                found.resize(position(left).min(max - found.len()) + found.len(), 0);
                Ok(found)
            }
            InodeContent::Program(name) => Ok(piece(&stub(name))),
            InodeContent::Script(name) => Ok(piece(scripts::text(name))),
            InodeContent::Dir(_) | InodeContent::Hosts(_) => Err(Errno::EISDIR),
            InodeContent::Link(_) | InodeContent::Device(_) => Err(Errno::EINVAL),
        }
    }

    /// Creates or replaces a regular file with mode `mode`; an existing file keeps its mode and owner.
    pub fn write(&mut self, uid: Uid, path: &str, data: &[u8], mode: u32, now: Time) -> Result<Ino, Errno> {
        #[cfg(feature = "real-host")]
        if let Some(real_host) = self.real_host_at(uid, path) {
            return real_host.replace(path, data, mode).map(|()| Ino(u32::MAX));
        }
        let ino = match self.walk(uid, path, true)?.ino {
            Some(ino) => {
                self.permit(uid, ino, Access::Write)?;
                ino
            }
            None => self.create(uid, path, mode, now)?,
        };
        if matches!(self.get(ino)?.node, InodeContent::Device(Device::Null)) {
            return Ok(ino);
        }
        self.writable(ino)?;
        if data.len() > MAX_FILE {
            return Err(Errno::EFBIG);
        }
        self.reshape(ino, &FileLayout { kept: bytes(data.len()), size: bytes(data.len()), sparse: 0 }, now)?;
        self.get_mut(ino)?.node = InodeContent::File(Arc::new(data.to_vec()));
        Ok(ino)
    }

    /// Writes at an offset; a gap becomes a hole. Beyond the first [`MAX_FILE`] bytes, and for long zeros at
    /// the end, only the size is kept.
    pub fn write_at(&mut self, ino: Ino, offset: u64, data: &[u8], now: Time) -> Result<(), Errno> {
        self.writable(ino)?;
        if data.is_empty() {
            return Ok(());
        }
        let inode = self.get(ino)?;
        let (size, kept) = (inode.size(), charge(&inode.node));
        let end = offset.saturating_add(bytes(data.len()));
        if end > MAX_SIZE {
            return Err(Errno::EFBIG);
        }
        let zeros = data.len() >= ZEROS && data.iter().all(|byte| *byte == 0);
        let size_only = zeros && offset >= kept || offset >= bytes(MAX_FILE);
        let stays = if size_only { kept } else { end.min(bytes(MAX_FILE)).max(kept) };
        let gap = offset.saturating_sub(size);
        let refilled = size.min(end).saturating_sub(offset);
        let sparse = inode.sparse.saturating_sub(refilled) + gap;
        self.reshape(ino, &FileLayout { kept: stays, size: size.max(end), sparse }, now)?;
        if let InodeContent::File(content) = &mut self.file_mut(ino)?.node {
            let content = Arc::make_mut(content);
            let start = position(offset);
            if start == content.len() && position(end) == position(stays) {
                content.extend_from_slice(data);
            } else {
                content.resize(position(stays), 0);
                let room = content.get_mut(start..).unwrap_or_default();
                let length = room.len().min(data.len());
                room[..length].copy_from_slice(&data[..length]);
            }
        }
        Ok(())
    }

    /// Truncates a regular file to zero length.
    pub fn truncate(&mut self, ino: Ino, now: Time) -> Result<(), Errno> {
        self.set_size(ino, 0, false, now)
    }

    /// `ftruncate(2)`, or `fallocate(2)` if `fill`, which allocates disk blocks.
    pub fn set_size(&mut self, ino: Ino, size: u64, fill: bool, now: Time) -> Result<(), Errno> {
        self.writable(ino)?;
        if size > MAX_SIZE {
            return Err(Errno::EFBIG);
        }
        let inode = self.get(ino)?;
        let kept = charge(&inode.node).min(size);
        let grown = size.saturating_sub(inode.size());
        let sparse = if fill { 0 } else { (inode.sparse + grown).min(size) };
        self.reshape(ino, &FileLayout { kept, size, sparse }, now)?;
        if let InodeContent::File(content) = &mut self.get_mut(ino)?.node {
            Arc::make_mut(content).truncate(position(kept));
        }
        Ok(())
    }

    /// Copies the content of a regular file by sharing it.
    pub fn copy_content(&mut self, from: Ino, to: Ino, now: Time) -> Result<(), Errno> {
        self.writable(to)?;
        let mut source = self.get(from)?.clone();
        if let InodeContent::Script(name) = &source.node {
            source.node = InodeContent::File(Arc::new(scripts::text(name).to_vec()));
        }
        let shape = FileLayout { kept: charge(&source.node), size: source.size(), sparse: source.sparse };
        self.reshape(to, &shape, now)?;
        if matches!(source.node, InodeContent::File(_)) {
            self.get_mut(to)?.node = source.node;
        }
        Ok(())
    }

    /// Charges a new layout to the simulation and to the file system if both have room. The caller must then
    /// bring the content into that layout.
    fn reshape(&mut self, ino: Ino, shape: &FileLayout, now: Time) -> Result<(), Errno> {
        let mut inode = self.get(ino)?.clone();
        let (kept, old, uid, number) = (charge(&inode.node), inode.disk(), inode.uid, inode.volume);
        // The clone's content does not count: all of its size is a hole.
        inode.node = InodeContent::File(Arc::default());
        (inode.hole, inode.sparse) = (shape.size, shape.sparse);
        let new = inode.disk();
        if let Some(volume) = self.volume(number) {
            volume.admit(uid, new.saturating_sub(old), 0)?;
        }
        self.keep(kept, shape.kept)?;
        if let Some(volume) = self.volume_mut(number) {
            volume.resize(uid, old, new);
        }
        let inode = self.file_mut(ino)?;
        inode.hole = shape.size - shape.kept;
        inode.sparse = shape.sparse;
        inode.mtime = now;
        Ok(())
    }

    /// The error if an inode is not writable.
    fn writable(&self, ino: Ino) -> Result<(), Errno> {
        match &self.get(ino)?.node {
            InodeContent::File(_) => Ok(()),
            InodeContent::Dir(_) | InodeContent::Hosts(_) => Err(Errno::EISDIR),
            InodeContent::Program(_) | InodeContent::Script(_) => Err(Errno::EACCES),
            InodeContent::Link(_) | InodeContent::Device(_) => Err(Errno::EINVAL),
        }
    }

    /// Charges a change in stored bytes if there is room.
    pub(super) fn keep(&mut self, old: u64, new: u64) -> Result<(), Errno> {
        let used = self.used - old + new;
        if new > old && used > bytes(MAX_TOTAL) {
            return Err(Errno::ENOSPC);
        }
        self.used = used;
        Ok(())
    }
}
