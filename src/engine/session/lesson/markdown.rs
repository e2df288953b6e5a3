//! The Markdown of lessons, from `pulldown-cmark`'s events to the [`MarkdownElement`]s that the page can show.
//!
//! CommonMark with pipe tables. HTML is text, so that a lesson file cannot inject anything; the depth of nested elements
//! and their number are bounded.

use protocol::{MarkdownElement, MarkdownKind};
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

/// Maximum depth of nested elements. Deeper ones are shown as part of their parent.
const MAX_DEPTH: usize = 12;
/// Maximum number of lines of one text.
const MAX_LINES: usize = 5_000;
/// Maximum number of bytes of one text.
const MAX_BYTES: usize = 1 << 20;
/// Maximum number of elements of one text.
const MAX_ELEMENTS: usize = 20_000;

/// Parses a text.
#[must_use]
pub fn read(lines: &[&str]) -> Vec<MarkdownElement> {
    let text = lines.get(..lines.len().min(MAX_LINES)).unwrap_or_default().join("\n");
    let end = text.floor_char_boundary(MAX_BYTES);
    let mut tree = Tree::default();
    let parser = Parser::new_ext(text.get(..end).unwrap_or_default(), Options::ENABLE_TABLES);
    for event in parser.take(MAX_ELEMENTS) {
        tree.add(event);
    }
    tree.finish()
}

/// Elements under construction.
#[derive(Default)]
struct Tree {
    /// Open elements, the outermost first. `None`: an element that is shown as part of its parent.
    open: Vec<Option<MarkdownElement>>,
    done: Vec<MarkdownElement>,
    /// Whether the open table row is its heading.
    in_head: bool,
}

impl Tree {
    fn add(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(code) => self.push(leaf(MarkdownKind::Code, &code)),
            Event::SoftBreak | Event::HardBreak => self.text("\n"),
            Event::Rule => self.push(leaf(MarkdownKind::Rule, "")),
            // Extensions that are not enabled.
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.text(&text);
            }
            Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        let depth = self.open.iter().flatten().count();
        let element = self.element(tag).filter(|_| depth < MAX_DEPTH);
        self.in_head |= matches!(tag, Tag::TableHead);
        self.open.push(element);
    }

    /// The element for a tag. `None`: its children belong to its parent.
    fn element(&self, tag: &Tag<'_>) -> Option<MarkdownElement> {
        let (kind, to) = match tag {
            Tag::Paragraph | Tag::HtmlBlock => (MarkdownKind::Paragraph, ""),
            Tag::Heading { .. } => (MarkdownKind::Heading, ""),
            Tag::BlockQuote(_) => (MarkdownKind::Quote, ""),
            Tag::CodeBlock(_) => (MarkdownKind::Block, ""),
            Tag::List(None) => (MarkdownKind::List, ""),
            Tag::List(Some(_)) => (MarkdownKind::Numbered, ""),
            Tag::Item => (MarkdownKind::Item, ""),
            Tag::Table(_) => (MarkdownKind::Table, ""),
            Tag::TableHead | Tag::TableRow => (MarkdownKind::Row, ""),
            Tag::TableCell if self.in_head => (MarkdownKind::Head, ""),
            Tag::TableCell => (MarkdownKind::Cell, ""),
            Tag::Emphasis => (MarkdownKind::Emphasis, ""),
            Tag::Strong => (MarkdownKind::Strong, ""),
            Tag::Link { link_type: LinkType::Email, dest_url, .. } => {
                let to = format!("mailto:{dest_url}");
                return Some(MarkdownElement {
                    to: address(&to)?.to_owned(),
                    ..leaf(MarkdownKind::Link, "")
                });
            }
            Tag::Link { dest_url, .. } => (MarkdownKind::Link, address(dest_url)?),
            Tag::Image { dest_url, .. } => (MarkdownKind::Image, address(dest_url)?),
            // Extensions that are not enabled.
            Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => return None,
        };
        Some(MarkdownElement { to: to.to_owned(), ..leaf(kind, "") })
    }

    fn end(&mut self, tag: TagEnd) {
        self.in_head &= tag != TagEnd::TableHead;
        let Some(Some(mut element)) = self.open.pop() else { return };
        match element.kind {
            MarkdownKind::Image => {
                element.text = plain_text(&element.inside);
                element.inside.clear();
            }
            MarkdownKind::Block => {
                let text = plain_text(&element.inside);
                text.strip_suffix('\n').unwrap_or(&text).clone_into(&mut element.text);
                element.inside.clear();
            }
            MarkdownKind::Item => unwrap_paragraph(&mut element.inside),
            _ => {}
        }
        self.push(element);
    }

    fn push(&mut self, element: MarkdownElement) {
        self.children().push(element);
    }

    /// Adds text to the text before it.
    fn text(&mut self, text: &str) {
        match self.children().last_mut() {
            Some(last) if last.kind == MarkdownKind::Text => last.text.push_str(text),
            _ => self.push(leaf(MarkdownKind::Text, text)),
        }
    }

    fn children(&mut self) -> &mut Vec<MarkdownElement> {
        match self.open.iter_mut().rev().flatten().next() {
            Some(parent) => &mut parent.inside,
            None => &mut self.done,
        }
    }

    /// Closes what the bounds left open.
    fn finish(mut self) -> Vec<MarkdownElement> {
        while let Some(open) = self.open.pop() {
            if let Some(element) = open {
                self.push(element);
            }
        }
        self.done
    }
}

fn leaf(kind: MarkdownKind, text: &str) -> MarkdownElement {
    MarkdownElement { kind, text: text.to_owned(), ..MarkdownElement::default() }
}

fn plain_text(elements: &[MarkdownElement]) -> String {
    elements.iter().map(|e| if e.text.is_empty() { plain_text(&e.inside) } else { e.text.clone() }).collect()
}

/// A list item that begins with a paragraph needs no space around it.
fn unwrap_paragraph(blocks: &mut Vec<MarkdownElement>) {
    if let Some(first) = blocks.first_mut().filter(|p| p.kind == MarkdownKind::Paragraph) {
        let inside = std::mem::take(&mut first.inside);
        blocks.splice(..1, inside);
    }
}

/// An address that a page may link to: http, https, mailto, or relative.
fn address(to: &str) -> Option<&str> {
    let plain = to.chars().all(|c| !c.is_control() && !c.is_whitespace() && !"\"<>\\".contains(c));
    let before = to.split(['/', '?', '#']).next().unwrap_or_default();
    let scheme = before.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    let known = scheme.is_none_or(|s| ["http", "https", "mailto"].contains(&s.as_str()));
    Some(to).filter(|_| plain && known && !to.is_empty())
}

/// The fence that opens a code block: its backquotes or tildes.
pub fn fence(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.chars().take_while(|c| *c == mark).count();
    line.get(..length).filter(|fence| fence.len() >= 3)
}

/// Whether a line closes the code block that a fence opened.
pub fn closes(line: &str, fence: &str) -> bool {
    let line = line.trim();
    line.len() >= fence.len()
        && line.starts_with(fence)
        && line.trim_start_matches(fence.get(..1).unwrap_or_default()).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The elements as a short text.
    fn shown(elements: &[MarkdownElement]) -> String {
        let one = |p: &MarkdownElement| match p.kind {
            MarkdownKind::Text => p.text.clone(),
            MarkdownKind::Code => format!("`{}`", p.text),
            MarkdownKind::Block => format!("[{}]", p.text),
            MarkdownKind::Link => format!("Link({})({})", p.to, shown(&p.inside)),
            MarkdownKind::Image => format!("Image({})({})", p.to, p.text),
            kind => format!("{kind:?}({})", shown(&p.inside)),
        };
        elements.iter().map(one).collect()
    }

    fn check(text: &str, expected: &str) {
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(shown(&read(&lines)), expected, "{text}");
    }

    #[test]
    fn blocks() {
        check("one\ntwo\n\nthree", "Paragraph(one\ntwo)Paragraph(three)");
        check("### A *b*\ntext", "Heading(A Emphasis(b))Paragraph(text)");
        check("```sh\necho <b>\n```\nend", "[echo <b>]Paragraph(end)");
        check("```\nnever closed", "[never closed]");
        check("> a\n> b\n\nc", "Quote(Paragraph(a\nb))Paragraph(c)");
        check("a\n\n---\n\nb", "Paragraph(a)Rule()Paragraph(b)");
        check("- a\n- b\n  goes on\n- c", "List(Item(a)Item(b\ngoes on)Item(c))");
        check("1. a\n   - b\n2. c", "Numbered(Item(aList(Item(b)))Item(c))");
        check("- a\n\n  ```\n  x\n  ```\n- b", "List(Item(a[x])Item(b))");
        check("| a | b |\n|---|:-:|\n| 1 | `2` |", "Table(Row(Head(a)Head(b))Row(Cell(1)Cell(`2`)))");
    }

    #[test]
    fn an_escaped_bar_does_not_split_a_cell() {
        check(
            "| command | why |\n|---|---|\n| `a \\| b` | x\\|y |",
            "Table(Row(Head(command)Head(why))Row(Cell(`a | b`)Cell(x|y)))",
        );
    }

    #[test]
    fn marks() {
        for (line, expected) in [
            ("a **b** c", "a Strong(b) c"),
            ("*a **b** c*", "Emphasis(a Strong(b) c)"),
            ("2 * 3 * 4", "2 * 3 * 4"),
            ("snake_case_name _x_", "snake_case_name Emphasis(x)"),
            ("`a*b*` ``c`d``", "`a*b*` `c`d`"),
            ("\\*a\\* `x", "*a* `x"),
            ("[a `b`](https://x.org/?q=1)", "Link(https://x.org/?q=1)(a `b`)"),
            ("![tile](img/a.png)", "Image(img/a.png)(tile)"),
            ("<https://slurm.schedmd.com>", "Link(https://slurm.schedmd.com)(https://slurm.schedmd.com)"),
            ("<help@example.org>", "Link(mailto:help@example.org)(help@example.org)"),
            ("**open", "**open"),
            ("a &amp; b", "a & b"),
        ] {
            check(line, &format!("Paragraph({expected})"));
        }
    }

    #[test]
    fn html_is_text() {
        check("<script>alert(1)</script>", "Paragraph(<script>alert(1)</script>)");
        check("a <img src=x onerror=y> b", "Paragraph(a <img src=x onerror=y> b)");
    }

    #[test]
    fn unsafe_addresses_are_dropped() {
        for to in
            ["javascript:alert(1)", "JavaScript:x", "data:text/html,x", "vbscript:x", "javascript&#58;x"]
        {
            check(&format!("[a]({to})"), "Paragraph(a)");
            check(&format!("[a][b]\n\n[b]: {to}"), "Paragraph(a)");
            check(&format!("![a]({to})"), "Paragraph(a)");
        }
        check("[a](x/y:z)", "Paragraph(Link(x/y:z)(a))");
    }

    #[test]
    fn depth_is_bounded() {
        fn depth(elements: &[MarkdownElement]) -> usize {
            elements.iter().map(|e| 1 + depth(&e.inside)).max().unwrap_or(0)
        }
        let deep = "> ".repeat(2_000) + "x";
        assert!(depth(&read(&[deep.as_str()])) <= MAX_DEPTH + 1);
        let list: Vec<String> = (0..200).map(|i| format!("{}- x", "  ".repeat(i))).collect();
        let list: Vec<&str> = list.iter().map(String::as_str).collect();
        assert!((5..=MAX_DEPTH + 1).contains(&depth(&read(&list))));
    }

    #[test]
    fn hostile_lines_parse_fast() {
        for line in ["[".repeat(20_000), "*a".repeat(10_000), "`".repeat(20_000), "![](".repeat(5_000)] {
            assert!(!read(&[&line]).is_empty());
        }
    }
}
