//! A lesson from the file to the last step, and invalid files.

use super::*;
use protocol::MarkdownKind;

const LESSON: &str = "---
title: A first job
language: en
site: lab
start: 2026-03-02 10:30
within: 1h
---
Welcome, **you**.

```start bob
sbatch -n 8 --wrap 'sleep 600'
```
```file ~/job.sh
#!/bin/bash
sleep 90
```

## Submit

Type `sbatch job.sh`.

```sh
sbatch --help
```

```hint
Look *up*.
```

```check
a job: user = alice, name = job.sh
```

```solution
sbatch job.sh
```

## Wait

```check
a job: user = alice, state = COMPLETED
```

```solution
squeue
```
";

fn read(text: &str) -> (Lesson, Vec<String>) {
    let (lesson, found) = Lesson::read("x.md", text);
    (lesson, found.iter().map(ToString::to_string).collect())
}

#[test]
fn a_whole_lesson() {
    let (lesson, found) = read(LESSON);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!((lesson.title.as_str(), lesson.site.as_str(), lesson.steps.len()), ("A first job", "lab", 2));
    assert_eq!(lesson.start.iso(), "2026-03-02T10:30:00");
    let info = lesson.info("alice".into(), LessonProgress::default(), &[]);
    assert_eq!(info.intro.len(), 1);
    let kinds: Vec<MarkdownKind> = info.steps[0].text.iter().map(|p| p.kind).collect();
    assert_eq!(kinds, [MarkdownKind::Paragraph, MarkdownKind::Block]);
    assert_eq!(
        (info.steps[0].hints.len(), info.steps[0].solution.as_slice()),
        (1, &["sbatch job.sh".to_owned()][..])
    );
    let inputs = lesson.preparation("alice", "/home/alice");
    assert!(matches!(&inputs[0], Input::Run { user, .. } if user == "bob"));
    assert!(
        matches!(&inputs[1], Input::Save { user, path, .. } if user == "alice" && path == "/home/alice/job.sh")
    );
}

#[test]
fn solutions_are_tried() {
    let files = config::sites::built_in("lab").unwrap_or_default();
    let trial = try_out(&read(LESSON).0, &files);
    assert!(trial.findings.is_empty(), "{:?}\n{}", trial.findings, trial.screen);
    assert_eq!(trial.passed, 2);
    assert!((90..200).contains(&trial.seconds), "{}", trial.seconds);

    let tried = |from: &str, to: &str| {
        let trial = try_out(&read(&LESSON.replace(from, to)).0, &files);
        trial.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let wrong = tried("\nsbatch job.sh\n", "\ntrue\n");
    assert_eq!(wrong, "x.md:18: error: the check of \"Submit\" fails after its solution");
    let early = tried("state = COMPLETED", "state = PENDING | RUNNING");
    assert_eq!(early, "x.md:38: error: the check of \"Wait\" passes before its solution");
    assert!(tried("start bob", "start nobody").contains("no user"));
}

#[test]
fn errors_name_file_and_line() {
    for (text, part) in [
        (String::new(), "x.md:1: error: a lesson starts with front matter"),
        (LESSON.replace("site: lab", "sight: lab"), "x.md:4: error: there is no key `sight`"),
        (LESSON.replace("site: lab", "x"), "x.md:4: error: `x` lacks a colon"),
        (LESSON.replace("site: lab", "site: ../../etc"), "x.md:4: error: `../../etc` is not a valid site"),
        (LESSON.replace("1h", "1"), "x.md:6: error: `1` is not a duration"),
        (LESSON.replace("2026-03-02 10:30", "noon"), "x.md:5: error: `noon` is not a time"),
        (LESSON.replace("name = job.sh", "nme = job.sh"), "x.md:31: error: there is no `nme` here"),
        (LESSON.replace("```check", "```chock"), "x.md:18: error: the step \"Submit\" has no check"),
        (LESSON.replace("```solution", "```sh"), "has no solution"),
        (LESSON.replace("## ", "### "), "this belongs to a step"),
        (LESSON.replacen("```hint", "```start", 1), "put it before the first step"),
        (LESSON.replacen("```hint", "```score", 1), "put it before the first step"),
        (
            LESSON.replace("within: 1h", "until: 10:00"),
            "x.md:6: error: `10:00` is not a time after the start",
        ),
        (LESSON.trim_end().trim_end_matches('`').to_owned(), "the block `solution` is not closed"),
        ("x".repeat(MAX_FILE + 1), "x.md: error: the file has"),
    ] {
        let (lesson, found) = read(&text);
        assert!(found.iter().any(|f| f.contains(part)), "{part}: {found:?}");
        assert!(lesson.steps.is_empty(), "{part}");
    }
}

#[test]
fn steps_are_done_one_after_another() {
    let (lesson, _) = read(LESSON);
    let files = config::sites::built_in("lab").unwrap_or_default();
    let setup = crate::session::Setup { site: "lab".into(), files, seed: lesson.seed, start: lesson.start };
    let mut session = crate::session::Session::new(setup);
    let mut active = ActiveLesson::new(lesson, 0, session.world());
    assert!(active.look(&session).is_none());
    session.apply(Input::Run {
        user: "alice".into(),
        command: "printf '#!/bin/bash\\nsleep 90' > job.sh; sbatch job.sh".into(),
    });
    let later = session.world().now + Span::from_secs(30);
    session.run_until(later, 10_000);
    // The pause between two evaluations has not passed.
    assert!(active.look(&session).is_none());
    active.tick(1000);
    assert!(active.look(&session).is_some());
    assert_eq!(active.passed(), 1);
    session.run_until(later + Span::from_secs(200), 10_000);
    active.tick(1000);
    assert!(active.look(&session).is_some());
    assert_eq!(active.passed(), 2);
    active.tick(1000);
    assert!(active.look(&session).is_none());
}

fn session(lesson: &Lesson) -> crate::session::Session {
    let files = config::sites::built_in("lab").unwrap_or_default();
    let setup = crate::session::Setup { site: "lab".into(), files, seed: lesson.seed, start: lesson.start };
    crate::session::Session::new(setup)
}

/// A lesson with a score, and an end at eleven.
fn challenge() -> String {
    let score = "```score\n10: a job: name = job.sh, state = COMPLETED\n\
        40 for end from 11:00 to 10:40: a job: name = job.sh\n```\n\n## Submit";
    LESSON.replace("within: 1h", "until: 11:00\nwithin: 1h").replace("## Submit", score)
}

#[test]
fn points_come_from_the_simulation() {
    let (lesson, found) = read(&challenge());
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(lesson.most(), 50);
    let mut session = session(&lesson);
    let mut active = ActiveLesson::new(lesson, 0, session.world());
    assert_eq!(active.progress(session.world()).points, 0);
    let command = "sleep 1020; printf '#!/bin/bash\\nsleep 90' > job.sh; sbatch job.sh".into();
    session.apply(Input::Run { user: "alice".into(), command });
    session.run_until(Time::from_civil("2026-03-02T10:55:00".parse().unwrap()).unwrap(), 100_000);
    // The array ended shortly before 10:50, halfway between the worst and the best value.
    let now = active.look(&session).unwrap();
    assert!((10 + 20..10 + 30).contains(&now.points), "{now:?}");
    assert_eq!((now.passed, now.over), (2, false));
}

#[test]
fn no_step_counts_after_the_end() {
    let (lesson, _) = read(&challenge());
    let mut session = session(&lesson);
    let mut active = ActiveLesson::new(lesson, 0, session.world());
    session.run_until(Time::from_civil("2026-03-02T11:00:01".parse().unwrap()).unwrap(), 100_000);
    assert!(active.look(&session).unwrap().over);
    session.apply(Input::Run { user: "alice".into(), command: "sbatch -J job.sh --wrap true".into() });
    active.tick(1000);
    assert_eq!(active.look(&session), None);
    assert_eq!(active.passed(), 0);
}

#[test]
fn a_score_is_checked_against_the_solutions() {
    let files = config::sites::built_in("lab").unwrap_or_default();
    let tried = |from: &str, to: &str| {
        let trial = try_out(&read(&challenge().replace(from, to)).0, &files);
        (trial.points, trial.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    };
    assert_eq!(tried("", ""), (vec![10, 40], String::new()));
    assert!(
        tried("10: a job: name = job.sh, state = COMPLETED", "10: no job: name = x")
            .1
            .contains("before anything is done")
    );
    assert!(
        tried("from 11:00 to 10:40", "from 10:20 to 10:10")
            .1
            .contains("its own solution gets 10 of 50 points")
    );
}

#[test]
fn a_lesson_is_played_up_to_a_step() {
    let (lesson, _) = read(LESSON);
    let mut session = session(&lesson);
    assert!(play_up_to(&lesson, 1, &mut session).is_empty());
    let mut active = ActiveLesson::new(lesson.clone(), 0, session.world());
    active.advance(session.world());
    assert_eq!(active.passed(), 1);
    let mut whole = self::session(&lesson);
    assert!(play_up_to(&lesson, 9, &mut whole).is_empty());
    assert!(whole.world().now > session.world().now);
}
