//! A participant's lesson results as a file of readable `key: value` lines.
//!
//! A checksum shows whether a line was edited; it is not a signature. The file includes the moment itself, which is
//! authoritative.

use base::hash::fnv1a;
use std::cmp::Ordering;

const FIRST: &str = "sandbatch results 1";
/// Maximum length of a value other than the moment.
const MAX_TEXT: usize = 200;
/// Maximum file size.
const MAX_FILE: usize = 600_000;
/// Maximum number of steps read.
const MAX_STEPS: usize = 60;

/// A participant's results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct LessonResult {
    /// The participant's name.
    pub name: String,
    /// The name the lesson was opened by.
    pub lesson: String,
    pub title: String,
    /// Number of steps done.
    pub passed: u32,
    /// Number of steps in the lesson.
    pub total: u32,
    pub points: u32,
    /// Maximum points; 0: the lesson awards none.
    pub most: u32,
    pub seed: u64,
    pub engine: String,
    /// Start of the first step: virtual seconds, real seconds.
    pub began: (i64, i64),
    /// When each step was done, virtual and real; 0: not by the participant.
    pub steps: Vec<(i64, i64)>,
    /// Query and fragment of the moment's address.
    pub moment: String,
    /// Whether the checksum matched when the file was read.
    pub whole: bool,
}

impl LessonResult {
    /// Virtual seconds from the start to the last completed step.
    #[must_use]
    pub fn simulated(&self) -> i64 {
        self.span(|(virtual_time, _)| virtual_time)
    }

    /// Real seconds from the start to the last completed step.
    #[must_use]
    pub fn real(&self) -> i64 {
        self.span(|(_, real)| real)
    }

    fn span(&self, of: fn((i64, i64)) -> i64) -> i64 {
        let last = self.steps.iter().rev().map(|at| of(*at)).find(|at| *at > 0);
        last.map_or(0, |last| last.saturating_sub(of(self.began)).max(0))
    }

    /// Encodes it as a file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!(
            "{FIRST}\nname: {}\nlesson: {}\ntitle: {}\nsteps: {} of {}\npoints: {} of {}\nseed: {}\nengine: {}\n",
            plain(&self.name),
            plain(&self.lesson),
            plain(&self.title),
            self.passed,
            self.total,
            self.points,
            self.most,
            self.seed,
            plain(&self.engine),
        );
        text += &moments("began", self.began);
        for at in &self.steps {
            text += &moments("done", *at);
        }
        text += &format!("moment: {}\n", self.moment.replace(char::is_whitespace, ""));
        let sum = fnv1a(text.as_bytes());
        text + &format!("checksum: {sum:016x}\n")
    }

    /// Decodes a file; `None` if it is not a results file.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        if !is_one(text) || text.len() > MAX_FILE {
            return None;
        }
        let text = text.replace('\r', "");
        let (body, sum) = text.rsplit_once("checksum: ").unwrap_or((text.as_str(), ""));
        let mut own =
            Self { whole: format!("{:016x}", fnv1a(body.as_bytes())) == sum.trim(), ..Self::default() };
        for line in body.lines().skip(1) {
            let (key, value) = line.split_once(": ").unwrap_or((line, ""));
            match key {
                "name" => own.name = plain(value),
                "lesson" => own.lesson = plain(value),
                "title" => own.title = plain(value),
                "steps" => (own.passed, own.total) = of(value)?,
                "points" => (own.points, own.most) = of(value)?,
                "seed" => own.seed = value.parse().ok()?,
                "engine" => own.engine = plain(value),
                "began" => own.began = moment(value)?,
                "done" if own.steps.len() < MAX_STEPS => own.steps.push(moment(value)?),
                "moment" if value.starts_with('?') => value.clone_into(&mut own.moment),
                // Keys of later versions.
                _ => {}
            }
        }
        Some(own)
    }
}

/// Whether a text starts like a results file.
#[must_use]
pub fn is_one(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.trim() == FIRST)
}

fn of(value: &str) -> Option<(u32, u32)> {
    let (some, all) = value.split_once(" of ")?;
    Some((some.parse().ok()?, all.parse().ok()?))
}

/// `began: 1772442000 simulated, 1795000000 real`: seconds since 1970, as `date -d @1795000000` reads them.
fn moments(key: &str, (virtual_time, real): (i64, i64)) -> String {
    format!("{key}: {virtual_time} simulated, {real} real\n")
}

fn moment(value: &str) -> Option<(i64, i64)> {
    let (first, second) = value.split_once(" simulated, ")?;
    Some((first.parse().ok()?, second.strip_suffix(" real")?.parse().ok()?))
}

/// One line of bounded length.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(MAX_TEXT).collect()
}

/// A column of the results table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum ResultsColumn {
    Name,
    Lesson,
    Steps,
    Points,
    Simulated,
    Real,
    Seed,
    Engine,
}

/// All columns, in order.
pub const COLUMNS: [ResultsColumn; 8] = [
    ResultsColumn::Name,
    ResultsColumn::Lesson,
    ResultsColumn::Steps,
    ResultsColumn::Points,
    ResultsColumn::Simulated,
    ResultsColumn::Real,
    ResultsColumn::Seed,
    ResultsColumn::Engine,
];

/// Order of two results by a column.
#[must_use]
pub fn compare(column: ResultsColumn, a: &LessonResult, b: &LessonResult) -> Ordering {
    match column {
        ResultsColumn::Name => a.name.to_lowercase().cmp(&b.name.to_lowercase()),
        ResultsColumn::Lesson => a.lesson.cmp(&b.lesson),
        ResultsColumn::Steps => a.passed.cmp(&b.passed),
        ResultsColumn::Points => a.points.cmp(&b.points),
        ResultsColumn::Simulated => a.simulated().cmp(&b.simulated()),
        ResultsColumn::Real => a.real().cmp(&b.real()),
        ResultsColumn::Seed => a.seed.cmp(&b.seed),
        ResultsColumn::Engine => a.engine.cmp(&b.engine),
    }
}

/// Text of a cell.
#[must_use]
pub fn cell(column: ResultsColumn, of: &LessonResult) -> String {
    let span = |secs: i64| format!("{}:{:02}:{:02}", secs / 3600, secs / 60 % 60, secs % 60);
    match column {
        ResultsColumn::Name => of.name.clone(),
        ResultsColumn::Lesson => of.lesson.clone(),
        ResultsColumn::Steps => format!("{}/{}", of.passed, of.total),
        ResultsColumn::Points if of.most == 0 => String::new(),
        ResultsColumn::Points => format!("{}/{}", of.points, of.most),
        ResultsColumn::Simulated => span(of.simulated()),
        ResultsColumn::Real => span(of.real()),
        ResultsColumn::Seed => of.seed.to_string(),
        ResultsColumn::Engine => of.engine.clone(),
    }
}

/// All results as CSV.
#[must_use]
pub fn csv(all: &[LessonResult]) -> String {
    let mut text = "name,lesson,title,steps,of_steps,points,of_points,simulated_seconds,real_seconds,seed,engine,unchanged\n".to_owned();
    for o in all {
        let fields = [
            field(&o.name),
            field(&o.lesson),
            field(&o.title),
            o.passed.to_string(),
            o.total.to_string(),
            o.points.to_string(),
            o.most.to_string(),
            o.simulated().to_string(),
            o.real().to_string(),
            o.seed.to_string(),
            field(&o.engine),
            (if o.whole { "yes" } else { "no" }).to_owned(),
        ];
        text += &fields.join(",");
        text.push('\n');
    }
    text
}

/// A CSV field that a spreadsheet does not treat as a formula.
fn field(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome() -> LessonResult {
        LessonResult {
            name: "Ada, Countess".into(),
            lesson: "en/16-before-six".into(),
            title: "Puzzle: done by four".into(),
            passed: 1,
            total: 2,
            points: 70,
            most: 100,
            seed: 7,
            engine: "0.1.0".into(),
            began: (1_772_442_000, 1_795_000_000),
            steps: vec![(1_772_445_600, 1_795_000_090)],
            moment: "?lesson=en/16-before-six#s=AAAA".into(),
            whole: true,
        }
    }

    #[test]
    fn round_trip() {
        assert_eq!(LessonResult::read(&outcome().text()), Some(outcome()));
        assert_eq!(LessonResult::read(&outcome().text().replace('\n', "\r\n")), Some(outcome()));
        assert_eq!((outcome().simulated(), outcome().real()), (3600, 90));
    }

    #[test]
    fn a_changed_line_is_detected() {
        let changed = outcome().text().replace("points: 70", "points: 90");
        let read = LessonResult::read(&changed).unwrap_or_default();
        assert_eq!((read.points, read.whole), (90, false));
        assert!(!LessonResult::read("sandbatch results 1\nname: x\n").unwrap_or_default().whole);
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in ["", "hello", "sandbatch results 2\n", "sandbatch results 1\nseed: x\n"] {
            assert_eq!(LessonResult::read(text), None, "{text:?}");
        }
        let odd = LessonResult { name: "=1+1\n<b>".into(), ..outcome() };
        let read = LessonResult::read(&odd.text()).unwrap_or_default();
        assert_eq!(read.name, "=1+1<b>");
        assert!(csv(&[read]).contains("'=1+1<b>"));
        assert!(csv(&[outcome()]).contains("\"Ada, Countess\""));
    }
}
