# Everything runs in .venv, which is made on first use and brought up to date when pyproject.toml changes.
# Each stamp file says that the package is installed there with the extras named in it.

VENV := .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?= --numprocesses=auto --dist=worksteal

.PHONY: help example test test-all campaign check format bench site clean
.NOTPARALLEL:

help:
	@echo "make example   localise the fault in benchmarks/programs/minmax.c"
	@echo "make test      run the tests, 3 minutes at most   (PYTEST_ARGS='-k symex' runs some)"
	@echo "make test-all  run all tests but the campaigns; needs python3-dev"
	@echo "make campaign  run the rest: long tests, and the cases of large families that test-all leaves out"
	@echo "make check     formatter, linter, types, layers"
	@echo "make format    format and mend what the linter can"
	@echo "make site      build the documentation site in build/site"
	@echo "make bench     run the benchmarks"
	@echo "make clean     remove the environment and the caches"

example: $(VENV)/stamp-run
	$(BIN)/sfo localize benchmarks/programs/minmax.c --passing

test: $(VENV)/stamp-test
	$(BIN)/python -m pytest -m 'not slow' $(PYTEST_ARGS)

test-all: $(VENV)/stamp-compare
	$(BIN)/python -m pytest -m 'not campaign' $(PYTEST_ARGS)

campaign: $(VENV)/stamp-compare
	$(BIN)/python -m pytest -m campaign $(PYTEST_ARGS)

check: $(VENV)/stamp-dev
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy --strict cfrontend sfo benchmarks
	$(BIN)/lint-imports

format: $(VENV)/stamp-dev
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

bench: $(VENV)/stamp-benchmarks
	$(BIN)/python -m benchmarks

site: $(VENV)/stamp-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict
	@echo "build/site/index.html"

clean:
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/stamp-empty: scripts/make-venv
	scripts/make-venv $(VENV)
	touch $@

install = $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable

$(VENV)/stamp-run: $(VENV)/stamp-empty pyproject.toml
	$(install) '.[matrices]'
	touch $@

$(VENV)/stamp-benchmarks: $(VENV)/stamp-empty pyproject.toml
	$(install) '.[benchmarks]'
	touch $@ $(VENV)/stamp-run

$(VENV)/stamp-docs: $(VENV)/stamp-empty pyproject.toml
	$(install) '.[docs,matrices]'
	touch $@ $(VENV)/stamp-run

$(VENV)/stamp-test: $(VENV)/stamp-empty pyproject.toml
	$(install) '.[test]'
	touch $@ $(VENV)/stamp-run

$(VENV)/stamp-compare: $(VENV)/stamp-empty pyproject.toml
	$(install) '.[test,compare,docs]'
	touch $@ $(VENV)/stamp-docs $(VENV)/stamp-test $(VENV)/stamp-run

$(VENV)/stamp-dev: $(VENV)/stamp-empty pyproject.toml
	$(install) '.[dev]'
	touch $@ $(VENV)/stamp-test $(VENV)/stamp-run
