#!/bin/sh
# Writes docs/ from the provider's schemas, templates/ and examples/.
set -eu

cd "$(dirname "$0")/../.."
tfplugindocs=$(internal/tools/tool.sh tfplugindocs)
mkdir -p build/docs
go run ./internal/tools/docschema >build/docs/schema.json

# With the schemas given it asks no CLI, so the pages are the same whichever is at hand.
"$tfplugindocs" generate --provider-name cloudserver --rendered-provider-name "Cloudserver" --providers-schema build/docs/schema.json
