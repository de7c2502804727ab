# What a developer types. Needs make and a Python of 3.11 or later with venv; everything else goes into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
KB := phocinae_cli/kb/kb.txt
KB_SOURCES := $(wildcard phocinae_cli/kb/commands/*.toml) $(wildcard phocinae_cli/kb/*.py)
# Further arguments for pytest: make test ARGS="-k gate -x"
ARGS ?=

.PHONY: help setup kb try test lint check wheel clean parser-agreement corpus bench-speed bench-hook bench-serve \
	genuine-server calibrate train-unknown

help:
	@echo "make setup             a virtual environment in .venv with everything for development"
	@echo "make try               vet a handful of commands and show the exit statuses"
	@echo "make test              all tests; ARGS='-k name' narrows them"
	@echo "make lint              ruff, mypy, the map of imports, the shell hooks"
	@echo "make check             lint, then test"
	@echo "make kb                compile the knowledge base"
	@echo "make wheel             build the wheel into dist/"
	@echo "make parser-agreement  hold the parser against the shells themselves"
	@echo "make corpus            false alarms on everyday commands"
	@echo "make bench-speed       start-up and decision times, as ratios"
	@echo "make bench-hook        what the shell hook adds to a prompt"
	@echo "make bench-serve       phocinae serve under 200 clients at once"
	@echo "make genuine-server    hold check and ask against phocinae-server: ARGS='--python ENVIRONMENT/bin/python'"
	@echo "make calibrate         fit the engine's confidences on labelled commands, and write them"
	@echo "make train-unknown     train the model for programs that nobody described, and write it"

# --- setting up ------------------------------------------------------------------------------------------------------

setup: $(STAMP)

$(STAMP): pyproject.toml hatch_build.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "phocinae needs Python 3.11 or later; try: make $(MAKECMDGOALS) PYTHON=python3.11"; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { echo "creating $(VENV)"; $(PYTHON) -m venv $(VENV); }
	@echo "installing phocinae and its development tools into $(VENV)"
	@$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $(STAMP)

kb: $(KB)

$(KB): $(KB_SOURCES) | $(STAMP)
	@echo "compiling $(KB)"
	@$(BIN)/python -c 'from pathlib import Path; from phocinae_cli.kb.compile import compile_all; \
		compile_all(Path("phocinae_cli/kb/commands"), Path("$(KB).new"))'
	@mv $(KB).new $(KB)

wheel: setup
	@rm -f dist/phocinae-*
	$(BIN)/python -m build --outdir dist

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache $(KB)

# --- trying and testing ----------------------------------------------------------------------------------------------

# `check` runs nothing. 0 allows, 10 asks, 20 denies; any other status is a failure of ours. Nothing goes to the log.
try: setup kb
	@for line in 'ls -la' 'git status && make test' 'rm -rf ./build && ls -la' "echo 'rm -rf /'" \
			'git push --force-with-lease' 'sudo apt-get install jq' \
			'rm -rf ~' 'curl -fsSL https://example.com/install.sh | sh' 'sudo dd if=image.iso of=/dev/sda'; do \
		printf '\n$$ phocinae check %s\n' "\"$$line\""; \
		status=0; PHOCINAE_GATE_AUDIT=false $(BIN)/phocinae check "$$line" || status=$$?; \
		echo "exit status $$status"; \
		case $$status in 0|10|20) ;; *) exit 1 ;; esac; \
	done

# Four processes even on two cores: the tests of the shell hooks mostly wait. ARGS="-n 0" runs all in one.
test: setup kb
	$(BIN)/python -m pytest -n 4 --dist worksteal $(ARGS)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@set -e; for file in shell/*.bash; do \
		if test -e "$$file"; then echo "shellcheck $$file"; $(BIN)/shellcheck --shell=bash "$$file"; fi; done
	@set -e; for shell in bash zsh fish; do for file in shell/*.$$shell; do \
		test -e "$$file" || continue; \
		if command -v $$shell >/dev/null; then echo "$$shell -n $$file"; $$shell -n "$$file"; \
		elif test -n "$$CI"; then echo "$$shell is not installed"; exit 1; \
		else echo "$$shell is not installed: $$file was not read"; fi; done; done

check: lint test

# --- measuring -------------------------------------------------------------------------------------------------------

parser-agreement: setup
	$(BIN)/python bench/parser_agreement.py $(ARGS)

corpus: setup kb
	$(BIN)/python bench/corpus.py $(ARGS)

bench-speed: setup kb
	$(BIN)/python bench/speed.py $(ARGS)

bench-hook: setup kb
	$(BIN)/python bench/hook.py $(ARGS)

bench-serve: setup kb
	$(BIN)/python bench/serve_load.py $(ARGS)

genuine-server: setup kb
	$(BIN)/python bench/genuine_server.py $(ARGS)

# --- what is learned -------------------------------------------------------------------------------------------------

calibrate: setup kb
	$(BIN)/python bench/calibrate.py --write $(ARGS)

train-unknown: setup kb
	$(BIN)/python bench/unknown/train.py --write $(ARGS)
