//! Colours of jobs: the hue comes from the user, the lightness from the job, so that "who fills what" is readable from
//! across the room.

/// Ten hues and chromas (OKLCH) in an order that colour-blind eyes can tell apart: neighbours differ in lightness too.
const HUES: [(u16, f32, f32); 10] = [
    (250, 0.13, 0.00),
    (65, 0.13, 0.06),
    (165, 0.11, 0.00),
    (345, 0.14, 0.03),
    (215, 0.10, 0.08),
    (100, 0.12, 0.10),
    (295, 0.14, -0.02),
    (30, 0.15, -0.02),
    (140, 0.13, 0.05),
    (275, 0.05, 0.02),
];

/// The colour of a job as CSS.
#[must_use]
pub fn job_colour(user: u32, job: u32, dark: bool) -> String {
    let (hue, chroma, lift) = HUES[user as usize % HUES.len()];
    // Successive jobs of a user are told apart by four steps of lightness.
    let step = [0.0, 0.07, -0.05, 0.035][job as usize % 4];
    let base = if dark { 0.66 } else { 0.63 };
    format!("oklch({:.3} {chroma:.2} {hue})", base + lift * 0.6 + step)
}

/// The colour of a user as CSS: that of their legend and marks.
#[must_use]
pub fn user_colour(user: u32, dark: bool) -> String {
    job_colour(user, 0, dark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_differ_and_so_do_successive_jobs() {
        let users: std::collections::BTreeSet<String> = (0..10).map(|u| user_colour(u, true)).collect();
        assert_eq!(users.len(), 10);
        assert_eq!(user_colour(3, false), user_colour(13, false));
        assert_ne!(job_colour(0, 1, false), job_colour(0, 2, false));
    }
}
