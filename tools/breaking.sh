#!/bin/sh
# Compares the published messages with those of the last release, after which they may only grow.
set -eu
cd "$(dirname "$0")/.."

if ! release=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null); then
    echo "buf breaking: no release yet"
    exit 0
fi
PATH=$PWD/.buf/node_modules/.bin:$PATH
if ! command -v buf >/dev/null 2>&1; then
    echo "buf breaking: not compared with $release; tools/install_buf.sh installs buf" >&2
    [ "${CI:-}" != true ]
    exit
fi
before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
git archive "$release" buf.yaml proto tests/toy_game/proto | tar -x -C "$before"
buf breaking proto --against "$before/proto"
