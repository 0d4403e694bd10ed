// Package server holds threeway's API server to that of Kubernetes: it runs
// merge/kube/internal/server and the code that kube-apiserver runs on the same objects, and
// wants the same objects and the same errors. It is a module of its own, so
// that the product does not depend on Kubernetes.
//
//	go test ./...                    # under a minute, once it is built
//	go test -run TestGenerated -v -objects 600000 -seed 7
//	go test -run TestRejections -v -broken 50000 -show 5
package server
