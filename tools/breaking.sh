#!/bin/sh
# Compares the published messages with those of the last release, after which they may only grow. Those are in the tree
# itself, since a shallow clone or an archive has no tags: `tools/breaking.sh --release` writes them for the next release.
set -eu
cd "$(dirname "$0")/.."

released=proto/released.binpb
PATH=$PWD/.buf/node_modules/.bin:$PATH
if ! command -v buf >/dev/null 2>&1; then
    echo "buf breaking: the messages are not compared; tools/install_buf.sh installs buf" >&2
    [ "${CI:-}" != true ]
    exit
fi
if [ "${1:-}" = --release ]; then
    exec buf build proto --exclude-source-info --output "$released"
fi
if [ ! -f "$released" ]; then
    echo "buf breaking: no release yet"
    exit
fi
buf breaking proto --against "$released"
