//! `sandbatch lesson check`: plays the solutions contained in lessons.

use super::out;
use super::site::{self, Site};
use engine::session::lesson::{Lesson, MAX_FILE, try_out};
use std::path::{Path, PathBuf};

/// Plays each lesson and reports its problems. The exit code is 1 if there are any.
///
/// # Errors
/// Standard output cannot be written.
pub fn check(files: &[PathBuf]) -> Result<u8, String> {
    let mut failed = 0;
    for file in files {
        let findings = one(file)?;
        for finding in &findings {
            out::print(&format!("{finding}\n"))?;
        }
        failed |= u8::from(!findings.is_empty());
    }
    Ok(failed)
}

/// The problems of one lesson. Prints the progress of its trial.
fn one(file: &Path) -> Result<Vec<String>, String> {
    let name = file.display().to_string();
    let text = match std::fs::metadata(file).map(|meta| meta.len()) {
        Ok(bytes) if bytes > MAX_FILE as u64 => {
            return Ok(vec![format!("{name}: larger than {MAX_FILE} bytes")]);
        }
        Ok(_) => std::fs::read(file),
        Err(error) => Err(error),
    };
    let text = match text {
        Ok(text) => text,
        Err(error) => return Ok(vec![format!("{name}: {error}")]),
    };
    let (lesson, mut findings) = Lesson::read(&name, &String::from_utf8_lossy(&text));
    if !lesson.steps.is_empty() {
        let files = match site::load(&Site::BuiltIn(lesson.site.clone())) {
            Ok((_, files)) => files,
            Err(why) => return Ok(vec![format!("{name}: {why}")]),
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
    Ok(findings.iter().map(ToString::to_string).collect())
}
