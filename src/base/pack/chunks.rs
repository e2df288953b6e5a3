//! Bytes of which there may be many, for `#[serde(with)]`: a list of chunks, so that they are written in slices
//! ([`super::Packer::add_some`]) and not byte by byte.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// Bytes of a chunk.
const CHUNK: usize = 4096;

struct Chunk<'a>(&'a [u8]);

impl Serialize for Chunk<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// Writes them.
///
/// # Errors
/// The serialiser's own.
pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(bytes.chunks(CHUNK).map(Chunk))
}

/// Reads them, whatever chunks they are in.
///
/// # Errors
/// The deserialiser's own.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Vec<u8>>, D::Error> {
    Vec::<&[u8]>::deserialize(deserializer).map(|chunks| Arc::new(chunks.concat()))
}
