#!/bin/sh
# Builds build/bot from the published messages and Debian's Go packages, without modules or a network.
set -eu
cd "$(dirname "$0")"
for tool in go protoc protoc-gen-go; do
  command -v $tool >/dev/null || { echo "$tool is missing: see README.md for the packages to install" >&2; exit 69; }
done
packages=/usr/share/gocode
[ -d $packages/src/google.golang.org/grpc ] || { echo "golang-google-grpc-dev is missing: see README.md" >&2; exit 69; }

messages=proto
[ -d "$messages" ] || messages=../../proto # in a checkout of the arena
newer=$(find "$messages" ./*.go build.sh -newer build/bot 2>/dev/null | head -1) || true
[ ! -x build/bot ] || [ -n "$newer" ] || exit 0

# Debian's generator does not know `optional`; without it the bytes on the wire are the same.
rm -rf build/proto build/src
mkdir -p build/src/arena
cp -R "$messages" build/proto
find build/proto -name '*.proto' -exec sed -i 's/^  optional /  /' {} +
cd build/proto
files=$(find referee -name '*.proto')
mapping=plugins=grpc
for name in any duration; do mapping="$mapping,Mgoogle/protobuf/$name.proto=github.com/golang/protobuf/ptypes/$name"; done
for file in $files; do mapping="$mapping,M$file=arena/$(dirname "$file")"; done
for file in $files; do protoc -I. --go_out="$mapping:../src/arena" "$file"; done
cd ../..
GO111MODULE=off GOPATH="$PWD/build:$packages" GOCACHE="${GOCACHE:-${TMPDIR:-/tmp}/go-build-$(id -u)}" CGO_ENABLED=0 go build -trimpath -o build/bot .
