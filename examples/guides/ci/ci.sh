#!/bin/sh
# sh ci.sh plan | apply | drift
set -eu

cli=${TERRAFORM:-terraform} # or tofu
export TF_IN_AUTOMATION=1 TF_INPUT=0
$cli init

case $1 in
plan) $cli plan ;;                    # on a pull request: for people to read
apply) $cli apply -auto-approve ;;    # after the merge
drift) $cli plan -detailed-exitcode ;; # at night: exit status 2 if anything differs, 1 on an error
*) echo "ci.sh: unknown task: $1" >&2 && exit 64 ;;
esac
