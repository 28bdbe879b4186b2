//! counts.rs: a program's own account of its tasks: polls by the line that spawned them, stalls with their length.
// SPDX-License-Identifier: GPL-3.0-or-later

use serde_json::{json, Map, Value};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

#[derive(Default)]
struct Line {
    polls: Arc<AtomicU64>,
    tasks: u64,
}

/// What a program counted.
#[derive(Clone, Default)]
pub struct Counts {
    lines: Arc<Mutex<BTreeMap<String, Line>>>,
    stalls: Arc<Mutex<Vec<u64>>>,
    others: Arc<Mutex<Map<String, Value>>>,
}

/// A future whose polls are counted.
pub struct Counted<F> {
    polls: Arc<AtomicU64>,
    inner: Pin<Box<F>>,
}

impl<F: Future> Future for Counted<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        self.polls.fetch_add(1, Ordering::Relaxed);
        self.inner.as_mut().poll(context)
    }
}

impl Counts {
    /// For a task that `file`, `line` spawns; see [`spawn!`].
    pub fn task<F: Future>(&self, file: &str, line: u32, future: F) -> Counted<F> {
        let mut lines = self.lines.lock().unwrap();
        let entry = lines.entry(format!("{file}:{line}")).or_default();
        entry.tasks += 1;
        Counted { polls: Arc::clone(&entry.polls), inner: Box::pin(future) }
    }

    /// Holds the calling thread, and remembers for how long it really was.
    pub fn stall(&self, length: Duration) {
        let begin = Instant::now();
        std::thread::sleep(length);
        self.stalls.lock().unwrap().push(begin.elapsed().as_nanos() as u64);
    }

    /// Anything else that a test wants to know.
    pub fn set(&self, name: &str, value: impl Into<Value>) {
        self.others.lock().unwrap().insert(name.into(), value.into());
    }

    /// One line of JSON on standard output.
    pub fn print(&self) {
        let lines = self.lines.lock().unwrap();
        let lines: Map<_, _> = lines
            .iter()
            .map(|(place, line)| {
                let polls = line.polls.load(Ordering::Relaxed);
                (place.clone(), json!({ "tasks": line.tasks, "polls": polls }))
            })
            .collect();
        let mut all = self.others.lock().unwrap().clone();
        all.insert("lines".into(), lines.into());
        all.insert("stalls".into(), self.stalls.lock().unwrap().clone().into());
        println!("{}", Value::Object(all));
    }
}

/// `tokio::spawn`, with the task's polls counted under the line that says this.
#[macro_export]
macro_rules! spawn {
    ($counts:expr, $future:expr) => {
        ::tokio::spawn($counts.task(file!(), line!(), $future))
    };
}
