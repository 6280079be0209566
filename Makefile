# Every command sets up what it needs. `make serve` and `make test` are all that a newcomer has to know.
SHELL := /bin/bash
PYTHON ?= python3
PORT ?= 8000
# PyTorch's public CPU index, for those who do not want the CUDA build: make install TORCH_INDEX=https://download.pytorch.org/whl/cpu
TORCH_INDEX ?=
# Further words for pytest: make test-main PYTEST="-k kernel"
PYTEST ?=
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# What the tests need from Debian; serving needs none of them.
SYSTEM_PACKAGES := bubblewrap libseccomp2 chromium postgresql
SUITES := main browser postgres
SUITE_main := tests --ignore tests/browser --ignore tests/postgres
SUITE_browser := tests/browser
SUITE_postgres := tests/postgres

.PHONY: install serve system test test-again $(SUITES:%=test-%) test-long check bench clean

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt hatch_build.py $(wildcard static/editor/*)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --constraint constraints.txt $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX)) --editable '.[dev,postgres]'
	touch $(STAMP)

serve: install
	TENSORGRADE_DATA_DIR=$${TENSORGRADE_DATA_DIR:-var} $(BIN)/tensorgrade serve --port $(PORT)

system:
	@missing=""; \
	for package in $(SYSTEM_PACKAGES); do \
		dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'install ok installed' || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
		if [ "$$(id -u)" = 0 ]; then \
			apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing; \
		else \
			echo "The tests need these Debian packages: sudo apt-get install -y$$missing" >&2; exit 1; \
		fi; \
	fi

# Two at a time, for the last two spend most of their time waiting. Each line says whose it is.
test: system install
	rm -f $(SUITES:%=.pytest_cache/%/passed)
	$(MAKE) --jobs 2 --keep-going test-main test-postgres test-browser

$(SUITES:%=test-%): test-%: install
	@rm -f .pytest_cache/$*/passed
	@set -o pipefail; $(BIN)/pytest -m "not long" -o cache_dir=.pytest_cache/$* $(SUITE_$*) $(PYTEST) | sed --unbuffered 's/^/$*: /'
	@touch .pytest_cache/$*/passed

# What failed in `make test`, and the suites that it did not come to.
test-again: system install
	@for suite in $(SUITES); do \
		[ -e .pytest_cache/$$suite/passed ] || $(MAKE) test-$$suite PYTEST=--last-failed || exit 1; \
	done

test-long: system install
	$(BIN)/pytest -m long --timeout 3600

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PYTHONPATH=. $(BIN)/lint-imports
	$(BIN)/pytest -q tests/test_walls.py

bench: install
	$(BIN)/python benchmarks/road.py --rounds 150
	$(BIN)/python benchmarks/ways.py
	$(BIN)/python benchmarks/growth.py --rounds 40
	$(BIN)/python benchmarks/layers.py --rounds 60 --count 60
	$(BIN)/python benchmarks/serving.py
	$(BIN)/python benchmarks/crowd.py
	$(BIN)/python benchmarks/scale.py

clean:
	rm -rf $(VENV) build dist static/dist
