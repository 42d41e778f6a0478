#!/bin/sh
# exec sh ci.sh plan | save | apply | drift
# With exec, here and in the job, an interrupt of the job reaches Terraform, which then ends in order.
set -eu

cli=${TERRAFORM:-terraform} # or tofu

if [ -n "${API_KEY+set}" ]; then # into a file that nobody else can read, and out of the environment
	umask 077
	CLOUDSERVER_TOKEN_FILE=$RUNNER_TEMP/token
	printf %s "$API_KEY" >"$CLOUDSERVER_TOKEN_FILE"
	export CLOUDSERVER_TOKEN_FILE
	unset API_KEY
fi
token=${CLOUDSERVER_TOKEN_FILE:?is not set: does this job have the secret?}
[ -s "$token" ] || { echo "ci.sh: $token is empty: the CI has no such secret, or keeps it from this job" >&2; exit 1; }

export TF_IN_AUTOMATION=1 TF_INPUT=0
"$cli" init -lockfile=readonly

case $1 in
plan) exec "$cli" plan -lock-timeout=10m ;;
save) exec "$cli" plan -lock-timeout=10m -out=tfplan ;;
apply) exec "$cli" apply -lock-timeout=10m tfplan ;;
drift) # at night: 0 if all is as configured, 2 if something differs or a warning says so, 1 on an error
	code=0
	"$cli" plan -no-color -lock=false -detailed-exitcode -out=tfplan >drift.txt 2>&1 || code=$?
	if "$cli" show -json tfplan | grep -q '"resource_drift":\['; then # changed at the service, configured or not
		"$cli" plan -no-color -lock=false -refresh-only >>drift.txt 2>&1
		code=2
	elif [ "$code" = 0 ] && grep -q 'Warning: ' drift.txt; then
		code=2
	fi
	cat drift.txt
	exit "$code"
	;;
*) echo "ci.sh: unknown task: $1" >&2 && exit 64 ;;
esac
