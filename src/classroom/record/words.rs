//! How the file of a class stores a record: the name of its kind, and named fields.
//!
//! Neither the order of the variants of [`Record`] nor that of their fields matters, and both may be renamed in the
//! program. The words here never change (`docs/formats.md`). A later version may add kinds and fields: a reader ignores
//! fields that it does not know, and refuses a kind that it does not know.

use super::Record;
use crate::{AccountPlan, ClassDescription, Secret};
use protocol::Pace;
use protocol::class::{ClassAction, ClassEntry, ClassLesson, LessonDeed};

/// Maximum number of fields that are read: a site's users, and the others.
const MAX_FIELDS: usize = 2_100;

/// A field's name and its value: text and bytes as they are, numbers in decimal.
type RecordField<N> = (N, Vec<u8>);

/// The kind and the fields of a record.
pub(super) fn to_words(record: &Record) -> (&'static str, Vec<RecordField<&'static str>>) {
    match record {
        Record::Class { class, learner, teacher } => {
            let ClassDescription { name, site, seed, background, start, plan, people, taken } = &**class;
            let plan = match plan {
                AccountPlan::Each => "each".to_owned(),
                AccountPlan::Together => "together".to_owned(),
                AccountPlan::Groups(groups) => format!("groups {groups}"),
            };
            let mut fields = vec![
                ("name", text(name)),
                ("site", text(site)),
                ("seed", number(*seed)),
                ("background", text(background)),
                ("start", number(*start)),
                ("accounts", text(&plan)),
                ("people", number(*people)),
                ("learner", text(&learner.text())),
                ("teacher", text(&teacher.text())),
            ];
            fields.extend(taken.iter().map(|user| ("taken", text(user))));
            ("class", fields)
        }
        Record::Seated { name, teacher, key } => {
            let role = if *teacher { "teacher" } else { "learner" };
            ("seat", vec![("name", text(name)), ("role", text(role)), ("key", text(&key.text()))])
        }
        Record::Freed(seat) => ("free", vec![("seat", number(*seat))]),
        Record::Taken { seat, key } => ("take", vec![("seat", number(*seat)), ("key", text(&key.text()))]),
        Record::Lesson(lesson) => ("lesson", lesson_words(lesson.as_deref())),
        Record::Entered(ClassEntry { number: position, time, seat, token, action }) => {
            let mut fields = vec![
                ("number", number(*position)),
                ("time", number(*time)),
                ("seat", number(*seat)),
                ("token", number(*token)),
            ];
            let (name, more) = action_words(action);
            fields.push(("action", text(name)));
            fields.extend(more);
            ("input", fields)
        }
        Record::Paced(pace, at) => {
            let pace = match pace {
                Pace::Paused => "paused".to_owned(),
                Pace::Times(times) => times.to_string(),
            };
            ("pace", vec![("pace", text(&pace)), ("time", number(*at))])
        }
        Record::Skipped(until) => ("skip", vec![("time", number(*until))]),
        Record::Reserved(until) => ("time", vec![("time", number(*until))]),
    }
}

fn text(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fn number(number: impl ToString) -> Vec<u8> {
    number.to_string().into_bytes()
}

/// The name and the fields of an action.
fn action_words(action: &ClassAction) -> (&'static str, Vec<RecordField<&'static str>>) {
    match action {
        ClassAction::Enrol(user) => ("enrol", vec![("user", text(user))]),
        ClassAction::Administer(command) => ("run", vec![("command", text(command))]),
        ClassAction::Login { user, columns, rows } => {
            ("login", vec![("user", text(user)), ("columns", number(columns)), ("rows", number(rows))])
        }
        ClassAction::Logout(terminal) => ("logout", vec![("terminal", number(terminal))]),
        ClassAction::Type(terminal, bytes) => {
            ("type", vec![("terminal", number(terminal)), ("bytes", bytes.clone())])
        }
        ClassAction::Resize(terminal, columns, rows) => (
            "resize",
            vec![("terminal", number(terminal)), ("columns", number(columns)), ("rows", number(rows))],
        ),
        ClassAction::Save { user, path, text: data } => {
            ("save", vec![("user", text(user)), ("path", text(path)), ("data", text(data))])
        }
        ClassAction::Announce(message) => ("announce", vec![("text", text(message))]),
        ClassAction::Prepare { user, command } => {
            ("prepare", vec![("user", text(user)), ("command", text(command))])
        }
        ClassAction::Help { seat, terminal, bytes } => {
            ("help", vec![("of", number(seat)), ("terminal", number(terminal)), ("bytes", bytes.clone())])
        }
    }
}

/// The fields of a lesson. Its preparation is a field for each part, in order.
fn lesson_words(lesson: Option<&ClassLesson>) -> Vec<RecordField<&'static str>> {
    let Some(lesson) = lesson else { return vec![("set", text("no"))] };
    let deed = |deed: &LessonDeed| match deed {
        LessonDeed::Once { user, command } => ("once", text(&format!("{user}\n{command}"))),
        LessonDeed::Each(command) => ("each", text(command)),
        LessonDeed::File { path, text: data } => ("file", text(&format!("{path}\n{data}"))),
    };
    let first = [("set", text("yes")), ("name", text(&lesson.name)), ("text", text(&lesson.text))];
    first.into_iter().chain(lesson.deeds.iter().map(deed)).collect()
}

/// The fields of a record that is read.
struct RecordFields<'a>(&'a [RecordField<String>]);

impl RecordFields<'_> {
    fn bytes(&self, name: &str) -> Option<&[u8]> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_slice())
    }

    fn text(&self, name: &str) -> Option<String> {
        Some(std::str::from_utf8(self.bytes(name)?).ok()?.to_owned())
    }

    fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        std::str::from_utf8(self.bytes(name)?).ok()?.parse().ok()
    }

    fn secret(&self, name: &str) -> Option<Secret> {
        Secret::parse(&self.text(name)?)
    }

    /// One of two words.
    fn is(&self, name: &str, yes: &str, no: &str) -> Option<bool> {
        match self.text(name)? {
            word if word == yes => Some(true),
            word if word == no => Some(false),
            _ => None,
        }
    }

    fn action(&self) -> Option<ClassAction> {
        Some(match self.text("action")?.as_str() {
            "enrol" => ClassAction::Enrol(self.text("user")?),
            "run" => ClassAction::Administer(self.text("command")?),
            "login" => ClassAction::Login {
                user: self.text("user")?,
                columns: self.number("columns")?,
                rows: self.number("rows")?,
            },
            "logout" => ClassAction::Logout(self.number("terminal")?),
            "type" => ClassAction::Type(self.number("terminal")?, self.bytes("bytes")?.to_vec()),
            "resize" => {
                ClassAction::Resize(self.number("terminal")?, self.number("columns")?, self.number("rows")?)
            }
            "save" => ClassAction::Save {
                user: self.text("user")?,
                path: self.text("path")?,
                text: self.text("data")?,
            },
            "announce" => ClassAction::Announce(self.text("text")?),
            "help" => ClassAction::Help {
                seat: self.number("of")?,
                terminal: self.number("terminal")?,
                bytes: self.bytes("bytes")?.to_vec(),
            },
            "prepare" => ClassAction::Prepare { user: self.text("user")?, command: self.text("command")? },
            _ => return None,
        })
    }

    fn lesson(&self) -> Option<ClassLesson> {
        let mut deeds = Vec::new();
        for (field, value) in self.0 {
            let value = || String::from_utf8(value.clone()).ok();
            let two = || value()?.split_once('\n').map(|(one, other)| (one.to_owned(), other.to_owned()));
            deeds.push(match field.as_str() {
                "once" => two().map(|(user, command)| LessonDeed::Once { user, command })?,
                "each" => LessonDeed::Each(value()?),
                "file" => two().map(|(path, text)| LessonDeed::File { path, text })?,
                _ => continue,
            });
        }
        Some(ClassLesson { name: self.text("name")?, text: self.text("text")?, deeds })
    }

    fn class(&self) -> Option<ClassDescription> {
        let accounts = self.text("accounts")?;
        let taken = self.0.iter().filter(|(field, _)| field == "taken");
        let taken = taken.map(|(_, user)| String::from_utf8(user.clone()).ok());
        Some(ClassDescription {
            name: self.text("name")?,
            site: self.text("site")?,
            seed: self.number("seed")?,
            background: self.text("background")?,
            start: self.number("start")?,
            plan: match (accounts.as_str(), accounts.strip_prefix("groups ")) {
                ("each", _) => AccountPlan::Each,
                ("together", _) => AccountPlan::Together,
                (_, Some(groups)) => AccountPlan::Groups(groups.parse().ok()?),
                (_, None) => return None,
            },
            people: self.number("people")?,
            taken: taken.collect::<Option<_>>()?,
        })
    }
}

/// The record of these words.
pub(super) fn from_words(kind: &str, fields: &[RecordField<String>]) -> Option<Record> {
    if fields.len() > MAX_FIELDS {
        return None;
    }
    let fields = RecordFields(fields);
    Some(match kind {
        "class" => Record::Class {
            class: Box::new(fields.class()?),
            learner: fields.secret("learner")?,
            teacher: fields.secret("teacher")?,
        },
        "seat" => Record::Seated {
            name: fields.text("name")?,
            teacher: fields.is("role", "teacher", "learner")?,
            key: fields.secret("key")?,
        },
        "free" => Record::Freed(fields.number("seat")?),
        "lesson" if fields.is("set", "yes", "no")? => Record::Lesson(Some(Box::new(fields.lesson()?))),
        "lesson" => Record::Lesson(None),
        "take" => Record::Taken { seat: fields.number("seat")?, key: fields.secret("key")? },
        "input" => Record::Entered(ClassEntry {
            number: fields.number("number")?,
            time: fields.number("time")?,
            seat: fields.number("seat")?,
            token: fields.number("token")?,
            action: fields.action()?,
        }),
        "pace" => {
            let pace = match fields.text("pace")?.as_str() {
                "paused" => Pace::Paused,
                times => Pace::Times(times.parse().ok()?),
            };
            Record::Paced(pace, fields.number("time")?)
        }
        "skip" => Record::Skipped(fields.number("time")?),
        "time" => Record::Reserved(fields.number("time")?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Record> {
        let key = Secret::new([7; 16]);
        let class = |plan| ClassDescription {
            name: "été".to_owned(),
            site: "lab".to_owned(),
            seed: u64::MAX,
            background: "off".to_owned(),
            start: -5,
            plan,
            people: 30,
            taken: vec!["alice".to_owned(), "bob".to_owned()],
        };
        let actions = [
            ClassAction::Enrol("zoé".to_owned()),
            ClassAction::Administer("scontrol ping".to_owned()),
            ClassAction::Login { user: "zoe".to_owned(), columns: 0, rows: u16::MAX },
            ClassAction::Logout(u32::MAX),
            ClassAction::Type(1, vec![0xff, 0, b'\n']),
            ClassAction::Resize(1, 2, 3),
            ClassAction::Save { user: "a".to_owned(), path: "/é".to_owned(), text: "x\n".to_owned() },
            ClassAction::Announce(String::new()),
            ClassAction::Help { seat: 3, terminal: 1, bytes: vec![3] },
            ClassAction::Prepare { user: "bob".to_owned(), command: "sbatch x\nsbatch y".to_owned() },
        ];
        let lesson = ClassLesson {
            name: "en/01".to_owned(),
            text: "# é\n".to_owned(),
            deeds: vec![
                LessonDeed::Once { user: "bob".to_owned(), command: "sbatch x\nsbatch y".to_owned() },
                LessonDeed::Each(String::new()),
                LessonDeed::File { path: "~/é".to_owned(), text: "x\n".to_owned() },
                LessonDeed::Each("true".to_owned()),
            ],
        };
        let entry = |action| Record::Entered(ClassEntry { number: 1, time: -1, seat: 2, token: 3, action });
        let plans = [AccountPlan::Each, AccountPlan::Together, AccountPlan::Groups(4)];
        let classes =
            plans.map(|plan| Record::Class { class: Box::new(class(plan)), learner: key, teacher: key });
        let others = [
            Record::Seated { name: "zoe".to_owned(), teacher: true, key },
            Record::Seated { name: "zoe".to_owned(), teacher: false, key },
            Record::Freed(u32::MAX),
            Record::Lesson(None),
            Record::Lesson(Some(Box::new(lesson))),
            Record::Taken { seat: 1, key },
            Record::Paced(Pace::Paused, i64::MAX),
            Record::Paced(Pace::Times(60), 0),
            Record::Skipped(i64::MIN),
            Record::Reserved(1),
        ];
        classes.into_iter().chain(others).chain(actions.map(entry)).collect()
    }

    fn owned((kind, fields): (&str, Vec<RecordField<&str>>)) -> (String, Vec<RecordField<String>>) {
        (kind.to_owned(), fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    #[test]
    fn every_record_comes_back() {
        for record in all() {
            let (kind, fields) = owned(to_words(&record));
            assert_eq!(from_words(&kind, &fields), Some(record));
        }
    }

    #[test]
    fn fields_may_be_added_and_moved_but_not_missing() {
        for record in all() {
            let (kind, mut fields) = owned(to_words(&record));
            fields.push(("later".to_owned(), vec![1]));
            fields.rotate_right(1);
            assert_eq!(from_words(&kind, &fields), Some(record.clone()));
            let first = fields.remove(1).0;
            // One user less is a valid list.
            if first != "taken" {
                assert_eq!(from_words(&kind, &fields), None, "{record:?} without {first}");
            }
        }
        assert_eq!(from_words("teleport", &[]), None);
        let many = vec![("x".to_owned(), Vec::new()); MAX_FIELDS + 1];
        assert_eq!(from_words("time", &many), None);
    }
}
