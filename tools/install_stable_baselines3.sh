#!/bin/sh
# Installs stable-baselines3 with sb3-contrib and torch, for the CPU, into the environment of the tests: the part of that name.
set -eu
cd "$(dirname "$0")/.."

python=${VENV:-.venv}/bin/python
if "$python" -c 'import sb3_contrib' 2>/dev/null; then
    exit 0
fi
echo "installing stable-baselines3 (trains in a test)" >&2
# The version of which a small build for the CPU is at hand; any other may bring gigabytes for graphics cards.
"$python" -m pip install --quiet --disable-pip-version-check -c constraints.txt torch==2.13.0 sb3-contrib==2.9.2
