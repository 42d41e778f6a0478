#!/bin/sh
# Sees to it that there is a PostgreSQL for examples/fleet/postgres.sh, of whatever version: as root on Debian or Ubuntu it
# installs the package, anywhere else it says what is missing.
set -eu

for programs in "$(dirname "$(command -v pg_ctl || echo /usr/bin/pg_ctl)")" /usr/lib/postgresql/*/bin; do
	if [ -x "$programs/postgres" ] && command -v psql >/dev/null; then exit; fi
done
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
	echo "postgres.sh: the example of many states needs PostgreSQL: install it, with psql" >&2
	exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get install -qq --no-install-recommends -o DPkg::Lock::Timeout=300 postgresql >&2 || { apt-get update -qq >&2 && apt-get install -qq --no-install-recommends -o DPkg::Lock::Timeout=300 postgresql >&2; }
