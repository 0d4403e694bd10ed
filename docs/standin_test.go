package docs_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// standIn answers as the parts of the APIs of GitHub and GitLab that the scripts of
// the action call, and serves the files of releases.
type standIn struct {
	*httptest.Server
	mu       sync.Mutex
	comments []*remark
	// checks are check runs, and statuses of commits.
	checks []check
	// calls are methods and paths, in order.
	calls []string
	// forbids makes writing fail, as with the token of a fork.
	forbids  bool
	releases string
}

// check is a check run of GitHub, or a status of GitLab.
type check struct {
	Name, Conclusion, State, Description string
	HeadSHA                              string `json:"head_sha"`
	Output                               struct{ Title, Summary string }
}

// check keeps a check.
func (s *standIn) check(w http.ResponseWriter, r *http.Request) {
	var c check
	if err := json.NewDecoder(r.Body).Decode(&c); err != nil || s.forbids {
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `{"message": "Resource not accessible"}`)
		return
	}
	s.checks = append(s.checks, c)
	w.WriteHeader(http.StatusCreated)
	fmt.Fprint(w, `{"id": 1}`)
}

// remark is a comment or a note.
type remark struct {
	id     int
	author string
	body   string
}

const (
	// me is the account of the token.
	me       = "threeway-bot"
	jobToken = "t0ken-that-no-output-has"
)

func newStandIn(t *testing.T) *standIn {
	s := &standIn{releases: t.TempDir()}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /graphql", s.graphQL)
	mux.HandleFunc("POST /repos/acme/shop/issues/7/comments", s.create)
	mux.HandleFunc("PATCH /repos/acme/shop/issues/comments/{id}", s.change)
	mux.HandleFunc("POST /repos/acme/shop/check-runs", s.check)
	mux.HandleFunc("POST /api/v4/projects/9/statuses/{sha}", s.check)
	mux.HandleFunc("GET /api/v4/user", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"id": 1}`) })
	mux.HandleFunc("GET /api/v4/projects/9/merge_requests/7/notes", s.notes)
	mux.HandleFunc("POST /api/v4/projects/9/merge_requests/7/notes", s.create)
	mux.HandleFunc("PUT /api/v4/projects/9/merge_requests/7/notes/{id}", s.change)
	mux.Handle("GET /releases/", http.StripPrefix("/releases/", http.FileServer(http.Dir(s.releases))))
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.calls = append(s.calls, r.Method+" "+r.URL.Path)
		if !strings.HasPrefix(r.URL.Path, "/releases/") && r.Header.Get("Authorization") != "Bearer "+jobToken && r.Header.Get("PRIVATE-TOKEN") != jobToken {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// graphQL lists the comments of the pull request, 100 at a time.
func (s *standIn) graphQL(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Variables struct {
			Owner, Name string
			Number      int
			After       string
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil || q.Variables.Owner != "acme" || q.Variables.Name != "shop" || q.Variables.Number != 7 {
		fmt.Fprint(w, `{"data": {"repository": null}, "errors": [{"message": "no such repository"}]}`)
		return
	}
	from, _ := strconv.Atoi(q.Variables.After)
	to := min(from+100, len(s.comments))
	nodes := []any{}
	for _, c := range s.comments[from:to] {
		nodes = append(nodes, map[string]any{"databaseId": c.id, "viewerDidAuthor": c.author == me, "body": c.body})
	}
	answer(w, map[string]any{"data": map[string]any{"repository": map[string]any{"pullRequest": map[string]any{"comments": map[string]any{
		"nodes": nodes, "pageInfo": map[string]any{"hasNextPage": to < len(s.comments), "endCursor": strconv.Itoa(to)},
	}}}}})
}

// notes lists those of the merge request, a page at a time.
func (s *standIn) notes(w http.ResponseWriter, r *http.Request) {
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	from := min((page-1)*100, len(s.comments))
	list := []any{}
	for _, c := range s.comments[from:min(from+100, len(s.comments))] {
		author := 2
		if c.author == me {
			author = 1
		}
		list = append(list, map[string]any{"id": c.id, "author": map[string]any{"id": author}, "body": c.body})
	}
	answer(w, list)
}

// text is the body of a comment; a long one is refused, as GitHub does.
func (s *standIn) text(w http.ResponseWriter, r *http.Request) (string, bool) {
	var c struct{ Body string }
	data, _ := io.ReadAll(r.Body)
	switch err := json.Unmarshal(data, &c); {
	case s.forbids:
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `{"message": "Resource not accessible\n::error::by integration"}`)
	case err != nil || c.Body == "" || len([]rune(c.Body)) > 65536:
		w.WriteHeader(http.StatusUnprocessableEntity)
		fmt.Fprint(w, `{"message": "body is too long (maximum is 65536 characters)"}`)
	default:
		return c.Body, true
	}
	return "", false
}

func (s *standIn) create(w http.ResponseWriter, r *http.Request) {
	if body, ok := s.text(w, r); ok {
		s.comments = append(s.comments, &remark{1000 + len(s.comments), me, body})
		w.WriteHeader(http.StatusCreated)
	}
}

func (s *standIn) change(w http.ResponseWriter, r *http.Request) {
	for _, c := range s.comments {
		if strconv.Itoa(c.id) != r.PathValue("id") {
			continue
		}
		if body, ok := s.text(w, r); ok {
			c.body = body
		}
		return
	}
	w.WriteHeader(http.StatusNotFound)
}

func answer(w http.ResponseWriter, v any) { _ = json.NewEncoder(w).Encode(v) }

// release puts files of a release where scripts download them.
func (s *standIn) release(t *testing.T, version string, files map[string][]byte) {
	t.Helper()
	for name, data := range files {
		file := filepath.Join(s.releases, version, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
