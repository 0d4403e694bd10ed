# What people run while they work. What a change must pass is in .ci/run; what stands in merge/kube/conformance,
# fixtures/record, release, site and command/editor/vscode has a Makefile there.
include release/publisher.mk
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)
OUT ?= bin/threeway
# docs/internals/dependencies.md says what is in them.
SIZE_LIMIT = 34000000

STATICCHECK = go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
ACTIONLINT = go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
# Without urfave_cli_no_docs the command line library brings a Markdown and a
# man page writer along, which nothing here calls.
BUILD = CGO_ENABLED=0 go build -trimpath -tags urfave_cli_no_docs -ldflags "-s -w -X main.version=$(VERSION) -X main.site=$(SITE)"

.PHONY: build test lint growth bench forty size startup offline clean

build: ## bin/threeway, static and stripped
	$(BUILD) -o $(OUT) .

test:
	go test ./...

lint:
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "$$unformatted" >&2; exit 1; }
	go vet ./...
	$(STATICCHECK) ./...
	$(ACTIONLINT)

growth: ## how often each block of the program runs for n, 2n and 4n of each shape of input; 75 s
	go test -count=1 -timeout 60m ./fixtures/growth -run TestGrowth -whole

bench: build ## the table of docs/internals/performance.md; ARGS="-run REGEXP -peers=false -kubectl DIR"
	@go run ./fixtures/bench $(ARGS)

forty: build ## what threeway, kubeconform, kube-score and dyff find in the forty changes of fixtures/forty
	@go run ./fixtures/bench -forty

size: build ## fails if the binary is over SIZE_LIMIT
	@size=$$(wc -c < bin/threeway); echo "bin/threeway: $$size bytes, limit $(SIZE_LIMIT)"; test $$size -le $(SIZE_LIMIT)

startup: build ## fails if no run of fifty is done within 15 ms
	@bash -c 'best=999999; for i in {1..50}; do \
		start=$${EPOCHREALTIME/[.,]/}; bin/threeway version >/dev/null; t=$$(( $${EPOCHREALTIME/[.,]/} - start )); \
		(( t < best )) && best=$$t; \
	done; echo "threeway version: $$best µs, limit 15000"; (( best < 15000 ))'

offline: ## fails if anything that can open a connection is linked
	@! go list -deps . | grep -xE 'net|net/http|crypto/tls|plugin'

clean:
	rm -rf bin dist
