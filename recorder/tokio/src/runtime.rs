// runtime.rs: a runtime that records: its workers' numbers, and which thread is which worker.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A worker is not a thread: a task that blocks in place hands its worker to another one. So each thread knows its seat, and
// each seat its thread; a thread that finds another one in its seat asks Tokio who it is now. Nothing here allocates after
// the runtime was attached, but for Tokio's own handles.

use crate::ffi;
#[cfg(tokio_unstable)]
use crate::sampler;
use std::cell::{Cell, RefCell};
use std::ffi::CString;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use tokio::runtime::{Handle, RuntimeFlavor, RuntimeMetrics};

/// Workers beyond are not recorded; Tokio itself has a worker per core.
const MAX_WORKERS: usize = 4096;

static NEXT_KEY: AtomicU32 = AtomicU32::new(1);

/// What a thread is in the runtime that it last worked for.
struct Seat {
    key: Cell<u32>,
    index: Cell<u32>,
}

thread_local! {
    static SEAT: Seat = const { Seat { key: Cell::new(0), index: Cell::new(0) } };
    /// Kept by the thread and not by the runtime's hooks, which the runtime owns: nothing would ever be freed.
    static METRICS: RefCell<Option<RuntimeMetrics>> = const { RefCell::new(None) };
}

/// A runtime's numbers in the trace.
#[derive(Clone, Copy)]
pub struct Numbers {
    pub runtime: u32,
    first_worker: u32,
}

pub struct Runtime {
    name: CString,
    key: u32,
    /// `None` inside: the recorder has no room for another runtime.
    numbers: OnceLock<Option<Numbers>>,
    /// By worker: the thread that has the seat, as the address of its own `SEAT`. 0: nobody had it yet.
    seats: Box<[AtomicUsize]>,
    n_threads: AtomicUsize,
    /// For the sampler. Given up when the last thread of the runtime ends.
    sampled: Mutex<Option<RuntimeMetrics>>,
    pub last_sample_ns: AtomicU64,
    #[cfg(tokio_unstable)]
    pub last_counters_ns: AtomicU64,
    #[cfg(not(tokio_unstable))]
    next_seat: AtomicU32,
}

impl Runtime {
    pub fn new(name: CString) -> Self {
        Runtime {
            name,
            key: NEXT_KEY.fetch_add(1, Ordering::Relaxed),
            numbers: OnceLock::new(),
            seats: (0..MAX_WORKERS).map(|_| AtomicUsize::new(0)).collect(),
            n_threads: AtomicUsize::new(0),
            sampled: Mutex::new(None),
            last_sample_ns: AtomicU64::new(0),
            #[cfg(tokio_unstable)]
            last_counters_ns: AtomicU64::new(0),
            #[cfg(not(tokio_unstable))]
            next_seat: AtomicU32::new(0),
        }
    }

    /// The calling thread's worker, as Tokio numbers them; `None` when it is none of this runtime.
    #[inline]
    pub fn worker(&self) -> Option<u32> {
        SEAT.try_with(|seat| {
            let index = seat.index.get();
            let is_ours = seat.key.get() == self.key
                && self
                    .seats
                    .get(index as usize)
                    .is_some_and(|taken| taken.load(Ordering::Relaxed) == address(seat));
            if is_ours {
                Some(index)
            } else {
                self.take_seat(seat)
            }
        })
        .ok()
        .flatten()
    }

    /// Whether the calling thread has, or had, a seat in this runtime.
    #[inline]
    #[cfg_attr(not(tokio_unstable), allow(dead_code))]
    pub fn was_worker(&self) -> bool {
        SEAT.try_with(|seat| seat.key.get() == self.key).unwrap_or(false)
    }

    #[cold]
    fn take_seat(&self, seat: &Seat) -> Option<u32> {
        let handle = Handle::try_current().ok()?;
        let metrics = handle.metrics();
        let index = self.find_worker(&metrics, seat)?;
        let numbers = (*self.numbers.get_or_init(|| self.register(&handle, &metrics)))?;

        ffi::attach_thread(numbers.first_worker + index);
        self.seats.get(index as usize)?.store(address(seat), Ordering::Relaxed);
        seat.index.set(index);
        seat.key.set(self.key);
        // While a thread ends, its metrics may be gone already.
        let _ = METRICS.try_with(|cell| cell.replace(Some(metrics)));
        Some(index)
    }

    fn register(&self, handle: &Handle, metrics: &RuntimeMetrics) -> Option<Numbers> {
        let n_workers = u32::try_from(metrics.num_workers()).ok()?;
        let (runtime, first_worker) = ffi::register_runtime(&self.name, n_workers).ok()?;

        // A runtime without threads of its own samples itself: nobody could tell the sampler of its end.
        if handle.runtime_flavor() != RuntimeFlavor::CurrentThread {
            *self.sampled.lock().unwrap_or_else(PoisonError::into_inner) = Some(metrics.clone());
        }
        Some(Numbers { runtime, first_worker })
    }

    #[cfg(tokio_unstable)]
    fn find_worker(&self, metrics: &RuntimeMetrics, _seat: &Seat) -> Option<u32> {
        let thread = std::thread::current().id();
        let n_workers = metrics.num_workers().min(MAX_WORKERS);

        (0..n_workers).find(|index| metrics.worker_thread_id(*index) == Some(thread)).map(|index| index as u32)
    }

    /// Without Tokio's own numbers, workers are numbered as they show up. Of two threads that had one seat in turn, the
    /// second one is told apart by nothing.
    #[cfg(not(tokio_unstable))]
    fn find_worker(&self, metrics: &RuntimeMetrics, seat: &Seat) -> Option<u32> {
        if seat.key.get() == self.key {
            return Some(seat.index.get());
        }
        let n_workers = metrics.num_workers().min(MAX_WORKERS) as u32;
        Some(self.next_seat.fetch_add(1, Ordering::Relaxed) % n_workers.max(1))
    }

    /// Tasks that wait in the queue of the calling thread, worker `index`.
    #[inline]
    #[cfg(tokio_unstable)]
    pub fn local_queue(&self, index: u32) -> u32 {
        METRICS
            .try_with(|cell| {
                cell.try_borrow().ok().and_then(|metrics| {
                    metrics.as_ref().map(|metrics| metrics.worker_local_queue_depth(index as usize) as u32)
                })
            })
            .ok()
            .flatten()
            .unwrap_or(0)
    }

    #[cfg(not(tokio_unstable))]
    pub fn local_queue(&self, _index: u32) -> u32 {
        0
    }

    pub fn numbers(&self) -> Option<Numbers> {
        self.numbers.get().copied().flatten()
    }

    pub fn thread_starts(&self) {
        self.n_threads.fetch_add(1, Ordering::Relaxed);
    }

    pub fn thread_stops(&self) {
        if self.n_threads.fetch_sub(1, Ordering::Relaxed) == 1 {
            drop(self.sampled.lock().unwrap_or_else(PoisonError::into_inner).take());
        }
    }

    /// For the sampler: the metrics of a runtime that lives. Held under a lock, so that the last thread to end waits.
    pub fn with_metrics(&self, sample: impl FnOnce(&RuntimeMetrics)) {
        if let Some(metrics) = &*self.sampled.lock().unwrap_or_else(PoisonError::into_inner) {
            sample(metrics);
        }
    }

    /// Whether the runtime has no thread of its own that could end, so that it samples itself.
    #[cfg(tokio_unstable)]
    pub fn sample_own(&self) {
        if self.n_threads.load(Ordering::Relaxed) == 0 {
            let _ = METRICS.try_with(|cell| {
                if let Ok(Some(metrics)) = cell.try_borrow().as_deref() {
                    sampler::sample(self, metrics);
                }
            });
        }
    }
}

fn address(seat: &Seat) -> usize {
    std::ptr::from_ref(seat) as usize
}
