#!/bin/sh
# sh states.sh apply (-auto-approve), or sh states.sh plan -detailed-exitcode
set -eu
[ $# -gt 0 ] || { sed -n 2p "$0" >&2; exit 1; }

directories=$(ls)
[ "$1" != destroy ] || directories=$(ls -r)
worst=0
for directory in $directories; do
  [ -e "$directory/main.tf" ] || continue
  echo "== $directory"
  status=0
  { terraform -chdir="$directory" init >/dev/null && terraform -chdir="$directory" "$@"; } || status=$?
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
