# Every target sets up .venv by itself; nothing else has to be run first.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo docs test lint clean

setup: .venv/.runtime .venv/.development

.venv/.created:
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or newer is needed: make PYTHON=python3.11')"
	$(PYTHON) -m venv .venv
	touch $@

.venv/.runtime: .venv/.created pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[plot]"
	touch $@

.venv/.development: .venv/.runtime
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[dev]"
	touch $@

.venv/.docs: .venv/.runtime
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[docs]"
	touch $@

demo: .venv/.runtime
	$(BIN)/python examples/german_credit.py --report demo-output/report.html

# Warnings are errors. The theme's notice about the far future of its own project is no warning about these pages.
docs: .venv/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

lint: .venv/.development
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Two processes of one thread each: the tests' small networks gain nothing from threads that wait for each other.
test: lint
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses 2

clean:
	rm -rf .venv .venv-dice demo-output site
