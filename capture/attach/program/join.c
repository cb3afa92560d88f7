/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <xdp/libxdp.h>

#include "bpf/capture.skel.h"
#include "join.h"
#include "util/no_bpf.h"

#define BPFFS	       "/sys/fs/bpf" /* LIBXDP_BPFFS has no effect: the loader has no environment */
#define DISPATCHER     "xdp_dispatcher"
#define DISPATCHER_MAX 10 /* programs; libxdp has no macro for it */
#define RUN_FIRST      0  /* the first priority; others have 50 unless they say otherwise */

static struct xdp_program *joined;
static int joined_ifindex;
static enum xdp_attach_mode joined_mode;
static char words[256]; /* libxdp's first warning; later ones are consequences */

static int keep_words(enum libxdp_print_level level, const char *format, va_list args)
{
	if (level != LIBXDP_WARN || words[0])
		return 0;
	vsnprintf(words, sizeof(words), format, args);
	words[strcspn(words, "\n")] = 0;
	return 0;
}

static bool has_bpffs(void)
{
	struct statfs s;

	return statfs(BPFFS, &s) == 0 && (unsigned)s.f_type == BPF_FS_MAGIC;
}

/* Converts the result of a libxdp call that returns a pointer into 0 or -errno. */
static int result(const void *pointer)
{
	int e = (int)libxdp_get_error(pointer);

	return pointer || e ? e : -EINVAL;
}

static int refuse(int e, const char *name, char *err, size_t size, const char *why)
{
	const char *said = words + (strncmp(words, "libxdp: ", 8) == 0 ? 8 : 0);

	snprintf(err, size, "join=on: %s: %s%s%s%s", name, why, *said ? " (libxdp: " : "", said,
		 *said ? ")" : "");
	return e;
}

/* Returns 0, or -errno with err written if there is no dispatcher that we could join. */
static int find_dispatcher(const char *name, const struct facts *f, struct xdp_multiprog **mp,
			   char *err, size_t size)
{
	char text[384], holder[128];
	int e;

	if (!f->xdp_prog_id)
		return refuse(-ENOENT, name, err, size,
			      "nothing is in the XDP hook, so there is no dispatcher to join: leave join=on out");
	if (!has_bpffs())
		return refuse(-ENOENT, name, err, size,
			      "libxdp keeps its programs in " BPFFS
			      ", which is not mounted here: mount -t bpf bpf " BPFFS
			      "; ip netns exec hides that mount, nsenter --net does not");
	*mp = xdp_multiprog__get_from_ifindex((int)f->ifindex);
	e = result(*mp);
	if (e == -EPERM)
		return refuse(e, name, err, size, "needs CAP_SYS_ADMIN: run as root");
	if (e == -EOPNOTSUPP)
		return refuse(e, name, err, size,
			      "the dispatcher there is of a version that our libxdp does not know: leave join=on out to capture at tc");
	if (e) {
		snprintf(text, sizeof(text), "cannot look at the dispatcher: %s", strerror(-e));
		return refuse(e, name, err, size, text);
	}
	if (!xdp_multiprog__is_legacy(*mp))
		return 0;
	xdp_multiprog__close(*mp);
	facts_describe_holder(f, holder, sizeof(holder));
	/* If libxdp does not find a dispatcher's programs, it takes it for an ordinary program. */
	snprintf(text, sizeof(text),
		 strncmp(holder, DISPATCHER " ", sizeof(DISPATCHER)) == 0
			 ? "the dispatcher %s has no programs in the /sys/fs/bpf that is mounted here: mount the one of who attached it, or leave join=on out to capture at tc"
			 : "the XDP hook is held by %s, which is no dispatcher of libxdp: leave join=on out to capture at tc",
		 holder);
	return refuse(-EBUSY, name, err, size, text);
}

static int explain(int e, const char *name, char *err, size_t size)
{
	char text[512], limits[NO_BPF_LIMITS_SIZE];

	/* If the kernel refuses this, libxdp silently tries the hook itself, which is in use. */
	if (e == -EBUSY && !words[0])
		e = -EOPNOTSUPP;
	if (e == -EBUSY && strstr(words, "older than our"))
		return refuse(e, name, err, size,
			      "the dispatcher there is of an older libxdp than ours, which does not change it: leave join=on out to capture at tc");
	switch (e) {
	case -E2BIG:
		return refuse(e, name, err, size,
			      "the dispatcher has no room for one more program");
	case -EPERM:
	case -EACCES:
	case -EOPNOTSUPP:
		no_bpf_limits(limits, sizeof(limits));
		snprintf(text, sizeof(text),
			 "the kernel refuses freplace, by which a program joins the dispatcher%s: leave join=on out to capture at tc",
			 limits);
		return refuse(e, name, err, size, text);
	default:
		snprintf(text, sizeof(text), "the dispatcher refuses the capture program: %s",
			 strerror(-e));
		return refuse(e, name, err, size, text);
	}
}

/* The dispatcher has just gone, and libxdp has put our program into the hook without one. */
static bool is_alone(void)
{
	struct xdp_multiprog *mp = xdp_multiprog__get_from_ifindex(joined_ifindex);
	bool alone = result(mp) == 0 && xdp_multiprog__is_legacy(mp);

	if (result(mp) == 0)
		xdp_multiprog__close(mp);
	return alone;
}

/* Does it have as many programs as it can? */
static bool is_full(const struct xdp_multiprog *mp)
{
	unsigned n = 0;

	for (struct xdp_program *p = xdp_multiprog__next_prog(NULL, mp); p;
	     p = xdp_multiprog__next_prog(p, mp))
		n++;
	return n >= DISPATCHER_MAX;
}

/* Returns the BTF id of this function of a loaded program, or -errno. */
static int find_function(int program, const char *name)
{
	struct bpf_prog_info info = {0};
	uint32_t length = sizeof(info);
	struct btf *btf;
	int id = -EINVAL;

	if (bpf_obj_get_info_by_fd(program, &info, &length))
		return -errno;
	btf = btf__load_from_kernel_by_id(info.btf_id);
	if (!btf)
		return -errno;
	id = btf__find_by_name_kind(btf, name, BTF_KIND_FUNC);
	btf__free(btf);
	return id;
}

/* Nothing joins: a program that replaces a function of the dispatcher is loaded, and unloaded
 * again. */
static int try_replace(const struct program *p, const struct xdp_multiprog *mp)
{
	const struct bpf_insn pass[] = {{.code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = XDP_PASS},
					{.code = BPF_JMP | BPF_EXIT}};
	int dispatcher = xdp_program__fd(xdp_multiprog__main_prog(mp)),
	    function = find_function(dispatcher, "prog0"), own, fd;
	struct bpf_func_info func = {0};
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		    .prog_btf_fd = (uint32_t)bpf_object__btf_fd(p->bpf->obj), .func_info = &func,
		    .func_info_cnt = 1, .func_info_rec_size = sizeof(func),
		    .attach_prog_fd = (uint32_t)dispatcher, .attach_btf_id = (uint32_t)function);

	own = btf__find_by_name_kind(bpf_object__btf(p->bpf->obj), "xdp_capture", BTF_KIND_FUNC);
	if (function < 0 || own < 0)
		return function < 0 ? function : own;
	func.type_id = (uint32_t)own;
	fd = bpf_prog_load(BPF_PROG_TYPE_EXT, "xdp_capture", "GPL", pass, 2, &opts);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

int join_attach(struct program *p, const struct afxdp_options *o, const struct facts *f, char *err,
		size_t size)
{
	DECLARE_LIBXDP_OPTS(xdp_program_opts, opts, .obj = p->bpf->obj, .prog_name = "xdp_capture");
	const char *name = o->ifname;
	struct xdp_multiprog *mp = NULL;
	int e;

	libxdp_set_print(keep_words);
	e = find_dispatcher(name, f, &mp, err, size);
	if (e)
		return e;
	joined_mode = xdp_multiprog__attach_mode(mp);
	if (o->trial)
		e = is_full(mp) ? -E2BIG : try_replace(p, mp);
	if (e)
		e = explain(e, name, err, size);
	xdp_multiprog__close(mp);
	if (e || o->trial)
		return e;
	joined_ifindex = (int)f->ifindex;
	joined = xdp_program__create(&opts);
	e = result(joined);
	if (e) {
		joined = NULL;
		return explain(e, name, err, size);
	}
	e = xdp_program__set_run_prio(joined, RUN_FIRST);
	if (!e)
		e = xdp_program__set_chain_call_enabled(joined, XDP_PASS, true);
	if (!e)
		e = xdp_program__attach(joined, joined_ifindex, joined_mode, 0);
	if (!e && is_alone()) {
		join_detach();
		return refuse(-EAGAIN, name, err, size, "the dispatcher has just gone: try again");
	}
	if (e) {
		xdp_program__close(joined);
		joined = NULL;
		return explain(e, name, err, size);
	}
	return 0;
}

void join_detach(void)
{
	if (!joined)
		return;
	xdp_program__detach(joined, joined_ifindex, joined_mode, 0);
	xdp_program__close(joined);
	joined = NULL;
}
