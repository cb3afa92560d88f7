# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The lines that a patch adds, by file: awk -f sizes.awk PATCH
/^--- / { next }
/^\+\+\+ / { file = $2; sub(/^b\//, "", file); order[++files] = file; next }
/^\+/ { added[file]++; all++ }
END {
	for (i = 1; i <= files; i++)
		printf "%6d  %s\n", added[order[i]], order[i]
	printf "%6d  lines in %d files\n", all, files
}
