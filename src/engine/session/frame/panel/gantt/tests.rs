//! Merged bars, and the rows by job.

use super::*;

fn bar(row: u32, from: Micros, until: Micros, kind: BarKind) -> GanttBar {
    GanttBar { row, from, until, kind, id: from.to_string(), job: 1, ..GanttBar::default() }
}

#[test]
fn narrow_bars_are_merged() {
    let done = BarKind::Completed;
    let bars = vec![
        bar(0, 0, 3, done),
        bar(0, 5, 8, done),
        bar(0, 9, 11, done),
        bar(0, 15, 90, done),
        bar(0, 200, 203, BarKind::Running),
        bar(1, 0, 3, done),
    ];
    let kinds: Vec<_> = together(bars, 10).iter().map(|b| (b.row, b.from, b.until, b.kind)).collect();
    let many = BarKind::Many;
    assert_eq!(
        kinds,
        [(0, 0, 11, many), (0, 15, 90, done), (0, 200, 203, BarKind::Running), (1, 0, 3, done)]
    );
}

#[test]
fn rows_by_job_start_with_running_jobs() {
    let (done, run, plan) = (BarKind::Completed, BarKind::Running, BarKind::Planned);
    let named =
        |id: &str, from, kind| (GanttBar { id: id.into(), ..bar(0, from, from + 5, kind) }, BarNodes::Text);
    let found = || {
        vec![
            named("1", 10, done),
            named("2", 20, BarKind::Requeued),
            named("3", 90, plan),
            named("4", 40, run),
            named("2", 60, run),
        ]
    };
    let mut picture = GanttPicture::default();
    by_job(&mut picture, found(), 0, 10);
    assert_eq!(picture.rows, ["4", "2", "3", "1"]);
    let of_two: Vec<_> = picture.bars.iter().filter(|b| b.row == 1).map(|b| (b.from, b.kind)).collect();
    assert_eq!(of_two, [(20, BarKind::Requeued), (60, run)], "its runs share the row, the first one first");
    let mut picture = GanttPicture::default();
    by_job(&mut picture, found(), 3, 2);
    assert_eq!((picture.first, picture.rows.as_slice()), (2, ["3".to_owned(), "1".to_owned()].as_slice()));
}
