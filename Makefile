# Every target sets up .venv by itself; nothing else has to be run first. `make help` lists the targets.
PYTHON ?= python3
BIN := .venv/bin
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: setup help test tests lint docs demo page pictures load wheels smoke fuzz mutants clean

setup: .venv/.development  ## install the library and the bench with all tools into .venv

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-8s %s\n", $$1, $$2}' Makefile

test: lint tests  ## everything that must pass: lint, then the tests of library and bench

# Two processes of one thread each: the tests' small networks gain nothing from threads that wait for each other.
tests: .venv/.development  ## the tests alone; ONLY="tests/cli -k help" for some of them
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses 2 $(ONLY)

lint: .venv/.development  ## style, types and layers alone
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Warnings are errors. The theme's notice about the far future of its own project is no warning about these pages.
docs: .venv/.docs  ## the documentation as a site, in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

demo: .venv/.runtime  ## explain rejected loan applicants, with a report in demo-output/
	$(BIN)/python examples/german_credit.py --report demo-output/report.html

# PORT=0 takes any that is free.
page: .venv/.serve  ## the page that explains rejected loan applicants live, at the address it prints; PORT=8000
	$(BIN)/counterflownet serve --port $(or $(PORT),8000)

# Scenes that the tests of the page set up; they need Chromium (apt-get install --no-install-recommends chromium).
pictures: .venv/.development  ## the pictures of the page in docs/images
	COUNTERFLOWNET_BROWSER_REQUIRED=1 COUNTERFLOWNET_PICTURES=docs/images OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q tests/serve/browser/test_page_access.py -k "accessibility or letter_breaks"

load: .venv/.development  ## the service under load, and its page of figures (two minutes)
	$(BIN)/python scripts/load_service.py
	$(BIN)/python scripts/service_load_page.py

wheels: .venv/.created  ## a wheel of each distribution, in dist/
	rm -rf dist
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist . ./bench

smoke: wheels  ## install the wheels into an empty environment and use them there (minutes)
	$(BIN)/python scripts/smoke.py dist

# The files of figures are committed: docs/attacks.md is made from them (python scripts/attacks_page.py).
fuzz: .venv/.development  ## random tables under random constraints, every answer checked; MINUTES=20
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.attacks.fuzz --minutes $(or $(MINUTES),20)

mutants: .venv/.development  ## small random faults put into the code, and how many the tests notice (an hour)
	$(BIN)/python scripts/mutants $(OPTIONS)

clean:  ## remove all that the other targets made
	rm -rf .venv .venv-dice .mutants_cache demo-output dist site

.venv/.created:
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or newer is needed: make PYTHON=python3.11')"
	$(PYTHON) -m venv .venv
	touch $@

.venv/.runtime: .venv/.created pyproject.toml constraints.txt
	$(INSTALL) --editable ".[plot]"
	touch $@

.venv/.serve: .venv/.created pyproject.toml constraints.txt
	$(INSTALL) --editable ".[serve]"
	touch $@

.venv/.docs: .venv/.created pyproject.toml bench/pyproject.toml constraints.txt
	$(INSTALL) --editable ".[docs]" --editable bench
	touch $@

.venv/.development: .venv/.created pyproject.toml bench/pyproject.toml constraints.txt
	$(INSTALL) --editable ".[dev]" --editable bench
	touch $@
