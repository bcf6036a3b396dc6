#!/bin/sh
# Runs a command as on a machine with nothing but Python, make and a C compiler: nothing else that the arena or its
# tests can use is on the search path.
#
#   tools/on_a_bare_machine.sh make test INSTALL=no
set -eu

hidden="bwrap chromium chromium-browser buf node nodejs npm npx g++ c++ clang++ protoc grpc_cpp_plugin pkg-config
  go cargo rustc java javac apt-get sudo"

bare=$(mktemp -d)
trap 'rm -rf "$bare"' EXIT
chmod 755 "$bare"
old_ifs=$IFS
IFS=:
for folder in $PATH; do
    [ ! -d "$folder" ] || cp --symbolic-link --no-clobber "$folder"/* "$bare" 2>/dev/null || true
done
IFS=$old_ifs
for program in $hidden; do
    rm -f "$bare/$program"
done
PATH=$bare "$@"
