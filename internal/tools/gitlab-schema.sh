#!/bin/sh
# Prints the path of GitLab's own schema of its CI files, as a pinned npm package carries it. The first call fetches it into
# build/tools. Where there is no npm it prints nothing.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
package=gitlab-ci-local version=4.64.1 sum=84a1f3271ea3ca9eb720e4e2cd6d6ddef03344be9337caf99ae9c59b879c24ea
schema=$root/build/tools/$package-$version.json

command -v npm >/dev/null || exit 0
if [ ! -f "$schema" ]; then
	mkdir -p "$root/build/tools"
	folder=$(mktemp -d)
	trap 'rm -rf "$folder"' EXIT
	npm pack --silent --pack-destination "$folder" "$package@$version" >/dev/null
	tar -xzf "$folder/$package-$version.tgz" -C "$folder"
	node --input-type=module -e "
		import { schema } from '$folder/package/src/schema/schema.js'
		console.log(JSON.stringify(schema))" >"$folder/schema.json"
	echo "$sum  $folder/schema.json" | sha256sum -c - >/dev/null
	mv "$folder/schema.json" "$schema"
fi
echo "$schema"
