//! Standard output and error. Whoever reads them may stop (`| head`): then the program ends without a word, with the exit
//! code that a shell shows for SIGPIPE.

use std::io::{self, ErrorKind, Write};

/// 128 + SIGPIPE.
const PIPE: i32 = 141;

/// Standard output that ends the program when nobody reads it any more.
pub struct Out;

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().lock().write(bytes).inspect_err(stop)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().lock().flush().inspect_err(stop)
    }
}

fn stop(error: &io::Error) {
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(PIPE);
    }
}

/// Prints text.
///
/// # Errors
/// Standard output that cannot be written, a full disk say.
pub fn print(text: &str) -> Result<(), String> {
    let done = Out.write_all(text.as_bytes()).and_then(|()| Out.flush());
    done.map_err(|error| format!("standard output: {error}"))
}

/// Says something on standard error. Where that is closed nobody wants to know.
pub fn tell(text: &str) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
