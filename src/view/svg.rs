//! SVG pictures as text, for panels and for saving. User and job names are arbitrary, so every text goes through
//! [`escape`].

use super::cluster::Rect;
use super::css::tenths;
use std::fmt::Write as _;

/// An SVG picture under construction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Svg {
    body: String,
}

/// Escapes text for markup.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A coordinate in tenths of a pixel.
fn n(number: f64) -> String {
    if number < 0.0 { format!("-{}", tenths(-number)) } else { tenths(number) }
}

/// `fill:red`, if there is a colour.
#[must_use]
pub fn filled(colour: &str) -> String {
    if colour.is_empty() { String::new() } else { format!("fill:{colour}") }
}

impl Svg {
    /// A rectangle; `style` may be empty.
    pub fn rect(&mut self, class: &str, r: Rect, style: &str) {
        let style = if style.is_empty() { String::new() } else { format!(" style=\"{style}\"") };
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{style}/>",
            n(r.x),
            n(r.y),
            n(r.w.max(0.0)),
            n(r.h.max(0.0)),
        );
    }

    /// A line.
    pub fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let _ = write!(
            self.body,
            "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
            n(from.0),
            n(from.1),
            n(to.0),
            n(to.1),
        );
    }

    /// A filled circle.
    pub fn circle(&mut self, class: &str, centre: (f64, f64), radius: f64) {
        let _ = write!(
            self.body,
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
            n(centre.0),
            n(centre.1),
            n(radius),
        );
    }

    /// A text alternative, for readers who cannot see the picture. Must precede all shapes.
    pub fn describe(&mut self, text: &str) {
        if !text.is_empty() {
            let _ = write!(self.body, "<desc>{}</desc>", escape(text));
        }
    }

    /// A path; `style` may be empty.
    pub fn path(&mut self, class: &str, d: &str, style: &str) {
        let style = if style.is_empty() { String::new() } else { format!(" style=\"{style}\"") };
        let _ = write!(self.body, "<path class=\"{class}\" d=\"{d}\"{style}/>");
    }

    /// A text, anchored as the class says.
    pub fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let _ = write!(
            self.body,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>",
            n(x),
            n(y),
            escape(text)
        );
    }

    /// Opens a group that can be clicked (`key` in `data-key`, may be empty) and has a tooltip.
    pub fn group(&mut self, class: &str, key: &str, title: &str) {
        let _ = write!(self.body, "<g class=\"{class}\" data-key=\"{}\">", escape(key));
        if !title.is_empty() {
            let _ = write!(self.body, "<title>{}</title>", escape(title));
        }
    }

    /// Closes the group.
    pub fn end(&mut self) {
        self.body.push_str("</g>");
    }

    /// Adds definitions: patterns, markers.
    pub fn defs(&mut self, markup: &str) {
        let _ = write!(self.body, "<defs>{markup}</defs>");
    }

    /// The elements alone.
    #[must_use]
    pub fn into_body(self) -> String {
        self.body
    }

    /// The complete picture with its accessible name.
    #[must_use]
    pub fn finish(self, width: f64, height: f64, label: &str) -> String {
        let (w, h) = (n(width), n(height));
        format!(
            "<svg class=\"picture\" role=\"img\" aria-label=\"{}\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\">{}</svg>",
            escape(label),
            self.body
        )
    }
}

/// Points as a path: `M0.0 1.0L2.0 3.0`.
#[must_use]
pub fn path_of(points: impl IntoIterator<Item = (f64, f64)>) -> String {
    let mut out = String::new();
    for (x, y) in points {
        let _ = write!(out, "{}{} {}", if out.is_empty() { 'M' } else { 'L' }, n(x), n(y));
    }
    out
}

/// A text cut to about this many pixels at a font size of 12 px.
#[must_use]
pub fn fit(text: &str, width: f64) -> String {
    let room = (width / 6.6).max(0.0) as usize;
    if text.chars().count() <= room {
        return text.to_owned();
    }
    if room < 3 {
        return String::new();
    }
    text.chars().take(room - 1).chain(std::iter::once('…')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_never_become_markup() {
        let mut svg = Svg::default();
        svg.group("a", "\"><script>", "<b>");
        svg.text("t", 1.0, -2.04, "<script>alert('&')</script>");
        svg.end();
        let text = svg.finish(10.0, 20.0, "\"");
        assert!(!text.contains("<script>") && !text.contains("<b>"), "{text}");
        assert!(text.contains("y=\"-2.0\"") && text.contains("viewBox=\"0 0 10.0 20.0\""), "{text}");
    }

    #[test]
    fn texts_are_cut_to_fit() {
        assert_eq!(
            [fit("alice", 66.0), fit("alexandrine", 40.0), fit("alice", 10.0)],
            ["alice", "alexa…", ""]
        );
        assert_eq!(path_of([(0.0, 1.0), (2.0, 3.5)]), "M0.0 1.0L2.0 3.5");
    }
}
