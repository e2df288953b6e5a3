//! The longest increasing subsequence: the entries whose relative order is the same as in the last pass.

/// The longest subsequence whose second numbers ascend.
pub(super) fn longest_increasing_subsequence(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    if pairs.is_sorted_by_key(|p| p.1) {
        return pairs.to_vec();
    }
    // The last pair of the best subsequence of each length, and the predecessor of each pair.
    let (mut tails, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (i, pair) in pairs.iter().enumerate() {
        let length = tails.partition_point(|tail| pairs[*tail].1 < pair.1);
        before.push(length.checked_sub(1).map(|last| tails[last]));
        match tails.get_mut(length) {
            Some(tail) => *tail = i,
            None => tails.push(i),
        }
    }
    let mut longest = Vec::with_capacity(tails.len());
    let mut at = tails.last().copied();
    while let Some(i) = at {
        longest.push(pairs[i]);
        at = before[i];
    }
    longest.reverse();
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_entry_that_moves_leaves_the_others_in_order() {
        let longest = |seconds: &[usize]| {
            let pairs: Vec<(usize, usize)> = seconds.iter().copied().enumerate().collect();
            longest_increasing_subsequence(&pairs).into_iter().map(|p| p.1).collect::<Vec<_>>()
        };
        assert_eq!(longest(&[0, 1, 2, 3]), [0, 1, 2, 3]);
        assert_eq!(longest(&[3, 0, 1, 2]), [0, 1, 2]);
        assert_eq!(longest(&[1, 2, 3, 0]), [1, 2, 3]);
        assert_eq!(longest(&[4, 0, 5, 1, 6, 2, 3]), [0, 1, 2, 3]);
        assert_eq!(longest(&[]), []);
    }
}
