#!/bin/sh
# Runs the rollouts of the guide "Rolling updates" on the emulator, and draws which machine was down when: one that goes through,
# and one that stops at a bad release and goes on with the fix.
set -eu

cd "$(dirname "$0")/../.."
root=$PWD page=$PWD/examples/guides/rolling-updates work=$(mktemp -d)
emulator=
trap 'test -z "$emulator" || kill "$emulator"; rm -rf "$work"' EXIT

provider=$root/build/terraform-provider-cloudserver
TF_CLI_CONFIG_FILE=$(internal/tools/mirror.sh)
export TF_CLI_CONFIG_FILE
"$provider" emulator 127.0.0.1:0 --boot-time 3s --guest-http 8080 >"$work/banner" 2>"$work/log" &
emulator=$!
until grep -q CLOUDSERVER_GROUP "$work/banner"; do kill -0 "$emulator" && sleep 0.1; done
sed -n '/^export /p' "$work/banner" >"$work/env"
. "$work/env"
mkdir "$work/.ssh"
echo 'ssh-ed25519 AAAA' >"$work/.ssh/id_ed25519.pub"
export HOME="$work"

cd "$work"
sed 's/"3m"/"8s"/' "$page/main.tf" >main.tf # nobody waits three minutes for a picture
apply() { "$TERRAFORM" apply -auto-approve -input=false "$@" >/dev/null; }
control() { method=$1 path=$2; shift 2; curl -fsS -X "$method" "$@" "$CLOUDSERVER_ENDPOINT/_emulator/$path"; }
draw() {
	control GET power >"$page/$1.json"
	(cd "$root" && go run ./internal/tools/timeline <"$page/$1.json" >"$page/$1.svg")
	control DELETE power
}

"$TERRAFORM" init -input=false >/dev/null
apply
control DELETE power
apply -var cores=2
draw timeline

control PUT images/noble -d '{"http_status": 503}'
if apply -var cores=2 -var distribution=noble 2>/dev/null; then
	echo 'the bad release rolls on' >&2
	exit 1
fi
apply -var cores=2 -var distribution=trixie
draw bad-release
