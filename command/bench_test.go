package command

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/fixtures/cluster/model"
	"threeway/lint"
	"threeway/merge"
	"threeway/merge/explain"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/show"
	"threeway/merge/text/textdiff"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
	"threeway/rules"
)

// imagined writes a cluster of so many objects, all of them applied, and as
// many manifests, into the temporary folder that it returns.
func imagined(b *testing.B, objects int) (dir string) {
	b.Helper()
	dir = b.TempDir()
	c := model.New(1, objects, true)
	var live [2]bytes.Buffer
	if err := c.Write(&live[0], "json"); err != nil {
		b.Fatal(err)
	}
	if err := c.Write(&live[1], "yaml"); err != nil {
		b.Fatal(err)
	}
	write := func(name string, data []byte) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o666); err != nil {
			b.Fatal(err)
		}
	}
	write("live.json", live[0].Bytes())
	write("live.yaml", live[1].Bytes())
	for file, o := range c.Config(objects) {
		write(filepath.Join("config", file), model.ManifestYAML(o))
	}
	return dir
}

func readConfig(dir string) *manifest.Set {
	return manifest.Read(manifest.Options{Paths: []string{filepath.Join(dir, "config")}, Recursive: true})
}

func readLive(file string) *manifest.Snapshot {
	return manifest.ReadSnapshot(manifest.Options{Paths: []string{file}})
}

func planned(b *testing.B, dir string) (*merge.Plan, merge.Options) {
	b.Helper()
	opts := merge.Options{Options: rehearsal.Options{Inputs: rehearsal.Inputs{Manifests: readConfig(dir), Live: readLive(filepath.Join(dir, "live.json"))}, Applying: rehearsal.Applying{Diff: true}}}
	plan, err := merge.New(opts)
	if err != nil {
		b.Fatal(err)
	}
	return plan, opts
}

func BenchmarkReadLive(b *testing.B) {
	dir := imagined(b, 2000)
	for _, format := range []string{"json", "yaml"} {
		b.Run(format, func(b *testing.B) {
			file := filepath.Join(dir, "live."+format)
			info, err := os.Stat(file)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(info.Size())
			b.ReportAllocs()
			for b.Loop() {
				readLive(file)
			}
		})
	}
}

func BenchmarkReadConfig(b *testing.B) {
	dir := imagined(b, 2000)
	var size int64
	for _, o := range model.New(1, 2000, true).Config(2000) {
		size += int64(len(model.ManifestYAML(o)))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		readConfig(dir)
	}
}

// BenchmarkPlan has what is read before it outside of the clock.
func BenchmarkPlan(b *testing.B) {
	for _, objects := range []int{200, 2000} {
		b.Run(fmt.Sprint(objects), func(b *testing.B) {
			dir := imagined(b, objects)
			config, live := readConfig(dir), readLive(filepath.Join(dir, "live.json"))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := merge.New(merge.Options{Options: rehearsal.Options{Inputs: rehearsal.Inputs{Manifests: config, Live: live}, Applying: rehearsal.Applying{Diff: true}}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkReasons(b *testing.B) {
	plan, _ := planned(b, imagined(b, 2000))
	b.ReportAllocs()
	for b.Loop() {
		for _, o := range plan.Outcomes {
			explain.FieldChanges(o)
		}
	}
}

// BenchmarkReports is each format of a plan that is made already.
func BenchmarkReports(b *testing.B) {
	plan, _ := planned(b, imagined(b, 2000))
	for _, format := range request.Formats["diff"] {
		write := show.Differences[format]
		b.Run(format, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := write(io.Discard, plan, show.Options{Context: 3}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkTextDiff is the diff of two texts alone.
func BenchmarkTextDiff(b *testing.B) {
	plan, _ := planned(b, imagined(b, 200))
	var before, after []string
	for _, o := range plan.Outcomes {
		if o.Action == rehearsal.Configured && !tree.Equal(o.Before, o.Result) {
			before, after = append(before, yamltext.YAML(o.Before)), append(after, yamltext.YAML(o.Result))
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		for i := range before {
			textdiff.Unified(before[i], after[i], 3)
		}
	}
}

// BenchmarkLint is all rules over a plan that is made already.
func BenchmarkLint(b *testing.B) {
	plan, opts := planned(b, imagined(b, 2000))
	in := lint.Input{Plan: plan, Options: opts, Source: func(file string) string {
		data, _ := os.ReadFile(file)
		return string(data)
	}}
	b.ReportAllocs()
	for b.Loop() {
		lint.Run(rules.All(), in, lint.Options{})
	}
}

// BenchmarkCommand is whole runs, but for the start of a process.
func BenchmarkCommand(b *testing.B) {
	dir := imagined(b, 2000)
	config, live := filepath.Join(dir, "config"), filepath.Join(dir, "live.json")
	for _, command := range []string{"diff", "lint", "merge"} {
		b.Run(command, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var errors bytes.Buffer
				args := []string{"threeway", command, "-R", "-f", config, "--live", live, "--no-fail"}
				if code := Run(context.Background(), args, &bytes.Buffer{}, io.Discard, &errors); code != system.ExitOK {
					b.Fatalf("exit code %d: %s", code, &errors)
				}
			}
		})
	}
}

// BenchmarkGuard is the answer for one file beside a snapshot of 5,000 objects: of a process
// of its own, but for its start, and of a server for agents that has read the snapshot.
func BenchmarkGuard(b *testing.B) {
	dir := b.TempDir()
	c := model.New(1, 5000, false)
	var live bytes.Buffer
	if err := c.Write(&live, "json"); err != nil {
		b.Fatal(err)
	}
	b.Chdir(dir)
	if err := os.WriteFile("live.json", live.Bytes(), 0o666); err != nil {
		b.Fatal(err)
	}
	for _, o := range c.Config(1) {
		if err := os.WriteFile("one.yaml", model.ManifestYAML(o), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("alone", func(b *testing.B) {
		for b.Loop() {
			Run(context.Background(), []string{"threeway", "guard", "-f", "one.yaml", "--live", "live.json"}, &bytes.Buffer{}, io.Discard, io.Discard)
		}
	})
	b.Run("mcp", func(b *testing.B) {
		asks, in := io.Pipe()
		out, answers := io.Pipe()
		go Run(context.Background(), []string{"threeway", "mcp"}, asks, answers, io.Discard)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		ask := func() {
			fmt.Fprintln(in, call(1, "guard", `{"manifests":["one.yaml"],"live":["live.json"]}`))
			if !lines.Scan() || !bytes.Contains(lines.Bytes(), []byte("verdict")) {
				b.Fatalf("%s", lines.Bytes())
			}
		}
		ask()
		for b.Loop() {
			ask()
		}
		_ = in.Close()
	})
}
