#!/bin/sh
# Tests this module against the emulator of the provider that init has installed.
set -eu

cli=${TERRAFORM:-terraform} # or tofu
$cli init -input=false

# Port 0 is any free one; the emulator prints what to export.
provider=$(find -L .terraform/providers -name 'terraform-provider-cloudserver*' -type f | head -n 1)
"$provider" -emulator 127.0.0.1:0 -boot-time 0s >.terraform/emulator.out 2>.terraform/emulator.log &
emulator=$!
trap 'kill $emulator' EXIT

until grep -q CLOUDSERVER_GROUP= .terraform/emulator.out; do
  kill -0 $emulator # it runs; if not, see .terraform/emulator.log
  sleep 0.1
done

# What is set for your own service must not reach the tests.
for name in $(env | sed -n 's/^\(CLOUDSERVER_[A-Za-z0-9_]*\)=.*/\1/p'); do
  unset "$name"
done
eval "$(sed -n -e '/USERNAME/q' -e '/^export CLOUDSERVER_/p' .terraform/emulator.out)"

$cli test
