#!/bin/sh
# Builds the release of dist/ once more from a fresh clone into build/again/dist, for the comparison of both.
set -eu
cd "$(dirname "$0")/../.."

changes=$(git status --porcelain --untracked-files=no)
[ -z "$changes" ] || { echo "commit first: the second build is made from the last commit"; echo "$changes"; exit 1; } >&2
rm -rf build/again
git clone --quiet --no-hardlinks . build/again
mkdir -p build/again/build
ln -s "$PWD/build/tools" build/again/build/tools

snapshot=--snapshot
[ -e dist/terraform-provider-cloudserver_0.0.1_SHA256SUMS ] || snapshot=
platforms=
[ -e dist/*_darwin_arm64.zip ] || platforms=linux
RELEASE_PLATFORMS=$platforms build/again/internal/tools/release.sh $snapshot
