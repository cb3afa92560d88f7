/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "own_program.h"

#define SECTION "xdp.frags"

/* The object's only XDP program; programs of other types are not our business. NULL with err
 * written. */
static struct bpf_program *find_program(struct bpf_object *o, const char *file, char *err,
					size_t size)
{
	struct bpf_program *p, *found = NULL;
	unsigned n = 0;

	bpf_object__for_each_program (p, o) {
		bpf_program__set_autoload(p, false);
		if (bpf_program__type(p) != BPF_PROG_TYPE_XDP)
			continue;
		found = p;
		n++;
	}
	if (n != 1) {
		snprintf(err, size, "xdp-obj=%s: has %u XDP programs, and needs one: pcap-afxdp(7)",
			 file, n);
		return NULL;
	}
	/* A PROG_ARRAY takes programs with this flag or without it, but not both. */
	if (strcmp(bpf_program__section_name(found), SECTION) != 0) {
		snprintf(err, size, "xdp-obj=%s: %s is in section %s, and has to be in %s", file,
			 bpf_program__name(found), bpf_program__section_name(found), SECTION);
		return NULL;
	}
	bpf_program__set_autoload(found, true);
	return found;
}

static int give_slots(struct bpf_object *o, const char *file, int slots, char *err, size_t size)
{
	struct bpf_map *m = bpf_object__find_map_by_name(o, OWN_PROGRAM_MAP);
	int e;

	if (!m || bpf_map__type(m) != BPF_MAP_TYPE_PROG_ARRAY) {
		snprintf(err, size,
			 "xdp-obj=%s: has no PROG_ARRAY called " OWN_PROGRAM_MAP
			 ", by which to call the capture: pcap-afxdp(7)",
			 file);
		return -EINVAL;
	}
	e = bpf_map__set_pin_path(m, NULL); /* it belongs to us */
	if (!e)
		e = bpf_map__reuse_fd(m, slots);
	if (e)
		snprintf(err, size, "xdp-obj=%s: " OWN_PROGRAM_MAP ": %s", file, strerror(-e));
	return e;
}

/* A pinned map is shared with others. One that libbpf would pin here would be left behind. */
static int check_pins(const struct bpf_object *o, const char *file, char *err, size_t size)
{
	const struct bpf_map *m;

	bpf_object__for_each_map (m, o) {
		const char *path = bpf_map__pin_path(m);
		int fd = path ? bpf_obj_get(path) : -1;

		if (fd >= 0)
			close(fd);
		if (!path || fd >= 0)
			continue;
		snprintf(err, size,
			 "xdp-obj=%s: its map %s would stay at %s when the capture ends: pin one there before, with bpftool map create, or take the pinning out",
			 file, bpf_map__name(m), path);
		return -EINVAL;
	}
	return 0;
}

int own_program_load(struct bpf_object **object, const char *file, int slots, char *err,
		     size_t size)
{
	struct bpf_program *p;
	int e;

	/* The capabilities of this program are not for others to load programs with. */
	if (getauxval(AT_SECURE)) {
		snprintf(err, size,
			 "xdp-obj= is not for programs with file capabilities or setuid");
		return -EPERM;
	}
	*object = bpf_object__open_file(file, NULL);
	if (!*object) {
		e = -errno;
		snprintf(err, size, "xdp-obj=%s: %s", file,
			 e == -ENOENT || e == -EACCES ? strerror(-e) : "is no BPF object");
		return e;
	}
	p = find_program(*object, file, err, size);
	if (!p)
		return -EINVAL;
	e = give_slots(*object, file, slots, err, size);
	if (!e)
		e = check_pins(*object, file, err, size);
	if (e)
		return e;
	e = bpf_object__load(*object);
	if (e) {
		snprintf(err, size,
			 "xdp-obj=%s: the kernel refuses it: %s; PCAP_AFXDP_DEBUG=1 shows its words",
			 file, strerror(-e));
		return e;
	}
	return bpf_program__fd(p);
}
