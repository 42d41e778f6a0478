#!/bin/sh
# Runs the acceptance tests of internal/e2e/stories, or those that match RUN, against the service that CLOUDSERVER_ENDPOINT and
# the other variables name. Without an endpoint the tests start an emulator of their own; with VARIANT=NAME it plays that
# variant of the service, with VARIANT=all every one, one after the other. With SWEEP=ACCOUNT the script removes instead what
# crashed tests left in that account: machines and groups whose names begin with "tfacc-".
set -eu
cd "$(dirname "$0")/../.."

if [ -n "${SWEEP:-}" ]; then
	exec go test -count 1 ./internal/e2e/stories -v -sweep "$SWEEP"
fi

TERRAFORM=$(internal/tools/cli.sh)
gotestsum=$(internal/tools/tool.sh gotestsum)
export TERRAFORM TF_ACC=1
mkdir -p build/test

# run FIGURES PATTERN: runs tests, and keeps the figures in build/test.
run() {
	"$gotestsum" --format pkgname --format-icons text \
		--post-run-command "$PWD/internal/tools/counts.sh $PWD/build/test/$1" -- -count 1 -timeout 60m -run "$2" ./internal/e2e/stories/...
}

if [ -z "${VARIANT:-}" ]; then
	run testacc "${RUN:-.}"
	exit
fi

# The other tests of the package do not depend on the variant.
case ${RUN:-.} in
.) RUN='^TestAcc' ;;
esac
variants=$VARIANT
[ "$VARIANT" != all ] || variants=$(go run ./internal/tools/variants)
failed=
while IFS= read -r TESTACC_VARIANT; do
	export TESTACC_VARIANT
	echo "=== $TESTACC_VARIANT"
	run testacc "$RUN" </dev/null || failed="$failed; $TESTACC_VARIANT"
done <<END
$variants
END
[ -z "$failed" ] || { echo "failed with: ${failed#; }" >&2; exit 1; }
