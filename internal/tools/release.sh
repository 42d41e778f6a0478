#!/bin/sh
# Builds the archives of a release into dist/, with SBOMs, checksums and the registries' manifest: all that is published, named
# dist/terraform-provider-cloudserver_*. With --snapshot it is version 1.99.0, or SNAPSHOT_VERSION, otherwise that of the tag.
# PLATFORM=own builds for this machine alone. dist/mirror is a mirror of both registries.
set -eu
cd "$(dirname "$0")/../.."

# What is wrong at a tag stays wrong for ever.
case " $* " in
*" --snapshot "*) ;;
*)
	tag=$(git describe --exact-match --tags --match 'v*')
	go run ./internal/tools/releasecheck -tag "$tag"
	;;
esac

# Goreleaser's own CommitDate is that of the build where the clone has no remote.
COMMIT_TIMESTAMP=$(git log -1 --format=%ct)
COMMIT_DATE=$(TZ=UTC git log -1 --date=iso-strict-local --format=%cd)
export COMMIT_TIMESTAMP COMMIT_DATE

systems="darwin freebsd linux windows"
config=.goreleaser.yml
if [ "${PLATFORM:-}" = own ]; then
	systems=$(go env GOOS)
	config=build/goreleaser.yml
	mkdir -p build
	sed -e "s/^    goos: .*/    goos: [$(go env GOOS)]/" -e "s/^    goarch: .*/    goarch: [\"$(go env GOARCH)\"]/" .goreleaser.yml >"$config"
fi

rm -rf build/notices
for system in $systems; do
	mkdir -p "build/notices/$system"
	internal/tools/notices.sh "$system" >"build/notices/$system/THIRD_PARTY_NOTICES"
done
internal/tools/tool.sh cyclonedx-gomod >/dev/null # before many at once need it
"$(internal/tools/tool.sh goreleaser)" release --config "$config" --clean --skip=announce,publish,sign "$@"

# The checksums name the manifest, which goreleaser would rename while it uploads.
sums=$(echo dist/*_SHA256SUMS)
cp terraform-registry-manifest.json "${sums%SHA256SUMS}manifest.json"

for registry in registry.terraform.io registry.opentofu.org; do
	mkdir -p "dist/mirror/$registry/cloudserver/cloudserver"
	ln dist/terraform-provider-cloudserver_*.zip "dist/mirror/$registry/cloudserver/cloudserver"
done
