#!/bin/sh
# Installs buf, the proto linter, from npm into .buf.
set -eu
cd "$(dirname "$0")/.."

if command -v buf >/dev/null 2>&1 || [ -x .buf/node_modules/.bin/buf ]; then
    exit 0
fi
if ! command -v npm >/dev/null 2>&1; then
    echo "not installed: buf (the proto linter); there is no npm here" >&2
    exit 1
fi
echo "installing buf (the proto linter)" >&2
npm install --silent --no-audit --no-fund --prefix .buf @bufbuild/buf@1.74.0 >&2
