# Two commands on a fresh machine: `make demo` and `make test`. Each sets up what it needs.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin

.PHONY: demo test lint types unit prove bench-street bench-check bench-service pictures schema format clean

demo: .venv/.demo ## build the invented neighbourhood, check three skips on it, write out/
	$(BIN)/geocheck demo

test: lint types unit ## everything that CI checks, under 15 minutes on 2 cores

lint: .venv/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types: .venv/.dev
	$(BIN)/mypy

unit: .venv/.dev
	$(BIN)/python -m pytest -q -n 2 -m "not prove"

prove: .venv/.dev ## the long proofs; their results stand in docs/measurements.md
	$(BIN)/python -m pytest -q -m prove

# Real files to measure on; they are no part of this repository.
DATA ?= ../shared/data

bench-street: .venv/.bench ## how far kerbs and corners lie from where they are, and what a build costs
	$(BIN)/python benchmarks/kerb_error.py $(DATA)
	$(BIN)/python benchmarks/kerbs_in_blocks.py $(DATA)
	$(BIN)/python -m benchmarks.corner_oracle $(DATA)
	$(BIN)/python -m benchmarks.union_audit $(DATA)
	$(BIN)/python -m benchmarks.build_scale $(DATA)

bench-check: .venv/.bench ## placements on four real maps: every report audited, outcomes by rule, what a check costs
	$(BIN)/python -m benchmarks.real_checks $(DATA)
	$(BIN)/python benchmarks/check.py

bench-service: .venv/.bench ## what an answer over HTTP costs, alone and with sixty-four clients, start and memory
	$(BIN)/python -m benchmarks.service $(DATA)

pictures: .venv/.bench ## draws the junctions of docs/street-geometry.md and sheets to look at
	$(BIN)/python -m benchmarks.doc_pictures $(DATA)

schema: .venv/.dev ## writes the JSON Schema of the report and the OpenAPI document of the service
	$(BIN)/python -m geocheck.model.schema docs/report.schema.json
	$(BIN)/python -m geocheck.service.openapi docs/openapi.json

format: .venv/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf .venv out build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "geocheck precisa de Python 3.11 ou mais novo")'
	$(PYTHON) -m venv .venv

.venv/.demo: .venv/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e .
	touch $@

.venv/.dev: .venv/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $@ .venv/.demo

.venv/.bench: .venv/.dev
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[bench]"
	touch $@
