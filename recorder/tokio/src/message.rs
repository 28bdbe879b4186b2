// message.rs: what the recorder has to say to the service's operator.
// SPDX-License-Identifier: MIT OR Apache-2.0

use std::fmt;
use std::sync::Arc;

/// How serious a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For the record.
    Info,
    /// Something is not as it was asked for; recording goes on, or the service runs on without it.
    Warning,
    /// What was recorded does not reach the disk.
    Error,
}

impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Level::Info => "info",
            Level::Warning => "warning",
            Level::Error => "error",
        })
    }
}

/// Receives messages; from the thread that reads a configuration or starts a session, and from the recorder's own.
pub(crate) type Sink = Arc<dyn Fn(Level, &str) + Send + Sync>;

/// Standard error, where a service's messages end up unless it says otherwise.
pub(crate) fn to_stderr() -> Sink {
    Arc::new(|level, text| eprintln!("parklane: {level}: {text}"))
}
