#!/bin/sh
# A machine's life on the emulator, through the real CLI: plan, apply, an empty plan, import, a change, destroy.
# It stops at the first step that is not as expected, and leaves nothing running, and nothing outside build/.
# `make demo` builds what it needs. With DIST, the provider is installed from the archive of a release in that folder.
set -eu

example=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$example/../.." && pwd)
demo=$root/build/demo
export LC_ALL=C

cli=$("$root/internal/tools/cli.sh")
. "$root/internal/tools/clean-env.sh"
case $("$cli" version) in
OpenTofu*) shown=tofu ;;
*) shown=terraform ;;
esac

bold= green= red= plain= color=-no-color
if [ -t 1 ]; then
	bold=$(printf '\033[1m') green=$(printf '\033[32m') red=$(printf '\033[31m') plain=$(printf '\033[0m') color=
fi

step() { printf '\n%s== %s%s\n' "$bold" "$*" "$plain"; }
shows() { printf '%s$ %s%s\n' "$bold" "$*" "$plain"; }
good() { printf '%sok: %s%s\n' "$green" "$*" "$plain"; }
bad() {
	printf '%snot as expected: %s%s\n' "$red" "$*" "$plain" >&2
	exit 1
}

# run COMMAND ARGUMENTS: the CLI, with what a user would type shown first.
run() {
	shows "$shown $*"
	command=$1
	shift
	"$cli" "$command" $color "$@"
}

# plan WANT: makes a plan and expects its closing line.
plan() {
	run plan -out=plan.tfplan
	"$cli" show -no-color plan.tfplan | grep -qF "$1" || bad "the plan does not say: $1"
	good "$1"
}

# empty_plan: expects a plan that changes nothing.
empty_plan() {
	code=0
	run plan -detailed-exitcode || code=$?
	[ "$code" = 0 ] || bad "the plan is not empty (exit code $code)"
	good "nothing to do"
}

# The provider logs a line for each answer, with method, path and status.
answers() { [ ! -e "$demo/provider.log" ] || grep 'The service answered' "$demo/provider.log" || true; }
mark() { seen=$(answers | wc -l); }
requests() { answers | tail -n "+$((seen + 1))"; }
changes() { requests | grep -v 'method=GET' || true; }
expect_no_change() {
	[ -z "$(changes)" ] || bad "the service was asked to change something: $(changes)"
	good "the service was only read"
}

finish() {
	code=$?
	trap - EXIT
	[ "$code" = 0 ] || { echo "the last requests were:" && answers | tail -n 10; } >&2
	rm -rf "$demo"
	exit "$code"
}

rm -rf "$demo"
mkdir -p "$demo/work"
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
cp "$example/main.tf" "$demo/work"
cd "$demo/work"

step "Have the provider emulate the service, in a file, and make up a root password"
CLOUDSERVER_ENDPOINT=emulator:world.json
TF_VAR_root_password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
TF_LOG_PROVIDER=DEBUG TF_LOG_PATH=$demo/provider.log
export CLOUDSERVER_ENDPOINT TF_VAR_root_password TF_LOG_PROVIDER TF_LOG_PATH
shows "export CLOUDSERVER_ENDPOINT=$CLOUDSERVER_ENDPOINT TF_VAR_root_password=…"

# A mirror in the file system stands in for the registry: init works before there is a release.
TF_CLI_CONFIG_FILE=$(cd "$root" && internal/tools/mirror.sh "${DIST:-}")
HOME=$demo # the CLI makes ~/.terraform.d
export TF_CLI_CONFIG_FILE HOME
run init >"$demo/init.out" || bad "$(cat "$demo/init.out")"
head -n 1 "$demo/init.out"
grep "Installed" "$demo/init.out"

step "Plan: one machine, checked against what the service offers"
plan "Plan: 1 to add, 0 to change, 0 to destroy."

step "Apply: one call creates the machine, its discs and its image; then the provider waits until it is on"
mark
run apply plan.tfplan
[ "$(changes | wc -l)" -eq 1 ] || bad "more than one call that changes something: $(changes)"
good "one creating call; requests per create, boot of 3 s awaited: $(requests | grep -vc '/definitions')"
run output
"$cli" show -json plan.tfplan >plan.json
# Never as an argument: other users of the machine see those.
if printf '%s\n' "$TF_VAR_root_password" | grep -qF -f - plan.json terraform.tfstate; then bad "the root password was written down"; fi
good "the root password is in no plan and in no state"

step "Plan again: it must be empty"
empty_plan

step "Lose the state, and import the machine into an empty one"
id=$("$cli" output -raw id)
rm terraform.tfstate
cat >import.tf <<'END'
import {
  to = cloudserver_vm.web
  id = "default/web1"
}
END
shows "cat import.tf"
cat import.tf
mark
plan "Plan: 1 to import, 0 to add, 1 to change, 0 to destroy."
run apply plan.tfplan
expect_no_change
[ "$("$cli" output -raw id)" = "$id" ] || bad "another machine was imported"
rm import.tf
empty_plan

step "Change it: a new name, in place"
TF_VAR_name=web2
export TF_VAR_name
shows "export TF_VAR_name=web2"
plan "Plan: 0 to add, 1 to change, 0 to destroy."
run apply plan.tfplan
[ "$("$cli" output -raw id)" = "$id" ] || bad "the machine was replaced"
case $("$cli" output -raw hostname) in
web2.*) good "the same machine, now web2; its hostname follows" ;;
*) bad "the hostname did not follow" ;;
esac
empty_plan

step "Destroy it"
mark
run destroy -auto-approve
requests | grep -q 'method=DELETE' || bad "nothing was deleted"
[ -z "$("$cli" state list)" ] || bad "the state is not empty"
good "nothing is left"

step "Done. By hand: eval \"\$(make -s try)\", and then terraform in examples/quickstart"
