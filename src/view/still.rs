//! The picture that replaces an embedded page in print: the cluster, the queue and the last lines of the terminal, on white.

use super::svg::escape;
use base::pad;
use std::fmt::Write as _;

const WIDTH: f64 = 960.0;
const MARGIN: f64 = 16.0;
const LINE: f64 = 17.0;
/// Most lines of the terminal, and most jobs.
const MAX_LINES: usize = 24;
/// Characters in a line.
const MAX_LETTERS: usize = 112;
/// Characters in a cell of the queue.
const MAX_CELL: usize = 13;
const FONT: &str =
    "xml:space=\"preserve\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"13\"";
const INK: &str = "#1d2129";
const FAINT: &str = "#5c6470";

/// What an embedded page shows.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct StillParts {
    pub title: String,
    /// The picture of the cluster, if it is shown.
    pub cluster: Option<StillCanvas>,
    /// The cells of the visible jobs.
    pub jobs: Vec<Vec<String>>,
    /// The terminal's text, if it is shown.
    pub terminal: Option<String>,
}

/// A drawn canvas.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct StillCanvas {
    pub width: f64,
    pub height: f64,
    /// `rgb(1, 2, 3)`
    pub ground: String,
    /// `data:image/png;base64,...`
    pub data: String,
}

/// Collapses white space.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The SVG source.
#[must_use]
pub fn still(parts: &StillParts) -> String {
    let (mut body, mut y) = (String::new(), 28.0);
    let write = |body: &mut String, y: &mut f64, text: &str, colour: &str| {
        let text: String = text.chars().take(MAX_LETTERS).collect();
        let text = escape(&text);
        // Writing to a string cannot fail.
        let _ = write!(body, "<text x=\"{MARGIN}\" y=\"{y}\" fill=\"{colour}\" {FONT}>{text}</text>");
        *y += LINE;
    };
    write(&mut body, &mut y, &plain(&parts.title), FAINT);
    if let Some(canvas) = &parts.cluster {
        let scale = ((WIDTH - 2.0 * MARGIN) / canvas.width).min(1.0);
        let (width, height) = (canvas.width * scale, canvas.height * scale);
        let area = format!("x=\"{MARGIN}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
        let (ground, data) = (escape(&canvas.ground), escape(&canvas.data));
        let _ = write!(body, "<rect {area} fill=\"{ground}\"/><image {area} href=\"{data}\"/>");
        y += height + LINE + 8.0;
    }
    for job in parts.jobs.iter().take(MAX_LINES) {
        let cell =
            |cell: &String| pad::left(plain(cell).chars().take(MAX_CELL).collect::<String>(), MAX_CELL + 1);
        write(&mut body, &mut y, &job.iter().map(cell).collect::<String>(), INK);
    }
    if !parts.jobs.is_empty() {
        y += 8.0;
    }
    if let Some(text) = &parts.terminal {
        let lines: Vec<&str> = text.trim_end().lines().collect();
        for line in &lines[lines.len().saturating_sub(MAX_LINES)..] {
            write(&mut body, &mut y, line, INK);
        }
    }
    let height = y.ceil();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\">\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>{body}</svg>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_contains_the_visible_parts() {
        let lines: String = (1..=30).map(|n| format!("line {n}\n")).collect();
        let parts = StillParts {
            title: "sandbatch  lab \n 09:00".into(),
            cluster: Some(StillCanvas {
                width: 1856.0,
                height: 100.0,
                ground: "rgb(1, 2, 3)".into(),
                data: "data:,x".into(),
            }),
            jobs: vec![vec!["12".into(), " a <b>\n".into()]],
            terminal: Some(lines),
        };
        let picture = still(&parts);
        assert!(picture.contains(">sandbatch lab 09:00</text>"), "{picture}");
        // Half its size, so that it fits.
        assert!(picture.contains("width=\"928\" height=\"50\" href=\"data:,x\""), "{picture}");
        assert!(picture.contains(">12            a &lt;b&gt;"), "{picture}");
        assert!(
            !picture.contains(">line 6<") && picture.contains(">line 7<") && picture.contains(">line 30<")
        );
    }

    #[test]
    fn a_page_without_anything_has_a_title() {
        let picture = still(&StillParts { title: "sandbatch".into(), ..StillParts::default() });
        assert_eq!(picture.matches("<text").count(), 1);
        assert!(picture.ends_with("</svg>"));
    }
}
