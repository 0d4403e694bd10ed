// Packages makes wheels and npm packages of the archives that GoReleaser has made:
//
//	go -C release/packages run . -repository OWNER/NAME -pypi NAME -npm NAME DIST
//
// DIST/packages then has a wheel and an npm package for each platform, with the program in
// it and nothing that runs at install, and the npm package that people install, which
// depends on those. The same archives make the same bytes.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// platform is one that a release has an archive for, as GoReleaser, wheels and npm name it.
type platform struct {
	archive, wheel, os, cpu string
}

var platforms = []platform{
	{"linux_amd64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64", "linux", "x64"}, // static
	{"linux_arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64", "linux", "arm64"},
	{"darwin_amd64", "macosx_12_0_x86_64", "darwin", "x64"}, // what Go 1.26 supports
	{"darwin_arm64", "macosx_12_0_arm64", "darwin", "arm64"},
	{"windows_amd64", "win_amd64", "win32", "x64"},
	{"windows_arm64", "win_arm64", "win32", "arm64"},
}

const summary = "Rehearses kubectl apply without a cluster"

// names are what the publisher fills in.
type names struct{ repository, pypi, npm string }

func main() {
	var n names
	flag.StringVar(&n.repository, "repository", "OWNER/threeway", "OWNER/NAME of the repository")
	flag.StringVar(&n.pypi, "pypi", "threeway", "name of the project on PyPI")
	flag.StringVar(&n.npm, "npm", "threeway", "name of the package on npm; @SCOPE/NAME for one with a scope")
	flag.Parse()
	if err := write(n, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "packages: "+err.Error())
		os.Exit(1)
	}
}

func write(n names, dist string) error {
	out := filepath.Join(dist, "packages")
	if err := errors.Join(os.RemoveAll(out), os.MkdirAll(out, 0o777)); err != nil {
		return err
	}
	version, optional := "", map[string]string{}
	for _, p := range platforms {
		files, err := filepath.Glob(filepath.Join(dist, "threeway_*_"+p.archive+".*z*")) // .tar.gz, .zip
		if err != nil || len(files) != 1 {
			return fmt.Errorf("%s has %d archives for %s: %w", dist, len(files), p.archive, err)
		}
		version = strings.TrimPrefix(strings.Split(filepath.Base(files[0]), "_"+p.archive)[0], "threeway_")
		program, license, err := unpacked(files[0])
		if err != nil {
			return fmt.Errorf("%s: %w", files[0], err)
		}
		wheel, name, err := n.wheel(p, version, program, license)
		if err != nil {
			return err
		}
		scoped := n.npm + "-" + p.os + "-" + p.cpu
		optional[scoped] = version
		described := n.described(scoped, version)
		described["os"], described["cpu"], described["preferUnplugged"] = []string{p.os}, []string{p.cpu}, true
		pack, err := npmPackage(described, file{p.program(), program, 0o755}, file{"LICENSE", license, 0o644})
		if err != nil {
			return err
		}
		if err := errors.Join(os.WriteFile(filepath.Join(out, name), wheel, 0o666), os.WriteFile(filepath.Join(out, tarball(scoped, version)), pack, 0o666)); err != nil {
			return err
		}
	}
	described := n.described(n.npm, version)
	described["bin"], described["optionalDependencies"] = map[string]string{"threeway": "threeway.js"}, optional
	pack, err := npmPackage(described, file{"threeway.js", []byte(strings.ReplaceAll(launcher, "NAME", n.npm)), 0o755})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, tarball(n.npm, version)), pack, 0o666)
}

// program is the name of the program on the platform.
func (p platform) program() string {
	if p.os == "win32" {
		return "threeway.exe"
	}
	return "threeway"
}

// unpacked returns the program and the license of an archive.
func unpacked(name string) (program, license []byte, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	keep := func(name string, r io.Reader) error {
		var err error
		switch name {
		case "threeway", "threeway.exe":
			program, err = io.ReadAll(r)
		case "LICENSE":
			license, err = io.ReadAll(r)
		}
		return err
	}
	if strings.HasSuffix(name, ".zip") {
		archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return nil, nil, err
		}
		for _, f := range archive.File {
			r, err := f.Open()
			if err == nil {
				err = keep(f.Name, r)
			}
			if err != nil {
				return nil, nil, err
			}
		}
	} else {
		unzipped, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, nil, err
		}
		archive := tar.NewReader(unzipped)
		for {
			h, err := archive.Next()
			if err == io.EOF {
				break
			}
			if err == nil {
				err = keep(h.Name, archive)
			}
			if err != nil {
				return nil, nil, err
			}
		}
	}
	if program == nil || license == nil {
		return nil, nil, errors.New("the archive has no program or no license")
	}
	return program, license, nil
}

// file is one of a package.
type file struct {
	name string
	data []byte
	mode os.FileMode
}

// python writes a version as PyPI does (PEP 440): 1.0.0-rc.1 is 1.0.0rc1, a snapshot a local version.
func python(version string) string {
	version = regexp.MustCompile(`-(a|b|rc)[a-z]*\.?(\d+)$`).ReplaceAllString(version, "$1$2")
	release, rest, snapshot := strings.Cut(version, "-")
	if !snapshot {
		return release
	}
	return release + ".dev0+" + strings.ToLower(regexp.MustCompile(`[^A-Za-z0-9]+`).ReplaceAllString(rest, "."))
}

// wheel is a wheel of the program alone, as a script, and its file name
// (packaging.python.org/en/latest/specifications/binary-distribution-format).
func (n names) wheel(p platform, version string, program, license []byte) ([]byte, string, error) {
	version = python(version)
	project := regexp.MustCompile(`[-_.]+`).ReplaceAllString(strings.ToLower(n.pypi), "_")
	info := project + "-" + version + ".dist-info/"
	files := []file{
		{project + "-" + version + ".data/scripts/" + p.program(), program, 0o755},
		{info + "METADATA", fmt.Appendf(nil, "Metadata-Version: 2.4\nName: %s\nVersion: %s\nSummary: %s\nLicense-Expression: Apache-2.0\nLicense-File: LICENSE\nProject-URL: Repository, https://github.com/%s\n", n.pypi, version, summary, n.repository), 0o644},
		{info + "WHEEL", []byte("Wheel-Version: 1.0\nGenerator: threeway\nRoot-Is-Purelib: false\nTag: py3-none-" + strings.ReplaceAll(p.wheel, ".", "\nTag: py3-none-") + "\n"), 0o644},
		{info + "licenses/LICENSE", license, 0o644},
	}
	var record strings.Builder
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	files = append(files, file{info + "RECORD", []byte(record.String() + info + "RECORD,,\n"), 0o644})
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(f.mode)
		w, err := archive.CreateHeader(h)
		if err == nil {
			_, err = w.Write(f.data)
		}
		if err != nil {
			return nil, "", err
		}
	}
	err := archive.Close()
	return b.Bytes(), project + "-" + version + "-py3-none-" + p.wheel + ".whl", err
}

// described is the beginning of a package.json.
func (n names) described(name, version string) map[string]any {
	return map[string]any{"name": name, "version": version, "description": summary, "license": "Apache-2.0",
		"repository": map[string]string{"type": "git", "url": "git+https://github.com/" + n.repository + ".git"}}
}

// tarball is the file name that npm pack gives a package.
func tarball(name, version string) string {
	return strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-") + "-" + version + ".tgz"
}

func npmPackage(described map[string]any, files ...file) ([]byte, error) {
	data, err := json.MarshalIndent(described, "", "  ")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	archive := tar.NewWriter(zipped)
	for _, f := range append([]file{{"package.json", append(data, '\n'), 0o644}}, files...) {
		err := archive.WriteHeader(&tar.Header{Name: "package/" + f.name, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: time.Date(1985, 10, 26, 8, 15, 0, 0, time.UTC)}) // npm's own time
		if err == nil {
			_, err = archive.Write(f.data)
		}
		if err != nil {
			return nil, err
		}
	}
	err = errors.Join(archive.Close(), zipped.Close())
	return b.Bytes(), err
}

// launcher starts the program of the platform's package.
const launcher = `#!/usr/bin/env node
const {spawnSync} = require('node:child_process')
const name = ` + "`NAME-${process.platform}-${process.arch}`" + `
let program
try {
  program = require.resolve(` + "`${name}/threeway${process.platform === 'win32' ? '.exe' : ''}`" + `)
} catch {
  console.error(` + "`threeway: the package ${name} is not installed; install with optional dependencies, on a platform that has one`" + `)
  process.exit(2)
}
const run = spawnSync(program, process.argv.slice(2), {stdio: 'inherit'})
if (run.error) {
  console.error('threeway: ' + run.error.message)
  process.exit(2)
}
if (run.signal) process.kill(process.pid, run.signal)
process.exit(run.status)
`
