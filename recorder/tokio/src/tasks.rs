// tasks.rs: Tokio's functions for work that blocks, recorded.
// SPDX-License-Identifier: MIT OR Apache-2.0

use crate::backend::{self, Blocking};
use std::panic::Location;
use tokio::task::JoinHandle;

/// [`tokio::task::spawn_blocking`], with the time in the queue and the time it runs in the trace. While nothing records, it
/// is just that.
///
/// # Panics
///
/// Outside a runtime, as Tokio's.
#[track_caller]
pub fn spawn_blocking<F, R>(function: F) -> JoinHandle<R>
where
    F: FnOnce() -> R + Send + 'static,
    R: Send + 'static,
{
    if !backend::is_recording() {
        return tokio::task::spawn_blocking(function);
    }
    let place = Location::caller();
    let asked_ns = backend::now_ns();

    tokio::task::spawn_blocking(move || {
        let _work = Blocking::start(place, backend::now_ns().saturating_sub(asked_ns));
        function()
    })
}

/// [`tokio::task::block_in_place`], with the time it takes in the trace. That the worker goes to another thread meanwhile is
/// recorded for Tokio's own as well.
///
/// # Panics
///
/// On a current-thread runtime, as Tokio's.
#[track_caller]
pub fn block_in_place<F, R>(function: F) -> R
where
    F: FnOnce() -> R,
{
    let place = Location::caller();

    tokio::task::block_in_place(move || {
        let _work = backend::is_recording().then(|| Blocking::start(place, backend::NOT_MEASURED));
        function()
    })
}
