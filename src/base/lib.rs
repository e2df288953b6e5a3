//! Vocabulary that all crates share: virtual time, identifiers, host lists, TRES, states, signals and diagnostics;
//! and data structures: bit sets, copy-on-write maps and sets, packing, regular expressions.
//!
//! Invariants: nothing here knows the state of a cluster, reads a clock or depends on hash order, word size or the
//! platform's maths, so results agree natively and in WebAssembly.
//!
//! [`hostlist`] is of use on its own. The rest serves the other crates of this workspace.

pub mod bitset;
pub mod cow;
pub mod cow_set;
pub mod cron;
pub mod diagnostic;
pub mod front;
pub mod getopt;
pub mod hash;
pub mod hostlist;
pub mod ids;
pub mod line_editor;
pub mod lint;
pub mod math;
pub mod order;
pub mod pack;
pub mod pad;
pub mod process;
pub mod rare;
pub mod refusal;
pub mod regex;
pub mod shared;
pub mod signal;
pub mod state;
pub mod strftime;
pub mod table;
pub mod time;
pub mod tres;
pub mod usage;
pub mod vec_map;
pub mod verdict;
pub mod width;
