#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# pcapng-find: what it finds in files of all forms is what tcpdump -r finds in each, in the order of time; interfaces,
# names, comments and secrets are kept; what it cannot read is told.
# shellcheck source=tests/find/lib.sh
. "$(dirname "$0")/lib.sh"
need python3 tcpdump tshark capinfos mergecap gzip zstd lz4
seed=${SEED:-$(date +%s)}
echo "SEED=$seed"
python3 "$top/tests/find/make.py" "$scratch/made" "$seed" 150 || exit 1
ring=$scratch/made/ring
wanted=$((11 * 150 + 2 * 4000))

python3 "$top/tests/find/query.py" "$find" "$scratch/made" "$seed" "$FIND_QUERIES" > "$scratch/queries"
tail -n 1 "$scratch/queries"
check "queries find what tcpdump finds, in the order of time" sh -c \
	"tail -n 1 '$scratch/queries' | grep -q '^[1-9].* [1-9][0-9]* of them with packets, .* 0 differ$' || { cat '$scratch/queries'; exit 1; }"

check "all packets of a folder" run 0 -w "$scratch/all.pcapng" "$ring"
check "it says how many it read" said "$wanted packets; read 13 of 13 files"
check "that link types differ" said 'link types that differ: tshark reads them'
check "and that there are blocks it does not know" said 'blocks of types that are not known here'
equal "tshark reads them" "$wanted" "$(tshark -r "$scratch/all.pcapng" -n 2> /dev/null | wc -l)"
check "capinfos finds them in order" sh -c "capinfos -o '$scratch/all.pcapng' | grep -q 'Strict time order: *True'"
check "mergecap reads them" mergecap -w "$scratch/merged.pcapng" "$scratch/all.pcapng" "$ring/a.pcapng"
check "names are kept" grep -q one.example "$scratch/all.pcapng"
check "secrets are kept, once" [ "$(grep -c '# a key' "$scratch/all.pcapng")" = 1 ]
check "comments of packets are kept" grep -q 'packet 25' "$scratch/all.pcapng"
check "comments of sections become those of interfaces" grep -q 'of make.py' "$scratch/all.pcapng"
check "tcpdump reads what has one link type" sh -c \
	"'$find' -q '$ring/a.pcapng' '$ring/ns.pcap' '$ring/sub/e.pcap.gz' | tcpdump -nr - > '$scratch/lines' 2> /dev/null"
check "--count prints how many, and when" run 0 -c "$ring"
check "the same number" count_is "$wanted"
check "--list names the files" run 0 --list "$ring"
equal "each" 13 "$(wc -l < "$scratch/found")"
check "a file that is named twice counts once" run 0 -c "$ring/a.pcapng" "$ring/a.pcapng" "$ring/../ring/a.pcapng"
check "so" count_is 150
check "standard input" sh -c "'$find' -q -c /dev/stdin < '$ring/a.pcapng' | grep -q '^150 packets'"

mkdir "$scratch/bad" "$scratch/bad/folder"
size=$(stat -c %s "$ring/ns.pcap")
head -c $((size - 3)) "$ring/ns.pcap" > "$scratch/bad/cut.pcap"
check "a file without an end is searched up to there" run 0 -c "$scratch/bad/cut.pcap"
check "to its last whole packet" count_is 149
check "which is told" said '1 files end inside a packet'
size=$(stat -c %s "$ring/sub/d.pcapng.zst")
head -c $((size - 3)) "$ring/sub/d.pcapng.zst" > "$scratch/bad/cut.zst"
check "and a compressed one" run 0 -c "$scratch/bad/cut.zst"
check "which is told as well" said '1 files end inside a packet'
{
	cat "$ring/a.pcapng"
	head -c 100 /dev/zero
} > "$scratch/bad/zeros.pcapng"
check "a damaged file is searched up to the damage" run 1 -c "$scratch/bad/zeros.pcapng"
check "to there" count_is 150
check "which is told, with its place" said 'zeros.pcapng: what follows byte [0-9]* cannot be read: its length is impossible'
{
	head -c 6 "$ring/ns.pcap"
	printf '\005\000'
	tail -c +9 "$ring/ns.pcap"
} > "$scratch/bad/later.pcap"
check "a file of a version to come is not searched" run 1 -c "$scratch/bad/later.pcap"
check "which is told" said 'later.pcap: what follows byte 0 cannot be read: its version is unknown'
rm "$scratch/bad/later.pcap"
{
	head -c 6 "$ring/ns.pcap"
	printf '\003\000'
	tail -c +9 "$ring/ns.pcap"
} > "$scratch/bad/former.pcap"
equal "one of a former version is: packets" "$(tcpdump -r "$scratch/bad/former.pcap" 2> /dev/null | wc -l) packets" \
	"$("$find" -q -c "$scratch/bad/former.pcap" | grep -o '^[0-9]* packets')"
rm "$scratch/bad/former.pcap"
echo 'no capture, but words' > "$scratch/bad/words"
check "a file that holds no packets is refused by name" run 1 -c "$scratch/bad/words"
check "it says what it is not" said 'it is neither pcapng nor pcap'
rm "$scratch/bad/zeros.pcapng"
check "in a folder it is left out" run 0 -c "$scratch/bad"
check "which is counted" said '1 files in folders are left out'
check "nothing at the end is a file" run 1 -c port 80
check "it says so" said 'the last words have to be files or folders'
check "a file that is not there" run 1 -c "$scratch/nosuch"
check "it says so, too" said 'nosuch: No such file or directory'
check "an expression that is none" run 1 -c portt 80 "$ring"
check "it says why" said "the filter 'portt 80': "
check "a direction is of no link that was captured here" run 1 -c inbound "$ring/a.pcapng"
check "it says for which link" said "link type 1 are not searched.*'inbound'"
check "but of cooked packets" run 0 -c inbound "$ring/sub/f.pcapng.lz4"
check "what is written is not searched" run 0 -w "$ring/sub/out.pcapng" "$ring"
check "but all else" said "$wanted packets; read 13 of 13 files"
rm "$ring/sub/out.pcapng"
# wrong WORDS OPTION...: it is refused with these words.
wrong()
{
	words=$1
	shift
	check "$*: refused" run 1 "$@"
	check "... for: $words" sh -c 'grep -qxF "pcapng-find: $0" "$1"' "$words" "$err"
}
wrong '--cuont: there is no such option; did you mean --count?' --cuont "$ring"
wrong '--indx: there is no such option; did you mean --index?' --indx "$ring"
wrong '--zzzzzz: there is no such option' --zzzzzz "$ring"
wrong '-Z: there is no such option' -cZ "$ring"
wrong '--count=3: --count takes no value' --count=3 "$ring"
wrong '--write: a value is missing' --write
wrong '--count, --list, --index and --write exclude each other' -c --index "$ring"
wrong '--since has to be before --until' --since @2 --until @1 "$ring"
check "from a time on that is none" run 1 -c --since yesterday "$ring"
check "it has an example" said 'a time such as'
# What bash offers behind these words; the last may be empty.
completes()
{
	# shellcheck disable=SC2016 # for bash
	(cd "$ring" && PATH=$build/find:$PATH bash -c '. "$0" && COMPREPLY=() && _pcapng_find pcapng-find "$2" "$1" &&
		printf "%s\n" "${COMPREPLY[@]}"' "$top/find/pcapng-find.bash-completion" "$1" "$2" 2> "$err" | sort | xargs)
}
if command -v bash > /dev/null; then
	equal "completion: options" '--since ' "$(completes pcapng-find --s) $(completes pcapng-find --nosuch)"
	equal "all of --help" "$("$find" --help | sed -n 's/^ .\{5\}\(--[a-z-]*\).*/\1/p' | sort | xargs)" "$(completes pcapng-find --)"
	equal "files" us.pcap "$(completes '' us)"
	equal "files behind -w" us.pcap "$(completes -w us)"
	equal "nothing behind --since" '' "$(completes --since us)"
fi

if [ "$(id -u)" -eq 0 ] && command -v setpriv > /dev/null; then
	chmod 700 "$scratch/bad/folder"
	chmod 755 "$scratch/made" "$ring" "$scratch/bad"
	rm -f "$scratch/bad/words"
	setpriv --reuid 65534 --clear-groups "$find" -c "$scratch/bad" > "$scratch/found" 2> "$err"
	equal "a folder that may not be read is a failure" 1 "$?"
	check "it is told by name" said 'folder is not searched: Permission denied'
fi
finish
