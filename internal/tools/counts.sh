#!/bin/sh
# Run by gotestsum after the tests: prints the ten slowest, keeps the figures in the file that is named, as "PASSED FAILED
# SKIPPED", and fails when none ran or, unless SKIPS_ALLOWED is set, when one was skipped. What the CLI at hand cannot run is driven
# in process instead.
set -eu

failed=$TESTS_FAILED # a package that does not build or exits early counts as one, and is not in the total
[ "$failed" -gt 0 ] || failed=$TESTS_ERRORS
passed=$((TESTS_TOTAL - TESTS_FAILED - TESTS_SKIPPED))
[ "$passed" -ge 0 ] || passed=0
echo "$passed $failed $TESTS_SKIPPED" >"$1"
"$("$(dirname "$0")/tool.sh" gotestsum)" tool slowest --threshold 1s --num 10 --jsonfile "$GOTESTSUM_JSONFILE"

[ "$TESTS_TOTAL" -gt 0 ] || { echo "no test ran" >&2; exit 1; }
[ "$TESTS_SKIPPED" -eq 0 ] || [ -n "${SKIPS_ALLOWED:-}" ] || { echo "$TESTS_SKIPPED tests were skipped, and none may be" >&2; exit 1; }
