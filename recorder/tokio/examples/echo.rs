//! echo.rs: a TCP echo server that records itself; "block N" holds its worker for N milliseconds.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
//   PARKLANE_ENABLED=true PARKLANE_OUTPUT_DIR=/tmp/echo cargo run --example echo -- 127.0.0.1:7000

use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

async fn serve(stream: TcpStream) -> std::io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let mut lines = BufReader::new(reader).lines();

    while let Some(line) = lines.next_line().await? {
        if let Some(milliseconds) = line.strip_prefix("block ").and_then(|number| number.parse().ok()) {
            std::thread::sleep(Duration::from_millis(milliseconds));
        }
        writer.write_all(format!("{line}\n").as_bytes()).await?;
    }
    Ok(())
}

#[parklane_tokio::main]
async fn main() -> std::io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7000".into());
    let listener = TcpListener::bind(&address).await?;

    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let (stream, _) = accepted?;
                tokio::spawn(serve(stream));
            }
            _ = tokio::signal::ctrl_c() => return Ok(()),
        }
    }
}
