# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""What some rounds say, and how sure that is."""
from math import comb
import statistics
from typing import NamedTuple

CONFIDENCE = 0.92
ENOUGH = 5  # rounds: fewer are never so sure
REACHED = 3  # rounds that have to come near the lowest
DEVIATIONS = 2.58  # of 1 % of all draws there are more


class Figure(NamedTuple):
    """A figure, and where it lies."""
    figure: float
    low: float
    high: float

    def __sub__(self, other):
        return Figure(self.figure - other.figure, self.low - other.high, self.high - other.low)

    def __truediv__(self, other):
        """Of one that may not be positive nothing is known."""
        if other.low <= 0:
            return Figure(self.figure / other.figure if other.figure else 0, float("-inf"), float("inf"))
        ends = [a / b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Figure(self.figure / other.figure, min(ends), max(ends))

    def times(self, factor):
        return Figure(*(value * factor for value in self))


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


def differ(first, second):
    """Is one the larger? By the rank-sum test (Mann and Whitney), which asks nothing of what noise is like:
    of figures that are the same it finds one in a hundred. Of five rounds each all have to be apart."""
    n, m = len(first), len(second)
    above = sum((a > b) + (a == b) / 2 for a in first for b in second)
    return abs(above - n * m / 2) > DEVIATIONS * (n * m * (n + m + 1) / 12) ** 0.5


def middle(values):
    return Figure(statistics.median(values), *interval(values))


def lowest(values):
    """Of a time that others on the machine, or on its host, only ever lengthen: the shortest, up to that
    of the third round in this order. Rounds that all reach the same floor leave no doubt where it is."""
    values = sorted(values)
    return Figure(values[0], values[0], values[:REACHED][-1])


def highest(values):
    """The same, of a rate."""
    values = sorted(values, reverse=True)
    return Figure(values[0], values[:REACHED][-1], values[0])
