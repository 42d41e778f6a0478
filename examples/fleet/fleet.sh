#!/bin/sh
# fleet.sh all COMMAND…: runs a command of Terraform, such as apply, in each folder of units/, ten at a time, by Terragrunt.
# fleet.sh each COMMAND…: the same without Terragrunt, in one state after the other.
# It creates the database of a state that has none, on the server that PGHOST, PGPORT and PGUSER name.
set -eu
cd "$(dirname "$0")"
how=$1
shift

# One database for each state: in one for all, Terraform creates the first version of one state at a time.
for unit in units/*/; do
	state=$(basename "$unit")
	psql -qtAc '' "dbname=$state" 2>/dev/null || psql -qtAc "CREATE DATABASE \"$state\" TEMPLATE template0" dbname=postgres
done

case $how in
all)
	# One plugin cache for all makes OpenTofu 1.12 fail now and then, when two of its processes link a provider at once.
	export TG_NO_AUTO_PROVIDER_CACHE_DIR=true
	exec "${TERRAGRUNT:-terragrunt}" run --all --non-interactive --parallelism 10 --tf-path "${TERRAFORM:-terraform}" \
		--working-dir units -- "$@"
	;;
each)
	for unit in units/*/; do
		state=$(basename "$unit")
		(
			export TF_VAR_state="$state" PG_CONN_STR="dbname=$state" TF_DATA_DIR="../$unit.terraform"
			cd machines
			"${TERRAFORM:-terraform}" init -input=false >/dev/null
			"${TERRAFORM:-terraform}" "$@"
		)
	done
	;;
*)
	echo "usage: fleet.sh all|each COMMAND…" >&2
	exit 2
	;;
esac
