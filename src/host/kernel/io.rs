//! Reading and writing: `read(2)`, `write(2)`, `pipe(7)`.

use super::super::{Errno, Fd, Signal};
use super::run::PIPE_BUF;
use super::{Kernel, OpenFile, PIPE_SIZE, Resource, Target};
use crate::base::ids::Pid;
use crate::base::time::Time;

/// Most bytes of an endless device in one read.
const MAX_DEVICE_READ: usize = 65_536;

impl Kernel {
    fn file_mut(&mut self, number: u32) -> Result<&mut OpenFile, Errno> {
        self.files.get_mut(number).ok_or(Errno::EBADF)
    }

    /// `read(2)`: at most `max` bytes, empty at the end. `EAGAIN`: nothing yet. A terminal gives a line at a time.
    pub fn read(&mut self, pid: Pid, fd: Fd, max: usize) -> Result<Vec<u8>, Errno> {
        let number = self.file_of(pid, fd)?;
        let file = self.file_mut(number)?;
        if !file.readable {
            return Err(Errno::EBADF);
        }
        let offset = file.offset;
        match file.what {
            Target::Inode(ino) => {
                let data = self.fs.read_at(ino, offset, max)?;
                self.file_mut(number)?.offset += u64::try_from(data.len()).unwrap_or(0);
                Ok(data)
            }
            Target::PipeRead(pipe) => self.read_pipe(pipe, max),
            Target::Tty(tty) => self.read_tty(pid, tty, max),
            Target::PipeWrite(_) => Err(Errno::EBADF),
            Target::Null => Ok(Vec::new()),
            Target::Zero | Target::Full => Ok(vec![0; max.min(MAX_DEVICE_READ)]),
            Target::Urandom => Ok((0..max.min(MAX_DEVICE_READ)).map(|_| self.random_byte()).collect()),
        }
    }

    fn read_pipe(&mut self, number: u32, max: usize) -> Result<Vec<u8>, Errno> {
        let pipe = self.pipes.get_mut(&number).ok_or(Errno::EBADF)?;
        if max == 0 {
            return Ok(Vec::new());
        }
        if pipe.data.is_empty() {
            return if pipe.writers == 0 { Ok(Vec::new()) } else { Err(Errno::EAGAIN) };
        }
        let data: Vec<u8> = pipe.data.drain(..max.min(pipe.data.len())).collect();
        if pipe.data.len() + PIPE_BUF <= PIPE_SIZE {
            self.changed(Resource::PipeWrite(number));
        }
        Ok(data)
    }

    /// The next byte of `/dev/urandom`, the same in every replay (splitmix64).
    fn random_byte(&mut self) -> u8 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)).to_le_bytes()[0]
    }

    /// A number below `most` (0 if that is nothing) from the stream of `/dev/urandom`.
    pub fn random_below(&mut self, most: usize) -> usize {
        let bits = (0..8).fold(0_u64, |n, _| n << 8 | u64::from(self.random_byte()));
        usize::try_from(bits % u64::try_from(most.max(1)).unwrap_or(1)).unwrap_or(0)
    }

    /// `write(2)`: how many bytes went. `EAGAIN`: the pipe is full; `EPIPE`: no reader (SIGPIPE was sent).
    pub fn write(&mut self, pid: Pid, fd: Fd, data: &[u8], now: Time) -> Result<usize, Errno> {
        let number = self.file_of(pid, fd)?;
        let file = self.file_mut(number)?;
        if !file.writable {
            return Err(Errno::EBADF);
        }
        let (append, offset) = (file.append, file.offset);
        match file.what {
            Target::Inode(ino) => {
                let offset = if append { self.fs.fstat(ino)?.size } else { offset };
                self.fs.write_at(ino, offset, data, now)?;
                self.file_mut(number)?.offset = offset + u64::try_from(data.len()).unwrap_or(0);
                Ok(data.len())
            }
            Target::PipeWrite(pipe) => self.write_pipe(pid, pipe, data),
            Target::Tty(tty) => self.write_tty(tty, data),
            Target::PipeRead(_) => Err(Errno::EBADF),
            Target::Null | Target::Zero | Target::Urandom => Ok(data.len()),
            Target::Full => Err(Errno::ENOSPC),
        }
    }

    fn write_pipe(&mut self, pid: Pid, number: u32, data: &[u8]) -> Result<usize, Errno> {
        let pipe = self.pipes.get_mut(&number).ok_or(Errno::EBADF)?;
        if data.is_empty() {
            return Ok(0);
        }
        if pipe.readers == 0 {
            self.deliver(pid, Signal::PIPE);
            return Err(Errno::EPIPE);
        }
        let room = PIPE_SIZE - pipe.data.len();
        if room == 0 || (data.len() <= PIPE_BUF && room < data.len()) {
            return Err(Errno::EAGAIN);
        }
        let count = room.min(data.len());
        pipe.data.extend(&data[..count]);
        self.changed(Resource::PipeRead(number));
        Ok(count)
    }
}
