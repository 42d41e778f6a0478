#!/bin/sh
# Builds the release that is in dist/ once more, from a clone in another folder, and fails if a checksum differs. The arguments and
# the environment are those of release.sh.
set -eu
cd "$(dirname "$0")/../.."

again=build/again
rm -rf "$again"
git clone --quiet --no-hardlinks . "$again"
"$again/internal/tools/release.sh" "$@"
sums=$(basename dist/*_SHA256SUMS)
diff "dist/$sums" "$again/dist/$sums"
echo "the second build has the same checksums"
