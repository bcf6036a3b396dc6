#!/bin/sh
# Installs what only some tests need, where permitted: the sandbox, a browser, a proxy, systemd, and two languages of
# the starter bots. One line says what is installed and why; what is installed already is skipped.
#
# Without permission or network it says so and fails: tests that need a part are then skipped.
set -u
cd "$(dirname "$0")" || exit 1

export SUDO="sudo -n" # nobody waits for a password here
missing=0
./install_debian_packages.sh || missing=1
./install_browser.sh || missing=1
command -v openssl >/dev/null 2>&1 || ./apt_install.sh "certificates for the server" openssl || missing=1
[ -x /usr/sbin/haproxy ] || ./apt_install.sh "a proxy in front of the server" haproxy || missing=1
command -v systemd-analyze >/dev/null 2>&1 || ./apt_install.sh "checks the unit file" systemd || missing=1
./install_bot_toolchains.sh node cpp || missing=1
./install_buf.sh || missing=1
exit $missing
