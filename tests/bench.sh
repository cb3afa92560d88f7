#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# A benchmark of which one measurement fails has the figures of the others, and says what was not measured.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
need python3
cat > "$scratch/late.py" <<'END'
import importlib.machinery
import importlib.util
import subprocess
import sys
import types

bench = sys.argv[1]
sys.path.insert(0, bench)
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("run", bench + "/run")
run = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
loader.exec_module(run)
import any_device


def late(lab):
    raise subprocess.TimeoutExpired("reader", 10)


def unavailable(*words):
    raise run.Unavailable("no such path here")


class Lab:
    ended = 0

    def end_captures(self):
        self.ended += 1

    def namespace(self, side):
        return "nowhere-" + side


any_device.measure = unavailable
run.EXTRAS |= {"opening": lambda lab: {"xdp_ms": 3.0}, "stream": late}
one = run.Run(types.SimpleNamespace(mode="full", work=None, path=None), Lab())
for name in "opening", "stream", "any":
    one.extra(name)
results = run.Results(one.data())
run.judge(results)
print("\n".join(run.table.extras(results)))
print("captures ended:", one.lab.ended)
END
check "two of three measurements fail" python3 "$scratch/late.py" "$top/bench"
cp "$scratch/output" "$scratch/said"
check "... the third has its figure" grep -q '^| xdp_ms | 3.00 |$' "$scratch/said"
check "... one was too late" grep -q ': not measured: Command .reader. timed out after 10 seconds$' "$scratch/said"
check "... one is not to be had" grep -q ': not measured: no such path here$' "$scratch/said"
check "... what they had started is ended" grep -q '^captures ended: 2$' "$scratch/said"
finish
