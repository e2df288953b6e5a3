//! What a participant made of a lesson, as a file of lines `key: value` that people can read, too. A checksum tells whether a
//! line was changed since; it is no signature. The moment itself is in it, so whoever wants to be sure opens that.

use crate::base::hash::fnv1a;
use std::cmp::Ordering;

const FIRST: &str = "sandbatch results 1";
/// Longest text of a value but for the moment.
const MAX_TEXT: usize = 200;
/// Longest file.
const MAX_FILE: usize = 600_000;
/// Most steps that are read.
const MAX_STEPS: usize = 60;

/// A participant's results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Outcome {
    /// The participant's.
    pub name: String,
    /// What the lesson was opened by.
    pub lesson: String,
    pub title: String,
    pub passed: u32,
    pub total: u32,
    pub points: u32,
    /// 0: the lesson gives no points.
    pub most: u32,
    pub seed: u64,
    pub engine: String,
    /// When the first step began: virtual seconds, real seconds.
    pub began: (i64, i64),
    /// When each step was done, virtual and real; 0: not by the participant.
    pub steps: Vec<(i64, i64)>,
    /// What stands behind the page in the address of the moment.
    pub moment: String,
    /// Nothing was changed since it was written; of what is read.
    pub whole: bool,
}

impl Outcome {
    /// Virtual seconds from the beginning to the last step that is done.
    #[must_use]
    pub fn simulated(&self) -> i64 {
        self.span(|(virtual_time, _)| virtual_time)
    }

    /// Real seconds.
    #[must_use]
    pub fn real(&self) -> i64 {
        self.span(|(_, real)| real)
    }

    fn span(&self, of: fn((i64, i64)) -> i64) -> i64 {
        let last = self.steps.iter().rev().map(|at| of(*at)).find(|at| *at > 0);
        last.map_or(0, |last| last.saturating_sub(of(self.began)).max(0))
    }

    /// As a file.
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

    /// From a file; none if it is none.
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
                // What a later version says besides.
                _ => {}
            }
        }
        Some(own)
    }
}

/// Whether a text begins as results do.
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

/// A column of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Column {
    Name,
    Lesson,
    Steps,
    Points,
    Simulated,
    Real,
    Seed,
    Engine,
}

/// All of them, in their order.
pub const COLUMNS: [Column; 8] = [
    Column::Name,
    Column::Lesson,
    Column::Steps,
    Column::Points,
    Column::Simulated,
    Column::Real,
    Column::Seed,
    Column::Engine,
];

/// Which of two comes first in a column.
#[must_use]
pub fn compare(column: Column, a: &Outcome, b: &Outcome) -> Ordering {
    match column {
        Column::Name => a.name.to_lowercase().cmp(&b.name.to_lowercase()),
        Column::Lesson => a.lesson.cmp(&b.lesson),
        Column::Steps => a.passed.cmp(&b.passed),
        Column::Points => a.points.cmp(&b.points),
        Column::Simulated => a.simulated().cmp(&b.simulated()),
        Column::Real => a.real().cmp(&b.real()),
        Column::Seed => a.seed.cmp(&b.seed),
        Column::Engine => a.engine.cmp(&b.engine),
    }
}

/// What a column shows.
#[must_use]
pub fn cell(column: Column, of: &Outcome) -> String {
    let span = |secs: i64| format!("{}:{:02}:{:02}", secs / 3600, secs / 60 % 60, secs % 60);
    match column {
        Column::Name => of.name.clone(),
        Column::Lesson => of.lesson.clone(),
        Column::Steps => format!("{}/{}", of.passed, of.total),
        Column::Points if of.most == 0 => String::new(),
        Column::Points => format!("{}/{}", of.points, of.most),
        Column::Simulated => span(of.simulated()),
        Column::Real => span(of.real()),
        Column::Seed => of.seed.to_string(),
        Column::Engine => of.engine.clone(),
    }
}

/// All of them for a spreadsheet.
#[must_use]
pub fn csv(all: &[Outcome]) -> String {
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

/// A text in a CSV file; none that a spreadsheet would take for a formula.
fn field(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome() -> Outcome {
        Outcome {
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
    fn there_and_back() {
        assert_eq!(Outcome::read(&outcome().text()), Some(outcome()));
        assert_eq!(Outcome::read(&outcome().text().replace('\n', "\r\n")), Some(outcome()));
        assert_eq!((outcome().simulated(), outcome().real()), (3600, 90));
    }

    #[test]
    fn a_changed_line_is_seen() {
        let changed = outcome().text().replace("points: 70", "points: 90");
        let read = Outcome::read(&changed).unwrap_or_default();
        assert_eq!((read.points, read.whole), (90, false));
        assert!(!Outcome::read("sandbatch results 1\nname: x\n").unwrap_or_default().whole);
    }

    #[test]
    fn what_is_no_result() {
        for text in ["", "hello", "sandbatch results 2\n", "sandbatch results 1\nseed: x\n"] {
            assert_eq!(Outcome::read(text), None, "{text:?}");
        }
        let odd = Outcome { name: "=1+1\n<b>".into(), ..outcome() };
        let read = Outcome::read(&odd.text()).unwrap_or_default();
        assert_eq!(read.name, "=1+1<b>");
        assert!(csv(&[read]).contains("'=1+1<b>"));
        assert!(csv(&[outcome()]).contains("\"Ada, Countess\""));
    }
}
