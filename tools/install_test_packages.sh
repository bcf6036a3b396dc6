#!/bin/sh
# Installs what only some of the tests need, as far as it may: the sandbox, a browser, a proxy, and two languages of the
# starter bots. One line says what is installed and what for; what is there already is left alone.
#
# Where nobody may install, or there is no network, it says so and fails: the tests that need a part are then skipped.
set -u
cd "$(dirname "$0")" || exit 1

export SUDO="sudo -n" # nobody waits for a password here
missing=0
./install_debian_packages.sh || missing=1
./install_browser.sh || missing=1
command -v openssl >/dev/null 2>&1 || ./apt_install.sh "certificates for the server" openssl || missing=1
[ -x /usr/sbin/haproxy ] || ./apt_install.sh "a proxy in front of the server" haproxy || missing=1
./install_bot_toolchains.sh node cpp || missing=1
./install_buf.sh || missing=1
exit $missing
