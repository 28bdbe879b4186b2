//! scenes.rs: programs of which every poll is known, whoever records them.
// SPDX-License-Identifier: GPL-3.0-or-later

use crate::{spawn, Counts};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::{yield_now, JoinSet};

/// Tasks of some kinds, all through Tokio's own functions: task i of each kind is polled as often as i says.
pub async fn plain(counts: &Counts) {
    let mut tasks = JoinSet::new();
    let (sender, mut receiver) = mpsc::channel(4);

    for i in 0..50 {
        tasks.spawn(counts.task(file!(), line!(), async move {
            for _ in 0..i {
                yield_now().await;
            }
        }));
    }
    let asleep = spawn!(counts, async {
        for _ in 0..20 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    });
    let sends = spawn!(counts, async move {
        for i in 0..1000 {
            sender.send(i).await.expect("somebody listens");
        }
    });
    let receives = spawn!(counts, async move { while receiver.recv().await.is_some() {} });
    while let Some(ended) = tasks.join_next().await {
        ended.expect("a task");
    }
    for task in [asleep, sends, receives] {
        task.await.expect("a task");
    }
}

/// Stalls of 20 to 60 ms among tasks that yield: all of it the same in every run.
pub async fn stalls(counts: &Counts) {
    let mut tasks = JoinSet::new();

    for i in 0..200 {
        tasks.spawn(counts.task(file!(), line!(), async move {
            for _ in 0..i % 7 {
                yield_now().await;
            }
        }));
    }
    while let Some(ended) = tasks.join_next().await {
        ended.expect("a task");
    }
    for i in 0..5 {
        let theirs = counts.clone();
        spawn!(counts, async move {
            yield_now().await;
            theirs.stall(Duration::from_millis(20 + 10 * i));
            yield_now().await;
        })
        .await
        .expect("a task");
    }
}

/// The first kind of task blocks in place until all of the second kind are done, which need its worker for that.
pub async fn block_in_place(counts: &Counts, block: fn(&std::sync::mpsc::Receiver<()>)) {
    for _ in 0..5 {
        let (done, wait) = std::sync::mpsc::channel();
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let blocks = spawn!(counts, async move {
            yield_now().await;
            begun.send(()).expect("somebody waits");
            block(&wait);
            yield_now().await;
        });
        has_begun.await.expect("it begins");
        let theirs = counts.clone();
        let small = spawn!(counts, async move {
            for _ in 0..50 {
                let one = spawn!(theirs, async {
                    yield_now().await;
                    yield_now().await;
                });
                one.await.expect("a task");
            }
        });
        small.await.expect("a task");
        done.send(()).expect("it waits");
        blocks.await.expect("a task");
    }
}

/// What could be taken for tasks that nobody wakes: they only yield, wake themselves, or have ended while their handle is kept.
pub async fn quiet(counts: &Counts) {
    let mut kept = Vec::new();

    for _ in 0..20 {
        kept.push(spawn!(counts, async {
            for _ in 0..100 {
                yield_now().await;
            }
        }));
        kept.push(spawn!(counts, async {
            let mut left = 10;
            std::future::poll_fn(move |context| {
                left -= 1;
                if left == 0 {
                    return std::task::Poll::Ready(());
                }
                context.waker().wake_by_ref();
                std::task::Poll::Pending
            })
            .await;
        }));
        kept.push(spawn!(counts, async {}));
    }
    while !kept.iter().all(|task| task.is_finished()) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // They have ended long ago, and the handles are still here.
    tokio::time::sleep(Duration::from_millis(50)).await;
    drop(kept);
}
