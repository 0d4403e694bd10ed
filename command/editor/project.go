package editor

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"

	"threeway/lint"
)

// project is a set of manifests that one rehearsal is about.
type project struct {
	name string
	// kept says that it is checked although none of its files is open.
	kept bool
	// asked counts what may have changed the answer; done is what asked was when the
	// newest check began.
	asked, done int
	checked     chan struct{} // closed when a check ends
	answer      *answer       // of the newest check; nil if it failed
	published   map[string]publishParams
}

// answer is a check with the texts that it is about.
type answer struct {
	*Checked
	open map[string]openText // by absolute path
}

// openText is an open file as it was when a check began.
type openText struct {
	*document
	usable
	rows
}

// addFolder checks the project of a folder from now on.
func (s *server) addFolder(uri string) {
	path := pathOf(uri)
	if path == "" {
		return
	}
	if name, ok := s.engine.Project(path, true); ok {
		p := s.project(name)
		p.kept = true
		s.due(p)
	}
}

func (s *server) project(name string) *project {
	p := s.projects[name]
	if p == nil {
		p = &project{name: name, checked: make(chan struct{}), published: map[string]publishParams{}}
		s.projects[name] = p
	}
	return p
}

// check asks for a check of the project of a document.
func (s *server) check(d *document) { s.due(s.project(d.project)) }

// projectOf is the name of the project of a file.
func (s *server) projectOf(path string) string {
	name, _ := s.engine.Project(path, false)
	return name
}

func (s *server) due(p *project) {
	p.asked++
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// work checks one project after the other, as long as there is one to check. Edits that
// come meanwhile are checked together by the next check.
func (s *server) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
		for ctx.Err() == nil {
			s.mutex.Lock()
			p := s.next()
			if p == nil {
				s.mutex.Unlock()
				break
			}
			asked, open := p.asked, s.open(p)
			s.mutex.Unlock()
			s.run(ctx, p, asked, open)
		}
	}
}

// next is the project that waits, the one with open files first.
func (s *server) next() *project {
	waiting := slices.DeleteFunc(slices.Collect(maps.Values(s.projects)), func(p *project) bool { return p.asked == p.done })
	if len(waiting) == 0 {
		return nil
	}
	return slices.MinFunc(waiting, func(a, b *project) int {
		return cmp.Or(-cmp.Compare(min(len(s.open(a)), 1), min(len(s.open(b)), 1)), cmp.Compare(a.name, b.name))
	})
}

// open are the open documents of a project.
func (s *server) open(p *project) (list []*document) {
	for _, d := range s.documents {
		if d.project == p.name {
			list = append(list, d)
		}
	}
	return list
}

// run checks a project and publishes what it finds.
func (s *server) run(ctx context.Context, p *project, asked int, open []*document) {
	var before *Checked
	if p.answer != nil {
		before = p.answer.Checked
	}
	a, texts, read := &answer{open: map[string]openText{}}, map[string]string{}, map[*document]usable{}
	err := errors.New("internal error; 'threeway lint' in this directory shows more")
	s.guard(func() {
		for _, d := range open {
			u, known := s.read[d]
			if !known {
				u = readableOf(relative(d.path), d.text, d.readable)
			}
			a.open[d.path], texts[d.path], read[d] = openText{d, u, rowsOf(d.text)}, u.used, u
		}
		s.read = read
		if len(open) > 0 || p.kept {
			a.Checked, err = s.engine.Check(ctx, p.name, texts, before)
		} else {
			a.Checked, err = &Checked{Result: &lint.Result{}}, nil
		}
	})
	s.mutex.Lock()
	for _, text := range a.open {
		if now := s.documents[text.uri]; now != nil && text.whole {
			now.readable = text.used
		}
	}
	if err == nil {
		p.answer = a
		s.complained = ""
	}
	complain := err != nil && ctx.Err() == nil && s.complained != err.Error()
	if complain {
		s.complained = err.Error()
	}
	s.mutex.Unlock()
	if complain {
		s.show(severityError, err.Error())
	}
	if err == nil {
		s.guard(func() { s.publish(p, a) })
	}
	s.mutex.Lock()
	p.done = asked
	close(p.checked)
	p.checked = make(chan struct{})
	if !p.kept && len(open) == 0 && p.asked == p.done {
		delete(s.projects, p.name)
	}
	concluding := err == nil && s.settings.ShowsVerdict
	s.mutex.Unlock()
	if concluding {
		s.guard(func() { s.conclude(a) })
	}
}

// publish tells what has changed in the findings of a project, and those of each open
// document whose text is another one.
func (s *server) publish(p *project, a *answer) {
	now := a.diagnostics()
	for path, text := range a.open {
		uri := uriOf(path)
		entry := now[uri]
		entry.URI, entry.Version = text.uri, &text.version
		if entry.Diagnostics == nil {
			entry.Diagnostics = []diagnostic{}
		}
		now[uri] = entry
	}
	for uri, before := range p.published {
		if _, still := now[uri]; !still {
			now[uri] = publishParams{URI: before.URI, Diagnostics: []diagnostic{}}
		}
	}
	for _, uri := range slices.Sorted(maps.Keys(now)) {
		entry := now[uri]
		if before, known := p.published[uri]; !known || !reflect.DeepEqual(before, entry) {
			if said, err := a.struck(entry); err == nil {
				s.notify("textDocument/publishDiagnostics", said)
			}
		}
		if p.published[uri] = entry; entry.Version == nil && len(entry.Diagnostics) == 0 {
			delete(p.published, uri)
		}
	}
}

// conclude tells the verdict on a project with open documents.
func (s *server) conclude(a *answer) {
	if a.Review == nil || len(a.open) == 0 {
		return
	}
	digest := a.Review().Diff.Digest
	v := digest.Verdict()
	told := verdict{Level: v.Level, Text: shown(v.Text), Plan: shown(digest.PlanLine())}
	for _, path := range slices.Sorted(maps.Keys(a.open)) {
		told.Of = append(told.Of, textDocument{a.open[path].uri})
	}
	if said, err := a.struck(told); err == nil {
		s.notify("threeway/verdict", said)
	}
}

// view waits for the check of a document as it is now. It returns nil if the document is
// not open or could not be checked.
func (s *server) view(ctx context.Context, uri string) (*view, error) {
	for {
		s.mutex.Lock()
		d := s.documents[uri]
		var p *project
		if d != nil {
			p = s.projects[d.project]
		}
		if p == nil {
			s.mutex.Unlock()
			return nil, nil
		}
		waiting, a, settings := p.asked != p.done, p.answer, s.settings
		checked := p.checked
		s.mutex.Unlock()
		if !waiting {
			if a == nil {
				return nil, nil
			}
			text, ok := a.open[d.path]
			if !ok {
				return nil, nil
			}
			return &view{answer: a, openText: text, settings: settings}, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-checked:
		}
	}
}
