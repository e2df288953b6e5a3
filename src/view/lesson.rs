//! What the page derives from a lesson: how long a step waits, and which lesson follows.

/// The first wait in a step's solution, in seconds: a line such as `sleep 70` or `sleep 10m`.
#[must_use]
pub fn wait(solution: &[String]) -> Option<i64> {
    solution.iter().find_map(|line| {
        let span = line.trim().strip_prefix("sleep ")?.trim();
        let (number, unit) =
            span.split_at_checked(span.find(|c: char| !c.is_ascii_digit()).unwrap_or(span.len()))?;
        let unit = match unit {
            "" | "s" => 1,
            "m" => 60,
            "h" => 3600,
            "d" => 86_400,
            _ => return None,
        };
        number.parse::<i64>().ok()?.checked_mul(unit).filter(|seconds| *seconds > 0)
    })
}

/// The lesson of a course to go on with: the first that is not done, from the one after the last that is. `done` has an
/// entry for each lesson.
#[must_use]
pub fn following(done: &[bool]) -> Option<usize> {
    let after = done.iter().rposition(|done| *done).map_or(0, |last| last + 1);
    (after..done.len()).chain(0..after).find(|at| done.get(*at) == Some(&false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_waits_as_long_as_its_solution_sleeps() {
        let wait = |lines: &[&str]| wait(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>());
        assert_eq!(wait(&["squeue --me", "sleep 70", "sleep 5"]), Some(70));
        assert_eq!(wait(&["sleep 10m"]), Some(600));
        assert_eq!(wait(&["sleep 1h"]), Some(3600));
        for none in
            ["sbatch --wrap 'sleep 70'", "sleep $((2 * 3))", "sleep 0", "sleep", "sleep 99999999999999999d"]
        {
            assert_eq!(wait(&[none]), None, "{none}");
        }
    }

    #[test]
    fn a_course_goes_on_after_the_last_lesson_that_is_done() {
        assert_eq!(following(&[false, false]), Some(0));
        assert_eq!(following(&[true, false, false]), Some(1));
        assert_eq!(following(&[true, false, true, false]), Some(3));
        assert_eq!(following(&[false, true]), Some(0));
        assert_eq!(following(&[true, true]), None);
    }
}
