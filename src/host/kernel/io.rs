//! Reading and writing: `read(2)`, `write(2)`, `pipe(7)`.

use super::super::{Errno, Fd, Signal};
use super::run::PIPE_BUF;
use super::{FileTarget, Kernel, OpenFile, PIPE_SIZE, WaitResource};
use base::ids::Pid;
use base::time::Time;

/// Maximum bytes per read from an endless device.
const MAX_DEVICE_READ: usize = 65_536;

/// At most `max` bytes of a text from an offset on.
fn piece(text: &[u8], offset: u64, max: usize) -> Vec<u8> {
    let start = usize::try_from(offset).unwrap_or(usize::MAX).min(text.len());
    text.get(start..start.saturating_add(max).min(text.len())).unwrap_or_default().to_vec()
}

impl Kernel {
    fn file_mut(&mut self, number: u32) -> Result<&mut OpenFile, Errno> {
        self.files.get_mut(number).ok_or(Errno::EBADF)
    }

    /// `read(2)`: returns at most `max` bytes; empty at end of file; `EAGAIN` if there is no data yet. A
    /// terminal returns one line per read.
    pub fn read(&mut self, pid: Pid, fd: Fd, max: usize) -> Result<Vec<u8>, Errno> {
        self.descriptor_checks += 1;
        let number = self.file_of(pid, fd)?;
        let file = self.file_mut(number)?;
        if !file.readable {
            return Err(Errno::EBADF);
        }
        let offset = file.offset;
        match file.what {
            FileTarget::Inode(ino) => {
                let data = match self.proc_text(pid, ino) {
                    Some(text) => piece(text.as_bytes(), offset, max),
                    None => self.fs.read_at(ino, offset, max)?,
                };
                self.file_mut(number)?.offset += u64::try_from(data.len()).unwrap_or(0);
                Ok(data)
            }
            #[cfg(feature = "real-host")]
            FileTarget::RealHost(number) => {
                self.fs.real_host_files().ok_or(Errno::EBADF)?.read_open(number, max)
            }
            FileTarget::PipeRead(pipe) => self.read_pipe(pipe, max),
            FileTarget::Tty(tty) => self.read_tty(pid, tty, max),
            FileTarget::Master(tty) => self.read_master(tty),
            FileTarget::PipeWrite(_) => Err(Errno::EBADF),
            FileTarget::Null => Ok(Vec::new()),
            FileTarget::Zero | FileTarget::Full => Ok(vec![0; max.min(MAX_DEVICE_READ)]),
            FileTarget::Urandom => Ok((0..max.min(MAX_DEVICE_READ)).map(|_| self.random_byte()).collect()),
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
            self.changed(WaitResource::PipeWrite(number));
        }
        Ok(data)
    }

    /// The bytes in the pipe of a descriptor (`FIONREAD`).
    #[must_use]
    pub fn pipe_bytes(&self, pid: Pid, fd: Fd) -> usize {
        match self.target(pid, fd) {
            Some(FileTarget::PipeRead(pipe) | FileTarget::PipeWrite(pipe)) => {
                self.pipes.get(pipe).map_or(0, |pipe| pipe.data.len())
            }
            Some(_) | None => 0,
        }
    }

    /// The next byte of `/dev/urandom`, deterministic (splitmix64).
    fn random_byte(&mut self) -> u8 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)).to_le_bytes()[0]
    }

    /// A number below `most` from the stream of `/dev/urandom`; 0 if `most` is 0.
    pub fn random_below(&mut self, most: usize) -> usize {
        let bits = (0..8).fold(0_u64, |n, _| n << 8 | u64::from(self.random_byte()));
        usize::try_from(bits % u64::try_from(most.max(1)).unwrap_or(1)).unwrap_or(0)
    }

    /// `write(2)`: returns the number of bytes written. `EAGAIN`: the pipe is full; `EPIPE`: no reader
    /// (SIGPIPE was sent).
    pub fn write(&mut self, pid: Pid, fd: Fd, data: &[u8], now: Time) -> Result<usize, Errno> {
        let number = self.file_of(pid, fd)?;
        let file = self.file_mut(number)?;
        if !file.writable {
            return Err(Errno::EBADF);
        }
        let (append, offset) = (file.append, file.offset);
        match file.what {
            FileTarget::Inode(ino) => {
                let offset = if append { self.fs.fstat(ino)?.size } else { offset };
                self.fs.write_at(ino, offset, data, now)?;
                self.file_mut(number)?.offset = offset + u64::try_from(data.len()).unwrap_or(0);
                Ok(data.len())
            }
            #[cfg(feature = "real-host")]
            FileTarget::RealHost(number) => {
                self.fs.real_host_files().ok_or(Errno::EBADF)?.write_open(number, data)
            }
            FileTarget::PipeWrite(pipe) => self.write_pipe(pid, pipe, data),
            FileTarget::Tty(tty) => self.write_tty(tty, data),
            FileTarget::Master(tty) => {
                self.tty_input(tty, data);
                Ok(data.len())
            }
            FileTarget::PipeRead(_) => Err(Errno::EBADF),
            FileTarget::Null | FileTarget::Zero | FileTarget::Urandom => Ok(data.len()),
            FileTarget::Full => Err(Errno::ENOSPC),
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
        self.changed(WaitResource::PipeRead(number));
        Ok(count)
    }
}
