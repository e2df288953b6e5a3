//! The transcript format: separates instructions from the output that a recording printed.

/// One instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum TranscriptItem {
    /// `@cluster NAME`
    Cluster(String),
    /// `@user NAME`
    User(String),
    /// `@file NAME`, its lines, `@end`
    File { name: String, body: String },
    /// `@wait S`, in milliseconds; the text as written.
    Wait { millis: i64, text: String },
    /// `@until S CMD`
    Until { millis: i64, command: String, text: String },
    /// `@node-stop NODE` and `@node-start NODE`
    Node { name: String, up: bool },
    /// `@t S`
    At(i64),
    /// `$ command`
    Run(String),
    /// `# text`
    Comment(String),
}

/// Parses a session or the recording of one. The output in a recording is dropped.
#[must_use]
pub fn parse(text: &str) -> Vec<TranscriptItem> {
    let mut items = Vec::new();
    let mut lines = text.lines();
    // Before the first command there is no output, so every line that looks like a comment is one. After a
    // command's output a comment cannot be distinguished from output that looks like one, and is taken for a
    // comment as well.
    while let Some(line) = lines.next() {
        if let Some(command) = line.strip_prefix("$ ") {
            items.push(TranscriptItem::Run(command.to_owned()));
        } else if line.starts_with("# ") {
            items.push(TranscriptItem::Comment(line.to_owned()));
        } else if let Some(name) = line.strip_prefix("@file ") {
            let mut body = String::new();
            for line in lines.by_ref().take_while(|l| *l != "@end") {
                body.push_str(line);
                body.push('\n');
            }
            items.push(TranscriptItem::File { name: name.trim().to_owned(), body });
        } else if let Some(rest) = line.strip_prefix('@') {
            items.extend(directive(rest, line));
        }
    }
    items
}

fn directive(rest: &str, line: &str) -> Option<TranscriptItem> {
    let (word, argument) = rest.split_once(' ')?;
    let argument = argument.trim();
    let name = || argument.to_owned();
    Some(match word {
        "cluster" => TranscriptItem::Cluster(name()),
        "user" => TranscriptItem::User(name()),
        "wait" => TranscriptItem::Wait { millis: millis(argument)?, text: line.to_owned() },
        "until" => {
            let (seconds, command) = argument.split_once(' ')?;
            TranscriptItem::Until {
                millis: millis(seconds)?,
                command: command.to_owned(),
                text: line.to_owned(),
            }
        }
        "node-stop" => TranscriptItem::Node { name: name(), up: false },
        "node-start" => TranscriptItem::Node { name: name(), up: true },
        "t" => TranscriptItem::At(argument.parse().ok().filter(|s| (0..=MAX_SECONDS).contains(s))?),
        _ => return None,
    })
}

/// Longest wait: a year.
const MAX_SECONDS: i64 = 366 * 86_400;

/// `3`, `0.5`.
fn millis(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let seconds: i64 = whole.parse().ok().filter(|s| (0..=MAX_SECONDS).contains(s))?;
    let digits = format!("{fraction:0<3}");
    let thousandths: i64 = digits.get(..3)?.parse().ok().filter(|n| *n >= 0)?;
    Some(seconds * 1000 + thousandths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording() {
        let text = "# title\n@cluster lab\n@user alice\n@file a.sh\n#!/bin/bash\n\n$ not a command\n@end\n@t 0\n$ sbatch a.sh\n\
                    Submitted batch job 1\n2> warning\n[exit 1]\n@wait 1.25\n@until 30 squeue -h | grep -q .\n\
                    @node-stop cn01\n@node-start cn01\n@date x\n@t 31\n$ ls\n";
        let items = parse(text);
        assert_eq!(
            items,
            [
                TranscriptItem::Comment("# title".into()),
                TranscriptItem::Cluster("lab".into()),
                TranscriptItem::User("alice".into()),
                TranscriptItem::File { name: "a.sh".into(), body: "#!/bin/bash\n\n$ not a command\n".into() },
                TranscriptItem::At(0),
                TranscriptItem::Run("sbatch a.sh".into()),
                TranscriptItem::Wait { millis: 1250, text: "@wait 1.25".into() },
                TranscriptItem::Until {
                    millis: 30_000,
                    command: "squeue -h | grep -q .".into(),
                    text: "@until 30 squeue -h | grep -q .".into()
                },
                TranscriptItem::Node { name: "cn01".into(), up: false },
                TranscriptItem::Node { name: "cn01".into(), up: true },
                TranscriptItem::At(31),
                TranscriptItem::Run("ls".into()),
            ]
        );
    }

    #[test]
    fn nonsense_is_output() {
        for line in [
            "@wait soon",
            "@wait -3",
            "@t -1",
            "@until x",
            "@",
            "@wait 99999999999999",
            "text",
            "$",
            "@t 1e9",
        ] {
            assert_eq!(parse(line), [], "{line}");
        }
        assert_eq!(
            parse("@file endless\nx"),
            [TranscriptItem::File { name: "endless".into(), body: "x\n".into() }]
        );
    }
}
