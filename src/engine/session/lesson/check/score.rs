//! Scores: points for the quality of a solution, measured in the simulation.
//!
//! ```text
//! 40: an array: user = alice, tasks = 200, completed = tasks
//! 60 for end from 16:00 to 14:00: an array: user = alice, completed = tasks
//! ```
//!
//! A claim that holds gives all its points. If a field is named, the points grow linearly from the worst value
//! to the best one; of several objects the best one counts.

use super::look::ClaimEvaluator;
use super::parse::{find, joined, literal, wanted};
use super::table::CheckField;
use super::{Claim, FieldValue, FieldValueKind, Operand, parse::claim};
use crate::world::World;
use base::time::Time;

/// Maximum number of lines of one score.
const MAX_AWARDS: usize = 20;
/// Maximum number of points of one line.
const MAX_POINTS: u32 = 10_000;

/// A line of a score.
#[derive(Clone, Debug)]
pub struct Award {
    /// Its line number in the file.
    pub line: u32,
    pub points: u32,
    slide: Option<Slide>,
    claim: Claim,
}

impl Award {
    /// The claim.
    pub const fn claim_mut(&mut self) -> &mut Claim {
        &mut self.claim
    }
}

/// Points that depend on a value: 0 at `worst`, all at `best`.
#[derive(Clone, Debug)]
struct Slide {
    field: &'static CheckField,
    worst: i64,
    best: i64,
}

/// Parses the lines of a score.
///
/// # Errors
/// The line that cannot be parsed, and the reason.
pub fn parse(lines: &[(u32, &str)], start: Time) -> Result<Vec<Award>, (u32, String)> {
    let mut awards = Vec::new();
    for (line, text) in joined(lines) {
        if awards.len() >= MAX_AWARDS {
            return Err((line, format!("a score has at most {MAX_AWARDS} lines")));
        }
        awards.push(award(line, &text, start).map_err(|why| (line, why))?);
    }
    Ok(awards)
}

fn award(line: u32, text: &str, start: Time) -> Result<Award, String> {
    let shape = "a line of a score is `POINTS: CLAIM` or `POINTS for FIELD from WORST to BEST: CLAIM`";
    let (head, rest) = text.split_once(": ").ok_or_else(|| shape.to_owned())?;
    let claim = claim(rest, start)?;
    let words: Vec<&str> = head.split_whitespace().collect();
    let points = |text: &str| match text.parse() {
        Ok(points) if (1..=MAX_POINTS).contains(&points) => Ok(points),
        Ok(_) | Err(_) => Err(format!("`{text}` is not a number of points from 1 to {MAX_POINTS}; {shape}")),
    };
    match words.as_slice() {
        [n] => Ok(Award { line, points: points(n)?, slide: None, claim }),
        [n, "for", name, "from", worst, "to", best] => {
            let field = find(name, &claim.subject)?;
            let number = |text: &str| match literal(text, field.kind, start) {
                Some(Operand::Number(n))
                    if !matches!(field.kind, FieldValueKind::Word | FieldValueKind::Flag) =>
                {
                    Ok(n)
                }
                Some(_) | None => Err(format!("`{text}`: {}", wanted(field))),
            };
            let (worst, best) = (number(worst)?, number(best)?);
            if worst == best {
                return Err(format!("the worst `{name}` and the best are the same"));
            }
            Ok(Award { line, points: points(n)?, slide: Some(Slide { field, worst, best }), claim })
        }
        _ => Err(shape.to_owned()),
    }
}

/// The points in the present state of a world, for each award.
#[must_use]
pub fn points(world: &World, awards: &[Award], home: &str) -> Vec<u32> {
    let look = ClaimEvaluator::new(world, awards.iter().map(|award| &award.claim), home);
    let of = |award: &Award| {
        let Some(things) = look.found(&award.claim) else { return 0 };
        let Some(slide) = &award.slide else { return award.points };
        let each = things.iter().filter_map(|thing| match (slide.field.read)(world, thing) {
            Some(FieldValue::Number(n)) => Some(share(award.points, slide, n)),
            Some(FieldValue::Word(_)) | None => None,
        });
        each.max().unwrap_or(0)
    };
    awards.iter().map(of).collect()
}

/// Whole points for a value, rounded down.
fn share(points: u32, slide: &Slide, value: i64) -> u32 {
    let (whole, gone) = (slide.best.saturating_sub(slide.worst), value.saturating_sub(slide.worst));
    let (whole, gone) =
        if whole < 0 { (whole.saturating_neg(), gone.saturating_neg()) } else { (whole, gone) };
    let part = i128::from(gone.clamp(0, whole)) * i128::from(points) / i128::from(whole.max(1));
    u32::try_from(part).unwrap_or(0)
}
