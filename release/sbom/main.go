// Command sbom writes the bill of materials of a Go binary as CycloneDX 1.6
// (https://cyclonedx.org/docs/1.6/json/): the modules that Go has written into it.
// It has no serial number and no time, so that the same binary has the same bill.
//
//	sbom BINARY DOCUMENT
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
)

type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	PURL    string `json:"purl,omitempty"`
	Hashes  []hash `json:"hashes,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type dependency struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn,omitempty"`
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sbom BINARY DOCUMENT")
		os.Exit(2)
	}
	text, err := document(os.Args[1])
	if err == nil {
		err = os.WriteFile(os.Args[2], text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func document(file string) ([]byte, error) {
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	program := component{Type: "application", Ref: info.Main.Path, Name: info.Main.Path,
		Hashes: []hash{{"SHA-256", fmt.Sprintf("%x", sha256.Sum256(data))}}}
	parts := []component{{Type: "library", Ref: "pkg:golang/stdlib@" + info.GoVersion, Name: "stdlib", Version: info.GoVersion, PURL: "pkg:golang/stdlib@" + info.GoVersion}}
	for _, m := range info.Deps {
		parts = append(parts, library(m))
	}
	whole := dependency{Ref: program.Ref}
	for _, p := range parts {
		whole.On = append(whole.On, p.Ref)
	}
	b := map[string]any{
		"$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": map[string]any{"component": program}, "components": parts, "dependencies": []dependency{whole},
	}
	text, err := json.MarshalIndent(b, "", "  ")
	return append(text, '\n'), err
}

// library is a module, or the one that replaces it.
func library(m *debug.Module) component {
	if m.Replace != nil {
		m = m.Replace
	}
	purl := "pkg:golang/" + m.Path + "@" + m.Version
	return component{Type: "library", Ref: purl, Name: m.Path, Version: m.Version, PURL: purl}
}
