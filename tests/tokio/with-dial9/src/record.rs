//! record.rs: what one event costs the thread that records it.
// SPDX-License-Identifier: GPL-3.0-or-later

use dial9::{core::clock_monotonic_ns, format::TraceEvent, Dial9Handle};
use std::time::Instant;

// As the benchmark of Parklane's own events has them.
const N_EVENTS: u64 = 20000;
const N_ROUNDS: usize = 101;

/// The time and two integers.
#[derive(TraceEvent)]
struct Measured {
    #[traceevent(timestamp)]
    timestamp_ns: u64,
    place: u32,
    task: u64,
}

/// Nanoseconds per event, the median of the rounds.
pub fn event_ns(handle: &Dial9Handle) -> f64 {
    let mut rounds: Vec<_> = (0..N_ROUNDS)
        .map(|_| {
            let begin = Instant::now();
            for task in 0..N_EVENTS {
                let timestamp_ns = clock_monotonic_ns();
                handle.record_event(Measured {
                    timestamp_ns,
                    place: 3,
                    task,
                });
            }
            begin.elapsed().as_nanos() as f64 / N_EVENTS as f64
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    rounds[N_ROUNDS / 2]
}
