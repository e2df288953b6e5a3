//! `sandbatch doctest --table`: pages, blocks and findings of several folders, as a Markdown table.
#![allow(clippy::disallowed_methods)] // It measures real time.

use super::files::find_pages;
use super::out;
use super::{NO_PAGES, check};
use ::doctest::{BlockVerdict, DocSite, DoctestConfig};
use std::path::PathBuf;
use std::time::Instant;

/// Prints a row for each path.
///
/// # Errors
/// A path cannot be read.
pub fn run(
    paths: &[PathBuf],
    sites: &[DocSite],
    config: &DoctestConfig,
    examples_run: bool,
) -> Result<u8, String> {
    out::print("| folder | pages | blocks |")?;
    for verdict in BlockVerdict::ALL {
        out::print(&format!(" {} |", verdict.name()))?;
    }
    out::print(
        " seconds |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    )?;
    let mut all = 0;
    for path in paths {
        let began = Instant::now();
        let pages = find_pages(std::slice::from_ref(path), config)?;
        let report = check(&pages, sites, config, examples_run)?;
        all += report.pages;
        out::print(&format!("| {} | {} | {} |", path.display(), report.pages, report.blocks.len()))?;
        for count in report.counts().values() {
            out::print(&format!(" {count} |"))?;
        }
        out::print(&format!(" {:.2} |\n", began.elapsed().as_secs_f64()))?;
    }
    if all == 0 { Err(NO_PAGES.to_owned()) } else { Ok(0) }
}
