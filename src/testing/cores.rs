//! One long test on several cores: at the end of a test program, the last test would leave the others idle.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// Applies a function to all items, on as many threads as the machine has cores, and returns the results in the order of the
/// items.
///
/// # Panics
/// If the function panics for an item.
pub fn on_all_cores<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    function: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let items: Vec<T> = items.into_iter().collect();
    let threads = thread::available_parallelism().map_or(1, |cores| cores.get().min(items.len()));
    let left = Mutex::new(items.into_iter().enumerate());
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || std::iter::from_fn(next).map(|(at, item)| (at, function(item))).collect::<Vec<_>>();
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        running
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_the_order_of_the_items() {
        assert_eq!(on_all_cores(0..1000, |n| n * 2), (0..1000).map(|n| n * 2).collect::<Vec<_>>());
        assert_eq!(on_all_cores(Vec::<u8>::new(), |n| n), []);
    }

    #[test]
    #[should_panic(expected = "at seven")]
    fn a_panic_fails_the_test() {
        on_all_cores(0..20, |n| assert!(n != 7, "at seven"));
    }
}
