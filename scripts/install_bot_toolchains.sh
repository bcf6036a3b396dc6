#!/usr/bin/env bash
# Installs what the starter bots are built with: Node's packages and, on Debian and Ubuntu, grpc++ for C++.
#
#   scripts/install_bot_toolchains.sh [node] [cpp]     both if none is named
#
# Node.js itself, make and a C++ compiler must be there; Debian's packages need root or sudo. Whatever is there already
# is left alone, so the script can run on every change.
set -euo pipefail
cd "$(dirname "$0")/.."

CPP_PACKAGES=(libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc pkg-config make g++)

install_node() {
  command -v npm >/dev/null || { echo "Node.js is missing: install Node.js 18 or later with npm" >&2; return 1; }
  sh sample_bots/node/build.sh
}

install_cpp() {
  local tool missing=0
  for tool in make c++ pkg-config protoc grpc_cpp_plugin; do command -v $tool >/dev/null || missing=1; done
  if [ $missing = 0 ] && pkg-config --exists grpc++ protobuf; then
    return 0
  fi
  command -v apt-get >/dev/null || { echo "apt-get is missing: install gRPC for C++ and protoc by hand" >&2; return 1; }
  local as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${CPP_PACKAGES[@]}"
}

languages=("$@")
[ ${#languages[@]} -gt 0 ] || languages=(node cpp)
for language in "${languages[@]}"; do
  case "$language" in
    node) install_node ;;
    cpp) install_cpp ;;
    *) echo "$language is unknown; expected some of: node, cpp" >&2; exit 2 ;;
  esac
done
