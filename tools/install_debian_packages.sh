#!/bin/sh
# Installs the arena's Debian and Ubuntu packages: the sandbox of hosted bots.
#
#   bubblewrap   namespaces, read-only mounts, no network: the sandbox itself
#   util-linux   prlimit and setpriv: limits, and one uid per bot
#
# The system call filter needs no package. Run it as root, or as a user with sudo; if everything is installed
# already it does nothing and needs neither.
set -eu

packages=""
command -v bwrap >/dev/null 2>&1 || packages="$packages bubblewrap"
for program in prlimit setpriv; do
    [ -x "/usr/bin/$program" ] || packages="$packages util-linux"
done
[ -n "$packages" ] || exit 0
# shellcheck disable=SC2086
"$(dirname "$0")/apt_install.sh" "the sandbox of bots" $packages
