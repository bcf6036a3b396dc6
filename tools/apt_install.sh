#!/bin/sh
# Installs Debian or Ubuntu packages, and says in one line which and why.
#
#   tools/apt_install.sh PURPOSE PACKAGE…
#
# It needs apt-get, and root or sudo; SUDO="sudo -n" keeps it from asking for a password.
set -eu

purpose=$1
shift
if ! command -v apt-get >/dev/null 2>&1; then
    echo "not installed: $* ($purpose); there is no apt-get here" >&2
    exit 1
fi
as_root=""
if [ "$(id -u)" -ne 0 ]; then
    as_root=${SUDO:-sudo}
    if ! $as_root true 2>/dev/null; then
        echo "not installed: $* ($purpose); it needs root" >&2
        exit 1
    fi
fi

echo "installing $* ($purpose)" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=1 "$@" >"$log" 2>&1
}
# The package lists may be missing or old: try first without waiting for new ones.
apt install -y --no-install-recommends "$@" && exit 0
apt update || true
apt install -y --no-install-recommends "$@" && exit 0
tail -n 5 "$log" >&2
echo "not installed: $* ($purpose); apt-get failed" >&2
exit 1
