//! The words of fair share, accounting, administration and the dependencies.

use super::{joined, name_of, named};
use protocol::{AdminSubject, SharesHypothesis};

/// The views of the fair-share panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SharesView {
    /// The tree as a picture.
    #[default]
    Tree,
    /// What `sshare` prints.
    Table,
    /// The decay of usage.
    Decay,
}

/// What a link says about the fair-share panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharesLink {
    /// The view.
    pub view: SharesView,
    /// The associations that are compared, by id.
    pub chosen: [Option<u32>; 2],
    /// Hypothetical shares and half-life.
    pub hypothesis: SharesHypothesis,
}

/// The longest half-life in a link: a year of seconds.
const HALF_LIFE: u32 = 366 * 86_400;

/// The fair-share panel.
#[must_use]
pub fn write_shares(link: &SharesLink) -> String {
    let view = match link.view {
        SharesView::Tree => None,
        SharesView::Table => Some("table".to_owned()),
        SharesView::Decay => Some("decay".to_owned()),
    };
    let chosen = link.chosen.into_iter().flatten().map(|id| format!("compare-{id}"));
    let given = link.hypothesis.shares.map(|(id, shares)| format!("give-{id}-{shares}"));
    let half = link.hypothesis.half_life.map(|seconds| format!("half-{seconds}"));
    joined(view.into_iter().chain(chosen).chain(given).chain(half))
}

/// The fair-share panel from words.
#[must_use]
pub fn read_shares(words: &str) -> SharesLink {
    let mut link = SharesLink::default();
    for word in words.split(' ') {
        match word {
            "table" => link.view = SharesView::Table,
            "decay" => link.view = SharesView::Decay,
            _ => {}
        }
        let Some((word, value)) = word.split_once('-') else { continue };
        match word {
            "compare" => {
                let id = value.parse().ok();
                if let Some(free) = link.chosen.iter_mut().find(|chosen| chosen.is_none()) {
                    *free = id;
                }
            }
            "give" => {
                let pair =
                    value.split_once('-').and_then(|(id, n)| Some((id.parse().ok()?, n.parse().ok()?)));
                link.hypothesis.shares = pair.or(link.hypothesis.shares);
            }
            "half" => link.hypothesis.half_life = value.parse().ok().filter(|s| *s <= HALF_LIFE),
            _ => {}
        }
    }
    link
}

/// The filter of accounting.
#[must_use]
pub fn write_account(filter: &str) -> String {
    named("find", filter).unwrap_or_default()
}

/// The filter of accounting from words.
#[must_use]
pub fn read_account(words: &str) -> String {
    words.split(' ').filter_map(|word| name_of(word.strip_prefix("find-")?)).next_back().unwrap_or_default()
}

/// The subjects of administration by their words.
const SUBJECTS: [(AdminSubject, &str); 6] = [
    (AdminSubject::Nodes, ""),
    (AdminSubject::Partitions, "partitions"),
    (AdminSubject::Reservations, "reservations"),
    (AdminSubject::Qos, "qos"),
    (AdminSubject::Accounts, "accounts"),
    (AdminSubject::Settings, "settings"),
];

/// The subject of administration.
#[must_use]
pub fn write_admin(subject: AdminSubject) -> String {
    let word = SUBJECTS.iter().find(|(known, _)| *known == subject).map_or("", |(_, word)| word);
    word.to_owned()
}

/// The subject of administration from a word.
#[must_use]
pub fn read_admin(word: &str) -> AdminSubject {
    SUBJECTS.iter().find(|(_, known)| *known == word).map_or(AdminSubject::Nodes, |(subject, _)| *subject)
}

/// The array whose tasks are shown beside the dependencies.
#[must_use]
pub fn write_array(job: Option<u32>) -> String {
    job.map(|job| format!("array-{job}")).unwrap_or_default()
}

/// This array from a word.
#[must_use]
pub fn read_array(word: &str) -> Option<u32> {
    word.strip_prefix("array-")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_come_back() {
        let hypothesis = SharesHypothesis { shares: Some((7, 30)), half_life: Some(0) };
        let all = [
            SharesLink::default(),
            SharesLink { view: SharesView::Table, chosen: [Some(3), None], ..SharesLink::default() },
            SharesLink { view: SharesView::Decay, chosen: [Some(3), Some(12)], hypothesis },
        ];
        for link in all {
            assert_eq!(read_shares(&write_shares(&link)), link);
        }
        assert_eq!(write_shares(&SharesLink::default()), "");
        let nothing = "pie compare-x give-7 give-x-1 half--1 half-99999999999 half-4000000000";
        assert_eq!(read_shares(nothing), SharesLink::default());
        assert_eq!(read_shares("compare-1 compare-2 compare-3").chosen, [Some(1), Some(2)]);
    }

    #[test]
    fn filter_subject_and_array_come_back() {
        for filter in ["", "alice", "two words", "100%", "été"] {
            assert_eq!(read_account(&write_account(filter)), filter);
        }
        assert_eq!(read_account(&format!("find-{}", "x".repeat(1000))), "");
        for (subject, _) in SUBJECTS {
            assert_eq!(read_admin(&write_admin(subject)), subject);
        }
        assert_eq!(read_admin("nothing"), AdminSubject::Nodes);
        for array in [None, Some(17)] {
            assert_eq!(read_array(&write_array(array)), array);
        }
        assert_eq!(read_array("array-x"), None);
    }
}
