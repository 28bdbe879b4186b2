// backend.rs: what a session does where recording is built in.
// SPDX-License-Identifier: MIT OR Apache-2.0

use crate::ffi;
use crate::hooks;
use crate::message::Level;
use crate::metrics::Metrics;
use crate::runtime::Runtime;
use crate::sampler::Sampler;
use crate::Config;
use std::ffi::{CStr, CString};
use std::io;
use std::panic::Location;
use std::sync::Arc;

pub fn read_environment(prefix: &str, config: Config) -> Config {
    ffi::read_environment(prefix, config)
}

pub fn metrics() -> Metrics {
    ffi::metrics()
}

pub fn prometheus(prefix: &str) -> Option<String> {
    ffi::prometheus(prefix)
}

/// Work that the calling thread does and that may block; told as ended when dropped.
pub struct Blocking(());

impl Blocking {
    pub fn start(place: &'static Location<'static>, queue_wait_ns: u64) -> Self {
        ffi::blocking_start(place, queue_wait_ns);
        Blocking(())
    }
}

impl Drop for Blocking {
    fn drop(&mut self) {
        ffi::blocking_end();
    }
}

pub use ffi::{is_recording, now_ns, NOT_MEASURED};

/// What readers of a trace must know of how it came about.
fn describe_build() {
    let entries: &[(&CStr, &CStr)] = if cfg!(tokio_unstable) {
        &[
            (c"tokio.unstable", c"true"),
            (c"tokio.poll_coverage", c"all"),
            (c"parklane.tokio.not_recorded", c"the future of block_on; tasks of a LocalSet"),
        ]
    } else {
        &[
            (c"tokio.unstable", c"false"),
            (c"tokio.poll_coverage", c"none"),
            (c"tokio.local_queue", c"false"),
            (c"parklane.tokio.not_recorded", c"polls; spawns and ends of tasks; local queues; which worker a thread is"),
        ]
    };
    for (key, value) in entries {
        ffi::set_metadata(key, value);
    }
    ffi::set_metadata(c"parklane.tokio.version", VERSION);
}

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => c"",
};

/// What a session runs.
pub struct Running {
    sampler: Option<Sampler>,
    recorder: ffi::Recorder,
}

impl Running {
    /// `None`: it is not asked for, or cannot start, which it says.
    pub fn start(config: &Config) -> Option<Self> {
        describe_build();
        let recorder = match ffi::Recorder::start(config) {
            Ok(recorder) => recorder,
            Err(error) => {
                if config.enabled {
                    config.say(
                        Level::Warning,
                        &format!(
                            "the session cannot start in {}: {error}; the service runs without recording",
                            config.output_dir.display()
                        ),
                    );
                }
                return None;
            }
        };
        let sampler = Sampler::start()
            .inspect_err(|error| {
                config.say(Level::Warning, &format!("queues are not sampled, no thread for it: {error}"));
            })
            .ok();
        Some(Running { sampler, recorder })
    }

    pub fn attach(&self, builder: &mut tokio::runtime::Builder, name: &str, config: &Config) {
        let clean = CString::new(name).ok().filter(|name| name.as_bytes().len() <= 100);
        if clean.is_none() {
            config.say(
                Level::Warning,
                "the name of a runtime is longer than 100 bytes or has a NUL in it; the runtime stays unnamed",
            );
        }
        let runtime = Arc::new(Runtime::new(clean.unwrap_or_default()));

        hooks::install(builder, &runtime, config.task_tracking);
        if let Some(sampler) = &self.sampler {
            sampler.add(&runtime);
        }
    }

    pub fn pause(&self) -> io::Result<()> {
        self.recorder.pause()
    }

    pub fn resume(&self) -> io::Result<()> {
        self.recorder.resume()
    }

    pub fn rotate(&self) -> io::Result<()> {
        self.recorder.rotate()
    }

    pub fn flush(&self) -> io::Result<()> {
        self.recorder.flush()
    }

    pub fn stop(self) -> io::Result<()> {
        drop(self.sampler);
        self.recorder.stop()
    }
}
