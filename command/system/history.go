package system

import (
	"context"
	"errors"
	"strings"

	"threeway/merge/manifest"
)

// LastFile returns a function that asks git which commit removed the manifest
// of an object from the repository at root. It returns "FILE (removed by
// COMMIT)", or "" if git finds none, and an error where git does not have the files
// of former commits, which it does not fetch. Without a repository, LastFile returns
// nil.
func LastFile(ctx context.Context, root string) func(*manifest.Entry) (string, error) {
	if root == "" {
		return nil
	}
	if _, err := git(ctx, root, "rev-parse", "HEAD"); err != nil {
		return nil
	}
	return func(o *manifest.Entry) (string, error) {
		out, err := git(ctx, root, "log", "-n1", "--format=%h", "--name-only", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all",
			"-S", "name: "+o.Name, "--", "*.yaml", "*.yml", "*.json")
		if err != nil {
			return "", errors.New("which commit removed the manifest of a pruned object is unknown: git does not have the files of all commits here, as in a partial clone; a full clone tells")
		}
		lines := strings.Fields(string(out))
		if len(lines) < 2 {
			return "", nil
		}
		commit := lines[0]
		for _, file := range lines[1:] {
			before, err := git(ctx, root, "cat-file", "blob", commit+"~:"+file)
			if err == nil && declares(string(before), o) {
				return file + " (removed by " + commit + ")", nil
			}
		}
		return "", nil
	}
}

// declares reports whether a file has a document with the object's kind and
// name. It does not parse the file, so that it works for templates too.
func declares(text string, o *manifest.Entry) bool {
	for _, doc := range strings.Split(text, "\n---") {
		if strings.Contains(doc, "kind: "+o.Kind.Kind) && strings.Contains(doc, "name: "+o.Name) {
			return true
		}
	}
	return false
}
