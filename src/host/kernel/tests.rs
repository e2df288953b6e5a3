//! The kernel at its boundary.
