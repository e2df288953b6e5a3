//! Large byte vectors for `#[serde(with)]`: serialised as a list of chunks, so [`super::Packer::add_some`]
//! can write them in slices.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// Bytes per chunk.
const CHUNK: usize = 4096;

struct Chunk<'a>(&'a [u8]);

impl Serialize for Chunk<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// Serialises the bytes in chunks.
///
/// # Errors
/// The serialiser's own.
pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(bytes.chunks(CHUNK).map(Chunk))
}

/// Deserialises bytes from chunks of any size.
///
/// # Errors
/// The deserialiser's own.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Vec<u8>>, D::Error> {
    Vec::<&[u8]>::deserialize(deserializer).map(|chunks| Arc::new(chunks.concat()))
}
