#!/bin/sh
# Installs the browser that the tests of the web page and the screenshots use: Debian's or Ubuntu's Chromium.
#
# Run it as root, or as a user with sudo; with a Chromium there already it does nothing and needs neither.
set -eu

if command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1; then
    exit 0
fi

if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
else
    echo "install_browser.sh: needs root to install chromium" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
# The lists of packages may be missing or old: the first try is without the wait for new ones.
$as_root apt-get install -y --no-install-recommends chromium fonts-dejavu-core >&2 || {
    $as_root apt-get update >&2
    $as_root apt-get install -y --no-install-recommends chromium fonts-dejavu-core >&2
}
