//! A comparison that is run by messages: the page starts a worker for each policy, and each worker has one of these.

use crate::cell::CellResult;
use crate::plan::ComparePlan;
use crate::report::ReportStyle;
use crate::study::{ComparisonStudy, TraceText, WorkloadInput};
use base::time::Time;
use config::{SiteFiles, furnish};
use protocol::compare::{
    ComparisonFiles, ComparisonInput, FromComparison, REASON_MARK, ReportLanguage, ToComparison,
};
use protocol::why::Verdict;
use std::cell::RefCell;

/// The name of the plan in messages.
const PLAN: &str = "plan.toml";
/// Maximum number of replays: the page holds all results.
const MAX_CELLS: usize = 4_000;

/// The state between two messages.
pub struct ComparisonService {
    start: Time,
    build: String,
    study: Option<ComparisonStudy>,
}

impl ComparisonService {
    /// Nothing is prepared. Replays begin at `start`; `build` names the program.
    #[must_use]
    pub fn new(start: Time, build: &str) -> Self {
        Self { start, build: build.to_owned(), study: None }
    }

    /// Does what a message asks, and answers it.
    #[must_use]
    pub fn answer(&mut self, message: ToComparison) -> FromComparison {
        let answer = match message {
            ToComparison::Prepare(input) => self.prepare(*input),
            ToComparison::Run(cell) => self.run(cell),
            ToComparison::Report { results, complete, language } => self.report(&results, complete, language),
            ToComparison::Import { name, bytes } => import::import_bytes(&name, bytes)
                .map(|(files, _)| FromComparison::Imported(files.into_iter().collect())),
        };
        answer.unwrap_or_else(FromComparison::Refused)
    }

    fn prepare(&mut self, input: ComparisonInput) -> Result<FromComparison, String> {
        let ComparisonInput { plan: text, site, files, trace } = input;
        let plan = ComparePlan::parse(PLAN, &text).map_err(|fault| fault.to_string())?;
        let [workload] = plan.workloads.as_slice() else {
            return Err(format!(
                "{PLAN}: it has {} workloads; the page runs one. Use sandbatch compare for more.",
                plan.workloads.len()
            ));
        };
        let trace = match (&workload.file, trace) {
            (None, _) => None,
            (Some(file), None) => return Err(format!("{PLAN}: choose the file {file}")),
            (Some(file), Some((_, text))) if file.ends_with(".events") => Some(TraceText::Events(text)),
            (Some(_), Some((_, text))) => Some(TraceText::Swf(text)),
        };
        let (files, _) = furnish(SiteFiles(files.into_iter().collect()));
        let input = WorkloadInput { site: Some((site, files)), trace };
        let study = ComparisonStudy::new(plan, &text, vec![input], self.start, &self.build)?;
        if study.cells() > MAX_CELLS {
            return Err(format!(
                "{PLAN}: {} replays; the page runs at most {MAX_CELLS}. Use sandbatch compare for more.",
                study.cells()
            ));
        }
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let (cells, policies) = (number(study.cells()), number(study.plan().policies.len()));
        self.study = Some(study);
        Ok(FromComparison::Prepared { cells, policies })
    }

    fn study(&self) -> Result<&ComparisonStudy, String> {
        self.study.as_ref().ok_or_else(|| "there is no plan".to_owned())
    }

    fn run(&self, cell: u32) -> Result<FromComparison, String> {
        let study = self.study()?;
        if cell as usize >= study.cells() {
            return Err(format!("there is no cell {cell}"));
        }
        let result = study.run_cell(cell as usize);
        let result = postcard::to_allocvec(&result).map_err(|error| error.to_string())?;
        Ok(FromComparison::Ran { cell, result })
    }

    fn report(
        &self,
        results: &[Vec<u8>],
        complete: bool,
        language: ReportLanguage,
    ) -> Result<FromComparison, String> {
        let study = self.study()?;
        let results: Result<Vec<CellResult>, _> = results.iter().map(|r| postcard::from_bytes(r)).collect();
        let results = results.map_err(|error| error.to_string())?;
        let follows = results.iter().enumerate().all(|(number, result)| result.cell == study.cell(number));
        if results.is_empty() || results.len() > study.cells() || !follows {
            return Err("the results are not those of the plan's first cells".to_owned());
        }
        let reasons = RefCell::new(Vec::new());
        let mark = |verdict: &Verdict| {
            reasons.borrow_mut().push(verdict.clone());
            REASON_MARK.to_owned()
        };
        let style = ReportStyle { language, explain: &mark };
        let report =
            if complete { study.report(&results, 1, style) } else { study.report_so_far(&results, style) };
        let files = Box::new(ComparisonFiles {
            html: report.html,
            metrics: report.metrics,
            differences: report.differences,
            complete,
        });
        Ok(FromComparison::Reported { files, reasons: reasons.into_inner() })
    }
}
