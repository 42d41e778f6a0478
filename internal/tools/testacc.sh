#!/bin/sh
# Runs the acceptance tests, or those that match RUN, against the service that CLOUDSERVER_ENDPOINT and the other variables name.
# Without an endpoint they run against an emulator in their process, with the habits that ACC_HABITS names. For a named service
# they ask before the first write, unless YES is set, and a test is skipped where the service lacks what it needs. The report is
# build/test/testacc.txt, which is printed at the end.
#
# With SWEEP=ACCOUNT the script removes instead what killed runs left in that account: machines and groups whose names begin
# with "tfacc-".
set -eu
cd "$(dirname "$0")/../.."

TERRAFORM=$(internal/tools/cli.sh)
export TERRAFORM TF_ACC=1 ACC_YES="${YES:-${ACC_YES:-}}"
if [ -n "${SWEEP:-}" ]; then
	exec go test -count 1 ./internal/acceptance -v -sweep "$SWEEP"
fi

gotestsum=$(internal/tools/tool.sh gotestsum)
mkdir -p build/test
rm -f build/test/testacc build/test/testacc.txt
ACC_REPORT=$PWD/build/test/testacc.txt
[ -z "${CLOUDSERVER_ENDPOINT:-}" ] || SKIPS_ALLOWED=1
export ACC_REPORT SKIPS_ALLOWED="${SKIPS_ALLOWED:-}"
result=0
"$gotestsum" --format testname --format-icons text --hide-summary output,skipped \
	--post-run-command 'internal/tools/counts.sh build/test/testacc' \
	-- -count 1 -vet=off -ldflags='-s -w' -timeout 4h -parallel "${PARALLEL:-4}" -run "${RUN:-.}" ./internal/acceptance || result=$?
[ ! -f "$ACC_REPORT" ] || { echo; cat "$ACC_REPORT"; }
exit "$result"
