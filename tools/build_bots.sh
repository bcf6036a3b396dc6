#!/usr/bin/env bash
# Builds every starter bot whose toolchain is here, and says which are left out. What is up to date is not built again.
set -euo pipefail
cd "$(dirname "$0")/.."

MISSING_TOOLCHAIN=69 # what build.sh ends with
for build in sample_bots/*/build.sh; do
  name=$(basename "$(dirname "$build")")
  code=0
  sh "$build" || code=$?
  case $code in
    0) echo "$name: built" ;;
    "$MISSING_TOOLCHAIN") echo "$name: left out, its toolchain is not here; tools/install_bot_toolchains.sh helps" >&2 ;;
    *) echo "$name: the build failed" >&2; exit 1 ;;
  esac
done
