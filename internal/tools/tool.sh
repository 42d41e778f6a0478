#!/bin/sh
# Prints the absolute path of a pinned tool: tool.sh NAME, where internal/tools/NAME is a nested module with one `tool` line.
# The first call builds it into build/tools, under a name that changes with the module and with the Go that compiles it.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
name=$1
module=$root/internal/tools/$name
[ -f "$module/go.mod" ] || { echo "tool.sh: no such tool: $name" >&2; exit 2; }

flags=
case $name in
opentofu) flags="-X github.com/opentofu/opentofu/version.dev=no" ;; # a release, not a development build
esac

key=$({ go version; cat "$0" "$module/go.mod" "$module/go.sum"; } | cksum | cut -d ' ' -f 1)
binary=$root/build/tools/$name-$key

if [ ! -x "$binary" ]; then
	echo "building $name into ${binary#"$root"/} (once; see internal/tools/README.md for how long)" >&2
	mkdir -p "$root/build/tools"
	partial=$binary.$$
	trap 'rm -f "$partial"' EXIT
	go build -C "$module" -buildvcs=false -ldflags "-s -w $flags" -o "$partial" tool >&2
	mv "$partial" "$binary"
fi
echo "$binary"
