//! Bars, lanes and windows; each run end has its own shape; files.

use super::*;
use protocol::GanttFrame;

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

/// Texts that are not in the axis, with the rectangle that wide letters need.
fn labels(shapes: &[GanttShape]) -> Vec<(String, Rect)> {
    let label = |s: &GanttShape| match s {
        GanttShape::Text { x, y, middle: false, text, .. } if *y > AXIS && *x > 100.0 => {
            let w = text.chars().count() as f64 * 7.6;
            Some((text.clone(), Rect { x: *x, y: y - 6.0, w, h: 12.0 }))
        }
        _ => None,
    };
    shapes.iter().filter_map(label).collect()
}

#[test]
fn narrow_bars_have_their_label_beside_them() {
    let of = |id: &str, row, from, until| GanttBar { id: id.into(), ..bar(row, from, until, None) };
    // Row 0: room on both sides. Row 1: only on the left. Row 2: none. Row 3: at the right end.
    let mut bars = vec![of("11", 0, 300, 310), of("21", 1, 300, 310), of("22", 1, 312, 900)];
    bars.extend([of("31", 2, 0, 299), of("32", 2, 300, 310), of("33", 2, 311, 900), of("41", 3, 990, 999)]);
    let named = GanttBar { name: "train".into(), ..of("51", 4, 300, 310) };
    let failed = GanttBar { kind: BarKind::Failed, ..of("61", 5, 300, 310) };
    bars.extend([named, failed]);
    let rows = (0..6).map(|i| format!("cn{i}")).collect();
    let picture = GanttPicture { now: 2000, until: 1000, rows, bars, total: 6, ..GanttPicture::default() };
    let plan = plan(&picture, 1116.0);
    let look = GanttView { size: (1116.0, 300.0), now_word: "now", ..GanttView::default() };
    let drawn = |look: &GanttView| labels(&shapes(&picture, &plan, look, &|_, _| String::new()));
    let all = drawn(&look);
    let place = |id: &str| all.iter().find(|(text, _)| text.starts_with(id)).map(|(_, r)| r.x);
    let (left, right) = (plan.x(300), plan.x(310));
    assert!(place("11").unwrap() > right && place("21").unwrap() < left, "{all:?}");
    assert_eq!(place("32"), None, "no room");
    assert!(place("41").unwrap() < plan.x(990), "never past the end");
    assert!(all.iter().any(|(text, _)| text == "51 train"), "{all:?}");
    assert!(place("61").unwrap() > right + 6.0, "beside the cross");
    let chosen = drawn(&GanttView { selected: Some("11".into()), ..look });
    assert_eq!(chosen.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>(), ["11"], "others are dimmed");
}

#[test]
fn labels_never_overlap() {
    let meet = |a: &Rect, b: &Rect| a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
    let kinds = [BarKind::Completed, BarKind::Failed, BarKind::Preempted, BarKind::Planned, BarKind::Running];
    let (mut seed, mut beside) = (1_u64, 0);
    // Numbers without a pattern, the same in each run.
    let mut next = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) % below) as i64
    };
    for _ in 0..60 {
        let mut bars = Vec::new();
        for row in 0..5 {
            let mut from = next(60);
            while from < 1000 {
                let until = from + 1 + next(40);
                let kind = kinds[next(5) as usize];
                let name = if next(2) == 0 { "train" } else { "" };
                let id = (1000 + next(9000)).to_string();
                let limit = (kind == BarKind::Running).then_some(until + next(40));
                bars.push(GanttBar { kind, name: name.into(), id, ..bar(row, from, until, limit) });
                from = until + next(120) - 4;
            }
        }
        let rows = (0..5).map(|i| format!("cn{i}")).collect();
        let frames = vec![GanttFrame {
            name: "maintenance".into(),
            row: 1,
            rows: 2,
            from: 200,
            until: 700,
            maintenance: true,
        }];
        let picture =
            GanttPicture { now: 600, until: 1000, rows, bars, frames, total: 5, ..GanttPicture::default() };
        let plan = plan(&picture, 1116.0);
        let look = GanttView { size: (1116.0, 300.0), now_word: "now", ..GanttView::default() };
        let all = labels(&shapes(&picture, &plan, &look, &|_, _| String::new()));
        let within = |r: &Rect, (bar, ghost): &(Rect, f64)| {
            r.x >= bar.x && r.x <= bar.x + bar.w + ghost && r.y >= bar.y - 8.0 && r.y <= bar.y + bar.h
        };
        let outside: Vec<_> = all.iter().filter(|(_, r)| !plan.bars.iter().any(|b| within(r, b))).collect();
        for (at, (text, r)) in outside.iter().enumerate() {
            // The name of a reservation lies over the bars in it.
            let covers = plan.bars.iter().any(|(bar, _)| meet(r, bar));
            assert!(!covers || text == "maintenance", "{text} covers a bar");
            assert!(!outside.iter().skip(at + 1).any(|(_, other)| meet(r, other)), "{text} covers a label");
            assert!(r.x + r.w <= 1116.0);
        }
        beside += outside.len();
    }
    assert!(beside > 300, "{beside}");
}
