module threeway/merge/conformance/ledger

go 1.26.0
