# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""docs/drivers.md: does each mark have its test, and does each row say what the programs know?

drivers.py TOP PAGE
"""
import re
import sys
from pathlib import Path

# As ethtool -i names them, where the page has another name.
NAMES = {
    "mlx5": "mlx5_core", "mlx4": "mlx4_en", "bnxt": "bnxt_en", "stmmac": "st_gmac", "thunderx": "nicvf",
    "enetc": "fsl_enetc", "dpaa2": "fsl_dpaa2_eth", "otx2": "rvu_nicpf", "xen-netfront": "vif",
    "am65-cpsw": "am65-cpsw-nuss",
}
# Which test ran what a cell with "run" says. By hand: a new mark needs a new line.
RUN = {
    ("virtio_net", "refuses when"): "tests/vm/fixed.sh",
    ("veth", "refuses when"): "tests/hooks/refused.sh",
    ("igb", "resets"): "tests/vm/stamps.sh",
    ("vmxnet3", "resets"): "tests/vm/divert.sh",
    ("veth", "resets"): "tests/hooks/superframes.sh",
    ("veth", "swap resets"): "tests/vm/veth.sh",
    ("vmxnet3", "metadata"): "tests/vm/divert.sh",
    ("vmxnet3", "AF_XDP zero-copy"): "tests/vm/divert.sh",
    ("veth, tap", "metadata"): "tests/vm/divert.sh",
    ("veth, tap", "time stamp, hash, tag for programs"): "tests/xdpdump/session/stamps.sh",
    ("bonding", "VLAN tags at XDP"): "tests/vm/bonds.sh",
}
# What a condition of capture/attach/refusal/conditions.c is called in a row.
WORDS = {
    "NO_LRO": "LRO", "HALF": "more than half of the queues", "HALF_OF_BOTH": "queues are short",
    "TOGETHER": "not combined", "AS_THE_PEER": "fewer than the peer's",
}
# They do nothing to the interface that --doctor would have to tell.
MILD = {"hv_netvsc", "virtio_net", "mana", "xen-netfront", "bonding", "veth", "sfc"}


def tables(page):
    """Rows as (driver, {column: cell}), of the tables whose first column is the driver."""
    heading = None
    for line in page.splitlines():
        if not line.startswith("|"):
            heading = None
            continue
        cells = [c.strip() for c in line.strip("| ").split(" | ")]
        if cells[0] == "driver":
            heading = cells
        elif heading and not line.startswith("|--"):
            if len(cells) != len(heading):
                yield cells[0], None
            else:
                yield cells[0], dict(zip(heading[1:], cells[1:]))


# So many each of them finds at least: one that finds nothing in what was written another way would say nothing.
LEAST = {"refusals": 20, "resets": 6, "conditions": 12, "doctor's resets": 20}


def found(what, items):
    if len(items) < LEAST[what]:
        sys.exit(f"{what}: {len(items)} found, of {LEAST[what]} at least; has their source another form?")
    return items


def simulated(top):
    """Drivers with a refusal in tests/hooks/drivers.sh, or taken there; and those whose resets are counted."""
    test = (top / "tests/hooks/drivers.sh").read_text()
    refused = set(found("refusals", re.findall(r"^\t([a-z0-9_]+)(?: [A-Z_]+=\S+)*\|[A-Z]", test, re.M)))
    taken = re.search(r"^for card in (.*); do", test, re.M).group(1)
    refused |= {w.strip("'") for w in taken.split() if "=" not in w}
    refused |= set(re.findall(r"^with ([a-z0-9_]+)$", test, re.M))  # by words of its own
    return refused, set(found("resets", re.findall(r'^\t?asked ([a-z0-9_]+) "', test, re.M)))


def check_marks(rows, top, complain):
    refused, reset = simulated(top)
    used = set()
    for name, row in rows:
        for column, cell in row.items():
            if "**run**" in cell:
                test = RUN.get((name, column))
                used.add((name, column))
                if not test or not (top / test).exists():
                    complain(f"{name}, {column}: run, by no test")
        drivers = {NAMES.get(n, n) for n in name.split(", ")}
        for column, known in (("refuses when", refused), ("resets", reset)):
            if column in row and ("**simulated**" in row[column]) != bool(drivers & known):
                complain(f"{name}, {column}: is it simulated?")
    for name, column in RUN.keys() - used:
        complain(f"{name}, {column}: its test runs it, and the page does not say so")


def check_knowledge(rows, top, complain):
    by_name = {NAMES.get(n, n): row for name, row in rows if "refuses when" in row for n in name.split(", ")}
    conditions = (top / "capture/attach/refusal/conditions.c").read_text()
    rows_there = found("conditions", re.findall(r'\{"(\w+)", (\w+), (\d+), (?:true|false)\}', conditions))
    for driver, kind, limit in rows_there:
        words = WORDS.get(kind, limit)
        if words not in by_name.get(driver, {}).get("refuses when", "").replace(",", ""):
            complain(f"{driver}: conditions.c has {kind} {limit}, and its row does not")
    told = (top / "xdpdump/doctor/check_attaching.c").read_text()
    swaps = dict(found("doctor's resets", re.findall(r'\{"([\w-]+)",\s*"[^"]*",\s*(true|false)\}', told)))
    for driver, row in by_name.items():
        if "resets" not in row:
            continue
        resets = not row["resets"].startswith(("no", "–"))
        if resets and driver not in swaps and driver not in MILD | set(NAMES.keys() & MILD) | {"vif"}:
            complain(f"{driver}: resets, and --doctor does not say so")
        if driver in swaps and (not resets or ("yes" in row["swap resets"]) != (swaps[driver] == "true")):
            complain(f"{driver}: --doctor says otherwise of its resets")
    for driver in swaps.keys() - by_name.keys():
        complain(f"{driver}: --doctor knows it, and the page has no row")


def main():
    top, page = Path(sys.argv[1]), Path(sys.argv[2]).read_text()
    wrong = []
    rows = list(tables(page))
    wrong += [f"{name}: not as many cells as columns" for name, row in rows if row is None]
    rows = [(name, row) for name, row in rows if row]
    check_marks(rows, top, wrong.append)
    check_knowledge(rows, top, wrong.append)
    print("\n".join(wrong))
    return 1 if wrong or len(rows) < 50 else 0


sys.exit(main())
