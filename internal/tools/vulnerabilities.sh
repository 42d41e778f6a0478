#!/bin/sh
# Looks for known vulnerabilities: in the code of the provider and of our other modules that is really called, in the program
# in build/, and in the tools. TOOLS= leaves everything in internal/tools out; arguments name other modules instead.
# DB chooses the database: `snapshot` is the one in this repository, a folder is one in a form that govulncheck reads, and
# without it vuln.go.dev is asked.
set -eu
cd "$(dirname "$0")/../.."

govulncheck=$(internal/tools/tool.sh govulncheck)
case ${DB:-} in
'') ;;
snapshot)
	database=$(mktemp -d)
	trap 'rm -rf "$database"' EXIT
	date=$(go run ./internal/tools/vulndb -into "$database")
	echo "known vulnerabilities as of $date, from the snapshot in internal/tools/vulndb"
	;;
*) database=$(cd "$DB" && pwd) ;;
esac
scan() { "$govulncheck" ${database:+-db "file://$database"} "$@"; }

# scan_tool NAME: fails for each known hole that a newer version of a module mends. Without symbols it cannot be seen what a
# tool calls, so that what nothing mends yet is listed only.
scan_tool() {
	binary=$(internal/tools/tool.sh "$1") || return
	found=$(scan -mode binary "$binary") || [ $? = 3 ] || { echo "$found"; return 1; }
	echo "$found" | grep -E '^Vulnerability|^No vuln|(Found|Fixed) in:' || true
	! echo "$found" | grep -q 'Fixed in: .*@'
}

failed=
if [ $# = 0 ]; then
	set -- . internal/bench
	for module in ${TOOLS-internal/tools/*/go.mod}; do
		case $module in
		*/opentofu/* | */terraform/* | */terragrunt/*) ;; # programs under test, with the modules that their makers chose
		*) set -- "$@" "${module%/go.mod}" ;;
		esac
	done
	echo "== build/terraform-provider-cloudserver"
	scan -mode binary build/terraform-provider-cloudserver || failed=" the program"
fi
for module in "$@"; do
	echo "== $module"
	if grep -q '^tool ' "$module/go.mod"; then
		scan_tool "$(basename "$module")" || failed="$failed $module"
	else
		scan -C "$module" -test ./... || failed="$failed $module"
	fi
done
[ -z "$failed" ] || { echo "vulnerabilities in:$failed" >&2; exit 1; }
