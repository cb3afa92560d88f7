// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
// An event loop by tokio, with the crate pcap's stream: see ../../../../README.md for what such a
// driver does and prints. How often it was woken the stream does not tell.
use futures::StreamExt;
use pcap::{Capture, Error, Packet, PacketCodec};
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(10);
const TAIL: Duration = Duration::from_secs(1);
const LIMIT: Duration = Duration::from_secs(30);

struct Length;

impl PacketCodec for Length {
    type Item = u32;
    fn decode(&mut self, packet: Packet) -> u32 {
        packet.header.len
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let words: Vec<String> = std::env::args().collect();
    let to_ms = words[2].parse().expect("TO_MS");
    let frames: usize = words[4].parse().expect("FRAMES");
    let inactive = Capture::from_device(words[1].as_str())?;
    let handle = inactive.promisc(true).timeout(to_ms).open()?.setnonblock()?;
    let mut packets = handle.stream(Length)?;
    println!("ready");
    let (begun, mut last, mut late) = (Instant::now(), Instant::now(), Duration::ZERO);
    let (mut counted, mut complete) = (0, None);
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            packet = packets.next() => match packet {
                Some(Ok(_)) => counted += 1,
                Some(Err(error)) => return Err(error),
                None => break,
            },
            _ = tick.tick() => {
                late = late.max(last.elapsed().saturating_sub(TICK));
                last = Instant::now();
                if counted >= frames && complete.is_none() {
                    complete = Some(last);
                }
                if begun.elapsed() > LIMIT || complete.is_some_and(|at| at.elapsed() > TAIL) {
                    break;
                }
            }
        }
    }
    println!("counted {counted} wakes - vain - late {}", late.as_millis());
    Ok(())
}
