#!/bin/sh
# Copies the search bot here: a bot directory is whole, and only the budget in bot.toml is another.
set -eu
cd "$(dirname "$0")"
rm -rf build
mkdir build
cp ../../../../sample_bots/search/*.py build/
