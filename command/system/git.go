package system

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"threeway/merge/disk"
	"threeway/merge/manifest"
)

// maxLinks is how many symbolic links in a row are followed.
const maxLinks = 8

// revisionTree lists the files of a git repository at a revision.
type revisionTree struct {
	ctx      context.Context
	root     string
	dir      string // from which files are called
	revision string
	limits   manifest.Limits
	modes    map[string]string // mode and object by path from the root
	paths    []string          // in the order of a walk through the directories
	modules  map[string]string // the commits of submodules by path
	links    map[string]string // the targets of symbolic links by path
	sparse   map[string]string // mode and object of what a sparse checkout leaves out, in the index and as there
	texts    *texts
}

// texts are those of objects that were read, by their names.
type texts struct {
	sync.Mutex
	of map[string][]byte
}

// linkMode is the mode of symbolic links in git.
const linkMode = "120000"

// Index is the revision of FilesAt that stands for what the next commit has. Files of
// it are called as on the disk. No flag can name it.
const Index = "\x00"

// FilesAt reads the files that kubectl would read for the paths if the revision
// were checked out. Paths that do not exist at the revision are returned in
// absent, and files that cannot be read are problems. FilesAt reads only git objects: nothing is checked out or fetched,
// and no filter or hook runs. Of directories, what except names is left out.
func FilesAt(ctx context.Context, limits manifest.Limits, revision string, paths []string, recursive bool, except []string) (files []manifest.File, problems []manifest.Problem, absent []string, err error) {
	ctx = Remembering(ctx)
	excepted, seen := WithinAny(except), map[string]bool{}
	trees, below, names, all := make([]*revisionTree, len(paths)), make([]string, len(paths)), make([][]string, len(paths)), map[string][]string{}
	for i, p := range paths {
		if trees[i], below[i], err = treeOf(ctx, limits, revision, p); err != nil {
			return nil, nil, nil, err
		}
		t := trees[i]
		names[i] = slices.DeleteFunc(t.expand(below[i], recursive), func(name string) bool { return name != below[i] && excepted(filepath.Join(t.root, name)) })
		all[t.root] = append(all[t.root], names[i]...)
	}
	for i, p := range paths {
		trees[i].load(all[trees[i].root])
		read, failed := trees[i].readEach(names[i])
		inside, wrong := trees[i].submodulesIn(below[i], recursive)
		if len(names[i])+len(inside) == 0 {
			absent = append(absent, p)
		}
		for _, f := range append(read, inside...) {
			if !seen[f.Name] {
				files, seen[f.Name] = append(files, f), true
			}
		}
		problems = slices.Concat(problems, failed, wrong)
		delete(all, trees[i].root)
	}
	return files, problems, absent, nil
}

// treeOf is the tree that a path is in, and where.
func treeOf(ctx context.Context, limits manifest.Limits, revision, p string) (t *revisionTree, below string, err error) {
	if p == "-" {
		return nil, "", errors.New("standard input of -f is not in git; render the base, too, and pass it as --base FILE")
	}
	root := disk.Repository(p)
	if root == "" {
		return nil, "", fmt.Errorf("%s is not in a git repository", p)
	}
	if t, err = readTree(ctx, limits, root, revision); err != nil {
		return nil, "", err
	}
	below, err = filepath.Rel(root, Absolute(p))
	return t, filepath.ToSlash(below), err
}

// readTree reads a tree once in a run.
func readTree(ctx context.Context, limits manifest.Limits, root, revision string) (*revisionTree, error) {
	t, err := Once(ctx, "tree "+root+"\x00"+revision, func() (*revisionTree, error) { return listTree(ctx, limits, root, revision) })
	if err != nil {
		return nil, err
	}
	own := *t
	own.ctx, own.limits, own.dir = ctx, limits, Absolute(".")
	return &own, nil
}

func listTree(ctx context.Context, limits manifest.Limits, root, revision string) (*revisionTree, error) {
	if revision == Index {
		list, err := git(ctx, root, "ls-files", "--stage", "-t", "-z")
		if err != nil {
			return nil, err
		}
		return newTree(ctx, limits, root, revision, list)
	}
	if revision == "" || strings.HasPrefix(revision, "-") {
		return nil, fmt.Errorf("invalid git revision %q; write git:main, git:HEAD~1 or git:COMMIT", revision)
	}
	list, warnings, err := gitSaying(ctx, root, "ls-tree", "-r", "-z", "--full-tree", revision+"^{tree}")
	switch {
	case err != nil && strings.Contains(err.Error(), "Not a valid object name"):
		return nil, unknownRevision(ctx, root, revision)
	case err != nil:
		return nil, err
	case strings.Contains(warnings, "is ambiguous"):
		return nil, fmt.Errorf("several branches or tags are called %q, and a change can bring one; write git:refs/heads/NAME, git:refs/remotes/origin/NAME or git:COMMIT", revision)
	}
	t, err := newTree(ctx, limits, root, revision, list)
	if _, missing := os.Stat(filepath.Join(root, ".git", "info", "sparse-checkout")); err != nil || missing != nil {
		return t, err
	}
	index, err := readTree(ctx, limits, root, Index)
	if err != nil {
		return nil, err
	}
	t.paths = slices.DeleteFunc(t.paths, func(name string) bool {
		left := index.sparse[name] != "" && index.sparse[name] == t.modes[name]
		if left {
			t.sparse[name] = t.modes[name]
			delete(t.modes, name)
		}
		return left
	})
	return t, nil
}

// unknownRevision says how to write or get a revision that a repository does not have.
func unknownRevision(ctx context.Context, root, revision string) error {
	out, _ := git(ctx, root, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags")
	names := strings.Fields(string(out))
	if slices.Contains(names, "origin/"+revision) {
		return fmt.Errorf("git does not know the revision %q; write git:origin/%s", revision, revision)
	}
	if shallow, _ := git(ctx, root, "rev-parse", "--is-shallow-repository"); strings.TrimSpace(string(shallow)) == "true" {
		return fmt.Errorf("git does not know the revision %q in this shallow clone; fetch it: git fetch --depth 1 origin BRANCH, then pass git:FETCH_HEAD", revision)
	}
	if _, err := git(ctx, root, "rev-parse", "--verify", "HEAD^{commit}"); err != nil {
		return fmt.Errorf("git does not know the revision %q, since the repository has no commit yet", revision)
	}
	if len(names) > 4 {
		names = append(names[:3], "...")
	}
	return fmt.Errorf("git does not know the revision %q; its branches and tags are: %s", revision, strings.Join(names, ", "))
}

// newTree reads a list of ls-tree, MODE TYPE OBJECT, or of ls-files, TAG MODE OBJECT STAGE. A
// forged one may have names that lead elsewhere, which git checks out nowhere.
func newTree(ctx context.Context, limits manifest.Limits, root, revision string, list []byte) (*revisionTree, error) {
	t := &revisionTree{ctx: ctx, root: root, revision: revision, limits: limits, modes: map[string]string{}, modules: map[string]string{}, links: map[string]string{}, sparse: map[string]string{}}
	t.texts, _ = Once(ctx, "texts "+root, func() (*texts, error) { return &texts{of: map[string][]byte{}}, nil })
	for _, entry := range strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		about, name, ok := strings.Cut(entry, "\t")
		f, tag := strings.Fields(about), ""
		if revision == Index && len(f) == 4 {
			tag, f = f[0], f[1:]
		}
		if !ok || len(f) != 3 {
			continue
		}
		if name != path.Clean(name) || !filepath.IsLocal(filepath.FromSlash(name)) || disk.InGit(name) {
			return nil, fmt.Errorf("%s has a file called %q, which git checks out nowhere; whoever wrote that commit forged it", revision, name)
		}
		object := f[2]
		if revision == Index {
			object = f[1]
		}
		switch {
		case f[0] == "160000":
			t.modules[name] = object
		case revision == Index && f[2] != "0": // a conflict, which cannot be committed
		default:
			t.modes[name] = f[0] + " " + object
			t.paths = append(t.paths, name)
			if tag == "S" && !there(filepath.Join(root, filepath.FromSlash(name))) {
				t.sparse[name] = t.modes[name]
			}
		}
	}
	slices.SortFunc(t.paths, inWalk)
	var links, objects []string
	for _, name := range t.paths {
		if mode, object, _ := strings.Cut(t.modes[name], " "); mode == linkMode {
			links, objects = append(links, name), append(objects, object)
		}
	}
	targets, err := t.blobs(objects)
	for i := range targets {
		t.links[links[i]] = string(targets[i])
	}
	return t, err
}

func there(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

// inWalk compares two paths in the order of a walk, which enters a directory before it goes on
// to what begins with its name.
func inWalk(a, b string) int {
	for i := range min(len(a), len(b)) {
		switch {
		case a[i] == b[i]:
		case a[i] == '/':
			return -1
		case b[i] == '/':
			return 1
		default:
			return cmp.Compare(a[i], b[i])
		}
	}
	return cmp.Compare(len(a), len(b))
}

// expand lists the files that kubectl reads for a path, which is a file, a
// directory or a pattern.
func (t *revisionTree) expand(p string, recursive bool) []string {
	if t.modes[p] != "" {
		return []string{p}
	}
	if files, ok := t.below(p, recursive); ok {
		return files
	}
	var files []string
	seen := map[string]bool{}
	for _, name := range t.paths {
		// A pattern may name a directory on the way to the file.
		for parts := strings.Split(name, "/"); len(parts) > 0; parts = parts[:len(parts)-1] {
			at := strings.Join(parts, "/")
			if ok, _ := path.Match(p, at); !ok || seen[at] {
				continue
			}
			seen[at] = true
			if at == name {
				files = append(files, name)
			} else if found, ok := t.below(at, recursive); ok {
				files = append(files, found...)
			}
		}
	}
	return files
}

// below lists the manifests in a directory; ok is false if the directory does
// not exist.
func (t *revisionTree) below(dir string, recursive bool) (files []string, ok bool) {
	for _, name := range t.paths {
		rest, in := name, dir == "."
		if !in {
			rest, in = strings.CutPrefix(name, dir+"/")
		}
		if !in {
			continue
		}
		ok = true
		if manifest.IsManifest(name) && (recursive || !strings.Contains(rest, "/")) {
			files = append(files, name)
		}
	}
	return files, ok
}

// real is where the symbolic links on a name lead.
func (t *revisionTree) real(name string) string {
	for range maxLinks {
		on := ""
		for at := name; on == "" && at != "." && at != "/"; at = path.Dir(at) {
			if _, is := t.links[at]; is {
				on = at
			}
		}
		if on == "" {
			return name
		}
		target := t.links[on]
		if !path.IsAbs(target) {
			target = path.Join(path.Dir(on), target)
		}
		name = target + strings.TrimPrefix(name, on)
	}
	return name
}

// read reads files with one run of git.
func (t *revisionTree) read(names []string) ([]manifest.File, error) {
	files := make([]manifest.File, len(names))
	var objects []string
	for _, name := range names {
		_, object, _ := strings.Cut(t.modes[t.real(name)], " ")
		if t.leadsNowhere(name) {
			return nil, fmt.Errorf("%s is a symbolic link to something that is not a file in git", name)
		}
		objects = append(objects, object)
	}
	texts, err := t.blobs(objects)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if bytes.HasPrefix(texts[i], []byte("version https://git-lfs.github.com/spec/")) {
			return nil, fmt.Errorf("git has only a pointer to %s, which Git LFS keeps; write its content to a file that git does not have, and pass that", name)
		}
		files[i] = manifest.File{Name: t.called(name), Data: texts[i]}
	}
	return files, nil
}

// submodulesIn reads the manifests in the submodules below a directory, at the commits that
// they have in the tree. A submodule that does not have its commit is a problem.
func (t *revisionTree) submodulesIn(dir string, recursive bool) (files []manifest.File, problems []manifest.Problem) {
	if t.revision == Index || !recursive {
		return nil, nil
	}
	for _, module := range slices.Sorted(maps.Keys(t.modules)) {
		if dir != "." && module != dir && !strings.HasPrefix(module, dir+"/") {
			continue
		}
		root, commit := filepath.Join(t.root, filepath.FromSlash(module)), t.modules[module]
		sub, err := (*revisionTree)(nil), error(nil)
		if disk.Repository(root) == root {
			sub, err = readTree(t.ctx, t.limits, root, commit)
		}
		switch {
		case sub == nil && err == nil:
			if index, wrong := readTree(t.ctx, t.limits, t.root, Index); wrong == nil && index.modules[module] == t.modules[module] {
				continue // it is read neither then nor now
			}
			problems = append(problems, manifest.Problem{File: t.called(module), Text: "the submodule is not checked out: git submodule update --init"})
			continue
		case err != nil:
			problems = append(problems, manifest.Problem{File: t.called(module), Text: fmt.Sprintf("the submodule does not have its commit %.12s here: git submodule update --init", commit)})
			continue
		}
		names, _ := sub.below(".", true)
		read, failed := sub.readEach(names)
		inside, wrong := sub.submodulesIn(".", true)
		for _, f := range append(read, inside...) {
			f.Name = t.called(path.Join(module, strings.TrimPrefix(f.Name, sub.revision+":")))
			files = append(files, f)
		}
		problems = append(problems, append(failed, wrong...)...)
	}
	return files, problems
}

// readEach reads files, and returns a problem for each that cannot be read.
func (t *revisionTree) readEach(names []string) (files []manifest.File, problems []manifest.Problem) {
	if files, err := t.read(names); err == nil {
		return files, nil
	}
	for _, name := range names {
		read, err := t.read([]string{name})
		if err != nil {
			problems = append(problems, manifest.Problem{File: t.called(name), Text: strings.TrimPrefix(err.Error(), t.called(name)+": ")})
		}
		files = append(files, read...)
	}
	return files, problems
}

// leadsNowhere reports whether a file is a link to something that is not a file in git.
func (t *revisionTree) leadsNowhere(name string) bool {
	mode, _, found := strings.Cut(t.modes[t.real(name)], " ")
	return !found || mode == linkMode
}

// called is what a file is called: REVISION:FILE, and in the index as on the disk.
func (t *revisionTree) called(name string) string {
	if t.revision == Index {
		return t.here(name)
	}
	return t.revision + ":" + name
}

// here is a name from the top of the repository as it is called from the working
// directory.
func (t *revisionTree) here(name string) string {
	file := filepath.Join(t.root, filepath.FromSlash(name))
	return relativeTo(t.dir, file, file)
}

// HasCommit reports whether the repository here has a commit.
func HasCommit(ctx context.Context) bool {
	root := disk.Repository(".")
	if root == "" {
		return false
	}
	_, err := readTree(ctx, manifest.Limits{}, root, "HEAD")
	return err == nil
}

// Older reports whether there is a commit before the one here, and whether its clone may lack
// some, as that of a job of continuous integration does.
func Older(ctx context.Context) (is, shallow bool) {
	root := disk.Repository(".")
	if root == "" {
		return false, false
	}
	out, err := git(ctx, root, "rev-parse", "--is-shallow-repository", "HEAD~1")
	return err == nil, strings.HasPrefix(string(out), "true")
}

// CommitOf is the commit that a file or directory stands on, in short; "" outside of a
// repository.
func CommitOf(ctx context.Context, file string) string {
	root := disk.Repository(filepath.Dir(file))
	if root == "" {
		return ""
	}
	out, _ := git(ctx, root, "rev-parse", "--verify", "--quiet", "--short=8", "HEAD")
	return strings.TrimSpace(string(out))
}

// blobs are objects as they are stored, in a run each read once.
func (t *revisionTree) blobs(objects []string) ([][]byte, error) {
	t.texts.Lock()
	defer t.texts.Unlock()
	var unread []string
	for _, object := range slices.Compact(slices.Sorted(slices.Values(objects))) {
		if _, ok := t.texts.of[object]; !ok {
			unread = append(unread, object)
		}
	}
	read, err := t.readBlobs(unread)
	if err != nil {
		return nil, err
	}
	for i, object := range unread {
		t.texts.of[object] = read[i]
	}
	blobs := make([][]byte, len(objects))
	for i, object := range objects {
		blobs[i] = t.texts.of[object]
	}
	return blobs, nil
}

// load reads files with one run of git, for blobs that follow.
func (t *revisionTree) load(files []string) {
	var objects []string
	for _, name := range files {
		if mode, object, ok := strings.Cut(t.modes[name], " "); ok && mode != linkMode {
			objects = append(objects, object)
		}
	}
	_, _ = t.blobs(objects) // the one that is not there is told when it is read
}

func (t *revisionTree) readBlobs(objects []string) ([][]byte, error) {
	if len(objects) == 0 {
		return nil, nil
	}
	in, out := io.Pipe()
	defer in.Close()
	go func() {
		_, err := gitTo(t.ctx, out, t.root, strings.Join(objects, "\n")+"\n", "cat-file", "--batch")
		out.CloseWithError(err)
	}()
	r := bufio.NewReader(in)
	var blobs [][]byte
	for _, object := range objects {
		head, err := r.ReadString('\n')
		f := strings.Fields(head)
		if err != nil && err != io.EOF {
			return nil, err
		}
		if len(f) != 3 {
			return nil, fmt.Errorf("git does not have object %s of %s; in a partial clone, fetch it first", object, t.revision)
		}
		size, err := strconv.Atoi(f[2])
		if err != nil {
			return nil, fmt.Errorf("an object of git is preceded by %q", head)
		}
		if err := manifest.TooLarge(int64(size), t.limits.Input); err != nil {
			at := slices.IndexFunc(t.paths, func(name string) bool { return strings.HasSuffix(t.modes[name], " "+object) })
			return nil, fmt.Errorf("%s: %w", t.called(t.paths[at]), err)
		}
		data := make([]byte, size+1) // with the newline after it
		if _, err := io.ReadFull(r, data); err != nil {
			return nil, fmt.Errorf("read object %s from git: %w", object, err)
		}
		blobs = append(blobs, data[:size])
	}
	return blobs, nil
}

// Base is the name of what a change in the repository here is best compared with:
// the branch that the remote begins with, or HEAD if this is that branch; "" outside
// of a repository, and where there is no commit.
func Base(ctx context.Context) string {
	root := disk.Repository(".")
	if root == "" {
		return ""
	}
	list, err := git(ctx, root, "for-each-ref", "--format=%(refname) %(objectname) %(symref)",
		"refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master")
	if err != nil {
		return ""
	}
	head, err := git(ctx, root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil {
		return ""
	}
	commits, target := map[string]string{}, ""
	for _, line := range strings.Split(string(list), "\n") {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 3:
			target, commits[fields[2]] = fields[2], fields[1]
		case len(fields) == 2:
			commits[fields[0]] = fields[1]
		}
	}
	for _, ref := range []string{target, "refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master"} {
		if commit := commits[ref]; commit != "" && commit != strings.TrimSpace(string(head)) {
			if begin, err := git(ctx, root, "merge-base", commit, "HEAD"); err == nil && strings.TrimSpace(string(begin)) != commit {
				return string(begin[:min(12, len(begin))]) // the branch has gone on since
			}
			return strings.TrimPrefix(strings.TrimPrefix(ref, "refs/remotes/"), "refs/heads/")
		}
	}
	return "HEAD"
}

// FilesOfJob is the address, with a slash at its end, of the files of the commit that a job
// of GitHub or GitLab runs for; "" elsewhere.
func FilesOfJob() string {
	if server, repository, commit := os.Getenv("GITHUB_SERVER_URL"), os.Getenv("GITHUB_REPOSITORY"), os.Getenv("GITHUB_SHA"); server != "" && repository != "" && commit != "" {
		return server + "/" + repository + "/blob/" + commit + "/"
	}
	if project, commit := os.Getenv("CI_PROJECT_URL"), os.Getenv("CI_COMMIT_SHA"); project != "" && commit != "" {
		return project + "/-/blob/" + commit + "/"
	}
	return ""
}
