# Abut's front door. `make help` lists the targets; each does its own set-up.
.DEFAULT_GOAL := help
.PHONY: help deps configure build demo mpi test-mpi test test-long bench bench-scenes format format-check lint includes asan tsan fuzz clang viewer viewer-deps viewer-check gallery docs site tables figures claims verification install clean

PRESET ?= release
BUILD := build/$(PRESET)
CTEST := ctest --output-on-failure --no-tests=error -j2
# Two compilations of Eigen-heavy files fit the memory of small machines; JOBS overrides.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

deps: ## install the Debian packages that are missing
	@scripts/install-deps

configure: deps
	@mkdir -p $(BUILD) && cmake --preset $(PRESET) >$(BUILD)/configure.log 2>&1 || { cat $(BUILD)/configure.log; exit 1; }

build: configure ## configure and build into build/release
	@cmake --build $(BUILD) -j $(JOBS)

demo: configure ## builds the program alone; a chain of rings swings down, and a page plays it: out/demo/chain/report.html; `abut demo` lists others
	@cmake --build $(BUILD) -j $(JOBS) --target abut_program
	@$(BUILD)/abut demo chain

mpi: ## one simulation over several processes: installs MPI and PETSc where they are missing and builds build/mpi/abut-mpi, and build/mpi/abut
	@scripts/install-deps
	@scripts/install-deps --mpi
	@mkdir -p build/mpi && cmake --preset mpi >build/mpi/configure.log 2>&1 || { cat build/mpi/configure.log; exit 1; }
	@cmake --build build/mpi -j $(JOBS) --target abut_program abut_mpi_program

test-mpi: mpi ## the tests of abut-mpi, with two ranks
	@cd build/mpi && ctest --output-on-failure --no-tests=error -L mpi

test: build ## the fast tests: C++, Python, installed package, README snippets
	@cd $(BUILD) && $(CTEST) -LE long

test-long: build ## all tests, with the ones that take minutes
	@cd $(BUILD) && $(CTEST)

bench: build ## benchmarks as a table, with JSON in out/bench.json
	@mkdir -p out
	@cmake --build $(BUILD) -j $(JOBS) --target abut_bench
	@$(BUILD)/abut_bench --benchmark_out=out/bench.json --benchmark_out_format=json $(BENCH_ARGS)

bench-scenes: build ## the scenes of block descent at the sizes of the paper, and 27 and 125 soft balls, in out/bench-scenes: takes hours; SCENES=twist for some
	@ABUT_PROGRAM=$(BUILD)/abut scripts/bench-scenes $(SCENES)

format: deps ## format all C++ files
	@git ls-files -co --exclude-standard '*.cpp' '*.hpp' | xargs clang-format -i

format-check: deps ## fail if a C++ file is not formatted
	@git ls-files -co --exclude-standard '*.cpp' '*.hpp' | xargs clang-format --dry-run --Werror

includes: ## fail if a folder includes one that stands below it, or the library the simulator
	@scripts/check-includes

lint: deps ## clang-tidy over the library and the program
	@cmake --preset clang >/dev/null
	@git ls-files 'src/*.cpp' 'apps/*.cpp' | xargs -P $(JOBS) -n 4 clang-tidy -p build/clang --quiet 2>/dev/null

asan: deps ## the fast C++ tests under the address and undefined-behaviour sanitizers (clang)
	@$(MAKE) --no-print-directory build PRESET=asan
	@cd build/asan && $(CTEST) -LE 'long|install|python'

tsan: deps ## the fast C++ tests under the thread sanitizer (clang)
	@$(MAKE) --no-print-directory build PRESET=tsan
	@cd build/tsan && $(CTEST) -LE 'long|install|python'

fuzz: deps ## fuzz CCD against the exact oracle and the tree against brute force, FUZZ_SECONDS (60) each (clang)
	@$(MAKE) --no-print-directory build PRESET=fuzz
	@mkdir -p build/fuzz/corpus/ccd build/fuzz/corpus/bvh
	@for name in ccd bvh; do \
	    build/fuzz/fuzz_$$name -max_total_time=$(or $(FUZZ_SECONDS),60) -timeout=10 -verbosity=0 -print_final_stats=1 \
	        build/fuzz/corpus/$$name fuzz/corpus/$$name || exit 1; \
	done

clang: deps ## build everything with clang and run the fast tests
	@$(MAKE) --no-print-directory test PRESET=clang

docs: build ## check the docs: links, tables of keys, every snippet; then make the site: build/site/index.html
	@scripts/check-docs
	@ABUT_PROGRAM=$(BUILD)/abut scripts/scene-tables --check
	@cd $(BUILD) && $(CTEST) -L docs
	@PYTHONPATH=$(BUILD)/python scripts/build-site

site: ## the site alone, from what is built: build/site/index.html opens by a double click
	@PYTHONPATH=$(BUILD)/python scripts/build-site

tables: build ## make the schema of scenes and the tables of docs/scenes.md again
	@ABUT_PROGRAM=$(BUILD)/abut scripts/scene-tables

figures: build ## draw the pictures of the docs again
	@for script in scripts/figures/*.py; do PYTHONPATH=$(BUILD)/python /usr/bin/python3 $$script || exit 1; done

claims: build ## measure what the papers claim again, into docs/claims.md
	@scripts/claims
	@ABUT_PROGRAM=$(BUILD)/abut scripts/claims-ogc
	@ABUT_PROGRAM=$(BUILD)/abut scripts/claims-gipc
	@scripts/claims-sticky

verification: build ## simulate what has a closed form again, into docs/verification.md, with plots; about a quarter of an hour
	@scripts/verification

viewer: ## make viewer/dist/viewer.js, what pages play frames with, from its sources (Node)
	@scripts/viewer build

viewer-deps: ## install what the viewer's build and its tests in a browser need
	@scripts/viewer deps

viewer-check: ## fail if viewer/dist/viewer.js is not what its sources build
	@scripts/viewer check

gallery: build viewer-deps ## run the small scenes, and write pictures and pages that play into docs/gallery
	@ABUT_PROGRAM=$(BUILD)/abut scripts/gallery

install: build ## install the library, headers, program and Python module under PREFIX (default /usr/local)
	@cmake --install $(BUILD) --prefix $(or $(PREFIX),/usr/local)

clean: ## remove everything that was built
	@rm -rf build out
