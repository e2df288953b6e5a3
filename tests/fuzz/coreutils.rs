//! Commands of coreutils, grep, sed and diffutils with generated options, compared with the machine's own.

use super::real::{FILES, compare, empty_home};
use testing::{Random, fuzz};

/// A command's name, and lists of options and operands.
type CommandTemplate = (&'static str, Vec<Vec<&'static str>>);

fn templates() -> Vec<CommandTemplate> {
    let lines = include_str!("coreutils.txt").lines().filter(|line| !line.starts_with('#'));
    let template = |line: &'static str| {
        let (name, lists) = line.split_once('\t')?;
        Some((name, lists.split('\t').map(|list| list.split(" ; ").collect()).collect()))
    };
    lines.filter_map(template).collect()
}

/// One of these commands with options and operands.
fn command(random: &mut Random, templates: &[CommandTemplate]) -> String {
    const FILTERS: &[&str] = &["sort", "wc -l", "tail -n2", "tr a-z A-Z", "cut -c1-9", "uniq -c", "tac"];
    let (name, lists) = &templates[random.below(templates.len())];
    let words = lists.iter().map(|list| random.of(list)).filter(|word| *word != "-none-");
    let line = words.fold((*name).to_owned(), |line, word| line + " " + word);
    if random.below(4) == 0 { format!("{line} | {}", random.of(FILTERS)) } else { line }
}

#[test]
fn coreutils() {
    let (world, templates) = (empty_home(), templates());
    fuzz("coreutils", 12, |random| {
        let count = if random.is_used_up() { 1 } else { 12 };
        let commands: Vec<String> = (0..count).map(|_| command(random, &templates)).collect();
        compare(&world, FILES, &commands, ("awk", "awk"));
    });
}
