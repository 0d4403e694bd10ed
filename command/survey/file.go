package survey

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"threeway/command/kustomize"
	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/merge/text/source"
)

// file is what was found in one.
type file struct {
	ids []manifest.Identity
	// exported: several objects, most of them as a server stores them. stored: one object
	// that is, of which its place decides: it may be a manifest that was made by kubectl get.
	exported, stored bool
	// isList reports whether they are in a List, as kubectl get prints several, or in an archive.
	isList func() bool
	// other is what the file is if it holds no objects for a cluster; "" if it does, or
	// cannot be read and may.
	other string
}

// few are as many bytes as most manifests have at most.
const few = 64 << 10

// reading are the options that decode a file of the disk, which is opened once if it is small.
func reading(name string, limits manifest.Limits) manifest.Options {
	o := manifest.Options{Paths: []string{name}, Limits: limits}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > min(few, limits.Input.Bytes()) {
		return o
	}
	if text, err := disk.ReadFile(name); err == nil { // else decoding it says why
		o.From = func(string) ([]manifest.File, bool, error) {
			return []manifest.File{{Name: name, Data: text}}, true, nil
		}
	}
	return o
}

// decoded is what a file holds.
func decoded(o manifest.Options) *file {
	set := manifest.ReadSnapshot(o)
	f := &file{}
	uids, program, sealed := 0, "", false
	for _, e := range set.Entries {
		if e.Kind.Kind == "" || e.Kind.Version == "" {
			continue
		}
		if o := e.Object(); strings.HasPrefix(e.Name+e.Kind.Kind, "ENC[") && o != nil && o.Sealed() {
			sealed = true
			continue
		}
		if e.UID != "" {
			uids++
		}
		its := ofProgram(e.Kind.Group, e.Kind.Version, e.Kind.Kind)
		if o := e.Object(); its == "" && e.Name == "" && o != nil {
			its = unnamed(e.Kind.Group, o.Tree)
		}
		if its == "" {
			f.ids = append(f.ids, e.ID())
		} else {
			program = its
		}
	}
	switch n := len(f.ids); {
	case n == 0 && sealed:
		f.other = Encrypted + "SOPS"
	case n == 0 && program != "":
		f.other = madeFor(program)
	case n == 0:
		f.other = "empty"
		if len(set.Problems)+len(set.Entries) > 0 {
			f.other = ""
			if data, err := textOf(o); err == nil {
				f.other = otherIn(data)
				if f.other != Template && manifest.IsSchemaName(o.Paths[0]) && manifest.IsSchema(o.Paths[0], data) {
					f.other = Schema
				}
			}
		}
	case uids*2 > n && n > 1:
		f.exported, f.isList = true, func() bool {
			text, err := textOf(o)
			return err != nil || len(manifest.ReadFiles([]manifest.File{{Name: o.Paths[0], Data: text}}, manifest.Limits{}).Lists) > 0 || !manifest.IsManifest(o.Paths[0])
		}
	case uids == 1 && n == 1:
		f.stored = true
	}
	return f
}

// otherIn is what a text without objects is; "" if it looks like one with objects, which then
// is judged, and an error.
func otherIn(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte(gitLFS)):
		return ""
	case cipherOf(data) != "":
		return Encrypted + cipherOf(data)
	case bytes.ContainsRune(data, 0): // another encoding, which some program may read
		return ""
	}
	objects, begun, sealed := hasObjects(data)
	template := bytes.Contains(data, []byte("{{")) || bytes.Contains(data, []byte("{%")) || begun && isFilled(data)
	if !begins.Match(data) { // ${{ }} is an expression of a workflow, and <% %> of a program in Ruby
		template = expression.Match(data)
	} else if bytes.Contains(data, []byte("<%")) {
		template = true
	}
	switch {
	case sealed && !objects:
		return Encrypted + "SOPS"
	case objects, begun && !template:
		return ""
	case template:
		return Template
	}
	return "no Kubernetes object"
}

// What a file is that a program must render, and one that has a key: they may hold manifests.
const (
	Template = "a template"
	// Encrypted begins what such a file is, before the program that has encrypted it.
	Encrypted = "encrypted by "
)

// ciphers are the programs that encrypt a file as a whole, by how such a file begins.
var ciphers = []struct{ begins, program string }{
	{"\x00GITCRYPT", "git-crypt"}, {"$ANSIBLE_VAULT;", "Ansible Vault"}, {"age-encryption.org/", "age"},
	{"-----BEGIN AGE ENCRYPTED FILE-----", "age"}, {"-----BEGIN PGP MESSAGE-----", "PGP"},
}

// cipherOf is the program that has encrypted a file as a whole; "" if none is known.
func cipherOf(data []byte) string {
	for _, c := range ciphers {
		if bytes.HasPrefix(data, []byte(c.begins)) {
			return c.program
		}
	}
	return ""
}

// Schema is what a file of a catalog is, whose name tells a custom kind.
const Schema = "a schema of a custom kind"

// gitLFS begins a file of which git has only where its content is.
const gitLFS = "version https://git-lfs.github.com/spec/"

// File is what one file of the disk is that was named: "" if it is judged. instead returns the
// text to use instead of that on the disk; nil always uses the disk's.
func File(name string, instead func(file string) (text []byte, ok bool)) (what string) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return "" // reading it says why
	}
	if slices.Contains(kustomize.FileNames, filepath.Base(name)) {
		return "a kustomization"
	}
	if dir := chartOf(name); dir != "" {
		return "part of the chart " + dir
	}
	if Names(disk.Files{}, filepath.ToSlash(filepath.Dir(name))) {
		return Unnamed
	}
	if instead == nil {
		return fileOf(manifest.Options{Paths: []string{name}})
	}
	return fileOf(manifest.Options{Paths: []string{name}, From: func(string) ([]manifest.File, bool, error) {
		text, ok := instead(name)
		return []manifest.File{{Name: name, Data: text}}, ok, nil
	}})
}

// Text is what a file is that has a text: "" if it is judged.
func Text(name string, text []byte) (what string) {
	return fileOf(manifest.Options{Paths: []string{name}, From: func(string) ([]manifest.File, bool, error) {
		return []manifest.File{{Name: name, Data: text}}, true, nil
	}})
}

func fileOf(o manifest.Options) (what string) {
	f := decoded(o)
	if f.exported && f.isList() {
		return "live objects, which have a uid"
	}
	return f.other
}

// chartOf is the directory of the Helm chart that a file of the repository is in; "" if it is
// in none.
func chartOf(name string) string {
	file, err := filepath.Abs(name)
	top := disk.Top(name)
	for dir := filepath.Dir(file); err == nil; dir = filepath.Dir(dir) {
		if chart, err := os.Stat(filepath.Join(dir, chartFile)); err == nil && chart.Mode().IsRegular() {
			here, err := filepath.Rel(filepath.Dir(file), dir)
			if err != nil {
				return ""
			}
			return filepath.ToSlash(filepath.Join(filepath.Dir(name), here))
		}
		if dir == top || dir == filepath.Dir(dir) {
			break
		}
	}
	return ""
}

// textOf is what was decoded, or its beginning.
func textOf(o manifest.Options) ([]byte, error) {
	if o.From != nil {
		if files, ok, err := o.From(o.Paths[0]); ok && err == nil && len(files) > 0 {
			return files[0].Data, nil
		}
	}
	f, err := disk.Open(o.Paths[0])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, int64(o.Input.Bytes())))
}

// expression begins what a program renders, and braced is what one replaces.
var expression, braced = regexp.MustCompile(`(^|[^$])\{\{|\{%`), regexp.MustCompile(`\$?\{[A-Za-z_]\w*(:?[-=?+][^{}\n]*)?\}`)

// isFilled reports whether a text can be read once its placeholders are replaced.
func isFilled(data []byte) bool {
	filled := braced.ReplaceAll(data, []byte("x"))
	objects, begun, _ := hasObjects(filled)
	return objects && !begun && !bytes.Equal(filled, data)
}

// begins is what only a file with objects has, readable or not.
var begins = regexp.MustCompile(`(?s)apiVersion.*kind|kind.*apiVersion`)

// separator begins a document.
var separator = regexp.MustCompile(`(?m)^---`)

// HasObjects reports whether a text has an object in any of its documents, also behind one
// that has none, or may have one.
func HasObjects(data []byte) bool {
	objects, begun, _ := hasObjects(data)
	return objects || begun || bytes.HasPrefix(data, []byte(gitLFS))
}

// hasObjects reports whether a document of a text is an object, whether one that cannot be read
// looks like one, and whether SOPS has encrypted what one is.
func hasObjects(data []byte) (objects, begun, sealed bool) {
	text := strings.ReplaceAll(source.DecodeText(data), "\r", "\n")
	documents := append(separator.Split(text, -1), text)
	for _, document := range documents {
		documents = append(documents, following(document)...)
	}
	for _, document := range documents {
		set := manifest.ReadFiles([]manifest.File{{Name: "document", Data: []byte(document)}}, manifest.Limits{})
		objects = objects || slices.ContainsFunc(set.Objects, func(o *manifest.Object) bool { return o.Kind.Group != kustomizeGroup && !o.Sealed() })
		sealed = sealed || slices.ContainsFunc(set.Objects, (*manifest.Object).Sealed)
		for _, p := range set.Problems {
			switch {
			case p.Severity != manifest.Error:
			case p.Object != nil && p.Object.Sealed():
				sealed = true
			case p.Object == nil:
				begun = begun || begins.MatchString(document)
			case p.Object.Kind.Group != kustomizeGroup: // one without a kind has metadata, if it was meant to be one
				begun = begun || p.Object.Kind.Kind != "" && p.Object.Kind.Version != "" || p.Object.Tree["metadata"] != nil
			}
		}
	}
	return objects, begun, sealed
}

// following are the values of JSON behind the first one of a document.
func following(document string) (values []string) {
	d := json.NewDecoder(strings.NewReader(document))
	for {
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return values[min(1, len(values)):]
		}
		values = append(values, string(value))
	}
}

// kustomizeGroup is the group of what kustomize alone reads.
const kustomizeGroup = "kustomize.config.k8s.io"
