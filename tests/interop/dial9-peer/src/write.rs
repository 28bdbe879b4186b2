// write.rs: writes a random valid stream, with every frame and every field type that there is.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A stream is several batches, each the buffer of one of a few threads with a worker each, as dial9 writes them: polls,
// parks and tasks that make sense, in schemas whose field order and widths differ from batch to batch, and among them
// events of the application with any values at any times. What the crate's encoder never writes by itself is put
// together here: frames of pools with several entries, schemas once more, schemas without time stamps, resets in a row,
// empty batches.

use crate::random::Random;
use crate::schema;
use dial9_trace_format::codec::{PoolEntry, StackPoolEntry};
use dial9_trace_format::decoder::Decoder;
use dial9_trace_format::encoder::{Encoder, Schema};
use dial9_trace_format::schema::{FieldDef, SchemaEntry};
use dial9_trace_format::types::{FieldType, FieldValue, InternedString};
use std::io;

const HEADER: &[u8] = b"TRC\0\x01";

/// Types of a batch by their index in schema.rs; the last two are the application's.
const POLL_START: usize = 0;
const POLL_END: usize = 1;
const PARK: usize = 2;
const UNPARK: usize = 3;
const SPAWN: usize = 4;
const TERMINATE: usize = 5;
const FIRST_CUSTOM: usize = 6;

/// A worker and its thread: what is true of it over all batches.
struct Worker {
    id: u64,
    tid: u64,
    at_ns: u64,
    is_polling: bool,
    is_parked: bool,
}

struct Stream {
    random: Random,
    workers: Vec<Worker>,
    next_task: u64,
    bytes: Vec<u8>,
}

/// One of the unsigned types that hold LIMIT.
fn unsigned(random: &mut Random, limit: u64) -> FieldType {
    let kinds = match limit {
        0..=0xff => &[
            FieldType::Varint,
            FieldType::U8,
            FieldType::U16,
            FieldType::U32,
        ][..],
        0x100..=0xffff => &[FieldType::Varint, FieldType::U16, FieldType::U32],
        _ => &[FieldType::Varint, FieldType::U32],
    };
    kinds[random.below(kinds.len())]
}

/// A built-in event: dial9's own layout in two of three cases, else any order and any width, and fields of a future
/// version in between.
fn built_in(random: &mut Random, name: &str, fields: &[(&str, FieldType, u64)]) -> SchemaEntry {
    if !random.one_in(3) {
        return SchemaEntry::new(
            name,
            fields
                .iter()
                .map(|(name, kind, _)| FieldDef::new(*name, *kind)),
        );
    }
    let mut definitions: Vec<FieldDef> = fields
        .iter()
        .map(|(name, kind, limit)| {
            let kind = if *limit > 0 {
                unsigned(random, *limit)
            } else {
                *kind
            };
            FieldDef::new(*name, kind)
        })
        .collect();
    for i in 0..random.below(3) {
        definitions.push(FieldDef::new(
            format!("future{i}"),
            schema::random_type(random),
        ));
    }
    for i in (1..definitions.len()).rev() {
        definitions.swap(i, random.below(i + 1));
    }
    SchemaEntry::new(name, definitions)
}

fn batch_schemas(random: &mut Random) -> Vec<SchemaEntry> {
    const QUEUE: (&str, FieldType, u64) = ("local_queue", FieldType::U8, 0xff);
    const WORKER: (&str, FieldType, u64) = ("worker_id", FieldType::Varint, 0xffff);
    const TASK: (&str, FieldType, u64) = ("task_id", FieldType::Varint, 0xffff_ffff);
    const LOCATION: (&str, FieldType, u64) = ("spawn_loc", FieldType::PooledString, 0);
    const CPU: (&str, FieldType, u64) = ("cpu_time_ns", FieldType::Varint, 0xffff_ffff);
    const TID: (&str, FieldType, u64) = ("tid", FieldType::U32, 0xffff_ffff);
    const WAIT: (&str, FieldType, u64) = ("sched_wait_ns", FieldType::OptionalVarint, 0);
    const INSTRUMENTED: (&str, FieldType, u64) = ("instrumented", FieldType::Bool, 0);

    let mut schemas = vec![
        built_in(random, "PollStartEvent", &[WORKER, QUEUE, TASK, LOCATION]),
        built_in(random, "PollEndEvent", &[WORKER]),
        built_in(random, "WorkerParkEvent", &[WORKER, QUEUE, CPU, TID]),
        built_in(
            random,
            "WorkerUnparkEvent",
            &[WORKER, QUEUE, CPU, WAIT, TID],
        ),
        built_in(random, "TaskSpawnEvent", &[TASK, LOCATION, INSTRUMENTED]),
        built_in(random, "TaskTerminateEvent", &[TASK]),
    ];
    for i in FIRST_CUSTOM..schema::N_TYPES {
        // The same name in every batch, with other fields.
        schemas.push(schema::random_schema(
            random,
            format!("Custom{i}"),
            schema::may_be_annotated(i),
        ));
    }
    schemas
}

/// The known fields get what makes sense, the others anything.
fn write_built_in(
    stream: &mut Stream,
    encoder: &mut Encoder,
    worker: usize,
    index: usize,
    task: u64,
) -> io::Result<()> {
    const LOCATIONS: [&str; 4] = ["src/main.rs:1:2", "src/é.rs:10:20", "C:\\a.rs:3:4", ""];
    let location = encoder.intern_string(LOCATIONS[task as usize % LOCATIONS.len()])?;
    let entry = schema::schema(index);
    let mut values = Vec::new();

    for field in entry.fields() {
        values.push(match field.name() {
            "worker_id" => FieldValue::Varint(stream.workers[worker].id),
            "local_queue" => FieldValue::Varint(stream.random.next() & 0xff),
            "task_id" => FieldValue::Varint(task),
            "spawn_loc" => FieldValue::PooledString(location),
            "cpu_time_ns" => FieldValue::Varint(stream.workers[worker].at_ns & 0xffff_ffff),
            "tid" => FieldValue::Varint(stream.workers[worker].tid),
            _ => schema::random_value(&mut stream.random, encoder, field.field_type())?,
        });
    }
    schema::write(encoder, index, stream.workers[worker].at_ns, &values)
}

/// The next thing that the thread does; in one of fifty cases a half of a poll gets lost.
fn write_scheduler_event(
    stream: &mut Stream,
    encoder: &mut Encoder,
    worker: usize,
) -> io::Result<()> {
    let steps = [
        0,
        1,
        100,
        5_000,
        1_000_000,
        16_777_215,
        16_777_216,
        2_000_000_000,
    ];
    let step = steps[stream.random.below(steps.len())];
    let is_lost = stream.random.one_in(50);
    let state = &mut stream.workers[worker];

    state.at_ns += step;
    let index = if state.is_parked {
        state.is_parked = false;
        UNPARK
    } else if state.is_polling {
        match stream.random.below(4) {
            0 => SPAWN,
            1 => TERMINATE,
            _ => POLL_END,
        }
    } else if stream.random.one_in(3) {
        state.is_parked = true;
        PARK
    } else {
        POLL_START
    };
    match index {
        POLL_START => state.is_polling = true,
        POLL_END => state.is_polling = false,
        _ => (),
    }
    if is_lost && (index == POLL_START || index == POLL_END) {
        return Ok(());
    }
    if index == SPAWN {
        stream.next_task += 1;
    }
    let task = stream.next_task - (stream.random.next() % 8).min(stream.next_task);
    write_built_in(stream, encoder, worker, index, task)
}

/// An event of the application: near the thread's time, or at any time at all.
fn write_custom(stream: &mut Stream, encoder: &mut Encoder, worker: usize) -> io::Result<()> {
    let index = FIRST_CUSTOM + stream.random.below(schema::N_TYPES - FIRST_CUSTOM);
    let at_ns = if stream.random.one_in(4) {
        stream.random.number()
    } else {
        stream.workers[worker].at_ns
    };
    let mut values = Vec::new();

    for field in schema::schema(index).fields() {
        values.push(schema::random_value(
            &mut stream.random,
            encoder,
            field.field_type(),
        )?);
    }
    schema::write(encoder, index, at_ns, &values)
}

/// Through `write_event`, which is made for schemas of run time.
fn write_dynamic(stream: &mut Stream, encoder: &mut Encoder, schemas: &[Schema]) -> io::Result<()> {
    let schema = &schemas[stream.random.below(schemas.len())];
    let mut values = Vec::new();

    for field in schema.fields() {
        values.push(schema::random_value(
            &mut stream.random,
            encoder,
            field.field_type(),
        )?);
    }
    let at_ns = stream.random.number();
    encoder.write_event(schema, at_ns, &values)
}

/// Without the widths that `write_event` does not heed.
fn dynamic_schemas(random: &mut Random) -> Vec<Schema> {
    let narrow = [FieldType::U8, FieldType::U16, FieldType::U32];
    let mut schemas = Vec::new();

    while schemas.len() < 2 {
        let entry = schema::random_schema(random, format!("Dynamic{}", schemas.len()), true);
        if entry
            .fields()
            .iter()
            .all(|field| !narrow.contains(&field.field_type().inner()))
        {
            schemas.push(Schema::from_entry(entry));
        }
    }
    schemas
}

/// Pools with several entries or none; ids once more, with another content, which then holds.
fn write_pools(stream: &mut Stream, encoder: &mut Encoder) -> io::Result<()> {
    let random = &mut stream.random;
    let n = random.below(4);
    let strings: Vec<PoolEntry> = (0..n)
        .map(|_| PoolEntry {
            pool_id: u32::MAX - random.below(3) as u32,
            data: random.text().into_bytes(),
        })
        .collect();
    encoder.write_string_pool(&strings)?;
    let stacks: Vec<StackPoolEntry> = (0..n)
        .map(|_| StackPoolEntry {
            pool_id: 1_000_000 + random.below(3) as u32,
            frames: (0..random.below(3)).map(|_| random.number()).collect(),
        })
        .collect();
    encoder.write_stack_pool(&stacks)
}

/// An event with a string that was never defined, one that is defined later only, and one that was redefined.
fn write_loose_references(stream: &mut Stream, encoder: &mut Encoder) -> io::Result<()> {
    let fields = vec![FieldDef::new("text", FieldType::PooledString)];
    let schema = encoder.register_schema("Loose", fields)?;
    let id = InternedString::from_raw(u32::MAX - stream.random.below(4) as u32);
    encoder.write_event(
        &schema,
        stream.random.number(),
        &[FieldValue::PooledString(id)],
    )
}

fn write_events(
    stream: &mut Stream,
    encoder: &mut Encoder,
    worker: usize,
    schemas: &[Schema],
) -> io::Result<()> {
    for _ in 0..stream.random.below(120) {
        match stream.random.below(16) {
            0 => write_custom(stream, encoder, worker)?,
            1 => write_dynamic(stream, encoder, schemas)?,
            2 => write_pools(stream, encoder)?,
            3 => write_loose_references(stream, encoder)?,
            _ => write_scheduler_event(stream, encoder, worker)?,
        }
    }
    Ok(())
}

/// Frames that the encoder writes at no call: a schema without time stamps, twice, with two events; resets in a row. The id is
/// one that no type of this program has by then.
fn append_raw(bytes: &mut Vec<u8>, random: &mut Random) {
    let schema = b"\x01\xc8\x00\x08\x00Timeless\x00\x01\x00\x01\x00n\x09";

    bytes.extend_from_slice(schema);
    bytes.extend_from_slice(&[0x02, 0xc8, 0x00, 0x81, 0x80, 0x00]); // 1, in more bytes than it needs
    for _ in 0..random.below(3) {
        bytes.push(0x05);
        bytes.extend_from_slice(&random.number().to_le_bytes());
    }
    bytes.extend_from_slice(schema);
    bytes.extend_from_slice(&[0x02, 0xc8, 0x00, 0x05]);
}

/// As the symbolizer does: more frames of the last batch, without a header.
fn append_tail(
    stream: &mut Stream,
    bytes: &mut Vec<u8>,
    worker: usize,
    schemas: &[Schema],
) -> Result<(), String> {
    let copy = bytes.clone();
    let mut decoder = Decoder::new(&copy).ok_or("the batch has no header")?;

    decoder.decode_all_ref();
    if decoder.position() != copy.len() {
        return Err(format!(
            "the crate stops at {} of {} bytes of its own batch",
            decoder.position(),
            copy.len()
        ));
    }
    let mut encoder = decoder.into_encoder(Vec::new());
    write_events(stream, &mut encoder, worker, schemas).map_err(|error| error.to_string())?;
    bytes.extend_from_slice(&encoder.finish());
    Ok(())
}

fn write_batch(stream: &mut Stream, encoder: &mut Encoder) -> Result<(), String> {
    let worker = stream.random.below(stream.workers.len());
    let dynamic = dynamic_schemas(&mut stream.random);
    schema::set_schemas(batch_schemas(&mut stream.random));
    // No two batches of a thread begin at the same time: their order is known by that.
    stream.workers[worker].at_ns += 1;

    for schema in &dynamic {
        encoder
            .register_existing(schema)
            .map_err(|error| error.to_string())?;
    }
    write_events(stream, encoder, worker, &dynamic).map_err(|error| error.to_string())?;
    // The encoder keeps its state's allocations for the next batch, but none of the state.
    let mut bytes = encoder
        .reset_to(Vec::new())
        .map_err(|error| error.to_string())?;
    if stream.random.one_in(3) {
        append_raw(&mut bytes, &mut stream.random);
    }
    if stream.random.one_in(3) {
        append_tail(stream, &mut bytes, worker, &dynamic)?;
    }
    stream.bytes.extend_from_slice(&bytes);
    Ok(())
}

pub fn run(seed: u64, path: &str) -> Result<(), String> {
    let mut random = Random::new(seed);
    let ids = [0, 1, 2, 7, 130, 300];
    let n_workers = random.below(4) + 1;
    let workers = (0..n_workers)
        .map(|i| Worker {
            id: ids[(i + seed as usize) % ids.len()],
            tid: 4000 + i as u64,
            at_ns: 1_000_000_000_000 + i as u64,
            is_polling: false,
            is_parked: false,
        })
        .collect();
    let mut stream = Stream {
        random,
        workers,
        next_task: 1,
        bytes: Vec::new(),
    };
    let mut encoder = Encoder::new();

    for _ in 0..stream.random.below(12) + 1 {
        write_batch(&mut stream, &mut encoder)?;
        if stream.random.one_in(8) {
            stream.bytes.extend_from_slice(HEADER);
        }
    }
    std::fs::write(path, &stream.bytes).map_err(|error| format!("{path}: {error}"))
}
