//! Fuzz tests: no randomly generated command line may panic or break the cluster.

use super::OnCluster as _;
use super::{TABLE, ToolSpec, host};
use testing::Random;

/// A random word, plausible or not.
fn odd_word(random: &mut Random, tool: &ToolSpec) -> String {
    const ODD: &[&str] = &[
        "",
        "-",
        "--",
        "=",
        "%",
        "%%",
        "%.",
        "%99999999999i",
        "%.0i",
        "1_",
        "1_[",
        "1_[1-",
        "[",
        "]",
        "cn[01-",
        "cn[1-999999999]",
        "-1",
        "18446744073709551616",
        "1+1",
        "1.batch",
        "\u{1}\u{7}\u{1b}[31m",
        "\u{fc}\u{1f600}",
        "a,b,,c",
        ",",
        "now-1day",
        "2026-13-45",
        "'",
        "\"",
        "jobid=1",
        "state=",
        "format=",
        "format=%",
        "where",
        "set",
        "name=x",
        "nodes=cn[01",
        "0:0:0:0",
        "999999-0",
        "*",
        "show",
        "job",
        "all",
        "%all",
        "jobid:.5",
        "jobid:%",
        ":",
        ":9",
        "+",
        "-t",
        "-o",
        "-i",
        "user=",
        "account=root",
        "1-2-3",
        "uts99999999999999",
    ];
    let pick = |random: &mut Random, n: usize| random.below(n.max(1));
    match random.below(5) {
        0 | 1 if !tool.options.is_empty() => {
            let opt = &tool.options[pick(random, tool.options.len())];
            let value = ODD[pick(random, ODD.len())];
            match random.below(4) {
                0 => format!("--{}={value}", opt.name),
                1 => opt.short.map_or_else(|| format!("--{}", opt.name), |c| format!("-{c}{value}")),
                2 => format!("--{}", &opt.name[..1 + pick(random, opt.name.len())]),
                _ => format!("--{}={}", opt.name, super::value(opt)),
            }
        }
        2 if !tool.keywords.is_empty() => tool.keywords[pick(random, tool.keywords.len())].name.to_owned(),
        3 if random.below(40) == 0 => "x%[,".repeat(1 << 18),
        _ => ODD[pick(random, ODD.len())].to_owned(),
    }
}

#[test]
fn command_lines_by_chance_are_harmless() {
    testing::for_seeds(2605..2615, |_, random| {
        let (mut host, mut small) = host();
        for round in 0..250 {
            if random.is_used_up() {
                break;
            }
            let tool = TABLE[random.below(TABLE.len())];
            let count = random.below(6);
            let mut argv = vec![tool.name.to_owned()];
            argv.extend((0..count).map(|_| odd_word(random, tool)));
            // Repeating commands do not end, and the editor is not available here.
            if tool.name == "scrontab"
                && argv.iter().any(|a| a.starts_with("--e") || a.starts_with("-") && a.contains('e'))
            {
                continue;
            }
            if argv.iter().any(|a| a.starts_with("--it") || a.starts_with("-i")) {
                continue;
            }
            let words: Vec<&str> = argv.iter().map(String::as_str).collect();
            let ran = host.run_with(&words, "y\nn\nshow job\nexit\n", &mut small);
            assert!(ran.code != 101, "{round}");
        }
    });
    let (mut host, mut small) = host();
    let long = "9".repeat(1 << 20);
    for tool in TABLE {
        for arg in [
            long.clone(),
            format!("--{long}"),
            format!("-{long}"),
            format!("--format={}", "%i".repeat(1 << 19)),
        ] {
            let ran = host.run_with(&[tool.name, &arg], "", &mut small);
            assert!(ran.code != 101, "{}", tool.name);
        }
    }
}
