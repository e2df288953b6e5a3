//! A saved picture as an SVG file: the picture with its title, its time, the panel's sentence and the legend.

use super::svg::escape;
use std::fmt::Write as _;

/// Padding.
const EDGE: f64 = 12.0;
/// Distance between two lines of text.
const ROW: f64 = 18.0;
/// Least width for text, however narrow the picture is.
const LEAST: f64 = 360.0;
/// Functions of the style sheet's colours.
const COLOURS: [&str; 7] = ["oklch(", "oklab(", "lch(", "lab(", "color(", "rgba(", "rgb("];

/// The contents of the file. Colours and fonts are in forms that viewers without a style sheet understand.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct PictureFile {
    pub font: String,
    pub ink: String,
    pub ground: String,
    pub title: String,
    /// Site and time.
    pub caption: String,
    /// The panel's sentence about the picture.
    pub sentence: String,
    pub legend: Vec<FileLegend>,
    /// The pictures as SVG elements, below each other.
    pub pictures: Vec<FilePicture>,
}

/// A picture as an SVG element.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct FilePicture {
    pub svg: String,
    pub width: f64,
    pub height: f64,
}

/// An entry of the legend.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct FileLegend {
    pub text: String,
    pub sign: LegendSign,
}

/// The computed style of a legend's symbol: a line, a frame, or a patch that may end in a stroke.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct LegendSign {
    pub width: f64,
    pub height: f64,
    pub opacity: String,
    pub top: SignBorder,
    pub right: SignBorder,
    pub fill: String,
}

/// A side of a symbol's border.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct SignBorder {
    pub width: f64,
    pub style: String,
    pub colour: String,
}

/// The first colour in a `background-image`, which is a gradient from it to transparent.
#[must_use]
pub fn first_colour(image: &str) -> Option<&str> {
    let starts = COLOURS.iter().filter_map(|name| image.find(name));
    let rest = &image[starts.min()?..];
    Some(&rest[..=rest.find(')')?])
}

/// A file under construction.
struct FileWriter {
    body: String,
    y: f64,
}

impl FileWriter {
    fn text(&mut self, x: f64, y: f64, more: &str, text: &str) {
        // Writing to a string cannot fail.
        let _ = write!(self.body, "<text x=\"{x}\" y=\"{y}\" {more}>{}</text>", escape(text));
    }

    fn line(&mut self, more: &str, text: &str) {
        if !text.is_empty() {
            self.y += ROW;
            self.text(EDGE, self.y - 4.0, more, text);
        }
    }

    /// Draws a symbol of the legend; `y` is the position of the text beside it.
    fn sign(&mut self, sign: &LegendSign, x: f64, y: f64) {
        let LegendSign { width, height, top: border, right, .. } = sign;
        let top = y - 4.0 - height / 2.0;
        let _ = write!(self.body, "<g opacity=\"{}\">", escape(&sign.opacity));
        if border.width > 0.0 {
            let dash = match border.style.as_str() {
                "dashed" => "6 4",
                "dotted" => "2 3",
                _ => "none",
            };
            let shape = if *height > 0.0 {
                format!("<rect x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"")
            } else {
                format!("<path d=\"M{x} {}h{width}\"", y - 4.0)
            };
            let (colour, stroke) = (escape(&border.colour), border.width);
            let _ = write!(
                self.body,
                "{shape} fill=\"none\" stroke=\"{colour}\" stroke-width=\"{stroke}\" stroke-dasharray=\"{dash}\"/></g>"
            );
            return;
        }
        let mut rect = |x: f64, width: f64, fill: &str| {
            let fill = escape(fill);
            let _ = write!(
                self.body,
                "<rect x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>"
            );
        };
        rect(x, *width, &sign.fill);
        if right.width > 0.0 {
            let (bars, wide): (&[f64], f64) = if right.style == "double" {
                (&[0.0, right.width - 1.5], 1.5)
            } else {
                (&[0.0], right.width)
            };
            for at in bars {
                rect(x + width - right.width + at, wide, &right.colour);
            }
        }
        self.body.push_str("</g>");
    }
}

/// The SVG source, its width and its height. `width_of` measures a text of 12 pixels.
#[must_use]
pub fn picture_file(file: &PictureFile, width_of: impl Fn(&str) -> f64) -> (String, f64, f64) {
    let width = file.pictures.iter().fold(LEAST, |widest, picture| widest.max(picture.width));
    let mut writer = FileWriter { body: String::new(), y: EDGE };
    writer.line("font-size=\"14\" font-weight=\"600\"", &file.title);
    writer.line("font-size=\"12\" fill-opacity=\"0.75\"", &file.caption);
    let mut line = String::new();
    for word in file.sentence.split_whitespace() {
        if !line.is_empty() && width_of(&format!("{line} {word}")) > width {
            writer.line("font-size=\"12\"", &std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    writer.line("font-size=\"12\"", &line);
    let mut x = EDGE + width;
    for entry in &file.legend {
        let wide = width_of(&entry.text) + 48.0;
        if x + wide > EDGE + width {
            x = EDGE;
            writer.y += ROW;
        }
        let y = writer.y - 4.0;
        writer.sign(&entry.sign, x, y);
        writer.text(x + entry.sign.width + 6.0, y, "font-size=\"12\"", &entry.text);
        x += wide;
    }
    writer.y += 8.0;
    for picture in &file.pictures {
        let _ = write!(writer.body, "<g transform=\"translate({EDGE} {})\">{}</g>", writer.y, picture.svg);
        writer.y += picture.height + EDGE;
    }
    let (width, height) = (width + 2.0 * EDGE, writer.y);
    let (font, ink, ground) = (escape(&file.font), escape(&file.ink), escape(&file.ground));
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" font-family=\"{font}\" fill=\"{ink}\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\"><rect width=\"100%\" height=\"100%\" fill=\"{ground}\"/>{}</svg>",
        writer.body
    );
    (svg, width, height)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(text: &str) -> f64 {
        text.chars().count() as f64 * 6.0
    }

    #[test]
    fn a_gradient_begins_with_its_colour() {
        assert_eq!(
            first_colour("linear-gradient(90deg, oklch(0.5 0.1 20) 60%, rgba(0, 0, 0, 0))"),
            Some("oklch(0.5 0.1 20)")
        );
        assert_eq!(first_colour("linear-gradient(rgb(1, 2, 3), oklch(0 0 0))"), Some("rgb(1, 2, 3)"));
        assert_eq!(first_colour("none"), None);
        assert_eq!(first_colour("rgb(1"), None);
    }

    #[test]
    fn a_narrow_picture_has_room_for_its_text() {
        let file = PictureFile {
            font: "\"Sans\"".into(),
            title: "A <b> title".into(),
            sentence: "word ".repeat(30),
            pictures: vec![FilePicture { svg: "<svg/>".into(), width: 100.0, height: 50.0 }],
            ..PictureFile::default()
        };
        let (svg, width, height) = picture_file(&file, letters);
        assert_eq!(width, 384.0);
        assert!(
            svg.contains("A &lt;b&gt; title</text>") && svg.contains("font-family=\"&quot;Sans&quot;\""),
            "{svg}"
        );
        // The title, and 30 words of 30 pixels in lines of at most 360.
        assert_eq!(svg.matches("<text").count(), 1 + 3);
        assert_eq!(height, 12.0 + 4.0 * 18.0 + 8.0 + 50.0 + 12.0);
        assert!(svg.contains("<g transform=\"translate(12 92)\"><svg/></g>"), "{svg}");
    }

    #[test]
    fn signs_are_lines_frames_and_patches() {
        let border = |width, style: &str| SignBorder { width, style: style.into(), colour: "red".into() };
        let sign = |height, top, right| LegendSign {
            width: 20.0,
            height,
            opacity: "1".into(),
            top,
            right,
            fill: "blue".into(),
        };
        let entry = |sign| FileLegend { text: "x".into(), sign };
        let file = PictureFile {
            legend: vec![
                entry(sign(0.0, border(2.0, "dashed"), SignBorder::default())),
                entry(sign(10.0, border(1.0, "solid"), SignBorder::default())),
                entry(sign(10.0, SignBorder::default(), border(4.0, "double"))),
            ],
            ..PictureFile::default()
        };
        let (svg, ..) = picture_file(&file, letters);
        assert!(svg.contains("<path d=\"M12 22h20\" fill=\"none\" stroke=\"red\" stroke-width=\"2\" stroke-dasharray=\"6 4\"/>"), "{svg}");
        assert!(svg.contains("height=\"10\" fill=\"none\" stroke=\"red\""), "{svg}");
        assert_eq!(svg.matches("fill=\"red\"").count(), 2, "{svg}");
        assert_eq!(svg.matches("fill=\"blue\"").count(), 1, "{svg}");
    }
}
