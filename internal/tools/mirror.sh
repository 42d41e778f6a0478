#!/bin/sh
# Lays the provider of build/ out as a mirror of the registries, so that `init` finds it before there is a release, and
# prints the path of a CLI configuration that uses the mirror and nothing else.
set -eu

build=$(cd "$(dirname "$0")/../../build" && pwd)
platform=$(go env GOOS)_$(go env GOARCH)
for registry in registry.terraform.io registry.opentofu.org; do
	package=$build/mirror/$registry/cloudserver/cloudserver/1.0.0/$platform
	mkdir -p "$package"
	cp -f "$build/terraform-provider-cloudserver" "$package/terraform-provider-cloudserver_v1.0.0"
done
cat >"$build/mirror/cli.tfrc" <<END
disable_checkpoint = true
provider_installation {
  filesystem_mirror {
    path = "$build/mirror"
  }
}
END
echo "$build/mirror/cli.tfrc"
