#!/bin/sh
# Takes a picture of the emulator's page in headless Chromium: page.sh FILE. It fails unless the page shows a machine of the
# seed. CHROMIUM chooses the program.
set -eu
cd "$(dirname "$0")/../.."

chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)} ||
	{ echo "page.sh: there is no Chromium: install it, or set CHROMIUM" >&2; exit 1; }
make -s build
work=$(mktemp -d)
emulator=
trap 'test -z "$emulator" || kill "$emulator"; rm -rf "$work"' EXIT

: >"$work/banner"
build/terraform-provider-cloudserver emulator 127.0.0.1:0 --seed examples/guides/adopt/seed.json >"$work/banner" 2>"$work/log" &
emulator=$!
until url=$(sed -n "s/^export CLOUDSERVER_ENDPOINT=[\"']*\([^\"']*\).*/\1/p" "$work/banner") && [ -n "$url" ]; do
	kill -0 "$emulator"
	sleep 0.1
done
run() { timeout 60 "$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" "$@" "$url/" 2>>"$work/log" ||
	{ echo "page.sh: $chromium has failed or did not end within a minute" >&2; tail -n 5 "$work/log" >&2; exit 1; }; }
run --dump-dom >"$work/page.html"
name=$(sed -n 's/.*"name": *"\([a-z]*[0-9]\)".*/\1/p' examples/guides/adopt/seed.json | head -n 1)
grep -q "$name" "$work/page.html" || { echo "the page does not show $name" >&2; cat "$work/page.html"; exit 1; }
mkdir -p "$(dirname "$1")"
run --window-size=1280,1600 --screenshot="$1" >/dev/null
[ -s "$1" ] || { echo "there is no picture" >&2; cat "$work/log" >&2; exit 1; }
