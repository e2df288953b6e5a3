//! Every lesson in both languages: its own solutions pass its checks, and no check holds before.

use super::site::path;
use config::sites::built_in;
use engine::session::lesson::{Lesson, play_up_to, try_out};
use engine::session::{Link, Session, Setup};
use std::collections::BTreeMap;

/// The lessons of a language by the number in their file names.
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

/// The length of `#s=...` in the URL of a completed lesson.
fn link_of_the_end(lesson: &Lesson) -> usize {
    let files = built_in(&lesson.site).expect("a site that comes with the program");
    let mut setup = Setup { site: lesson.site.clone(), files, seed: lesson.seed, start: lesson.start };
    lesson.prepare(&mut setup);
    let mut session = Session::new(setup);
    let steps = u32::try_from(lesson.steps.len()).expect("few steps");
    assert_eq!(play_up_to(lesson, steps, &mut session), []);
    let link = Link::of(&session, steps).and_then(|link| link.encode()).expect("a link");
    let (opened, notices) = Link::decode(&link).expect("a link").open(session.setup().clone());
    assert_eq!(notices, [], "{}", lesson.name);
    assert_eq!(opened.world().hash(), session.world().hash(), "{}", lesson.name);
    (link.len() * 4).div_ceil(3)
}

#[test]
fn the_end_of_every_lesson_is_a_link_of_at_most_four_kilobytes() {
    let all: Vec<Lesson> = ["en", "fr"].into_iter().flat_map(|l| lessons(l).into_values()).collect();
    let sizes: Vec<usize> = std::thread::scope(|scope| {
        let threads: Vec<_> = all.iter().map(|lesson| scope.spawn(|| link_of_the_end(lesson))).collect();
        threads.into_iter().map(|t| t.join().expect("no panic")).collect()
    });
    for (lesson, size) in all.iter().zip(&sizes) {
        println!("{size:6} {}", lesson.name);
        assert!(*size <= 4096, "{}: {size} characters", lesson.name);
    }
}

#[test]
fn the_schema_names_the_keys_that_a_lesson_may_have() {
    let schema = std::fs::read_to_string(path("docs/lesson.schema.json")).expect("the schema");
    let properties = schema.split("\"properties\": {").nth(1).expect("properties");
    let properties = properties.split("\"$defs\"").next().expect("what stands before the definitions");
    // A key of the table is at the start of a line indented by four blanks.
    let keys: Vec<&str> = properties
        .lines()
        .filter_map(|line| line.strip_prefix("    \"")?.split_once('"').map(|(key, _)| key))
        .collect();
    assert!(keys.contains(&"until") && keys.contains(&"title"), "{keys:?}");
    for key in keys.iter().chain(&["nonsense"]) {
        let (_, found) = Lesson::read("x.md", &format!("---\n{key}: ?\n---\n"));
        let unknown = found.iter().any(|d| d.message == format!("there is no key `{key}`"));
        assert_eq!(unknown, *key == "nonsense", "{key}");
    }
}
