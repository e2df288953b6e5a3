//! find(1): the formats of `-printf`.
//!
//! Supports the directives `%a %b %c %d %D %f %g %G %h %H %i %k %l %m %M %n %p %P %s %S %t %u %U %y %Y` and the
//! times `%A %C %T` with a letter of strftime(3).
//!
//! Deliberate difference: the times of access and status change are those of the modification.

use crate::Cx;
use crate::format::unescape;
use base::pad;
use host::fs::{FileKind, Stat};
use host::path;

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FormatPiece {
    Text(Vec<u8>),
    Directive {
        left: bool,
        zero: bool,
        width: usize,
        precision: Option<usize>,
        letter: char,
    },
    /// `%Tk`: a letter of strftime(3), or `@`.
    Time(char),
}

/// Reads a format.
///
/// # Errors
/// A message about an unknown directive.
pub(super) fn pieces(format: &str) -> Result<Vec<FormatPiece>, String> {
    let mut all = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        all.push(FormatPiece::Text(unescape(&rest[..at], false).bytes));
        rest = &rest[at + 1..];
        if let Some(more) = rest.strip_prefix('%') {
            all.push(FormatPiece::Text(b"%".to_vec()));
            rest = more;
            continue;
        }
        let flags = rest.len() - rest.trim_start_matches(['-', '0', '+', ' ', '#']).len();
        let (left, zero) = (rest[..flags].contains('-'), rest[..flags].contains('0'));
        rest = &rest[flags..];
        let width = digits(&mut rest).unwrap_or(0);
        let precision = match rest.strip_prefix('.') {
            Some(more) => {
                rest = more;
                Some(digits(&mut rest).unwrap_or(0))
            }
            None => None,
        };
        let mut letters = rest.chars();
        match letters.next() {
            Some('A' | 'B' | 'C' | 'T') => match letters.next() {
                Some(letter) => all.push(FormatPiece::Time(letter)),
                None => return Err("format ends in a time directive without its letter".into()),
            },
            Some(letter) if "abcdDfFgGhHiklmMnpPsStuUyY".contains(letter) => {
                all.push(FormatPiece::Directive { left, zero, width, precision, letter });
            }
            Some(other) => return Err(format!("unrecognized format directive `%{other}'")),
            None => return Err("error: % at end of format string".into()),
        }
        rest = letters.as_str();
    }
    all.push(FormatPiece::Text(unescape(rest, false).bytes));
    Ok(all)
}

fn digits(rest: &mut &str) -> Option<usize> {
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, after) = rest.split_at(end);
    *rest = after;
    number.parse().ok()
}

fn kind(kind: FileKind) -> char {
    match kind {
        FileKind::File | FileKind::Program => 'f',
        FileKind::Dir => 'd',
        FileKind::Link => 'l',
        FileKind::Device => 'c',
    }
}

/// The text for a file.
pub(super) fn text(
    cx: &Cx,
    format: &[FormatPiece],
    name: &str,
    root: &str,
    stat: &Stat,
    depth: u32,
) -> String {
    let mut out = String::new();
    for piece in format {
        match piece {
            FormatPiece::Text(bytes) => out += &String::from_utf8_lossy(bytes),
            FormatPiece::Time('@') => {
                out += &format!("{}.{:06}0000", stat.mtime.secs(), stat.mtime.0.rem_euclid(1_000_000));
            }
            FormatPiece::Time('+') => out += &base::strftime::strftime(stat.mtime, "%Y-%m-%d+%H:%M:%S.%N0"),
            FormatPiece::Time(letter) => {
                let how = if matches!(letter, 'S') { "%S.%N0".to_owned() } else { format!("%{letter}") };
                out += &base::strftime::strftime(stat.mtime, &how);
            }
            FormatPiece::Directive { left, zero, width, precision, letter } => {
                let mut value = directive(cx, *letter, name, root, stat, depth);
                if let Some(most) = precision {
                    value = value.chars().take(*most).collect();
                }
                out += &match (left, zero) {
                    (true, _) => pad::left(value, *width),
                    (false, true) if value.bytes().all(|b| b.is_ascii_digit()) => pad::zeros(value, *width),
                    (false, _) => pad::right(value, *width),
                };
            }
        }
    }
    out
}

fn directive(cx: &Cx, letter: char, name: &str, root: &str, stat: &Stat, depth: u32) -> String {
    let size = crate::ls::size(stat);
    match letter {
        'p' => name.to_owned(),
        'P' => name.strip_prefix(root).unwrap_or(name).trim_start_matches('/').to_owned(),
        'f' => super::last(name).to_owned(),
        'h' => match name.trim_end_matches('/').rsplit_once('/') {
            Some((dir, _)) => dir.to_owned(),
            None => ".".to_owned(),
        },
        'H' => root.to_owned(),
        'd' => depth.to_string(),
        's' => size.to_string(),
        'k' => size.div_ceil(1024).to_string(),
        'b' => size.div_ceil(512).to_string(),
        'S' => "1".to_owned(),
        'm' => format!("{:o}", stat.mode & 0o7777),
        'M' => crate::ls::mode_text(stat),
        'u' => cx.kernel.users.name(stat.uid),
        'U' => stat.uid.to_string(),
        'g' => cx.kernel.users.group_name(stat.gid),
        'G' => stat.gid.to_string(),
        'i' => stat.ino.0.to_string(),
        'n' => cx.kernel.fs.links(stat).to_string(),
        'D' => "0".to_owned(),
        'F' => "ext4".to_owned(),
        'l' => match stat.kind {
            FileKind::Link => cx.kernel.fs.readlink(cx.uid(), &cx.path(name)).unwrap_or_default(),
            FileKind::File | FileKind::Dir | FileKind::Program | FileKind::Device => String::new(),
        },
        'y' => kind(stat.kind).to_string(),
        'Y' => match cx.kernel.fs.stat(cx.uid(), &path::resolve(&cx.cwd(), name)) {
            Ok(stat) => kind(stat.kind).to_string(),
            Err(_) => "N".to_owned(),
        },
        _ => base::strftime::strftime(stat.mtime, "%a %b %e %H:%M:%S.%N0 %Y"),
    }
}
