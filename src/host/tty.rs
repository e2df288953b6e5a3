//! Terminals: a line discipline with an input queue and an output buffer.
//!
//! The page or the native terminal edits lines, echoes input and translates `\n` in output. Complete lines arrive here,
//! and control characters that take effect immediately: Ctrl-C (3), Ctrl-\ (28) and Ctrl-Z (26) signal the foreground
//! group and discard type-ahead; Ctrl-D (4) on an empty line is end of file. When a program reads single keys, they
//! arrive as typed.

use base::ids::Pid;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Identifies a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TtyId(pub u32);

/// Maximum bytes of unfetched output; the oldest are dropped.
pub const MAX_OUTPUT: usize = 1 << 20;

/// A terminal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tty {
    /// Input not yet read.
    pub input: VecDeque<u8>,
    /// End of file is pending once `input` is empty; reading it clears it.
    pub eof: bool,
    /// Output not yet fetched by the session.
    pub output: Vec<u8>,
    /// The foreground process group, which gets the signals.
    pub foreground: Option<Pid>,
    /// Window size.
    pub columns: u16,
    /// Window size.
    pub rows: u16,
    /// The process that reads single keys (`stty -icanon -echo`), until it ends.
    pub keys: Option<Pid>,
}
