//! Priority formulas and the effect of other weights.

use super::cluster::Rect;
use super::css::tenths;
use super::fill::csv_line;
use super::svg::Svg;
use base::order::StableSort as _;
use protocol::{PriorityFactor, PriorityPicture, PriorityRow, Weight};
use std::cmp::Reverse;

/// The weight of a factor, if it has one of its own.
#[must_use]
pub fn weight_of(weights: &[Weight], part: &PriorityFactor) -> Option<f64> {
    let value = |key: &str| weights.iter().find(|w| w.key == key).map(|w| w.value.as_str());
    let number = |key: &str| value(key)?.parse::<f64>().ok();
    match part {
        PriorityFactor::Age => number("PriorityWeightAge"),
        PriorityFactor::Association => number("PriorityWeightAssoc"),
        PriorityFactor::FairShare => number("PriorityWeightFairshare"),
        PriorityFactor::JobSize => number("PriorityWeightJobSize"),
        PriorityFactor::Partition => number("PriorityWeightPartition"),
        PriorityFactor::Qos => number("PriorityWeightQOS"),
        PriorityFactor::Tres(name) => {
            let pairs = value("PriorityWeightTRES")?.split(',');
            let mut mine =
                pairs.filter_map(|p| p.split_once('=')).filter(|(n, _)| n.eq_ignore_ascii_case(name));
            mine.next()?.1.parse().ok()
        }
        PriorityFactor::Site | PriorityFactor::Nice => None,
    }
}

/// `1000 × 0.0210`, or the plain amount if it has no weight.
#[must_use]
pub fn term(weights: &[Weight], part: &PriorityFactor, adds: f64, point: &str) -> String {
    let text = match weight_of(weights, part).filter(|w| *w > 0.0) {
        Some(weight) => format!("{} × {}", plain(weight), fraction(adds / weight)),
        None if adds < 0.0 => format!("−{}", plain(-adds)),
        None => plain(adds),
    };
    text.replace('.', point)
}

/// A factor with four decimals.
fn fraction(value: f64) -> String {
    let all = (value.max(0.0) * 10_000.0).round() as u64;
    format!("{}.{:04}", all / 10_000, all % 10_000)
}

fn plain(value: f64) -> String {
    tenths(value).trim_end_matches(".0").to_owned()
}

/// The slurm.conf lines that differ from the configuration; `None` if an entry is invalid.
#[must_use]
pub fn changed(weights: &[Weight], proposed: &[String]) -> Option<Vec<(String, String)>> {
    let mut lines = Vec::new();
    for (weight, proposal) in weights.iter().zip(proposed) {
        let proposal = proposal.trim();
        if proposal == weight.value {
            continue;
        }
        let number = proposal.parse::<u32>().is_ok();
        let pairs =
            || proposal.split(',').all(|p| p.split_once('=').is_some_and(|(_, n)| n.parse::<u32>().is_ok()));
        let fits = if weight.key.ends_with("TRES") { !proposal.is_empty() && pairs() } else { number };
        if !fits {
            return None;
        }
        lines.push((weight.key.clone(), proposal.to_owned()));
    }
    Some(lines)
}

/// The factors that have a weight, in the order of the weights.
const WEIGHED: [PriorityFactor; 6] = [
    PriorityFactor::Age,
    PriorityFactor::Association,
    PriorityFactor::FairShare,
    PriorityFactor::JobSize,
    PriorityFactor::Partition,
    PriorityFactor::Qos,
];

/// The picture with other weights, and the change in position of each row (negative is down).
#[must_use]
pub fn with_weights(picture: &PriorityPicture, lines: &[(String, String)]) -> (PriorityPicture, Vec<i32>) {
    if lines.is_empty() {
        return (picture.clone(), Vec::new());
    }
    let mut proposed = picture.clone();
    for weight in &mut proposed.weights {
        if let Some((_, value)) = lines.iter().find(|(key, _)| *key == weight.key) {
            weight.value.clone_from(value);
        }
    }
    for row in proposed.rows.iter_mut().filter(|row| !row.fixed) {
        weigh(row, &picture.weights, &proposed.weights);
    }
    let mut order: Vec<usize> = (0..proposed.rows.len()).collect();
    let key = |i: &usize| proposed.rows.get(*i).map(|row| (Reverse(row.tier), Reverse(row.priority), *i));
    order.order_by_key(key);
    let signed = |i: usize| i32::try_from(i).unwrap_or(i32::MAX);
    let moved = order.iter().enumerate().map(|(now, before)| signed(*before) - signed(now)).collect();
    proposed.rows = order.iter().filter_map(|i| proposed.rows.get(*i).cloned()).collect();
    (proposed, moved)
}

/// Recomputes a row's factors and priority with other weights.
fn weigh(row: &mut PriorityRow, old: &[Weight], new: &[Weight]) {
    let mut parts: Vec<(PriorityFactor, f64)> = Vec::new();
    for ((part, factor), (old, new)) in WEIGHED.iter().zip(row.factors).zip(old.iter().zip(new)) {
        let adds = if old == new {
            row.parts.iter().find(|(p, _)| p == part).map_or(0.0, |(_, adds)| *adds)
        } else {
            new.value.parse::<f64>().unwrap_or(0.0) * factor
        };
        if adds != 0.0 {
            parts.push((part.clone(), adds));
        }
    }
    for (part, adds) in row.parts.iter().filter(|(part, _)| !WEIGHED.contains(part)) {
        let scale = match (weight_of(old, part).filter(|w| *w > 0.0), weight_of(new, part)) {
            (Some(old), Some(new)) => new / old,
            (Some(_), None) => 0.0,
            (None, _) => 1.0,
        };
        parts.push((part.clone(), adds * scale));
    }
    let sum: f64 = parts.iter().map(|(_, adds)| adds).sum();
    // Slurm's minimum priority of an eligible job is 1. The cast saturates at 32 bits.
    row.priority = sum.max(1.0) as u32;
    row.parts = parts;
}

/// Length of a bar: positive contributions, and what `nice` subtracts from its end.
#[must_use]
pub fn lengths(parts: &[(PriorityFactor, f64)]) -> (f64, f64) {
    let sum = |sign: f64| parts.iter().map(|(_, adds)| (adds * sign).max(0.0)).sum::<f64>();
    let gives = sum(1.0);
    (gives, sum(-1.0).min(gives))
}

/// Whether this row starts a new tier; the rows above have a higher `PriorityTier`.
#[must_use]
pub fn begins_tier(rows: &[PriorityRow], index: usize) -> bool {
    let tier = |i: usize| rows.get(i).map(|r| r.tier);
    let several = rows.iter().any(|r| Some(r.tier) != tier(0));
    several && (index == 0 || index.checked_sub(1).and_then(tier) != tier(index))
}

/// All bars as one picture of page width.
#[must_use]
pub fn bars(
    picture: &PriorityPicture,
    class: &dyn Fn(&PriorityFactor) -> &'static str,
    label: &str,
) -> String {
    const ROW: f64 = 22.0;
    const LEFT: f64 = 300.0;
    const WIDE: f64 = 480.0;
    let most = picture.rows.iter().map(|row| lengths(&row.parts).0).fold(1.0, f64::max);
    let mut svg = Svg::default();
    for (i, row) in picture.rows.iter().enumerate() {
        let y = ROW * i as f64;
        svg.text("name", 8.0, y + 15.0, &format!("{} {} {}", row.id, row.user, row.partition));
        svg.text("number", LEFT - 60.0, y + 15.0, &row.priority.to_string());
        let mut x = LEFT;
        for (part, adds) in row.parts.iter().filter(|(_, adds)| *adds > 0.0) {
            let w = WIDE * adds / most;
            svg.rect(&format!("part {}", class(part)), Rect { x, y: y + 4.0, w, h: ROW - 8.0 }, "");
            x += w;
        }
        let w = WIDE * lengths(&row.parts).1 / most;
        if w > 0.0 {
            svg.rect("part minus", Rect { x: x - w, y: y + 4.0, w, h: ROW - 8.0 }, "");
        }
    }
    svg.finish(LEFT + WIDE + 8.0, ROW * picture.rows.len() as f64 + 4.0, label)
}

/// The rows as CSV with one column per factor.
#[must_use]
pub fn csv(picture: &PriorityPicture, name: &dyn Fn(&PriorityFactor) -> String) -> String {
    let mut parts: Vec<&PriorityFactor> = Vec::new();
    for (part, _) in picture.rows.iter().flat_map(|r| &r.parts) {
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    let names: Vec<String> = parts.iter().map(|p| name(p)).collect();
    let heads = ["job", "user", "partition", "tier", "priority"].into_iter();
    let mut out = csv_line(heads.chain(names.iter().map(String::as_str)));
    for row in &picture.rows {
        let adds =
            |part: &PriorityFactor| row.parts.iter().find(|(p, _)| p == part).map_or(0.0, |(_, adds)| *adds);
        let number = |v: f64| if v < 0.0 { format!("-{}", tenths(-v)) } else { tenths(v) };
        let (tier, priority) = (row.tier.to_string(), row.priority.to_string());
        let values: Vec<String> = parts.iter().map(|p| number(adds(p))).collect();
        let fixed = [row.id.as_str(), &row.user, &row.partition, &tier, &priority].into_iter();
        out += &csv_line(fixed.chain(values.iter().map(String::as_str)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights() -> Vec<Weight> {
        let weight = |key: &str, value: &str| Weight { key: key.into(), value: value.into() };
        vec![weight("PriorityWeightAge", "1000"), weight("PriorityWeightTRES", "cpu=200,gres/gpu=50")]
    }

    #[test]
    fn terms_are_weights_times_factors() {
        let weights = weights();
        assert_eq!(term(&weights, &PriorityFactor::Age, 21.0, "."), "1000 × 0.0210");
        assert_eq!(term(&weights, &PriorityFactor::Tres("cpu".into()), 100.0, ","), "200 × 0,5000");
        assert_eq!(
            [
                term(&weights, &PriorityFactor::Nice, -100.0, "."),
                term(&weights, &PriorityFactor::Site, 7.5, ".")
            ],
            ["−100", "7.5"]
        );
    }

    #[test]
    fn only_differences_are_written() {
        let proposal = |a: &str, b: &str| changed(&weights(), &[a.to_owned(), b.to_owned()]);
        assert_eq!(proposal("1000", "cpu=200,gres/gpu=50"), Some(Vec::new()));
        assert_eq!(proposal(" 5 ", "cpu=1").map(|l| l.len()), Some(2));
        assert_eq!([proposal("x", ""), proposal("1000", "cpu")], [None, None]);
    }

    #[test]
    fn other_weights_move_rows() {
        let weight =
            |key: &str, value: &str| Weight { key: format!("PriorityWeight{key}"), value: value.into() };
        let row = |id: &str, age: f64, size: f64| PriorityRow {
            id: id.into(),
            priority: (age * 1000.0) as u32,
            parts: vec![(PriorityFactor::Age, age * 1000.0), (PriorityFactor::Nice, -100.0)],
            factors: [age, 0.0, 0.0, size, 0.0, 0.0],
            ..PriorityRow::default()
        };
        let picture = PriorityPicture {
            rows: vec![row("1", 0.5, 0.0), row("2", 0.4, 0.1), row("3", 0.3, 0.9)],
            weights: ["Age", "Assoc", "Fairshare", "JobSize"]
                .map(|key| weight(key, if key == "Age" { "1000" } else { "0" }))
                .to_vec(),
            ..PriorityPicture::default()
        };
        let lines = [("PriorityWeightJobSize".to_owned(), "1000".to_owned())];
        let (proposed, moved) = with_weights(&picture, &lines);
        let shown: Vec<_> = proposed.rows.iter().map(|r| (r.id.as_str(), r.priority)).collect();
        assert_eq!(shown, [("3", 1100), ("1", 400), ("2", 400)]);
        assert_eq!(moved, [2, -1, -1]);
        assert_eq!(proposed.rows[0].parts.len(), 3);
        assert_eq!(with_weights(&picture, &[]), (picture.clone(), Vec::new()));
    }

    #[test]
    fn nice_shortens_a_bar() {
        assert_eq!(lengths(&[(PriorityFactor::Age, 10.0), (PriorityFactor::Nice, -4.0)]), (10.0, 4.0));
        assert_eq!(lengths(&[(PriorityFactor::Age, 10.0), (PriorityFactor::Nice, -40.0)]), (10.0, 10.0));
    }

    #[test]
    fn tiers_and_columns() {
        let row = |tier, part| PriorityRow {
            tier,
            id: "1".into(),
            parts: vec![(part, -2.0)],
            ..PriorityRow::default()
        };
        let rows =
            vec![row(2, PriorityFactor::Age), row(2, PriorityFactor::Nice), row(1, PriorityFactor::Age)];
        assert_eq!([0, 1, 2].map(|i| begins_tier(&rows, i)), [true, false, true]);
        assert!(!begins_tier(&rows[..2], 0));
        let picture = PriorityPicture { rows, ..PriorityPicture::default() };
        let csv = csv(&picture, &|p| format!("{p:?}"));
        assert_eq!(csv.lines().nth(1), Some("1,,,2,0,-2.0,0.0"), "{csv}");
    }
}
