//! `sandbatch lesson check`: plays the solutions contained in lessons.

use super::site::{self, Site};
use super::{findings, input, out};
use engine::session::lesson::{Lesson, MAX_FILE, try_out};
use std::path::{Path, PathBuf};

/// Plays each lesson and reports its problems. The exit code is 1 if there are any, 2 if a file cannot be read.
///
/// # Errors
/// Standard output cannot be written.
pub fn check(files: &[PathBuf], short: bool) -> Result<u8, String> {
    let mut failed = 0;
    for file in files {
        match one(file, short)? {
            Ok(true) => {}
            Ok(false) => failed = failed.max(1),
            Err(why) => {
                out::tell(&format!("sandbatch: {}: {}\n", findings::plain(&file.display().to_string()), why));
                failed = 2;
            }
        }
    }
    Ok(failed)
}

/// Prints the progress of a lesson's trial and its problems. Returns whether there are none, or why the lesson cannot be
/// tried.
fn one(file: &Path, short: bool) -> Result<Result<bool, String>, String> {
    let name = file.display().to_string();
    let text = match input::text(file, MAX_FILE as u64) {
        Ok(text) => text,
        Err(why) => return Ok(Err(why)),
    };
    let (lesson, mut findings) = Lesson::read(&name, &text);
    if !lesson.steps.is_empty() {
        let files = match site::load(&Site::BuiltIn(lesson.site.clone())) {
            Ok((_, files)) => files,
            Err(why) => return Ok(Err(why)),
        };
        let trial = try_out(&lesson, &files);
        let (passed, steps) = (trial.passed, lesson.steps.len());
        let score = match lesson.most() {
            0 => String::new(),
            most => format!(", {} of {most} points", trial.points.iter().sum::<u32>()),
        };
        let seconds = trial.seconds;
        out::print(&format!("{name}: {passed} of {steps} steps, {seconds} s of virtual time{score}\n"))?;
        if !trial.findings.is_empty() {
            out::tell(&trial.screen);
        }
        findings.extend(trial.findings);
    }
    findings::print(&findings, findings::of_file(&name, &text), short)?;
    Ok(Ok(findings.is_empty()))
}
