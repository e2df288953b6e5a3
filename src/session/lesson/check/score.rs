//! Points for how well something was done, as the simulation shows it.
//!
//! ```text
//! 40: an array: user = alice, tasks = 200, completed = tasks
//! 60 for end from 16:00 to 14:00: an array: user = alice, completed = tasks
//! ```
//!
//! All points while a claim holds; or, where a field is named, as many as its value has gone of the way from the worst to
//! the best (of several things the best one's counts).

use super::look::Look;
use super::parse::{find, joined, literal, wanted};
use super::table::Field;
use super::{Claim, Kind, Operand, Value, parse::claim};
use crate::base::time::Time;
use crate::world::World;

/// Lines of one score.
const MAX_AWARDS: usize = 20;
/// Points of one line.
const MAX_POINTS: u32 = 10_000;

/// A line of a score.
#[derive(Clone, Debug)]
pub struct Award {
    /// Its line in the file.
    pub line: u32,
    pub points: u32,
    slide: Option<Slide>,
    claim: Claim,
}

/// Points that depend on a value: none at the worst, all at the best.
#[derive(Clone, Debug)]
struct Slide {
    field: &'static Field,
    worst: i64,
    best: i64,
}

/// The awards of these lines.
///
/// # Errors
/// The line that cannot be read, and why.
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
        Ok(_) | Err(_) => Err(format!("`{text}` is no number of points from 1 to {MAX_POINTS}; {shape}")),
    };
    match words.as_slice() {
        [n] => Ok(Award { line, points: points(n)?, slide: None, claim }),
        [n, "for", name, "from", worst, "to", best] => {
            let field = find(name, &claim.subject)?;
            let number = |text: &str| match literal(text, field.kind, start) {
                Some(Operand::Number(n)) if !matches!(field.kind, Kind::Word | Kind::Flag) => Ok(n),
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

/// The points that a world is worth, award by award.
#[must_use]
pub fn points(world: &World, awards: &[Award], home: &str) -> Vec<u32> {
    let look = Look::new(world, awards.iter().map(|award| &award.claim), home);
    let of = |award: &Award| {
        let Some(things) = look.found(&award.claim) else { return 0 };
        let Some(slide) = &award.slide else { return award.points };
        let each = things.iter().filter_map(|thing| match (slide.field.read)(world, thing) {
            Some(Value::Number(n)) => Some(share(award.points, slide, n)),
            Some(Value::Word(_)) | None => None,
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
