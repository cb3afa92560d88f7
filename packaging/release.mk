# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# make release: the tarball, its checksums and the notes that CHANGES has of this version. Of the same files the
# tarball is the same, whenever and by whomever it is made: all times in it are SOURCE_DATE_EPOCH, or the time
# of the last commit.
release_name = $(PACKAGE)-$(VERSION)
release_files = $(release_name).tar.xz $(release_name).sha256 $(release_name).b2 $(release_name).notes
release_time = $${SOURCE_DATE_EPOCH:-`git -C '$(srcdir)' log -1 --format=%ct 2> /dev/null || date -r '$(srcdir)/CHANGES' +%s`}
CLEANFILES += $(release_files)

.PHONY: release
release:
	@$(AWK) -v version='$(VERSION)' '/^[0-9]/ { on = $$1 == version; next } on && NF { print; n++ } END { exit !n }' \
		'$(srcdir)/CHANGES' > $(release_name).notes || { echo "CHANGES has nothing on $(VERSION)" >&2; exit 1; }
	@TAR_OPTIONS="--sort=name --mtime=@$(release_time) --owner=0 --group=0 --numeric-owner --mode=u+rwX,go+rX,go-w" && \
		export TAR_OPTIONS && $(MAKE) $(AM_MAKEFLAGS) -s dist-xz && \
		tar -tf $(release_name).tar.xz $(release_name)/configure > /dev/null
	@sha256sum $(release_name).tar.xz > $(release_name).sha256 && b2sum $(release_name).tar.xz > $(release_name).b2
	@ls $(release_files)
