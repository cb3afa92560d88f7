/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What --doctor reads may change while it reads: counters that are read at different moments make
 * no difference below 0, and a driver that gets more counters meanwhile finds room for them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <linux/bpf.h>

#include "xdpdump/doctor/check.h"
#include "xdpdump/doctor/measure.h"
#include "xdpdump/doctor/patient.h"
#include "xdpdump/doctor/print.h"
#include "xdpdump/doctor/report.h"

#define FEW  2u	   /* counters when it was asked how many there are */
#define MANY 5000u /* ... and when they were asked for */

int __wrap_bpf_prog_get_fd_by_id(uint32_t id);
int __wrap_bpf_enable_stats(enum bpf_stats_type type);
int __wrap_bpf_obj_get_info_by_fd(int fd, void *info, uint32_t *length);
void __wrap_clock_sleep(unsigned ms);
bool __wrap_measure_interface(const struct patient *p, const char *name, uint64_t *n);
int __wrap_patient_ethtool(const struct patient *p, void *command);

int __wrap_bpf_prog_get_fd_by_id(uint32_t id)
{
	(void)id;
	return dup(STDERR_FILENO);
}

int __wrap_bpf_enable_stats(enum bpf_stats_type type)
{
	(void)type;
	return dup(STDERR_FILENO);
}

int __wrap_bpf_obj_get_info_by_fd(int fd, void *info, uint32_t *length)
{
	(void)fd;
	memset(info, 0, *length);
	return 0;
}

void __wrap_clock_sleep(unsigned ms)
{
	(void)ms;
}

/* The driver has told of its multicast by the second look, and of all frames before. */
bool __wrap_measure_interface(const struct patient *p, const char *name, uint64_t *n)
{
	static unsigned looks;

	(void)p;
	if (strstr(name, "multicast"))
		*n = looks++ ? 40 : 0;
	else
		*n = 100;
	return true;
}

int __wrap_patient_ethtool(const struct patient *p, void *command)
{
	struct ethtool_sset_info *info = command;
	struct ethtool_gstrings *names = command;
	struct ethtool_stats *values = command;

	(void)p;
	if (info->cmd == ETHTOOL_GSSET_INFO) {
		info->data[0] = FEW;
	} else if (names->cmd == ETHTOOL_GSTRINGS) {
		names->len = MANY;
		for (unsigned i = 0; i < MANY; i++)
			snprintf((char *)names->data + (size_t)i * ETH_GSTRING_LEN, ETH_GSTRING_LEN,
				 "counter %u", i);
	} else {
		values->n_stats = MANY;
		for (unsigned i = 0; i < MANY; i++)
			values->data[i] = i;
	}
	return 0;
}

static void frames_are_no_fewer_than_none(void **state)
{
	static struct patient p = {.name = "lo", .plan = {.interface = {.xdp_program = 1}}};
	struct finding f = {.fix = ""};

	(void)state;
	assert_int_equal(check_running(&p, &f), RESULT_OK);
	assert_string_equal(f.text,
			    "the program in the hook ran for no frame; the interface received 0");
}

static void more_counters_than_were_announced_have_room(void **state)
{
	static char text[1 << 20];
	char path[] = "/tmp/doctor_test.XXXXXX", *words[] = {NULL};
	static struct options o;
	static struct rehearsal rehearsal = {.works = true};
	static struct patient p = {.name = "lo", .rehearsal = &rehearsal};
	const struct findings none = {.count = 0};
	struct report *r;
	FILE *f;

	(void)state;
	o.report = path;
	o.words = words;
	close(mkstemp(path));
	assert_int_equal(report_open(&r, &o), 0);
	report_interface(r, &none, &p);
	assert_int_equal(report_close(r, NULL), 0);
	f = fopen(path, "r");
	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = 0;
	fclose(f);
	unlink(path);
	assert_non_null(strstr(text, "driver counter counter 4999: 4999\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_no_fewer_than_none),
		cmocka_unit_test(more_counters_than_were_announced_have_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
