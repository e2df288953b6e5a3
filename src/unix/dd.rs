//! dd(1): copies blocks. The copy takes the time that a disk needs.

use super::getopt;
use super::sizes::amount;
use crate::{Cx, STDIN, STDOUT, UnixMachine};
use base::time::{Span, Time};
use host::kernel::OpenFlags;
use host::{Errno, Fd, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};

/// Bytes read or written at once.
const PIECE: u64 = 1 << 20;
/// Bytes copied or skipped per slice.
const SLICE: u64 = 16 << 20;
/// How many slices more than one it is worth to skip this much of a device or pipe.
const SKIP_SLICES: u32 = 63;
/// Bytes per slice for zeros, which are stored only as a size.
const SLICE_OF_ZEROS: u64 = 1 << 30;
/// Disk speed in bytes per second.
const SPEED: u64 = 1_100_000_000;

/// The state of a running dd(1).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Dd {
    input: Fd,
    output: Fd,
    output_name: String,
    ibs: u64,
    /// Bytes still to read; none means all.
    left: Option<u64>,
    /// Bytes of a pipe still to discard.
    skip: u64,
    /// Data that is read but not yet written.
    buffer: Vec<u8>,
    /// Bytes in the block that is being read.
    block: u64,
    full_in: u64,
    part_in: u64,
    written: u64,
    obs: u64,
    upper: bool,
    lower: bool,
    status: DdStatus,
    /// The input consists only of zeros.
    zeros: bool,
    begun: Time,
    ended: bool,
}

/// `status=`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum DdStatus {
    All,
    NoTransfer,
    Nothing,
}

/// The parsed operands.
struct DdRequest {
    input: Option<String>,
    output: Option<String>,
    ibs: u64,
    obs: u64,
    count: Option<u64>,
    skip: u64,
    seek: u64,
    count_bytes: bool,
    skip_bytes: bool,
    seek_bytes: bool,
    append: bool,
    truncates: bool,
    create: bool,
    exclusive: bool,
    upper: bool,
    lower: bool,
    status: DdStatus,
}

impl DdRequest {
    fn read(args: &[String]) -> Result<Self, String> {
        let mut asked = Self {
            input: None,
            output: None,
            ibs: 512,
            obs: 512,
            count: None,
            skip: 0,
            seek: 0,
            count_bytes: false,
            skip_bytes: false,
            seek_bytes: false,
            append: false,
            truncates: true,
            create: true,
            exclusive: false,
            upper: false,
            lower: false,
            status: DdStatus::All,
        };
        for arg in args.iter().filter(|arg| *arg != "--") {
            let (key, value) = arg.split_once('=').ok_or_else(|| format!("unrecognized operand '{arg}'"))?;
            asked.operand(arg, key, value)?;
        }
        Ok(asked)
    }

    fn operand(&mut self, arg: &str, key: &str, value: &str) -> Result<(), String> {
        let number = || amount(value).ok_or_else(|| format!("invalid number: '{value}'"));
        let size =
            || number().and_then(|n| if n == 0 { Err(format!("invalid number: '{value}'")) } else { Ok(n) });
        match key {
            "if" => self.input = Some(value.to_owned()),
            "of" => self.output = Some(value.to_owned()),
            "bs" => (self.ibs, self.obs) = (size()?, size()?),
            "ibs" => self.ibs = size()?,
            "obs" => self.obs = size()?,
            "cbs" => drop(size()?),
            "count" => {
                self.count_bytes |= value.ends_with('B')
                    && value.len() > 1
                    && value.as_bytes().get(value.len() - 2).is_some_and(u8::is_ascii_digit);
                let text = if self.count_bytes { value.trim_end_matches('B') } else { value };
                self.count = Some(amount(text).ok_or_else(|| format!("invalid number: '{value}'"))?);
            }
            "skip" | "iseek" => self.skip = number()?,
            "seek" | "oseek" => self.seek = number()?,
            "status" => {
                self.status = match value {
                    "none" => DdStatus::Nothing,
                    "noxfer" => DdStatus::NoTransfer,
                    "progress" => DdStatus::All,
                    _ => return Err(format!("invalid status level: '{value}'")),
                }
            }
            "conv" => value.split(',').try_for_each(|word| self.conversion(word))?,
            "iflag" => value.split(',').try_for_each(|word| self.flag("input", word))?,
            "oflag" => value.split(',').try_for_each(|word| self.flag("output", word))?,
            _ => return Err(format!("unrecognized operand '{arg}'")),
        }
        Ok(())
    }

    fn conversion(&mut self, word: &str) -> Result<(), String> {
        match word {
            "notrunc" => self.truncates = false,
            "excl" => self.exclusive = true,
            "nocreat" => self.create = false,
            "ucase" => self.upper = true,
            "lcase" => self.lower = true,
            "fsync" | "fdatasync" | "sync" | "noerror" | "sparse" => {}
            _ => return Err(format!("invalid conversion: '{word}'")),
        }
        Ok(())
    }

    fn flag(&mut self, which: &str, word: &str) -> Result<(), String> {
        match (which, word) {
            ("input", "count_bytes") => self.count_bytes = true,
            ("input", "skip_bytes") => self.skip_bytes = true,
            ("output", "seek_bytes") => self.seek_bytes = true,
            ("output", "append") => self.append = true,
            (
                _,
                "direct" | "dsync" | "sync" | "fullblock" | "nonblock" | "noatime" | "nocache" | "noctty",
            ) => {}
            _ => return Err(format!("invalid {which} flag: '{word}'")),
        }
        Ok(())
    }
}

/// Starts dd(1).
pub fn dd(cx: &mut Cx) -> UnixMachine {
    let asked = match DdRequest::read(cx.args()) {
        Ok(asked) => asked,
        Err(why) => {
            cx.error(&why);
            getopt::try_help(cx);
            return UnixMachine::End(1);
        }
    };
    match open(cx, &asked) {
        Ok(dd) => UnixMachine::Dd(Box::new(dd)),
        Err(why) => {
            cx.error(&why);
            UnixMachine::End(1)
        }
    }
}

fn open(cx: &mut Cx, asked: &DdRequest) -> Result<Dd, String> {
    let mut zeros = false;
    let input = match &asked.input {
        None => STDIN,
        Some(name) => {
            zeros = cx.path(name) == "/dev/zero";
            let flags = OpenFlags { read: true, ..OpenFlags::default() };
            let fd = cx.open(name, flags).map_err(|errno| format!("failed to open '{name}': {errno}"))?;
            let dir = cx.kernel.fd_stat(cx.pid, fd).is_some_and(|s| s.kind == host::fs::FileKind::Dir);
            if dir {
                return Err(format!("error reading '{name}': {}", Errno::EISDIR));
            }
            fd
        }
    };
    let seek = asked.seek.saturating_mul(if asked.seek_bytes { 1 } else { asked.obs });
    let output = match &asked.output {
        None => STDOUT,
        Some(name) => {
            let flags = OpenFlags {
                write: true,
                create: asked.create,
                truncate: asked.truncates && seek == 0 && !asked.append,
                append: asked.append,
                exclusive: asked.exclusive,
                ..OpenFlags::default()
            };
            cx.open(name, flags).map_err(|errno| format!("failed to open '{name}': {errno}"))?
        }
    };
    if seek > 0 {
        cx.kernel.seek(cx.pid, output, seek).unwrap_or_default();
        if asked.truncates && asked.output.is_some() {
            let _ = cx.kernel.set_size(cx.pid, output, seek, false, cx.now);
        }
    }
    let skip = asked.skip.saturating_mul(if asked.skip_bytes { 1 } else { asked.ibs });
    // A pipe is read and discarded.
    let sought = zeros || cx.kernel.seek(cx.pid, input, skip).is_ok();
    Ok(Dd {
        input,
        output,
        output_name: asked.output.clone().unwrap_or_else(|| "standard output".to_owned()),
        ibs: asked.ibs,
        left: asked.count.map(|n| n.saturating_mul(if asked.count_bytes { 1 } else { asked.ibs })),
        skip: if sought { 0 } else { skip },
        buffer: Vec::new(),
        block: 0,
        full_in: 0,
        part_in: 0,
        written: 0,
        obs: asked.obs,
        upper: asked.upper,
        lower: asked.lower,
        status: asked.status,
        zeros,
        begun: cx.now,
        ended: false,
    })
}

impl Dd {
    /// One slice.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        let (began, mut copied) = (self.written, 0);
        while !self.ended {
            let done = self.written - began;
            if done >= SLICE_OF_ZEROS || copied >= SLICE {
                // What is skipped takes time, too.
                if done == 0 {
                    *cx.work = cx.work.saturating_add(SKIP_SLICES);
                    return SliceEnd::Again;
                }
                return SliceEnd::Wait(Wait::Until(self.due(cx.now)));
            }
            match self.piece(cx) {
                Ok(touched) => copied += touched,
                Err(Errno::EAGAIN) if self.buffer.is_empty() => {
                    return SliceEnd::Wait(Wait::Readable(self.input));
                }
                Err(Errno::EAGAIN) => return SliceEnd::Wait(Wait::Writable(self.output)),
                Err(errno) => {
                    self.part_in += 1;
                    let name = self.output_name.clone();
                    cx.error(&format!("error writing '{name}': {errno}"));
                    self.report(cx);
                    return SliceEnd::Exit(Status::Exited(1));
                }
            }
        }
        if self.due(cx.now) > cx.now {
            return SliceEnd::Wait(Wait::Until(self.due(cx.now)));
        }
        self.report(cx);
        SliceEnd::Exit(Status::Exited(0))
    }

    /// The time at which a disk would have written this many bytes.
    fn due(&self, now: Time) -> Time {
        let micros = u128::from(self.written) * 1_000_000 / u128::from(SPEED);
        (self.begun + Span(i64::try_from(micros).unwrap_or(i64::MAX / 4))).max(now)
    }

    /// Moves some data on; returns the bytes that were read.
    fn piece(&mut self, cx: &mut Cx) -> Result<u64, Errno> {
        if !self.buffer.is_empty() {
            let sent = cx.kernel.write(cx.pid, self.output, &self.buffer, cx.now)?;
            self.written += u64::try_from(sent).unwrap_or(0);
            self.buffer.drain(..sent);
            return Ok(0);
        }
        if self.skip > 0 {
            let most = usize::try_from(self.skip.min(PIECE)).unwrap_or(0);
            let data = cx.kernel.read(cx.pid, self.input, most)?;
            let length = u64::try_from(data.len()).unwrap_or(0);
            self.skip -= length;
            self.ended = data.is_empty();
            return Ok(length);
        }
        if self.left == Some(0) {
            self.end_block();
            self.ended = true;
            return Ok(0);
        }
        if self.zeros
            && let Some(grown) = self.grow(cx)?
        {
            self.count(grown);
            self.written += grown;
            return Ok(0);
        }
        let want = (self.ibs - self.block).min(PIECE).min(self.left.unwrap_or(u64::MAX));
        let data = cx.kernel.read(cx.pid, self.input, usize::try_from(want).unwrap_or(0))?;
        if data.is_empty() {
            self.end_block();
            self.ended = true;
            return Ok(0);
        }
        let length = u64::try_from(data.len()).unwrap_or(0);
        self.count(length);
        // A read from a pipe returns the available data: a short block, as in dd.
        let short = cx.kernel.is_pipe(cx.pid, self.input) || cx.is_tty(self.input);
        if length < want && short {
            self.end_block();
        }
        self.buffer = data;
        if self.upper {
            self.buffer.make_ascii_uppercase();
        } else if self.lower {
            self.buffer.make_ascii_lowercase();
        }
        Ok(length)
    }

    /// Zeros at the end of a file are stored only as a size, and `/dev/null` stores nothing, so a slice can write many.
    fn grow(&self, cx: &mut Cx) -> Result<Option<u64>, Errno> {
        let more = self.left.unwrap_or(SLICE_OF_ZEROS).min(SLICE_OF_ZEROS);
        if more >= PIECE && cx.kernel.is_null(cx.pid, self.output) {
            return Ok(Some(more));
        }
        let Some(stat) = cx.kernel.fd_stat(cx.pid, self.output) else { return Ok(None) };
        let offset = cx.kernel.offset(cx.pid, self.output).unwrap_or(0);
        if stat.kind != host::fs::FileKind::File || offset < stat.size || more < PIECE {
            return Ok(None);
        }
        // When a disk fills up, the part that fits is written.
        let mut piece = more;
        while let Err(errno) = cx.kernel.set_size(cx.pid, self.output, offset + piece, true, cx.now) {
            piece = piece / 2 / 4096 * 4096;
            if piece < 4096 {
                return Err(errno);
            }
        }
        cx.kernel.seek(cx.pid, self.output, offset + piece)?;
        Ok(Some(piece))
    }

    fn count(&mut self, bytes: u64) {
        if let Some(left) = &mut self.left {
            *left -= bytes.min(*left);
        }
        self.block += bytes;
        self.full_in += self.block / self.ibs;
        self.block %= self.ibs;
    }

    fn end_block(&mut self) {
        if self.block > 0 {
            self.part_in += 1;
            self.block = 0;
        }
    }

    fn report(&self, cx: &mut Cx) {
        if self.status == DdStatus::Nothing {
            return;
        }
        let (full, part) = if self.ibs == self.obs {
            (self.full_in, self.part_in)
        } else {
            (self.written / self.obs, u64::from(!self.written.is_multiple_of(self.obs)))
        };
        cx.complain(&format!("{}+{} records in", self.full_in, self.part_in));
        cx.complain(&format!("{full}+{part} records out"));
        if self.status == DdStatus::NoTransfer {
            return;
        }
        let bytes = self.written;
        let sizes = match bytes {
            0..1000 => String::new(),
            1000..1024 => format!(" ({})", decimal(bytes)),
            _ => format!(" ({}, {})", decimal(bytes), binary(bytes)),
        };
        let unit = if bytes == 1 { "byte" } else { "bytes" };
        let seconds = (cx.now - self.begun).0.max(20) as f64 / 1e6;
        let speed = (bytes as f64 / seconds) as u64;
        let seconds = super::format::Conversion {
            letter: 'g',
            precision: super::format::FormatSize::Given(6),
            ..Default::default()
        }
        .float(seconds);
        cx.complain(&format!("{bytes} {unit}{sizes} copied, {seconds} s, {}/s", decimal(speed)));
    }
}

/// `1.1 GB`: powers of 1000, one decimal below 10.
fn decimal(bytes: u64) -> String {
    scaled(bytes, 1000, ["B", "kB", "MB", "GB", "TB", "PB"])
}

/// `1.0 GiB`
fn binary(bytes: u64) -> String {
    scaled(bytes, 1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB"])
}

fn scaled(bytes: u64, base: u64, units: [&str; 6]) -> String {
    let (mut scale, mut at) = (1, 0);
    while bytes / scale >= base && at < 5 {
        scale *= base;
        at += 1;
    }
    let tenths = (u128::from(bytes) * 10 + u128::from(scale) / 2) / u128::from(scale);
    let unit = units.get(at).copied().unwrap_or("B");
    if tenths < 100 && at > 0 {
        format!("{}.{} {unit}", tenths / 10, tenths % 10)
    } else {
        format!("{} {unit}", (u128::from(bytes) + u128::from(scale) / 2) / u128::from(scale))
    }
}
