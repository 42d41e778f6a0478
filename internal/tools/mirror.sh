#!/bin/sh
# Lays the provider out as a mirror of the registries, so that `init` finds it before there is a release, and prints the path
# of a CLI configuration that uses the mirror for this provider, and the registries for every other.
# mirror.sh takes the program in build/, mirror.sh DIST the archive for this machine in that folder.
set -eu

dist=${1:+$(cd "$1" && pwd)}
build=$(cd "$(dirname "$0")/../../build" && pwd)
platform=$(go env GOOS)_$(go env GOARCH)
mirror=$build/mirror
renewed=
for registry in registry.terraform.io registry.opentofu.org; do
	package=$mirror/$registry/cloudserver/cloudserver
	if [ -n "$dist" ]; then
		from=$(echo "$dist"/terraform-provider-cloudserver_*_"$platform".zip)
		to=$package/$(basename "$from")
	else
		from=$build/terraform-provider-cloudserver
		to=$package/1.99.0/$platform/terraform-provider-cloudserver_v1.99.0$(go env GOEXE)
	fi
	! cmp -s "$from" "$to" || continue # a CLI may be using it
	[ -n "$dist" ] || [ ! -f "$to" ] || renewed=yes
	rm -rf "$package"
	mkdir -p "$(dirname "$to")"
	cp "$from" "$to"
done
[ -z "$renewed" ] || echo 'This is a new build. Where `init` used the old one, remove .terraform.lock.hcl.' >&2
config=$mirror/cli.tfrc
! command -v cygpath >/dev/null || mirror=$(cygpath -m "$mirror") # as the CLI on Windows writes it
cat >"$config" <<END
disable_checkpoint = true
provider_installation {
  filesystem_mirror {
    path    = "$mirror"
    include = ["registry.terraform.io/cloudserver/cloudserver", "registry.opentofu.org/cloudserver/cloudserver"]
  }
  direct {
    exclude = ["registry.terraform.io/cloudserver/cloudserver", "registry.opentofu.org/cloudserver/cloudserver"]
  }
}
END
echo "$config"
