// dump.rs: prints every frame and every value of a stream, one frame a line, in a text that another reader can print too.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values: i -1, f bits in hex, b 0 or 1, s and y quoted bytes, q pool id = string, k pool id = stack, t stack,
// u unsigned of any width, m string map, l list, h map, - absent. tests/interop/dump.c prints the same.

use dial9_trace_format::decoder::{DecodedFrameRef, Decoder};
use dial9_trace_format::schema::SchemaEntry;
use dial9_trace_format::types::FieldValueRef;
use std::fmt::Write as _;
use std::io::{BufWriter, Write as _};

fn quote(out: &mut String, bytes: &[u8]) {
    out.push('"');
    for &byte in bytes {
        if (0x20..0x7f).contains(&byte) && byte != b'"' && byte != b'\\' {
            out.push(char::from(byte));
        } else {
            write!(out, "\\x{byte:02x}").unwrap();
        }
    }
    out.push('"');
}

fn stack(out: &mut String, frames: impl Iterator<Item = u64>) {
    out.push('[');
    for (i, frame) in frames.enumerate() {
        if i > 0 {
            out.push(',');
        }
        write!(out, "{frame:x}").unwrap();
    }
    out.push(']');
}

fn value(out: &mut String, decoder: &Decoder, field: &FieldValueRef) {
    match field {
        FieldValueRef::I64(number) => write!(out, "i{number}").unwrap(),
        FieldValueRef::F64(number) => write!(out, "f{:016x}", number.to_bits()).unwrap(),
        FieldValueRef::Bool(truth) => out.push_str(if *truth { "b1" } else { "b0" }),
        FieldValueRef::Varint(number) => write!(out, "u{number}").unwrap(),
        FieldValueRef::String(text) => {
            out.push('s');
            quote(out, text.as_bytes());
        }
        FieldValueRef::Bytes(bytes) => {
            out.push('y');
            quote(out, bytes);
        }
        FieldValueRef::PooledString(id) => {
            write!(out, "q{}=", id.raw_id()).unwrap();
            match decoder.string_pool().get(*id) {
                Some(text) => quote(out, text.as_bytes()),
                None => out.push('?'),
            }
        }
        FieldValueRef::PooledStackFrames(id) => {
            write!(out, "k{}=", id.raw_id()).unwrap();
            match decoder.stack_pool().get(*id) {
                Some(frames) => stack(out, frames.iter().copied()),
                None => out.push('?'),
            }
        }
        FieldValueRef::StackFrames(frames) => {
            out.push('t');
            stack(out, frames.iter());
        }
        FieldValueRef::StringMap(map) => {
            out.push_str("m{");
            for (i, (key, text)) in map.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                quote(out, key.as_bytes());
                out.push(':');
                quote(out, text.as_bytes());
            }
            out.push('}');
        }
        FieldValueRef::List(list) => {
            out.push_str("l[");
            for (i, element) in list.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                value(out, decoder, element);
            }
            out.push(']');
        }
        FieldValueRef::Map(map) => {
            out.push_str("h{");
            for (i, (key, element)) in map.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                value(out, decoder, key);
                out.push(':');
                value(out, decoder, element);
            }
            out.push('}');
        }
        FieldValueRef::None => out.push('-'),
        _ => out.push_str("unknown to dial9-peer"),
    }
}

fn schema(out: &mut String, entry: &SchemaEntry) {
    out.push_str("schema ");
    quote(out, entry.name().as_bytes());
    for field in entry.fields() {
        out.push(' ');
        quote(out, field.name().as_bytes());
        write!(out, ":{:02x}", field.field_type() as u8).unwrap();
    }
}

fn frame(out: &mut String, decoder: &Decoder, frame: &DecodedFrameRef) {
    match frame {
        DecodedFrameRef::Schema(entry) => schema(out, entry),
        DecodedFrameRef::Event {
            type_id,
            timestamp_ns,
            values,
        } => {
            let entry = decoder
                .registry()
                .get(*type_id)
                .expect("an event of a known type");
            write!(out, "event {} ", type_id.0).unwrap();
            quote(out, entry.name().as_bytes());
            write!(out, " {timestamp_ns}").unwrap();
            for (definition, field) in entry.fields().iter().zip(values) {
                out.push(' ');
                quote(out, definition.name().as_bytes());
                out.push('=');
                value(out, decoder, field);
            }
        }
        DecodedFrameRef::StringPool(entries) => {
            out.push_str("strings");
            for entry in entries {
                write!(out, " {}=", entry.pool_id).unwrap();
                quote(out, entry.data);
            }
        }
        DecodedFrameRef::StackPool(entries) => {
            out.push_str("stacks");
            for entry in entries {
                write!(out, " {}=", entry.pool_id).unwrap();
                stack(out, entry.iter());
            }
        }
        DecodedFrameRef::SchemaAnnotations {
            type_id,
            annotations,
        } => {
            write!(out, "annotations {}", type_id.0).unwrap();
            for annotation in annotations {
                write!(out, " {}:", annotation.field_index()).unwrap();
                quote(out, annotation.key().as_bytes());
                out.push('=');
                quote(out, annotation.value().as_bytes());
            }
        }
    }
    out.push('\n');
}

/// Ends with the offset that was reached, which is the end of the file when all of it was understood.
pub fn run(path: &str) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let mut decoder = Decoder::new(&bytes).ok_or_else(|| format!("{path}: no trace"))?;
    let mut output = BufWriter::new(std::io::stdout().lock());
    let mut line = String::new();

    while let Some(next) = decoder
        .next_frame_ref()
        .map_err(|error| format!("{path}: {error}"))?
    {
        line.clear();
        frame(&mut line, &decoder, &next);
        output
            .write_all(line.as_bytes())
            .map_err(|error| error.to_string())?;
    }
    writeln!(output, "end {}", decoder.position()).map_err(|error| error.to_string())?;
    output.flush().map_err(|error| error.to_string())
}
