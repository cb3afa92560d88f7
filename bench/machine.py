# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""What was measured on, and with."""
import os
import platform
import re
import subprocess

from lab import CONSUMER_CPU, RECEIVE_CPU, read_text, run


def version_of(program, *words):
    try:
        done = subprocess.run([program, *words], capture_output=True, text=True)
    except OSError:
        return None
    found = re.search(r"\d+\.\d+(\.\d+)*", done.stdout + done.stderr)
    return f"{program} {found.group(0)}" if found else program


def machine():
    model = re.search(r"model name\s*:\s*(.*)", read_text("/proc/cpuinfo"))
    memory = re.search(r"MemTotal:\s+(\d+)", read_text("/proc/meminfo"))
    here = os.path.dirname(os.path.abspath(__file__))
    tools = [version_of("tcpdump", "--version"), version_of("dumpcap", "--version"),
             version_of("netsniff-ng", "--version")]
    return {
        "kernel": platform.release(), "cpus": os.cpu_count(),
        "cpu": model.group(1).strip() if model else platform.machine(),
        "memory_gib": int(memory.group(1)) >> 20 if memory else 0,
        "receive_cpu": RECEIVE_CPU, "consumer_cpu": CONSUMER_CPU,
        "tools": ", ".join(tool for tool in tools if tool),
        "revision": run("git", "-C", here, "describe", "--always", "--dirty",
                        check=False).strip() or "unknown",
    }


def describe(m):
    """Of machine(), possibly of another day."""
    return (f"Linux {m['kernel']}, {m['cpus']} CPUs ({m['cpu']}), {m['memory_gib']} GiB; "
            f"{m['tools']}. Receive path on CPU {m['receive_cpu']}, consumer on CPU "
            f"{m['consumer_cpu']}. Revision {m['revision']}.")
