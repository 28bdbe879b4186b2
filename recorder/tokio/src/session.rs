// session.rs: the process's session: from its start to the last byte on file.
// SPDX-License-Identifier: MIT OR Apache-2.0

use crate::backend::Running;
use crate::metrics::{metrics, Metrics};
use crate::Config;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

/// How recording stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// Nothing is recorded: it was not asked for, could not start, or has ended.
    Off,
    /// What is recorded reaches the disk.
    Ok,
    /// The disk refuses at present: what is recorded is kept in memory, and it is tried again.
    Degraded,
}

struct Inner {
    config: Config,
    running: RwLock<Option<Running>>,
}

impl Inner {
    fn stop(&self) -> io::Result<()> {
        let running = self.running.write().unwrap_or_else(PoisonError::into_inner).take();
        running.map_or(Ok(()), Running::stop)
    }

    fn with(&self, action: impl FnOnce(&Running) -> io::Result<()>) -> io::Result<()> {
        match &*self.running.read().unwrap_or_else(PoisonError::into_inner) {
            Some(running) => action(running),
            None => Err(io::Error::new(io::ErrorKind::NotConnected, "no session runs")),
        }
    }
}

/// The session that [`shutdown`] ends.
static CURRENT: Mutex<Weak<Inner>> = Mutex::new(Weak::new());

/// A session, running or not: a service that cannot record works with one all the same. Dropping it writes what was recorded
/// and seals the segment. Keep it until the runtime is gone.
#[must_use = "dropping the session ends it"]
pub struct Session {
    inner: Arc<Inner>,
}

impl Session {
    /// Starts a session without a runtime; [`Session::attach`] adds them. Never fails, see [`Config::attach`].
    pub fn start(config: Config) -> Self {
        let running = Running::start(&config);
        let is_running = running.is_some();
        let inner = Arc::new(Inner { config, running: RwLock::new(running) });

        if is_running {
            *CURRENT.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(&inner);
        }
        Session { inner }
    }

    /// Lets one more runtime of the process record to this session, under a name of its own; empty: unnamed. Before the
    /// runtime is built.
    pub fn attach(&self, builder: &mut tokio::runtime::Builder, name: &str) {
        if let Some(running) = &*self.inner.running.read().unwrap_or_else(PoisonError::into_inner) {
            running.attach(builder, name, &self.inner.config);
        }
    }

    /// Whether a session runs.
    pub fn is_running(&self) -> bool {
        self.inner.running.read().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Takes no more events until [`Session::resume`]; the trace tells the pause as a gap.
    pub fn pause(&self) -> io::Result<()> {
        self.inner.with(Running::pause)
    }

    /// Takes events again.
    pub fn resume(&self) -> io::Result<()> {
        self.inner.with(Running::resume)
    }

    /// Seals the current segment and begins a new one, soon.
    pub fn rotate(&self) -> io::Result<()> {
        self.inner.with(Running::rotate)
    }

    /// Waits until all that this thread recorded is in the segment file; at most two seconds. Blocks.
    pub fn flush(&self) -> io::Result<()> {
        self.inner.with(Running::flush)
    }

    /// How recording stands at this moment.
    pub fn health(&self) -> Health {
        let metrics = metrics();
        match (self.is_running() && metrics.active_sessions > 0, metrics.writer_healthy) {
            (false, _) => Health::Off,
            (true, true) => Health::Ok,
            (true, false) => Health::Degraded,
        }
    }

    /// The counters of the process and its session.
    pub fn metrics(&self) -> Metrics {
        metrics()
    }

    /// Ends the session: writes what was recorded and seals the segment. Blocks for as long as the disk takes. Runtimes go
    /// on, unrecorded.
    pub fn shutdown(&self) -> io::Result<()> {
        self.inner.stop()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // What kept the last events from the file was told as a message.
        let _ = self.inner.stop();
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Session").field("is_running", &self.is_running()).finish_non_exhaustive()
    }
}

/// Records the runtime that `builder` builds as the environment says under the prefix `PARKLANE_`:
/// `Config::from_env("PARKLANE_").attach(builder)`.
pub fn attach(builder: &mut tokio::runtime::Builder) -> Session {
    Config::from_env("PARKLANE_").attach(builder)
}

/// Ends the process's session, wherever it is: for whoever handles `SIGTERM` and is about to leave with
/// [`std::process::exit`], which drops nothing. Not for the signal handler itself, but for what it wakes, such as
/// `tokio::signal::ctrl_c`. Blocks for as long as the disk takes; without a session it does nothing.
pub fn shutdown() -> io::Result<()> {
    let current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
    current.map_or(Ok(()), |inner| inner.stop())
}
