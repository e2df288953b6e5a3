//! What the engine sends for the panels that are open.

use super::page::Page;
use super::site::{files, inserm};
use engine::session::Setup;
use protocol::*;

#[test]
fn the_open_panel_is_in_the_frame() {
    let mut page = Page::start(None, Vec::new());
    page.types(
        "for i in 1 2 3; do sbatch -p CPU-4 -N4 --exclusive --nice=$((i * 100)) --wrap 'sleep 60'; done",
    );
    page.draw();
    assert_eq!(page.frame.panel, None, "no panel asked for anything");
    page.send(ToEngine::Subscribe(Subscription {
        panel: Some(PanelRequest::Priority),
        ..Subscription::default()
    }));
    page.draw();
    assert_eq!((&page.frame.cluster, &page.frame.queue), (&None, &None));
    let panel = page.frame.panel.clone().expect("the panel's picture");
    let picture = panel.priority().expect("priorities");
    let ids: Vec<&str> = picture.rows.iter().map(|row| row.id.as_str()).collect();
    assert_eq!((ids, picture.total, picture.multifactor), (vec!["1", "2", "3"], 3, true));
    let sprio = page.types("sprio -h -o '%i %Y'");
    for row in &picture.rows {
        assert!(sprio.contains(&format!("{} {}", row.id, row.priority)), "{row:?} in {sprio}");
        let sum: f64 = row.parts.iter().map(|(_, adds)| adds).sum();
        assert_eq!(sum as u32, row.priority, "{row:?}");
    }
}

#[test]
fn shares_are_those_of_sshare() {
    let mut page = Page::start(None, Vec::new());
    page.send(ToEngine::Subscribe(Subscription {
        panel: Some(PanelRequest::Shares(SharesHypothesis::default())),
        ..Subscription::default()
    }));
    page.draw();
    let panel = page.frame.panel.clone().expect("the panel's picture");
    let picture = panel.shares().expect("shares");
    let printed = page.types("sshare -laP");
    let lines: Vec<Vec<&str>> = printed.lines().map(|line| line.split('|').collect()).collect();
    assert_eq!(lines[0], picture.headings);
    let rows: Vec<&Vec<String>> = picture.rows.iter().map(|row| &row.cells).collect();
    assert_eq!(rows, lines[1..].iter().collect::<Vec<_>>());
    assert_eq!(picture.total as usize, rows.len());
    // Each row except root's comes after its parent.
    let parents = picture.rows.iter().enumerate().skip(1);
    assert!(parents.into_iter().all(|(i, row)| row.parent.is_some_and(|p| (p as usize) < i)));
    // The result of other shares is shown, but not applied.
    let alice = picture.rows.iter().find(|r| r.user == "alice").expect("alice");
    let hypothesis = SharesHypothesis { shares: Some((alice.id, 7)), half_life: Some(3600) };
    page.send(ToEngine::Subscribe(Subscription {
        panel: Some(PanelRequest::Shares(hypothesis)),
        ..Subscription::default()
    }));
    page.draw();
    let panel = page.frame.panel.clone().expect("the panel's picture");
    let supposed = panel.shares().expect("shares");
    let row = supposed.rows.iter().find(|r| r.id == alice.id).expect("alice");
    assert_eq!((supposed.hypothesis, supposed.half_life, row.shares), (hypothesis, 3600, Some(7)));
    assert!(row.norm > alice.norm && row.before == alice.factor);
    assert_eq!(page.types("sshare -laP"), printed);
}

#[test]
fn dependencies_and_arrays_come_from_slurmctld() {
    let mut page = Page::start(None, Vec::new());
    page.types("sbatch -p CPU-4 --wrap 'sleep 60'; sbatch -p CPU-4 --wrap 'exit 1'");
    page.types("sbatch -p CPU-4 -d afterok:1 --array=1-6%2 --wrap 'sleep 10'; sbatch -d afterany:1:2,afterok:2 --wrap true");
    page.send(ToEngine::Subscribe(Subscription {
        panel: Some(PanelRequest::Graph(None)),
        ..Subscription::default()
    }));
    page.draw();
    let panel = page.frame.panel.clone().expect("the panel's picture");
    let graph = panel.graph().expect("dependencies");
    let edges: Vec<String> = (graph.edges.iter())
        .map(|e| {
            let id = |i: u32| &graph.jobs[i as usize].id;
            format!("{} {} {} {:?}", id(e.to), e.kind, id(e.from), e.state)
        })
        .collect();
    assert!(edges.contains(&"3_[1-6%2] afterok 1 Waiting".to_owned()), "{edges:?}");
    assert!(edges.iter().any(|e| e.starts_with("4 afterok 2")), "{edges:?}");
    assert!(edges.contains(&"4 afterany 1 Waiting".to_owned()), "{edges:?}");
    assert_eq!((graph.open, graph.arrays[0].pending, graph.arrays[0].throttle), (Some(3), 6, 2));
    assert_eq!(
        graph.tasks.iter().map(|(t, s)| format!("{t}{s}")).collect::<Vec<_>>().join(" "),
        "1PD 2PD 3PD 4PD 5PD 6PD"
    );
}

#[test]
fn charts_and_preemptions_are_computed_on_request() {
    let mut page = Page::start(None, Vec::new());
    page.types("sbatch -p CPU-4 -N2 --exclusive --wrap 'sleep 600'");
    page.send(ToEngine::Skip(Skip::QueueEmpty));
    page.draw();
    page.send(ToEngine::Subscribe(Subscription {
        panel: Some(PanelRequest::Charts(ChartsWindow { seconds: 3600, until: None })),
        ..Subscription::default()
    }));
    page.draw();
    let panel = page.frame.panel.clone().expect("the panel's picture");
    let charts = panel.charts().expect("series");
    assert_eq!((charts.cpus.len(), charts.totals[0]), (96, 228.0));
    assert_eq!((charts.starts.iter().sum::<u32>(), charts.users[0].name.as_str()), (1, "alice"));
    // Eight CPUs for ten minutes of the hour.
    let used: f64 = charts.cpus.iter().map(|mean| mean * charts.step as f64 / 1e6).sum();
    assert!((used - 4800.0).abs() < 100.0, "{used}: {:?}", charts.cpus);
    let asked = Some(PanelRequest::Account("ALICE complet".into()));
    page.send(ToEngine::Subscribe(Subscription { panel: asked, ..Subscription::default() }));
    page.draw();
    let panel = page.frame.panel.clone().expect("the panel's picture");
    let ended = panel.account().expect("ended jobs");
    assert_eq!((ended.matched, ended.rows[0].cells[5].as_str()), (1, "COMPLETED"));
    page.send(ToEngine::Subscribe(Subscription {
        panel: Some(PanelRequest::Preempt),
        ..Subscription::default()
    }));
    page.draw();
    let panel = page.frame.panel.clone().expect("the panel's picture");
    let preempt = panel.preempt().expect("preemptions");
    assert!(!preempt.on && preempt.rows.is_empty());
}

#[test]
fn a_partition_without_a_preempt_mode_has_the_clusters() {
    let setup = Setup { site: "mila".to_owned(), files: files("examples/sites/mila"), ..inserm(1) };
    let mut page = Page::of(setup, None, Vec::new());
    page.send(ToEngine::Subscribe(Subscription {
        panel: Some(PanelRequest::Admin(AdminSubject::Partitions)),
        ..Subscription::default()
    }));
    page.draw();
    let panel = page.frame.panel.clone().expect("the panel's picture");
    let picture = panel.admin().expect("partitions");
    let column = |name: &str| picture.headings.iter().position(|h| h == name).expect("a column");
    let (name, mode) = (column("PartitionName"), column("PreemptMode"));
    let shown: Vec<String> = picture.rows.iter().map(|row| format!("{} {}", row[name], row[mode])).collect();
    assert!(
        shown.contains(&"low REQUEUE".to_owned()) && shown.contains(&"unkillable OFF".to_owned()),
        "{shown:?}"
    );
    for row in &picture.rows {
        let said = page.types(&format!("scontrol show partition {}", row[name]));
        assert!(said.contains(&format!(" PreemptMode={}\n", row[mode])), "{row:?}: {said}");
    }
}
