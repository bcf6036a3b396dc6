#!/bin/sh
# Installs what the arena takes from Debian and Ubuntu: the sandbox of hosted bots.
#
#   bubblewrap   namespaces, read-only mounts, no network: the sandbox itself
#   util-linux   prlimit and setpriv: limits, and uids of the bots' own
#
# The system call filter needs no package. Run it as root, or as a user with sudo; with everything there already it
# does nothing and needs neither.
set -eu

packages=""
command -v bwrap >/dev/null 2>&1 || packages="$packages bubblewrap"
for program in prlimit setpriv; do
    command -v "$program" >/dev/null 2>&1 || packages="$packages util-linux"
done
[ -n "$packages" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
else
    echo "install_debian_packages.sh: needs root to install:$packages" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
# The lists of packages may be missing or old: the first try is without the wait for new ones.
# shellcheck disable=SC2086
$as_root apt-get install -y --no-install-recommends $packages >&2 || {
    $as_root apt-get update >&2
    $as_root apt-get install -y --no-install-recommends $packages >&2
}
