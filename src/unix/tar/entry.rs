//! Members of an archive: headers in the ustar format, with GNU's long names.

use super::BLOCK;
use base::ids::{Gid, Uid};
use base::pad;
use base::time::Time;
use host::fs::FileKind;

/// A member of an archive.
#[allow(missing_docs, reason = "named as in the header")]
pub struct TarEntry {
    pub name: String,
    pub mode: u32,
    pub uid: Uid,
    pub gid: Gid,
    pub owner: String,
    pub group: String,
    pub mtime: Time,
    pub kind: FileKind,
    /// Another link to the same file.
    pub hard: bool,
    pub target: String,
    pub data: Vec<u8>,
}

/// Writes an octal number that fills the field up to its final NUL.
fn octal(field: &mut [u8], value: u64) {
    let width = field.len() - 1;
    let text = pad::zeros(format_args!("{value:o}"), width);
    let text = text.get(text.len() - width..).unwrap_or_default();
    field[..width].copy_from_slice(text.as_bytes());
}

fn text(field: &mut [u8], value: &str) {
    let length = value.len().min(field.len());
    field[..length].copy_from_slice(&value.as_bytes()[..length]);
}

impl TarEntry {
    fn letter(&self) -> u8 {
        match self.kind {
            FileKind::Dir => b'5',
            FileKind::Link => b'2',
            FileKind::File | FileKind::Program | FileKind::Device => b'0',
        }
    }

    /// Header and content, padded to whole blocks.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if self.name.len() > 100 {
            let long = TarEntry {
                name: "././@LongLink".to_owned(),
                data: [self.name.as_bytes(), &[0]].concat(),
                kind: FileKind::File,
                target: String::new(),
                owner: self.owner.clone(),
                group: self.group.clone(),
                hard: false,
                ..*self
            };
            out.extend(long.blocks(b'L'));
        }
        out.extend(self.blocks(self.letter()));
        out
    }

    fn blocks(&self, letter: u8) -> Vec<u8> {
        let mut head = [0; BLOCK];
        text(&mut head[..100], &self.name);
        octal(&mut head[100..108], u64::from(self.mode & 0o7777));
        octal(&mut head[108..116], u64::from(self.uid.0));
        octal(&mut head[116..124], u64::from(self.gid.0));
        octal(&mut head[124..136], u64::try_from(self.data.len()).unwrap_or(0));
        octal(&mut head[136..148], u64::try_from(self.mtime.secs()).unwrap_or(0));
        head[156] = letter;
        text(&mut head[157..257], &self.target);
        text(&mut head[257..265], "ustar  ");
        text(&mut head[265..296], &self.owner);
        text(&mut head[297..328], &self.group);
        head[148..156].fill(b' ');
        let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
        octal(&mut head[148..155], sum.into());
        let mut out = head.to_vec();
        out.extend(&self.data);
        out.resize(out.len().div_ceil(BLOCK) * BLOCK, 0);
        out
    }

    /// Parses a header: the member, its type letter, and the length of its content.
    pub fn decode(head: &[u8]) -> Option<(Self, u8, usize)> {
        let text = |from: usize, to: usize| {
            let field = head.get(from..to).unwrap_or_default();
            let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
            String::from_utf8_lossy(&field[..end]).into_owned()
        };
        let number = |from: usize, to: usize| u64::from_str_radix(text(from, to).trim(), 8).ok();
        let sum: u64 = head
            .iter()
            .enumerate()
            .map(|(at, byte)| if (148..156).contains(&at) { 32 } else { u64::from(*byte) })
            .sum();
        if number(148, 156) != Some(sum) {
            return None;
        }
        let letter = head.get(156).copied().unwrap_or(b'0');
        let mut name = text(0, 100);
        let prefix = text(345, 500);
        if text(257, 263) == "ustar" && !prefix.is_empty() {
            name = format!("{prefix}/{name}");
        }
        let kind = match letter {
            b'5' => FileKind::Dir,
            b'2' => FileKind::Link,
            _ => FileKind::File,
        };
        let length = usize::try_from(number(124, 136)?).ok()?;
        let small = |value: Option<u64>| value.and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
        let entry = Self {
            name,
            mode: small(number(100, 108)) & 0o7777,
            uid: Uid(small(number(108, 116))),
            gid: Gid(small(number(116, 124))),
            owner: text(265, 297),
            group: text(297, 329),
            mtime: Time::from_secs(i64::try_from(number(136, 148)?).ok()?),
            kind,
            hard: letter == b'1',
            target: text(157, 257),
            data: Vec::new(),
        };
        Some((entry, letter, length))
    }

    /// `-rw-r--r-- alice/alice       6 2026-11-21 05:54 name`
    pub fn described(&self) -> String {
        let letter = match self.kind {
            FileKind::Dir => 'd',
            FileKind::Link => 'l',
            FileKind::File | FileKind::Program | FileKind::Device if self.hard => 'h',
            FileKind::File | FileKind::Program | FileKind::Device => '-',
        };
        let bits: String = (0..9)
            .map(|bit| if self.mode >> (8 - bit) & 1 == 1 { ['r', 'w', 'x'][bit % 3] } else { '-' })
            .collect();
        let who = format!("{}/{}", self.owner, self.group);
        let size = self.data.len().to_string();
        let width = 19_usize.saturating_sub(who.len() + 1).max(size.len());
        let link = match self.kind {
            FileKind::Link => format!(" -> {}", self.target),
            _ if self.hard => format!(" link to {}", self.target),
            _ => String::new(),
        };
        format!(
            "{letter}{bits} {who} {} {} {}{link}",
            pad::right(size, width),
            self.mtime.strftime("%Y-%m-%d %H:%M"),
            self.name
        )
    }
}
