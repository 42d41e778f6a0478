#!/bin/sh
# Prints the absolute path of a pinned tool: tool.sh NAME, where internal/tools/NAME is a nested module with one `tool` line.
# The first call builds it into build/tools, under a name that changes with the module and with the Go that compiles it.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
name=$1
module=$root/internal/tools/$name
[ -f "$module/go.mod" ] || { echo "tool.sh: no such tool: $name" >&2; exit 2; }

flags="-s -w" time="some seconds"
case $name in
opentofu) flags="$flags -X github.com/opentofu/opentofu/version.dev=no" time="about five minutes" ;; # a release, not a development build
terraform) flags="$flags -X github.com/hashicorp/terraform/version.dev=no" time="about three minutes" ;; # likewise
golangci-lint) time="about three minutes" ;;
goreleaser) time="about two minutes" ;;
opa) time="about three minutes" ;;
terragrunt) flags="$flags -X github.com/gruntwork-io/go-commons/version.Version=v1.0.0" time="about three minutes" ;; # it looks at its own version
esac

key=$({ go version; echo "$flags"; cat "$module/go.mod" "$module/go.sum"; } | cksum | cut -d ' ' -f 1)
binary=$root/build/tools/$name-$key

if [ ! -x "$binary" ]; then
	echo "building $name into ${binary#"$root"/}: $time on two cores and the download, once" >&2
	mkdir -p "$root/build/tools"
	partial=$root/build/tools/partial-$name.$$
	trap 'rm -f "$partial"' EXIT
	go build -C "$module" -buildvcs=false -ldflags "$flags" -o "$partial" tool >&2
	rm -f "$root/build/tools/$name"-[0-9]* # what another version left
	mv "$partial" "$binary"
fi
echo "$binary"
