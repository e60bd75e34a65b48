# make demo    run the sample process, offline
# make test    run every test
# make check   linters, types, import contracts, size budget
# make bench   run the benchmarks that need no outside data
# make lock    renew constraints.txt
#
# Each sets up .venv the first time, and again when pyproject.toml or constraints.txt has changed.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Arguments for pytest: make test ARGS="-k merge"
ARGS ?=

DEMO := samples/incident_response
DEMO_RUN := run $(DEMO)/process.bpmn --vars $(DEMO)/variables.json --answers $(DEMO)/answers.yaml \
	--model replay:$(DEMO)/model.yaml --handlers $(DEMO)/handlers.py

.PHONY: demo test check bench lock clean

demo: $(READY)
	$(BIN)/governor $(DEMO_RUN)

test: $(READY)
	$(BIN)/python -m pytest -n auto $(ARGS)

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy engine bpmn governance benchmarks
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/python -m pytest -q tests/project/test_size_budget.py

bench: $(READY)
	$(BIN)/python -m benchmarks.run

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "Governor needs Python 3.11 or newer; '$(PYTHON)' is: $$($(PYTHON) --version 2>&1)." >&2; \
	    echo "Name another one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@echo "Setting up $(VENV) (once)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt pip
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt --build-constraint constraints.txt \
	    --editable '.[dev,models,server]'
	@touch $@

# Resolves everything anew in an environment of its own, then writes down what was chosen. Give it the oldest Python
# there is at hand: what is chosen for a newer one may refuse the older.
lock:
	@rm -rf $(VENV)-lock && $(PYTHON) -m venv $(VENV)-lock
	@$(VENV)-lock/bin/python -m pip install --quiet --upgrade pip
	@$(VENV)-lock/bin/python -m pip install --quiet --editable '.[dev,bench,browser,checks,distributed,evidence,knowledge,models,postgres,server]'
	@{ echo "# Exact versions of all that .[dev,bench,browser,checks,distributed,evidence,knowledge,models,postgres,server] needs. Written by 'make lock'; do not edit."; \
	   $(VENV)-lock/bin/python -m pip freeze --all --exclude-editable --exclude setuptools; } > $(VENV)-lock/frozen
	@mv $(VENV)-lock/frozen constraints.txt && rm -rf $(VENV)-lock

clean:
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
