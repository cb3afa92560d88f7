#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The pcap API, by programs that use it: each in a namespace of its own, on the library of the build.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library

api_tests read_test readable_test blocking_test status_test handle_test replaced_test successor_test
finish
