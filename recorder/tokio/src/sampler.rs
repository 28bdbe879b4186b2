// sampler.rs: queue depths every 10 ms, counters every second.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// In a thread of its own, since queues are of interest most when all workers are stuck.

use crate::ffi;
use crate::runtime::Runtime;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::runtime::RuntimeMetrics;

const INTERVAL: Duration = Duration::from_millis(10);
const INTERVAL_NS: u64 = 10_000_000;
#[cfg(tokio_unstable)]
const COUNTERS_INTERVAL_NS: u64 = 1_000_000_000;

#[derive(Default)]
struct Shared {
    must_stop: AtomicBool,
    runtimes: Mutex<Vec<Weak<Runtime>>>,
}

/// The thread; ends when dropped.
pub struct Sampler {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Sampler {
    pub fn start() -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("parklane-sample".into()).spawn(move || run(&theirs))?;

        Ok(Sampler { shared, thread: Some(thread) })
    }

    pub fn add(&self, runtime: &Arc<Runtime>) {
        let mut runtimes = self.shared.runtimes.lock().unwrap_or_else(PoisonError::into_inner);
        runtimes.retain(|runtime| runtime.strong_count() > 0);
        runtimes.push(Arc::downgrade(runtime));
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        self.shared.must_stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It does not panic; if it did, there is nothing left to do about it.
            let _ = thread.join();
        }
    }
}

fn run(shared: &Shared) {
    while !shared.must_stop.load(Ordering::Relaxed) {
        std::thread::park_timeout(INTERVAL);
        if !ffi::is_recording() {
            continue;
        }
        for runtime in &*shared.runtimes.lock().unwrap_or_else(PoisonError::into_inner) {
            if let Some(runtime) = runtime.upgrade() {
                runtime.with_metrics(|metrics| sample(&runtime, metrics));
            }
        }
    }
}

/// Records what is due of a runtime.
pub fn sample(runtime: &Runtime, metrics: &RuntimeMetrics) {
    let now_ns = ffi::now_ns();
    let Some(numbers) = runtime.numbers() else { return };

    // A little early is in time: the thread's wake-ups are not exact.
    if now_ns.saturating_sub(runtime.last_sample_ns.load(Ordering::Relaxed)) < INTERVAL_NS * 9 / 10 {
        return;
    }
    runtime.last_sample_ns.store(now_ns, Ordering::Relaxed);
    ffi::queue_depth(
        numbers.runtime,
        saturate(metrics.global_queue_depth()),
        saturate(metrics.num_alive_tasks()),
    );

    #[cfg(tokio_unstable)]
    if now_ns.saturating_sub(runtime.last_counters_ns.load(Ordering::Relaxed)) >= COUNTERS_INTERVAL_NS {
        runtime.last_counters_ns.store(now_ns, Ordering::Relaxed);
        tell_counters(numbers.runtime, metrics);
    }
}

#[cfg(tokio_unstable)]
fn tell_counters(runtime: u32, metrics: &RuntimeMetrics) {
    use ffi::Counter;

    let sum = |of_worker: fn(&RuntimeMetrics, usize) -> u64| {
        (0..metrics.num_workers()).map(|worker| of_worker(metrics, worker)).fold(0, u64::wrapping_add)
    };
    let counters = [
        (Counter::Steals, sum(RuntimeMetrics::worker_steal_count)),
        (Counter::StealOperations, sum(RuntimeMetrics::worker_steal_operations)),
        (Counter::Overflows, sum(RuntimeMetrics::worker_overflow_count)),
        (Counter::RemoteSchedules, metrics.remote_schedule_count()),
        (Counter::BudgetYields, metrics.budget_forced_yield_count()),
        (Counter::BlockingQueue, metrics.blocking_queue_depth() as u64),
        (Counter::BlockingThreads, metrics.num_blocking_threads() as u64),
        (Counter::IdleBlockingThreads, metrics.num_idle_blocking_threads() as u64),
        (Counter::SpawnedTasks, metrics.spawned_tasks_count()),
    ];
    for (counter, value) in counters {
        ffi::counter(runtime, counter, value);
    }
}

fn saturate(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
