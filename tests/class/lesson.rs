//! A lesson in a class: each participant's steps are found from the world, and a teacher's tab finds the same.

use crate::{ClassProcess, TIMEOUT, joined};
use classroom::board::board;
use classroom::results::csv;
use protocol::LessonFile;
use serve::participant::Participant;

const LESSON: &str = "---
title: Together
site: lab
user: alice
---
You are alice.

```start bob
sbatch -J bobs --wrap 'sleep 60'
```

```start alice
sbatch -J mine --wrap 'sleep 6000'
```

```file ~/job.sh
#!/bin/bash
sleep 30
```

## Submit

```check
a job: user = alice, name = job.sh
```

```solution
sbatch job.sh
```

## Clean up

```check
no job: user = alice, name = mine, state = PENDING | RUNNING
a file ~/note: text contains done
```

```solution
scancel -n mine
echo done > note
```
";

fn file(text: &str) -> LessonFile {
    LessonFile { name: "together.md".to_owned(), text: text.to_owned(), ..LessonFile::default() }
}

/// Steps and failures of each participant, as the teacher's tab computes them.
fn steps(prof: &mut Participant) -> Vec<(u32, u32)> {
    prof.reports();
    prof.work.iter().filter_map(|work| work.lesson.map(|l| (l.passed, l.failures))).collect()
}

fn until_steps(prof: &mut Participant, expected: &[(u32, u32)]) {
    let began = std::time::Instant::now();
    while steps(prof) != expected {
        prof.step();
        assert!(began.elapsed() < TIMEOUT, "{:?}", prof.work);
    }
}

#[test]
fn the_teacher_sees_the_steps_of_each_participant() {
    let mut process = ClassProcess::start(&[]);
    let (learner, teacher) = process.secrets;
    let mut prof = joined(&process, teacher, "prof");
    let mut anna = joined(&process, learner, "anna");
    prof.chooses(file(&LESSON.replace("lab", "mila")));
    assert!(prof.notices.iter().any(|why| why.contains("is for the site mila")), "{:?}", prof.notices);
    prof.chooses(file("---\ntitle: x\nsite: lab\n---\n"));
    assert!(prof.notices.iter().any(|why| why.contains("there are no steps")), "{:?}", prof.notices);
    prof.chooses(file(LESSON));
    assert!(anna.until(TIMEOUT, |tab| tab.lesson == Some(("Together".to_owned(), 0))));
    anna.types("sbatch --nonsense");
    assert!(anna.until(TIMEOUT, |tab| tab.prompts > 1));
    until_steps(&mut prof, &[(0, 1)]);
    anna.types("sbatch job.sh");
    assert!(anna.until(TIMEOUT, |tab| tab.lesson.as_ref().is_some_and(|l| l.1 == 1)), "{}", anna.screen);
    // The other one comes later, and has the same beginning: a job and a file.
    let mut bert = joined(&process, learner, "bert");
    bert.types("cat job.sh; squeue -h -o '%u %j' | sort");
    let jobs = "sleep 30\nanna job.sh\nanna mine\nbert mine\nbob bobs\n";
    assert!(bert.until(TIMEOUT, |tab| tab.screen.contains(jobs)), "{}", bert.screen);
    until_steps(&mut prof, &[(1, 0), (0, 0)]);
    anna.types("scancel -n mine; echo done > note");
    assert!(anna.until(TIMEOUT, |tab| tab.lesson.as_ref().is_some_and(|l| l.1 == 2)), "{}", anna.screen);
    until_steps(&mut prof, &[(2, 0), (0, 0)]);
    assert!(prof.until(TIMEOUT, |tab| tab.people.len() == 3));
    let text = csv(&board(&prof.people, &prof.work), false);
    assert!(text.lines().nth(1).is_some_and(|line| line.contains(",2,2,0,")), "{text}");
    // A restart of the server, and a reload of both tabs, change none of it.
    process.kill();
    process.start_again();
    let seat = anna.seat.clone().expect("a seat");
    drop((anna, prof));
    let mut again = Participant::again(process.address, "c", learner, seat.seat, seat.key);
    assert!(
        again.until(TIMEOUT, |tab| tab.lesson == Some(("Together".to_owned(), 2))
            || tab.lesson.as_ref().is_some_and(|l| l.1 == 2)),
        "{:?}",
        again.lesson
    );
    let mut other = joined(&process, teacher, "other");
    until_steps(&mut other, &[(2, 0), (0, 0)]);
}

#[test]
fn a_class_begins_with_a_lesson_from_a_file() {
    let path = std::env::temp_dir().join(format!("sbclass-lesson-{}.md", std::process::id()));
    std::fs::write(&path, LESSON).expect("a file");
    let process = ClassProcess::start(&["--lesson", path.to_str().expect("a path")]);
    assert!(process.log().contains("Its lesson is sbclass-lesson"), "{}", process.log());
    let mut anna = joined(&process, process.secrets.0, "anna");
    assert!(anna.until(TIMEOUT, |tab| tab.lesson.is_some()));
    anna.types("sbatch job.sh");
    assert!(anna.until(TIMEOUT, |tab| tab.lesson == Some(("Together".to_owned(), 1))), "{}", anna.screen);
    std::fs::remove_file(path).expect("removed");
}
