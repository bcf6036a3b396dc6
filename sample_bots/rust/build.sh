#!/bin/sh
# Builds build/bot from the published messages and Debian's Rust packages, or those in vendor/, without a network.
set -eu
cd "$(dirname "$0")"
for tool in cargo rustc protoc; do
  command -v $tool >/dev/null || { echo "$tool is missing: see README.md for the packages to install" >&2; exit 69; }
done
crates=$PWD/vendor
[ -d "$crates" ] || crates=/usr/share/cargo/registry
for name in h2 prost-build tokio; do
  ls -d "$crates/$name"* >/dev/null 2>&1 || { echo "librust-$name-dev is missing: see README.md for the packages to install" >&2; exit 69; }
done

messages=proto
[ -d "$messages" ] || messages=../../proto # in a checkout of the arena
newer=$(find "$messages/referee" ./*.rs Cargo.toml build.sh -newer build/bot 2>/dev/null | head -1) || true
[ ! -x build/bot ] || [ -n "$newer" ] || exit 0

# Intermediate files are large, and not part of the bot. The lock names the crates of the last build's machine.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-${TMPDIR:-/tmp}/cargo-target-$(id -u)}"
rm -f Cargo.lock
cargo build --quiet --release --offline --config 'source.crates-io.replace-with="here"' --config "source.here.directory=\"$crates\""
mkdir -p build
cp "$CARGO_TARGET_DIR/release/bot" build/new
mv build/new build/bot # a bot that is running keeps its own
