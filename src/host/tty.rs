//! Terminals: a line discipline with one input queue and one output buffer each.
//!
//! The page (or the native terminal) edits lines itself; what arrives here is finished lines, and the
//! control characters that act at once: Ctrl-C (3), Ctrl-\ (28), Ctrl-Z (26) signal the foreground
//! group and drop what was typed ahead, Ctrl-D (4) on an empty line is the end of input. Nothing is echoed and `\n`
//! stays `\n`: the page does both. While a program takes single keys, they come as they are typed.

use crate::base::ids::Pid;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Which terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TtyId(pub u32);

/// Most bytes kept of output that nobody has fetched; the oldest go first.
pub const MAX_OUTPUT: usize = 1 << 20;

/// One terminal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tty {
    /// Typed and not yet read.
    pub input: VecDeque<u8>,
    /// End of input is due once `input` is empty; reading it clears it.
    pub eof: bool,
    /// Printed and not yet fetched by the session.
    pub output: Vec<u8>,
    /// The foreground process group, which gets the signals.
    pub foreground: Option<Pid>,
    /// Window size.
    pub columns: u16,
    /// Window size.
    pub rows: u16,
    /// The process that takes single keys (`stty -icanon -echo`), until it ends.
    pub keys: Option<Pid>,
}
