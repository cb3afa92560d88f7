# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""How sure the median of some rounds is."""
from math import comb

CONFIDENCE = 0.92
ENOUGH = 5  # rounds: fewer are never so sure


def interval(values):
    """Where the median of very many rounds lies. A round is above it as often as below, whatever else
    rounds are like: so many of the lowest and of the highest are left out as the CONFIDENCE permits,
    none of fewer than eight."""
    values, left_out, outside = sorted(values), 0, 2
    while True:
        outside += 2 * comb(len(values), left_out + 1)
        if 1 - outside / 2 ** len(values) < CONFIDENCE:
            return values[left_out], values[-1 - left_out]
        left_out += 1
