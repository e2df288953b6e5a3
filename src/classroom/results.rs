//! The results at the end of a class: a row for each participant in the order of arrival, as CSV and as a page of its own.

use super::board::BoardRow;

/// A column: its name in CSV, its place in the headings of a page, and its value.
type ResultColumn = (&'static str, fn(&BoardRow) -> u32);

/// The columns of every class.
const COLUMNS: [ResultColumn; 7] = [
    ("jobs_submitted", |row| {
        let work = &row.work;
        work.completed + work.failed + work.cancelled + work.running + work.pending
    }),
    ("completed", |row| row.work.completed),
    ("failed", |row| row.work.failed),
    ("cancelled", |row| row.work.cancelled),
    ("running", |row| row.work.running),
    ("pending", |row| row.work.pending),
    ("commands", |row| row.work.commands),
];

/// The columns of a class with a lesson.
const LESSON: [ResultColumn; 5] = [
    ("steps_done", |row| row.work.lesson.unwrap_or_default().passed),
    ("steps", |row| row.work.lesson.unwrap_or_default().total),
    ("points", |row| row.work.lesson.unwrap_or_default().points),
    ("seconds_on_step", |row| row.work.lesson.unwrap_or_default().seconds),
    ("failures_on_step", |row| row.work.lesson.unwrap_or_default().failures),
];

/// Number of all columns after the name.
pub const ALL_COLUMNS: usize = COLUMNS.len() + LESSON.len();

/// The columns of these rows.
fn columns(rows: &[BoardRow]) -> impl Iterator<Item = &'static ResultColumn> {
    let taught = rows.iter().any(|row| row.work.lesson.is_some());
    COLUMNS.iter().chain(LESSON.iter().filter(move |_| taught))
}

/// The rows in the order of arrival, each with its name. Under pseudonyms, only the numbers of the seats remain.
fn named(rows: &[BoardRow], pseudonyms: bool) -> Vec<(String, &BoardRow)> {
    let mut rows: Vec<&BoardRow> = rows.iter().collect();
    rows.sort_by_key(|row| row.person.seat);
    let name = |row: &BoardRow| {
        if pseudonyms { format!("participant-{}", row.person.seat) } else { row.person.name.clone() }
    };
    rows.into_iter().map(|row| (name(row), row)).collect()
}

/// The results as CSV. Names have only letters, digits, `_` and `-`, so no cell needs quotes.
#[must_use]
pub fn csv(rows: &[BoardRow], pseudonyms: bool) -> String {
    let mut text = "participant".to_owned();
    columns(rows).for_each(|(name, _)| text.push_str(&format!(",{name}")));
    text.push('\n');
    for (name, row) in named(rows, pseudonyms) {
        text.push_str(&name);
        columns(rows).for_each(|(_, value)| text.push_str(&format!(",{}", value(row))));
        text.push('\n');
    }
    text
}

/// The words of a page of results.
#[derive(Clone, Debug)]
pub struct ResultWords<'a> {
    /// `en`, `fr`.
    pub language: &'a str,
    /// The title.
    pub title: &'a str,
    /// A line below the title.
    pub about: &'a str,
    /// The heading of the names.
    pub participant: &'a str,
    /// The headings of the columns, in order.
    pub columns: [&'a str; ALL_COLUMNS],
}

/// The results as a page that needs nothing else.
#[must_use]
pub fn page(rows: &[BoardRow], pseudonyms: bool, words: &ResultWords) -> String {
    let cell = |tag: &str, text: &str| {
        format!("<{tag}>{}</{}>", escaped(text), tag.split(' ').next().unwrap_or_default())
    };
    let heads: String =
        columns(rows).zip(words.columns).map(|(_, word)| cell("th scope=\"col\"", word)).collect();
    let line = |(name, row): (String, &BoardRow)| {
        let cells: String = columns(rows).map(|(_, value)| cell("td", &value(row).to_string())).collect();
        format!("<tr>{}{cells}</tr>\n", cell("th scope=\"row\"", &name))
    };
    let lines: String = named(rows, pseudonyms).into_iter().map(line).collect();
    let (title, about) = (escaped(words.title), escaped(words.about));
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         <h1>{title}</h1>\n<p>{about}</p>\n<table>\n<thead><tr>{}{heads}</tr></thead>\n<tbody>\n{lines}</tbody>\n</table>\n</html>\n",
        escaped(words.language),
        cell("th scope=\"col\"", words.participant),
    )
}

/// How the page looks, on screens and on paper.
const STYLE: &str = ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:2rem}\
                     table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
                     th,td{padding:.3rem .7rem;text-align:end;border-bottom:1px solid #8886}th:first-child{text-align:start}";

/// Text that is only text in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::board;
    use crate::board::tests::{person, work};
    use crate::wire::Person;
    use protocol::class::{ClassStep, ClassWork};

    #[test]
    fn results_are_in_the_order_of_arrival() {
        let people = [Person { hand: Some(1), ..person(2) }, person(1)];
        let jobs = ClassWork { completed: 3, failed: 1, pending: 2, ..work(2, 0, 0) };
        let rows = board(&people, &[jobs]);
        let expected = "\
participant,jobs_submitted,completed,failed,cancelled,running,pending,commands
p1,0,0,0,0,0,0,0
p2,6,3,1,0,0,2,9
";
        assert_eq!(csv(&rows, false), expected);
        assert_eq!(csv(&rows, true), expected.replace("\np", "\nparticipant-"));
        let lesson = Some(ClassStep { passed: 1, total: 3, points: 0, seconds: 70, failures: 2 });
        let rows = board(&people, &[ClassWork { lesson, ..work(2, 0, 0) }]);
        let expected = "\
participant,jobs_submitted,completed,failed,cancelled,running,pending,commands,steps_done,steps,points,seconds_on_step,failures_on_step
p1,0,0,0,0,0,0,0,0,0,0,0,0
p2,0,0,0,0,0,0,9,1,3,0,70,2
";
        assert_eq!(csv(&rows, false), expected);
    }

    #[test]
    fn a_page_has_the_same_rows_and_escapes_its_texts() {
        let people = [Person { name: "a<b".into(), ..person(2) }, person(1)];
        let words = ResultWords {
            language: "en",
            title: "hpc1 & more",
            about: "\"done\"",
            participant: "Participant",
            columns: ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"],
        };
        let rows = board(&people, &[ClassWork { completed: 3, ..work(2, 0, 0) }]);
        let text = page(&rows, false, &words);
        assert!(text.contains("<h1>hpc1 &amp; more</h1>\n<p>&quot;done&quot;</p>"), "{text}");
        let line = "<th scope=\"row\">a&lt;b</th><td>3</td><td>3</td><td>0</td><td>0</td><td>0</td><td>0</td><td>9</td></tr>";
        assert!(text.contains(line) && text.find("p1") < text.find("a&lt;b"), "{text}");
        assert!(!text.contains("<th scope=\"col\">H</th>"), "there is no lesson");
        let lesson = Some(ClassStep { passed: 1, total: 3, points: 0, seconds: 70, failures: 2 });
        let rows = board(&people, &[ClassWork { lesson, ..work(2, 0, 0) }]);
        let text = page(&rows, true, &words);
        assert!(
            text.contains("<th scope=\"col\">L</th>") && text.contains("<td>70</td><td>2</td></tr>"),
            "{text}"
        );
        assert!(text.contains("participant-2") && !text.contains("a&lt;b"), "{text}");
    }
}
