//! The longest increasing subsequence: the entries that kept their relative order since the last pass.

/// The longest subsequence whose second numbers ascend.
pub(super) fn longest_increasing_subsequence(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    if pairs.is_sorted_by_key(|p| p.1) {
        return pairs.to_vec();
    }
    // The last pair of the best ascent of each length, and the pair before each pair in its own.
    let (mut tails, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (i, pair) in pairs.iter().enumerate() {
        let length = tails.partition_point(|tail| pairs[*tail].1 < pair.1);
        before.push(length.checked_sub(1).map(|last| tails[last]));
        match tails.get_mut(length) {
            Some(tail) => *tail = i,
            None => tails.push(i),
        }
    }
    let mut ascent = Vec::with_capacity(tails.len());
    let mut at = tails.last().copied();
    while let Some(i) = at {
        ascent.push(pairs[i]);
        at = before[i];
    }
    ascent.reverse();
    ascent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_row_that_moves_leaves_the_others_in_order() {
        let ascent = |seconds: &[usize]| {
            let pairs: Vec<(usize, usize)> = seconds.iter().copied().enumerate().collect();
            longest_increasing_subsequence(&pairs).into_iter().map(|p| p.1).collect::<Vec<_>>()
        };
        assert_eq!(ascent(&[0, 1, 2, 3]), [0, 1, 2, 3]);
        assert_eq!(ascent(&[3, 0, 1, 2]), [0, 1, 2]);
        assert_eq!(ascent(&[1, 2, 3, 0]), [1, 2, 3]);
        assert_eq!(ascent(&[4, 0, 5, 1, 6, 2, 3]), [0, 1, 2, 3]);
        assert_eq!(ascent(&[]), []);
    }
}
