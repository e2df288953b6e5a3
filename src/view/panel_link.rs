//! The state of the panels as words in the page's address: filters, sort order, zoom. A link opens what its sender saw.
//!
//! An address may come from anywhere: words that are unknown have no effect. A text that [`PageAddress::parameter`] would refuse
//! is left out.
//!
//! [`PageAddress::parameter`]: crate::address::PageAddress::parameter

use crate::cluster::{Density, LEVELS, Zoom};
use protocol::{Direction, GanttWindow, QueueList, SortBy, StateClass};

/// Most letters of a name or text in a link.
const LONGEST: usize = 24;
/// Most words, so that a parameter keeps its length.
const MOST: usize = 5;
const HOUR: i64 = 3_600_000_000;

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

/// A word with a name, if the name may be in an address.
fn named(word: &str, name: &str) -> Option<String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let fits = !name.is_empty() && name.len() <= LONGEST && name.chars().all(allowed);
    fits.then(|| format!("{word}-{name}"))
}

fn joined(words: impl Iterator<Item = String>) -> String {
    words.take(MOST).collect::<Vec<_>>().join(" ")
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
            Some(("in", name)) => list.partition = Some(name.to_owned()),
            Some(("find", text)) => list.text = text.to_lowercase(),
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
pub fn read_nodes(words: &str) -> (Zoom, Option<&str>, bool) {
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
            Some(("in", name)) => only = Some(name),
            _ => switches |= word == "switches",
        }
    }
    (zoom, only, switches)
}

/// The timeline: its rows and the hours of a window that follows the present.
#[must_use]
pub fn write_timeline(window: &GanttWindow, first: &GanttWindow) -> String {
    let hours = (window.until.is_none() && window.span != first.span).then_some(window.span / HOUR);
    let hours = hours.filter(|hours| *hours > 0).map(|hours| format!("hours-{hours}"));
    joined([hours, window.jobs.then(|| "jobs".to_owned())].into_iter().flatten())
}

/// The timeline from words.
#[must_use]
pub fn read_timeline(words: &str, first: &GanttWindow) -> GanttWindow {
    let mut window = first.clone();
    for word in words.split(' ') {
        window.jobs |= word == "jobs";
        if let Some(("hours", hours)) = word.split_once('-') {
            let hours = hours.parse::<i64>().ok().filter(|hours| (1..=4800).contains(hours));
            window.span = hours.map_or(window.span, |hours| hours * HOUR);
        }
    }
    window
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::PageAddress;

    fn first() -> QueueList {
        QueueList { ended: true, ..QueueList::default() }
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
            let words = write_queue(&list, &first());
            if words.split(' ').count() == MOST {
                continue;
            }
            let address = PageAddress::parse("https://a.org/?site=lab").with("queue", &words).href();
            let read = PageAddress::parse(&address);
            assert_eq!(read_queue(read.parameter("queue"), &first(), "alice"), list, "{address}");
        }
        assert_eq!(write_queue(&first(), &first()), "", "a first visit has a short address");
    }

    #[test]
    fn zoom_and_partition_come_back() {
        let zooms = [Zoom::Fit, Zoom::Level(3), Zoom::Density(Density::Bars)];
        for zoom in zooms {
            for only in [None, Some("gpu")] {
                let words = write_nodes(zoom, only, only.is_some());
                assert_eq!(read_nodes(&words), (zoom, only, only.is_some()), "{words}");
            }
        }
        // A level that does not exist, and a name that an address must not have.
        assert_eq!(read_nodes("zoom-99 huge"), (Zoom::Fit, None, false));
        assert_eq!(write_nodes(Zoom::Fit, Some("a b"), false), "");
    }

    #[test]
    fn windows_come_back() {
        let first = GanttWindow { span: 2 * HOUR, ..GanttWindow::default() };
        let day = GanttWindow { span: 24 * HOUR, jobs: true, ..first.clone() };
        assert_eq!(write_timeline(&day, &first), "hours-24 jobs");
        assert_eq!(read_timeline("hours-24 jobs", &first), day);
        assert_eq!(read_timeline("hours-0 hours-x hours-99999999999", &first), first);
        // A window of the past depends on the session.
        let past = GanttWindow { until: Some(7), span: HOUR, ..first.clone() };
        assert_eq!(write_timeline(&past, &first), "");
    }
}
