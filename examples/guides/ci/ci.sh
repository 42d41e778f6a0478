#!/bin/sh
# exec sh ci.sh plan | save | apply | drift
# With exec, here and in the job, an interrupt of the job reaches Terraform, which then ends in order.
set -eu

cli=${TERRAFORM:-terraform} # or tofu

if [ "$1" = drift ]; then # all that is printed is also in drift.txt
	export TF_CLI_ARGS=-no-color
	exec 3>&1 >drift.txt 2>&1
	trap 'cat drift.txt >&3' EXIT
fi

if [ -n "${API_KEY+set}" ]; then # into a file that nobody else can read, and out of the environment
	umask 077
	CLOUDSERVER_TOKEN_FILE=$RUNNER_TEMP/token
	printf %s "$API_KEY" >"$CLOUDSERVER_TOKEN_FILE"
	export CLOUDSERVER_TOKEN_FILE
	unset API_KEY
fi
token=${CLOUDSERVER_TOKEN_FILE:-}
[ -s "$token" ] || { echo "ci.sh: no key in '$token': the CI has no such secret, or keeps it from this job" >&2; exit 1; }

export TF_IN_AUTOMATION=1 TF_INPUT=0
"$cli" init -lockfile=readonly

case $1 in
plan) exec "$cli" plan -lock-timeout=10m ;;
save) exec "$cli" plan -lock-timeout=10m -out=tfplan ;;
apply) exec "$cli" apply -lock-timeout=10m tfplan ;;
drift) # at night: 0 if all is as configured, 2 if something differs or a warning says so, 1 on an error
	code=0
	"$cli" plan -lock=false -detailed-exitcode -out=tfplan || code=$?
	[ "$code" != 1 ] || exit 1
	"$cli" show -json tfplan >tfplan.json
	if grep -q '"resource_drift":\[' tfplan.json; then # changed at the service, configured or not
		"$cli" plan -lock=false -refresh-only
		exit 2
	elif grep -q '^Warning: ' drift.txt; then
		exit 2
	fi
	exit "$code"
	;;
*) echo "ci.sh: unknown task: $1" >&2 && exit 64 ;;
esac
