// config.rs: what a session does, from the environment or from a program.
// SPDX-License-Identifier: MIT OR Apache-2.0

use crate::message::{self, Level, Sink};
use crate::{backend, Session};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Which clock events are stamped with. Both tell nanoseconds of `CLOCK_MONOTONIC`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// The processor's cycle counter where it keeps time, else the system's clock.
    #[default]
    Auto,
    /// The system's clock always.
    Monotonic,
}

/// What becomes of a segment after it is sealed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compress {
    /// It stays `PREFIX.N.bin`.
    None,
    /// It becomes `PREFIX.N.bin.zst`; `zstd -d` gives the `.bin` back.
    #[default]
    Zstd,
}

/// What a start does when another process records to the same directory and prefix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Busy {
    /// It fails, and the service runs without recording.
    #[default]
    Fail,
    /// It records under `PREFIX-2`, or the first of `PREFIX-3` to `PREFIX-99` that is free.
    Suffix,
}

/// What a session does: a builder.
///
/// ```no_run
/// # fn main() -> std::io::Result<()> {
/// let mut builder = tokio::runtime::Builder::new_multi_thread();
/// let session = parklane_tokio::Config::new()
///     .output_dir("/var/log/service/telemetry")
///     .service_name("service")
///     .attach(&mut builder);
/// let runtime = builder.build()?;
/// # drop(runtime); drop(session); Ok(()) }
/// ```
#[derive(Clone)]
#[must_use]
pub struct Config {
    pub(crate) enabled: bool,
    pub(crate) output_dir: PathBuf,
    pub(crate) file_prefix: String,
    pub(crate) service_name: String,
    pub(crate) max_file_size: u64,
    pub(crate) rotation_count: u32,
    pub(crate) max_segment_age: Option<Duration>,
    pub(crate) drain_interval: Duration,
    pub(crate) clock: Clock,
    pub(crate) compress: Compress,
    pub(crate) buffer_size: u64,
    pub(crate) control: bool,
    pub(crate) crash_safe: bool,
    pub(crate) retry_start: Option<Duration>,
    pub(crate) busy: Busy,
    pub(crate) runtime_name: String,
    pub(crate) task_tracking: bool,
    pub(crate) sink: Sink,
}

impl Default for Config {
    fn default() -> Self {
        Self::new()
    }
}

impl Config {
    /// Recording on, with the recorder's defaults: directory `/var/log/parklane`, prefix `parklane`, segments of 100 MiB,
    /// at most ten of them, compressed.
    pub fn new() -> Self {
        Config {
            enabled: true,
            output_dir: PathBuf::from("/var/log/parklane"),
            file_prefix: "parklane".into(),
            service_name: String::new(),
            max_file_size: 100 * 1024 * 1024,
            rotation_count: 10,
            max_segment_age: None,
            drain_interval: Duration::from_millis(10),
            clock: Clock::default(),
            compress: Compress::default(),
            buffer_size: 16 * 1024 * 1024,
            control: false,
            crash_safe: true,
            retry_start: None,
            busy: Busy::default(),
            runtime_name: "main".into(),
            task_tracking: true,
            sink: message::to_stderr(),
        }
    }

    /// Reads the environment: `PREFIX` followed by `ENABLED`, `OUTPUT_DIR`, `FILE_PREFIX`, `MAX_FILE_SIZE`,
    /// `ROTATION_COUNT` and, unless the prefix is `RUSTFS_RUNTIME_DIAL9_`, `SERVICE_NAME`, `MAX_SEGMENT_AGE`,
    /// `DRAIN_INTERVAL`, `CLOCK`, `COMPRESS`, `BUFFER_SIZE`, `CONTROL`, `CRASH_SAFE`, `RETRY_START`, `BUSY`,
    /// `TIME_RESOLUTION`. Recording is off unless `ENABLED` says so. What cannot be honoured is a warning on standard error
    /// and changes nothing else.
    ///
    /// Not beside `std::env::set_var`.
    pub fn from_env(prefix: &str) -> Self {
        Self::from_env_with(prefix, message::to_stderr())
    }

    /// As [`Config::from_env`], with the messages going to `sink`, as [`Config::on_message`] says.
    pub fn from_env_to(prefix: &str, sink: impl Fn(Level, &str) + Send + Sync + 'static) -> Self {
        Self::from_env_with(prefix, Arc::new(sink))
    }

    fn from_env_with(prefix: &str, sink: Sink) -> Self {
        let config = Config { sink, ..Self::new() };
        backend::read_environment(prefix, config)
    }

    /// Whether to record at all.
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// Directory of the segments, made when missing.
    pub fn output_dir(mut self, path: impl AsRef<Path>) -> Self {
        self.output_dir = path.as_ref().into();
        self
    }

    /// Segments are `PREFIX.N.bin`. At most 100 bytes, no `/`, no leading `.`.
    pub fn file_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.file_prefix = prefix.into();
        self
    }

    /// Metadata `service_name`.
    pub fn service_name(mut self, name: impl Into<String>) -> Self {
        self.service_name = name.into();
        self
    }

    /// Bytes of a segment before it is sealed; at least 65536.
    pub fn max_file_size(mut self, bytes: u64) -> Self {
        self.max_file_size = bytes;
        self
    }

    /// The budget on disk is [`Config::max_file_size`] times this.
    pub fn rotation_count(mut self, count: u32) -> Self {
        self.rotation_count = count;
        self
    }

    /// Seals a segment that is so old, in whole seconds.
    pub fn max_segment_age(mut self, age: Duration) -> Self {
        self.max_segment_age = Some(age);
        self
    }

    /// How often what is recorded goes into the file, 1 ms to 1 s.
    pub fn drain_interval(mut self, interval: Duration) -> Self {
        self.drain_interval = interval;
        self
    }

    /// The clock.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// What becomes of sealed segments.
    pub fn compress(mut self, compress: Compress) -> Self {
        self.compress = compress;
        self
    }

    /// Bytes of memory for what cannot be written at present.
    pub fn buffer_size(mut self, bytes: u64) -> Self {
        self.buffer_size = bytes;
        self
    }

    /// Whether `parklane-cli record` may steer the session through a socket in the directory.
    pub fn control(mut self, control: bool) -> Self {
        self.control = control;
        self
    }

    /// Whether what is recorded outlives a kill of the process.
    pub fn crash_safe(mut self, crash_safe: bool) -> Self {
        self.crash_safe = crash_safe;
        self
    }

    /// Tries a start that failed for a reason that may pass again after this time, in whole seconds.
    pub fn retry_start(mut self, after: Duration) -> Self {
        self.retry_start = Some(after);
        self
    }

    /// What to do when another process records to the same place.
    pub fn busy(mut self, busy: Busy) -> Self {
        self.busy = busy;
        self
    }

    /// Name of the runtime that [`Config::attach`] is for; its lanes are grouped under it. At most 100 bytes.
    pub fn runtime_name(mut self, name: impl Into<String>) -> Self {
        self.runtime_name = name.into();
        self
    }

    /// Whether the spawning and the end of tasks are recorded, beside their polls.
    pub fn task_tracking(mut self, tracking: bool) -> Self {
        self.task_tracking = tracking;
        self
    }

    /// Where messages go instead of standard error. Called from this thread and from the recorder's own; it may block or
    /// panic without harm to the service.
    pub fn on_message(mut self, sink: impl Fn(Level, &str) + Send + Sync + 'static) -> Self {
        self.sink = Arc::new(sink);
        self
    }

    /// Starts a session and lets the runtime that `builder` builds record to it. Never fails: when the session cannot start
    /// it says so, counts it in `errors_total`, and the runtime runs plain.
    ///
    /// A callback that `builder` has for the same occasion (`on_thread_park`, `on_before_task_poll`, …) is replaced: Tokio
    /// holds one of each.
    pub fn attach(self, builder: &mut tokio::runtime::Builder) -> Session {
        let name = self.runtime_name.clone();
        let session = Session::start(self);
        session.attach(builder, &name);
        session
    }

    pub(crate) fn say(&self, level: Level, text: &str) {
        (self.sink)(level, text);
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Config")
            .field("enabled", &self.enabled)
            .field("output_dir", &self.output_dir)
            .field("file_prefix", &self.file_prefix)
            .field("service_name", &self.service_name)
            .field("max_file_size", &self.max_file_size)
            .field("rotation_count", &self.rotation_count)
            .field("runtime_name", &self.runtime_name)
            .finish_non_exhaustive()
    }
}
