//! Bars, lanes and windows; each run end has its own shape; files.

use super::*;

fn bar(row: u32, from: Micros, until: Micros, limit: Option<Micros>) -> GanttBar {
    let kind = if limit.is_some() { BarKind::Running } else { BarKind::Completed };
    GanttBar { row, from, until, limit, kind, job: 1, id: from.to_string(), ..GanttBar::default() }
}

fn plan(picture: &GanttPicture, width: f64) -> GanttLayout {
    GanttLayout::new(picture, false, picture.now, (width, 0.0))
}

#[test]
fn jobs_that_share_a_node_get_separate_lanes() {
    let bars =
        vec![bar(0, 0, 50, Some(80)), bar(0, 10, 20, None), bar(0, 30, 40, None), bar(1, 0, 100, None)];
    let picture = GanttPicture { now: 50, until: 100, bars, ..GanttPicture::default() };
    let plan = plan(&picture, 1116.0);
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| plan.bars[i].0);
    assert_eq!((a.x, a.w, plan.bars[0].1), (116.0, 500.0, 300.0), "the limit's ghost follows the bar");
    assert!(b.y > a.y && b.y == c.y, "the third has the second's lane");
    assert!(d.y >= AXIS + ROWS.0 && d.h > a.h);
    assert_eq!(plan.at(700.0, a.y + 1.0), Some(0), "the ghost is the job as well");
    assert_eq!(plan.at(700.0, b.y + 2.0), None);
    assert_eq!(plan.moment(plan.x(40)), 40);
}

#[test]
fn running_jobs_grow_between_two_pictures() {
    let bars = vec![bar(0, 0, 50, Some(80))];
    let picture = GanttPicture { now: 50, until: 100, bars, ..GanttPicture::default() };
    let still = GanttLayout::new(&picture, false, 60, (1116.0, 0.0));
    assert_eq!((still.bars[0].0.w, still.from), (600.0, 0));
    let follows = GanttLayout::new(&picture, true, 60, (1116.0, 0.0));
    assert_eq!((follows.from, follows.until, follows.bars[0].0.w), (10, 110, 500.0));
}

#[test]
fn few_rows_fill_the_height() {
    assert_eq!([row_height(2, 1000.0), row_height(20, 1024.0), row_height(500, 1000.0)], [58.0, 50.0, 26.0]);
}

#[test]
fn many_share_the_last_lane() {
    let bars = (0..20).map(|i| bar(0, i, 1000, None)).collect();
    let plan = plan(&GanttPicture { until: 1000, bars, ..GanttPicture::default() }, 500.0);
    assert_eq!(plan.bars.len(), 20);
    assert!(plan.bars.iter().all(|(r, _)| r.y + r.h <= AXIS + ROWS.0));
}

#[test]
fn windows() {
    let hour = 3600 * SECOND;
    let window = GanttWindow { span: hour, until: Some(hour), ..GanttWindow::default() };
    let near = zoomed(&window, (0, hour), hour / 4, 0.5);
    assert_eq!((near.span, near.until), (hour / 2, Some(hour / 4 + hour * 3 / 8)));
    let follows = zoomed(&GanttWindow::default(), (0, hour), 0, 2.0);
    assert_eq!(follows.until, None, "who follows the present goes on so");
    assert_eq!(zoomed(&window, (0, hour), 0, 1e-9).span, SPANS.0);
    assert_eq!(between(&window, 2 * hour, hour).until, Some(2 * hour));
}

#[test]
fn every_end_has_a_shape_of_its_own() {
    let kinds =
        [BarKind::Completed, BarKind::Failed, BarKind::Preempted, BarKind::Requeued, BarKind::Suspended];
    let drawn = kinds.map(|kind| {
        let bars = vec![GanttBar { kind, ..bar(0, 10, 60, None) }];
        let rows = vec!["cn01".into()];
        let picture = GanttPicture { now: 60, until: 100, rows, bars, ..GanttPicture::default() };
        let look = GanttView { size: (800.0, 200.0), now_word: "now", ..GanttView::default() };
        shapes(&picture, &plan(&picture, 800.0), &look, &|_, _| String::new())
    });
    for (i, a) in drawn.iter().enumerate() {
        assert!(drawn.iter().skip(i + 1).all(|b| a != b), "{:?}", kinds[i]);
    }
}

#[test]
fn arrows_join_preemptor_and_victim() {
    let by = |id: &str, row, kind| GanttBar { id: id.into(), kind, by: "9".into(), ..bar(row, 10, 50, None) };
    let bars = vec![
        by("1", 0, BarKind::Preempted),
        GanttBar { id: "9".into(), ..bar(0, 50, 80, Some(90)) },
        by("2", 1, BarKind::Requeued),
    ];
    let rows = vec!["cn01".into(), "cn02".into()];
    let picture = GanttPicture { now: 80, until: 100, rows, bars, ..GanttPicture::default() };
    let joins = |selected: Option<&str>| {
        let selected = selected.map(str::to_owned);
        let look = GanttView { size: (800.0, 200.0), now_word: "now", selected, ..GanttView::default() };
        let all = shapes(&picture, &plan(&picture, 800.0), &look, &|_, _| String::new());
        all.iter()
            .filter(|s| matches!(s, GanttShape::Lines(way, Ink::Warn, w) if way.len() == 2 && *w == 1.5))
            .count()
    };
    assert_eq!([joins(None), joins(Some("1")), joins(Some("9"))], [2, 1, 2]);
    assert!(csv(&picture, &plan(&picture, 800.0)).lines().nth(1).is_some_and(|l| l.ends_with(",9")));
}

#[test]
fn files() {
    let told = |text: &str| text.to_owned();
    let bars = vec![GanttBar {
        user: told("alice"),
        name: told("a,b"),
        id: told("12"),
        ..bar(0, 10 * SECOND, 60 * SECOND, None)
    }];
    let (until, now, rows) = (100 * SECOND, 60 * SECOND, vec![told("cn01")]);
    let picture = GanttPicture { until, now, rows, bars, ..GanttPicture::default() };
    let text = csv(&picture, &plan(&picture, 800.0));
    assert_eq!(text.lines().count(), 2);
    let line = "12,alice,\"a,b\",cn01,completed,1970-01-01T00:00:10,1970-01-01T00:01:00,";
    assert!(text.contains(line), "{text}");
    let look = GanttView { size: (800.0, 200.0), now_word: "now", ..GanttView::default() };
    let all = shapes(&picture, &plan(&picture, 800.0), &look, &|_, _| "12:00".into());
    let text = svg(&all, (800.0, 200.0), "Timeline", false);
    assert!(text.starts_with("<svg class=\"picture\""), "{text}");
    assert!(text.contains("cn01") && text.contains("12:00"), "{text}");
}

#[test]
fn own_jobs_are_saturated_and_wide_bars_are_named() {
    let of = |user: &str, index, row, from, until| GanttBar {
        user: user.into(),
        user_index: index,
        name: "training".into(),
        id: format!("{index}"),
        ..bar(row, from, until, None)
    };
    let bars = vec![of("alice", 0, 0, 0, 50), of("bob", 1, 0, 50, 100), of("bob", 2, 1, 0, 8)];
    let rows = vec!["cn01".into(), "cn02".into()];
    let picture = GanttPicture { now: 100, until: 100, rows, bars, ..GanttPicture::default() };
    let drawn = |me: &str| {
        let look = GanttView { size: (800.0, 200.0), me: me.into(), now_word: "now", ..GanttView::default() };
        shapes(&picture, &plan(&picture, 800.0), &look, &|_, _| String::new())
    };
    let fills = |me: &str| {
        let fill = |s: GanttShape| match s {
            GanttShape::Fill(r, ink @ (Ink::Job(..) | Ink::Quiet(..)), 100) => Some((r, ink)),
            _ => None,
        };
        drawn(me).into_iter().filter_map(fill).collect::<Vec<_>>()
    };
    let inks: Vec<Ink> = fills("alice").into_iter().map(|f| f.1).collect();
    assert_eq!(inks, [Ink::Job(0, 1), Ink::Quiet(1, 1), Ink::Quiet(2, 1)]);
    // Someone without jobs sees everyone's in full colour.
    assert!(fills("carol").iter().all(|f| matches!(f.1, Ink::Job(..))));
    let [first, second] = [0, 1].map(|i| fills("alice")[i].0);
    assert_eq!(first.x + first.w + 1.0, second.x, "a hairline lies between them");
    let texts: Vec<String> = drawn("alice")
        .into_iter()
        .filter_map(
            |s| if let GanttShape::Text { text, ink: Ink::OnJob, .. } = s { Some(text) } else { None },
        )
        .collect();
    assert_eq!(texts, ["0 training", "1 training", "2"]);
}
