#!/bin/sh
# Prints the absolute path of a pinned tool: tool.sh NAME, where internal/tools/NAME is a nested module with one `tool` line.
# The first call builds it into the user's cache, which all clones share, under a name that changes with the module and with
# the Go that compiles it. TOOLS_CACHE chooses another folder.
set -eu

module=$(cd "$(dirname "$0")" && pwd)/$1
name=$1
[ -f "$module/go.mod" ] || { echo "tool.sh: no such tool: $name" >&2; exit 2; }

flags="-s -w" time="some seconds"
case $name in
opentofu) flags="$flags -X github.com/opentofu/opentofu/version.dev=no" time="about five minutes" ;; # a release, not a development build
terraform) flags="$flags -X github.com/hashicorp/terraform/version.dev=no" time="about three minutes" ;; # likewise
golangci-lint) time="about three minutes" ;;
opa) time="about three minutes" ;;
goreleaser) time="about two minutes" ;;
esac

cache=${TOOLS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/terraform-provider-cloudserver/tools}
key=$({ go version; echo "$flags"; cat "$module/go.mod" "$module/go.sum"; } | cksum | cut -d ' ' -f 1)
binary=$cache/$name-$key

if [ ! -x "$binary" ]; then
	echo "building $name into $cache: $time on two cores and the download, once" >&2
	mkdir -p "$cache"
	partial=$cache/partial-$name.$$
	trap 'rm -f "$partial"' EXIT
	go build -C "$module" -trimpath -buildvcs=false -ldflags "$flags" -o "$partial" tool >&2
	mv "$partial" "$binary"
fi
echo "$binary"
