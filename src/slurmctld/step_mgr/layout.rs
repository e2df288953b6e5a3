//! Distributes a step's tasks over its nodes. Mirrors `--distribution` of srun(1).

pub use crate::rpc::step::{Deal, Distribution};

/// How many of `tasks` each node gets, given each node's capacity. Block distribution is as even as cyclic; `pack`
/// fills a node before the next one gets more than one task.
#[must_use]
pub fn counts(deal: Deal, pack: bool, tasks: u32, room: &[u32]) -> Vec<u32> {
    let size = match deal {
        Deal::Block | Deal::Arbitrary | Deal::Cyclic => 1,
        Deal::Plane(size) => size,
    };
    let mut counts = vec![0; room.len()];
    let mut left = tasks;
    while left > 0 {
        let before = left;
        for (count, most) in counts.iter_mut().zip(room) {
            let filled = if pack && *count > 0 { u32::MAX } else { size };
            let more = filled.min(left).min(most.saturating_sub(*count));
            *count += more;
            left -= more;
        }
        if left == before {
            break;
        }
    }
    counts
}

/// The ranks of the tasks on each node.
#[must_use]
pub fn ranks(deal: Deal, counts: &[u32]) -> Vec<Vec<u32>> {
    let size = match deal {
        Deal::Block | Deal::Arbitrary => u32::MAX,
        Deal::Cyclic => 1,
        Deal::Plane(size) => size,
    };
    let mut of_node: Vec<Vec<u32>> = vec![Vec::new(); counts.len()];
    let total: u32 = counts.iter().sum();
    let mut next = 0;
    while next < total {
        for (ranks, count) in of_node.iter_mut().zip(counts) {
            let has = u32::try_from(ranks.len()).unwrap_or(u32::MAX);
            let more = size.min(count.saturating_sub(has));
            ranks.extend(next..next + more);
            next += more;
        }
    }
    of_node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_dealt() {
        let deal = |deal, tasks, room: &[u32]| ranks(deal, &counts(deal, false, tasks, room));
        assert_eq!(deal(Deal::Block, 4, &[3, 1]), [vec![0, 1, 2], vec![3]]);
        assert_eq!(deal(Deal::Block, 6, &[4, 4, 4]), [vec![0, 1], vec![2, 3], vec![4, 5]], "evenly");
        assert_eq!(counts(Deal::Block, true, 6, &[4, 4, 4]), [4, 1, 1], "packed");
        assert_eq!(deal(Deal::Cyclic, 5, &[4, 4]), [vec![0, 2, 4], vec![1, 3]]);
        assert_eq!(deal(Deal::Cyclic, 5, &[1, 4]), [vec![0], vec![1, 2, 3, 4]]);
        assert_eq!(deal(Deal::Plane(2), 7, &[4, 4]), [vec![0, 1, 4, 5], vec![2, 3, 6]]);
        assert_eq!(deal(Deal::Block, 5, &[u32::MAX, u32::MAX]), [vec![0, 1, 2], vec![3, 4]], "overcommitted");
    }

    #[test]
    fn few_tasks_are_cyclic_by_default() {
        assert_eq!(Distribution::read(None, 2, 2, false).deal, Deal::Cyclic);
        assert_eq!(
            [true, false].map(|asked| Distribution::read(None, 1, 1, asked).deal),
            [Deal::Cyclic, Deal::Block]
        );
        assert_eq!(Distribution::read(Some("*:cyclic"), 3, 2, true).text(), "block:cyclic");
        assert_eq!(Distribution::read(Some("plane=4"), 3, 2, true).deal, Deal::Plane(4));
    }
}
