//! FNV-1a with 64 bits: the hash of states and file versions. Same result on every machine.

/// The hash of no bytes.
pub const SEED: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of `bytes`.
#[must_use]
pub fn fnv1a(bytes: &[u8]) -> u64 {
    more(SEED, bytes)
}

/// Continues `hash` with more bytes.
#[must_use]
pub fn more(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// A well-mixed number from a text: the finaliser of splitmix64 changes about half the bits between similar
/// texts.
#[must_use]
pub fn scatter(text: &str) -> u64 {
    let mut z = fnv1a(text.as_bytes());
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
