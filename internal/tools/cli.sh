#!/bin/sh
# Prints the absolute path of the CLI that tests and the demo drive: $TERRAFORM if it is set, else a `terraform`, else a
# `tofu` from PATH, 1.11 or newer, else the OpenTofu of internal/tools/opentofu, which is built once.
set -eu

here=$(cd "$(dirname "$0")" && pwd)

# A developer's own configuration may hold mirrors and overrides, or be missing, which makes each call print a warning.
TF_CLI_CONFIG_FILE=$here/cli.tfrc
CHECKPOINT_DISABLE=1
export TF_CLI_CONFIG_FILE CHECKPOINT_DISABLE
unset TF_LOG TF_CLI_ARGS TF_CLI_ARGS_version

# absolute NAME: the absolute path of a command, found as the shell finds it.
absolute() {
	found=$(command -v "$1") || return 1
	case $found in
	/*) ;;
	*/*) found=$(cd "$(dirname "$found")" && pwd)/$(basename "$found") ;;
	*) return 1 ;; # an alias or a function
	esac
	[ -f "$found" ] && [ -x "$found" ] && echo "$found"
}

# recent PATH: whether that CLI runs and is 1.11 or newer.
recent() {
	version=$("$1" version 2>/dev/null | sed -n 's/^[A-Za-z]* v\([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
	case $version in
	'' | 0.* | 1.[0-9] | 1.10) return 1 ;;
	esac
}

if [ -n "${TERRAFORM:-}" ]; then
	cli=$(absolute "$TERRAFORM") || { echo "TERRAFORM=$TERRAFORM is not a program that can be run" >&2; exit 1; }
	recent "$cli" || { echo "TERRAFORM=$TERRAFORM is not Terraform or OpenTofu 1.11 or newer" >&2; exit 1; }
	echo "$cli"
	exit
fi

for name in terraform tofu; do
	if cli=$(absolute "$name") && recent "$cli"; then
		echo "$cli"
		exit
	fi
done

echo "no terraform or tofu 1.11 or newer on PATH: using the OpenTofu of internal/tools/opentofu" >&2
exec "$here/tool.sh" opentofu
