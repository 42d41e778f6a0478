#!/bin/sh
# Prints the coverage of each package, and of all, in a profile that was written with -coverpkg: it lists a statement once
# for each test binary, and one that ran it is enough.
set -eu

awk 'NR > 1 {
	file = $1
	sub(/:.*/, "", file)
	sub(/\/[^\/]*$/, "", file)
	if (!($1 in covered)) { total[file] += $2; covered[$1] = 0; package[$1] = file; size[$1] = $2 }
	if ($3 > 0) covered[$1] = 1
} END {
	for (block in covered) if (covered[block]) run[package[block]] += size[block]
	for (name in total) printf "coverage %5.1f%%  %s\n", 100 * run[name] / total[name], name
}' "$1" | sort -k 3
go tool cover -func "$1" | awk 'END { printf "coverage %6s  all statements\n", $NF }'
