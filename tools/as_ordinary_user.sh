#!/bin/sh
# Runs a command in a clone of this checkout, as a new unprivileged user; only root can.
#
#   tools/as_ordinary_user.sh make test INSTALL=no
#
# The user has the system's programs, the system's Python among them, and the starter bots that are built here.
set -eu
cd "$(dirname "$0")/.."

user=arena-test-$$
useradd --create-home --shell /bin/sh "$user"
home=$(getent passwd "$user" | cut -d: -f6)
trap 'userdel --remove "$user" 2>/dev/null || rm -rf "$home"' EXIT
git -c safe.directory='*' clone --quiet --no-hardlinks . "$home/clone"
for built in sample_bots/*/build .buf; do
    [ ! -d "$built" ] || cp -a "$built" "$home/clone/$(dirname "$built")/"
done
# Files of a clone are new: built files must not look older.
find "$home"/clone/sample_bots/*/build -exec touch -d "$(date -Iseconds)" {} + 2>/dev/null || true
chown -R "$user:" "$home"
cd "$home/clone"
setpriv --reuid "$user" --regid "$user" --init-groups \
    env HOME="$home" USER="$user" LOGNAME="$user" PATH=/usr/local/bin:/usr/bin:/bin "$@"
