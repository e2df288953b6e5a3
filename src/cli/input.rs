//! Texts that the command line reads: a file, or `-` for standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Whether a path means standard input.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// The text of a file or of standard input.
///
/// # Errors
/// It cannot be read, is larger than `most` bytes, or is no text. The message does not name the file.
pub fn text(path: &Path, most: u64) -> Result<String, String> {
    let input: Box<dyn Read> = if is_stdin(path) {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).map_err(|e| e.to_string())?)
    };
    let mut bytes = Vec::new();
    input.take(most + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    if bytes.len() as u64 > most {
        return Err(format!("larger than {} MiB: not read", most >> 20));
    }
    if bytes.contains(&0) {
        return Err("a binary file: it contains a NUL character".to_owned());
    }
    String::from_utf8(bytes).map_err(|e| format!("not UTF-8: byte {}", e.utf8_error().valid_up_to()))
}
