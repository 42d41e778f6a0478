#!/bin/sh
# Tests this module against the emulator of the provider that init has installed.
set -eu

cli=${TERRAFORM:-terraform} # or tofu
$cli init -input=false

# What is set for your own service must not reach the tests.
for name in $(env | sed -n 's/^\(CLOUDSERVER_[A-Za-z0-9_]*\)=.*/\1/p'); do
  unset "$name"
done

# Port 0 is any free one; the endpoint is written to the file when it is served.
ready=.terraform/emulator.ready
rm -f "$ready"
provider=$(find -L .terraform/providers -name 'terraform-provider-cloudserver*' -type f | head -n 1)
"$provider" -emulator 127.0.0.1:0 -ready-file "$ready" -seed seed.json -boot-time 0s >/dev/null 2>.terraform/emulator.log &
emulator=$!
trap 'kill $emulator' EXIT

until [ -s "$ready" ]; do
  kill -0 $emulator 2>/dev/null || { cat .terraform/emulator.log >&2; exit 1; }
  sleep 0.1
done
CLOUDSERVER_ENDPOINT=$(cat "$ready")
export CLOUDSERVER_ENDPOINT CLOUDSERVER_TOKEN=apikey.demo CLOUDSERVER_ACCOUNT=demo

for file in tests/*.tftest.hcl; do
  # Each file starts with the world of the seed, and without faults.
  curl -fsS -X POST "$CLOUDSERVER_ENDPOINT/_emulator/reset"
  $cli test -filter="$file"
done
