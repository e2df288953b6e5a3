//! Liquid, the templates of Jekyll: values of `_config.yml` (`{{ site.remote.prompt }}`), conditions on them, and included
//! files (`{% include snippet.snip %}`).
//!
//! The Carpentries' lessons take the commands of a site from there. Lines keep their numbers. What cannot be evaluated stays
//! as it is: `{{ page.title }}`, loops, unknown filters.

use super::block::{DocLine, DocPage, PageSource};
use super::include::{MAX_LINES, load, may_enter};
use std::collections::BTreeMap;

/// Maximum number of settings.
const MAX_SETTINGS: usize = 10_000;
/// Longest line with its values, bytes.
const MAX_EXPANDED: usize = super::MAX_LINE;

/// Values by name: `site.remote.prompt`.
type LiquidValues = BTreeMap<String, String>;

/// The lines with their values and included files. Without a `_config.yml` they stay as they are.
pub fn expanded(lines: Vec<DocLine>, source: &mut dyn PageSource, page: &mut DocPage) -> Vec<DocLine> {
    let uses = |line: &DocLine| {
        line.text.contains("{%") && line.text.contains("include")
            || line.text.contains("{{") && line.text.contains("site.")
    };
    let Some(first) = lines.iter().find(|line| uses(line)) else { return lines };
    let Ok((_, text)) = source.include(&first.file, "/_config.yml") else { return lines };
    let mut expansion =
        Expansion { settings: settings(&text), branches: Vec::new(), open: Vec::new(), begun: None };
    let mut out = Vec::with_capacity(lines.len());
    expansion.lines(lines, source, page, &mut out);
    out
}

/// The values in a `_config.yml`: scalars in nested mappings. Lists and texts of several lines are left out.
fn settings(text: &str) -> LiquidValues {
    let mut found = LiquidValues::new();
    let mut path: Vec<(usize, &str)> = Vec::new();
    for line in text.lines() {
        let bare = line.trim_start_matches(' ');
        let indent = line.len() - bare.len();
        let Some((key, value)) = bare.split_once(':') else { continue };
        if bare.starts_with(['#', '-']) || key.contains([' ', '"', '\'']) {
            continue;
        }
        path.retain(|(width, _)| *width < indent);
        path.push((indent, key));
        if let Some(value) = scalar(value).filter(|_| found.len() < MAX_SETTINGS) {
            let name: Vec<&str> = std::iter::once("site").chain(path.iter().map(|(_, key)| *key)).collect();
            found.insert(name.join("."), value);
        }
    }
    found
}

/// A value of YAML without quotes and comment; none for a mapping, a list or a text of several lines.
fn scalar(value: &str) -> Option<String> {
    let value = value.trim();
    let first = value.chars().next()?;
    if matches!(first, '"' | '\'') {
        let inner = value.get(1..)?;
        return inner.get(..inner.find(first)?).map(str::to_owned);
    }
    let plain = value.split(" #").next().unwrap_or_default().trim_end();
    (!plain.is_empty() && !plain.starts_with(['#', '[', '{', '|', '>', '&', '*'])).then(|| plain.to_owned())
}

/// An open `{% if %}`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LiquidBranch {
    /// Its text is used.
    Used,
    /// Its text is not used, a later branch may be.
    Skipped,
    /// A branch before it was used.
    Over,
    /// Its condition is unknown: all branches stay as they are.
    Unknown,
}

struct Expansion {
    settings: LiquidValues,
    branches: Vec<LiquidBranch>,
    open: Vec<String>,
    /// A line whose end is in a branch that is not used.
    begun: Option<DocLine>,
}

impl Expansion {
    fn lines(
        &mut self,
        lines: Vec<DocLine>,
        source: &mut dyn PageSource,
        page: &mut DocPage,
        out: &mut Vec<DocLine>,
    ) {
        for line in lines {
            if out.len() >= MAX_LINES {
                page.note(&line.file, line.number, format!("more than {MAX_LINES} lines with includes"));
                return;
            }
            let was_used = self.is_used();
            let (text, has_tags) = self.text(&line.text);
            let hidden = has_tags || !was_used;
            // A branch that begins in one line and ends in another joins them.
            let (text, line) = match self.begun.take() {
                Some(begun) => (format!("{}{text}", begun.text), begun),
                None => (text, line),
            };
            if !self.is_used() {
                self.begun = Some(DocLine { text, ..line }).filter(|line| !is_bare(&line.text));
            } else if let Some(path) = included(&text) {
                let before = text.split("{%").next().unwrap_or_default().to_owned();
                self.file(&line, &path, &before, source, page, out);
            } else if !(hidden && is_bare(&text)) {
                out.push(DocLine { text, ..line });
            }
        }
    }

    fn is_used(&self) -> bool {
        self.branches.iter().all(|branch| matches!(branch, LiquidBranch::Used | LiquidBranch::Unknown))
    }

    /// Adds the lines of an included file, each after what is before the tag: the marks of a quotation.
    fn file(
        &mut self,
        line: &DocLine,
        path: &str,
        before: &str,
        source: &mut dyn PageSource,
        page: &mut DocPage,
        out: &mut Vec<DocLine>,
    ) {
        let inner = format!("/_includes/{}", path.trim_start_matches('/'));
        // Pieces of HTML may belong to the theme, which is elsewhere.
        if path.ends_with(".html") && source.include(&line.file, &inner).is_err() {
            return;
        }
        let Some((found, lines)) = load((line, &inner), source, page) else { return };
        if !may_enter(&self.open, &found, line, page) {
            return;
        }
        self.open.push(line.file.to_string());
        let lines = lines.into_iter().map(|l| DocLine { text: format!("{before}{}", l.text), ..l }).collect();
        self.lines(lines, source, page, out);
        self.open.pop();
    }

    /// A line with its values and without what no branch uses, and whether it has tags of conditions.
    fn text(&mut self, line: &str) -> (String, bool) {
        let mut out = String::new();
        let mut rest = line;
        let mut tags = false;
        while let Some(at) = rest.find("{%").into_iter().chain(rest.find("{{")).min() {
            let (before, tail) = rest.split_at(at);
            let is_tag = tail.starts_with("{%");
            // A tag may contain values.
            let Some(end) = tail.find(if is_tag { "%}" } else { "}}" }).map(|end| end + 2) else { break };
            let (whole, after) = tail.split_at(end);
            let inner = whole.get(2..end - 2).unwrap_or_default().trim_matches('-').trim();
            if self.is_used() {
                out.push_str(before);
            }
            rest = after;
            if is_tag && self.tag(inner) {
                tags = true;
            } else if self.is_used() {
                match self.value(inner).filter(|_| !is_tag) {
                    Some(value) => out.push_str(&value),
                    None if is_tag && inner.starts_with("include") => {
                        let path = self.text(inner).0;
                        out.push_str(&format!("{{% {path} %}}"));
                    }
                    None => out.push_str(whole),
                }
            }
            if out.len() > MAX_EXPANDED {
                return (line.to_owned(), tags);
            }
        }
        if self.is_used() {
            out.push_str(rest);
        }
        (out, tags)
    }

    /// Evaluates a condition; whether it is one that can be evaluated.
    fn tag(&mut self, inner: &str) -> bool {
        use LiquidBranch::{Over, Skipped, Unknown, Used};
        let (word, rest) = inner.split_once(' ').unwrap_or((inner, ""));
        let branch = |holds: bool| if holds { Used } else { Skipped };
        match (word, self.branches.last().copied()) {
            ("if" | "unless", _) => {
                let found = self.condition(rest).map(|holds| branch(holds == (word == "if")));
                // Within text that is not used, only the nesting counts.
                let found = if self.is_used() { found } else { Some(Over) };
                self.branches.push(found.unwrap_or(Unknown));
                found.is_some()
            }
            ("elsif" | "else", Some(last)) if last != Unknown => {
                let holds = word == "else" || self.condition(rest).unwrap_or(false);
                if let Some(open) = self.branches.last_mut() {
                    *open = if last == Skipped { branch(holds) } else { Over };
                }
                true
            }
            ("endif" | "endunless", Some(last)) => {
                self.branches.pop();
                last != Unknown
            }
            _ => false,
        }
    }

    /// Whether `site.x`, `site.x == "y"` or `site.x != "y"` holds; none if the condition has another form.
    fn condition(&self, text: &str) -> Option<bool> {
        if text.contains(" and ") || text.contains(" or ") || text.contains(" contains ") {
            return None;
        }
        let text = text.trim();
        for (sign, wanted) in [("==", true), ("!=", false)] {
            if let Some((left, right)) = text.split_once(sign) {
                return Some((self.operand(left)? == self.operand(right)?) == wanted);
            }
        }
        let name = text.starts_with("site.") && !text.contains([' ', '<', '>']);
        name.then(|| self.settings.get(text).is_some_and(|value| value != "false" && value != "nil"))
    }

    /// A text in quotes, or the value of a setting; empty if there is none.
    fn operand(&self, text: &str) -> Option<String> {
        let text = text.trim();
        if let Some(quoted) = literal(text) {
            return Some(quoted.to_owned());
        }
        text.starts_with("site.").then(|| self.settings.get(text).cloned().unwrap_or_default())
    }

    /// The value of `site.x`, or of `site.x | default: "y"`.
    fn value(&self, inner: &str) -> Option<String> {
        let (name, filter) = inner.split_once('|').map_or((inner, None), |(name, f)| (name, Some(f.trim())));
        let found = self.settings.get(name.trim()).cloned();
        match filter {
            None => found,
            Some(filter) => {
                let default = literal(filter.strip_prefix("default:")?.trim())?;
                name.trim().starts_with("site.").then(|| found.unwrap_or_else(|| default.to_owned()))
            }
        }
    }
}

/// Whether a line has nothing but marks of a quotation.
fn is_bare(line: &str) -> bool {
    line.trim_matches([' ', '>']).is_empty()
}

/// The text between quotes.
fn literal(text: &str) -> Option<&str> {
    ['"', '\''].into_iter().find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote))
}

/// The file of a line that only includes one: `{% include x.snip %}`, also in a quotation.
fn included(line: &str) -> Option<String> {
    let inner = line.trim_matches([' ', '>']).strip_prefix("{%")?.strip_suffix("%}")?;
    let rest = inner.trim_matches('-').trim().strip_prefix("include ")?;
    let path = rest.split_whitespace().next()?;
    (!path.contains(['{', '|'])).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::{PageSource, PieceKind, pieces, read};

    struct JekyllFiles;

    impl PageSource for JekyllFiles {
        fn include(&mut self, _: &str, path: &str) -> Result<(String, String), String> {
            let text = match path {
                // The form of the Carpentries' HPC introduction.
                "/_config.yml" => {
                    "# A lesson\nsnippets: \"/lib/one\"\nremote:\n  prompt: \"[you@login ~]$\" # at the site\n  \
                     bash_shebang: \"#!/bin/bash\"\nsched:\n  submit:\n    name: \"sbatch\"\n    options: \"\"\n  \
                     flag:\n    time: \"-t\"\n  comment: \"#SBATCH\"\nlist:\n  - 10-intro\n"
                }
                "/_includes/lib/one/a.snip" => "```\nSubmitted batch job 7\n```\n{: .output}\n",
                "/_includes/cycle.snip" => "{% include cycle.snip %}\n",
                _ => return Err(format!("{path}: no such file")),
            };
            Ok((path.trim_start_matches('/').to_owned(), text.to_owned()))
        }
    }

    #[test]
    fn values_conditions_and_snippets_of_a_lesson() {
        let text = "Submit:\n\n> ```\n> {{ site.remote.prompt }} {{ site.sched.submit.name }} {% if \
                    site.sched.submit.options != '' %}{{ site.sched.submit.options }} {% endif %}job.sh\n> ```\n> {: \
                    .language-bash}\n> {% include {{ site.snippets }}/a.snip %}\n\n```\n{{ site.remote.bash_shebang \
                    }}\n{{ site.sched.comment }} {{ site.sched.flag.time }} 00:01\n{% if site.nothing == \"x\" \
                    %}\nhidden\n{% elsif site.sched.submit.name %}\nhostname\n{% else %}\nno\n{% endif %}\na{% if \
                    site.nothing %}\nb\n{% endif %} c\n```\n";
        let page = read("a.md", text, &mut JekyllFiles);
        assert_eq!(page.notes, []);
        let shown: Vec<(String, u32, Vec<&str>)> = page
            .blocks
            .iter()
            .map(|b| {
                let lines = b.lines.iter().map(|l| l.text.as_str()).collect();
                (b.lines[0].file.to_string(), b.lines[0].number, lines)
            })
            .collect();
        let wanted = [
            ("a.md".to_owned(), 4, vec!["[you@login ~]$ sbatch job.sh"]),
            ("_includes/lib/one/a.snip".to_owned(), 2, vec!["Submitted batch job 7"]),
            ("a.md".to_owned(), 10, vec!["#!/bin/bash", "#SBATCH -t 00:01", "hostname", "a c"]),
        ];
        assert_eq!(shown, wanted);
        assert_eq!(page.blocks[0].language, "bash");
        assert_eq!(pieces(&page.blocks[0])[0].kind, PieceKind::Command);
        assert_eq!(pieces(&page.blocks[1])[0].kind, PieceKind::Output);
    }

    #[test]
    fn what_cannot_be_evaluated_stays() {
        let text = "```bash\nsbatch -p {{ page.queue }} {{ site.none }} {{ site.none | default: \"a.sh\" }}\n{% if \
                    page.x %}\nsinfo\n{% endif %}\n{% for x in site.y %}\n{{ site.open\n```\n";
        let page = read("a.md", text, &mut JekyllFiles);
        let lines: Vec<&str> = page.blocks[0].lines.iter().map(|l| l.text.as_str()).collect();
        let wanted = [
            "sbatch -p {{ page.queue }} {{ site.none }} a.sh",
            "{% if page.x %}",
            "sinfo",
            "{% endif %}",
            "{% for x in site.y %}",
            "{{ site.open",
        ];
        assert_eq!(lines, wanted);
        let page = read("a.md", "{% include cycle.snip %}\n{% include none.snip %}\n", &mut JekyllFiles);
        let notes: Vec<&str> = page.notes.iter().map(|n| n.message.as_str()).collect();
        assert!(notes[0].ends_with("a cycle") && notes[1].contains("none.snip: no such file"), "{notes:?}");
        // Another generator's page is read as it is.
        let page = read("a.md", text, &mut super::super::NoFiles);
        assert!(page.blocks[0].lines[0].text.contains("{{ site.none | default"));
    }
}
