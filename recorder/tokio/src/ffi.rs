// ffi.rs: the C recorder: its types and functions, and safe calls of them. All unsafe code of the crate is here.
// SPDX-License-Identifier: MIT OR Apache-2.0

#![allow(unsafe_code)]

use crate::message::{Level, Sink};
use crate::metrics::Metrics;
use crate::{Busy, Clock, Compress, Config};
use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::panic::{catch_unwind, AssertUnwindSafe, Location};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// "Not measured", for optional times.
pub const NOT_MEASURED: u64 = u64::MAX;

const PATH_SIZE: usize = 1024;
const NAME_SIZE: usize = 128;

type LogFunc = extern "C" fn(c_int, *const c_char, *mut c_void);
type DescribeFunc = extern "C" fn(*const c_void, *mut c_char, usize, *mut u32, *mut u32);

/// `ParklaneConfig`.
#[repr(C)]
struct RawConfig {
    struct_size: u32,
    enabled: u32,
    output_dir: [c_char; PATH_SIZE],
    file_prefix: [c_char; NAME_SIZE],
    service_name: [c_char; NAME_SIZE],
    max_file_size: u64,
    rotation_count: u32,
    max_segment_age_s: u32,
    drain_interval_ms: u32,
    clock: c_int,
    compress: c_int,
    time_resolution_ns: u32,
    buffer_size: u64,
    control: u32,
    crash_safe: u32,
    retry_start_s: u32,
    busy: c_int,
    log: Option<LogFunc>,
    log_data: *mut c_void,
}

/// `ParklaneMetrics`.
#[repr(C)]
#[derive(Default)]
struct RawMetrics {
    struct_size: u32,
    configured: u32,
    errors_total: u64,
    attached_threads: u32,
    active_sessions: u32,
    writer_healthy: u32,
    events_total: u64,
    dropped_events_total: u64,
    bytes_written_total: u64,
    disk_usage_bytes: u64,
    segments_sealed_total: u64,
    evicted_segments_total: u64,
    compressed_bytes_total: u64,
    last_write_ns: u64,
    incomplete_segments_total: u64,
}

/// `ParklaneRecorder`, opaque.
#[repr(C)]
struct RawRecorder {
    _private: [u8; 0],
}

/// `ParklaneCounter`.
#[repr(u32)]
#[derive(Clone, Copy)]
#[cfg_attr(not(tokio_unstable), allow(dead_code))]
pub enum Counter {
    Steals,
    StealOperations,
    Overflows,
    RemoteSchedules,
    BudgetYields,
    BlockingQueue,
    BlockingThreads,
    IdleBlockingThreads,
    SpawnedTasks,
}

unsafe extern "C" {
    static parklane_recording: AtomicU32;

    fn parklane_config_init(config: *mut RawConfig);
    fn parklane_config_from_env(
        config: *mut RawConfig,
        prefix: *const c_char,
        log: Option<LogFunc>,
        log_data: *mut c_void,
    ) -> c_int;
    fn parklane_recorder_start(config: *const RawConfig, out: *mut *mut RawRecorder) -> c_int;
    fn parklane_recorder_stop(recorder: *mut RawRecorder) -> c_int;
    fn parklane_recorder_rotate(recorder: *mut RawRecorder) -> c_int;
    fn parklane_recorder_pause(recorder: *mut RawRecorder) -> c_int;
    fn parklane_recorder_resume(recorder: *mut RawRecorder) -> c_int;
    fn parklane_recorder_flush(recorder: *mut RawRecorder) -> c_int;
    fn parklane_place_set_describe(func: DescribeFunc);
    fn parklane_metadata_set(key: *const c_char, value: *const c_char) -> c_int;
    fn parklane_runtime_register(name: *const c_char, n_workers: u32, first: *mut u32) -> c_int;
    fn parklane_thread_attach(worker: u32) -> c_int;
    fn parklane_now_ns() -> u64;
    fn parklane_poll_start_at(task: u64, place: *const c_void, queue: u32, delay_ns: u64) -> u64;
    fn parklane_poll_end() -> u64;
    fn parklane_park_with(queue: u32, cpu_time_ns: u64) -> u64;
    fn parklane_unpark_with(queue: u32, cpu_time_ns: u64, sched_wait_ns: u64) -> u64;
    fn parklane_thread_cpu_time_ns() -> u64;
    fn parklane_task_spawn_at(task: u64, place: *const c_void) -> u64;
    fn parklane_task_terminate(task: u64) -> u64;
    fn parklane_blocking_start(place: *const c_void, queue_wait_ns: u64) -> u64;
    fn parklane_blocking_end() -> u64;
    fn parklane_counter(runtime: u32, counter: Counter, value: u64) -> u64;
    fn parklane_queue_depth(runtime: u32, global_queue: u32, alive_tasks: u32) -> u64;
    fn parklane_metrics_get(out: *mut RawMetrics) -> c_int;
    fn parklane_metrics_format(prefix: *const c_char, text: *mut c_char, size: usize) -> c_int;
}

fn check(result: c_int) -> io::Result<()> {
    if result < 0 {
        return Err(io::Error::from_raw_os_error(-result));
    }
    Ok(())
}

/// The C library's log callback: `data` is a `Sink`.
extern "C" fn log(level: c_int, message: *const c_char, data: *mut c_void) {
    let level = match level {
        0 => Level::Info,
        1 => Level::Warning,
        _ => Level::Error,
    };
    // SAFETY: the library passes a string with its NUL that lives for this call, and the data that came with this function,
    // which is a leaked or borrowed `Sink`.
    let (text, sink) = unsafe { (CStr::from_ptr(message).to_string_lossy(), &*data.cast::<Sink>()) };
    // A panic must not unwind into the recorder, and there is nobody to report it to.
    let _ = catch_unwind(AssertUnwindSafe(|| sink(level, &text)));
}

/// Says what lies at a place: a `Location` of the program.
extern "C" fn describe(
    place: *const c_void,
    file: *mut c_char,
    size: usize,
    line: *mut u32,
    column: *mut u32,
) {
    // SAFETY: places are only ever made of `&'static Location`s, by the functions of this module.
    let location = unsafe { &*place.cast::<Location<'static>>() };
    let bytes = location.file().as_bytes();
    // The front of a path that is too long says less than its end.
    let bytes = &bytes[bytes.len().saturating_sub(size - 1)..];

    // SAFETY: `file` has `size` bytes, of which the text and its NUL take no more; the numbers are the library's.
    unsafe {
        file.copy_from_nonoverlapping(bytes.as_ptr().cast(), bytes.len());
        file.add(bytes.len()).write(0);
        line.write(location.line());
        column.write(location.column());
    }
}

impl RawConfig {
    fn new() -> Box<Self> {
        // SAFETY: all bytes zero is a value of every field; `log` is then none.
        let mut config: Box<Self> = Box::new(unsafe { std::mem::zeroed() });

        // SAFETY: a whole configuration of the layout that the header gives.
        unsafe { parklane_config_init(&mut *config) };
        assert_eq!(config.struct_size as usize, size_of::<Self>(), "ParklaneConfig has another layout");
        config
    }
}

fn text_of(field: &[c_char]) -> &[u8] {
    // SAFETY: `c_char` and `u8` are of one size, and every byte is a valid `u8`.
    let bytes = unsafe { std::slice::from_raw_parts(field.as_ptr().cast::<u8>(), field.len()) };
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

fn set_text(field: &mut [c_char], text: &[u8], what: &str) -> io::Result<()> {
    if text.len() >= field.len() || text.contains(&0) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{what} is longer than {} bytes, or has a NUL in it", field.len() - 1),
        ));
    }
    field.fill(0);
    for (to, from) in field.iter_mut().zip(text) {
        *to = *from as c_char;
    }
    Ok(())
}

fn whole_seconds(time: Option<Duration>) -> u32 {
    // Less than a second must not become "never".
    time.map_or(0, |time| time.as_millis().div_ceil(1000).min(u128::from(u32::MAX)) as u32)
}

/// Reads the environment into `config`; warnings go to its sink.
pub fn read_environment(prefix: &str, mut config: Config) -> Config {
    let mut raw = RawConfig::new();
    let Ok(prefix) = CString::new(prefix) else {
        config.say(Level::Warning, "a prefix of variables has a NUL in it; nothing is read, recording stays off");
        return config.enabled(false);
    };
    let sink: *const Sink = &config.sink;

    // SAFETY: all pointers live for the call; the library calls `log` with the sink during it only.
    unsafe { parklane_config_from_env(&mut *raw, prefix.as_ptr(), Some(log), sink.cast_mut().cast()) };

    config.enabled = raw.enabled != 0;
    config.output_dir = std::ffi::OsStr::from_bytes(text_of(&raw.output_dir)).into();
    config.file_prefix = String::from_utf8_lossy(text_of(&raw.file_prefix)).into_owned();
    config.service_name = String::from_utf8_lossy(text_of(&raw.service_name)).into_owned();
    config.max_file_size = raw.max_file_size;
    config.rotation_count = raw.rotation_count;
    config.max_segment_age =
        (raw.max_segment_age_s > 0).then(|| Duration::from_secs(raw.max_segment_age_s.into()));
    config.drain_interval = Duration::from_millis(raw.drain_interval_ms.into());
    config.clock = if raw.clock == 0 { Clock::Auto } else { Clock::Monotonic };
    config.compress = if raw.compress == 0 { Compress::None } else { Compress::Zstd };
    config.buffer_size = raw.buffer_size;
    config.control = raw.control != 0;
    config.crash_safe = raw.crash_safe != 0;
    config.retry_start = (raw.retry_start_s > 0).then(|| Duration::from_secs(raw.retry_start_s.into()));
    config.busy = if raw.busy == 0 { Busy::Fail } else { Busy::Suffix };
    config
}

/// A running session of the C recorder. Stops it when dropped.
pub struct Recorder(NonNull<RawRecorder>);

// SAFETY: the header allows the calls of a session from any thread, and from several at a time; the one that ends it takes
// the value.
unsafe impl Send for Recorder {}
// SAFETY: as above.
unsafe impl Sync for Recorder {}

impl Recorder {
    pub fn start(config: &Config) -> io::Result<Self> {
        let mut raw = RawConfig::new();
        let mut recorder = std::ptr::null_mut();

        raw.enabled = config.enabled.into();
        set_text(&mut raw.output_dir, config.output_dir.as_os_str().as_bytes(), "the output directory")?;
        set_text(&mut raw.file_prefix, config.file_prefix.as_bytes(), "the file prefix")?;
        set_text(&mut raw.service_name, config.service_name.as_bytes(), "the name of the service")?;
        raw.max_file_size = config.max_file_size;
        raw.rotation_count = config.rotation_count;
        raw.max_segment_age_s = whole_seconds(config.max_segment_age);
        raw.drain_interval_ms = config.drain_interval.as_millis().clamp(1, 1000) as u32;
        raw.clock = (config.clock == Clock::Monotonic).into();
        raw.compress = (config.compress == Compress::Zstd).into();
        raw.buffer_size = config.buffer_size;
        raw.control = config.control.into();
        raw.crash_safe = config.crash_safe.into();
        raw.retry_start_s = whole_seconds(config.retry_start);
        raw.busy = (config.busy == Busy::Suffix).into();
        raw.log = Some(log);
        // The recorder's threads may speak as long as the process lives, so the sink stays; a process has few sessions.
        raw.log_data = Box::into_raw(Box::new(config.sink.clone())).cast();

        // SAFETY: `describe` is a function of the program and stays; what it is asked for are `Location`s.
        unsafe { parklane_place_set_describe(describe) };
        // SAFETY: a whole configuration, and a place for the result.
        check(unsafe { parklane_recorder_start(&*raw, &mut recorder) })?;
        NonNull::new(recorder)
            .map(Recorder)
            .ok_or_else(|| io::Error::other("the recorder gave no session"))
    }

    pub fn rotate(&self) -> io::Result<()> {
        // SAFETY: the session runs as long as this value lives; likewise below.
        check(unsafe { parklane_recorder_rotate(self.0.as_ptr()) })
    }

    pub fn pause(&self) -> io::Result<()> {
        // SAFETY: see rotate().
        check(unsafe { parklane_recorder_pause(self.0.as_ptr()) })
    }

    pub fn resume(&self) -> io::Result<()> {
        // SAFETY: see rotate().
        check(unsafe { parklane_recorder_resume(self.0.as_ptr()) })
    }

    pub fn flush(&self) -> io::Result<()> {
        // SAFETY: see rotate().
        check(unsafe { parklane_recorder_flush(self.0.as_ptr()) })
    }

    /// Ends the session; what was recorded is on file then.
    pub fn stop(self) -> io::Result<()> {
        let recorder = std::mem::ManuallyDrop::new(self);
        // SAFETY: the value is gone, so nobody uses the session any more.
        check(unsafe { parklane_recorder_stop(recorder.0.as_ptr()) })
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // SAFETY: nobody uses the session any more. What kept the last events from the file was told to the sink.
        let _ = unsafe { parklane_recorder_stop(self.0.as_ptr()) };
    }
}

/// Whether a session takes events.
#[inline]
pub fn is_recording() -> bool {
    // SAFETY: a word of the library that is only read here, atomically.
    unsafe { &parklane_recording }.load(Ordering::Relaxed) != 0
}

/// Gives a runtime and its workers numbers. Allocates nothing. The runtime's and the first worker's.
pub fn register_runtime(name: &CStr, n_workers: u32) -> io::Result<(u32, u32)> {
    let mut first = 0;
    // SAFETY: a string and a place for the result.
    let id = unsafe { parklane_runtime_register(name.as_ptr(), n_workers, &mut first) };
    check(id.min(0))?;
    Ok((id as u32, first))
}

/// Adds to the metadata of each segment. What finds no place there is left out.
pub fn set_metadata(key: &CStr, value: &CStr) {
    // SAFETY: two strings, copied.
    let _ = unsafe { parklane_metadata_set(key.as_ptr(), value.as_ptr()) };
}

/// From now on the calling thread records as `worker`.
pub fn attach_thread(worker: u32) {
    // SAFETY: takes no pointer. Without memory the thread's events are counted as dropped.
    let _ = unsafe { parklane_thread_attach(worker) };
}

pub fn now_ns() -> u64 {
    // SAFETY: takes no pointer; any thread.
    unsafe { parklane_now_ns() }
}

#[inline]
#[cfg_attr(not(tokio_unstable), allow(dead_code))]
pub fn poll_start(task: u64, place: &'static Location<'static>, queue: u32, delay_ns: u64) {
    // SAFETY: a place that stays for the life of the process.
    unsafe { parklane_poll_start_at(task, std::ptr::from_ref(place).cast(), queue, delay_ns) };
}

#[inline]
#[cfg_attr(not(tokio_unstable), allow(dead_code))]
pub fn poll_end() {
    // SAFETY: takes no pointer; likewise below.
    unsafe { parklane_poll_end() };
}

pub fn park(queue: u32) {
    // SAFETY: see poll_end().
    unsafe { parklane_park_with(queue, parklane_thread_cpu_time_ns()) };
}

pub fn unpark(queue: u32) {
    // SAFETY: see poll_end().
    unsafe { parklane_unpark_with(queue, parklane_thread_cpu_time_ns(), NOT_MEASURED) };
}

#[cfg_attr(not(tokio_unstable), allow(dead_code))]
pub fn task_spawn(task: u64, place: &'static Location<'static>) {
    // SAFETY: see poll_start().
    unsafe { parklane_task_spawn_at(task, std::ptr::from_ref(place).cast()) };
}

#[cfg_attr(not(tokio_unstable), allow(dead_code))]
pub fn task_terminate(task: u64) {
    // SAFETY: see poll_end().
    unsafe { parklane_task_terminate(task) };
}

pub fn blocking_start(place: &'static Location<'static>, queue_wait_ns: u64) {
    // SAFETY: see poll_start().
    unsafe { parklane_blocking_start(std::ptr::from_ref(place).cast(), queue_wait_ns) };
}

pub fn blocking_end() {
    // SAFETY: see poll_end().
    unsafe { parklane_blocking_end() };
}

#[cfg_attr(not(tokio_unstable), allow(dead_code))]
pub fn counter(runtime: u32, counter: Counter, value: u64) {
    // SAFETY: see poll_end().
    unsafe { parklane_counter(runtime, counter, value) };
}

pub fn queue_depth(runtime: u32, global_queue: u32, alive_tasks: u32) {
    // SAFETY: see poll_end().
    unsafe { parklane_queue_depth(runtime, global_queue, alive_tasks) };
}

pub fn metrics() -> Metrics {
    let mut raw = RawMetrics { struct_size: size_of::<RawMetrics>() as u32, ..RawMetrics::default() };
    // SAFETY: a whole structure that says how large it is.
    let result = unsafe { parklane_metrics_get(&mut raw) };
    debug_assert_eq!(result, 0, "ParklaneMetrics has another layout");

    Metrics {
        supported: true,
        configured: raw.configured != 0,
        active_sessions: raw.active_sessions,
        errors_total: raw.errors_total,
        writer_healthy: raw.writer_healthy != 0,
        attached_threads: raw.attached_threads,
        events_total: raw.events_total,
        dropped_events_total: raw.dropped_events_total,
        bytes_written_total: raw.bytes_written_total,
        disk_usage_bytes: raw.disk_usage_bytes,
        segments_sealed_total: raw.segments_sealed_total,
        incomplete_segments_total: raw.incomplete_segments_total,
        evicted_segments_total: raw.evicted_segments_total,
        compressed_bytes_total: raw.compressed_bytes_total,
        last_write_age: (raw.last_write_ns != 0)
            .then(|| Duration::from_nanos(now_ns().saturating_sub(raw.last_write_ns))),
    }
}

/// The metrics as Prometheus text; `None` for a prefix that is none.
pub fn prometheus(prefix: &str) -> Option<String> {
    let prefix = CString::new(prefix).ok()?;
    let mut text = vec![0u8; 8192];

    loop {
        // SAFETY: a string, and a buffer with its size.
        let length =
            unsafe { parklane_metrics_format(prefix.as_ptr(), text.as_mut_ptr().cast(), text.len()) };
        let length = usize::try_from(length).ok()?;
        if length < text.len() {
            text.truncate(length);
            return String::from_utf8(text).ok();
        }
        text.resize(length + 1, 0);
    }
}
