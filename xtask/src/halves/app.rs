//! The app's functions that load after the first prompt.

use super::listed::panels;
use crate::Outcome;

/// The page's table of panels, which marks the panels of the first download.
const PANELS: &str = include_str!("../../../src/app/panels/mod.rs");

/// Deferred functions. Functions that only they call are deferred, too. Panels come from their own table.
pub const LATER: &[&str] = &[
    "app::open_files::own::draw",
    "app::open_files::take",
    "app::class_link::draw",
    "app::class::begin",
    "app::class::engine_started",
    "app::class::panel::draw",
    "app::class::panel::draw_join",
    "app::class::wants",
    "app::cluster::chips::draw",
    "app::cluster::controls::draw",
    "app::cluster::figures::draw",
    "app::cluster::tooltip::draw",
    "app::composer::draw",
    "app::editor::buffers::push_findings",
    "app::editor::buffers::push_options",
    "app::editor::draw",
    "app::embed::block::read",
    "app::embed::carry_out",
    "app::embed::head::draw",
    "app::embed::moment",
    "app::embed::still::draw",
    "app::finder::draw",
    "app::job::draw_job",
    "app::job::draw_node",
    "app::layout::full",
    "app::layout::way_out",
    "app::lesson::ask::draw",
    "app::menu::draw",
    "app::modal::dialog",
    "app::notice_list::toasts",
    "app::panels::linked::follow",
    "app::panels::queue::filters::draw",
    "app::panels::queue::own::draw",
    "app::picker::draw",
    "app::projector::draw",
    "app::results::draw",
    "app::save::poster::copy",
    "app::start_screen::draw",
    "app::terminal::keys::draw",
    "app::terminal::refused::draw",
    "app::terminal::waiting::draw",
    "app::tour::draw",
    "app::travel::draw",
];

/// All deferred functions: those above, and those that draw deferred panels.
pub fn later() -> Outcome<Vec<String>> {
    let panels = panels(PANELS)?.into_iter().filter(|panel| !panel.at_once).map(|panel| panel.draw);
    Ok(LATER.iter().map(|function| (*function).to_owned()).chain(panels).collect())
}
