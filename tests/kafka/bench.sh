#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What it costs to put packets into Kafka: a broker on this machine, one replica. Prints CPU time of pcapng-kafka for a
# file, by codec, with TLS, and by a way of 10 and 50 ms there and back, beside nc over loopback; then the highest rate
# at which xdpdump --to loses nothing.
# Broker, traffic and capture share the CPUs: what comes out is a lower bound.
# BENCH_FRAMES, BENCH_ROUNDS, BENCH_SECONDS: of the file, by turns, of each rate.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
# shellcheck source=tests/kafka/lib.sh
. "$(dirname "$0")/lib.sh"
need_kafka
need_xdpdump
need nc python3 openssl
veth_pair
offloads_off
in_kafka="ip netns exec $right"
PATH=$build/kafka:$PATH
tls=127.0.0.1:9094 # and ports from 9100 on, of a proxy that delays, lead to 9095
file=$scratch/f.pcapng

openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 \
	-keyout "$scratch/key.pem" -out "$scratch/ca.pem" 2> "$scratch/openssl" || skip_all "openssl makes no certificate"
cat "$scratch/key.pem" "$scratch/ca.pem" > "$scratch/broker.pem"
start_broker listeners=PLAINTEXT://127.0.0.1:9092,SSL://$tls,W0://:9095,W10://:9096,W50://:9097,CONTROLLER://127.0.0.1:9093 \
	advertised.listeners=PLAINTEXT://127.0.0.1:9092,SSL://$tls,W0://127.0.0.1:9100,W10://127.0.0.1:9110,W50://127.0.0.1:9150 \
	listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SSL:SSL,W0:PLAINTEXT,W10:PLAINTEXT,W50:PLAINTEXT \
	ssl.keystore.type=PEM "ssl.keystore.location=$scratch/broker.pem"

# timed NAME COMMAND...: with the file as its input; a line with name, seconds, CPU seconds and status.
timed()
{
	python3 - "$file" "$@" >> "$scratch/times" <<-'END'
	import resource, subprocess, sys, time
	source, name, words = sys.argv[1], sys.argv[2], sys.argv[3:]
	begun = time.monotonic()
	with open(source) as data:
	    status = subprocess.run(words, stdin=data, stderr=subprocess.DEVNULL).returncode
	seconds = time.monotonic() - begun
	use = resource.getrusage(resource.RUSAGE_CHILDREN)
	print(name, seconds, use.ru_utime, use.ru_stime, status, sep="\t")
	END
}

# timed_put NAME ADDRESS SETTING...
timed_put()
{
	named=$1 where=$2
	shift 2
	printf '%s\n' "$@" > "$scratch/conf"
	# shellcheck disable=SC2086 # words
	timed "$named" $in_kafka "$pcapng_kafka" put -q --full wait --kafka-conf "$scratch/conf" "kafka://$where/bench"
}

# far MS PORT: port 9100 + MS leads there, MS later there and back.
far()
{
	start ip netns exec "$right" python3 "$top/tests/kafka/delay.py" $((9100 + $1)) "$2" "$1"
}

# Of each kind the turn that took the least CPU time: others on the machine lengthen it, and never shorten it.
table()
{
	awk -F '\t' -v bytes="$(stat -c %s "$file")" '
		!($1 in least) { order[++kinds] = $1 }
		$5 != 0 { failed[$1] = ", FAILED" }
		!($1 in least) || $3 + $4 < least[$1] { least[$1] = $3 + $4; system_time[$1] = $4 }
		!($1 in fastest) || $2 < fastest[$1] { fastest[$1] = $2 }
		END {
			printf "%-34s %8s %12s %12s %10s\n", "", "MB/s", "CPU ns/byte", "of it kernel", "times nc"
			for (i = 1; i <= kinds; i++) {
				kind = order[i]
				printf "%-34s %8.0f %12.2f %12.2f %10.2f%s\n", kind, bytes / fastest[kind] / 1e6,
					least[kind] * 1e9 / bytes, system_time[kind] * 1e9 / bytes,
					least[kind] / least["nc over loopback"], failed[kind]
			}
		}' "$scratch/times"
}

start_xdpdump -w "$file" --ring 64M
capture=$pid
send -n "${BENCH_FRAMES:-800000}" -r 100000 -s mix
settle "$capture"
stop "$capture" INT
echo "a file of $(stat -c %s "$file") bytes, $(packets "$file") packets (64/576/1500 at 7:4:1)"
start ip netns exec "$right" sh -c 'exec nc -lk 127.0.0.1 5556 > /dev/null'
far 0 9095
far 10 9096
far 50 9097
make_topic bench 1
for _ in $(seq "${BENCH_ROUNDS:-3}"); do
	# shellcheck disable=SC2086 # words
	timed "nc over loopback" $in_kafka nc -N 127.0.0.1 5556
	timed_put "pcapng-kafka put" $address
	timed_put "... lz4" $address compression.codec=lz4
	timed_put "... zstd" $address compression.codec=zstd
	timed_put "... TLS" $tls security.protocol=SSL "ssl.ca.location=$scratch/ca.pem"
	timed_put "... by a proxy, 0 ms" 127.0.0.1:9100
	timed_put "... by a proxy, 10 ms" 127.0.0.1:9110
	timed_put "... by a proxy, 50 ms" 127.0.0.1:9150
	timed_put "... zstd and TLS" $tls compression.codec=zstd security.protocol=SSL "ssl.ca.location=$scratch/ca.pem"
done
table

# loses_nothing RATE
loses_nothing()
{
	start_xdpdump --to "kafka://$address/rate" -v --ring 64M
	said=$err capture=$pid
	send -d "${BENCH_SECONDS:-5}" -r "$1" -s mix
	settle "$capture"
	kill -INT "$capture"
	ended "$capture" 60
	sent=$(json "$scratch/sent" sent) captured=$(count captured "$said") dropped=$(count dropped "$said")
	lost=$(sed -n 's/ packets lost on the way to Kafka//p' "$said")
	echo "xdpdump --to, $1 packets a second: $sent sent, $captured captured, $dropped dropped by kernel, $lost lost"
	[ "$captured" -eq "$sent" ] && [ "$lost" -eq 0 ] && [ "$sent" -ge $(($1 * ${BENCH_SECONDS:-5} * 95 / 100)) ]
}

# Up, until twice in turn something is lost, or the sender is no faster.
make_topic rate 1
rate=100000 highest=0
while [ "$rate" -lt 3000000 ] && { loses_nothing $rate || loses_nothing $rate; }; do
	highest=$rate rate=$((rate * 5 / 4))
done
echo "the highest rate without loss: $highest packets a second, $((highest * 354 / 1000000)) MB/s of frames"
