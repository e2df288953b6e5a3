//! A teacher's dashboard: what it counts, and what its buttons do to the cluster.

use super::{ClassServer, Tab, all, joined, same, secret};
use classroom::ClassEvent;
use classroom::wire::SeatClaim;
use protocol::ToEngine;
use protocol::class::{ClassAction, ClassWork, ToClass};

#[test]
fn the_teacher_s_tab_counts_failed_commands_and_jobs() {
    let mut server = ClassServer::new();
    let mut tabs: Vec<Tab> = ["anna", "bert"].iter().map(|name| joined(&mut server, name, 1)).collect();
    tabs.push(joined(&mut server, "prof", 2));
    all(&mut server, &mut tabs, 10);
    let report = |server: &mut ClassServer, tabs: &mut Vec<Tab>| {
        tabs[2].engine.receive(ToEngine::Class(ToClass::Report));
        all(server, tabs, 1);
        tabs[2].report.clone()
    };
    let idle = report(&mut server, &mut tabs);
    assert_eq!(
        idle.iter().map(|work| work.seat).collect::<Vec<_>>(),
        [1, 2],
        "participants without the teacher"
    );
    assert!(idle.iter().all(|work| work.quiet.is_none() && work.commands == 0), "{idle:?}");
    // Three mistakes; a line that a program reads is no command, and neither is an empty one.
    for line in ["sbatch --nonsense", "ls /nowhere", "", "false"] {
        tabs[0].types(line);
        all(&mut server, &mut tabs, 8);
    }
    tabs[1].types("cat; sbatch --wrap 'sleep 3000'; sbatch --wrap 'exit 3'; sbatch -H --wrap true; sbatch -t 1 --wrap true");
    all(&mut server, &mut tabs, 8);
    tabs[1].types("this goes into cat");
    all(&mut server, &mut tabs, 4);
    let tty = tabs[1].ttys[0];
    tabs[1].engine.receive(ToEngine::Type { tty, bytes: vec![4] });
    all(&mut server, &mut tabs, 60);
    let work = report(&mut server, &mut tabs);
    assert_eq!((work[0].commands, work[0].failures), (3, 3), "{work:?}");
    assert_eq!(work[0].quiet, work[0].quiet.filter(|quiet| (0..10).contains(quiet)), "{work:?}");
    assert_eq!((work[1].commands, work[1].failures), (1, 0), "{work:?}\n{}", tabs[1].screen);
    let jobs = |w: &ClassWork| (w.pending, w.running, w.completed, w.failed, w.cancelled);
    assert_eq!(jobs(&work[1]), (1, 1, 1, 1, 0), "{work:?}");
    tabs[0].types("true");
    tabs[1].types("scancel 1");
    all(&mut server, &mut tabs, 20);
    let work = report(&mut server, &mut tabs);
    assert_eq!((work[0].commands, work[0].failures), (4, 0), "a success ends the row");
    assert_eq!(jobs(&work[1]), (1, 0, 1, 1, 1), "{work:?}");
    // A participant's tab reports nothing, and a look changes no world.
    tabs[0].engine.receive(ToEngine::Class(ToClass::Report));
    all(&mut server, &mut tabs, 1);
    assert_eq!(tabs[0].report, []);
    same(&mut tabs);
    // A reload computes everything again, and counts the same.
    let key = server.key_of(3);
    let welcome = server.join(SeatClaim::Seat(3, key), secret(2));
    tabs[2] = Tab::open(welcome, secret(2));
    all(&mut server, &mut tabs, 5);
    let again = report(&mut server, &mut tabs);
    let commands = |all: &[ClassWork]| all.iter().map(|w| (w.commands, w.failures)).collect::<Vec<_>>();
    assert_eq!(commands(&again), commands(&work));
}

#[test]
fn the_teacher_s_buttons_drain_fail_fill_and_requeue() {
    let mut server = ClassServer::new();
    let mut tabs = vec![joined(&mut server, "anna", 1), joined(&mut server, "prof", 2)];
    all(&mut server, &mut tabs, 10);
    tabs[0].types("sbatch -n 4 -t 30 --requeue --wrap 'sleep 1200'");
    all(&mut server, &mut tabs, 20);
    let press = |server: &mut ClassServer, tabs: &mut Vec<Tab>, event: ClassEvent| {
        let action = ClassAction::Administer(event.command().to_owned());
        tabs[1].engine.receive(ToEngine::Class(ToClass::Teach(action)));
        all(server, tabs, 30);
    };
    let says = |server: &mut ClassServer, tabs: &mut Vec<Tab>, command: &str| {
        let before = tabs[0].screen.len();
        tabs[0].types(command);
        all(server, tabs, 20);
        tabs[0].screen[before..].trim().to_owned()
    };
    press(&mut server, &mut tabs, ClassEvent::Drain);
    let node = says(&mut server, &mut tabs, "squeue -h -t R -o %N");
    assert_eq!(says(&mut server, &mut tabs, "sinfo -h -R -o '%n %E %T'"), format!("{node} class draining"));
    press(&mut server, &mut tabs, ClassEvent::Fail);
    assert_eq!(says(&mut server, &mut tabs, "squeue -h -o '%T %r'"), "PENDING BeginTime");
    press(&mut server, &mut tabs, ClassEvent::Resume);
    assert_eq!(says(&mut server, &mut tabs, "sinfo -h -R"), "");
    press(&mut server, &mut tabs, ClassEvent::Fill);
    let count = |text: String| text.parse::<u32>().unwrap_or_else(|e| panic!("{text}: {e}"));
    let filled = count(says(&mut server, &mut tabs, "squeue -h -n fill | wc -l"));
    let running = count(says(&mut server, &mut tabs, "squeue -h -t R | wc -l"));
    assert!(filled == 40 && running > 0, "{filled} {running}");
    press(&mut server, &mut tabs, ClassEvent::Requeue);
    assert_eq!(
        says(&mut server, &mut tabs, "squeue -h -t PD -o %r | grep -c BeginTime"),
        "2",
        "{}",
        tabs[0].screen
    );
    assert_eq!((&tabs[0].lost, &tabs[1].notices), (&None, &Vec::new()));
    same(&mut tabs);
}

#[test]
fn the_teacher_s_button_preempts_the_newest_job_of_low_priority() {
    let mut server = ClassServer::new();
    let mut tabs = vec![joined(&mut server, "anna", 1), joined(&mut server, "prof", 2)];
    all(&mut server, &mut tabs, 10);
    // Participants have the default QOS only.
    tabs[1].types("sacctmgr -i modify account root set qos+=low");
    all(&mut server, &mut tabs, 10);
    tabs[0].types("sbatch -J kept -n 2 -t 30 --wrap 'sleep 1200'");
    all(&mut server, &mut tabs, 10);
    tabs[0].types("sbatch -J cheap -q low -n 2 -t 30 --wrap 'sleep 1200'");
    all(&mut server, &mut tabs, 100);
    let action = ClassAction::Administer(ClassEvent::Preempt.command().to_owned());
    tabs[1].engine.receive(ToEngine::Class(ToClass::Teach(action)));
    all(&mut server, &mut tabs, 100);
    let before = tabs[0].screen.len();
    tabs[0].types("sacct -X -n -P --duplicates -a -o JobName,User,State");
    all(&mut server, &mut tabs, 20);
    let said = tabs[0].screen[before..].to_owned();
    assert!(said.contains("kept|anna|RUNNING") && said.contains("cheap|anna|PREEMPTED"), "{said}");
    assert!(said.contains("urgent|root|RUNNING"), "{said}");
    same(&mut tabs);
}
