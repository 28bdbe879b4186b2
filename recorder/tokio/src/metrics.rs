// metrics.rs: counters of the process and its session, for programs and for Prometheus.
// SPDX-License-Identifier: MIT OR Apache-2.0

use crate::backend;
use std::time::Duration;

/// Counters. Those of the session are since its start; without one they are 0 and mean nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metrics {
    /// Whether this build can record.
    pub supported: bool,
    /// Whether recording was asked for, whether it runs or not.
    pub configured: bool,
    /// 0 or 1.
    pub active_sessions: u32,
    /// Since the start of the process: starts that failed, faults of the disk.
    pub errors_total: u64,
    /// Whether what is recorded reaches the disk.
    pub writer_healthy: bool,
    /// Threads that record.
    pub attached_threads: u32,
    /// Events that are written, or wait to be.
    pub events_total: u64,
    /// Events that found no room.
    pub dropped_events_total: u64,
    /// Bytes handed to the file system, before compression.
    pub bytes_written_total: u64,
    /// All segments of the prefix now.
    pub disk_usage_bytes: u64,
    /// Segments that were finished.
    pub segments_sealed_total: u64,
    /// Of those, which end before all threads were drained.
    pub incomplete_segments_total: u64,
    /// Segments that the budget cost.
    pub evicted_segments_total: u64,
    /// Sizes of compressed segments.
    pub compressed_bytes_total: u64,
    /// Time since the last write that succeeded.
    pub last_write_age: Option<Duration>,
}

/// Reads the counters. Any thread, at any time; takes no lock.
pub fn metrics() -> Metrics {
    backend::metrics()
}

/// The counters as Prometheus text (exposition format 0.0.4); each name begins with `prefix` and an underscore. Those of a
/// session are absent while none runs. `None` for a prefix that cannot begin a name.
///
/// ```
/// let text = parklane_tokio::prometheus("service_dial9").unwrap();
/// assert!(text.contains("service_dial9_supported "));
/// ```
pub fn prometheus(prefix: &str) -> Option<String> {
    backend::prometheus(prefix)
}

/// Sets the gauges and counters of the `metrics` facade to what [`metrics()`] says; call it before each scrape, or each few
/// seconds. Names are those of [`prometheus`].
#[cfg(feature = "metrics")]
pub fn publish(prefix: &str) {
    let now = metrics();
    let gauge = |name: &str, value: f64| ::metrics::gauge!(format!("{prefix}_{name}")).set(value);
    let counter = |name: &str, value: u64| ::metrics::counter!(format!("{prefix}_{name}")).absolute(value);

    gauge("supported", f64::from(u8::from(now.supported)));
    gauge("configured", f64::from(u8::from(now.configured)));
    gauge("active_sessions", f64::from(now.active_sessions));
    counter("errors_total", now.errors_total);
    if now.active_sessions == 0 {
        return;
    }
    gauge("writer_healthy", f64::from(u8::from(now.writer_healthy)));
    gauge("attached_threads", f64::from(now.attached_threads));
    gauge("disk_usage_bytes", now.disk_usage_bytes as f64);
    if let Some(age) = now.last_write_age {
        gauge("last_write_age_seconds", age.as_secs_f64());
    }
    counter("events_total", now.events_total);
    counter("dropped_events_total", now.dropped_events_total);
    counter("bytes_written_total", now.bytes_written_total);
    counter("segments_sealed_total", now.segments_sealed_total);
    counter("incomplete_segments_total", now.incomplete_segments_total);
    counter("evicted_segments_total", now.evicted_segments_total);
    counter("compressed_bytes_total", now.compressed_bytes_total);
}
