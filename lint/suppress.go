package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/merge/text/visible"
	"threeway/merge/tree"
)

// AnnotationPrefix begins the annotation that suppresses a rule for an object:
// threeway.dev/ignore.RULE: "reason".
const AnnotationPrefix = "threeway.dev/ignore."

// ignoring, after program, begins the comment that suppresses rules for the line that it is on,
// or above.
const program, ignoring = "threeway", ":ignore"

// Ignore suppresses findings, from the settings. Empty fields
// match everything.
type Ignore struct {
	Rule, Kind, Namespace, Name string
	Path                        fieldpath.Path
	// Manager is one that owns the field in the snapshot.
	Manager, Reason string
}

// matches reports whether a finding is suppressed, which is about the object, or nil.
func (i Ignore) matches(f *Finding, o *Object) bool {
	if i.Rule != "" && !f.Rule.Named(i.Rule) {
		return false
	}
	for _, pair := range [][2]string{{i.Kind, f.id.Kind}, {i.Namespace, f.id.Namespace}, {i.Name, f.id.Name}} {
		if pair[0] != "" && pair[0] != pair[1] {
			return false
		}
	}
	return f.Path.HasPrefix(i.Path) && (i.Manager == "" || o.owned(f.Path, i.Manager))
}

// suppression is one rule suppressed in one place.
type suppression struct {
	rule, reason string
	at           Position
	// line is the line it covers; 0 means the whole file. object, if set, is
	// the object it covers.
	line   int
	object *manifest.Object
	used   bool
	// misspelt: the comment begins with threeway-ignore.
	misspelt bool
}

func (s *suppression) covers(f *Finding) bool {
	if !f.Rule.Named(s.rule) || s.reason == "" {
		return false
	}
	if s.object != nil {
		return s.object.ID() == f.id
	}
	return s.at.File == f.at.File && (s.line == 0 || s.line == f.at.Line)
}

// Accepting says what suppresses the finding: a comment, an annotation where a program renders the
// manifest, or the settings where no manifest has the object.
func (f *Finding) Accepting() string {
	switch {
	case f.absent:
		what := "rule: " + f.Rule.ID
		for _, pair := range [][2]string{{"kind", f.id.Kind}, {"namespace", f.id.Namespace}, {"name", f.id.Name}} {
			if pair[1] != "" {
				what += ", " + pair[0] + ": " + visible.Line(pair[1])
			}
		}
		return "ignore: [{" + what + ", reason: REASON}] in .threeway.yaml"
	case f.at.Template != "" || f.source.Place(nil).Elsewhere:
		return "the annotation " + AnnotationPrefix + f.Rule.ID + ": REASON of " + manifest.Title(f.Object)
	}
	return "the comment # threeway:ignore " + f.Rule.ID + " -- REASON, above its line"
}

// suppress marks the suppressed findings. It returns findings about
// suppressions that have no reason, name an unknown rule, or match nothing.
func (p *Pass) suppress(all []*Rule, found []*Finding, ran map[string]bool, opts Options) (about []*Finding) {
	list := p.suppressions()
	counts := func(*Finding) bool { return true }
	if opts.Trusted != nil {
		counts = opts.Trusted.suppressed(p)
	}
	inManifests, objects := map[manifest.Identity]bool{}, map[*manifest.Object]*Object{}
	for _, o := range p.all {
		inManifests[o.Manifest.ID()], objects[o.Manifest] = true, o
	}
	for _, f := range found {
		if f.absent = !inManifests[f.id]; f.absent { // an object of the snapshot or the base says it itself
			for _, id := range f.Rule.Names() {
				f.Suppressed = cmp.Or(f.Suppressed, strings.TrimSpace(tree.String(f.source.Tree, "metadata", "annotations", AnnotationPrefix+id)))
			}
			for _, s := range p.commentsOfBase(f.source) {
				if s.covers(f) && f.Suppressed == "" {
					f.Suppressed, f.InSource = s.reason, true
				}
			}
		}
		for _, i := range opts.Ignores {
			if i.matches(f, objects[f.source]) && f.Suppressed == "" {
				f.Suppressed = i.Reason
			}
		}
		for _, m := range opts.IgnoreManagers {
			if f.Suppressed == "" && objects[f.source].owned(f.Path, m) {
				f.Suppressed = "--ignore-manager " + m
			}
		}
		for _, s := range list {
			switch {
			case !s.covers(f):
			case !counts(f):
				s.used, f.Notes = true, append(f.Notes, opts.Trusted.distrust(s))
			default:
				f.Suppressed, f.InSource, s.used = s.reason, true, true
			}
		}
	}
	known := map[string]*Rule{}
	for _, r := range all {
		for _, id := range r.Names() {
			known[id] = r
		}
	}
	report := func(id string, s *suppression, message, fix string) {
		r := known[id]
		if r == nil || !opts.enabled(r) {
			return
		}
		severity := r.Severity
		if s := opts.Severities[id]; s != Unset {
			severity = s
		}
		f := &Finding{Rule: r, Severity: severity, Message: message, Advice: Advice{Fix: fix}, at: s.at}
		if s.object != nil {
			f.Object, f.id = s.object.ID().String(), s.object.ID()
		}
		about = append(about, f)
	}
	for _, s := range list {
		switch {
		case s.misspelt:
			report("invalid-suppression", s, "misspelt, so that nothing is suppressed", "write threeway:ignore, with a colon: # threeway:ignore RULE -- REASON")
		case s.rule == "":
			report("invalid-suppression", s, "no rule is named; nothing is suppressed", "write the rule and a reason: # threeway:ignore RULE -- REASON")
		case known[s.rule] == nil:
			report("invalid-suppression", s, fmt.Sprintf("unknown rule %q; nothing is suppressed", s.rule), phrase.Meant(s.rule, slices.Collect(maps.Keys(known)))+"use an ID that 'threeway rules' lists, or remove the suppression")
		case s.reason == "":
			report("invalid-suppression", s, fmt.Sprintf("%s is not suppressed: the reason is missing", s.rule), "add the reason: # threeway:ignore "+s.rule+" -- reason")
		case !s.used && ran[known[s.rule].ID]:
			report("unused-suppression", s, fmt.Sprintf("the suppression of %s matches no finding", s.rule), "remove it")
		}
	}
	return about
}

// commentsOfBase are the suppressions beside an object of the base, which are trusted as it
// is.
func (p *Pass) commentsOfBase(o *manifest.Object) []*suppression {
	if p.Plan.Base == nil {
		return nil
	}
	text, line, ok := o.Text()
	if !ok {
		return nil
	}
	return comments(o.Origin.File, strings.Repeat("\n", line-1)+text)
}

// suppressions reads the comments of the manifests and the annotations of the
// objects.
func (p *Pass) suppressions() []*suppression {
	var list []*suppression
	inFiles := p.inFiles()
	for i, o := range p.all {
		for _, s := range inFiles[i] {
			if p.secret(s.at.File, s.at.Line) {
				s.at.Source = ""
			}
			list = append(list, s)
		}
		annotations := tree.Map(o.Manifest.Tree, "metadata", "annotations")
		for _, key := range tree.Keys(annotations) {
			if rule, ok := strings.CutPrefix(key, AnnotationPrefix); ok {
				reason, _ := annotations[key].(string)
				list = append(list, &suppression{rule: rule, reason: strings.TrimSpace(reason), object: o.Manifest,
					at: p.place(o.Manifest, fieldpath.New("metadata", "annotations", key))})
			}
		}
	}
	return list
}

// inFiles are the suppressions in the files of the objects, each with the first object of
// its file.
func (p *Pass) inFiles() [][]*suppression {
	list, first := make([][]*suppression, len(p.all)), map[string]int{}
	if p.Source == nil {
		return list
	}
	for i, o := range slices.Backward(p.all) {
		first[o.Manifest.Origin.File] = i
	}
	p.Options.Cores.Do(len(p.all), func(i int) {
		if o := p.all[i].Manifest; first[o.Origin.File] == i && o.FileMayHave(program) {
			list[i] = comments(o.Origin.File, p.Source(o.Origin.File))
		}
	})
	return list
}

// secret reports whether a line may contain a value to mask.
func (p *Pass) secret(file string, line int) bool {
	return slices.ContainsFunc(p.all, func(o *Object) bool {
		return o.Manifest.Origin.File == file && p.isSecret(o.Manifest) && o.Manifest.SourceLine(line) != ""
	})
}

// comments finds the suppressions in a file's text. A comment alone on its line
// covers the next line that is not a comment.
func comments(file, text string) []*suppression {
	if !strings.Contains(text, program) {
		return nil
	}
	var list, waiting []*suppression
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		before, words, found := comment(line)
		own := strings.TrimSpace(before) == ""
		if !own {
			for _, s := range waiting {
				s.line = i + 1
			}
			waiting = nil
		}
		if !found {
			continue
		}
		words, right := strings.CutPrefix(words, ignoring)
		whole := false
		if rest, ok := strings.CutPrefix(words, "-file"); ok {
			whole, words = true, rest
		}
		rules, reason, reasoned := strings.Cut(words, "--")
		at := Position{File: file, Line: i + 1, Column: len([]rune(before)) + 1, Width: 1}
		if len(line) <= longestShown {
			at.Source, at.text, at.Width = line, line, len([]rune(line))-at.Column+1
		}
		names := strings.FieldsFunc(rules, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
		switch {
		case !right:
			list = append(list, &suppression{at: at, misspelt: true})
			continue
		case len(names) == 0:
			names = []string{""}
		case !reasoned:
			names = names[:1] // the others may be words of the reason
		}
		for _, rule := range names {
			s := &suppression{rule: rule, reason: strings.TrimSpace(reason), line: i + 1, at: at}
			switch {
			case whole:
				s.line = 0
			case own:
				waiting = append(waiting, s)
			}
			list = append(list, s)
		}
	}
	return slices.Clip(list)
}

// comment finds "# threeway:ignore", or with another sign for the colon, in a line, and returns
// the text before it and that from the sign on. A # without a space before it is part of a value.
func comment(line string) (before, words string, found bool) {
	for from := 0; ; {
		i := strings.IndexByte(line[from:], '#')
		if i < 0 {
			return line, "", false
		}
		i += from
		rest, ok := strings.CutPrefix(strings.TrimLeft(line[i+1:], " "), program)
		if ok && len(rest) > 0 && strings.ContainsAny(rest[:1], ":-_") && strings.HasPrefix(rest[1:], ignoring[1:]) && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			return line[:i], rest, true
		}
		if strings.TrimSpace(line[:i]) == "" {
			return "", "", false // another comment
		}
		from = i + 1
	}
}
