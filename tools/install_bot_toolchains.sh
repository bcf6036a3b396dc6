#!/usr/bin/env bash
# Installs the toolchains of the starter bots: Node's packages and, on Debian and Ubuntu, gRPC for C++, Go, Java and Rust.
#
#   tools/install_bot_toolchains.sh [node] [cpp] [go] [java] [rust]     node and cpp if none is named; go takes 600 MB
#
# Debian's packages need root or sudo. It skips what is installed already, so the script can run on every change.
set -euo pipefail
cd "$(dirname "$0")/.."

CPP_PACKAGES=(libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc pkg-config make g++)
GO_PACKAGES=(golang-go golang-google-grpc-dev golang-goprotobuf-dev protobuf-compiler)
JAVA_PACKAGES=(
  openjdk-17-jdk-headless protobuf-compiler protobuf-compiler-grpc-java-plugin libgrpc-java libprotobuf-java libnetty-java
  libguava-java libperfmark-java libgeronimo-annotation-1.3-spec-java
)

RUST_PACKAGES=(librust-h2-dev librust-prost-build-dev librust-prost-dev librust-tokio-dev protobuf-compiler)

install_node() {
  command -v npm >/dev/null || install_packages nodejs npm || return 1
  sh sample_bots/node/build.sh
}

install_cpp() {
  local tool missing=0
  for tool in make c++ pkg-config protoc grpc_cpp_plugin; do command -v $tool >/dev/null || missing=1; done
  if [ $missing = 0 ] && pkg-config --exists grpc++ protobuf; then
    return 0
  fi
  install_packages "${CPP_PACKAGES[@]}"
}

install_go() {
  [ -d /usr/share/gocode/src/google.golang.org/grpc ] && command -v protoc-gen-go >/dev/null && return 0
  install_packages "${GO_PACKAGES[@]}"
}

install_java() {
  [ -f /usr/share/java/grpc-netty.jar ] && command -v grpc_java_plugin >/dev/null && return 0
  install_packages "${JAVA_PACKAGES[@]}"
}

install_rust() {
  local crates compiler=()
  crates=0 # without any registry
  [ ! -d /usr/share/cargo/registry ] ||
    crates=$(find /usr/share/cargo/registry -maxdepth 1 '(' -name 'h2-0*' -o -name 'prost-build-0*' ')' | wc -l)
  command -v cargo >/dev/null && command -v rustc >/dev/null || compiler=(cargo rustc)
  [ "$crates" = 2 ] && [ ${#compiler[@]} = 0 ] && command -v protoc >/dev/null && return 0
  install_packages "${RUST_PACKAGES[@]}" "${compiler[@]}"
}

install_packages() {
  tools/apt_install.sh "starter bots" "$@"
}

languages=("$@")
[ ${#languages[@]} -gt 0 ] || languages=(node cpp)
failed=0 # one language that fails does not stop the others
for language in "${languages[@]}"; do
  case "$language" in
    node) install_node || failed=1 ;;
    cpp) install_cpp || failed=1 ;;
    go) install_go || failed=1 ;;
    java) install_java || failed=1 ;;
    rust) install_rust || failed=1 ;;
    *) echo "$language is unknown; expected some of: node, cpp, go, java, rust" >&2; exit 2 ;;
  esac
done
exit $failed
