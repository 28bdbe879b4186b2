// hooks.rs: Tokio's hooks, each of which becomes an event.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Hooks run on the service's workers: they have nothing in them that can panic, and those of polls, parks and tasks neither
// allocate nor lock, but for the first event of a thread, which gets it a seat and a ring.

use crate::ffi;
use crate::runtime::Runtime;
use std::sync::Arc;
use tokio::runtime::Builder;

/// Installs the hooks that this build of Tokio has.
pub fn install(builder: &mut Builder, runtime: &Arc<Runtime>, is_tracking: bool) {
    let state = Arc::clone(runtime);
    builder.on_thread_start(move || state.thread_starts());
    let state = Arc::clone(runtime);
    builder.on_thread_stop(move || state.thread_stops());
    let state = Arc::clone(runtime);
    builder.on_thread_park(move || park(&state));
    let state = Arc::clone(runtime);
    builder.on_thread_unpark(move || unpark(&state));

    #[cfg(tokio_unstable)]
    tasks::install(builder, runtime, is_tracking);
    #[cfg(not(tokio_unstable))]
    let _ = is_tracking;
}

fn park(runtime: &Runtime) {
    if !ffi::is_recording() {
        return;
    }
    if let Some(worker) = runtime.worker() {
        ffi::park(runtime.local_queue(worker));
    }
    #[cfg(tokio_unstable)]
    runtime.sample_own();
}

fn unpark(runtime: &Runtime) {
    if !ffi::is_recording() {
        return;
    }
    if let Some(worker) = runtime.worker() {
        ffi::unpark(runtime.local_queue(worker));
    }
}

#[cfg(tokio_unstable)]
mod tasks {
    use super::{ffi, Arc, Builder, Runtime};
    use std::hash::{Hash, Hasher};
    use tokio::runtime::TaskMeta;

    pub fn install(builder: &mut Builder, runtime: &Arc<Runtime>, is_tracking: bool) {
        let state = Arc::clone(runtime);
        builder.on_before_task_poll(move |task| poll_start(&state, task));
        let state = Arc::clone(runtime);
        builder.on_after_task_poll(move |_| poll_end(&state));
        if is_tracking {
            builder.on_task_spawn(spawn);
            builder.on_task_terminate(terminate);
        }
        #[cfg(feature = "schedule-latency")]
        builder.track_task_schedule_latency();
    }

    /// Takes the number out of an id, which hands it to nobody but a hasher.
    struct TaskNumber(u64);

    impl Hasher for TaskNumber {
        fn write(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 = self.0 << 8 | u64::from(*byte);
            }
        }

        fn write_u64(&mut self, number: u64) {
            self.0 = number;
        }

        fn finish(&self) -> u64 {
            self.0
        }
    }

    #[inline]
    fn number(task: &TaskMeta<'_>) -> u64 {
        let mut number = TaskNumber(0);
        task.id().hash(&mut number);
        number.finish()
    }

    #[inline]
    fn delay_ns(_task: &TaskMeta<'_>) -> u64 {
        #[cfg(feature = "schedule-latency")]
        if let Some(latency) = _task.schedule_latency() {
            return u64::try_from(latency.as_nanos()).unwrap_or(ffi::NOT_MEASURED);
        }
        ffi::NOT_MEASURED
    }

    fn poll_start(runtime: &Runtime, task: &TaskMeta<'_>) {
        if !ffi::is_recording() {
            return;
        }
        if let Some(worker) = runtime.worker() {
            ffi::poll_start(number(task), task.spawned_at(), runtime.local_queue(worker), delay_ns(task));
        }
    }

    fn poll_end(runtime: &Runtime) {
        // A thread without a seat has recorded no start. One that has lost it since is still the one that polls.
        if ffi::is_recording() && runtime.was_worker() {
            ffi::poll_end();
        }
    }

    fn spawn(task: &TaskMeta<'_>) {
        if ffi::is_recording() {
            ffi::task_spawn(number(task), task.spawned_at());
        }
    }

    fn terminate(task: &TaskMeta<'_>) {
        if ffi::is_recording() {
            ffi::task_terminate(number(task));
        }
    }
}
