// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
// pcap4j: see ../../README.md for what a driver does and prints.

import java.util.concurrent.atomic.AtomicInteger;
import org.pcap4j.core.BpfProgram.BpfCompileMode;
import org.pcap4j.core.PcapHandle;
import org.pcap4j.core.PcapNetworkInterface.PromiscuousMode;
import org.pcap4j.core.RawPacketListener;
import org.pcap4j.util.ByteArrays;

public class UsePcap4j {
	// Ctrl-C runs the hooks of a Java program while its other threads go on: the loop is broken from
	// another thread.
	static void stopOnInterrupt(PcapHandle handle, Thread reader)
	{
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			try {
				handle.breakLoop();
				reader.join();
			} catch (Exception e) {
				System.err.println(e);
			}
		}));
	}

	public static void main(String[] words) throws Exception
	{
		byte[] frame = ByteArrays.parseByteArray(words[2], "");
		AtomicInteger counted = new AtomicInteger();
		PcapHandle handle = new PcapHandle.Builder(words[0])
			.snaplen(65535).promiscuousMode(PromiscuousMode.PROMISCUOUS).timeoutMillis(100).build();
		handle.setFilter(words[1], BpfCompileMode.OPTIMIZE);
		for (int sent = 0; sent < 3; sent++)
			handle.sendPacket(frame);
		stopOnInterrupt(handle, Thread.currentThread());
		System.out.println("injected 3\nready");
		try {
			handle.loop(-1, (RawPacketListener) data -> counted.incrementAndGet());
		} catch (InterruptedException broken) {
			System.out.println("counted " + counted.get());
		}
	}
}
