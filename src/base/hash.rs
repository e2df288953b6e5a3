//! One hash for states and file versions: FNV-1a over 64 bits, the same on every machine.

/// The hash of no bytes.
pub const SEED: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of `bytes`.
#[must_use]
pub fn fnv1a(bytes: &[u8]) -> u64 {
    more(SEED, bytes)
}

/// The hash of bytes with that `hash`, and of these after them.
#[must_use]
pub fn more(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3))
}
