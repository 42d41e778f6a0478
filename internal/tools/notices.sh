#!/bin/sh
# Prints the licences of everything that the linker puts into the program on an operating system: notices.sh GOOS. It fails if
# there is a licence that is not in the list below.
set -eu
cd "$(dirname "$0")/../.."

# What may be linked into a program under MPL-2.0 and published with it.
allowed=Apache-2.0,BSD-2-Clause,BSD-3-Clause,ISC,MIT,MPL-2.0,Unicode-DFS-2016

tool=$(internal/tools/tool.sh go-licenses)
GOROOT=$(go env GOROOT) # go-licenses knows by it what is of the standard library
GOOS=$1
export GOROOT GOOS

# licenses COMMAND FLAG…: runs go-licenses, which logs a warning for each file in assembler.
licenses() {
	"$tool" --logtostderr=false --log_file=/dev/null --stderrthreshold=ERROR "$@" .
}

licenses check --allowed_licenses="$allowed"
# It also looks for the web addresses of the licences, which the template does not use: no address answers through this proxy.
HTTP_PROXY=http://127.0.0.1:9 HTTPS_PROXY=http://127.0.0.1:9 licenses report --template internal/tools/notices.tmpl

go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' . | sort -u | while read -r module version folder; do
	for notice in "$folder"/NOTICE*; do
		[ ! -f "$notice" ] || { printf '\n== The notice of %s %s\n\n' "$module" "$version"; cat "$notice"; }
	done
done
printf '\n== The standard library of Go, %s, BSD-3-Clause\n\n' "$(go env GOVERSION)"
cat "$GOROOT/LICENSE"
