//! `--init`: proposes a dictionary with the placeholders of a documentation project, from its pages and a site.

use super::options::{PlacedWord, parse};
use super::site::DocSite;
use commands::slurm::opt::SubmitCommand;
use commands::slurm::opt::script::directives;
use doc::{DocPage, PieceKind};
use std::collections::BTreeMap;

/// What the pages contain: placeholders by option, options that Slurm does not have, and accounts.
#[derive(Clone, Debug, Default)]
pub struct Proposal {
    /// Placeholders with the option whose value they are, and how often they occur.
    placeholders: BTreeMap<String, (&'static str, usize)>,
    /// Unknown options and how often they occur.
    options: BTreeMap<String, usize>,
}

impl Proposal {
    /// Adds a page.
    pub fn add(&mut self, page: &DocPage) {
        for block in page.blocks.iter().filter(|block| !block.ignored) {
            for piece in doc::pieces(block) {
                match piece.kind {
                    PieceKind::File => {
                        for directive in directives(piece.text.as_bytes()) {
                            self.words(SubmitCommand::Sbatch, directive.words.into_iter().map(|w| w.0));
                        }
                    }
                    PieceKind::Command => {
                        for words in doc::words::commands(&piece.text) {
                            let Some(at) = doc::command_name(&words) else { continue };
                            let tool = match words.get(at).map(|w| w.text.as_str()) {
                                Some("sbatch") => SubmitCommand::Sbatch,
                                Some("srun") => SubmitCommand::Srun,
                                Some("salloc") => SubmitCommand::Salloc,
                                _ => continue,
                            };
                            self.words(tool, words.into_iter().skip(at + 1).map(|w| w.text));
                        }
                    }
                    PieceKind::Output | PieceKind::Prose => {}
                }
            }
        }
    }

    fn words(&mut self, tool: SubmitCommand, words: impl Iterator<Item = String>) {
        let words: Vec<PlacedWord> = words.map(|text| PlacedWord { text, row: 0 }).collect();
        let (options, _) = parse(tool, &words, &|_| false);
        for option in options {
            if option.name.is_empty() {
                let name = option.written.split(['=', ' ']).next().unwrap_or_default().to_owned();
                if name.starts_with("--") && doc::placeholders(&name).is_empty() {
                    *self.options.entry(name).or_default() += 1;
                }
                continue;
            }
            let value = option.value.unwrap_or_default();
            let mut names: Vec<String> = doc::placeholders(&value)
                .into_iter()
                .filter_map(|p| value.get(p.from..p.to).map(str::to_owned))
                .filter(|name| !name.starts_with('$'))
                .collect();
            if names.is_empty()
                && !value.is_empty()
                && doc::is_placeholder_value(&value)
                && option.name != "mail-type"
            {
                names.push(value);
            }
            for name in names {
                self.placeholders.entry(name).or_insert((option.name, 0)).1 += 1;
            }
        }
    }
}

/// The text of a dictionary: every placeholder with its option, and a value of the site.
#[must_use]
pub fn propose(found: &Proposal, site: &DocSite) -> String {
    // A JSON string is a TOML string.
    let quote = |text: &str| serde_json::Value::from(text).to_string();
    let partition = site.state().partitions.iter().find(|p| p.is_default).or(site.state().partitions.first());
    let mut text = format!(
        "# The dictionary of this documentation for `sandbatch doctest`, site {}.\n# Look at each value, then delete this \
         line.\n\n",
        site.name
    );
    let plugins: Vec<String> =
        found.options.iter().filter(|(_, count)| **count > 1).map(|(name, _)| quote(name)).collect();
    text.push_str("# Options of sbatch and srun that a plugin of the site adds.\n");
    text.push_str(&format!("options = [{}]\n\n", plugins.join(", ")));
    text.push_str("# Options whose values the site's files do not list.\nfree = []\n\n");
    text.push_str("[placeholders]\n");
    for (name, (option, count)) in &found.placeholders {
        let value = match *option {
            "account" => site.account().unwrap_or_default().to_owned(),
            "partition" => partition.map(|p| p.name.clone()).unwrap_or_default(),
            "time" => "10".to_owned(),
            "nodes" | "ntasks" | "cpus-per-task" | "ntasks-per-node" => "1".to_owned(),
            _ => String::new(),
        };
        let mark = if value.is_empty() { "# " } else { "" };
        text.push_str(&format!("{mark}{} = {} # --{option}, {count} times\n", quote(name), quote(&value)));
    }
    text.push_str("\n# Partitions that have another name now: \"old\" = \"new\".\n[partitions]\n");
    text
}
