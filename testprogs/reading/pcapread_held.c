/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Measures what the process holds between two openings: none of it may grow. */
#include "pcapread.h"

#include <dirent.h>
#include <malloc.h>
#include <stdio.h>

#include "testprogs/json.h"

static uint64_t count_lines(const char *path)
{
	FILE *file = fopen(path, "re");
	uint64_t lines = 0;

	for (int c; file && (c = getc_unlocked(file)) != EOF;)
		lines += c == '\n';
	if (file)
		fclose(file);
	return lines;
}

static uint64_t count_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	uint64_t entries = 0;

	while (folder && readdir(folder))
		entries++;
	if (folder)
		closedir(folder);
	return entries;
}

void held_measure(struct held *held)
{
	struct mallinfo2 memory = mallinfo2();

	held->bytes = memory.uordblks + memory.hblkhd;
	held->mappings = count_lines("/proc/self/maps");
	held->descriptors = count_descriptors();
}

void held_report(struct json *json, const struct reader *reader)
{
	const struct held *before = &reader->held_before, *after = &reader->held_after;

	if (!before->mappings)
		return;
	json_count(json, "bytes_before", before->bytes);
	json_count(json, "bytes_after", after->bytes);
	json_count(json, "mappings_before", before->mappings);
	json_count(json, "mappings_after", after->mappings);
	json_count(json, "descriptors_before", before->descriptors);
	json_count(json, "descriptors_after", after->descriptors);
}
