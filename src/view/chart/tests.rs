//! Tests: what is drawn, where, and that no text of a chart can be markup.

use super::*;

fn axis(until: f64, labels: &[(f64, &str)]) -> ChartAxis {
    ChartAxis {
        ends: (0.0, until),
        marks: labels.iter().map(|(at, text)| (*at, (*text).to_owned())).collect(),
    }
}

fn chart(shape: SeriesShape) -> Chart {
    Chart {
        title: "a \"title\"".to_owned(),
        text: "<b>words</b>".to_owned(),
        x: axis(4.0, &[(0.0, "<now>"), (2.0, "later"), (4.0, "")]),
        y: axis(1.0, &[(0.0, "0"), (0.5, "half"), (1.0, "one")]),
        series: vec![ChartSeries { name: "n".to_owned(), colour: SeriesColour::Fourth, shape }],
    }
}

#[test]
fn the_frame_has_its_marks_and_labels() {
    let text = chart(SeriesShape::Line(vec![])).svg(256.0);
    assert!(text.contains("aria-label=\"a &quot;title&quot;\" width=\"256.0\" height=\"150.0\""), "{text}");
    assert!(text.contains("<desc>&lt;b&gt;words&lt;/b&gt;</desc>"), "{text}");
    assert!(text.contains(">&lt;now&gt;</text>") && !text.contains("<now>"), "{text}");
    // Three lines across, five labels, and a mark for each value, with or without a label.
    assert_eq!(text.matches("class=\"grid\"").count(), 3, "{text}");
    assert_eq!(text.matches("class=\"tick end\"").count(), 3, "{text}");
    assert_eq!(text.matches("class=\"tick middle\"").count(), 2, "{text}");
    assert_eq!(text.matches("class=\"axis\"").count(), 2 + 6, "{text}");
    assert!(text.contains("<text class=\"tick middle\" x=\"142.0\""), "{text}");
}

#[test]
fn each_shape_is_drawn_in_its_class_and_inside_the_frame() {
    let points = vec![(0.0, 0.5), (2.0, 9.0), (4.0, -1.0)];
    let line = chart(SeriesShape::Line(points.clone())).svg(256.0);
    assert!(line.contains("<path class=\"s4\" d=\"M42.0 68.9L142.0 10.0L241.9 127.9\"/>"), "{line}");
    let area = chart(SeriesShape::Area(points.clone())).svg(256.0);
    assert!(area.contains("<path class=\"area-s4\""), "{area}");
    let bars = chart(SeriesShape::Bars(vec![[1.0, 2.0, 0.5]])).svg(256.0);
    assert!(bars.contains("<rect class=\"bar-s4\" x=\"92.0\" y=\"68.9\""), "{bars}");
    let dots = chart(SeriesShape::Points(vec![(2.0, 0.5)])).svg(256.0);
    assert!(dots.contains("<circle class=\"point-s4\" cx=\"142.0\" cy=\"68.9\" r=\"3.0\"/>"), "{dots}");
    assert!(dots.contains("<path class=\"drop-s4\""), "{dots}");
}

#[test]
fn a_narrow_or_empty_chart_is_still_a_picture() {
    for width in [-5.0, 0.0, 41.0, f64::NAN] {
        let text = chart(SeriesShape::Line(vec![(0.0, 0.0)])).svg(width);
        assert!(text.starts_with("<svg") && text.contains("width=\"120.0\""), "{text}");
    }
    assert!(Chart::default().svg(300.0).contains("class=\"axis\""));
}
