//! Messages between the page and a worker that compares policies. Such a worker has no session: it runs replays of a plan
//! (`docs/compare.md`) and imports histories, and each message gets one answer.

use crate::why::Verdict;
use serde::{Deserialize, Serialize};

/// The name under which the page starts the worker's program to compare policies.
pub const COMPARISON_WORKER: &str = "compare";

/// Stands for the explanation of a job in [`ComparisonFiles::html`].
pub const REASON_MARK: &str = "<!--why-->";

/// A language of the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReportLanguage {
    /// English.
    #[default]
    En,
    /// French.
    Fr,
}

/// A message to the worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToComparison {
    /// The plan, and what its workload needs. Answered by [`FromComparison::Prepared`].
    Prepare(Box<ComparisonInput>),
    /// Run this cell; answered by [`FromComparison::Ran`].
    Run(u32),
    /// Report on these results, in the order of their cells. There may be more later, unless `complete`. Answered by
    /// [`FromComparison::Reported`].
    Report {
        /// From [`FromComparison::Ran`].
        results: Vec<Vec<u8>>,
        /// Whether all cells have run. Only then the report explains why jobs waited, which takes more replays.
        complete: bool,
        /// The report's language.
        language: ReportLanguage,
    },
    /// Make a site of an export of a real cluster (`docs/import.md`): an archive or a file of job records. Answered by
    /// [`FromComparison::Imported`].
    Import {
        /// Its name.
        name: String,
        /// Its bytes.
        bytes: Vec<u8>,
    },
}

/// A plan with its site and trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparisonInput {
    /// The plan as TOML, with one workload.
    pub plan: String,
    /// The name of its site.
    pub site: String,
    /// The files of its site by name.
    pub files: Vec<(String, String)>,
    /// Name and text of its trace, if it has one.
    pub trace: Option<(String, String)>,
}

/// An answer of the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FromComparison {
    /// The worker has loaded.
    Ready,
    /// The plan can run.
    Prepared {
        /// Number of cells. Cell `n` is a replay under policy `n % policies`.
        cells: u32,
        /// Number of policies.
        policies: u32,
    },
    /// What is wrong with the message or what it refers to.
    Refused(String),
    /// A cell has run.
    Ran {
        /// Its number.
        cell: u32,
        /// The encoded result.
        result: Vec<u8>,
    },
    /// A report on all results so far.
    Reported {
        /// Its files. The explanations of jobs are missing from the HTML file: the page has the words for them.
        files: Box<ComparisonFiles>,
        /// The explanations, in the order of their [`REASON_MARK`].
        reasons: Vec<Verdict>,
    },
    /// The files of the imported site by name.
    Imported(Vec<(String, String)>),
}

/// The files of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparisonFiles {
    /// `report.html`: self-contained, without scripts.
    pub html: String,
    /// `metrics.csv`.
    pub metrics: String,
    /// `differences.csv`.
    pub differences: String,
    /// Whether it is the report on all cells.
    pub complete: bool,
}
