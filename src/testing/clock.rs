//! The time that a test itself takes, whatever else the machine does meanwhile.

#![expect(clippy::disallowed_methods, reason = "it measures real time")]

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The CPU time of this thread, for differences. Without Linux, the real time.
#[must_use]
pub fn thread_time() -> Duration {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    // proc(5): nanoseconds on a CPU, nanoseconds in its queue, number of times there.
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = text.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| BEGAN.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleep_takes_no_time_on_a_cpu() {
        let began = thread_time();
        std::thread::sleep(Duration::from_millis(300));
        if cfg!(target_os = "linux") {
            assert!(thread_time() - began < Duration::from_millis(200));
        }
        let mut sum = 0_u64;
        while thread_time() - began < Duration::from_millis(20) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(sum > 0);
    }
}
