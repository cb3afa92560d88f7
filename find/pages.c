/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "find/pages.h"

void pages_read(int fd)
{
	off_t at = lseek(fd, 0, SEEK_CUR);

	if (at > 0)
		posix_fadvise(fd, 0, at, POSIX_FADV_DONTNEED);
}

static int write_out(int fd, uint64_t from, uint64_t to, unsigned how)
{
	if (sync_file_range(fd, (off_t)from, (off_t)(to - from), how) == 0)
		return 0;
	/* If the file system does not support this, the kernel writes in its own time. */
	return errno == EIO || errno == ENOSPC || errno == EDQUOT ? -errno : 0;
}

int pages_written(struct pages *p, int fd)
{
	off_t at = lseek(fd, 0, SEEK_CUR);
	uint64_t end = at > 0 ? (uint64_t)at : 0;
	int e;

	if (end < p->begun + PAGES_STEP)
		return 0;
	e = write_out(fd, p->begun, end, SYNC_FILE_RANGE_WRITE);
	if (!e && p->begun > p->given) {
		e = write_out(fd, p->given, p->begun,
			      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
				      SYNC_FILE_RANGE_WAIT_AFTER);
		posix_fadvise(fd, (off_t)p->given, (off_t)(p->begun - p->given),
			      POSIX_FADV_DONTNEED);
	}
	p->given = p->begun;
	p->begun = end;
	return e;
}

void pages_mapped(int fd, const uint8_t *map, uint64_t from, uint64_t to)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	from &= ~(page - 1);
	to &= ~(page - 1);
	if (from >= to)
		return;
	madvise((void *)(map + from), (size_t)(to - from), MADV_DONTNEED);
	posix_fadvise(fd, (off_t)from, (off_t)(to - from), POSIX_FADV_DONTNEED);
}
