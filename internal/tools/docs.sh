#!/bin/sh
# Writes docs/ from the provider's schemas, templates/ and examples/. Templates link each other's pages as files, and files of the
# repository in the main branch. The registries do not rewrite links: a browser resolves them against the page, whose address has
# no extension, and that of the overview no trailing slash. So links between pages lose their extension, those of the overview and
# to it become addresses, and files of the repository are those at the tag of the version at the top of the changelog, if it has one.
set -eu

cd "$(dirname "$0")/../.."
tfplugindocs=$(internal/tools/tool.sh tfplugindocs)
mkdir -p build/docs
go run ./internal/tools/docschema >build/docs/schema.json

# With the schemas given it asks no CLI, so the pages are the same whichever is at hand.
"$tfplugindocs" generate --provider-name cloudserver --rendered-provider-name "Cloudserver" --providers-schema build/docs/schema.json

top=$(sed -n 's/^## //p' CHANGELOG.md | head -n 1) # such as 1.0.0 (2027-01-31), or 1.0.0 (unreleased)
ref=v${top%% *}
case $top in *unreleased*) ref=main ;; esac
files=https://github.com/cloudserver/terraform-provider-cloudserver/blob raw=https://raw.githubusercontent.com/cloudserver/terraform-provider-cloudserver
docs=https://registry.terraform.io/providers/cloudserver/cloudserver/latest/docs
page='\([a-z][a-z_-]*\)\.md' folder='\([a-z-]*\)'
sed -i.old -e "s,](\./,](,g" -e "s,]($folder/$page,]($docs/\1/\2,g" docs/index.md
sed -i.old -e "s,](\.\./index\.md,]($docs,g" -e "s,](\.\./$folder/$page,](../\1/\2,g" -e "s,]($page,](\1,g" docs/*/*.md
sed -i.old -e "s#$files/main/#$files/$ref/#g" -e "s#$raw/main/#$raw/$ref/#g" docs/*.md docs/*/*.md
rm docs/*.old docs/*/*.old
