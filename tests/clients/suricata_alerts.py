# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""suricata_alerts.py EVE: the alerts of Suricata's eve.json, sorted, one a line, with all that is told
of them but when it was, and the number that Suricata made up for the flow."""

import json
import sys


def alert(event):
    del event["timestamp"]
    event.pop("flow_id", None)
    event.get("flow", {}).pop("start", None)
    # As a device of libpcap it may have been opened by another name.
    event["in_iface"] = event["in_iface"].removeprefix("xdp:").partition(",")[0]
    return json.dumps(event, sort_keys=True)


with open(sys.argv[1], encoding="ascii") as eve:
    events = [json.loads(line) for line in eve]
for line in sorted(alert(event) for event in events if event["event_type"] == "alert"):
    print(line)
