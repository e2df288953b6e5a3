//! Standard output and error. The reader may close the pipe early (`| head`); the program then ends silently
//! with the exit code that a shell shows for SIGPIPE.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// 128 + SIGPIPE.
pub const PIPE: u8 = 141;

/// Standard output that ends the program when the reading end of the pipe is closed.
pub struct Out;

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().lock().write(bytes).inspect_err(stop)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().lock().flush().inspect_err(stop)
    }
}

/// Whether the reader has closed the pipe.
pub fn is_closed(error: &io::Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe
}

fn stop(error: &io::Error) {
    if is_closed(error) {
        std::process::exit(PIPE.into());
    }
}

/// Prints text.
///
/// # Errors
/// Standard output cannot be written, for example because the disk is full.
pub fn print(text: &str) -> Result<(), String> {
    let done = Out.write_all(text.as_bytes()).and_then(|()| Out.flush());
    done.map_err(|error| format!("standard output: {error}"))
}

/// Creates a directory and a file in it, so that hours of work do not end at one that cannot be written.
///
/// # Errors
/// It cannot be created or written.
pub fn ready(dir: &Path) -> Result<(), String> {
    let probe = dir.join(format!(".sandbatch-{}", std::process::id()));
    let tried = fs::create_dir_all(dir).and_then(|()| File::create(&probe));
    tried.map_err(|e| format!("{}: {e}", dir.display()))?;
    let _ = fs::remove_file(&probe);
    Ok(())
}

/// Prints a message on standard error. Errors are ignored: there is nowhere to report them.
pub fn tell(text: &str) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
