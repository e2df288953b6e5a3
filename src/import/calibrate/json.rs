//! A calibration as JSON.

use super::Calibration;
use super::figures::{CalibrationRow, WaitFigures};
use serde_json::{Value, json};

impl Calibration {
    /// Everything but the single jobs, which are in the CSV.
    #[must_use]
    pub fn json(&self) -> String {
        let rows = |rows: &[CalibrationRow]| rows.iter().map(row).collect::<Vec<Value>>();
        let out = self.left_out;
        let utilisation: Vec<Value> = (self.utilisation.iter())
            .map(|s| json!({"from": s.from, "recorded": s.recorded, "simulated": s.simulated}))
            .collect();
        let unexplained: Vec<Value> = (self.unexplained.iter())
            .map(|g| {
                json!({
                    "cause": g.cause.text(), "jobs": g.jobs, "seconds": g.seconds, "first": g.first, "message": g.message,
                })
            })
            .collect();
        let all = json!({
            "sentence": self.sentence,
            "left_out": {
                "warm_up": out.warm_up, "cancelled": out.cancelled, "undated": out.undated, "pending": out.pending,
                "unreadable": out.unreadable, "refused": out.refused, "never_started": out.never,
            },
            "all": row(&self.all),
            "partitions": rows(&self.partitions),
            "sizes": rows(&self.sizes),
            "users": rows(&self.users),
            "hours": rows(&self.hours),
            "same_order": self.order,
            "utilisation": utilisation,
            "unexplained": unexplained,
        });
        format!("{all:#}\n")
    }
}

fn row(row: &CalibrationRow) -> Value {
    let error = Some(row.error()).filter(|e| e.is_finite());
    json!({
        "name": row.name, "jobs": row.jobs, "error": error,
        "recorded": waits(&row.recorded), "simulated": waits(&row.simulated),
    })
}

fn waits(figures: &WaitFigures) -> Value {
    let [p25, p50, p75, p90, p99] = figures.quantiles;
    json!({
        "mean": figures.mean, "p25": p25, "p50": p50, "p75": p75, "p90": p90, "p99": p99,
        "longest": figures.longest, "ecdf": figures.ecdf,
    })
}
