#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Do the tests notice bugs? Each mutant is one wrong edit in a copy of filter/; interface, vectors, differ or,
# as root, verify or pieces must fail on it. Usage: mutants.sh [source directory]. CHECK_SIZE=long runs all, in less
# than an hour; full three, others each day; quick none. MUTANTS="3 17" runs these. That each edit finds its place in
# the source is asked for in every size.
set -u

source=${1:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cc=${CC:-cc}
flags="-O2 -w -I$work -I$source"
number=0 placed=0 passed=0 failed=0

stop()
{
	echo "mutants.sh: $*" >&2
	exit 1
}

# object NAME: compiles the copy's NAME.c
object()
{
	# shellcheck disable=SC2086 # flags are words
	$cc $flags -c "$work/filter/$1.c" -o "$work/$1.o"
}

build_tests()
{
	shared='support oracle machine frames programs corpus variants kernel'
	for name in $shared interface vectors ranges gaps nets addresses turns differ verify pieces; do
		# shellcheck disable=SC2086
		$cc $flags -c "$source/tests/filter/$name.c" -o "$work/test_$name.o" || return 1
	done
}

link_tests()
{
	objects='' shared=''
	for object in "$work"/filter/*.c; do
		objects="$objects $work/$(basename "$object" .c).o"
	done
	for name in support oracle machine frames programs corpus variants kernel; do
		shared="$shared $work/test_$name.o"
	done
	for name in interface vectors differ verify pieces; do
		own=
		[ "$name" != vectors ] || for part in ranges gaps nets addresses turns; do
			own="$own $work/test_$part.o"
		done
		# shellcheck disable=SC2086
		$cc -o "$work/$name" "$work/test_$name.o" $own $shared $objects -lpcap || return 1
	done
}

# The name of the test that fails, or nothing.
killer()
{
	for name in interface vectors differ verify pieces; do
		FILTER_STOP=1 timeout 300 "$work/$name" >"$work/$name.log" 2>&1
		case $? in
		0 | 77) ;;
		124) echo "time, in $name"; return ;;
		*)
			grep FAIL "$work/$name.log" >&2
			echo "$name"
			return
			;;
		esac
	done
}

# mutant FILE SED-SCRIPT WHAT
mutant()
{
	number=$((number + 1))
	mutated=$work/filter/$1.c
	sed "$2" "$work/pristine/$1.c" >"$mutated" || stop "mutant $number ($3) is no edit"
	if cmp -s "$mutated" "$work/pristine/$1.c"; then
		stop "mutant $number ($3) changes nothing: its pattern is out of date"
	fi
	placed=$((placed + 1))
	case " $chosen " in
	*" $number "* | ' all ') ;;
	*)
		cp "$work/pristine/$1.c" "$mutated"
		return
		;;
	esac
	if ! object "$1" || ! link_tests; then
		stop "mutant $number ($3) does not compile"
	fi
	by=$(killer)
	if [ -n "$by" ]; then
		passed=$((passed + 1))
		echo "$number: killed by $by: $3"
	else
		failed=$((failed + 1))
		echo "FAILED: $number survived: $3"
	fi
	cp "$work/pristine/$1.c" "$mutated"
	object "$1" || stop "$1.c does not compile"
}

mkdir "$work/filter" "$work/pristine" || exit 1
cp "$source"/filter/*.[ch] "$work/pristine/" || exit 1
cp "$source"/filter/*.[ch] "$work/filter/" || exit 1
all=$(grep -c '^mutant [a-z]' "$0")
# Three others each day.
day=$(($(date +%s) / 86400 * 3))
case ${MUTANTS:+some}${CHECK_SIZE:-full} in
some*) chosen=$MUTANTS ;;
long) chosen=all ;;
full) chosen="$((day % all + 1)) $(((day + 1) % all + 1)) $(((day + 2) % all + 1))" ;;
*) chosen='' ;;
esac
if [ -n "$chosen" ]; then
	for file in "$work"/filter/*.c; do
		object "$(basename "$file" .c)" || stop "$file does not compile"
	done
	if ! build_tests || ! link_tests; then
		stop 'the tests do not compile'
	fi
fi
[ "$chosen" = all ] || export FILTER_ROUNDS=0.34 # three beside all the other tests

mutant need 's/\.abs = smaller(t->abs/.abs = larger(t->abs/' 'guard asks for what one branch needs'
mutant need 's/\.ind = smaller(t->ind/.ind = larger(t->ind/' 'the same from X'
mutant need 's/need->ind = need->abs == NEVER ? NEVER : 0;//' 'needs survive a new X'
mutant need 's/any_order && t->raw_ok && f->raw_ok/any_order/' 'byte order only looked at here'
mutant need 's/BPF_JMP | BPF_JSET | BPF_K);/BPF_JMP | BPF_JGT | BPF_K);/' 'order of raw values'
mutant need 's/(struct need){.a_live = true};/(struct need){.a_live = true, .raw_ok = true};/' \
	'A returned in network order'
mutant need 's/field\.k % field\.size == 0/true/' 'unaligned load from the stack'
mutant need 's/return end <= TAG_AT ||/return true ||/' 'loads that straddle the tag'
mutant need 's/return end > (v->ctx/return end >= (v->ctx/' 'last byte that can be reached'
mutant need 's/need.x_live = need.x_live || node_uses_x(q);//' 'X dead before it is an operand'
mutant forward 's/r->known = smaller(/r->known = larger(/' 'guard on one path only'
mutant forward 's/r->known_x = smaller(/r->known_x = larger(/' 'the same from X'
mutant forward 's/^\tr->x_max = UINT32_MAX;/\tr->x_max = 0;/' 'bound of an unknown X'
mutant forward 's/s->range\.known_x = 0;/;/' 'pointer made from another X'
mutant forward 's/c->last\.mask != UINT32_MAX || //' 'masked A in network order'
mutant forward 's/\*w == NONE_YET || \*w == size ? size : 0/size/' 'A in two byte orders'
mutant forward 's/plan->view\.helper || s->range\.known < c->abs_end ||/plan->view.helper ||/' \
	'no way for short frames in a chain'
mutant forward 's/larger(s->range\.known, c->abs_end)/UINT16_MAX/' 'chain shows too much'
mutant chain 's/(!rejects \&\& plan->need\[q->t\]\.a_live)/false/' 'A needed behind a hit'
mutant chain 's/return test->mask == key->mask || .*/return true;/' 'masks taken for the same'
mutant chain 's/ || test->mask != c->key\[i\]\.mask//' 'nets of two lengths in a search of values'
mutant chain 's/(lower \& (lower + 1)) == 0/true/' 'any mask taken for that of a net'
mutant chain 's/ || test->mask != UINT32_MAX)/)/' 'range of what a mask has left'
mutant chain 's/ \&\& same_place(plan, q->f, r->t);/;/' 'range with two misses, in a chain'
mutant chain 's/r->code == (BPF_JMP | BPF_JGT | BPF_K)/true/' 'range without its last'
mutant search 's/ | lower};/};/' 'net without its last address'
mutant search 's/test->value \& (~all | lower)/test->value \& ~all/' 'net that no address is in'
mutant search 's/gen_swap(g, REG_A, field->size);/;/' 'bounds in network order'
mutant chain 's/c->t == q->t)/true)/' 'chain with two targets'
mutant search 's/if (!(list->test\[k\]->value \& ~mask)).*/if (true)/' 'impossible values in a search'
mutant search 's/if (!plan_raw(/if (plan_raw(/' 'byte order behind a chain'
mutant search 's/BPF_JMP32 | BPF_JGE/BPF_JMP32 | BPF_JGT/' 'search misses its pivots'
mutant search 's/ \&\& g->plan\.need\[chain->f\]\.a_live)/ \&\& false)/' 'A lost behind a chain'
mutant span 's/bounds \&\& s->to < end/false/' 'range within another'
mutant span 's/return end > UINT32_MAX/return false/' 'range without an upper bound'
mutant span 's/(list->n \&\& !same_place(.*hit))/false/' 'ranges with two targets'
mutant span 's/^\t       same_place(plan, q->f, r->t);/\t       true;/' 'ranges with two misses'
mutant bounds 's/BPF_JMP32 | BPF_JGE/BPF_JMP32 | BPF_JGT/' 'bound of the upper half'
mutant node 's/REG_X, 0, 32, fits/REG_X, 0, 33, fits/' 'shift by 32'
mutant node '/BPF_JMP32 | BPF_JEQ | BPF_K, REG_X, 0, 0, g->reject/d' 'division by 0'
mutant node 's/if (op == BPF_JEQ \&\& (k \& ~all))/if (false)/' 'constant wider than the load'
mutant code 's/return BPF_JLE;/return BPF_JLT;/' 'opposite of JGT'
mutant node 's/plan_guard(&g->plan, at->i, end), g->brief/plan_guard(\&g->plan, at->i, end), g->reject/' \
	'fragments taken for short frames'
mutant load 's/BPF_JMP | BPF_JGT | BPF_X, scratch/BPF_JMP | BPF_JGE | BPF_X, scratch/' \
	'guard one byte too strict'
mutant load 's/TAG_AT : end - TAG_BYTES/TAG_AT : end/' 'guard forgets the tag'
mutant load 's/code_add(g*c*, to, TAG_BYTES);/;/' 'length without the tag'
mutant load 's/if (load->keep)/if (false)/' 'X lost over a call'
mutant load 's/i < 3; i++/i < 2; i++/' 'window one byte short'
mutant load 's/for (uint32_t at = first; at <= last/for (uint32_t at = first + 1; at <= last/' \
	'first place before the tag'
mutant load 's/code_add(c, BPF_REG_2, -(int32_t)TAG_BYTES);/;/' 'indexed load behind the tag'
mutant form 's/BPF_JMP | BPF_JLE | BPF_X, BPF_REG_0/BPF_JMP | BPF_JGE | BPF_X, BPF_REG_0/' \
	'fragmented frames rejected'
mutant form 's/written\[q->f\] &= after;//' 'M[] not zeroed on one path'
mutant form 's/if (need->x_live)/if (false)/' 'X not zeroed'
mutant form 's/if (need->a_live)/if (false)/' 'A not zeroed'
mutant simplify 's/v->cell\[to\] = unknown(pass);/;/' 'value kept over a load'
mutant simplify 's/to->cell\[c\] = unknown(pass);/;/' 'value on one path only'
mutant simplify 's/return a\.constant == b\.constant \&\& /return /' 'constant taken for something unknown'
mutant simplify '/node_is_packet_load(q) || q->code == (BPF_LDX/{n;s/true/false/;}' 'dead load dropped'
mutant simplify 's/(op == BPF_DIV || op == BPF_MOD)/false/' 'dead division dropped'
mutant simplify 's/x\.constant \&\& k < ANCILLARY(0)/x.constant/' 'X + k wraps'
mutant lower 's/define HATYPE_ETHER 1/define HATYPE_ETHER 0/' 'hardware type'
mutant island 's/+ SLACK > REACH;/+ SLACK > 4 * REACH;/' 'far jumps taken for near ones'
mutant island 's/return f->target < i \&\& i <= f->last;/return false;/' 'no islands on the way back'
mutant unroll 's/ROUNDS = FILTER_TURNS + 1/ROUNDS = FILTER_TURNS/' 'a round too few'
mutant unroll 's/\.k = UINT32_MAX/.k = 0/' 'more rounds than these are rejected'
mutant unroll 's/if (round == ROUNDS)/if (round == ROUNDS || !u->turns[to])/' 'end of a loop taken whole'
mutant unroll 's/(u->turns\[to\] ? round : ROUNDS)/round/' 'end of a loop in each round'
mutant unroll 's/node\[i\].meeting = true;/;/' 'nothing is forgotten where rounds meet'
mutant classic 's/p->node\[q->t\].meeting = true;/;/' 'the same behind a jump'
mutant forward '/^static void forget/,/^}/s/r->x_max = UINT32_MAX;//' 'bound of X of another round'
mutant run 's/m->turns \&\& is_at(mark, m, q)/false/' 'rounds without end'
mutant run 's/if (!(m->turns \& (m->turns + 1)))/if (!m->turns)/' 'rounds without end behind some others'
mutant run 's/mark->at == q \&\& //' 'another jump taken for the one before'
mutant run 's/!memcmp(mark->machine\.m, m->m, sizeof(m->m))/true/' 'loop that counts in M[]'
mutant run 's/ \&\& mark->machine\.x == m->x//' 'loop that counts in X'
mutant thread 's/to->n = kept;//' 'outcome known on one path only'
mutant thread 's/!skipped || !t->a_live\[to\]/true/' 'A lost with a load that is skipped'
mutant thread 's/f->holds = g->holds;/f->holds = true;/' 'every known outcome is true'
mutant thread 's/asked = asked && .*;/;/' 'load skipped that may reject'
mutant thread 's/return s->x_known \&\& s->x == q->k;/return s->x_known;/' 'X of another header'
mutant thread '/^static void apply_x/,/^}/s/s->a\.size = 0;/;/' 'A from another X'
mutant thread 's/^\tto->x_known = .*//' 'X known on one path only'
mutant thread 's/ \&\& a->indexed == b->indexed//' 'place from X taken for one from the start'
mutant forward 's/larger(r->short_of, s->range.short_of)/smaller(r->short_of, s->range.short_of)/' \
	'frame taken as short on one path only'
mutant code 's/BREAK_AFTER 5000/BREAK_AFTER 500000/' 'too many branches pending'
mutant shape '/== BPF_JSET)/{n;s/return .*/return false;/;}' 'bits asked for behind an interval'
mutant shape '/== BPF_X)/{n;s/return .*/return false;/;n;s/.*//;}' 'A compared with X, whatever is known of both'
mutant shape 's/^\treturn r->a_shape == SHAPE_ANY;/\treturn false;/' 'interval asked for behind bits'
mutant node 's/if (t != f \&\& shape_forgets_a(q, &at->range))/if (false)/' 'A is never forgotten'
mutant validate 's/next + q->jt >= n/next + q->jt > n/' 'jump just out of the program'
mutant splice 's/return i <= s->at/return i < s->at/' 'jump to the marker'
mutant node 's/BPF_ALU | op | BPF_K, REG_A/BPF_ALU | (op == BPF_RSH ? BPF_ARSH : op) | BPF_K, REG_A/' \
	'constant shift right keeps the sign'
mutant node '/^static void shift/,/^}/s/BPF_ALU | op |/BPF_ALU | (op == BPF_RSH ? BPF_ARSH : op) |/' \
	'shift right by X keeps the sign'
mutant classic 's/: a >> k;/: (uint32_t)((int32_t)a >> k);/' 'shift right of a constant keeps the sign'
mutant load '/^void gen_guard_length/,/^}/s/if (!is_skb(g))/if (false)/' 'chain by helper beyond byte 65535'
mutant load '/^void gen_guard_length/,/^}/s/DIRECT_END, fail/DIRECT_END + 1, fail/' 'the same by one byte'
mutant load '/^void gen_guard_length/,/^}/s/if (!is_skb(g))/if (is_skb(g))/' 'the same for the other hook'
mutant load 's/last = TAG_END - 1;/last = TAG_END - 2;/' 'last place in the tag'
mutant load 's/if (at < last)/if (at + 1 < last)/' 'last place but one in the tag'
mutant load 's/(int32_t)(at + size), next/(int32_t)(at + size + 1), next/' 'places in the tag, one further'
mutant forward 's/r->x_max = 0xf << 2;/r->x_max = 0xf;/' 'header length taken for 15 at most'
mutant forward 's/r->x_max = 0xf << 2;/r->x_max = 0xf << 1;/' 'the same for 30'
mutant forward 's/r->p_max = smaller(r->x_max, DIRECT_END - end);/r->p_max = 0;/' 'bound of X behind a guard'
mutant forward '/^void plan_chain_failed/,/^}/s/r->known_x = 0;/;/' 'pointer from X behind a failed chain'
mutant forward '/^void plan_chain_failed/,/^}/s/ \&\& range_stale(r, c->ind_end)/ \&\& !range_stale(r, c->ind_end)/' \
	'the same where it was not made anew'
mutant forward '/^void plan_chain_failed/,/^}/s/if (r->known_x < c->ind_end/if (r->known_x > c->ind_end/' \
	'the same where it was not asked for'
mutant code '/case BPF_JGE:/{n;s/BPF_JLT/BPF_JLE/;}' 'opposite of JGE'
mutant code '/case BPF_JLT:/{n;s/BPF_JGE/BPF_JGT/;}' 'opposite of JLT'
mutant code '/case BPF_JEQ:/{n;s/BPF_JNE/BPF_JGT/;}' 'opposite of JEQ'
mutant code '/case BPF_JNE:/{n;s/BPF_JEQ/BPF_JLE/;}' 'opposite of JNE'
mutant code '/case BPF_JLE:/{n;s/BPF_JGT/BPF_JGE/;}' 'opposite of JLE'
mutant translate 's/^\tclassic_share_returns(p);//' 'terms with a return each are not searched'
mutant classic '/^static unsigned same_return/,/^}/s/if (p->node\[last\[v\]\]\.k == p->node\[i\]\.k)/if (true)/' \
	'returns of other values taken for the same'
mutant splice 's/bool address = .*/bool address = false;/' 'address of a subprogram across the filter'
mutant splice 's/src_reg == BPF_PSEUDO_FUNC/src_reg == BPF_PSEUDO_MAP_FD/' 'number of a map taken for a distance'
mutant island 's/return is_wide(insn) || /return /' 'distance of an address not written'

mutant chain '/^static void read_parts/,/^}/s/ || !same_place(plan, then.f, way->f)//' 'fields with another miss each'
mutant chain 's/if (test->spent \&\& .*/if (false)/' 'A behind tests of several fields'
mutant chain 's/ || plan->need\[i\]\.m_live)/)/' 'M[] in use where fields are put'
mutant chain '/BPF_JSET/,/return true/s/test->mask \&= q->k;/;/' 'no bit at all for no bit of a mask'
mutant chain 's/c->n_fields > FIELDS_MAX/false/' 'more fields than there is room for'
mutant search 's/^\tqsort(list->test, .*//' 'addresses that share words are apart'
mutant search 's/ \&\& can_hold(&chain->test\[k\])//' 'impossible fronts in a search'
mutant search 's/chain->parts ? g->beyond :/chain->parts ? g->reject :/' 'short frames never match addresses'
mutant parts 's/if (end > \*known)/if (false)/' 'fields that the frame has not'
mutant parts '/known = here;/d' 'length asked for again and again, and no more'
mutant parts 's/if (i == 0)/if (true)/' 'fields known that not each frame asks for'
mutant parts 's/if (part->value \& ~field_ones(&part->field))/if (false)/' 'impossible front, by helper'
mutant parts 's/if (test->value \& ~mask)/if (false)/' 'impossible value behind a mask, by helper'
mutant parts 's/gen_swap(g, REG_A, size);/;/' 'range in network order, by helper'

[ "$placed" -eq "$all" ] || stop "$placed of $all edits were looked at"
passed=$((passed + 1))
echo "ok: each of $all edits finds its place"
if [ -z "$chosen" ]; then
	echo "mutants: not run in the quick form"
# Also after what each mutant left behind: else the tests themselves failed, or one mutant killed the next.
elif ! link_tests || [ -n "$(killer)" ]; then
	failed=$((failed + 1))
	echo "FAILED: the tests fail without a mutant"
fi
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
