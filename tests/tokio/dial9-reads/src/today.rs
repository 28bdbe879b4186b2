//! today.rs: the analysis of the crate `dial9`.
// SPDX-License-Identifier: GPL-3.0-or-later

use dial9::analysis::analysis_events::Dial9Event;
use dial9::analysis::{analyze_trace, detect_long_polls, TraceReader};
use serde_json::{json, Map, Value};
use std::collections::BTreeMap;

pub fn read(path: &str) -> Value {
    let reader = TraceReader::new(path).expect("a trace");
    let found = analyze_trace(&reader.runtime_events);
    let mut names = BTreeMap::<String, u64>::new();
    let mut polls = BTreeMap::<u64, u64>::new();

    for event in &reader.all_events {
        // The name of the variant is that of the event.
        let text = format!("{event:?}");
        *names.entry(text.split('(').next().unwrap_or_default().into()).or_default() += 1;
        if let Dial9Event::PollStartEvent(start) = event {
            *polls.entry(start.task_id.to_string().parse().expect("a number")).or_default() += 1;
        }
    }
    let workers: Map<_, _> = found
        .worker_stats
        .iter()
        .map(|(worker, of_it)| {
            let sums = json!({ "polls": of_it.poll_count, "parks": of_it.park_count, "unparks": of_it.unpark_count,
                "poll_ns": of_it.total_poll_time_ns });
            (worker.as_u64().to_string(), sums)
        })
        .collect();
    let locations: Map<_, _> = found
        .spawn_location_stats
        .iter()
        .map(|(place, of_it)| {
            (place.clone(), json!({ "polls": of_it.poll_count, "poll_ns": of_it.total_poll_time_ns }))
        })
        .collect();
    let long: Vec<_> = detect_long_polls(&reader.runtime_events, crate::LONG_NS)
        .iter()
        .map(|poll| json!({ "ns": poll.duration_ns, "place": poll.spawn_loc }))
        .collect();
    let mut polls_of_tasks: Vec<_> = polls.into_values().collect();
    polls_of_tasks.sort_unstable();

    json!({ "names": names, "workers": workers, "locations": locations, "long": long,
        "polls_of_tasks": polls_of_tasks, "metadata": reader.segment_metadata })
}
