#!/bin/sh
# One state after the other: sh states.sh plan, or sh states.sh apply
set -eu

for directory in */; do
  [ -e "$directory/main.tf" ] || continue
  echo "== $directory"
  terraform -chdir="$directory" init >/dev/null
  terraform -chdir="$directory" "$@"
done
