//! The order in which CPython iterates over a set: that of its hash table, if all hashes are known (numbers).

use super::value::{DictKey, Py, Table};

/// Number of neighbouring entries that are probed.
const NEIGHBOURS: usize = 9;

/// The elements in CPython's order, or in order of insertion where hashes are random (strings).
pub(crate) fn in_order(table: &Table) -> Vec<Py> {
    let hashes: Option<Vec<i64>> = table
        .keys()
        .map(|k| if let DictKey::Int(n) = k { Some(if *n == -1 { -2 } else { *n }) } else { None })
        .collect();
    let Some(hashes) = hashes else { return table.values().map(|v| v.0).collect() };
    let mut size = 8_usize;
    let mut slots: Vec<Option<usize>> = vec![None; size];
    for (i, _) in hashes.iter().enumerate() {
        insert(&mut slots, &hashes, i);
        // CPython's table grows when it is three fifths full, to four times its elements.
        if (i + 1) * 5 >= (size - 1) * 3 {
            let used = i + 1;
            let least = if used > 50_000 { used * 2 } else { used * 4 };
            size = 8;
            while size <= least {
                size *= 2;
            }
            let old = std::mem::replace(&mut slots, vec![None; size]);
            old.into_iter().flatten().for_each(|i| insert(&mut slots, &hashes, i));
        }
    }
    slots.into_iter().flatten().filter_map(|i| table.get_index(i).map(|(_, v)| v.0)).collect()
}

fn insert(slots: &mut [Option<usize>], hashes: &[i64], entry: usize) {
    let mask = slots.len() - 1;
    let hash = hashes[entry].cast_unsigned();
    let mut perturb = hash;
    let mut at = usize::try_from(hash & mask as u64).unwrap_or(0);
    loop {
        let beside = if at + NEIGHBOURS <= mask { NEIGHBOURS } else { 0 };
        if let Some(slot) = slots[at..=at + beside].iter_mut().find(|s| s.is_none()) {
            *slot = Some(entry);
            return;
        }
        perturb >>= 5;
        at = usize::try_from((at as u64).wrapping_mul(5).wrapping_add(1).wrapping_add(perturb) & mask as u64)
            .unwrap_or(0);
    }
}
