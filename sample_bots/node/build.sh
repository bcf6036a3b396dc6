#!/bin/sh
# Fetches what the bot needs into build/: the published messages and two packages.
set -eu
cd "$(dirname "$0")"
command -v node >/dev/null || { echo "node is missing: install Node.js 18 or later" >&2; exit 69; }
messages=proto
[ -d "$messages" ] || messages=../../proto # in a checkout of the arena
mkdir -p build
# A hosted build has neither a checkout nor a network: what was submitted in build/ is then enough.
if [ -d "$messages" ] && ! diff -rq "$messages" build/proto >/dev/null 2>&1; then
  rm -rf build/proto
  cp -R "$messages" build/proto
fi
if ! cmp -s package-lock.json build/package-lock.json || [ ! -d build/node_modules ]; then
  command -v npm >/dev/null || { echo "npm is missing: install Node.js 18 or later" >&2; exit 69; }
  cp package.json package-lock.json build/
  npm ci --silent --no-audit --no-fund --no-bin-links --prefix build ||
    { echo "the packages of package.json cannot be fetched by npm" >&2; exit 69; }
fi
