#!/bin/sh
# Installs buf, which checks the style of the messages, into .buf; it comes as a package of npm.
set -eu
cd "$(dirname "$0")/.."

if command -v buf >/dev/null 2>&1 || [ -x .buf/node_modules/.bin/buf ]; then
    exit 0
fi
if ! command -v npm >/dev/null 2>&1; then
    echo "not installed: buf (the style of the messages); there is no npm here" >&2
    exit 1
fi
echo "installing buf (the style of the messages)" >&2
npm install --silent --no-audit --no-fund --prefix .buf @bufbuild/buf@1.74.0 >&2
