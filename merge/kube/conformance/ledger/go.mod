module threeway/merge/kube/conformance/ledger

go 1.26.0
