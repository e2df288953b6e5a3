//! `sort_by`, `group_by`, `min_by` and similar functions.
//!
//! A sort compares each value about log n times. These comparisons are charged before it begins, because a
//! comparison cannot fail.

use crate::access::wrong_pair;
use crate::bound;
use crate::value::Json;
use jaq_core::{Error, ValR};
use std::cmp::Ordering;

/// Charges for the comparisons of a sort.
pub fn pay_for_sort(items: &[Json]) -> Result<(), Error<Json>> {
    let size: u64 = items.iter().map(Json::size).sum();
    let rounds = u64::from(usize::BITS - items.len().leading_zeros());
    bound::check(usize::try_from(size.saturating_mul(rounds) / 8).unwrap_or(usize::MAX))
}

/// The items with their keys, sorted by these.
pub fn sorted_by<'j>(
    items: &'j Json,
    keys: &'j Json,
    message: &str,
) -> Result<Vec<(&'j Json, &'j Json)>, Error<Json>> {
    let (Some(all), Some(by)) = (items.items(), keys.items()) else {
        return wrong_pair(items, keys, message);
    };
    pay_for_sort(by)?;
    let mut pairs: Vec<_> = by.iter().zip(all).collect();
    pairs.sort_by_key(|(key, _)| *key);
    Ok(pairs)
}

/// Groups of items with the same key, sorted by it.
pub fn groups(items: &Json, keys: &Json) -> ValR<Json> {
    let sorted = sorted_by(items, keys, "cannot be grouped, as they are not both arrays")?;
    let groups = sorted.chunk_by(|(a, _), (b, _)| a.cmp(b).is_eq());
    Ok(groups.map(|group| group.iter().map(|(_, item)| (*item).clone()).collect()).collect())
}

/// The item with the least or greatest key.
pub fn least(items: &Json, keys: &Json, better: fn(Ordering) -> bool) -> ValR<Json> {
    let (Some(all), Some(by)) = (items.items(), keys.items()) else {
        return wrong_pair(items, keys, "cannot be iterated over");
    };
    let mut best: Option<(&Json, &Json)> = None;
    for (key, item) in by.iter().zip(all) {
        bound::check(1)?;
        if best.is_none_or(|(least, _)| better(key.cmp(least))) {
            best = Some((key, item));
        }
    }
    Ok(best.map_or(Json::Null, |(_, item)| item.clone()))
}
