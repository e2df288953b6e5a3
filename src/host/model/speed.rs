//! Speed-up of parallel work: Amdahl's law or a table. Integer arithmetic in thousandths.

use serde::{Deserialize, Serialize};

/// The resource over which work is distributed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Over {
    /// All threads of all tasks.
    #[default]
    Cpus,
    /// Tasks.
    Tasks,
    /// Threads of a task.
    Threads,
    /// Nodes.
    Nodes,
    /// GPUs of all tasks.
    Gpus,
}

impl Over {
    /// Parses `cpus`, `tasks`, `threads`, `nodes`, `gpus`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "cpus" => Self::Cpus,
            "tasks" => Self::Tasks,
            "threads" => Self::Threads,
            "nodes" => Self::Nodes,
            "gpus" => Self::Gpus,
            _ => return None,
        })
    }
}

/// The speed-up model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SpeedUp {
    /// Amdahl's law with this serial fraction in millionths.
    Amdahl(u32),
    /// Measured points (units, speed-up in thousandths): linear between points, constant after the last.
    Table(Vec<(u32, u32)>),
}

impl SpeedUp {
    /// Parses `1:1,2:1.9,4:3.5`.
    #[must_use]
    pub fn table(text: &str) -> Option<Self> {
        let mut points = Vec::new();
        for point in text.split(',') {
            let (units, factor) = point.split_once(':')?;
            let factor: f64 = factor.parse().ok()?;
            if !(factor > 0.0 && factor < 1e6) {
                return None;
            }
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within bounds")]
            points.push((units.parse().ok().filter(|n| *n > 0)?, ((factor * 1000.0) as u32).max(1)));
        }
        points.windows(2).all(|w| w[0].0 < w[1].0).then_some(Self::Table(points))
    }

    /// The speed-up of `units` over one, in thousandths.
    #[must_use]
    pub fn of(&self, units: u32) -> u64 {
        let units = u64::from(units.max(1));
        match self {
            Self::Amdahl(serial) => {
                let serial = u64::from((*serial).min(1_000_000));
                (1_000_000_000 * units / (serial * units + (1_000_000 - serial)).max(1)).max(1)
            }
            Self::Table(points) => {
                let after = points.iter().find(|p| u64::from(p.0) >= units);
                let before = points.iter().rev().find(|p| u64::from(p.0) <= units);
                match (before, after) {
                    (Some(a), Some(b)) if a.0 < b.0 => {
                        let part = units - u64::from(a.0);
                        let rise = i64::from(b.1) - i64::from(a.1);
                        let more = rise * i64::try_from(part).unwrap_or(0) / i64::from(b.0 - a.0);
                        u64::from(a.1).saturating_add_signed(more).max(1)
                    }
                    (Some(p), _) | (None, Some(p)) => u64::from(p.1),
                    (None, None) => 1000,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_up_laws() {
        let amdahl = SpeedUp::Amdahl(50_000);
        assert_eq!([1, 2, 20].map(|n| amdahl.of(n)), [1000, 1904, 10_256]);
        assert_eq!(SpeedUp::Amdahl(0).of(64), 64_000);
        let table = SpeedUp::table("1:1,2:1.9,4:3.5").unwrap();
        assert_eq!([1, 2, 3, 4, 64].map(|n| table.of(n)), [1000, 1900, 2700, 3500, 3500]);
        assert_eq!(
            (SpeedUp::table("2:1,1:1"), SpeedUp::table("x"), SpeedUp::table("1:0")),
            (None, None, None)
        );
    }
}
