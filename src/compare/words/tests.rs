//! Sentences in both languages.

use super::*;
use crate::statistics::Estimate;

fn difference(kind: GroupKind, name: &str, metric: Metric, relative: (f64, f64, f64)) -> MetricDifference {
    let (value, low, high) = relative;
    let estimate = Some(Estimate { value, low, high });
    MetricDifference {
        workload: 0,
        policy: 1,
        group: JobGroup { kind, name: name.to_owned() },
        metric,
        means: (1.0, 1.0),
        recorded: (None, None),
        resamples: 20,
        absolute: estimate,
        relative: estimate,
    }
}

/// One of each kind of sentence.
fn differences() -> [MetricDifference; 4] {
    [
        difference(GroupKind::All, "", Metric::MeanWait, (-0.12, -0.2, -0.034)),
        difference(GroupKind::Partition, "cpu", Metric::MeanWait, (0.01, -0.02, 0.03)),
        difference(GroupKind::Partition, "gpu", Metric::MeanWait, (-0.18, -0.24, -0.12)),
        difference(GroupKind::All, "", Metric::Utilisation, (0.05, 0.04, 0.06)),
    ]
}

#[test]
fn sentences() {
    let all = differences();
    let all: Vec<&MetricDifference> = all.iter().collect();
    assert_eq!(
        EN.headline(&all),
        "all jobs wait 12% less (3.4 to 20%); for cpu jobs no difference that 20 resamples could show (less than \
         3.0%); gpu jobs wait 18% less (12 to 24%); utilisation 5.0% higher (4.0 to 6.0%)"
    );
    let same = difference(GroupKind::All, "", Metric::MeanWait, (0.0, 0.0, 0.0));
    assert_eq!(EN.verdict(&same), "the same in every resample");
    let none = MetricDifference { resamples: 3, ..same };
    assert!(EN.verdict(&none).contains("fewer than 5"));
    // A median that is nearly zero in some of the resamples.
    let wide = difference(GroupKind::All, "", Metric::MedianWait, (-0.8, -0.9, 136.24));
    let absolute = Some(Estimate { value: -900.0, low: -1_700.0, high: 60.0 });
    let wide = EN.verdict(&MetricDifference { absolute, ..wide });
    assert_eq!(wide, "no difference that 20 resamples could show (less than 00:28:20)");
}

#[test]
fn values_have_units() {
    assert_eq!(EN.amount(Metric::MeanWait, 3661.0), hms(3661));
    assert_eq!(EN.amount(Metric::Utilisation, 81.25), "81.2%");
    assert_eq!(EN.amount(Metric::NodeHours, 3.0), "3.0 h");
}

#[test]
fn french_sentences() {
    let all = differences();
    let all: Vec<&MetricDifference> = all.iter().collect();
    assert_eq!(
        FR.headline(&all).replace(['\u{a0}', '\u{202f}'], "_"),
        "toutes les tâches attendent 12_% de moins (3,4 à 20_%)_; pour les tâches de cpu, aucune différence visible en \
         20 rééchantillonnages (moins de 3,0_%)_; les tâches de gpu attendent 18_% de moins (12 à \
         24_%)_; utilisation en hausse de 5,0_% (4,0 à 6,0_%)"
    );
}

#[test]
fn size_classes_are_put_into_words() {
    let named = |words: &ReportWords| {
        crate::measure::SIZES.map(|(_, name)| {
            words.jobs_of(&JobGroup { kind: GroupKind::Size, name: name.to_owned() }).replace('\u{a0}', " ")
        })
    };
    // The words are those of the CSV files.
    assert_eq!(named(&EN), crate::measure::SIZES.map(|(_, name)| format!("jobs with {name}")));
    assert_eq!(
        named(&FR),
        [
            "les tâches de 1 CPU",
            "les tâches de 2 à 8 CPU",
            "les tâches de 9 à 64 CPU",
            "les tâches de 65 à 512 CPU",
            "les tâches de plus de 512 CPU"
        ]
    );
}

/// Both languages have the same placeholders, and a plural for each plural.
#[test]
fn sentences_have_the_same_parts() {
    let metrics = METRICS_EN.iter().zip(&METRICS_FR);
    let metrics = metrics.flat_map(|(en, fr)| [(en.more, fr.more), (en.less, fr.less), (en.name, fr.name)]);
    for (en, fr) in PAIRS.iter().copied().chain(metrics) {
        let forms = [en, fr].map(|text| text.split('|').collect::<Vec<_>>());
        assert_eq!(forms[0].len(), forms[1].len(), "{en} {fr}");
        for (en, fr) in forms[0].iter().zip(&forms[1]) {
            for part in ["{0}", "{1}", "{2}", "{3}", "{4}", "{5}"] {
                assert_eq!(en.contains(part), fr.contains(part), "{en} {fr}");
            }
        }
    }
    for metric in Metric::ALL {
        assert_eq!(EN.metric(metric).unit.is_empty(), ["", "s", "%"].contains(&metric.facts().unit));
    }
}

#[test]
fn numbers_follow_the_language() {
    assert_eq!(
        [EN.number(1234.5, 1), EN.number(12_345.67, 1), EN.number(-0.04, 1)],
        ["1234.5", "12,345.7", "0.0"]
    );
    assert_eq!([FR.number(12_345.67, 1), FR.number(-2.5, 1)], ["12\u{202f}345,7", "-2,5"]);
    assert_eq!(FR.amount(Metric::Throughput, 3.0), "3,0 tâches/j");
    assert_eq!(
        [FR.count(0, FR.resamples, &[]), EN.count(0, EN.resamples, &[])].map(|t| t.replace('\u{a0}', " ")),
        ["0 rééchantillonnage", "0 resamples"]
    );
}
