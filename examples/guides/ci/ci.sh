#!/bin/sh
# exec sh ci.sh plan | save | apply | drift
set -eu

cli=${TERRAFORM:-terraform} # or tofu

if [ -n "${GITHUB_ACTIONS:-}" ]; then # nothing that is printed from here on is a command to GitHub
	echo "::stop-commands::$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
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
apply) exec "$cli" apply -lock-timeout=10m tfplan ;; # with exec, here and in the job, an interrupt reaches Terraform
plan | save | drift) ;;
*) echo "ci.sh: unknown task: $1" >&2 && exit 64 ;;
esac

code=0 # 1: an error; 2: something differs
"$cli" plan -no-color -lock=false -detailed-exitcode -out=tfplan >plan.txt 2>&1 || code=$?
case $1$code in
plan2 | save2) code=0 ;;
drift0 | drift2)
	if "$cli" show -json tfplan | grep -q '"resource_drift":\['; then # changed at the service, configured or not
		code=2
		"$cli" plan -no-color -lock=false -refresh-only >>plan.txt 2>&1 || code=1
	elif grep -q '^Warning: ' plan.txt; then
		code=2
	fi
	;;
esac
cat plan.txt

sed 's/&/\&amp;/g; s/</\&lt;/g' plan.txt >plan.html
{ # what is destroyed first, then what else happens, then everything, shortened
	echo '<pre>'
	grep -E '^  # [^(].*(destroyed|replaced)' plan.html
	grep -E '^(Plan:|No changes|Warning:|Error:)' plan.html
	grep -E '^  # [^(]' plan.html | grep -vE 'destroyed|replaced'
	# what is lost, with the details
	awk '/^(Warning|Error): / { loss = /lost|purged|erased|destroy|gone/ } /^─/ { loss = 0 } loss' plan.html
	echo '</pre><details><summary>Everything</summary><pre>'
	head -c 50000 plan.html
	echo '</pre></details>'
} >summary.md || true
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat summary.md >>"$GITHUB_STEP_SUMMARY"
exit "$code"
