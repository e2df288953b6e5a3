//! Words that every room speaks. Nothing here knows Slurm's state.

pub mod bitset;
pub mod cow;
pub mod cow_set;
pub mod cron;
pub mod diagnostic;
pub mod dictionary;
pub mod few;
pub mod front;
pub mod hash;
pub mod hostlist;
pub mod ids;
pub mod math;
pub mod order;
pub mod pack;
pub mod regex;
pub mod shared;
pub mod slip;
pub mod state;
pub mod table;
pub mod time;
pub mod tres;
pub mod usage;
