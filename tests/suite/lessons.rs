//! Every lesson in both languages: its own solutions solve it, and no check holds before.

use super::site::path;
use sandbatch::config::sites::built_in;
use sandbatch::session::lesson::{Lesson, try_out};
use std::collections::BTreeMap;

/// The lessons of a language by the number at the head of their names, with their files' names.
fn lessons(language: &str) -> BTreeMap<String, Lesson> {
    let folder = path("examples/lessons").join(language);
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(&folder).expect("lessons") {
        let file = entry.expect("a file").path();
        let text = std::fs::read_to_string(&file).expect("a lesson is text");
        let (lesson, findings) = Lesson::read(&file.display().to_string(), &text);
        assert!(findings.is_empty(), "{findings:?}");
        assert_eq!(lesson.language, language, "{}", lesson.name);
        let stem = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let number = stem.split('-').next().unwrap_or_default().to_owned();
        assert!(all.insert(number, lesson).is_none(), "{stem}: a number twice");
    }
    all
}

fn solve_all(language: &str) {
    let all: Vec<Lesson> = lessons(language).into_values().collect();
    assert!(all.len() >= 14, "{language}: {} lessons", all.len());
    let trouble = std::thread::scope(|scope| {
        let one = |lesson: &Lesson| {
            let files = built_in(&lesson.site).expect("a site that comes with the program");
            let trial = try_out(lesson, &files);
            let findings: Vec<String> = trial.findings.iter().map(ToString::to_string).collect();
            if findings.is_empty() {
                String::new()
            } else {
                format!("{}\n{}", findings.join("\n"), trial.screen)
            }
        };
        let threads: Vec<_> = all.iter().map(|lesson| scope.spawn(move || one(lesson))).collect();
        threads.into_iter().map(|t| t.join().expect("no panic")).collect::<String>()
    });
    assert!(trouble.is_empty(), "{trouble}");
}

#[test]
fn in_english() {
    solve_all("en");
}

#[test]
fn in_french() {
    solve_all("fr");
}

#[test]
fn the_same_course_in_both_languages() {
    let (english, french) = (lessons("en"), lessons("fr"));
    let shape = |all: &BTreeMap<String, Lesson>| {
        let of = |(n, l): (&String, &Lesson)| (n.clone(), l.site.clone(), l.user.clone(), l.steps.len());
        all.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(shape(&english), shape(&french));
}
