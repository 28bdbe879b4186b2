// backend_none.rs: what a session does where recording is not built in: it says so.
// SPDX-License-Identifier: MIT OR Apache-2.0

use crate::message::Level;
use crate::metrics::Metrics;
use crate::Config;
use std::io;
use std::panic::Location;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

static IS_CONFIGURED: AtomicBool = AtomicBool::new(false);
static N_ERRORS: AtomicU64 = AtomicU64::new(0);

pub const NOT_MEASURED: u64 = u64::MAX;

/// Only whether recording is asked for: the answer to that is all there is.
pub fn read_environment(prefix: &str, config: Config) -> Config {
    let name = format!("{prefix}ENABLED");
    let value = std::env::var(&name).unwrap_or_default().to_ascii_lowercase();

    config.enabled(matches!(value.as_str(), "1" | "true" | "yes" | "on"))
}

pub fn metrics() -> Metrics {
    Metrics {
        configured: IS_CONFIGURED.load(Ordering::Relaxed),
        errors_total: N_ERRORS.load(Ordering::Relaxed),
        ..Metrics::default()
    }
}

pub fn prometheus(prefix: &str) -> Option<String> {
    let is_valid = prefix.starts_with(|first: char| first.is_ascii_alphabetic())
        && prefix.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    let metrics = metrics();

    is_valid.then(|| {
        [
            ("supported", "gauge", 0),
            ("configured", "gauge", u64::from(metrics.configured)),
            ("active_sessions", "gauge", 0),
            ("errors_total", "counter", metrics.errors_total),
        ]
        .map(|(name, kind, value)| format!("# TYPE {prefix}_{name} {kind}\n{prefix}_{name} {value}\n"))
        .concat()
    })
}

pub struct Blocking(());

impl Blocking {
    pub fn start(_place: &'static Location<'static>, _queue_wait_ns: u64) -> Self {
        Blocking(())
    }
}

pub fn is_recording() -> bool {
    false
}

pub fn now_ns() -> u64 {
    0
}

/// There is none.
pub enum Running {}

impl Running {
    pub fn start(config: &Config) -> Option<Self> {
        if config.enabled {
            IS_CONFIGURED.store(true, Ordering::Relaxed);
            N_ERRORS.fetch_add(1, Ordering::Relaxed);
            config.say(
                Level::Warning,
                "this build cannot record, and the service runs without: rebuild it with the feature `record` of \
                 parklane-tokio and RUSTFLAGS=\"--cfg tokio_unstable\"",
            );
        }
        None
    }

    pub fn attach(&self, _builder: &mut tokio::runtime::Builder, _name: &str, _config: &Config) {
        match *self {}
    }

    pub fn pause(&self) -> io::Result<()> {
        match *self {}
    }

    pub fn resume(&self) -> io::Result<()> {
        match *self {}
    }

    pub fn rotate(&self) -> io::Result<()> {
        match *self {}
    }

    pub fn flush(&self) -> io::Result<()> {
        match *self {}
    }

    pub fn stop(self) -> io::Result<()> {
        match self {}
    }
}
