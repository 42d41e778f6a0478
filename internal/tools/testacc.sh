#!/bin/sh
# Runs the acceptance tests of internal/e2e/stories, or those that match RUN, against the service that CLOUDSERVER_ENDPOINT and
# the other variables name. Without an endpoint the tests start an emulator of their own. With SWEEP=ACCOUNT the script removes
# instead what crashed tests left in that account: machines and groups whose names begin with "tfacc-".
set -eu
cd "$(dirname "$0")/../.."

if [ -n "${SWEEP:-}" ]; then
	exec go test -count 1 ./internal/e2e/stories -v -sweep "$SWEEP"
fi

TERRAFORM=$(internal/tools/cli.sh)
gotestsum=$(internal/tools/tool.sh gotestsum)
export TERRAFORM TF_ACC=1
mkdir -p build/test
rm -f build/test/testacc
"$gotestsum" --format pkgname --format-icons text --post-run-command 'internal/tools/counts.sh build/test/testacc' \
	-- -count 1 -timeout 60m -run "${RUN:-.}" ./internal/e2e/stories/...
