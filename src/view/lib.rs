//! View logic: geometry, formatting and sentences, without a browser.
//!
//! Everything the page computes is here, so it is tested natively. The app only draws the results.

pub mod address;
pub mod admin;
pub mod axis;
pub mod chart;
pub mod charts;
pub mod cluster;
pub mod commands;
pub mod compare;
pub mod compose;
pub mod css;
pub mod example;
pub mod fill;
pub mod finder;
pub mod gantt;
pub mod graph;
pub mod layout;
pub mod lesson;
pub mod life;
pub mod lint;
pub mod motd;
pub mod number;
pub mod opened_files;
pub mod outcome;
pub mod pacing;
pub mod palette;
pub mod panel_link;
pub mod picture_file;
pub mod poster;
pub mod priority;
pub mod qr;
pub mod queue;
pub mod recovery;
pub mod results;
pub mod rich;
pub mod shares;
pub mod spark;
pub mod states;
pub mod still;
pub mod svg;
pub mod terminal_picture;
pub mod times;
pub mod travel;
pub mod why;
