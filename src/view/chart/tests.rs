//! Tests: the shapes that are drawn, their positions, and that text never becomes markup.

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

/// A chart with one series of each shape.
fn all_shapes() -> Chart {
    let shapes = [
        ("mean", SeriesShape::Steps(vec![(0.0, 0.2), (2.0, 0.8)])),
        ("", SeriesShape::Band(vec![[0.0, 0.1, 0.3], [4.0, 0.7, 0.9]])),
        (
            "waits",
            SeriesShape::Boxes(BoxPlot::of(1.0, 0.5, &[0.1, 0.4, 0.5, 0.6, 5.0]).into_iter().collect()),
        ),
        ("use", SeriesShape::Cells(vec![HeatCell { x: [2.2, 2.8], y: [0.0, 0.2], share: 1.0 }])),
        ("jobs", histogram(&[0.5, 0.6, 3.5], 0.0, 4.0, 4)),
        ("all <of> them", cumulative(&[0.5, 2.5])),
    ];
    let series = shapes.into_iter().zip(SeriesColour::ALL).map(|((name, shape), colour)| ChartSeries {
        name: name.to_owned(),
        colour,
        shape,
    });
    Chart { series: series.collect(), ..chart(SeriesShape::Line(vec![])) }
}

#[test]
fn a_file_is_self_contained() {
    let chart = all_shapes();
    let file = ChartFile { chart: &chart, size: (480.0, 280.0), x_name: "hours & days", y_name: "share" };
    insta::assert_snapshot!("chart_in_a_file", file.svg());
}

#[test]
fn the_page_shows_the_same_shapes() {
    insta::assert_snapshot!("chart_in_the_page", all_shapes().svg(480.0));
}

#[test]
fn a_small_or_impossible_size_is_still_a_picture() {
    let chart = all_shapes();
    for size in [(-5.0, 0.0), (f64::NAN, f64::NAN), (1e9, 20.0)] {
        let text = ChartFile { chart: &chart, size, x_name: "", y_name: "" }.svg();
        assert!(
            text.starts_with("<svg xmlns")
                && !text.contains("NaN")
                && text.matches("class=\"s1\"").count() == 2,
            "{text}"
        );
    }
}

/// The image shows each shape at the same position as the SVG file, in the colour of its class.
#[cfg(feature = "png")]
#[test]
fn an_image_shows_the_same() {
    let chart = all_shapes();
    let file = ChartFile { chart: &chart, size: (480.0, 280.0), x_name: "", y_name: "" };
    let bytes = file.png();
    let image = tiny_skia::Pixmap::decode_png(&bytes).expect("a PNG file");
    assert_eq!((image.width(), image.height()), (960, 560));
    let svg = file.svg();
    let cell = svg.rsplit("<rect class=\"heat-9\"").next().expect("a cell");
    let number = |name: &str| -> f64 {
        let text = cell.split(&format!(" {name}=\"")).nth(1).and_then(|rest| rest.split('"').next());
        text.and_then(|text| text.parse().ok()).expect("a number")
    };
    // Nothing covers the lower right of the cell.
    let (x, y) = (number("x") + number("width") * 0.9, number("y") + number("height") * 0.9);
    let pixel = image.pixel((x * 2.0) as u32, (y * 2.0) as u32).expect("a pixel");
    assert_eq!([pixel.red(), pixel.green(), pixel.blue()], [8, 48, 107]);
    let dark = image.pixels().iter().filter(|pixel| pixel.red() < 60 && pixel.blue() < 60).count();
    assert!(dark > 200, "the title is not readable: {dark} dark pixels");
}
