//! Messages between clients and a cluster's server: a length of four bytes, then postcard.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::io::{self, ErrorKind, Read, Write};

/// The longest message in bytes.
const MAX_MESSAGE: usize = 32 << 20;

/// A message from a client.
#[derive(Debug, Serialize, Deserialize)]
pub enum ToServer {
    /// Run a command.
    Run(RunRequest),
    /// Standard input that the server requested. Empty data means that the stream was closed.
    Input(Vec<u8>),
    /// The client got this signal.
    Signal(u8),
    /// The client's terminal has a new size.
    Resize(WindowSize),
    /// The program that the client ran on its terminal has ended: code, or signal.
    ProgramOver {
        /// The exit code.
        code: u8,
        /// The signal, or 0.
        signal: u8,
    },
    /// A request of `sandbatch cluster`.
    Control(ControlRequest),
}

/// A command to run.
#[derive(Debug, Serialize, Deserialize)]
pub struct RunRequest {
    /// Its arguments.
    pub argv: Vec<String>,
    /// Its environment.
    pub env: Vec<(String, String)>,
    /// Its directory.
    pub cwd: String,
    /// Its umask.
    pub umask: u32,
    /// Which of standard input, output and error are terminals.
    pub terminals: [bool; 3],
    /// The size of the terminal.
    pub window: WindowSize,
}

/// The size of a terminal. 0 means unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowSize {
    /// Characters in a line.
    pub columns: u16,
    /// Lines.
    pub rows: u16,
}

/// A request of `sandbatch cluster`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ControlRequest {
    /// Shut down the cluster.
    Down,
    /// Report what is running.
    Status,
    /// Let this many virtual seconds pass.
    Advance(u32),
    /// Virtual seconds per real second; 0 is as fast as possible.
    Pace(u32),
    /// Answer when a job reaches a state.
    Wait {
        /// The job.
        job: u32,
        /// `RUNNING`, or empty for any final state.
        state: String,
        /// Real seconds.
        timeout: u32,
    },
    /// A fault.
    Inject(Vec<String>),
}

/// A message from the server.
#[derive(Debug, Serialize, Deserialize)]
pub enum ToClient {
    /// Standard output.
    Output(Vec<u8>),
    /// Standard error.
    Error(Vec<u8>),
    /// The command reads standard input.
    WantInput,
    /// Run this program on your own terminal.
    Program {
        /// The file.
        path: String,
        /// Arguments.
        argv: Vec<String>,
        /// The whole environment.
        env: Vec<(String, String)>,
        /// The directory.
        cwd: String,
    },
    /// A signal for that program.
    ProgramSignal(u8),
    /// A task has a pseudo-terminal now: pass on keys as they are typed.
    RawTerminal,
    /// The command has ended.
    Exit(u8),
    /// The answer to a control request.
    Answer(Result<String, String>),
}

/// Sends a message.
///
/// # Errors
/// The stream cannot be written, or the message is too long.
pub fn send(stream: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let body = postcard::to_stdvec(message).map_err(io::Error::other)?;
    let length = u32::try_from(body.len()).ok().filter(|_| body.len() <= MAX_MESSAGE);
    let length = length.ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "message too long"))?;
    let mut bytes = length.to_le_bytes().to_vec();
    bytes.extend(body);
    stream.write_all(&bytes)
}

/// Receives a message.
///
/// # Errors
/// The stream has ended, or does not contain a message.
pub fn receive<T: DeserializeOwned>(stream: &mut impl Read) -> io::Result<T> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
    if length > MAX_MESSAGE {
        return Err(io::Error::new(ErrorKind::InvalidData, "message too long"));
    }
    let mut body = Vec::new();
    stream.take(u64::try_from(length).unwrap_or(0)).read_to_end(&mut body)?;
    if body.len() < length {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    postcard::from_bytes(&body).map_err(|error| io::Error::new(ErrorKind::InvalidData, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_round_trip() {
        let mut bytes = Vec::new();
        send(&mut bytes, &ToServer::Control(ControlRequest::Advance(60))).unwrap();
        let back: ToServer = receive(&mut bytes.as_slice()).unwrap();
        assert!(matches!(back, ToServer::Control(ControlRequest::Advance(60))));
        // A truncated message, and a length that is too large.
        assert!(receive::<ToServer>(&mut &bytes[..bytes.len() - 1]).is_err());
        assert!(receive::<ToServer>(&mut [255; 8].as_slice()).is_err());
    }
}
