//! The queue table: visible rows, columns and cell texts.

use crate::fill::csv_line;
use crate::times::{self, Calendar};
use protocol::{Direction, Micros, QueueList, QueueRow, QueueWindow, SortBy};

/// Height of a row in pixels.
pub const ROW: f64 = 28.0;

/// Extra rows requested beyond the visible ones for smooth scrolling.
const SPARE: u32 = 8;

/// First row and number of rows to draw for a scroll position.
#[must_use]
pub fn visible(scroll: f64, height: f64, total: u32) -> (u32, u32) {
    // Saturating casts: a scroll position is at most briefly negative and never large.
    let first = ((scroll / ROW).floor() as u32).saturating_sub(2).min(total);
    let rows = (height / ROW).ceil() as u32 + 4;
    (first, rows.min(total - first).min(150))
}

/// The subscription for a scroll position, quantised so that not every pixel sends a request.
#[must_use]
pub fn window(scroll: f64, height: f64, list: QueueList) -> QueueWindow {
    let first = (scroll.max(0.0) / ROW).floor() as u32 / SPARE * SPARE;
    let count = (height / ROW).ceil() as u32 + 3 * SPARE;
    QueueWindow { first: first.saturating_sub(SPARE), count: count.min(200), list }
}

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum QueueColumn {
    Id,
    State,
    Name,
    User,
    Partition,
    Time,
    Size,
    Priority,
    Start,
    NodeList,
}

/// Definition of a column: name in styles and storage, sort order, CSS width, minimum table width at which it is shown,
/// and whether it is shown by default.
pub struct ColumnKind {
    /// The column.
    pub column: QueueColumn,
    /// `id`.
    pub name: &'static str,
    /// Sort order of its heading.
    pub sort: SortBy,
    width: &'static str,
    /// The table width below which its texts are shorter, and the column's width then.
    short: (f64, &'static str),
    from: f64,
    usual: bool,
}

impl ColumnKind {
    /// Whether a table of this width is too narrow for the full texts.
    #[must_use]
    pub fn is_short(&self, width: f64) -> bool {
        width < self.short.0
    }
}

/// In table order.
pub const COLUMNS: [ColumnKind; 10] = [
    kind(QueueColumn::Id, "id", SortBy::Id, "minmax(64px, 1.3fr)", 0.0, true),
    // A word, or squeue's code.
    kind(QueueColumn::State, "state", SortBy::State, "80px", 0.0, true).or_short(340.0, "36px"),
    kind(QueueColumn::Name, "name", SortBy::Name, "minmax(44px, 1.4fr)", 0.0, true),
    kind(QueueColumn::User, "user", SortBy::User, "minmax(66px, 1.15fr)", 520.0, true),
    kind(QueueColumn::Partition, "part", SortBy::Partition, "minmax(60px, 1.5fr)", 640.0, true),
    // With the time limit, or without it.
    kind(QueueColumn::Time, "time", SortBy::Time, "116px", 0.0, true).or_short(480.0, "84px"),
    kind(QueueColumn::Size, "size", SortBy::Size, "104px", 800.0, true),
    kind(QueueColumn::Priority, "prio", SortBy::Priority, "76px", 560.0, false),
    kind(QueueColumn::Start, "start", SortBy::Start, "112px", 700.0, true),
    kind(QueueColumn::NodeList, "place", SortBy::NodeList, "minmax(64px, 2.2fr)", 392.0, true),
];

const fn kind(
    column: QueueColumn,
    name: &'static str,
    sort: SortBy,
    width: &'static str,
    from: f64,
    usual: bool,
) -> ColumnKind {
    ColumnKind { column, name, sort, width, short: (0.0, width), from, usual }
}

impl ColumnKind {
    /// The same column with shorter texts in a table that is narrower than this.
    const fn or_short(self, below: f64, width: &'static str) -> Self {
        Self { short: (below, width), ..self }
    }
}

/// The columns chosen by name, or the default ones.
#[must_use]
pub fn chosen(names: Option<&str>) -> Vec<QueueColumn> {
    let named = |k: &&ColumnKind| names.map_or(k.usual, |all| all.split(',').any(|name| name == k.name));
    // The job ID is always shown because it makes the row clickable.
    COLUMNS.iter().filter(|k| k.column == QueueColumn::Id || named(k)).map(|k| k.column).collect()
}

/// The names of chosen columns, for storage.
#[must_use]
pub fn names(columns: &[QueueColumn]) -> String {
    let all = COLUMNS.iter().filter(|k| columns.contains(&k.column)).map(|k| k.name);
    all.collect::<Vec<_>>().join(",")
}

/// The chosen columns that fit into a table of this width.
#[must_use]
pub fn fitting(chosen: &[QueueColumn], width: f64) -> Vec<&'static ColumnKind> {
    COLUMNS.iter().filter(|k| chosen.contains(&k.column) && width >= k.from).collect()
}

/// The CSS grid template of a table of this width.
#[must_use]
pub fn template(columns: &[&ColumnKind], width: f64) -> String {
    let column = |k: &&ColumnKind| if k.is_short(width) { k.short.1 } else { k.width };
    columns.iter().map(column).collect::<Vec<_>>().join(" ")
}

/// Rows of the section with the user's own jobs.
pub const OWN_SHOWN: usize = 4;

/// The request for the user's own jobs: more than are shown, because finished jobs give way to others.
#[must_use]
pub fn own_window(user: String) -> QueueWindow {
    let sort = Some((SortBy::Id, Direction::Down));
    let list = QueueList { user: Some(user), ended: true, group: true, sort, ..QueueList::default() };
    QueueWindow { first: 0, count: 40, list }
}

/// The rows of the section with the user's own jobs: the newest, finished ones last.
#[must_use]
pub fn own(rows: &[QueueRow]) -> Vec<QueueRow> {
    let (over, live): (Vec<_>, Vec<_>) = rows.iter().partition(|row| is_over(row));
    live.into_iter().chain(over).take(OWN_SHOWN).cloned().collect()
}

/// The job or array of a row, as `sbatch` printed its number.
#[must_use]
pub fn submission(row: &QueueRow) -> &str {
    row.id.split('_').next().unwrap_or_default()
}

/// The order after a click on a heading: ascending or descending, then reversed, then squeue's own.
#[must_use]
pub fn resorted(now: Option<(SortBy, Direction)>, by: SortBy) -> Option<(SortBy, Direction)> {
    // Starts with the largest or latest if that is usually wanted.
    let first = match by {
        SortBy::Time | SortBy::Size | SortBy::Priority => Direction::Down,
        SortBy::Id
        | SortBy::State
        | SortBy::Name
        | SortBy::User
        | SortBy::Partition
        | SortBy::NodeList
        | SortBy::Start => Direction::Up,
    };
    let second = if first == Direction::Up { Direction::Down } else { Direction::Up };
    match now {
        Some((old, way)) if old == by && way == first => Some((by, second)),
        Some((old, _)) if old == by => None,
        Some(_) | None => Some((by, first)),
    }
}

/// Its job ID; `12_[…]` for a grouped array.
#[must_use]
pub fn id_text(row: &QueueRow) -> String {
    match (row.tasks, row.id.split_once('_')) {
        (Some(_), Some((array, _))) => format!("{array}_[…]"),
        (Some(_) | None, _) => row.id.clone(),
    }
}

/// Its nodes or pending reason; for a grouped array its task counts: `3 R 20 PD (Resources)`.
#[must_use]
pub fn nodelist_text(row: &QueueRow) -> String {
    let Some(counts) = tasks_text(row) else { return row.nodelist.clone() };
    let why = if row.nodelist.starts_with('(') { row.nodelist.as_str() } else { "" };
    format!("{counts} {why}").trim_end().to_owned()
}

/// Task counts of a grouped array: `3 R 20 PD`. Shown in the time column if the table is too narrow for the last
/// column.
#[must_use]
pub fn tasks_text(row: &QueueRow) -> Option<String> {
    row.tasks.map(|(waiting, running)| format!("{running} R {waiting} PD"))
}

/// A name shortened to fit a cell, cut between characters.
#[must_use]
pub fn shortened(name: &str) -> String {
    const MOST: usize = 64;
    if name.len() <= MOST {
        return name.to_owned();
    }
    let mut text: String = name.chars().take(MOST).collect();
    if text.len() < name.len() {
        text.push('…');
    }
    text
}

/// Most rows of a file: what the engine sends at once.
pub const EXPORTED: u32 = 200;

/// Rows as CSV: times in seconds, no limit where there is none, and the start as a date.
#[must_use]
pub fn csv(rows: &[QueueRow]) -> String {
    let mut out = csv_line([
        "job",
        "state",
        "name",
        "user",
        "partition",
        "elapsed",
        "limit",
        "nodes",
        "cpus",
        "gpus",
        "priority",
        "start",
        "nodelist_or_reason",
    ]);
    for row in rows {
        let limit = if row.limit < 0 { String::new() } else { row.limit.to_string() };
        let start =
            row.start.map(times::civil).map(|c| format!("{}T{}", c.date(), c.hms())).unwrap_or_default();
        out.push_str(&csv_line([
            row.id.as_str(),
            &row.state,
            &row.name,
            &row.user,
            &row.partition,
            &row.seconds.to_string(),
            &limit,
            &row.nodes.to_string(),
            &row.cpus.to_string(),
            &row.gpus.to_string(),
            &row.priority.to_string(),
            &start,
            &row.nodelist,
        ]));
    }
    out
}

/// The last job ID that the terminal output reports as submitted.
#[must_use]
pub fn submitted(output: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(output);
    let (_, after) = text.rsplit_once("Submitted batch job ")?;
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    (!digits.is_empty()).then_some(digits)
}

/// Whether a job has ended.
#[must_use]
pub fn is_over(row: &QueueRow) -> bool {
    !matches!(
        row.state.as_str(),
        "PD" | "R" | "CF" | "CG" | "S" | "ST" | "SO" | "SI" | "RQ" | "RH" | "RS" | "RD" | "RF"
    )
}

/// Elapsed fraction of a running job's time limit, 0 to 1.
#[must_use]
pub fn progress(row: &QueueRow) -> Option<f64> {
    // A smaller bar would be invisible.
    const LEAST: f64 = 0.02;
    let done = row.seconds as f64 / row.limit.max(1) as f64;
    (done >= LEAST && row.limit > 0 && row.state != "PD").then(|| done.min(1.0))
}

/// Whether a running job has used nine tenths of its time limit.
#[must_use]
pub fn is_late(row: &QueueRow) -> bool {
    progress(row).is_some_and(|done| done >= 0.9)
}

/// The time limit after the elapsed time: ` / 10 min`; nothing if there is none. `day` is the unit of days.
#[must_use]
pub fn limit_text(row: &QueueRow, day: &str) -> String {
    if row.limit > 0 { format!(" / {}", times::span(row.limit, day)) } else { String::new() }
}

/// The start, or `≈` and the expected start: the time today, with the date on other days.
#[must_use]
pub fn start_text(row: &QueueRow, now: Micros, words: &Calendar) -> String {
    let Some(start) = row.start else { return String::new() };
    let expected = if row.state == "PD" { "≈ " } else { "" };
    let date = times::date_apart(start, now, words).map(|date| format!("{date} ")).unwrap_or_default();
    format!("{expected}{date}{}", times::civil(start).hm())
}

/// The size cell: `2 × 16` plus GPUs.
#[must_use]
pub fn size_text(row: &QueueRow) -> String {
    let gpus = if row.gpus > 0 { format!(" + {} GPU", row.gpus) } else { String::new() };
    format!("{} CPU{gpus}", row.cpus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows() {
        assert_eq!(visible(0.0, 280.0, 500), (0, 14));
        assert_eq!(visible(2800.0, 280.0, 500), (98, 14));
        assert_eq!(visible(2800.0, 280.0, 20), (20, 0));
        assert_eq!(visible(0.0, 280.0, 3), (0, 3));
        let w = window(2800.0, 280.0, QueueList::default());
        let (first, rows) = visible(2800.0, 280.0, 500);
        assert!(w.first <= first && w.first + w.count >= first + rows);
        assert_eq!(window(2810.0, 280.0, QueueList::default()), w);
    }

    #[test]
    fn columns_fit_and_are_stored() {
        let usual = chosen(None);
        assert_eq!(chosen(Some(&names(&usual))), usual);
        assert_eq!(fitting(&usual, 400.0).len(), 5);
        assert_eq!(fitting(&usual, 900.0).len(), 9);
        assert_eq!(chosen(Some("nonsense")), [QueueColumn::Id]);
        let columns = |names, width| template(&fitting(&chosen(Some(names)), width), width);
        assert_eq!(columns("prio", 900.0), "minmax(64px, 1.3fr) 76px");
        // On a small phone, squeue's code takes the place of the word.
        assert_eq!(
            (columns("state", 339.0).as_str(), columns("state", 340.0).as_str()),
            ("minmax(64px, 1.3fr) 36px", "minmax(64px, 1.3fr) 80px")
        );
        // The least widths of the columns fit into a table that shows them: 8 px between two, 12 px on each side.
        for width in 320..2000 {
            let width = f64::from(width);
            let shown = fitting(&usual, width);
            let columns = template(&shown, width);
            let least =
                columns.split("px").filter_map(|text| text.rsplit(['(', ' ']).next()?.parse::<f64>().ok());
            let needs = least.sum::<f64>() + 8.0 * (shown.len() - 1) as f64 + 24.0;
            assert!(needs <= width, "{needs} in {width}: {columns}");
        }
    }

    #[test]
    fn own_jobs_are_the_newest_with_finished_ones_last() {
        let row =
            |id: &str, state: &str| QueueRow { id: id.into(), state: state.into(), ..QueueRow::default() };
        let rows = [
            row("9", "CD"),
            row("8", "PD"),
            row("7_[2-30]", "PD"),
            row("6", "F"),
            row("5", "R"),
            row("4", "R"),
        ];
        let shown = own(&rows);
        assert_eq!(shown.iter().map(submission).collect::<Vec<_>>(), ["8", "7", "5", "4"]);
        let shown = own(&rows[..3]);
        assert_eq!(shown.iter().map(submission).collect::<Vec<_>>(), ["8", "7", "9"]);
    }

    #[test]
    fn headings_change_the_order() {
        let once = resorted(None, SortBy::Priority);
        assert_eq!(once, Some((SortBy::Priority, Direction::Down)));
        let twice = resorted(once, SortBy::Priority);
        assert_eq!(twice, Some((SortBy::Priority, Direction::Up)));
        assert_eq!(resorted(twice, SortBy::Priority), None);
        assert_eq!(resorted(twice, SortBy::Name), Some((SortBy::Name, Direction::Up)));
    }

    #[test]
    fn long_names_are_cut_between_characters() {
        assert_eq!(shortened("short"), "short");
        assert_eq!(shortened(&"🦀".repeat(200)).chars().count(), 65);
    }

    #[test]
    fn an_array_in_one_row() {
        let row = |id: &str, nodelist: &str, tasks| QueueRow {
            id: id.into(),
            nodelist: nodelist.into(),
            tasks,
            ..QueueRow::default()
        };
        let texts = |row: &QueueRow| format!("{} {}", id_text(row), nodelist_text(row));
        assert_eq!(texts(&row("4_[2-300%4]", "(Resources)", None)), "4_[2-300%4] (Resources)");
        assert_eq!(texts(&row("4_[2-300%4]", "(Resources)", Some((299, 1)))), "4_[…] 1 R 299 PD (Resources)");
        assert_eq!(texts(&row("4_7", "n01", Some((0, 2)))), "4_[…] 2 R 0 PD");
    }

    #[test]
    fn rows_as_a_file() {
        let row = QueueRow {
            id: "4_7".into(),
            name: "a,b".into(),
            limit: -1,
            start: Some(3_600_000_000),
            ..QueueRow::default()
        };
        let text = csv(&[row]);
        assert_eq!(text.lines().nth(1), Some("4_7,,\"a,b\",,,0,,0,0,0,0,1970-01-01T01:00:00,"));
    }

    #[test]
    fn submitted_job_ids() {
        assert_eq!(submitted(b"Submitted batch job 12\nSubmitted batch job 13\n"), Some("13".into()));
        assert_eq!(submitted(b"sbatch: error: no"), None);
        assert_eq!(submitted(b"Submitted batch job x"), None);
    }

    #[test]
    fn texts() {
        let row =
            QueueRow { state: "R".into(), seconds: 90, limit: 60, cpus: 4, gpus: 1, ..QueueRow::default() };
        assert_eq!(size_text(&row), "4 CPU + 1 GPU");
        assert_eq!(
            (progress(&row), is_late(&row), limit_text(&row, "d").as_str()),
            (Some(1.0), true, " / 1 min")
        );
        let row = QueueRow { limit: 2 * 86_400, start: Some(3_600_000_000), ..row };
        assert_eq!((is_late(&row), limit_text(&row, "j").as_str()), (false, " / 2 j"));
        assert_eq!(start_text(&row, 0, &times::EN), "01:00");
        let row = QueueRow { state: "PD".into(), limit: -1, ..row };
        assert_eq!((progress(&row), limit_text(&row, "d").as_str()), (None, ""));
        assert_eq!(start_text(&row, 0, &times::EN), "≈ 01:00");
        let row = QueueRow { start: Some(26 * 3_600_000_000), ..row };
        assert_eq!(start_text(&row, 0, &times::EN), "≈ 2 Jan 02:00");
    }
}
