//! Parses a lesson file: front matter, text, special fenced blocks, and steps that begin with `##`.

use super::check::{self, Claim};
use super::markdown::{self, closes, fence};
use super::{Lesson, MAX_FILE, ParsedStep, Preparation};
use base::diagnostic::{Diagnostic, Severity};
use base::front;
use base::time::{Span, Time};
use config::background_amount;
use protocol::MarkdownElement;

/// Maximum number of steps.
const MAX_STEPS: usize = 50;
/// Default start, a Monday morning: 2026-03-02 09:00.
const START: Time = Time::from_secs(1_772_442_000);
/// Default time for a solution to take effect: a day.
const WITHIN: Span = Span::from_secs(86_400);

/// Parses a file.
pub fn read(name: &str, text: &str) -> (Lesson, Vec<Diagnostic>) {
    let mut reader = LessonReader::new(name);
    if text.len() > MAX_FILE {
        reader.error(0, format!("the file has {} bytes; a lesson has at most {MAX_FILE}", text.len()));
    } else {
        reader.read(text);
    }
    reader.finish()
}

struct LessonReader {
    lesson: Lesson,
    found: Vec<Diagnostic>,
    /// The step that is being parsed; none before the first.
    step: Option<StepDraft>,
    intro: Vec<MarkdownElement>,
}

/// An incomplete step.
struct StepDraft {
    line: u32,
    title: String,
    text: Vec<MarkdownElement>,
    hints: Vec<Vec<MarkdownElement>>,
    check: Option<Vec<Claim>>,
    solution: Option<Vec<String>>,
}

/// The purpose of a special block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Check,
    Solution,
    Hint,
    Start,
    File,
    Score,
}

impl Meaning {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "check" => Self::Check,
            "solution" => Self::Solution,
            "hint" => Self::Hint,
            "start" => Self::Start,
            "file" => Self::File,
            "score" => Self::Score,
            _ => return None,
        })
    }
}

impl LessonReader {
    fn new(name: &str) -> Self {
        let lesson = Lesson {
            name: name.to_owned(),
            title: String::new(),
            language: "en".to_owned(),
            site: String::new(),
            user: String::new(),
            seed: 1,
            start: START,
            within: WITHIN,
            until: None,
            background: String::new(),
            intro: Vec::new(),
            begin: Vec::new(),
            score: Vec::new(),
            steps: Vec::new(),
        };
        Self { lesson, found: Vec::new(), step: None, intro: Vec::new() }
    }

    fn error(&mut self, line: u32, message: impl Into<String>) {
        let (severity, file) = (Severity::Error, self.lesson.name.clone());
        self.found.push(Diagnostic { severity, file, line, message: message.into() });
    }

    fn finish(mut self) -> (Lesson, Vec<Diagnostic>) {
        self.end_step();
        self.lesson.intro = self.intro;
        if self.found.iter().any(|d| d.severity == Severity::Error) {
            self.lesson.steps.clear();
        }
        (self.lesson, self.found)
    }

    fn read(&mut self, text: &str) {
        let Some((entries, taken)) = front::front(text) else {
            return self
                .error(1, "a lesson starts with front matter: `key: value` lines between two `---` lines");
        };
        // Times of day refer to the first day, so `start` is evaluated first, wherever it is in the file.
        let (first, others): (Vec<_>, Vec<_>) = entries.into_iter().partition(|entry| entry.key == "start");
        for entry in first.into_iter().chain(others) {
            if let Err(why) = self.key(entry.key, entry.value) {
                self.error(entry.line, why);
            }
        }
        for (key, missing) in [("title", self.lesson.title.is_empty()), ("site", self.lesson.site.is_empty())]
        {
            if missing {
                self.error(1, format!("the front matter lacks `{key}`"));
            }
        }
        let lines: Vec<(u32, &str)> = (1_u32..).zip(text.lines()).skip(taken as usize).collect();
        self.body(&lines);
        if self.lesson.steps.is_empty() && self.step.is_none() {
            self.error(0, "there are no steps: a step is a line `## Title`, text, a check and a solution");
        }
    }

    fn key(&mut self, key: &str, value: &str) -> Result<(), String> {
        let name = |text: &str| {
            let ok = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            let fits = !text.is_empty() && text.len() <= 64 && text.chars().all(ok);
            fits.then(|| text.to_owned()).ok_or_else(|| format!("`{text}` is not a valid {key}"))
        };
        let lesson = &mut self.lesson;
        match key {
            "title" => value.clone_into(&mut lesson.title),
            "language" => lesson.language = name(value)?,
            "site" => lesson.site = name(value)?,
            "user" => lesson.user = name(value)?,
            "seed" => lesson.seed = value.parse().map_err(|_| format!("`{value}` is no seed"))?,
            "start" => {
                lesson.start = check::moment(&value.replacen(' ', "T", 1), START)
                    .ok_or_else(|| format!("`{value}` is not a time such as 2026-03-02 09:00"))?;
            }
            "until" => {
                let moment = check::moment(&value.replacen(' ', "T", 1), lesson.start);
                let later = moment.filter(|until| *until > lesson.start);
                lesson.until = Some(later.ok_or_else(|| {
                    format!("`{value}` is not a time after the start, such as 18:00 or 2026-03-02 18:00")
                })?);
            }
            "within" => {
                let span = check::duration(value).filter(|s| *s <= 30 * 86_400).map(Span::from_secs);
                lesson.within =
                    span.ok_or_else(|| format!("`{value}` is not a duration such as 2h (at most 30d)"))?;
            }
            "background" => {
                let known = background_amount(value).map(|_| value.to_owned());
                lesson.background = known
                    .ok_or_else(|| format!("`{value}` is not off, quiet, normal, busy or overloaded"))?;
            }
            // Shown in course lists.
            "summary" | "minutes" | "level" | "group" => {}
            "" => return Err(format!("`{value}` lacks a colon")),
            _ => return Err(format!("there is no key `{key}`")),
        }
        Ok(())
    }

    fn body(&mut self, lines: &[(u32, &str)]) {
        // Start of the text that is not yet consumed.
        let (mut from, mut at) = (0, 0);
        while let Some((number, line)) = lines.get(at) {
            if let Some(title) = line.strip_prefix("## ") {
                self.text(lines.get(from..at).unwrap_or_default());
                self.begin_step(*number, title.trim());
                (from, at) = (at + 1, at + 1);
                continue;
            }
            let Some(mark) = fence(line) else {
                at += 1;
                continue;
            };
            let inside = lines.get(at + 1..).unwrap_or_default();
            let length = inside.iter().position(|(_, line)| closes(line, mark)).unwrap_or(inside.len());
            let words = line.trim_start().get(mark.len()..).unwrap_or_default().trim();
            let (word, rest) = words.split_once(' ').unwrap_or((words, ""));
            if let Some(meaning) = Meaning::of(word) {
                self.text(lines.get(from..at).unwrap_or_default());
                if length == inside.len() {
                    self.error(*number, format!("the block `{word}` is not closed"));
                }
                self.block(meaning, rest.trim(), *number, inside.get(..length).unwrap_or_default());
                from = at + length + 2;
            }
            at += length + 2;
        }
        self.text(lines.get(from..).unwrap_or_default());
    }

    fn text(&mut self, lines: &[(u32, &str)]) {
        let lines: Vec<&str> = lines.iter().map(|(_, line)| *line).collect();
        let pieces = markdown::read(&lines);
        self.step.as_mut().map_or(&mut self.intro, |step| &mut step.text).extend(pieces);
    }

    fn begin_step(&mut self, line: u32, title: &str) {
        self.end_step();
        if self.lesson.steps.len() >= MAX_STEPS {
            return self.error(line, format!("a lesson has at most {MAX_STEPS} steps"));
        }
        let (title, text, hints) = (title.to_owned(), Vec::new(), Vec::new());
        self.step = Some(StepDraft { line, title, text, hints, check: None, solution: None });
    }

    fn end_step(&mut self) {
        let Some(StepDraft { line, title, text, hints, check, solution }) = self.step.take() else { return };
        if check.as_ref().is_none_or(Vec::is_empty) {
            self.error(line, format!("the step \"{title}\" has no check"));
        }
        if solution.as_ref().is_none_or(Vec::is_empty) {
            self.error(line, format!("the step \"{title}\" has no solution"));
        }
        let (check, solution) = (check.unwrap_or_default(), solution.unwrap_or_default());
        self.lesson.steps.push(ParsedStep { line, title, text, hints, check, solution });
    }

    fn block(&mut self, meaning: Meaning, rest: &str, line: u32, lines: &[(u32, &str)]) {
        match meaning {
            Meaning::Start | Meaning::File | Meaning::Score if self.step.is_some() => {
                return self.error(line, "this applies to the whole lesson: put it before the first step");
            }
            Meaning::Check | Meaning::Solution | Meaning::Hint if self.step.is_none() => {
                return self.error(line, "this belongs to a step: put it after a line `## Title`");
            }
            Meaning::Check
            | Meaning::Solution
            | Meaning::Hint
            | Meaning::Start
            | Meaning::File
            | Meaning::Score => {}
        }
        let plain: Vec<&str> = lines.iter().map(|(_, line)| *line).collect();
        match meaning {
            Meaning::Start => {
                let (user, command) = (rest.to_owned(), plain.join("\n"));
                self.lesson.begin.push(Preparation::Run { user, command });
            }
            Meaning::File if rest.starts_with('/') || rest.starts_with("~/") => {
                let text = plain.iter().map(|line| format!("{line}\n")).collect();
                self.lesson.begin.push(Preparation::Save { path: rest.to_owned(), text });
            }
            Meaning::File => self.error(line, "a file needs a path that starts with / or ~/"),
            Meaning::Hint => {
                let hint = markdown::read(&plain);
                self.step.iter_mut().for_each(|step| step.hints.push(hint.clone()));
            }
            Meaning::Solution => {
                let typed: Vec<String> = plain.iter().map(|line| (*line).to_owned()).collect();
                let twice = self.step.as_mut().is_some_and(|step| step.solution.replace(typed).is_some());
                self.once(twice, line);
            }
            Meaning::Score => match check::parse_score(lines, self.lesson.start) {
                Ok(awards) => self.lesson.score.extend(awards),
                Err((line, why)) => self.error(line, why),
            },
            Meaning::Check => match check::parse(lines, self.lesson.start) {
                Ok(claims) => {
                    let twice = self.step.as_mut().is_some_and(|step| step.check.replace(claims).is_some());
                    self.once(twice, line);
                }
                Err((line, why)) => {
                    self.error(line, why);
                    // The check exists, although it cannot be parsed.
                    self.step.iter_mut().for_each(|step| step.check = Some(check::never()));
                }
            },
        }
    }

    fn once(&mut self, twice: bool, line: u32) {
        if twice {
            self.error(line, "a step can have only one check and one solution");
        }
    }
}
