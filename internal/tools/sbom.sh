#!/bin/sh
# Writes the software bill of materials of a program, in CycloneDX's JSON: sbom.sh PROGRAM DOCUMENT VERSION. It lists the modules
# that the linker put into the program, and is the same for the same program.
set -eu

"$("$(dirname "$0")/tool.sh" cyclonedx-gomod)" bin -json -std -noserial -notimestamp -version "v$3" -output "$2" "$1"
