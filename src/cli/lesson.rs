//! `sandbatch lesson check`: plays the solutions contained in lessons.

use super::site::{self, Site};
use super::{findings, out};
use engine::session::lesson::{Lesson, MAX_FILE, try_out};
use std::path::{Path, PathBuf};

/// Plays each lesson and reports its problems. The exit code is 1 if there are any.
///
/// # Errors
/// Standard output cannot be written.
pub fn check(files: &[PathBuf], short: bool) -> Result<u8, String> {
    let mut failed = 0;
    for file in files {
        failed |= u8::from(!one(file, short)?);
    }
    Ok(failed)
}

/// Prints the progress of a lesson's trial and its problems. Returns whether there are none.
fn one(file: &Path, short: bool) -> Result<bool, String> {
    let name = file.display().to_string();
    let text = match std::fs::metadata(file).map(|meta| meta.len()) {
        Ok(bytes) if bytes > MAX_FILE as u64 => {
            return out::print(&format!("{name}: larger than {MAX_FILE} bytes\n")).map(|()| false);
        }
        Ok(_) => std::fs::read(file),
        Err(error) => Err(error),
    };
    let text = match text {
        Ok(text) => text,
        Err(error) => return out::print(&format!("{name}: {error}\n")).map(|()| false),
    };
    let text = String::from_utf8_lossy(&text);
    let (lesson, mut findings) = Lesson::read(&name, &text);
    if !lesson.steps.is_empty() {
        let files = match site::load(&Site::BuiltIn(lesson.site.clone())) {
            Ok((_, files)) => files,
            Err(why) => return out::print(&format!("{name}: {why}\n")).map(|()| false),
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
    Ok(findings.is_empty())
}
