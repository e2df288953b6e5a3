//! How much a participant may send: a token bucket for inputs and one for bytes.

/// Inputs at once, and per second.
const INPUTS: (u64, u64) = (40, 10);
/// Bytes at once, and per second.
const BYTES: (u64, u64) = (512 << 10, 32 << 10);
/// Refused messages after which the connection is closed. A minute without any clears the count.
const MAX_REFUSALS: u32 = 200;
const FORGIVEN_AFTER: u64 = 60_000;

/// The remaining budget, in thousandths, because time is in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageFlow {
    inputs: u64,
    bytes: u64,
    real: u64,
    refused: u32,
    last_refusal: u64,
}

/// The result of the check of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowVerdict {
    /// It is within the bounds.
    Within,
    /// It is above them.
    Over,
    /// Too many were above them: the connection ends.
    Flood,
}

impl Default for MessageFlow {
    fn default() -> Self {
        Self { inputs: INPUTS.0 * 1000, bytes: BYTES.0 * 1000, real: 0, refused: 0, last_refusal: 0 }
    }
}

impl MessageFlow {
    /// Charges a message of this size.
    pub fn charge(&mut self, size: usize, real: u64) -> FlowVerdict {
        let elapsed = real.saturating_sub(self.real).min(3_600_000);
        self.real = real;
        self.inputs = (self.inputs + elapsed * INPUTS.1).min(INPUTS.0 * 1000);
        self.bytes = (self.bytes + elapsed * BYTES.1).min(BYTES.0 * 1000);
        let size = u64::try_from(size).unwrap_or(u64::MAX).saturating_mul(1000);
        if self.inputs >= 1000 && self.bytes >= size {
            self.inputs -= 1000;
            self.bytes -= size;
            return FlowVerdict::Within;
        }
        if real.saturating_sub(self.last_refusal) > FORGIVEN_AFTER {
            self.refused = 0;
        }
        self.last_refusal = real;
        self.refused += 1;
        if self.refused <= MAX_REFUSALS {
            return FlowVerdict::Over;
        }
        self.refused = 0;
        FlowVerdict::Flood
    }
}
