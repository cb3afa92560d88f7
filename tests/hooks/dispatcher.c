/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * dispatcher IFACE VERSION OBJECT [PROGRAMS [MAGIC]]: libxdp's dispatcher, OBJECT, in the XDP hook
 * with no program in it, as if by a libxdp of that VERSION of it; until a signal. Its table may say
 * that it has so many PROGRAMS, or begin with another byte. For kernels that refuse freplace,
 * where libxdp itself attaches none.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAGIC 236 /* xdp/prog_dispatcher.h; then the version, and how many programs */

static struct bpf_program *load(struct bpf_object *o, const unsigned char *table, size_t size)
{
	struct bpf_program *p = bpf_object__find_program_by_name(o, "xdp_dispatcher"), *other;
	struct bpf_map *config = bpf_object__next_map(o, NULL);
	unsigned char value[4096] = {0};

	memcpy(value, table, size);
	bpf_object__for_each_program (other, o)
		bpf_program__set_autoload(other, other == p);
	if (!p || !config || bpf_map__value_size(config) > sizeof(value) ||
	    bpf_map__set_initial_value(config, value, bpf_map__value_size(config)))
		return NULL;
	return bpf_object__load(o) ? NULL : p;
}

/* Where libxdp looks for the pins of what is in it. */
static int make_pins(int program, unsigned ifindex)
{
	struct bpf_prog_info info = {0};
	uint32_t length = sizeof(info);
	char path[128];

	if (bpf_obj_get_info_by_fd(program, &info, &length))
		return -errno;
	mkdir("/sys/fs/bpf/xdp", 0700);
	snprintf(path, sizeof(path), "/sys/fs/bpf/xdp/dispatch-%u-%u", ifindex, info.id);
	return mkdir(path, 0700) ? -errno : 0;
}

int main(int argc, char **argv)
{
	const unsigned char table[] = {
		argc > 5 ? (unsigned char)atoi(argv[5]) : MAGIC,
		argc > 2 ? (unsigned char)atoi(argv[2]) : 0,
		argc > 4 ? (unsigned char)atoi(argv[4]) : 0,
	};
	unsigned ifindex = argc > 3 ? if_nametoindex(argv[1]) : 0;
	struct bpf_object *o = ifindex ? bpf_object__open_file(argv[3], NULL) : NULL;
	struct bpf_program *p = o ? load(o, table, sizeof(table)) : NULL;
	sigset_t set;
	int signal, e = p ? make_pins(bpf_program__fd(p), ifindex) : -EINVAL;

	if (!e)
		e = bpf_xdp_attach((int)ifindex, bpf_program__fd(p), XDP_FLAGS_UPDATE_IF_NOEXIST,
				   NULL);
	if (e) {
		fprintf(stderr, "dispatcher: %s\n", strerror(-e));
		return 1;
	}
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	puts("attached");
	fflush(stdout);
	sigwait(&set, &signal);
	bpf_xdp_detach((int)ifindex, 0, NULL);
	return 0;
}
