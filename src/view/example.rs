//! Examples of a documentation, as an embedded page tries them: what is typed, which files are written, and what the reader must
//! fill in, with values of this site. The reading of blocks is that of `sandbatch doctest` (crate `doc`).

pub use doc::TextPart;
use doc::{AskedAbout, DocBlock, PieceKind, TriedBlock, tried_blocks};

/// Most blocks of a page.
pub const MAX_BLOCKS: usize = 200;
/// Most characters of a block's text, UTF-16 code units.
pub const MAX_TEXT: u32 = 32 << 10;
/// Most characters of all blocks together.
pub const MAX_ALL: u32 = 512 << 10;
/// Most characters of a block's language and caption, and of the sentence before it.
pub const MAX_NOTE: u32 = 600;
/// A time limit that every site allows.
const TIME: &str = "00:10:00";

/// A block as the host sends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostBlock {
    /// The text, without the additions of a highlighter.
    pub text: String,
    /// The language that the page declares; may be empty.
    pub language: String,
    /// The title; may be empty.
    pub caption: String,
    /// The sentence before it; may be empty.
    pub before: String,
}

/// What the cluster knows, for proposals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownNames {
    /// The user.
    pub user: String,
    /// The user's default account, if there is accounting.
    pub account: Option<String>,
    /// All accounts of the user's site that are known to the page.
    pub accounts: Vec<String>,
    /// All partitions.
    pub partitions: Vec<String>,
    /// The default partition.
    pub partition: Option<String>,
    /// The last job that the user submitted.
    pub job: Option<u32>,
}

/// A value that the reader fills in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedValue {
    /// As the page writes it.
    pub text: String,
    /// What it is about, as a word of the protocol.
    pub about: &'static str,
    /// A proposal; empty if nothing is known.
    pub value: String,
}

/// A block with the values of this site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    /// A letter for each line: `c`ommand, `o`utput, `f`ile, `p`rose.
    pub lines: String,
    /// Files: name, text, and whether the block itself shows it.
    pub files: Vec<(String, Vec<TextPart>, bool)>,
    /// Command lines.
    pub commands: Vec<Vec<TextPart>>,
    /// What the reader fills in.
    pub asks: Vec<AskedValue>,
}

/// Reads the blocks of a page.
#[must_use]
pub fn examples(blocks: &[HostBlock], known: &KnownNames) -> Vec<Example> {
    let blocks: Vec<DocBlock> = blocks
        .iter()
        .map(|b| {
            DocBlock::of_text(
                &b.language,
                Some(b.caption.as_str()).filter(|c| !c.is_empty()),
                &b.before,
                &b.text,
            )
        })
        .collect();
    tried_blocks(&blocks).into_iter().map(|block| example(block, known)).collect()
}

fn example(block: TriedBlock, known: &KnownNames) -> Example {
    let letter = |kind: &PieceKind| match kind {
        PieceKind::Command => 'c',
        PieceKind::Output => 'o',
        PieceKind::File => 'f',
        PieceKind::Prose => 'p',
    };
    // What is right as the page writes it is not asked for.
    let kept: Vec<Option<usize>> = block
        .asks
        .iter()
        .scan(0, |next, ask| {
            let right = is_right(ask.about, &ask.text, known);
            let index = (!right).then_some(*next);
            *next += usize::from(!right);
            Some(index)
        })
        .collect();
    let parts = |parts: Vec<TextPart>| -> Vec<TextPart> {
        let part = |part| match part {
            TextPart::Text(text) => TextPart::Text(text),
            TextPart::Asked(index) => match kept.get(index).copied().flatten() {
                Some(index) => TextPart::Asked(index),
                None => TextPart::Text(block.asks.get(index).map(|ask| ask.text.clone()).unwrap_or_default()),
            },
        };
        parts.into_iter().map(part).collect()
    };
    let asked = block.asks.iter().zip(&kept).filter(|(_, kept)| kept.is_some());
    Example {
        lines: block.rows.iter().map(letter).collect(),
        files: block.files.into_iter().map(|file| (file.name, parts(file.text), file.own)).collect(),
        commands: block.commands.into_iter().map(parts).collect(),
        asks: asked
            .map(|(ask, _)| AskedValue {
                text: ask.text.clone(),
                about: word(ask.about),
                value: proposal(ask.about, known),
            })
            .collect(),
    }
}

/// Whether the site has what the page names.
fn is_right(about: AskedAbout, text: &str, known: &KnownNames) -> bool {
    let is = |name: &String| name == text;
    match about {
        AskedAbout::Account => known.account.as_ref().is_some_and(is) || known.accounts.iter().any(is),
        AskedAbout::Partition => known.partitions.iter().any(is),
        AskedAbout::User => known.user == text,
        // A number up to the last job's is one of the session.
        AskedAbout::Job => text.parse::<u32>().is_ok_and(|job| known.job.is_some_and(|last| job <= last)),
        AskedAbout::Time
        | AskedAbout::Count
        | AskedAbout::Memory
        | AskedAbout::Omitted
        | AskedAbout::Other => false,
    }
}

fn proposal(about: AskedAbout, known: &KnownNames) -> String {
    match about {
        AskedAbout::Account => known.account.clone().unwrap_or_default(),
        AskedAbout::Partition => {
            known.partition.clone().or_else(|| known.partitions.first().cloned()).unwrap_or_default()
        }
        AskedAbout::User => known.user.clone(),
        AskedAbout::Job => known.job.map(|job| job.to_string()).unwrap_or_default(),
        AskedAbout::Time => TIME.to_owned(),
        AskedAbout::Count => "1".to_owned(),
        AskedAbout::Memory => "1G".to_owned(),
        AskedAbout::Omitted | AskedAbout::Other => String::new(),
    }
}

/// The protocol's word.
fn word(about: AskedAbout) -> &'static str {
    match about {
        AskedAbout::Account => "account",
        AskedAbout::Partition => "partition",
        AskedAbout::Job => "job",
        AskedAbout::User => "user",
        AskedAbout::Time => "time",
        AskedAbout::Count => "count",
        AskedAbout::Memory => "memory",
        AskedAbout::Omitted => "omitted",
        AskedAbout::Other => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(language: &str, before: &str, text: &str) -> HostBlock {
        HostBlock {
            text: text.into(),
            language: language.into(),
            before: before.into(),
            caption: String::new(),
        }
    }

    fn known() -> KnownNames {
        KnownNames {
            user: "alice".into(),
            account: Some("physics".into()),
            accounts: vec!["physics".into(), "GENOMICS".into()],
            partitions: vec!["cpu".into(), "GPU".into()],
            partition: Some("cpu".into()),
            job: Some(12),
        }
    }

    /// A text with each part that is asked for in braces.
    fn shown(parts: &[TextPart]) -> String {
        let part = |part: &TextPart| match part {
            TextPart::Text(text) => text.clone(),
            TextPart::Asked(index) => format!("{{{index}}}"),
        };
        parts.iter().map(part).collect()
    }

    #[test]
    fn values_of_the_site_are_proposed() {
        let text = "$ sbatch -A <account> -p PARTITION -t HH:MM:SS job.sh\n$ squeue -u <username>\n$ scancel $JOBID\n";
        let found = examples(&[block("console", "", text)], &known()).remove(0);
        let asks: Vec<_> = found.asks.iter().map(|a| (a.text.as_str(), a.about, a.value.as_str())).collect();
        assert_eq!(
            asks,
            [
                ("<account>", "account", "physics"),
                ("PARTITION", "partition", "cpu"),
                ("HH:MM:SS", "time", "00:10:00"),
                ("<username>", "user", "alice"),
                ("$JOBID", "job", "12"),
            ]
        );
        assert_eq!(
            found.commands.iter().map(|c| shown(c)).collect::<Vec<_>>(),
            ["sbatch -A {0} -p {1} -t {2} job.sh", "squeue -u {3}", "scancel {4}"]
        );
    }

    #[test]
    fn what_the_site_has_is_not_asked_for() {
        let text = "sbatch -A GENOMICS -p GPU -n N job.sh\nscancel 7\nsacct -j 4711";
        let found = examples(&[block("bash", "", text)], &known()).remove(0);
        let asks: Vec<_> = found.asks.iter().map(|a| a.text.as_str()).collect();
        assert_eq!(asks, ["N", "4711"]);
        assert_eq!(
            found.commands.iter().map(|c| shown(c)).collect::<Vec<_>>(),
            ["sbatch -A GENOMICS -p GPU -n {0} job.sh", "scancel 7", "sacct -j {1}"]
        );
        assert_eq!(found.lines, "ccc");
    }

    #[test]
    fn a_site_that_knows_nothing_proposes_nothing() {
        let found = examples(
            &[block("bash", "", "sbatch -A <account> -p <queue> job.sh; scancel <jobid>")],
            &KnownNames::default(),
        );
        assert!(found[0].asks.iter().all(|ask| ask.value.is_empty()), "{found:?}");
        assert_eq!(found[0].asks.len(), 3);
    }
}
