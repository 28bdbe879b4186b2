//! older.rs: the analysis of the crate `dial9-tokio-telemetry`, as it was before `dial9`.
// SPDX-License-Identifier: GPL-3.0-or-later

use dial9_older::analysis_unstable::{analyze_trace, detect_long_polls, TraceReader};
use serde_json::{json, Map, Value};
use std::collections::BTreeMap;

pub fn read(path: &str) -> Value {
    let reader = TraceReader::new(path).expect("a trace");
    let found = analyze_trace(&reader.runtime_events);
    let mut names = BTreeMap::<String, u64>::new();

    for event in &reader.all_events {
        let text = format!("{event:?}");
        *names.entry(text.split([' ', '{', '(']).next().unwrap_or_default().into()).or_default() += 1;
    }
    let workers: Map<_, _> = found
        .worker_stats
        .iter()
        .map(|(worker, of_it)| {
            let sums = json!({ "polls": of_it.poll_count, "parks": of_it.park_count, "unparks": of_it.unpark_count,
                "poll_ns": of_it.total_poll_time_ns });
            (worker.to_string(), sums)
        })
        .collect();
    let long: Vec<_> = detect_long_polls(&reader.runtime_events, crate::LONG_NS)
        .iter()
        .map(|poll| json!({ "ns": poll.duration_ns, "place": reader.spawn_locations.get(&poll.spawn_loc) }))
        .collect();

    json!({ "names": names, "workers": workers, "long": long })
}
