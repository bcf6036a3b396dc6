#!/bin/sh
# Runs the tests of rules, contract, wire and README with the newest Python that can be had here and, without
# constraints.txt, the newest of all packages: what breaks is known before a user meets it.
set -eu
cd "$(dirname "$0")/.."

numbers="15 14 13 12"
find_newer() {
    for number in $numbers; do
        for candidate in python3.$number "$HOME"/.pyenv/versions/3.$number.*/bin/python3; do
            if "$candidate" -c 'import venv' >/dev/null 2>&1; then
                echo "$candidate"
                return
            fi
        done
    done
    return 1
}
install_newer() {
    for number in $numbers; do
        if apt-cache show python3.$number >/dev/null 2>&1; then
            tools/apt_install.sh "a newer Python" python3.$number python3.$number-venv
            return
        fi
    done
    return 1
}

if ! python=$(find_newer || { install_newer && find_newer; }); then
    python=${PYTHON:-python3}
    echo "newest: no Python after 3.11 on the PATH, in pyenv or in apt; only the packages are newer" >&2
fi
environment=build/newest
rm -rf "$environment"
"$python" -m venv "$environment"
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade -e '.[dev]' -e tests/toy_game
"$environment/bin/python" --version
MEISTERSINGER_COMPILED=0 "$environment/bin/python" -m pytest -q -n "${WORKERS:-4}" --dist worksteal \
    tests/contract tests/rules tests/wire tests/test_readme.py
