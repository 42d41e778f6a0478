#!/bin/sh
# Writes the software bill of materials of a binary, in CycloneDX's JSON: sbom.sh BINARY DOCUMENT VERSION. It lists the
# modules that the linker put into the binary, with the licences found in them, and is the same for the same binary.
set -eu

"$("$(dirname "$0")/tool.sh" cyclonedx-gomod)" bin -json -licenses -std -noserial -notimestamp -version "v$3" -output "$2" "$1"
