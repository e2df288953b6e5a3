//! Objects in pages that clones share until one of them changes. Every process starts as a clone of the same state, and a
//! keyframe of the world clones all processes.
//!
//! Cost: cloning copies one pointer per page; changing an object of a clone copies its page.

use super::value::PyObject;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// Objects per page.
const PAGE: usize = 32;

#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectPages {
    /// All pages but the last are full.
    pages: Vec<Arc<Vec<PyObject>>>,
    len: usize,
}

impl ObjectPages {
    pub const fn len(&self) -> usize {
        self.len
    }

    pub fn get(&self, index: usize) -> &PyObject {
        &self.pages[index / PAGE][index % PAGE]
    }

    pub fn get_mut(&mut self, index: usize) -> &mut PyObject {
        &mut Arc::make_mut(&mut self.pages[index / PAGE])[index % PAGE]
    }

    pub fn push(&mut self, object: PyObject) {
        match self.pages.last_mut() {
            Some(page) if !self.len.is_multiple_of(PAGE) => Arc::make_mut(page).push(object),
            _ => {
                let mut page = Vec::with_capacity(PAGE);
                page.push(object);
                self.pages.push(Arc::new(page));
            }
        }
        self.len += 1;
    }

    pub fn iter(&self) -> impl Iterator<Item = &PyObject> {
        self.pages.iter().flat_map(|page| page.iter())
    }
}

impl Serialize for ObjectPages {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut all = to.serialize_seq(Some(self.len))?;
        for object in self.iter() {
            all.serialize_element(object)?;
        }
        all.end()
    }
}

impl<'de> Deserialize<'de> for ObjectPages {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut pages = Self::default();
        Vec::deserialize(from)?.into_iter().for_each(|object| pages.push(object));
        Ok(pages)
    }
}
