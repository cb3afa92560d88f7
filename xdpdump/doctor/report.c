/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <config.h>
#include "redact.h"
#include "report.h"
#include "util/harmless.h"
#include "util/line.h"
#include "xdpdump/source/expression.h"
#include "util/shared.h"
#include "xdpdump/os/complain.h"

#define COUNTERS_MAX  4096		 /* of a driver; many queues have hundreds */
#define COUNTERS_ROOM (2 * COUNTERS_MAX) /* more appear if queues are added now */

extern char **environ;

struct report {
	const char *name;
	int fd;
	FILE *text; /* until it is complete */
	char *at;
	size_t length;
};

static void title(FILE *to, const char *name)
{
	fprintf(to, "\n== %s ==\n", name);
}

/* The names of library files contain their versions. */
static int put_library(struct dl_phdr_info *i, size_t size, void *to)
{
	static const char *const wanted[] = {"libpcap", "libbpf", "libxdp", "libafxdp", "libzstd"};
	char path[PATH_MAX];

	(void)size;
	for (size_t k = 0; k < sizeof(wanted) / sizeof(wanted[0]); k++)
		if (strstr(i->dlpi_name, wanted[k]) && realpath(i->dlpi_name, path))
			fprintf(to, "version of a library: %s\n", path);
	return 0;
}

static void put_versions(FILE *to)
{
	struct utsname u;

	title(to, "Versions");
	fprintf(to, "version of xdpdump: %s\n", PACKAGE_VERSION_TEXT);
	fprintf(to, "version of libpcap: %s\n", expression_compiler());
	fprintf(to, "version of libbpf: %s\n", libbpf_version_string());
	dl_iterate_phdr(put_library, to);
	if (uname(&u) == 0)
		fprintf(to, "version of the kernel: %s %s %s %s\n", u.sysname, u.release, u.version,
			u.machine);
}

static void put_options(FILE *to, const struct options *o)
{
	title(to, "Options");
	for (char **word = o->words; *word; word++)
		fprintf(to, "%s%s", word == o->words ? "" : " ", *word);
	putc('\n', to);
	if (o->expression_file && o->source.expression)
		fprintf(to, "filter of %s: %s\n", o->expression_file, o->source.expression);
	for (char **e = environ; *e; e++)
		if (strncmp(*e, "PCAP_AFXDP", 10) == 0)
			fprintf(to, "%s\n", *e);
}

/* --- Facts of the machine: a line each, in this order. --- */

struct fact {
	void (*put)(FILE *to, const struct fact *f);
	const char *where, *word; /* title, path or name; selects a line of a file */
	int limit;
};

static void put_title(FILE *to, const struct fact *f)
{
	title(to, f->where);
}

static void put_file(FILE *to, const struct fact *f)
{
	char line[512];

	if (line_of(f->where, f->word, line, sizeof(line)))
		fprintf(to, "%s%s %s\n", f->word ? f->word : f->where, f->word ? "" : ":", line);
	else if (!f->word)
		fprintf(to, "%s: %s\n", f->where, strerror(errno));
}

static void put_limit(FILE *to, const struct fact *f)
{
	struct rlimit r;

	if (getrlimit(f->limit, &r))
		return;
	if (r.rlim_cur == RLIM_INFINITY)
		fprintf(to, "%s: unlimited\n", f->where);
	else
		fprintf(to, "%s: %llu\n", f->where, (unsigned long long)r.rlim_cur);
}

static void put_loader(FILE *to, const struct fact *f)
{
	const char *path = afxdp_loader();
	struct stat st;

	(void)f;
	if (stat(path, &st)) {
		fprintf(to, "%s: %s\n", path, strerror(errno));
		return;
	}
	fprintf(to, "%s: mode %04o, user %u, group %u, %s\n", path, st.st_mode & 07777u, st.st_uid,
		st.st_gid,
		afxdp_loader_has_capabilities() ? "with the capabilities"
						: "without capabilities of its own");
}

#define STATUS	"/proc/self/status"
#define MEMINFO "/proc/meminfo"

static const struct fact facts[] = {
	{put_title, "Settings of the kernel", NULL, 0},
	{put_file, "/proc/sys/net/core/optmem_max", NULL, 0},
	{put_file, "/proc/sys/net/core/bpf_jit_enable", NULL, 0},
	{put_file, "/proc/sys/net/core/bpf_jit_harden", NULL, 0},
	{put_file, "/proc/sys/net/core/bpf_jit_limit", NULL, 0},
	{put_file, "/proc/sys/net/core/busy_poll", NULL, 0},
	{put_file, "/proc/sys/net/core/netdev_budget", NULL, 0},
	{put_file, "/proc/sys/net/core/netdev_budget_usecs", NULL, 0},
	{put_file, "/proc/sys/kernel/unprivileged_bpf_disabled", NULL, 0},
	{put_file, "/proc/sys/kernel/kptr_restrict", NULL, 0},
	{put_file, "/sys/kernel/security/lockdown", NULL, 0},
	{put_file, "/sys/kernel/security/lsm", NULL, 0},
	{put_title, "Privileges and limits", NULL, 0},
	{put_file, STATUS, "Uid:", 0},
	{put_file, STATUS, "CapInh:", 0},
	{put_file, STATUS, "CapPrm:", 0},
	{put_file, STATUS, "CapEff:", 0},
	{put_file, STATUS, "CapBnd:", 0},
	{put_file, STATUS, "CapAmb:", 0},
	{put_file, STATUS, "NoNewPrivs:", 0},
	{put_file, STATUS, "Seccomp:", 0},
	{put_file, STATUS, "Cpus_allowed_list:", 0},
	{put_limit, "memory that may be locked", NULL, RLIMIT_MEMLOCK},
	{put_limit, "open files", NULL, RLIMIT_NOFILE},
	{put_limit, "size of files", NULL, RLIMIT_FSIZE},
	{put_limit, "processes", NULL, RLIMIT_NPROC},
	{put_limit, "address space", NULL, RLIMIT_AS},
	{put_file, MEMINFO, "MemTotal:", 0},
	{put_file, MEMINFO, "MemAvailable:", 0},
	{put_title, "Loader process", NULL, 0},
	{put_loader, NULL, NULL, 0},
};

int report_open(struct report **out, const struct options *o)
{
	struct report *r = calloc(1, sizeof(*r));
	bool to_stdout = strcmp(o->report, "-") == 0;
	int e = 0;

	if (!r || !(r->text = open_memstream(&r->at, &r->length))) {
		complain("out of memory");
		free(r);
		return -ENOMEM;
	}
	r->name = to_stdout ? "standard output" : o->report;
	r->fd = to_stdout ? dup(STDOUT_FILENO)
			  : shared_open(o->report, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (r->fd < 0) {
		e = to_stdout ? -errno : r->fd;
		complain("--report %s: %s", o->report, shared_why(o->report, e));
		fclose(r->text);
		free(r->at);
		free(r);
		return e;
	}
	if (!to_stdout)
		(void)!ftruncate(r->fd, 0); /* of a file */
	fputs("This report has no packets and no addresses. File names and filters are in it as they were typed.\n",
	      r->text);
	put_versions(r->text);
	put_options(r->text, o);
	*out = r;
	return 0;
}

static void put_features(FILE *to, const struct patient *p)
{
	const struct offloads *o = &p->offloads;

	fputs("features that are on:", to);
	for (unsigned i = 0; i < o->count; i++)
		if (offloads_is_on(o, i))
			fprintf(to, " %.*s", ETH_GSTRING_LEN, o->names.name[i]);
	putc('\n', to);
}

/* A line of /proc/net/dev: frames and bytes, errors, drops. */
static void put_counters(FILE *to, const struct patient *p)
{
	FILE *f = fopen("/proc/thread-self/net/dev", "re");
	size_t n = strlen(p->name);
	char line[512];

	while (f && fgets(line, sizeof(line), f)) {
		const char *at = line + strspn(line, " ");

		if (strchr(at, '|') || (strncmp(at, p->name, n) == 0 && at[n] == ':'))
			fprintf(to, "counters: %s", at);
	}
	if (f)
		fclose(f);
}

/* The kernel writes all counters that exist by then, whatever room the request claims. */
struct counters {
	struct {
		struct ethtool_gstrings head;
		char name[COUNTERS_ROOM][ETH_GSTRING_LEN];
	} names;
	struct {
		struct ethtool_stats head;
		uint64_t value[COUNTERS_ROOM];
	} values;
};

static void put_counted(FILE *to, const struct patient *p, struct counters *c)
{
	if (patient_ethtool(p, &c->names) || patient_ethtool(p, &c->values) ||
	    c->names.head.len != c->values.head.n_stats)
		return;
	for (uint32_t i = 0; i < c->names.head.len && i < COUNTERS_ROOM; i++)
		if (c->values.value[i])
			fprintf(to, "driver counter %.*s: %" PRIu64 "\n", ETH_GSTRING_LEN,
				c->names.name[i], c->values.value[i]);
}

/* The driver's own counters, those above 0. */
static void put_driver_counters(FILE *to, const struct patient *p)
{
	struct {
		struct ethtool_sset_info head;
		uint32_t count;
	} set = {.head = {.cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ULL << ETH_SS_STATS}};
	struct counters *c;

	if (patient_ethtool(p, &set) || !set.head.sset_mask || set.count > COUNTERS_MAX)
		return;
	c = calloc(1, sizeof(*c));
	if (!c)
		return;
	c->names.head = (struct ethtool_gstrings){.cmd = ETHTOOL_GSTRINGS,
						  .string_set = ETH_SS_STATS,
						  .len = set.count};
	c->values.head = (struct ethtool_stats){.cmd = ETHTOOL_GSTATS, .n_stats = set.count};
	put_counted(to, p, c);
	free(c);
}

void report_interface(struct report *r, const struct findings *f, const struct patient *p)
{
	const struct afxdp_interface *i = &p->plan.interface;
	char programs[PROGRAMS_TEXT_SIZE];

	fprintf(r->text, "\n== Interface %s ==\n", p->name);
	print_text(r->text, f, p, p->rehearsal->works);
	if (p->missing)
		return;
	interface_programs(p->name, programs, sizeof(programs));
	fprintf(r->text, "\nkind %s, flags %#x, MTU %u, receive queues %u\n",
		i->kind[0] ? i->kind : "physical", i->flags, i->mtu, i->rx_queues);
	fprintf(r->text, "programs in the XDP hook: %s\n", programs[0] ? programs : "none");
	fprintf(r->text, "XDP features: %#llx%s\n", (unsigned long long)i->xdp_features,
		i->has_xdp_features ? "" : " (not told)");
	put_features(r->text, p);
	put_counters(r->text, p);
	put_driver_counters(r->text, p);
}

static void put_words(FILE *to, const struct rehearsal *r)
{
	title(to, "What the trial said");
	fprintf(to, "%s%s\n", r->words, r->works ? "it works" : "it does not work");
	title(to, "Words of the kernel and of libbpf");
	if (r->log_length)
		fwrite(r->log, 1, r->log_length, to);
	else
		fputs("none\n", to);
}

static int write_out(struct report *r)
{
	FILE *to = fdopen(r->fd, "w");
	int e = to ? 0 : -errno;

	harmless_lines(r->at);
	if (!to)
		close(r->fd);
	else
		redact(to, r->at);
	if (to && fclose(to))
		e = -errno;
	if (e)
		complain("--report %s: %s", r->name, strerror(-e));
	return e;
}

int report_close(struct report *r, const struct rehearsal *rehearsal)
{
	int e = 0;

	if (!r)
		return 0;
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		facts[i].put(r->text, &facts[i]);
	if (rehearsal)
		put_words(r->text, rehearsal);
	if (fclose(r->text) || !r->at) { /* without memory fclose() may return 0 all the same */
		complain("--report %s: %s", r->name, strerror(ENOMEM));
		close(r->fd);
		e = -ENOMEM;
	} else {
		e = write_out(r);
	}
	free(r->at);
	free(r);
	return e;
}
