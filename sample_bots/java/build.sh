#!/bin/sh
# Builds build/bot.jar from the published messages and Debian's Java packages.
set -eu
cd "$(dirname "$0")"
for tool in javac jar protoc grpc_java_plugin; do
  command -v $tool >/dev/null || { echo "$tool is missing: see README.md for the packages to install" >&2; exit 69; }
done
libraries=""
for name in grpc-api grpc-context grpc-core grpc-netty grpc-protobuf grpc-protobuf-lite grpc-stub protobuf guava \
  netty-buffer netty-codec netty-codec-http netty-codec-http2 netty-codec-socks netty-common netty-handler netty-handler-proxy \
  netty-resolver netty-transport perfmark-api geronimo-annotation-1.3-spec; do
  [ -f /usr/share/java/$name.jar ] || { echo "$name.jar is missing: see README.md for the packages to install" >&2; exit 69; }
  libraries="$libraries /usr/share/java/$name.jar"
done

messages=proto
[ -d "$messages" ] || messages=../../proto # in a checkout of the arena
newer=$(find "$messages" ./*.java build.sh -newer build/bot.jar 2>/dev/null | head -1) || true
[ ! -f build/bot.jar ] || [ -n "$newer" ] || exit 0

rm -rf build
mkdir -p build/stubs build/classes
find "$messages"/referee -name '*.proto' -exec protoc "-I$messages" --java_out=build/stubs --grpc_out=build/stubs \
  --plugin=protoc-gen-grpc="$(command -v grpc_java_plugin)" {} +
javac -nowarn -encoding UTF-8 -d build/classes -cp "$(echo $libraries | tr ' ' ':')" ./*.java $(find build/stubs -name '*.java')
printf 'Main-Class: Bot\nClass-Path:' >build/manifest
for library in $libraries; do printf ' \n  file:%s' "$library" >>build/manifest; done
printf '\n' >>build/manifest
jar --create --date=2000-01-01T00:00:00Z --file build/bot.jar --manifest build/manifest -C build/classes .
