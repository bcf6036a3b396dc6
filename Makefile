# Two commands for a fresh machine: make demo, make test. Both set up .venv when it is missing or out of date.

PYTHON ?= python3
VENV ?= .venv
# Twice two processors: tests wait half of their time for other processes.
WORKERS ?= 4
ARGS ?=
INSTALL ?= yes

# What pure code does, tested in under a minute; tools/faults.py measures what it finds.
QUICK := tests/rules tests/ratings tests/wire tests/contract tests/golden tests/arena/plan tests/test_figures.py
NIGHTLY := tests/arena/plan tests/arena/reports tests/arena/analysis tests/arena/tuning

BIN := $(VENV)/bin
READY := $(VENV)/.installed
PLAYABLE := $(VENV)/.playable
PACKAGES := $(VENV)/.packages

# Dozens of processes load the same modules: each is compiled once and kept, even where Python is told not to.
export PYTHONDONTWRITEBYTECODE =

.PHONY: demo bots fast slow test long nightly check quick quick-paths faults lint breaking newest format proto bench golden soak fuzz docs figures
.PHONY: constraints release clean plugins

demo: $(if $(wildcard $(READY)),$(READY),$(PLAYABLE)) ## Play a small tournament on every game with the sample bots and print the leaderboard.
	$(BIN)/arena demo $(ARGS)

bots: $(READY) ## Build the starter bots whose toolchain is here.
	tools/build_bots.sh

plugins: $(READY) ## Install the packages of plugins/ and what their tests need; ARGS=chess installs one.
	$(BIN)/python -m tools.plugins install $(ARGS)

fast: $(READY) ## Compile the changed modules of rules and referee in place.
	$(BIN)/python -m tools.compiling $(ARGS)

slow: ## Run the source again: remove what make fast has compiled.
	rm -rf referee/compiled

test: $(READY) $(if $(filter yes,$(INSTALL)),$(PACKAGES)) ## Run the tests; INSTALL=no installs no packages for them.
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not long and not nightly" $(ARGS)

long: $(READY) $(if $(filter yes,$(INSTALL)),$(PACKAGES)) ## Run the tests that take longest: attacks, clusters, restarts.
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m long $(ARGS)

nightly: $(READY) ## Run the large simulations of rules, pairings, ledgers, judges and gifts.
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m nightly $(NIGHTLY) $(ARGS)

check: lint test long ## The first part of CI.

quick: $(READY) ## What pre-commit runs: format, style, fresh generated files, and the tests that start next to no process.
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/python -m pytest -q -n 2 --dist worksteal --lacking buf -m "not long and not nightly" $(QUICK) $(ARGS)

quick-paths:
	@echo $(QUICK)

faults: $(READY) ## Plant faults in rules, ratings, wire and plans, one at a time, and count those that make quick finds.
	$(BIN)/python -m tools.faults $(ARGS)

lint: $(READY) ## Check format, style, types, import contracts, words, messages, and those against the last release.
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/python -m tools.plugins types
	$(BIN)/lint-imports
	$(BIN)/python -m tools.words
	$(BIN)/python -m pytest -q --lacking buf tests/wire/test_proto_stubs.py tests/wire/test_proto_style.py
	tools/breaking.sh

breaking: ## Compare the messages with those of the last release.
	tools/breaking.sh

newest: ## Run the quick tests with the newest Python that is found and the newest packages, without constraints.txt.
	tools/newest.sh

format: $(READY) ## Put the code into the common format.
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

proto: $(READY) ## Regenerate the stubs of all messages and the pages that describe them.
	$(BIN)/python -m tools.stubs
	$(BIN)/python -m tools.reference protocol lookahead arena_service

docs: $(READY) figures ## Regenerate the pages of the reference, the picture of the rooms and the tables of figures.
	$(BIN)/python -m tools.reference
	$(BIN)/python -m tools.rooms

figures: $(READY) ## Write the tables of figures in docs/ from benchmarks/results/.
	$(BIN)/python -m tools.figures

constraints: $(READY) ## Pin the packages that are installed here, after they were tested.
	@echo "# The packages that were tested; make constraints writes this file." >constraints.txt
	$(BIN)/python -m pip --disable-pip-version-check freeze --all --exclude-editable --exclude pip \
	  --exclude torch --exclude stable-baselines3 --exclude sb3-contrib >>constraints.txt

release: $(READY) ## Check, build, try and tag the version of referee/software.py; ARGS=--no-tag only builds and tries.
	$(BIN)/python -m tools.release $(ARGS)

bench: $(READY) ## Measure decisions, playouts, clones and the codec.
	$(BIN)/arena bench $(ARGS)

golden: $(READY) ## Regenerate the golden matches.
	$(BIN)/python -m tools.golden $(ARGS)

soak: $(READY) ## Play for a long time and watch for leaks and drift.
	$(BIN)/python -m tests.soak $(ARGS)

fuzz: $(READY) ## Fuzz everything that untrusted input reaches, for two minutes; findings are kept for the tests.
	$(BIN)/python -m tests.fuzz $(ARGS)

clean: ## Remove everything that is made, the environment included.
	rm -rf $(VENV) .buf build dist referee/compiled *.egg-info tests/toy_game/*.egg-info
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# All that playing takes: no tools, and no game that only tests play.
$(PLAYABLE): pyproject.toml constraints.txt referee/software.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is too old: Python 3.11 or later is needed; try make PYTHON=python3.12" >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(READY): pyproject.toml constraints.txt referee/software.py tests/toy_game/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is too old: Python 3.11 or later is needed; try make PYTHON=python3.12" >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt \
	  -e '.[dev]' -e tests/toy_game
	@touch $@

# What only some tests need of the system: installed once, where it may be; else those tests are skipped and counted.
$(PACKAGES): $(wildcard tools/*install*.sh) | $(READY)
	@if tools/install_test_packages.sh; then touch $@; fi
