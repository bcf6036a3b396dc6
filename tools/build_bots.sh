#!/usr/bin/env bash
# Builds every starter bot whose toolchain is here, and says which are skipped. Up-to-date bots are not rebuilt.
set -euo pipefail
cd "$(dirname "$0")/.."

MISSING_TOOLCHAIN=69 # the exit code of build.sh
for build in sample_bots/*/build.sh; do
  name=$(basename "$(dirname "$build")")
  code=0
  sh "$build" || code=$?
  case $code in
    0) echo "$name: built" ;;
    "$MISSING_TOOLCHAIN") echo "$name: skipped, its toolchain is missing; tools/install_bot_toolchains.sh installs it" >&2 ;;
    *) echo "$name: the build failed" >&2; exit 1 ;;
  esac
done
