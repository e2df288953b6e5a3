//! sed's file commands (`r`, `R`, `w`, `W`), and the rare `F` and `l`.

use super::Sed;
use crate::Cx;

/// Characters of a line of `l`, without its backslash.
const WIDTH: usize = 69;

impl Sed {
    /// `F`: prints the file's name.
    pub(super) fn say_file(&mut self, cx: &mut Cx) {
        let name = if self.file.is_empty() { "-" } else { self.file.as_str() };
        let line = format!("{name}\n");
        self.put(cx, line.as_bytes());
    }

    /// `r`, `R`, `w`, `W`
    pub(super) fn file_command(&mut self, cx: &mut Cx, letter: char, file: &str) {
        match letter {
            'r' => self.append(true, file.to_owned()),
            'R' => self.read_line(cx, file),
            _ => {
                let whole = self.space();
                let first = whole.split('\n').next().unwrap_or_default();
                let text = format!("{}\n", if letter == 'W' { first } else { whole });
                self.write(cx, file, &text);
            }
        }
    }

    pub(super) fn write(&mut self, cx: &mut Cx, file: &str, text: &str) {
        match file {
            "/dev/stdout" => self.put(cx, text.as_bytes()),
            "/dev/stderr" => cx.complain(text.trim_end_matches('\n')),
            file => {
                if let Err(errno) = cx.append_file(file, text.as_bytes()) {
                    cx.error(&format!("couldn't write to {file}: {errno}"));
                    self.code = 4;
                }
            }
        }
    }

    /// `R`: appends the next line of a file at the end of the cycle.
    fn read_line(&mut self, cx: &mut Cx, file: &str) {
        let at = match self.lines_read.iter().position(|(name, _)| name == file) {
            Some(at) => at,
            None => {
                self.lines_read.push((file.to_owned(), 0));
                self.lines_read.len() - 1
            }
        };
        let Some((_, read)) = self.lines_read.get_mut(at) else { return };
        let Ok(data) = cx.read_file(file) else { return };
        let line = data.split(|b| *b == b'\n').nth(usize::try_from(*read).unwrap_or(usize::MAX));
        *read += 1;
        if let Some(line) = line.filter(|line| !line.is_empty() || data.len() > 1) {
            self.append(false, format!("{}\n", String::from_utf8_lossy(line)));
        }
    }
}

/// `l`: the pattern space with all characters visible, in lines of 70 characters.
pub(super) fn visible(text: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for c in text.chars() {
        let shown = match c {
            '\\' => "\\\\".to_owned(),
            '\x07' => "\\a".to_owned(),
            '\x08' => "\\b".to_owned(),
            '\x0c' => "\\f".to_owned(),
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            '\t' => "\\t".to_owned(),
            '\x0b' => "\\v".to_owned(),
            ' '..='~' => c.to_string(),
            c => c.encode_utf8(&mut [0; 4]).bytes().map(|b| format!("\\{b:03o}")).collect(),
        };
        if column + shown.len() > WIDTH {
            out.push_str("\\\n");
            column = 0;
        }
        column += shown.len();
        out.push_str(&shown);
    }
    out + "$\n"
}
