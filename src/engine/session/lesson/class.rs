//! A lesson that a class does: each participant does its steps as their own user, on one cluster.

use super::check::{Claim, Operand, Subject};
use super::{Lesson, Preparation, first_user};
use crate::world::World;
use protocol::class::{ClassLesson, LessonDeed};
use protocol::{LessonFile, MarkdownElement};

/// Reads the lesson of a class on a site, whose first user is `first`.
///
/// # Errors
/// The file has errors, or it is for another site: a sentence.
pub fn class_lesson(file: &LessonFile, site: &str, first: &str) -> Result<ClassLesson, String> {
    let (lesson, findings) = Lesson::read(&file.name, &file.text);
    if lesson.steps.is_empty() {
        return Err(findings.first().map_or_else(String::new, ToString::to_string));
    }
    if lesson.site != site {
        return Err(format!("This lesson is for the site {}, and this class has {site}.", lesson.site));
    }
    Ok(ClassLesson { name: file.name.clone(), text: file.text.clone(), deeds: lesson.class_deeds(first) })
}

impl Lesson {
    /// What prepares a class's cluster, once or for each participant. What the lesson's user does, each participant does.
    #[must_use]
    fn class_deeds(&self, first: &str) -> Vec<LessonDeed> {
        let own = self.user_or(first);
        let deed = |deed: &Preparation| match deed {
            Preparation::Run { user, command } if user.is_empty() || *user == own => {
                LessonDeed::Each(command.clone())
            }
            Preparation::Run { user, command } => {
                LessonDeed::Once { user: user.clone(), command: command.clone() }
            }
            Preparation::Save { path, text } => LessonDeed::File { path: path.clone(), text: text.clone() },
        };
        self.begin.iter().map(deed).collect()
    }

    /// The lesson for a participant of a class: checks, texts and solutions name this user in place of the lesson's.
    #[must_use]
    pub fn for_participant(&self, user: &str, world: &World) -> Self {
        let old = self.user_or(first_user(world));
        let name = UserName { old: &old, new: user };
        let mut lesson = self.clone();
        user.clone_into(&mut lesson.user);
        name.in_texts(&mut lesson.intro);
        lesson.score.iter_mut().for_each(|award| name.in_claim(award.claim_mut()));
        for step in &mut lesson.steps {
            step.title = name.replaced(&step.title);
            name.in_texts(&mut step.text);
            step.hints.iter_mut().for_each(|hint| name.in_texts(hint));
            step.check.iter_mut().for_each(|claim| name.in_claim(claim));
            step.solution.iter_mut().for_each(|line| *line = name.replaced(line));
        }
        lesson
    }
}

/// A login name in place of another.
struct UserName<'a> {
    old: &'a str,
    new: &'a str,
}

impl UserName<'_> {
    /// The text with the name where it is a word of its own.
    fn replaced(&self, text: &str) -> String {
        let letter = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let (mut out, mut rest) = (String::with_capacity(text.len()), text);
        while let Some(at) = rest.find(self.old) {
            let (before, after) = (&rest[..at], &rest[at + self.old.len()..]);
            let inside = before.chars().next_back().or(out.chars().next_back()).is_some_and(letter)
                || after.chars().next().is_some_and(letter);
            out.push_str(before);
            out.push_str(if inside { self.old } else { self.new });
            rest = after;
        }
        out.push_str(rest);
        out
    }

    fn in_texts(&self, elements: &mut [MarkdownElement]) {
        for element in elements {
            element.text = self.replaced(&element.text);
            self.in_texts(&mut element.inside);
        }
    }

    /// Conditions on a user, on the text of a file, and paths of files name the participant. Other values, such as accounts, stay.
    fn in_claim(&self, claim: &mut Claim) {
        if let Subject::File(path) = &mut claim.subject {
            *path = self.replaced(path);
        }
        for term in claim.terms.iter_mut().filter(|term| ["user", "text"].contains(&term.field.name)) {
            for value in &mut term.values {
                if let Operand::Word(word) = value {
                    *word = self.replaced(word);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_replaced_where_it_is_a_word() {
        let name = UserName { old: "alice", new: "zoe" };
        let text = "alice: squeue -u alice; cat /home/alice/x malice alice2 (alice) alicealice";
        let expected = "zoe: squeue -u zoe; cat /home/zoe/x malice alice2 (zoe) alicealice";
        assert_eq!(name.replaced(text), expected);
    }

    /// Lesson 22 asks for the user's name in files: in a class, for the participant's.
    #[test]
    fn the_lesson_for_classes_asks_for_the_participant() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/lessons/en/22-thirty-people.md");
        let text = std::fs::read_to_string(path).expect("the lesson");
        let (lesson, findings) = Lesson::read("22", &text);
        assert!(findings.is_empty(), "{findings:?}");
        let files = config::sites::built_in("lab").expect("a site");
        let (world, _) = World::new("lab", &files, 1, base::time::Time::from_secs(1_772_442_000));
        let own = lesson.for_participant("zoe", &world);
        let claims = format!("{:?}", own.steps.iter().map(|step| &step.check).collect::<Vec<_>>());
        assert!(!claims.contains("alice"), "{claims}");
        assert!(claims.matches("zoe").count() >= 7 && claims.contains("bob"), "{claims}");
    }
}
