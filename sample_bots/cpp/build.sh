#!/bin/sh
# Builds build/bot from the published messages.
set -eu
cd "$(dirname "$0")"
for tool in make c++ pkg-config protoc grpc_cpp_plugin; do
  command -v $tool >/dev/null || { echo "$tool is missing: see README.md for the packages to install" >&2; exit 69; }
done
pkg-config --exists grpc++ protobuf || { echo "grpc++ is missing: see README.md for the packages to install" >&2; exit 69; }
make --silent -j2
