# The two commands to begin with: `make demo` and `make test`. `make help` lists all.
.DEFAULT_GOAL := help
.PHONY: help demo arena check test test-long lint bench bench-scale arena-soak wheel schemas docs pictures clean

PYTHON ?= python3
VENV ?= .venv
WORKERS ?= 2
BIN := $(VENV)/bin
# A file's tests stay in one process, for they share what they set up; tests/conftest.py puts the longest files first.
PYTEST := $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

help:  ## List the commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# A stamp a set of extras: nothing is installed twice, and everything again when a file changes.
$(VENV)/bin/activate:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed: install it, or say which: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
		{ echo "This Python lacks venv: install it (Debian, Ubuntu: apt-get install python3-venv) and call make again."; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed-%: $(VENV)/bin/activate pyproject.toml constraints.txt
	@echo 'Installing into $(VENV) ($*); this can take a few minutes.'
	@$(INSTALL) --editable '.$(if $(filter-out base,$*),[$*])'
	@touch $@

demo: $(VENV)/.installed-plots,compress,serve  ## Play a tournament over both games, show the standings
	@$(BIN)/tournament run

arena: $(VENV)/.installed-arena  ## Show an arena: a site for competitions that go on for weeks, with bots in it, until Ctrl+C
	@$(BIN)/tournament arena demo

check: $(VENV)/.installed-lint $(VENV)/.installed-test  ## While working: form, types, rules, records, ranking; no processes
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(PYTEST) -q -m 'not long' tests/test_house.py tests/games tests/records tests/store tests/configuration tests/ranking

test: $(VENV)/.installed-test  ## Run every test but those that are long by nature
	@$(PYTEST) -m 'not long'

test-long: $(VENV)/.installed-test  ## Run the tests that are long by nature
	@$(PYTEST) -m long

lint: $(VENV)/.installed-lint $(VENV)/.installed-test  ## Check form, types and the direction of imports
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/python -m pytest -q tests/test_house.py

bench: $(VENV)/.installed-bench  ## Measure to 10,000 games, goals beside the figures
	@$(BIN)/python -m benchmarks

bench-scale: $(VENV)/.installed-bench  ## Measure what grows, to a million games
	@$(BIN)/python -m benchmarks --scale

arena-soak: $(VENV)/.installed-test  ## Measure the arena at full size: courses, claims, growth, tables, load, first figures
	@$(BIN)/python -m benchmarks.arena.course --deals-a-day 100
	@$(BIN)/python -m benchmarks.arena.claims
	@$(BIN)/python -m benchmarks.arena.growth
	@$(BIN)/python -m benchmarks.arena.tables --players 3
	@$(BIN)/python -m benchmarks.arena.tables --players 2
	@$(BIN)/python -m benchmarks.arena.load
	@$(BIN)/python -m benchmarks.arena.first_figures
	@ARENA_SOAK=1 $(BIN)/python -m pytest -q -n 0 tests/arena/test_killed.py

wheel: $(VENV)/.installed-wheel  ## Build the wheel: compiled where there is a C compiler, else pure Python
	@$(BIN)/python -c 'from hatch_build import why_not; print("pure Python: " + why_not() if why_not() else "compiled")'
	@TOURNAMENT_COMPILE=auto $(BIN)/python -m build --wheel --no-isolation --outdir dist >/dev/null
	@ls -t dist/*.whl | head -1

schemas: $(VENV)/.installed-base  ## Write schemas/ from the types
	@$(BIN)/python -m tournament.records.schema schemas

docs: $(VENV)/.installed-docs  ## Build the documentation into site/
	@$(BIN)/python docs/make_reference.py
	@$(BIN)/python docs/make_drawings.py
	@$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet docs site
	@echo "Open site/index.html in a browser."

pictures: $(VENV)/.installed-test  ## Take the pictures of the documentation anew, in some minutes: look at each
	@$(BIN)/python docs/make_screenshots.py
	@$(BIN)/python docs/make_pictures.py

clean:  ## Remove the environment and what tools leave behind
	@rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build site
