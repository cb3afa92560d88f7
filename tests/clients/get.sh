#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# get.sh CLIENT [VERSION]: makes a client in the current folder, out of what its registry has, with the
# drivers in drivers/. Nothing is installed into the system.
set -eu
drivers=$(cd "$(dirname "$0")" && pwd)/drivers
# What a build of ours was told is not for theirs.
unset CFLAGS CPPFLAGS LDFLAGS MAKEFLAGS MFLAGS DESTDIR LD_LIBRARY_PATH

# The crate links -lpcap, as its crate's build script finds it: in LIBPCAP_LIBDIR, or where ld looks.
get_crate()
{
	cp -r "$drivers/$1/." .
	CARGO_TARGET_DIR=$PWD/target cargo build --release
}

# Built from source: the wheels of pcapy-ng bring a libpcap of their own, which knows no xdp:.
get_pypi()
{
	/usr/bin/python3 -m pip --disable-pip-version-check install --no-deps --no-binary "$1" --target . "$1==$2"
}

# Node's headers are where Debian's or NodeSource's packages have them, or node-gyp fetches them.
get_npm()
{
	[ ! -e /usr/include/node/node.h ] || export npm_config_nodedir=/usr
	npm install --no-save --prefix . "$1@$2"
}

get_pcap4j()
{
	cp "$drivers/java/pom.xml" .
	mvn -B -q dependency:copy-dependencies -DoutputDirectory="$PWD/jars"
	javac -cp "$PWD/jars/*" -d classes "$drivers/java/UsePcap4j.java"
}

# get_go DRIVER MODULE@VERSION...: without a list of hashes beside it, which would be longer than the program.
get_go()
{
	cp "$drivers/$1"/*.go "$drivers/$1/go.mod" .
	shift
	go get "$@"
	go build
}

# Debian's packages, unpacked and not installed, as they would start services.
get_debian()
{
	apt-get -q download "$@"
	for package in ./*.deb; do
		dpkg-deb -x "$package" .
	done
	rm -f ./*.deb
}

recipe=$1
shift
"get_$recipe" "$@"
