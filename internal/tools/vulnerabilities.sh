#!/bin/sh
# Looks for known vulnerabilities: in the code of the provider and of our other modules that is really called, and in the
# tools. TOOLS= leaves everything in internal/tools out. It needs vuln.go.dev.
set -eu
cd "$(dirname "$0")/../.."

govulncheck=$(internal/tools/tool.sh govulncheck)
failed=
for module in go.mod internal/bench/go.mod ${TOOLS-internal/tools/*/go.mod}; do
	name=$(dirname "$module")
	echo "== $name"
	if grep -q '^tool ' "$module"; then
		"$govulncheck" -mode binary "$(internal/tools/tool.sh "$(basename "$name")")" || failed="$failed $name"
	else
		"$govulncheck" -C "$name" -test ./... || failed="$failed $name"
	fi
done
[ -z "$failed" ] || { echo "vulnerabilities in:$failed" >&2; exit 1; }
