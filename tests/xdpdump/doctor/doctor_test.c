/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What --doctor reads may change while it reads: counters that are read at different moments make
 * no difference below 0, and a driver that gets more counters meanwhile finds room for them. And
 * which interrupts are for frames, by the names that drivers give them.
 */
#include <dirent.h>
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

#define INTERRUPTS_MAX 4

#define FEW  2u	   /* counters when it was asked how many there are */
#define MANY 5000u /* ... and when they were asked for */

/* Interrupts of an interface, of which each has the CPU of its place here. */
static char folder[] = "/tmp/doctor_test.XXXXXX";
static const char *const *interrupts;

DIR *__real_opendir(const char *name);
DIR *__wrap_opendir(const char *name);
bool __real_line_of(const char *path, const char *word, char *line, size_t size);
bool __wrap_line_of(const char *path, const char *word, char *line, size_t size);
int __wrap_bpf_prog_get_fd_by_id(uint32_t id);
int __wrap_bpf_enable_stats(enum bpf_stats_type type);
int __wrap_bpf_obj_get_info_by_fd(int fd, void *info, uint32_t *length);
void __wrap_clock_sleep(unsigned ms);
bool __wrap_measure_interface(const struct patient *p, const char *name, uint64_t *n);
int __wrap_patient_ethtool(const struct patient *p, void *command);

DIR *__wrap_opendir(const char *name)
{
	return __real_opendir(strstr(name, "/eth0/device/msi_irqs") ? folder : name);
}

bool __wrap_line_of(const char *path, const char *word, char *line, size_t size)
{
	unsigned n;

	if (sscanf(path, "/proc/irq/%u/", &n) == 1)
		snprintf(line, size, "%u", n);
	else if (sscanf(path, "/sys/kernel/irq/%u/", &n) == 1)
		snprintf(line, size, "%s", interrupts[n] ? interrupts[n] : "");
	else
		return __real_line_of(path, word, line, size);
	return true;
}

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

static const struct {
	const char *interrupts[INTERRUPTS_MAX], *cpus;
} cards[] = {
	{{"virtio0-config", "virtio0-input.0", "virtio0-output.0"}, "1"},
	{{"ena-mgmnt@pci:0000:00:05.0", "eth0-Tx-Rx-0", "eth0-Tx-Rx-1"}, "1-2"},
	{{"gve-ntfy-blk0@pci:0000:00:04.0", "gve-mgmnt@pci:0000:00:04.0"}, "0"},
	{{"mana_hwc@pci:7870:00:00.0", "mana_q0@pci:7870:00:00.0"}, "1"},
	{{"mlx5_async0@pci:0000:01:00.0", "mlx5_comp0@pci:0000:01:00.0"}, "1"},
	{{"ice-0000:01:00.0:misc", "ice-eth0-TxRx-0", "ice-0000:01:00.0:ll_ts"}, "1"},
	{{"i40e-0000:01:00.0:misc", "i40e-0000:01:00.0:fdir", "i40e-eth0-TxRx-0"}, "2"},
	{{"iavf-0000:01:00.0:mbx", "iavf-eth0-rx-0", "iavf-eth0-tx-0"}, "1"},
	{{"idpf-eth0-Mailbox-0", "idpf-eth0-TxRx-0"}, "1"},
	{{"eth0", "eth0-TxRx-0", "eth0-TxRx-1"}, "1-2"},
	{{"eth0-rx-0", "eth0-tx-0", "eth0"}, "0"},
	{{"eth0"}, "0"},	   /* all that there is */
	{{"eth0", "eth0"}, "0-1"}, /* atlantic, of queues as well */
	{{"eth0-lsc", "eth0-exn", "eth0-rxtx-0"}, "2"},
	{{"hns3-misc-0000:7d:00.0", "hns3-0000:7d:00.0-TxRx-0"}, "1"},
};

static void only_interrupts_for_frames_count(void **state)
{
	struct patient p = {.name = "eth0"};
	struct finding f = {.fix = ""};
	char path[64], wanted[64];

	(void)state;
	assert_non_null(mkdtemp(folder));
	for (unsigned i = 0; i < INTERRUPTS_MAX; i++) {
		snprintf(path, sizeof(path), "%s/%u", folder, i);
		fclose(fopen(path, "w"));
	}
	for (size_t i = 0; i < sizeof(cards) / sizeof(cards[0]); i++) {
		interrupts = cards[i].interrupts;
		check_cpus(&p, &f);
		snprintf(wanted, sizeof(wanted), "frames are handled on %s", cards[i].cpus);
		f.text[strcspn(f.text, ";,")] = 0;
		assert_string_equal(f.text, wanted);
	}
	snprintf(path, sizeof(path), "rm -r %s", folder);
	assert_int_equal(system(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_interrupts_for_frames_count),
		cmocka_unit_test(frames_are_no_fewer_than_none),
		cmocka_unit_test(more_counters_than_were_announced_have_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
