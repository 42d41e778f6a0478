#!/bin/sh
# Looks for known vulnerabilities: in the code of the provider and of the benchmarks that is really called, and in the modules
# of the tools. TOOLS= leaves the tools out. It needs vuln.go.dev.
set -eu
cd "$(dirname "$0")/../.."

govulncheck=$(internal/tools/tool.sh govulncheck)
failed=
for module in . internal/bench; do
	echo "== $module"
	"$govulncheck" -C "$module" -test ./... || failed="$failed $module"
done
for module in ${TOOLS-internal/tools/*/go.mod}; do
	name=$(basename "$(dirname "$module")")
	echo "== $name"
	"$govulncheck" -mode binary "$(internal/tools/tool.sh "$name")" || failed="$failed $name"
done
[ -z "$failed" ] || { echo "vulnerabilities in:$failed" >&2; exit 1; }
