// lib.rs: the crate's face: what it is made of, and which builds it refuses.
// SPDX-License-Identifier: MIT OR Apache-2.0

#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

#[cfg(all(feature = "record", not(tokio_unstable)))]
compile_error!(
    "parklane-tokio records through Tokio's unstable hooks, and this build lacks `--cfg tokio_unstable`.\n\
     Put `rustflags = [\"--cfg\", \"tokio_unstable\"]` under `[build]` in .cargo/config.toml of the workspace, or set \
     RUSTFLAGS=\"--cfg tokio_unstable\".\n\
     If the file has it already: RUSTFLAGS in the environment REPLACES the rustflags of .cargo/config.toml, it does not \
     add to them; then put the flag into RUSTFLAGS as well, or unset it.\n\
     A build without recording needs `default-features = false`."
);

mod config;
mod message;
mod metrics;
mod session;
mod tasks;

#[cfg(any(feature = "record", feature = "stable-hooks"))]
mod ffi;
#[cfg(any(feature = "record", feature = "stable-hooks"))]
mod hooks;
#[cfg(any(feature = "record", feature = "stable-hooks"))]
mod runtime;
#[cfg(any(feature = "record", feature = "stable-hooks"))]
mod sampler;

#[cfg(any(feature = "record", feature = "stable-hooks"))]
mod backend;
#[cfg(not(any(feature = "record", feature = "stable-hooks")))]
#[path = "backend_none.rs"]
mod backend;

pub use config::{Busy, Clock, Compress, Config};
pub use message::Level;
pub use metrics::{metrics, prometheus, Metrics};
#[cfg(feature = "metrics")]
pub use metrics::publish;
pub use parklane_tokio_macros::{main};
pub use session::{attach, shutdown, Health, Session};
pub use tasks::{block_in_place, spawn_blocking};

/// Whether this build can record. Without the features `record` and `stable-hooks` it cannot: asking for it warns, and
/// the service runs on a plain runtime.
pub const SUPPORTED: bool = cfg!(any(feature = "record", feature = "stable-hooks"));

/// For the attribute [`main`].
#[doc(hidden)]
pub mod __private {
    pub use tokio;
}
