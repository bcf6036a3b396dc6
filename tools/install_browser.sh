#!/bin/sh
# Installs the browser that the web tests and the screenshots use: Debian's or Ubuntu's Chromium.
#
# Run it as root, or as a user with sudo; if Chromium is installed already it does nothing and needs neither.
set -eu

if command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1; then
    exit 0
fi
"$(dirname "$0")/apt_install.sh" "a browser for the web page" chromium fonts-dejavu-core
