//! Job colours: hue from the user, lightness from the job, so that each user's share is visible at a glance.

/// Ten hues with chroma in hundredths and lightness offset in thousandths (OKLCH). The order is distinguishable for
/// colour-blind users: neighbours also differ in lightness.
const HUES: [(u16, i32, i32); 10] = [
    (250, 13, 0),
    (65, 13, 36),
    (165, 11, 0),
    (345, 14, 18),
    (215, 10, 48),
    (100, 12, 60),
    (295, 14, -12),
    (30, 15, -12),
    (140, 13, 30),
    (275, 5, 12),
];

/// The colour of a job as CSS.
#[must_use]
pub fn job_colour(user: u32, job: u32, dark: bool) -> String {
    let (hue, chroma, lift) = HUES[user as usize % HUES.len()];
    // Four lightness steps tell a user's successive jobs apart.
    let step = [0, 70, -50, 35][job as usize % 4];
    let base = if dark { 660 } else { 630 };
    // Integers only: floating-point formatting would enlarge the page.
    format!("oklch(0.{:03} 0.{chroma:02} {hue})", base + lift + step)
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
    }
}
