# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# make release: the tarball, its checksums, its bill of materials and the notes that CHANGES has of this version. Of the
# same files all are the same, whenever and by whomever they are made: their times are SOURCE_DATE_EPOCH, or the time of
# the last commit. MINISIGN_KEY=FILE signs the tarball and the bill.
release_name = $(PACKAGE)-$(VERSION)
release_files = $(release_name).tar.xz $(release_name).sha256 $(release_name).b2 $(release_name).spdx \
	$(release_name).notes
release_time = $${SOURCE_DATE_EPOCH:-`git -C '$(srcdir)' log -1 --format=%ct 2> /dev/null || date -r '$(srcdir)/CHANGES' +%s`}
CLEANFILES += $(release_files) $(release_name).tar.xz.minisig $(release_name).spdx.minisig

.PHONY: release
release:
	@$(AWK) -v version='$(VERSION)' '/^[0-9]/ { on = $$1 == version; next } on && NF { print; n++ } END { exit !n }' \
		'$(srcdir)/CHANGES' > $(release_name).notes || { echo "CHANGES has nothing on $(VERSION)" >&2; exit 1; }
	@TAR_OPTIONS="--sort=name --mtime=@$(release_time) --owner=0 --group=0 --numeric-owner --mode=u+rwX,go+rX,go-w" && \
		export TAR_OPTIONS && $(MAKE) $(AM_MAKEFLAGS) -s dist-xz && \
		tar -tf $(release_name).tar.xz $(release_name)/configure > /dev/null
	@sha256sum $(release_name).tar.xz > $(release_name).sha256 && b2sum $(release_name).tar.xz > $(release_name).b2
	@$(SHELL) '$(srcdir)/packaging/sbom' $(release_name).tar.xz "$(release_time)" > $(release_name).spdx || \
		{ rm -f $(release_name).spdx; exit 1; }
	@rm -f $(release_name).tar.xz.minisig $(release_name).spdx.minisig
	@if [ -n '$(MINISIGN_KEY)' ]; then \
		minisign -S -s '$(MINISIGN_KEY)' -t '$(release_name)' -m $(release_name).tar.xz $(release_name).spdx; \
	else \
		echo 'not signed: give make release MINISIGN_KEY=FILE, or sign by minisign -S -m $(release_name).tar.xz $(release_name).spdx'; \
	fi
	@ls $(release_files)
