#!/bin/sh
# postgres.sh COMMAND…: runs a command with a PostgreSQL server of its own, which only this computer reaches and which is removed
# with its data at the end. PGHOST, PGPORT and PGUSER tell the command where it is. It needs the programs of PostgreSQL, as in
# Debian's package "postgresql".
set -eu

for programs in "$(dirname "$(command -v pg_ctl || echo /usr/bin/pg_ctl)")" /usr/lib/postgresql/*/bin; do
	[ ! -x "$programs/postgres" ] || break
done
[ -x "$programs/postgres" ] || { echo "postgres.sh: install PostgreSQL: there is no pg_ctl on PATH" >&2; exit 127; }

# PostgreSQL refuses to run as root.
as_somebody() { "$@"; }
data=$(mktemp -d)
if [ "$(id -u)" = 0 ]; then
	as_somebody() { setpriv --reuid nobody --regid "$(id -g nobody)" --clear-groups "$@"; }
	chown nobody "$data"
fi
trap 'cd /; as_somebody "$programs/pg_ctl" -D "$data" -m immediate stop >/dev/null 2>&1 || true; rm -rf "$data"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# A port that is free; the server itself says so if another program takes it meanwhile.
port=${PGPORT:-$((20000 + $$ % 20000))}
here=$PWD
cd "$data"
as_somebody "$programs/initdb" -D "$data" -U fleet -A trust -E UTF8 --no-sync >/dev/null
as_somebody "$programs/pg_ctl" -D "$data" -l "$data/log" -w \
	-o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c max_connections=200" start >/dev/null ||
	{ cat "$data/log" >&2; exit 1; }
cd "$here"

export PGHOST=127.0.0.1 PGPORT="$port" PGUSER=fleet PGSSLMODE=disable
"$@"
