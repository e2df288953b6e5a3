//! The state of the panels as words in the page's address: filters, sort order, zoom. A link opens what its sender saw.
//!
//! An address may come from anywhere: words that are unknown have no effect, and names are bounded. A name may hold any character
//! that can be printed: what would end its word is percent-encoded, and [`PageAddress`] encodes the rest.
//!
//! [`PageAddress`]: crate::address::PageAddress

use crate::charts::ChartKind;
use crate::cluster::{Density, LEVELS, Zoom};
use protocol::{Direction, GanttWindow, QueueList, SortBy, StateClass};

mod more;

pub use more::{
    SharesLink, SharesView, read_account, read_admin, read_array, read_shares, write_account, write_admin,
    write_array, write_shares,
};

/// Most bytes of a name or text in a link.
const LONGEST: usize = 64;
const SECOND: i64 = 1_000_000;
const HOUR: i64 = 3_600 * SECOND;
/// Seconds of the longest window of the timeline, and of the latest moment in a link (year 9999).
const WINDOW: i64 = 200 * 86_400;
const LATEST: i64 = 253_402_300_799;

/// Sort columns by their words.
const COLUMNS: [(SortBy, &str); 10] = [
    (SortBy::Id, "id"),
    (SortBy::State, "state"),
    (SortBy::Name, "name"),
    (SortBy::User, "user"),
    (SortBy::Partition, "partition"),
    (SortBy::Time, "time"),
    (SortBy::Size, "size"),
    (SortBy::NodeList, "nodes"),
    (SortBy::Priority, "priority"),
    (SortBy::Start, "start"),
];

const STATES: [(StateClass, &str); 3] =
    [(StateClass::Waiting, "waiting"), (StateClass::Running, "running"), (StateClass::Over, "over")];

const DENSITIES: [Density; 3] = [Density::Cells, Density::Bars, Density::Blocks];

/// Whether a name or text may be in a link.
fn fits(name: &str) -> bool {
    !name.is_empty() && name.len() <= LONGEST && !name.chars().any(char::is_control)
}

/// A word with a name, if the name may be in a link.
fn named(word: &str, name: &str) -> Option<String> {
    fits(name).then(|| format!("{word}-{}", name.replace('%', "%25").replace(' ', "%20")))
}

/// The name of such a word, if it may be in a link.
fn name_of(text: &str) -> Option<String> {
    let name = text.replace("%20", " ").replace("%25", "%");
    fits(&name).then_some(name)
}

fn joined(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

/// The queue's filters and order. `first` is the list at a first visit, which needs no words.
#[must_use]
pub fn write_queue(list: &QueueList, first: &QueueList) -> String {
    let flag = |set: bool, word: &str| set.then(|| word.to_owned());
    let state = list.state.and_then(|s| STATES.iter().find(|(state, _)| *state == s)).map(|s| s.1.to_owned());
    let sort = list.sort.and_then(|(by, direction)| {
        let (_, word) = COLUMNS.iter().find(|(column, _)| *column == by)?;
        let way = if direction == Direction::Up { "up" } else { "down" };
        Some(format!("{word}-{way}"))
    });
    let parts = [
        sort,
        state,
        flag(list.user.is_some(), "mine"),
        list.partition.as_deref().and_then(|name| named("in", name)),
        flag(list.group && !first.group, "grouped"),
        flag(!list.ended && first.ended, "current"),
        named("find", &list.text),
    ];
    joined(parts.into_iter().flatten())
}

/// The queue's filters and order from words. `me` is the current user.
#[must_use]
pub fn read_queue(words: &str, first: &QueueList, me: &str) -> QueueList {
    let mut list = first.clone();
    for word in words.split(' ') {
        match word {
            "mine" => list.user = Some(me.to_owned()),
            "grouped" => list.group = true,
            "current" => list.ended = false,
            _ => {}
        }
        if let Some((state, _)) = STATES.iter().find(|(_, name)| *name == word) {
            list.state = Some(*state);
        }
        match word.split_once('-') {
            Some(("in", name)) => list.partition = name_of(name).or(list.partition),
            Some(("find", text)) => list.text = name_of(text).map_or(list.text, |text| text.to_lowercase()),
            Some((column, way @ ("up" | "down"))) => {
                let direction = if way == "up" { Direction::Up } else { Direction::Down };
                let by = COLUMNS.iter().find(|(_, name)| *name == column);
                list.sort = by.map(|(by, _)| (*by, direction)).or(list.sort);
            }
            _ => {}
        }
    }
    list
}

/// The cluster view: zoom, the only partition, and grouping by switch.
#[must_use]
pub fn write_nodes(zoom: Zoom, only: Option<&str>, switches: bool) -> String {
    let zoom = match zoom {
        Zoom::Fit => None,
        Zoom::Density(density) => Some(density.name().to_owned()),
        Zoom::Level(level) => Some(format!("zoom-{level}")),
    };
    let only = only.and_then(|name| named("in", name));
    joined([zoom, only, switches.then(|| "switches".to_owned())].into_iter().flatten())
}

/// The cluster view from words: zoom, the name of the only partition, and grouping by switch.
#[must_use]
pub fn read_nodes(words: &str) -> (Zoom, Option<String>, bool) {
    let (mut zoom, mut only, mut switches) = (Zoom::Fit, None, false);
    for word in words.split(' ') {
        if let Some(density) = DENSITIES.into_iter().find(|density| density.name() == word) {
            zoom = Zoom::Density(density);
        }
        match word.split_once('-') {
            Some(("zoom", level)) => {
                let level = level.parse().ok().filter(|level| *level < LEVELS.len());
                zoom = level.map_or(zoom, Zoom::Level);
            }
            Some(("in", name)) => only = name_of(name).or(only),
            _ => switches |= word == "switches",
        }
    }
    (zoom, only, switches)
}

/// The timeline: its rows, and its window: hours that follow the present, or a span by its first and last second.
#[must_use]
pub fn write_timeline(window: &GanttWindow, first: &GanttWindow) -> String {
    let span = match window.until {
        Some(until) => {
            let (from, until) = ((until - window.span).div_euclid(SECOND), until.div_euclid(SECOND));
            // A link has no times before the first moment of the calendar.
            (from >= 0).then(|| format!("from-{from} until-{until}"))
        }
        None => {
            let hours = Some(window.span / HOUR).filter(|hours| *hours > 0 && window.span != first.span);
            hours.map(|hours| format!("hours-{hours}"))
        }
    };
    joined([span, window.jobs.then(|| "jobs".to_owned())].into_iter().flatten())
}

/// The timeline from words.
#[must_use]
pub fn read_timeline(words: &str, first: &GanttWindow) -> GanttWindow {
    let mut window = first.clone();
    let (mut from, mut until) = (None, None);
    for word in words.split(' ') {
        window.jobs |= word == "jobs";
        let Some((word, number)) = word.split_once('-') else { continue };
        let number = number.parse::<i64>().ok();
        match word {
            "hours" => {
                let hours = number.filter(|hours| (1..=WINDOW / 3600).contains(hours));
                window.span = hours.map_or(window.span, |hours| hours * HOUR);
            }
            "from" => from = number.filter(|at| (0..=LATEST).contains(at)),
            "until" => until = number.filter(|at| (0..=LATEST).contains(at)),
            _ => {}
        }
    }
    if let (Some(from), Some(until)) = (from, until)
        && (60..=WINDOW).contains(&(until - from))
    {
        (window.span, window.until) = ((until - from) * SECOND, Some(until * SECOND));
    }
    window
}

/// The charts: which one, and the seconds that it shows; 0: all. The first are those of a first visit.
#[must_use]
pub fn write_charts(kind: ChartKind, seconds: u32, first: u32) -> String {
    let kind = match kind {
        ChartKind::Use => None,
        ChartKind::Jobs => Some("jobs".to_owned()),
        ChartKind::Turnover => Some("turnover".to_owned()),
    };
    let span = (seconds != first).then(|| match seconds {
        0 => "all".to_owned(),
        _ => format!("hours-{}", seconds / 3600),
    });
    joined([kind, span].into_iter().flatten())
}

/// The charts from words. Only spans that the panel offers have an effect.
#[must_use]
pub fn read_charts(words: &str, first: u32, offered: &[u32]) -> (ChartKind, u32) {
    let (mut kind, mut seconds) = (ChartKind::Use, first);
    for word in words.split(' ') {
        match word {
            "jobs" => kind = ChartKind::Jobs,
            "turnover" => kind = ChartKind::Turnover,
            "all" => seconds = 0,
            _ => {
                let hours = word.strip_prefix("hours-").and_then(|hours| hours.parse::<u32>().ok());
                let wanted = hours.and_then(|hours| hours.checked_mul(3600)).filter(|s| offered.contains(s));
                seconds = wanted.unwrap_or(seconds);
            }
        }
    }
    (kind, seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::PageAddress;

    #[test]
    fn charts_come_back() {
        let offered = [3600, 21_600, 0];
        for kind in [ChartKind::Use, ChartKind::Jobs, ChartKind::Turnover] {
            for seconds in offered {
                let words = write_charts(kind, seconds, 21_600);
                assert_eq!(read_charts(&words, 21_600, &offered), (kind, seconds), "{words}");
            }
        }
        assert_eq!(write_charts(ChartKind::Use, 21_600, 21_600), "");
        for nothing in ["hours-2", "hours-4294967295", "hours-x", "pie"] {
            assert_eq!(read_charts(nothing, 21_600, &offered), (ChartKind::Use, 21_600), "{nothing}");
        }
    }

    fn first() -> QueueList {
        QueueList { ended: true, ..QueueList::default() }
    }

    /// A queue's filters as someone else reads them from a link.
    fn through_an_address(list: &QueueList) -> QueueList {
        let words = write_queue(list, &first());
        let address = PageAddress::parse("https://a.org/?site=lab").with("queue", &words).href();
        assert!(address.is_ascii(), "{address}");
        read_queue(PageAddress::parse(&address).words("queue"), &first(), "alice")
    }

    #[test]
    fn names_of_any_kind_come_back_and_are_bounded() {
        let list = |partition: &str, text: &str| QueueList {
            partition: Some(partition.to_owned()),
            text: text.to_owned(),
            ..first()
        };
        let long = "gpu-partition-of-the-department_of-physics.";
        for name in [long, "a.b+c@d", "in-%20", "100%25", "<b>&\"'#", "été", "-up", &"%".repeat(LONGEST)] {
            assert_eq!(through_an_address(&list(name, "two words")), list(name, "two words"));
            let words = write_nodes(Zoom::Fit, Some(name), false);
            assert_eq!(read_nodes(&words), (Zoom::Fit, Some(name.to_owned()), false), "{words}");
        }
        // Too long, or with a control character: not written, and not read.
        let longer = "p".repeat(LONGEST + 1);
        for name in [longer.as_str(), "a\u{7}b"] {
            assert_eq!(through_an_address(&list(name, "")), first());
            assert_eq!(read_queue(&format!("in-{name} find-{name}"), &first(), "alice"), first());
        }
    }

    #[test]
    fn filters_and_order_come_back_through_an_address() {
        for (at, (by, _)) in COLUMNS.iter().enumerate() {
            let list = QueueList {
                user: (at % 2 == 0).then(|| "alice".to_owned()),
                partition: (at % 3 == 0).then(|| "A100-10".to_owned()),
                state: STATES.get(at % 4).map(|state| state.0),
                text: if at % 4 == 0 { "train".to_owned() } else { String::new() },
                ended: at % 3 != 1,
                group: at % 5 == 0,
                sort: Some((*by, if at % 2 == 0 { Direction::Up } else { Direction::Down })),
            };
            assert_eq!(through_an_address(&list), list);
        }
        assert_eq!(write_queue(&first(), &first()), "", "a first visit has a short address");
    }

    #[test]
    fn zoom_and_partition_come_back() {
        let zooms = [Zoom::Fit, Zoom::Level(3), Zoom::Density(Density::Bars)];
        for zoom in zooms {
            for only in [None, Some("gpu")] {
                let words = write_nodes(zoom, only, only.is_some());
                let read = read_nodes(&words);
                assert_eq!(read, (zoom, only.map(str::to_owned), only.is_some()), "{words}");
            }
        }
        assert_eq!(read_nodes("zoom-99 huge"), (Zoom::Fit, None, false), "this level does not exist");
    }

    #[test]
    fn windows_come_back() {
        let first = GanttWindow { span: 2 * HOUR, ..GanttWindow::default() };
        let day = GanttWindow { span: 24 * HOUR, jobs: true, ..first.clone() };
        assert_eq!(write_timeline(&day, &first), "hours-24 jobs");
        assert_eq!(read_timeline("hours-24 jobs", &first), day);
        assert_eq!(read_timeline("hours-0 hours-x hours-99999999999", &first), first);
        // A span keeps its seconds.
        let past = GanttWindow { until: Some(20_000 * SECOND), span: 600 * SECOND, ..first.clone() };
        assert_eq!(write_timeline(&past, &first), "from-19400 until-20000");
        assert_eq!(read_timeline("from-19400 until-20000", &first), past);
        for nothing in
            ["from-9 until-9", "from-0 until-99999999", "until-9 from-99", "from-0", "from-x until-90"]
        {
            assert_eq!(read_timeline(nothing, &first), first, "{nothing}");
        }
        let early = GanttWindow { until: Some(7), span: HOUR, ..first.clone() };
        assert_eq!(write_timeline(&early, &first), "");
    }
}
