//! The app: what is not there when the page opens, above all the panels behind the first one.

/// Functions that draw what is opened later; what only they call goes with them.
pub const LATER: &[&str] = &[
    "ui::account::draw",
    "ui::admin::draw",
    "ui::bring::own::draw",
    "ui::bring::take",
    "ui::charts::draw",
    "ui::cluster::controls::draw",
    "ui::composer::draw",
    "ui::editor::draw",
    "ui::finder::draw",
    "ui::floating::dialog",
    "ui::gantt::draw",
    "ui::graph::draw",
    "ui::job::draw_job",
    "ui::job::draw_node",
    "ui::layout::full",
    "ui::layout::way_out",
    "ui::lesson::draw",
    "ui::preempt::draw",
    "ui::priority::draw",
    "ui::results::draw",
    "ui::shares::draw",
    "ui::terminal::refused::draw",
    "ui::tour::draw",
    "ui::travel::draw",
];
