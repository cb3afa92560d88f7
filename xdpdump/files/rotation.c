/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <time.h>

#include "util/clock.h"
#include "rotation.h"

/* A record may come this much after its time stamp, because the library sorts records. */
#define LATE_NS (10 * NS_PER_MS)

/* The local offset from UTC in ns, plus one day so that it is never negative. */
static uint64_t offset_at(uint64_t time)
{
	time_t t = (time_t)(time / NS_PER_SEC);
	struct tm local;

	return localtime_r(&t, &local) ? (uint64_t)((local.tm_gmtoff + 86400) * NS_PER_SEC) : 0;
}

/*
 * The next multiple of the interval in local time, so that days begin at midnight. If daylight
 * saving time begins or ends before it, it moves with the clock; a multiple that the clock skips
 * comes that much later.
 */
static uint64_t next_multiple(uint64_t now, uint64_t interval)
{
	uint64_t offset = offset_at(now), end, then, moved;

	end = ((now + offset) / interval + 1) * interval - offset;
	then = offset_at(end);
	moved = end + offset - then;
	return (end + then) % interval && offset_at(moved) == then ? moved : end;
}

void rotation_begin(struct rotation *r, const struct limits *file, uint64_t now)
{
	uint64_t end = UINT64_MAX;

	if (file->interval)
		end = next_multiple(now, file->interval);
	if (file->duration && now + file->duration < end)
		end = now + file->duration;
	*r = (struct rotation){.file = file, .begin = now, .end = end};
}

bool rotation_is_due(struct rotation *r, uint64_t now)
{
	if (r->end == UINT64_MAX)
		return false;
	if (now + NS_PER_SEC < r->begin) /* the clock was set back: do not wait for the old time */
		rotation_begin(r, r->file, now);
	return now >= r->end + LATE_NS;
}

int rotation_due_in(const struct rotation *r, uint64_t now)
{
	return clock_ms_until(r->end == UINT64_MAX ? r->end : r->end + LATE_NS, now);
}
