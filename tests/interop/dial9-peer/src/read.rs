// read.rs: visits every event as fast as the crate can, and reads the fields that Parklane's decoder reads.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The callback API is the crate's fastest: it hands out values that borrow from the file and allocates nothing per event.

use dial9_trace_format::decoder::{Decoder, RawEvent};
use dial9_trace_format::types::FieldValueRef;
use std::fs::File;
use std::time::Instant;

/// What was read, so that no read can be left out.
#[derive(Default)]
struct Totals {
    events: u64,
    sum: u64,
}

fn number(value: &FieldValueRef) -> u64 {
    match value {
        FieldValueRef::Varint(number) => *number,
        FieldValueRef::PooledString(id) => u64::from(id.raw_id()),
        _ => 0,
    }
}

impl Totals {
    /// The positions are those of every dial9 recorder since 0.3.10; unpark has its thread last.
    fn add(&mut self, event: &RawEvent) {
        let fields = event.fields;
        let sum = match (event.name, fields.len()) {
            ("PollStartEvent", 4..) => {
                number(&fields[0]) + number(&fields[1]) + number(&fields[2]) + number(&fields[3])
            }
            ("PollEndEvent", 1..) => number(&fields[0]),
            ("WorkerParkEvent", 4..) => {
                number(&fields[0]) + number(&fields[1]) + number(&fields[3])
            }
            ("WorkerUnparkEvent", 5..) => {
                number(&fields[0]) + number(&fields[1]) + number(&fields[4])
            }
            ("TaskSpawnEvent", 2..) => number(&fields[0]) + number(&fields[1]),
            ("TaskTerminateEvent", 1..) => number(&fields[0]),
            ("RuntimeMetricsEvent", 3..) => {
                number(&fields[0]) + number(&fields[1]) + number(&fields[2])
            }
            _ => 0,
        };
        self.events += 1;
        self.sum = self.sum.wrapping_add(sum).wrapping_add(event.timestamp_ns);
    }
}

/// Prints the number of events, the seconds since BEGAN, and a checksum.
pub fn run(paths: &[&str], began: Instant) -> Result<(), String> {
    let mut totals = Totals::default();

    for path in paths {
        let file = File::open(path).map_err(|error| format!("{path}: {error}"))?;
        // SAFETY: nobody changes the files of a benchmark while it runs.
        let map =
            unsafe { memmap2::Mmap::map(&file) }.map_err(|error| format!("{path}: {error}"))?;
        let mut decoder = Decoder::new(&map).ok_or_else(|| format!("{path}: no trace"))?;

        decoder
            .for_each_event(|event| totals.add(&event))
            .map_err(|error| format!("{path}: {error}"))?;
    }
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "events\t{}\nseconds\t{seconds:.6}\nsum\t{}",
        totals.events, totals.sum
    );
    Ok(())
}
