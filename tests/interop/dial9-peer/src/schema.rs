// schema.rs: events whose schema is made at run time, written through the crate's typed interface.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `Encoder::write_event` writes every unsigned number as a varint, whatever width the schema says. The typed interface
// knows the widths, but takes a schema from the type; so here are some types that look theirs up.

use crate::random::Random;
use dial9_trace_format::encoder::Encoder;
use dial9_trace_format::schema::{FieldAnnotation, FieldDef, SchemaEntry};
use dial9_trace_format::types::{EventEncoder, FieldType, FieldValue};
use dial9_trace_format::{StackFrames, TraceEvent};
use std::cell::RefCell;
use std::io::{self, Write};

/// Types of the batch: slots 1 to 3 have a fixed id on the wire, the others get one at their first use.
pub const N_TYPES: usize = 8;
const N_FIXED: usize = 4;

/// Levels of lists and maps in one another that the crate reads.
const MAX_LEVELS: usize = 32;

thread_local! {
    static SCHEMAS: RefCell<Vec<SchemaEntry>> = const { RefCell::new(Vec::new()) };
}

pub fn set_schemas(schemas: Vec<SchemaEntry>) {
    assert_eq!(schemas.len(), N_TYPES);
    SCHEMAS.set(schemas);
}

pub fn schema(index: usize) -> SchemaEntry {
    SCHEMAS.with_borrow(|schemas| schemas[index].clone())
}

/// Types with a fixed id write their schema again when a stream is continued; the crate takes that for an error when
/// the first one was annotated.
pub fn may_be_annotated(index: usize) -> bool {
    index == 0 || index >= N_FIXED
}

struct Typed<'a, const N: usize> {
    timestamp_ns: u64,
    fields: &'a [FieldDef],
    values: &'a [FieldValue],
}

impl<const N: usize> TraceEvent for Typed<'_, N> {
    fn type_slot() -> u16 {
        if N < N_FIXED { N as u16 } else { 0 }
    }

    fn event_name() -> &'static str {
        ""
    }

    fn field_defs() -> Vec<FieldDef> {
        schema(N).fields().to_vec()
    }

    fn schema_entry() -> SchemaEntry {
        schema(N)
    }

    fn timestamp(&self) -> u64 {
        self.timestamp_ns
    }

    fn encode_fields<W: Write>(&self, encoder: &mut EventEncoder<'_, W>) -> io::Result<()> {
        for (field, value) in self.fields.iter().zip(self.values) {
            encode_field(encoder, field.field_type(), value)?;
        }
        Ok(())
    }
}

fn encode_field<W: Write>(
    encoder: &mut EventEncoder<'_, W>,
    kind: FieldType,
    value: &FieldValue,
) -> io::Result<()> {
    if kind.is_optional() {
        if *value == FieldValue::None {
            return encoder.write_u8(0);
        }
        encoder.write_u8(1)?;
    }
    match (kind.inner(), value) {
        (FieldType::U8, FieldValue::Varint(number)) => encoder.write_u8(*number as u8),
        (FieldType::U16, FieldValue::Varint(number)) => encoder.write_u16(*number as u16),
        (FieldType::U32, FieldValue::Varint(number)) => encoder.write_u32(*number as u32),
        (inner, value) => encoder.write_field_value(value, inner),
    }
}

/// Writes an event of type INDEX.
pub fn write(
    encoder: &mut Encoder,
    index: usize,
    timestamp_ns: u64,
    values: &[FieldValue],
) -> io::Result<()> {
    let schema = schema(index);
    let fields = schema.fields();

    assert_eq!(fields.len(), values.len());
    match index {
        0 => encoder.write(&Typed::<0> {
            timestamp_ns,
            fields,
            values,
        }),
        1 => encoder.write(&Typed::<1> {
            timestamp_ns,
            fields,
            values,
        }),
        2 => encoder.write(&Typed::<2> {
            timestamp_ns,
            fields,
            values,
        }),
        3 => encoder.write(&Typed::<3> {
            timestamp_ns,
            fields,
            values,
        }),
        4 => encoder.write(&Typed::<4> {
            timestamp_ns,
            fields,
            values,
        }),
        5 => encoder.write(&Typed::<5> {
            timestamp_ns,
            fields,
            values,
        }),
        6 => encoder.write(&Typed::<6> {
            timestamp_ns,
            fields,
            values,
        }),
        _ => encoder.write(&Typed::<7> {
            timestamp_ns,
            fields,
            values,
        }),
    }
}

/// Any of the 30 field types.
pub fn random_type(random: &mut Random) -> FieldType {
    let tag = random.below(15) as u8 + 1;
    let optional = if random.one_in(3) {
        FieldType::OPTIONAL_BIT
    } else {
        0
    };
    FieldType::from_tag(tag | optional).expect("1 to 15, optional or not")
}

/// A type of the application, with up to 8 fields, some of them annotated when that is allowed.
pub fn random_schema(random: &mut Random, name: String, may_be_annotated: bool) -> SchemaEntry {
    let n_fields = random.below(9);
    let fields: Vec<FieldDef> = (0..n_fields)
        .map(|i| FieldDef::new(format!("x{i}{}", random.text()), random_type(random)))
        .collect();
    let n_annotations = if may_be_annotated && n_fields > 0 && random.one_in(2) {
        random.below(4)
    } else {
        0
    };
    let annotations: Vec<FieldAnnotation> = (0..n_annotations)
        .map(|_| {
            FieldAnnotation::new(
                random.below(n_fields) as u16,
                "metrique.unit",
                random.text(),
            )
        })
        .collect();
    SchemaEntry::with_annotations(name, fields, annotations)
}

/// Values that are in no container, of a type that is not optional.
fn random_scalar(
    random: &mut Random,
    encoder: &mut Encoder,
    kind: FieldType,
) -> io::Result<FieldValue> {
    Ok(match kind {
        FieldType::I64 => FieldValue::I64(random.number() as i64),
        FieldType::F64 => FieldValue::F64(f64::from_bits(random.number())),
        FieldType::Bool => FieldValue::Bool(random.one_in(2)),
        FieldType::String => FieldValue::String(random.text()),
        FieldType::Bytes => FieldValue::Bytes(random.bytes()),
        FieldType::PooledStackFrames => {
            let frames: Vec<u64> = (0..random.below(4)).map(|_| random.next() % 8).collect();
            FieldValue::PooledStackFrames(encoder.intern_stack_frames(&frames)?)
        }
        FieldType::PooledString => FieldValue::PooledString(encoder.intern_string(&random.text())?),
        FieldType::StackFrames => FieldValue::StackFrames(
            (0..random.below(5))
                .map(|_| random.number())
                .collect::<StackFrames>(),
        ),
        FieldType::StringMap => FieldValue::StringMap(
            (0..random.below(4))
                .map(|_| (random.text().into_bytes(), random.text().into_bytes()))
                .collect(),
        ),
        FieldType::U8 => FieldValue::Varint(random.number() & 0xff),
        FieldType::U16 => FieldValue::Varint(random.number() & 0xffff),
        FieldType::U32 => FieldValue::Varint(random.number() & 0xffff_ffff),
        _ => FieldValue::Varint(random.number()),
    })
}

/// An element of a container, where unsigned numbers of all widths become varints.
fn random_element(
    random: &mut Random,
    encoder: &mut Encoder,
    levels: usize,
) -> io::Result<FieldValue> {
    if levels > 0 && random.one_in(3) {
        let is_list = random.one_in(2);
        return random_container(random, encoder, levels, is_list);
    }
    let tag = random.below(10) as u8 + 1;
    random_scalar(random, encoder, FieldType::from_tag(tag).expect("1 to 10"))
}

/// A list or a map with up to LEVELS levels of others in it.
fn random_container(
    random: &mut Random,
    encoder: &mut Encoder,
    levels: usize,
    is_list: bool,
) -> io::Result<FieldValue> {
    let n = random.below(4);
    let mut elements = || random_element(random, encoder, levels - 1);

    if is_list {
        return Ok(FieldValue::List(
            (0..n).map(|_| elements()).collect::<io::Result<_>>()?,
        ));
    }
    Ok(FieldValue::Map(
        (0..n)
            .map(|_| Ok((elements()?, elements()?)))
            .collect::<io::Result<_>>()?,
    ))
}

/// As many levels as the crate reads, lists and maps in turn. What lies in the last may be one more, if it is empty.
fn deepest(random: &mut Random, is_list: bool) -> FieldValue {
    let mut value = match random.below(3) {
        0 => FieldValue::List(Vec::new()),
        1 => FieldValue::Map(Vec::new()),
        _ => FieldValue::Varint(random.number()),
    };
    for level in 1..=MAX_LEVELS {
        value = if (level % 2 == MAX_LEVELS % 2) == is_list {
            FieldValue::List(vec![FieldValue::Bool(true), value])
        } else {
            FieldValue::Map(vec![(FieldValue::I64(-1), value)])
        };
    }
    value
}

/// A value for a field of type KIND, with what it needs from the pools written before.
pub fn random_value(
    random: &mut Random,
    encoder: &mut Encoder,
    kind: FieldType,
) -> io::Result<FieldValue> {
    let is_list = kind.inner() == FieldType::DynamicList;

    if kind.is_optional() && random.one_in(3) {
        return Ok(FieldValue::None);
    }
    if !is_list && kind.inner() != FieldType::DynamicMap {
        return random_scalar(random, encoder, kind.inner());
    }
    match random.below(8) {
        0 => Ok(deepest(random, is_list)),
        1 if is_list => Ok(FieldValue::List(Vec::new())),
        1 => Ok(FieldValue::Map(Vec::new())),
        _ => random_container(random, encoder, 4, is_list),
    }
}
