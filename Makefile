# Two commands:  make lab  opens the course,  make test  checks it.
# Every target creates the environment when it is missing or older than its list of versions.

PYTHON    ?= python3
VENV      ?= .venv
NOTEBOOKS ?= notebooks
PORT      ?=
BROWSER   ?=
ARGS      ?=

PY    := $(VENV)/bin/python
READY := $(VENV)/.ready

# Jupyter refuses to start as root unless it is told to. In a container root is often the only user there is.
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)
LAB     := --ip=127.0.0.1 $(AS_ROOT) \
           $(if $(PORT),--port=$(PORT) --ServerApp.port_retries=0) \
           $(if $(filter no,$(BROWSER)),--no-browser)

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help setup lab test quick soak lowest style notebooks assignment rivals bench

help:
	@echo 'make lab         open the course in JupyterLab (PORT=8899, BROWSER=no, NOTEBOOKS=folder)'
	@echo 'make test        check style, library, notebooks, explorers, one notebook in a browser (ARGS=tests/models, ARGS="-k smo")'
	@echo 'make quick       only style and the tests of what was changed, in a minute'
	@echo 'make soak        check everything there is, with patience: before a release'
	@echo 'make lowest      import, fit and draw with the oldest versions that are allowed'
	@echo 'make notebooks   run all notebooks and store their outputs (ARGS="notebooks/01_maximum_margin.ipynb")'
	@echo 'make assignment  write an assignment for students: notebook, solutions, handout (ARGS="7.1 7.5 01-margin --no-hints")'
	@echo 'make bench       run every benchmark'
	@echo 'make setup       only create the environment in $(VENV) (PYTHON=python3.12)'

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "The course needs Python 3.11 or newer. Try: make PYTHON=python3.12 setup")'
	$(PY) -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv $(VENV)
	$(PY) -m pip install -q -r requirements.lock
	$(PY) -m pip install -q --no-deps --no-build-isolation -e .
	@# no question about JupyterLab news at the first start
	@mkdir -p $(VENV)/share/jupyter/lab/settings
	@echo '{"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": false}}' \
	  > $(VENV)/share/jupyter/lab/settings/overrides.json
	$(PY) -m sparsekm_edu.warm
	@touch $@

lab: $(READY)
	$(PY) -m jupyterlab $(LAB) --LabApp.default_url=/lab/tree/00_start_here.ipynb "$(NOTEBOOKS)"

# Two workers on two cores: one thread each, or many small products wait for each other. Paths in ARGS take the place of
# everything.
PATHS  := $(if $(filter tests tests/% notebooks notebooks/%,$(ARGS)),,notebooks tests)
PYTEST := $(PY) -m pytest -n 2 --nbval --nbval-current-env $(PATHS)

test quick soak notebooks: export OMP_NUM_THREADS := 1

test: $(READY) style
	$(PYTEST) -m 'not slow' $(ARGS)

quick: $(READY) style
	$(PY) tests/quick.py

# slow tests too, many more random events and examples, every cell run again and again, and an order of its own
soak: $(READY) style
	$(PYTEST) --events 1000 --hypothesis-profile soak --shuffle $(shell date +%j) $(ARGS)

# in an environment of its own
LOWEST := build/lowest
lowest:
	$(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/python tests/lowest.py pins > $(LOWEST)/pins.txt
	$(LOWEST)/bin/python -m pip install -q -r $(LOWEST)/pins.txt -e .
	$(LOWEST)/bin/python tests/lowest.py

style: $(READY)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

notebooks: $(READY)
	$(PY) -m ruff format -q $(NOTEBOOKS)
	$(PY) tests/notebooks/execute.py $(ARGS)

# for lecturers; more options: make assignment ARGS=--help
assignment: $(READY)
	@$(PY) -m sparsekm_edu.exercises assignment $(ARGS)

# What we compare ourselves with. Where a rival cannot be installed, the benchmark reports it as missing.
rivals: $(READY)
	-$(PY) -m pip install -q --no-build-isolation -c requirements.lock -e '.[rivals]'

# files that begin with an underscore are shared by benchmarks, not run
bench: rivals
	@for script in benchmarks/[!_]*.py; do \
	  echo "== $$script"; $(PY) "$$script" $(ARGS) || exit 1; \
	done
