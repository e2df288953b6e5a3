//! Whole comparisons on a small machine.

use crate::measure::{GroupKind, Metric};
use crate::plan::ComparePlan;
use crate::report::ReportStyle;
use crate::statistics::{BootstrapDraws, SplitMix};
use crate::study::{ComparisonStudy, TraceText, WorkloadInput};
use crate::sweep;
use crate::words::PAIRS;
use config::SiteFiles;
use engine::session::replay::site::START;
use protocol::compare::ReportLanguage;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

const CONF: &str = "ClusterName=x\nSlurmctldHost=c\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
                    NodeName=a[1-3] Sockets=1 CoresPerSocket=4 RealMemory=8000\n\
                    NodeName=g1 Sockets=1 CoresPerSocket=4 RealMemory=8000\n\
                    PartitionName=cpu Nodes=a[1-3] Default=YES MaxTime=UNLIMITED\n\
                    PartitionName=gpu Nodes=g1 MaxTime=UNLIMITED\n";

/// Jobs of ten users in two partitions.
fn trace(jobs: u64) -> String {
    let mut random = SplitMix::new(5, "trace");
    let mut text = String::new();
    let mut at = 0;
    for i in 0..jobs {
        at += random.below(700);
        let (user, tasks) = (1001 + random.below(10), 1 + random.below(6));
        let (partition, tasks) = if random.below(3) == 0 { ("gpu", tasks.min(4)) } else { ("cpu", tasks) };
        let run = 60 + random.below(3000);
        let minutes = run / 60 + 1 + random.below(60);
        let _ = writeln!(
            text,
            "-dt {at} -e submit_batch_job | -sim-walltime {run} --uid={user} -J j{i} -n {tasks} -p {partition} \
             -t {minutes} x.sh"
        );
    }
    text
}

fn study(plan: &str, jobs: u64) -> ComparisonStudy {
    study_of(plan, trace(jobs))
}

fn study_of(plan: &str, trace: String) -> ComparisonStudy {
    let files = SiteFiles(BTreeMap::from([("slurm.conf".to_owned(), CONF.to_owned())]));
    let input = WorkloadInput { site: Some(("x".to_owned(), files)), trace: Some(TraceText::Events(trace)) };
    let parsed = ComparePlan::parse("plan.toml", plan).unwrap();
    ComparisonStudy::new(parsed, plan, vec![input], START, "test").unwrap()
}

const ENGLISH: ReportStyle<'_> = ReportStyle::new(ReportLanguage::En);
const HEAD: &str = "[[workload]]\nfile = \"t.events\"\n[[policy]]\nname = \"today\"\n";

#[test]
fn more_nodes_shorten_waits_in_their_partition() {
    let plan = format!(
        "{HEAD}[[policy]]\nname = \"two more <nodes>\"\nslurm_conf = [\"NodeName=b[1-2] Sockets=1 CoresPerSocket=4 \
         RealMemory=8000\", \"PartitionName=cpu Nodes+=b[1-2]\"]\n[resample]\nnumber = 8\n"
    );
    let study = study(&plan, 120);
    assert_eq!(study.cells(), 18);
    let results = study.run(1, &|_| ());
    let report = study.report(&results, 1, ENGLISH);
    let sentence = report.summary.lines().find(|l| l.starts_with("two more <nodes>:")).unwrap();
    assert!(sentence.contains("cpu jobs wait ") && sentence.contains("% less ("), "{sentence}");
    assert!(
        sentence.contains("for gpu jobs no difference that 8 resamples could show (less than 0."),
        "{sentence}"
    );
    // The same bytes on any number of threads.
    let again = study.run(3, &|_| ());
    assert!(results == again && report == study.report(&again, 2, ENGLISH));

    // The file is self-contained, and names are escaped.
    let html = &report.html;
    for outside in ["http:", "https:", "src=", "href=", "@import", "url(", "<nodes>", "<script"] {
        assert!(!html.contains(outside), "{outside}");
    }
    for part in [
        "<svg",
        "two more &lt;nodes&gt;",
        "Users who wait less",
        "Jobs whose waits differ most",
        "as recorded",
    ] {
        assert!(html.contains(part), "{part}");
    }
    // A job that started earlier with more nodes waited for resources or for a job with a higher priority without them.
    assert!(html.contains("Under the baseline, at 2026-"), "a reason");
    assert!(!html.contains("not known"), "every wait is explained");

    let metrics = report.metrics.lines().count();
    assert!(metrics > 18 * 20, "{metrics}");
    let row = report.differences.lines().find(|l| l.contains(",partition,cpu,wait_mean,")).unwrap();
    let fields: Vec<&str> = row.split(',').collect();
    let number = |i: usize| fields[i].parse::<f64>().unwrap();
    assert!(number(8) > number(9) && number(12) < 0.0, "{row}");
    // The powered cluster has two more nodes for the same time.
    let hours = |policy: u32| {
        let own = results.iter().find(|r| r.cell.policy == policy).unwrap();
        let value = |metric| {
            let of_all = own.values.iter().find(|v| v.metric == metric && v.group.kind == GroupKind::All);
            of_all.map(|v| v.value).unwrap()
        };
        value(Metric::NodeHours) / value(Metric::Makespan) * 3600.0
    };
    assert!((hours(0) - 4.0).abs() < 0.5 && (hours(1) - 6.0).abs() < 0.5, "{} {}", hours(0), hours(1));
}

/// The whole text of a small report, with its charts and without its style sheet.
#[test]
fn a_report_as_a_whole() {
    let policy = "[[policy]]\nname = \"two more <nodes>\"\nslurm_conf = [\"NodeName=b[1-2] Sockets=1 CoresPerSocket=4 \
                  RealMemory=8000\", \"PartitionName=cpu Nodes+=b[1-2]\"]\n[resample]\nnumber = 3\n";
    let study = study(&format!("{HEAD}{policy}"), 24);
    let report = study.report(&study.run(1, &|_| ()), 1, ENGLISH);
    insta::assert_snapshot!("report_text", report.summary);
    let (before, rest) = report.html.split_once("<style>").unwrap();
    let (_, after) = rest.split_once("</style>").unwrap();
    insta::assert_snapshot!("report_html", format!("{before}<style></style>{after}"));
}

/// The text of an HTML file outside of its style sheet and of code, a piece for each element, and the texts for screen readers.
fn texts(html: &str) -> Vec<String> {
    let (before, rest) = html.split_once("<style>").unwrap();
    let body = format!("{before}{}", rest.split_once("</style>").unwrap().1);
    let mut all = Vec::new();
    for piece in body.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').unwrap();
        all.extend(tag.split_once("aria-label=\"").and_then(|(_, label)| label.split('"').next()));
        if tag != "code" {
            all.push(text);
        }
    }
    all.into_iter()
        .map(|text| text.trim().replace(['\u{a0}', '\u{202f}'], " "))
        .filter(|t| !t.is_empty())
        .collect()
}

/// The numbers of a text, as English writes them.
fn numbers(text: &str) -> Vec<String> {
    let digits = |c: char| c.is_ascii_digit() || ".:-".contains(c);
    let all = text.replace(',', ".").replace("90th", "").replace("90e", "");
    let words = all.split(|c| !digits(c)).map(|word| word.trim_matches(['.', ':', '-']));
    words.filter(|word| word.contains(|c: char| c.is_ascii_digit())).map(str::to_owned).collect()
}

/// The French report has the figures of the English one, and none of its words.
#[test]
fn a_french_report_has_the_same_figures_and_no_english_words() {
    // Numbers that no word contains, so that only figures are compared, and fewer resamples than an interval needs.
    for (number, more) in
        [(8, ""), (3, ""), (0, ""), (6, "users = false\nweeks = false\njitter = 0\npaired = false\n")]
    {
        let policy = format!(
            "[[policy]]\nname = \"X\"\nslurm_conf = [\"NodeName=b[1-2] Sockets=1 CoresPerSocket=4 RealMemory=8000\", \
             \"PartitionName=cpu Nodes+=b[1-2]\"]\nunset = [\"SelectTypeParameters\"]\nremove_nodes = \"a3\"\n\
             [resample]\nnumber = {number}\n{more}"
        );
        let study = study(&format!("{}{policy}", HEAD.replace("today", "W")), 90);
        let results = study.run(2, &|_| ());
        let english = study.report(&results, 2, ENGLISH);
        let french = study.report(&results, 2, ReportStyle::new(ReportLanguage::Fr));
        assert!(french.html.contains("<html lang=\"fr\">"));
        assert!(english.metrics == french.metrics && english.differences == french.differences);

        let (en, fr) = (texts(&english.html), texts(&french.html));
        assert_eq!(en.len(), fr.len());
        let mut figures = 0;
        for (en, fr) in en.iter().zip(&fr) {
            let [mut left, mut right] = [numbers(en), numbers(fr)];
            figures += left.len();
            left.sort();
            right.sort();
            assert_eq!(left, right, "{en:?} {fr:?}");
        }
        assert!(figures > 200, "{figures}");
        assert_eq!(numbers(&english.summary).len(), numbers(&french.summary).len());

        // What only the English table says. A word of the French table may be English as well: `minute`, `x CPU`.
        let words = |text: &str| -> BTreeSet<String> {
            let all = text.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1);
            all.map(str::to_lowercase).collect()
        };
        let of = |text: fn(&(&str, &str)) -> String| -> BTreeSet<String> {
            PAIRS.iter().map(text).flat_map(|text| words(&text)).collect()
        };
        let only_english: BTreeSet<String> =
            of(|pair| pair.0.to_owned()).difference(&of(|pair| pair.1.to_owned())).cloned().collect();
        assert!(only_english.len() > 100, "{}", only_english.len());
        for text in fr.iter().chain(std::iter::once(&french.summary)) {
            let found: Vec<String> = words(text).intersection(&only_english).cloned().collect();
            assert!(found.is_empty(), "{found:?} in {text}");
        }
        // The same search finds English.
        let found = en.iter().filter(|text| !words(text).is_disjoint(&only_english)).count();
        assert!(found > 50, "{found}");
    }
}

/// Users who wait for their results are counted, and the report does not say that they don't.
#[test]
fn a_report_says_whether_users_wait_for_results() {
    // Jobs end after 600 s, and the next one of the same user follows 60 s later.
    let mut trace = "; MaxNodes: 4\n; MaxProcs: 16\n".to_owned();
    for n in 0..12 {
        let _ = writeln!(trace, "{} {} 0 600 4 -1 -1 4 1200 -1 1 1 1 -1 1 -1 -1 -1", n + 1, n * 660);
    }
    let plan = |more: &str| {
        let plan = format!("{HEAD}[[policy]]\nname = \"again\"\n[resample]\nnumber = 1\n{more}")
            .replace(".events", ".swf");
        let parsed = ComparePlan::parse("plan.toml", &plan).unwrap();
        let input = WorkloadInput { site: None, trace: Some(TraceText::Swf(trace.clone())) };
        let study = ComparisonStudy::new(parsed, &plan, vec![input], START, "test").unwrap();
        study.report(&study.run(2, &|_| ()), 2, ENGLISH).summary
    };
    assert!(plan("").contains("Users do not wait for results"));
    let waits = plan("feedback = true\n");
    assert!(waits.contains("Users wait for results: 11 jobs follow the end of another."), "{waits}");
}

#[test]
fn a_policy_is_the_same_as_itself_on_the_same_resamples() {
    let study = study(&format!("{HEAD}[[policy]]\nname = \"again\"\n[resample]\nnumber = 5\n"), 40);
    let report = study.report(&study.run(2, &|_| ()), 2, ENGLISH);
    assert!(report.summary.contains("again: for all jobs the same in every resample"), "{}", report.summary);
    for line in report.differences.lines().skip(1) {
        assert!(line.ends_with("the same in every resample") || line.contains("preempted"), "{line}");
    }
}

/// The A/A test: a policy compared with itself on resamples of its own differs by chance only, so about 95% of the
/// intervals include zero.
#[test]
fn a_policy_compared_with_itself_differs_in_about_5_percent_of_experiments() {
    let plan = format!("{HEAD}[[policy]]\nname = \"again\"\n[resample]\nnumber = 60\npaired = false\n");
    let study = study(&plan, 40);
    let results = study.run(2, &|_| ());
    for metric in [Metric::MeanWait, Metric::Slowdown, Metric::Utilisation] {
        let value = |r: &crate::cell::CellResult| {
            r.values.iter().find(|v| v.metric == metric && v.group.kind == GroupKind::All).map(|v| v.value)
        };
        let mut pool: Vec<f64> = results.iter().filter(|r| r.cell.resample > 0).filter_map(value).collect();
        assert_eq!(pool.len(), 120);
        let (mut random, draws) = (SplitMix::new(7, "experiments"), BootstrapDraws::new(20, 9));
        let experiments = 400;
        let differ = (0..experiments)
            .filter(|_| {
                for i in 0..40 {
                    let other = i + random.below((pool.len() - i) as u64) as usize;
                    pool.swap(i, other);
                }
                let differences: Vec<f64> = (0..20).map(|i| pool[20 + i] - pool[i]).collect();
                draws.ratio(&differences, &pool[..20]).is_some_and(|estimate| estimate.differs())
            })
            .count();
        // 20 expected; the standard deviation is 4.4.
        assert!((3..=38).contains(&differ), "{metric:?}: {differ} of {experiments}");
    }
}

#[test]
fn results_are_read_only_by_their_own_study() {
    let plan = format!("{HEAD}[[policy]]\nname = \"again\"\n[resample]\nnumber = 1\n");
    let own = study(&plan, 10);
    let bytes = sweep::encode(&own, 2, &own.run_cell(1)).unwrap();
    assert_eq!(sweep::decode(&own, &bytes), Ok((2, own.run_cell(1))));
    let other = study(&plan.replace("again", "other"), 10);
    assert!(sweep::decode(&other, &bytes).unwrap_err().contains("another plan"));
    assert!(sweep::decode(&study(&plan, 11), &bytes).unwrap_err().contains("another plan"));
    // Truncated or changed anywhere: an error, never a panic.
    for cut in (0..bytes.len()).step_by(7) {
        assert!(sweep::decode(&own, &bytes[..cut]).is_err(), "{cut}");
    }
    let renumbered = String::from_utf8_lossy(&bytes[..60]).replace(" 2 4\n", " 3 4\n");
    let head = renumbered.find('\n').unwrap() + 1;
    let renumbered = [&renumbered.as_bytes()[..head], &bytes[head..]].concat();
    assert!(sweep::decode(&own, &renumbered).is_err());
}

#[test]
fn scripts_name_every_cell() {
    let own = study(&format!("{HEAD}[[policy]]\nname = \"again\"\n[resample]\nnumber = 1\n"), 10);
    let print = |kind| sweep::script(&own, kind, "my plan.toml", "out", &[1, 2, 4]);
    let sbatch = print(sweep::SweepScript::Sbatch);
    assert!(sbatch.contains("#SBATCH --array=1,2,4\n"), "{sbatch}");
    assert!(sbatch.contains(
        "exec sandbatch sweep 'my plan.toml' --results 'out' --quiet --task \"$SLURM_ARRAY_TASK_ID\""
    ));
    assert!(print(sweep::SweepScript::Parallel).ends_with("--task {} ::: 1 2 4\n"));
    let snakemake = print(sweep::SweepScript::Snakemake);
    assert!(snakemake.contains("n=[1, 2, 4]") && snakemake.contains("{wildcards.n}"), "{snakemake}");
    assert!(snakemake.contains(&sweep::file_name(&own, 1)[1..]), "{snakemake}");
}

#[test]
fn cancellations_and_outages_are_repeated() {
    let job = |at: u32, more: &str| {
        format!("-dt {at} -e submit_batch_job | -sim-walltime 3600 --uid=1001 -t 120 {more} x.sh\n")
    };
    let trace = job(0, "-n 12 -p cpu")
        + &job(10, "-sim-job 2 -sim-end 610 -sim-state CANCELLED -n 12 -p cpu")
        + &job(20, "-n 12 -p cpu")
        + "-dt 30 -e node | g1 DOWN maintenance\n-dt 7200 -e node | g1 RESUME\n"
        + &job(100, "-n 1 -p gpu");
    let plan = format!("{HEAD}[[policy]]\nname = \"the same\"\n[resample]\nnumber = 2\n");
    let study = study_of(&plan, trace);
    let recorded = study.run_cell(0);
    let start = |n: usize| recorded.jobs[n].start.map(|at| at / base::time::SECOND);
    assert_eq!(start(1), None, "it was cancelled while it waited");
    assert!((3600..3700).contains(&start(2).unwrap()), "nothing is in its way: {:?}", start(2));
    assert!((7200..7300).contains(&start(3).unwrap()), "its node was down: {:?}", start(3));
}

/// What the page asks of its workers, for a plan from its form.
#[test]
fn a_form_is_compared_by_messages() {
    use crate::service::ComparisonService;
    use protocol::compare::{ComparisonInput, FromComparison, ToComparison};
    use view::compare::{CompareForm, CompareResults, CompareWorkload, PolicyChange, explained, plan};
    let lines = "# four more\nNodeName=b[1-2] Sockets=1 CoresPerSocket=4 RealMemory=8000\n\n\
                 PartitionName=cpu Nodes+=b[1-2]\nunset SelectTypeParameters\nremove g1\n\
                 sacctmgr modify qos normal set Priority=1\ngres.conf: NodeName=a1 Name=gpu Count=0";
    let change = PolicyChange { name: "two \"more\" \\ <nodes>".to_owned(), lines: lines.to_owned() };
    let workload = CompareWorkload::Trace("t.events".to_owned());
    let form =
        CompareForm { workload, changes: vec![change.clone()], resamples: 2, ..CompareForm::default() };
    let text = plan(&form, "x", "as it is");
    let parsed = ComparePlan::parse("plan.toml", &text).unwrap();
    let policy = &parsed.policies[1];
    assert_eq!(policy.name, change.name);
    assert_eq!(policy.slurm_conf.len(), 2);
    assert_eq!(policy.unset, ["SelectTypeParameters"]);
    assert_eq!(policy.remove_nodes, "g1");
    assert_eq!(policy.sacctmgr, ["modify qos normal set Priority=1"]);
    assert_eq!(policy.gres_conf, ["NodeName=a1 Name=gpu Count=0"]);

    let form = CompareForm {
        changes: vec![PolicyChange {
            name: "more".to_owned(),
            lines: lines.lines().take(4).collect::<Vec<_>>().join("\n"),
        }],
        ..form
    };
    let text = plan(&form, "x", "as it is");
    let input = ComparisonInput {
        plan: text.clone(),
        site: "x".to_owned(),
        files: vec![("slurm.conf".to_owned(), CONF.to_owned())],
        trace: Some(("t.events".to_owned(), trace(60))),
    };
    let mut services = [ComparisonService::new(START, "test"), ComparisonService::new(START, "test")];
    for service in &mut services {
        let answer = service.answer(ToComparison::Prepare(Box::new(input.clone())));
        assert_eq!(answer, FromComparison::Prepared { cells: 6, policies: 2 });
    }
    let language = ReportLanguage::Fr;
    let mut results = CompareResults::new(6, 2);
    let mut reports = Vec::new();
    while results.done() < results.total() {
        for (policy, service) in services.iter_mut().enumerate() {
            let Some(cell) = results.next(policy) else { continue };
            let FromComparison::Ran { cell, result } = service.answer(ToComparison::Run(cell)) else {
                panic!("no result");
            };
            results.put(cell, result);
        }
        let complete = results.done() == results.total();
        let report = ToComparison::Report { results: results.so_far(), complete, language };
        let FromComparison::Reported { mut files, reasons } = services[0].answer(report) else {
            panic!("no report")
        };
        assert_eq!(files.complete, complete);
        assert_eq!(reasons.is_empty(), !complete, "the last report explains");
        files.html = explained(&files.html, &reasons, &view::why::FR);
        reports.push(files);
    }
    assert_eq!(reports.len(), 3);
    assert!(reports[1].html.contains("1 rééchantillonnage, graine 1"), "it says how many there were so far");
    // The last report is the one that `sandbatch compare` writes.
    let files = SiteFiles(BTreeMap::from([("slurm.conf".to_owned(), CONF.to_owned())]));
    let site = ("x".to_owned(), config::furnish(files).0);
    let own = WorkloadInput { site: Some(site), trace: Some(TraceText::Events(trace(60))) };
    let own = ComparisonStudy::new(
        ComparePlan::parse("plan.toml", &text).unwrap(),
        &text,
        vec![own],
        START,
        "test",
    )
    .unwrap();
    let whole = own.report(&own.run(2, &|_| ()), 2, ReportStyle::new(language));
    let last = reports.pop().unwrap();
    assert!(last.html == whole.html && last.metrics == whole.metrics, "the reports differ");
    assert!(last.differences == whole.differences, "the differences differ");

    let service = &mut services[1];
    for (message, part) in [
        (ToComparison::Run(6), "no cell 6"),
        (ToComparison::Report { results: vec![vec![1, 2, 3]], complete: false, language }, ""),
        (ToComparison::Report { results: Vec::new(), complete: true, language }, "not those of"),
        (
            ToComparison::Prepare(Box::new(ComparisonInput { trace: None, ..input.clone() })),
            "choose the file t.events",
        ),
        (
            ToComparison::Prepare(Box::new(ComparisonInput {
                plan: text.replace("number = 2", "number = 9999"),
                ..input.clone()
            })),
            "at most 4000",
        ),
        (
            ToComparison::Prepare(Box::new(ComparisonInput { plan: "[[workload]".to_owned(), ..input })),
            "plan.toml:1",
        ),
    ] {
        let FromComparison::Refused(why) = service.answer(message) else { panic!("{part} was accepted") };
        assert!(why.contains(part), "{why}");
    }
}

/// The Parquet files, read again, are the CSV files.
#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_rows_of_the_csv_files() {
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::Field;
    let policy = "[[policy]]\nname = \"in order, no backfill\"\nslurm_conf = [\"SchedulerType=sched/builtin\"]\n[resample]\nnumber = 5\n";
    let study = study(&format!("{HEAD}{policy}"), 24);
    let results = study.run(2, &|_| ());
    let report = study.report(&results, 1, ENGLISH);
    assert_eq!(report.parquet, study.report(&results, 2, ENGLISH).parquet);
    let tables = report.parquet.unwrap();
    let path = std::env::temp_dir().join(format!("sandbatch-{}.parquet", std::process::id()));
    for (csv, bytes) in [(report.metrics, tables.metrics), (report.differences, tables.differences)] {
        std::fs::write(&path, bytes).unwrap();
        let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let schema = reader.metadata().file_metadata().schema_descr_ptr();
        let names: Vec<&str> = schema.columns().iter().map(|column| column.name()).collect();
        let mut read = names.join(",") + "\n";
        for row in reader.get_row_iter(None).unwrap() {
            let text = |field: &Field| match field {
                Field::Str(text) if text.contains(',') => format!("\"{text}\""),
                Field::Str(text) => text.clone(),
                Field::Long(number) => number.to_string(),
                Field::Double(number) => number.to_string(),
                Field::Null => String::new(),
                other => panic!("{other:?}"),
            };
            let fields: Vec<String> = row.unwrap().get_column_iter().map(|(_, field)| text(field)).collect();
            read += &(fields.join(",") + "\n");
        }
        assert_eq!(read, csv);
        assert!(csv.contains("\"in order, no backfill\"") && csv.lines().count() > 20, "{csv}");
    }
    std::fs::remove_file(&path).unwrap();
}
