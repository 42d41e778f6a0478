#!/bin/sh
# Runs the rollout of the guide "Rolling updates" on the emulator, and draws which machine was down when.
set -eu

cd "$(dirname "$0")/../.."
root=$PWD page=$PWD/examples/guides/rolling-updates work=$(mktemp -d)
emulator=
trap 'test -z "$emulator" || kill "$emulator"; rm -rf "$work"' EXIT

provider=$root/build/terraform-provider-cloudserver
TF_CLI_CONFIG_FILE=$(internal/tools/mirror.sh)
export TF_CLI_CONFIG_FILE
"$provider" -emulator 127.0.0.1:0 -boot-time 3s -guest-port 2222 >"$work/banner" 2>"$work/log" &
emulator=$!
until grep -q CLOUDSERVER_GROUP "$work/banner"; do kill -0 "$emulator" && sleep 0.1; done
sed -n '/^export /p' "$work/banner" >"$work/env"
. "$work/env"
export TF_VAR_port=2222 TF_VAR_root_password=made-up

cp "$page"/*.tf "$work"
cd "$work"
"$TERRAFORM" init -input=false >/dev/null
"$TERRAFORM" apply -auto-approve -input=false >/dev/null
curl -fsS -X DELETE "$CLOUDSERVER_ENDPOINT/_emulator/power"
"$TERRAFORM" apply -auto-approve -input=false -var cores=2 >/dev/null
curl -fsS "$CLOUDSERVER_ENDPOINT/_emulator/power" >"$page/timeline.json"
cd "$root"
go run ./internal/tools/timeline <"$page/timeline.json" >"$page/timeline.svg"
