//! Everyday programs of Unix, one file each (or a few small ones of one kind together).

pub mod sleep;
