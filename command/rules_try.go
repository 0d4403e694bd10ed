package command

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/settings"
	"threeway/command/system"
	"threeway/lint"
	"threeway/lint/report"
	"threeway/lint/trial"
	"threeway/merge/text/phrase"
	"threeway/rules"
	"threeway/rules/own"
)

func rulesTestCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "test",
		Usage:     "test rules of your own",
		UsageText: "threeway rules test [PATH...] [-o text|json|junit]",
		Description: `Runs the tests of your policies: each rehearses an apply of a few objects and
compares what they find with what the test wants. A PATH is a file with tests,
which ends in _test.yaml, a file with policies that has one beside it, or a directory.
Without PATH, the tests of the policies in ` + settings.FileName + ` run.

Exit code: 0 all tests pass, 1 some fail, 2 bad policies or tests.

Examples:
  threeway rules test
  threeway rules test policies/
  threeway rules test policies/images_test.yaml -v
  threeway rules test policies/ -o junit=report.xml`,
		Flags: []cli.Flag{
			request.OutputsFlag("rules test", request.CategoryOwn),
			&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Category: request.CategoryOwn, Usage: "list the tests that pass, too"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: request.CategoryOwn, Usage: "print no notes and no summary"},
			request.ColorFlag(),
			request.ConfigFlag(),
		},
		Action: func(c *cli.Context) (err error) {
			r := trialRequest{verbose: c.Bool("verbose"), quiet: c.Bool("quiet"), color: c.String("color")}
			if r.outputs, err = request.Outputs(c); err != nil {
				return err
			}
			run.ForPrograms(p.Std, c.Command.Name, r.outputs)
			if r.files, err = testFiles(c); err != nil {
				return err
			}
			p.Code, err = runRulesTest(r, p.Std)
			return err
		},
	}
}

// trialRequest is what a run of tests is asked for.
type trialRequest struct {
	files          []string
	outputs        []request.Output
	verbose, quiet bool
	color          string
}

func runRulesTest(r trialRequest, std system.Streams) (system.ExitCode, error) {
	var results []*trial.Result
	var untested []string
	for _, name := range r.files {
		file, compiled, err := readTests(name)
		if err != nil {
			return 0, err
		}
		results = append(results, trial.Run(file.Tests, compiled)...)
		untested = append(untested, trial.Untested(compiled, file.Tests)...)
	}
	err := run.WriteOutputs(&request.Request{}, r.outputs, std, func(w io.Writer, format string, terminal bool) error {
		opts := report.TrialOptions{Verbose: r.verbose}
		if terminal {
			opts.Paint = run.LintPainter(r.color, w)
		}
		return report.Trials[format](w, results, opts)
	})
	if err != nil {
		return 0, err
	}
	failed := 0
	for _, r := range results {
		if !r.Passed() {
			failed++
		}
	}
	if !r.quiet {
		for _, id := range notTested(untested, results) {
			fmt.Fprintf(std.Err, "note: no test wants a finding of the rule %s\n", id)
		}
		fmt.Fprintf(std.Err, "%s passed, %d failed\n", phrase.Count(len(results)-failed, "test"), failed)
	}
	if failed > 0 {
		return system.ExitDifferences, nil
	}
	return system.ExitOK, nil
}

// notTested are the rules that no test of any file wants a finding of.
func notTested(ids []string, results []*trial.Result) []string {
	slices.Sort(ids)
	return slices.DeleteFunc(slices.Compact(ids), func(id string) bool {
		return slices.ContainsFunc(results, func(r *trial.Result) bool {
			return slices.ContainsFunc(r.Want, func(f trial.Finding) bool { return f.Rule == id })
		})
	})
}

func readTests(name string) (*settings.TestFile, []*lint.Rule, error) {
	file, err := settings.ReadTests(name)
	if err != nil {
		return nil, nil, err
	}
	compiled, err := own.Compile(file.Policies, request.RuleIDs(rules.All()))
	return file, compiled, err
}

// testFiles are the files with tests that the arguments name, or those of the
// settings.
func testFiles(c *cli.Context) ([]string, error) {
	if !c.Args().Present() {
		return testsOfSettings(c)
	}
	var files []string
	for _, path := range c.Args().Slice() {
		found, err := settings.RuleTests(path)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			if info, _ := os.Stat(path); info.IsDir() {
				return nil, fmt.Errorf("%s holds no tests of policies: they are in files that end in _test.yaml, beside the policies", path)
			}
			return nil, fmt.Errorf("%s has no tests: write %s", path, settings.RuleTest(path))
		}
		files = append(files, found...)
	}
	return distinctFiles(files), nil
}

func testsOfSettings(c *cli.Context) ([]string, error) {
	cfg, err := request.SettingsOf(c, nil, ".")
	switch {
	case err != nil:
		return nil, err
	case len(cfg.Policies) == 0:
		return nil, fmt.Errorf("no policies in the settings; name the directory or the file with their tests: threeway rules test policies/")
	case len(cfg.RuleTests) == 0:
		return nil, fmt.Errorf("the policies of %s have no tests: write them beside the policies, in a file that ends in _test.yaml", cfg.File)
	}
	return distinctFiles(cfg.RuleTests), nil
}

// distinctFiles are the files once each, in their order.
func distinctFiles(files []string) []string {
	var list []string
	for _, file := range files {
		file = system.Relative(filepath.Clean(file))
		if !slices.Contains(list, file) {
			list = append(list, file)
		}
	}
	return list
}
