#!/bin/sh
# sh states.sh apply, or sh states.sh plan -detailed-exitcode
set -eu

directories=$(ls -d -- */)
[ "$1" != destroy ] || directories=$(ls -d -r -- */)
worst=0
for directory in $directories; do
  [ -e "$directory/main.tf" ] || continue
  echo "== $directory"
  terraform -chdir="$directory" init >/dev/null
  status=0
  terraform -chdir="$directory" "$@" || status=$?
  case $status in
  0) ;;
  2) [ "$worst" = 1 ] || worst=2 ;;
  *)
    worst=1
    [ "$1" = plan ] || exit "$status"
    ;;
  esac
done
exit "$worst"
