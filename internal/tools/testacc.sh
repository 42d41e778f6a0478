#!/bin/sh
# Runs the acceptance tests of internal/testacc against the service that CLOUDSERVER_ENDPOINT and the other variables
# name. Without an endpoint the tests start an emulator of their own.
set -eu
cd "$(dirname "$0")/../.."

if [ ! -d internal/testacc ]; then
	echo "there are no acceptance tests in internal/testacc yet"
	exit
fi

TERRAFORM=$(internal/tools/cli.sh)
export TERRAFORM TF_ACC=1
mkdir -p build/test
"$(internal/tools/tool.sh gotestsum)" --format pkgname --format-icons text \
	--post-run-command "$PWD/internal/tools/counts.sh $PWD/build/test/testacc" -- -count 1 -timeout 60m ./internal/testacc/...
