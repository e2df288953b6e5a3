//! Job colours: hue from the user, lightness from the job, so that each user's share is visible at a glance.

/// Ten hues with chroma in hundredths and lightness offset in thousandths (OKLCH). Neighbours in this order lie far from each
/// other. Hues that are close differ in chroma: the last two are nearly grey.
const HUES: [(u16, i32, i32); 10] = [
    (255, 14, 0),
    (60, 14, 36),
    (155, 13, 0),
    (345, 16, 18),
    (205, 11, 52),
    (120, 14, 64),
    (295, 15, -12),
    (25, 16, -12),
    (80, 5, 60),
    (275, 3, 12),
];

/// The colour of a job as CSS.
#[must_use]
pub fn job_colour(user: u32, job: u32, dark: bool) -> String {
    colour(user, job, dark, 100)
}

/// A job's colour with little chroma, for jobs behind the user's own. Its lightness is the same, so texts on it stay readable.
#[must_use]
pub fn quiet_colour(user: u32, job: u32, dark: bool) -> String {
    colour(user, job, dark, 40)
}

/// A colour with so many percent of its chroma.
fn colour(user: u32, job: u32, dark: bool, percent: i32) -> String {
    let (hue, chroma, lift) = HUES[user as usize % HUES.len()];
    // Four lightness steps tell a user's successive jobs apart.
    let step = [0, 70, -50, 35][job as usize % 4];
    let base = if dark { 660 } else { 630 };
    // Integers only: floating-point formatting would enlarge the page.
    format!("oklch(0.{:03} 0.{:03} {hue})", base + lift + step, chroma * percent / 10)
}

/// The colour of a user as CSS, for legends and marks.
#[must_use]
pub fn user_colour(user: u32, dark: bool) -> String {
    job_colour(user, 0, dark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_and_successive_jobs_differ_in_colour() {
        let users: std::collections::BTreeSet<String> = (0..10).map(|u| user_colour(u, true)).collect();
        assert_eq!(users.len(), 10);
        assert_eq!(user_colour(3, false), user_colour(13, false));
        assert_ne!(job_colour(0, 1, false), job_colour(0, 2, false));
        assert_eq!(job_colour(0, 4, false), "oklch(0.630 0.140 255)");
        assert_eq!(quiet_colour(0, 4, false), "oklch(0.630 0.056 255)");
    }

    #[test]
    fn hues_are_far_apart() {
        let apart = |a: u16, b: u16| {
            (i32::from(a) - i32::from(b)).rem_euclid(360).min((i32::from(b) - i32::from(a)).rem_euclid(360))
        };
        for (i, a) in HUES.iter().enumerate() {
            for b in &HUES[i + 1..] {
                assert!(apart(a.0, b.0) >= 35 || (a.1 - b.1).abs() >= 8, "{a:?} {b:?}");
            }
        }
        // The first users, who have most of the jobs, are easiest to tell apart.
        for pair in HUES[..8].windows(2) {
            assert!(apart(pair[0].0, pair[1].0) >= 80, "{pair:?}");
        }
    }
}
