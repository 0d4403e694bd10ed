# What people run while they work. What a change must pass is in .ci/run.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)
FUZZTIME ?= 30s
# The only place that names an address: of the repository, OWNER/NAME, and of the site, if docs/ is published at one.
REPOSITORY ?= OWNER/threeway
SITE ?=
# What the publisher fills in besides: the names on PyPI and npm, @SCOPE/NAME for one with a scope.
PYPI ?= threeway
NPM ?= threeway
# docs/internals/dependencies.md says what is in them.
SIZE_LIMIT = 34000000

STATICCHECK = go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
ACTIONLINT = go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
GORELEASER = go run github.com/goreleaser/goreleaser/v2@v2.12.0
# Without urfave_cli_no_docs the command line library brings a Markdown and a
# man page writer along, which nothing here calls.
BUILD = CGO_ENABLED=0 go build -trimpath -tags urfave_cli_no_docs -ldflags "-s -w -X main.version=$(VERSION) -X main.site=$(SITE)"

.PHONY: build matrix test lint bench forty microbench growth fuzz size startup offline conformance conformance-merge conformance-tables conformance-server conformance-appliers conformance-kubectl conformance-definitions conformance-policies conformance-release conformance-minors conformance-stories conformance-mutants conformance-runs conformance-triples conformance-advice conformance-edits conformance-commands conformance-rights upstream conformance-ledger sweep corpus corpus-check agents browser browser-playground playground pictures record generate mutate compare \
	editor editor-typed editor-packages release-files sbom snapshot-release release-build image site clean

build: ## bin/threeway, static and stripped
	$(BUILD) -o bin/threeway .

test:
	go test ./...

lint:
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "$$unformatted" >&2; exit 1; }
	go vet ./...
	$(STATICCHECK) ./...
	$(ACTIONLINT)

bench: build ## the table of docs/internals/performance.md; ARGS="-run REGEXP -peers=false -kubectl DIR"
	@go run ./fixtures/bench $(ARGS)

forty: build ## what threeway, kubeconform, kube-score and dyff find in the forty changes of fixtures/forty
	@go run ./fixtures/bench -forty

microbench: ## every Benchmark function
	go test -run '^$$' -bench . -benchmem ./...

matrix: ## every secret shape in every format of every command; go test runs one of 160
	THREEWAY_MATRIX=all go test -count=1 -timeout 1h -run 'TestCanaries|TestLSPCanaries' ./command

growth: ## how often each block of the program runs for n, 2n and 4n of each shape of input; 75 s
	go test -count=1 -timeout 60m ./fixtures/growth -run TestGrowth -whole

fuzz: ## every Fuzz function for FUZZTIME, and a table of what they ran and found; ARGS=REGEXP
	@FUZZTIME=$(FUZZTIME) .ci/fuzz '$(ARGS)'

compare: ## what two builds answer differently, over fixtures and folders of CASES, in groups: OLD=BINARY NEW=BINARY CASES=DIR; ARGS="-run REGEXP -sample N -most N"
	@go run ./fixtures/compare $(ARGS) $(OLD) $(NEW) $(CASES)

mutate: ## how many small changes of merge and rules the tests notice, within hours; ARGS="-seed N -size N -only REGEXP PACKAGE…"
	nice -n 19 go run ./fixtures/mutate $(ARGS)

size: build ## fails if the binary is over SIZE_LIMIT
	@size=$$(wc -c < bin/threeway); echo "bin/threeway: $$size bytes, limit $(SIZE_LIMIT)"; test $$size -le $(SIZE_LIMIT)

startup: build ## fails if no run of ten is done within 15 ms
	@bash -c 'best=999999; for i in {1..10}; do \
		start=$${EPOCHREALTIME/[.,]/}; bin/threeway version >/dev/null; t=$$(( $${EPOCHREALTIME/[.,]/} - start )); \
		(( t < best )) && best=$$t; \
	done; echo "threeway version: $$best µs, limit 15000"; (( best < 15000 ))'

offline: ## fails if anything that can open a connection is linked
	@! go list -deps . | grep -xE 'net|net/http|crypto/tls|plugin'

# The nested modules, which pull in Kubernetes itself or drive a browser, have
# targets of their own.

conformance: conformance-merge conformance-ledger conformance-tables conformance-server conformance-kubectl ## holds us against upstream's own code

conformance-merge: ## the merges: strategic, JSON, server-side
	go -C merge/kube/conformance vet ./...
	go -C merge/kube/conformance test ./...

conformance-tables: ## the tables in upstream's own tests, taken from the module cache; prints the figures
	go -C merge/kube/conformance/tables vet ./...
	go -C merge/kube/conformance/tables test -count=1 -timeout 30m -v ./...

conformance-ledger: ## each function of Kubernetes that decides has a line in the ledger, and a place
	go -C merge/kube/conformance/ledger vet ./...
	go -C merge/kube/conformance/ledger test -count=1 ./...

upstream: ## functions that changed since the ledger's release, both texts and where ours stands: TO=1.38.0; ARGS="-only REGEXP -list -tick REGEXP -from 1.36.3"
	@go -C merge/kube/conformance/ledger run . -to $(TO) $(ARGS)

CHARTS ?= $(or $(TMPDIR),/tmp)/threeway-charts
conformance-appliers: ## public charts upgraded with drift by the real appliers; clones them into CHARTS, and takes ten minutes
	fixtures/record/charts.sh $(CHARTS)

conformance-server: ## defaults and validation; compiles Kubernetes for minutes
	go -C merge/kube/conformance/server vet ./...
	go -C merge/kube/conformance/server test ./...

conformance-kubectl: ## the scenarios of Kubernetes' own tests of apply and diff, beside a real kubectl and API server
	go -C fixtures/record vet ./...
	go -C fixtures/record test -count=1 -timeout 1h -v -run TestScenarios . -scenarios .

conformance-definitions: ## objects of real definitions beside a real kubectl and API server: DEFINITIONS=DIR,DIR
	go -C fixtures/record test -count=1 -timeout 2h -v -run TestDefinitions . -definitions $(DEFINITIONS)

conformance-policies: ## objects under each policy of a library, the same: POLICIES=DIR OBJECTS=DIR
	go -C fixtures/record test -count=1 -timeout 2h -v -run TestPolicies . -policies $(POLICIES) -objects $(OBJECTS)

conformance-release: ## the same with our server as another minor: RELEASE=1.37.2
	merge/kube/conformance/release server $(RELEASE) -count=1 -timeout 2h; differ=$$?; \
	merge/kube/conformance/release tables $(RELEASE) -count=1 -timeout 1h -v -run 'TestDefinitions|TestLibrary|TestPod|TestRules|TestGeneratedRules' && exit $$differ

MINOR ?= 37
conformance-minors: ## whole applies and diffs beside a real kubectl and API server of a minor, and upgrades TO another: CASES=DIR MINOR=30 TO=37; ARGS="-recordings DIR -case REGEXP"
	go -C fixtures/record vet ./...
	go -C fixtures/record test -count=1 -timeout 6h -v -run '$(if $(TO),TestUpgrades,TestCases)' . -cases $(abspath $(CASES)) -minor $(MINOR) $(if $(TO),-to $(TO)) $(ARGS)

CORPUS ?= $(or $(TMPDIR),/tmp)/threeway-corpus
ASK = go -C fixtures/record test -count=1 -timeout 12h -v -run 'TestCorpus$$' . -corpus $(abspath $(CORPUS)) -case '^($(or $(CASE),.*))$$' -minor $(MINOR) $(ARGS)
corpus: ## public projects of fixtures/corpus on a real kubectl and API server, recorded and judged: CASE=REGEXP MINOR=37; MIRROR=DIR has clones
	$(ASK) -ask

corpus-check: ## judges those that are in CORPUS against the recorded answers; ARGS="-tools threeway,kubectl-client,gitops-engine,kubeconform,kubectl-validate"
	$(ASK)

MUTANTS ?= 10000
conformance-mutants: ## objects of fixtures broken at random, created, updated and applied, beside a real API server of a MINOR: MUTANTS=10000; ARGS="-seed 2 -kinds REGEXP -keep DIR"; RECORD_BIN=DIR has the programs
	go -C fixtures/record test -count=1 -timeout 6h -v -run TestMutants . -minor $(MINOR) -mutants $(MUTANTS) $(ARGS)

RUNS ?= 500
conformance-runs: ## RUNS whole runs drawn at random, of files, lists, -l, -n, -R, --prune and ApplySets, beside a real kubectl and API server of a MINOR; ARGS="-seed 2 -keep DIR"; RECORD_BIN=DIR has the programs
	go -C fixtures/record test -count=1 -timeout 6h -v -run TestRuns . -minor $(MINOR) -runs $(RUNS) $(ARGS)

TRIPLES ?= 5000
conformance-triples: ## TRIPLES of last-applied, manifest and live object drawn at random, applied in each way, for real and again, beside a real kubectl and API server of a MINOR: objects, managers, patches, words, diffs, exit codes; ARGS="-seed 2 -keep DIR"; RECORD_BIN=DIR has the programs
	go -C fixtures/record test -count=1 -timeout 6h -v -run TestTriples . -minor $(MINOR) -triples $(TRIPLES) $(ARGS)

conformance-advice: ## what findings advise, done on a real API server of a MINOR: CASES=DIR MINOR=37; ARGS="-case REGEXP -per-rule N"; RECORD_BIN=DIR has the programs
	go -C fixtures/record test -count=1 -timeout 6h -v -run TestAdvice . -cases $(abspath $(CASES)) -minor $(MINOR) $(ARGS)

conformance-edits: ## what guard denies of CASES, edited as it says and applied on a real API server of a MINOR: CASES=DIR MINOR=37; ARGS="-case REGEXP"; RECORD_BIN=DIR has the programs
	go -C fixtures/record test -count=1 -timeout 2h -v -run 'TestEdits$$' . -cases $(abspath $(CASES)) -minor $(MINOR) $(ARGS)

conformance-commands: ## what kubectl does by each line of command/lint/testdata/commands on a real API server of a MINOR, which the test of guard --command is held to
	go -C fixtures/record test -count=1 -timeout 1h -v -run 'TestCommands$$' . -commands $(abspath command/lint/testdata/commands) -minor $(MINOR) $(ARGS)

REVIEWS ?= 20000
conformance-rights: ## RBAC beside a real API server of a MINOR: bootstrap roles, REVIEWS requests, 300 applies of users, policies that ask an authorizer, Helm, Flux and Argo CD, and the rights that versions of programs gain and lose, whose clones are in PAIRS=DIR; RECORD_BIN=DIR has the programs
	go -C fixtures/record test -count=1 -timeout 2h -v -run 'TestReviews|TestBootstrapped|TestRights' . -minor $(MINOR) -reviews $(REVIEWS) -rights-applies 300 -rights-policies 120 -rights-helm -rights-appliers $(if $(PAIRS),-rights-pairs $(abspath $(PAIRS))) $(ARGS)

EVERY ?= 35
STORIES ?= $(or $(TMPDIR),/tmp)/threeway-stories-$(MINOR)
conformance-stories: ## every EVERY-th story of fixtures again, on a real API server of a MINOR, in copies in STORIES; ARGS="-run REGEXP"
	rm -rf $(STORIES)
	go -C fixtures/record run . -minor $(MINOR) -copies $(STORIES) -every $(EVERY) $(ARGS)
	STORIES=$(STORIES) go test -count=1 -v -run 'TestRecorded($$|ServerSide|Prune|Applies|Admission|Helm|ArgoCD|Flux)' ./fixtures > $(STORIES)/log || true
	@awk '/--- PASS: .*@1\./ {equal++} /--- FAIL: .*@1\./ {differ++; print} END {print "1.$(MINOR): " equal+0 " answers equal, " differ+0 " differ; $(STORIES)/log has why"}' $(STORIES)/log

sweep: ## a change of each field of the objects in fixtures/consequences, on a real API server and controllers of a MINOR, beside what review says
	rm -rf $(STORIES)
	go -C fixtures/record run . -minor $(MINOR) -copies $(STORIES) -sweep -run consequences $(ARGS)
	STORIES=$(STORIES) go test -count=1 -v -run TestRecordedConsequences ./fixtures > $(STORIES)/log || true
	@grep -A3 'review says' $(STORIES)/log || true

agents: ## threeway mcp with the client of the protocol's SDK
	go -C command/mcp/client vet ./...
	go -C command/mcp/client test -count=1 ./...

browser: ## the page of review in Chromium
	go -C lint/report/webpage/browser vet ./...
	go -C lint/report/webpage/browser test -count=1 -v ./...

playground: ## bin/playground: the first page of the site alone; python3 -m http.server -d bin/playground
	REPOSITORY=$(REPOSITORY) site/playground/build bin/playground

browser-playground: playground ## the same page in Chromium, beside the command line; bin/pictures/playground and axe-core, which needs Node.js
	mkdir -p bin/pictures/playground
	npm install --prefix bin/axe --no-save --ignore-scripts --no-audit --no-fund axe-core@4.14.1
	go -C site/playground/browser vet ./...
	go -C site/playground/browser test -count=1 -v . -site $(CURDIR)/bin/playground -pictures $(CURDIR)/bin/pictures/playground -axe $(CURDIR)/bin/axe/node_modules/axe-core/axe.min.js

pictures: ## what the page looks like, as bin/pictures/*.png
	mkdir -p bin/pictures
	go -C lint/report/webpage/browser test -count=1 -run 'TestPictures|TestPrint' . -pictures $(CURDIR)/bin/pictures

record: ## asks a real kubectl and kube-apiserver again; ARGS="-run REGEXP -check"
	go -C fixtures/record vet ./...
	go -C fixtures/record run . $(ARGS)

generate: ## writes merge/kube/schema's tables anew from the Kubernetes sources
	go -C merge/kube/schema/generate vet ./...
	go -C merge/kube/schema/generate test ./...
	go -C merge/kube/schema/generate run . $(ARGS)

release-files: ## what a release has besides the binary, in bin/release
	mkdir -p bin/release/completions
	$(BUILD) -o bin/release/threeway .
	bin/release/threeway completion bash > bin/release/completions/threeway.bash
	bin/release/threeway completion zsh > bin/release/completions/_threeway
	bin/release/threeway completion fish > bin/release/completions/threeway.fish
	cp "$$(go env GOROOT)/lib/time/zoneinfo.zip" bin/release/zoneinfo.zip

sbom: ## DOCUMENT, the bill of materials of BINARY
	@go -C release/sbom run . $(abspath $(BINARY)) $(abspath $(DOCUMENT))

# dist/packages: wheels for twine upload, and npm packages for npm publish, those of the platforms first.
PACKAGES = go -C release/packages run . -repository $(REPOSITORY) -pypi $(PYPI) -npm $(NPM) $(CURDIR)/dist
RELEASE = REPOSITORY=$(REPOSITORY) SITE=$(SITE) $(GORELEASER) release --clean

snapshot-release: ## dist/: what a release of this commit would be, without the images
	$(RELEASE) --snapshot
	$(PACKAGES)

release-build: ## the same for the tag of this commit; release/publish publishes it
	$(RELEASE) --skip=publish,announce
	$(PACKAGES)

image: ## the image threeway, with the program alone
	mkdir -p bin/image
	GOOS=linux $(BUILD) -o bin/image/threeway .
	cp "$$(go env GOROOT)/lib/time/zoneinfo.zip" bin/image/zoneinfo.zip
	docker build --file Dockerfile --tag threeway bin/image

editor: build ## builds the extension for VS Code and lets it speak with bin/threeway; needs Node.js
	cd command/editor/vscode && npm ci --ignore-scripts && THREEWAY=$(CURDIR)/bin/threeway npm test

editor-typed: editor ## types into VS Code itself, for the browser; needs Node.js and Chromium on Linux on x86-64, and 800 MB in bin/typed; LOOKS is where pictures go, THEME light or dark
	command/editor/vscode/typed/install bin/typed
	cd command/editor/vscode && npm run package && TYPED_TOOLS=$(CURDIR)/bin/typed THREEWAY=$(CURDIR)/bin/threeway node --test typed/typed.test.js

editor-packages: ## bin/vsix: the extension with the program in it, for each platform; needs Node.js
	cd command/editor/vscode && npm ci --ignore-scripts
	@set -e; mkdir -p bin/vsix; for platform in linux-amd64=linux-x64 linux-arm64 darwin-amd64=darwin-x64 darwin-arm64 windows-amd64=win32-x64 windows-arm64=win32-arm64; do \
		go=$${platform%=*}; export GOOS=$${go%-*} GOARCH=$${go#*-}; rm -rf command/editor/vscode/bin; \
		$(BUILD) -o command/editor/vscode/bin/threeway$$(test $$GOOS != windows || echo .exe) .; \
		(cd command/editor/vscode && npm run --silent package -- --target $${platform#*=} -o $(CURDIR)/bin/vsix/threeway-$${platform#*=}.vsix); \
	done; rm -rf command/editor/vscode/bin

site: ## bin/site/.vitepress/dist: the playground, and docs/ as a site, for the address SITE; needs Node.js, and libdeflate-gzip to pack the program small
	mkdir -p bin/site
	cp -r site/. bin/site
	find bin/site -name "*.go" -delete # no package of the module
	REPOSITORY=$(REPOSITORY) site/prepare bin/site
	cd bin/site && npm ci --ignore-scripts --no-audit --no-fund && SITE=$(SITE) REPOSITORY=$(REPOSITORY) npm run build

clean:
	rm -rf bin dist
