package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

func zstandard(text string) string {
	w, _ := zstd.NewWriter(nil)
	return string(w.EncodeAll([]byte(text), nil))
}

// tarred is a tar file of names and texts; a text of "->" makes a link.
func tarred(files ...string) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		h := &tar.Header{Name: files[i], Typeflag: tar.TypeReg, Size: int64(len(files[i+1]))}
		if files[i+1] == "->" {
			h = &tar.Header{Name: files[i], Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}
		}
		_ = w.WriteHeader(h)
		if h.Size > 0 {
			_, _ = io.WriteString(w, files[i+1])
		}
	}
	_ = w.Close()
	return b.String()
}

func zipped(files ...string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		f, _ := w.Create(files[i])
		_, _ = io.WriteString(f, files[i+1])
	}
	_ = w.Close()
	return b.String()
}

// half is a truncated file.
func half(data string) string { return data[:len(data)/2] }

// walked lists what an archive holds: "name=text", and "name->" for a link.
func walked(data string, limits Limits) (list string, err error) {
	err = Walk(strings.NewReader(data), limits, Visitor{
		File: func(name string, head []byte, text io.Reader) error {
			all, err := io.ReadAll(text)
			list += name + "=" + string(all) + ";"
			return err
		},
		Link: func(name string) { list += name + "->;" },
	})
	return list, err
}

var small = Limits{Bytes: 256 << 20, Held: 64 << 20, Entries: 1000}

func TestWalk(t *testing.T) {
	files := []string{"a.yaml", "a", "b/c.yaml", "c"}
	for name, data := range map[string]string{
		"=plain;": "plain", "=text;": gzipped("text"), "=t;": zstandard(gzipped("t")), "": "",
		"a.yaml=a;b/c.yaml=c;":               tarred(files...),
		"a.yaml=a;b/c.yaml=c; ":              gzipped(tarred(files...)),
		"a.yaml=a;b/c.yaml=c;  ":             zstandard(tarred(files...)),
		"a.yaml=a;b/c.yaml=c;   ":            zipped(files...),
		"in.tar/a.yaml=a;in.tar/b/c.yaml=c;": zipped("in.tgz", gzipped(tarred(files...))),
		"etc/passwd=x;up=y;c:/win=z;l->;":    tarred("/etc/passwd", "x", "../../up", "y", "c:\\win", "z", "a/../l", "->"),
		"x=;":                                tarred("x", ""),
	} {
		want := strings.TrimRight(name, " ")
		if name == "" {
			want = "=;"
		}
		if got, err := walked(data, small); got != want || err != nil {
			t.Errorf("%q: %v, want %q", got, err, want)
		}
	}
}

func TestHostile(t *testing.T) {
	zeros := strings.Repeat(" ", 66<<20)
	many := make([]string, 0, 2*(small.Entries+2))
	for i := range small.Entries + 1 {
		many = append(many, fmt.Sprint(i), "")
	}
	nested := "x"
	for range maxDepth + 1 {
		nested = gzipped(nested)
	}
	text := tarred("a", strings.Repeat("x", 4000), "b", "y")
	for name, c := range map[string]struct{ data, want string }{
		"a bomb":                  {gzipped(zeros), "times its size"},
		"a bomb of zstd":          {zstandard(zeros), "times its size"},
		"a bomb in a zip":         {zipped("a", zeros), "times its size"},
		"more than may come":      {gzipped(strings.Repeat("random enough?", 1<<14)), "more than 0 MiB"},
		"entries without end":     {tarred(many...), "entries"},
		"a zip of many":           {zipped(many...), "entries"},
		"one inside the other":    {nested, "inside 4 others"},
		"cut short":               {text[:len(text)-2000], "unexpected EOF"},
		"compressed, cut short":   {gzipped(text)[:30], "unexpected EOF"},
		"a zip that is cut short": {zipped("a", "b")[:40], "zip"},
		"a header that lies":      {gzipped(text[:512]), "unexpected EOF"},
	} {
		limits := small
		if name == "more than may come" {
			limits.Bytes = 1000
		}
		if _, err := walked(c.data, limits); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzWalk: whatever an archive holds, names go nowhere up, and little comes out of it.
func FuzzWalk(f *testing.F) {
	for _, data := range []string{
		"", "x", gzipped("a: b"), zstandard("a: b"), tarred("../../a", "b", "l", "->", "/c", "d"), zipped("..\\a", "b"), gzipped(tarred("a", "b")),
		zipped("x.tar.gz", gzipped(tarred("../x", "y"))), gzipped(gzipped(gzipped("x"))), gzipped(strings.Repeat("\x00", 1<<20)), zipped("a", zipped("b", "c")), tarred(strings.Repeat("d/", 200)+"f", "x"),
		zstandard(strings.Repeat("\x00", 8<<20)), gzipped(gzipped(strings.Repeat("\x00", 8<<20))), tarred("/proc/self/mem", "->", "../l", "->"),
		tarred(slices.Repeat([]string{"a", ""}, 1001)...), zipped(slices.Repeat([]string{"a", "x"}, 1001)...),
		half(gzipped(tarred("a", "b"))), half(zstandard(strings.Repeat("a: b\n", 100))), half(tarred("a", strings.Repeat("b", 600))), half(zipped("a", "b")),
		zstandard(gzipped(zstandard(gzipped(zstandard("x"))))), zipped("a.zip", zipped("b.zip", zipped("c.zip", zipped("d", "e")))),
	} {
		f.Add([]byte(data))
	}
	for _, a := range hostileArchives {
		f.Add([]byte(a.make(1)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		limits, out := Limits{Bytes: 4 << 20, Held: 1 << 20, Entries: 1000}, 0
		check := func(name string) {
			if strings.HasPrefix(name, "/") || strings.Contains("/"+name+"/", "/../") {
				t.Errorf("the name %q leads out", name)
			}
		}
		_ = Walk(iotest.OneByteReader(bytes.NewReader(data)), limits, Visitor{
			File: func(name string, head []byte, text io.Reader) error {
				check(name)
				head = bytes.Clone(head) // reading overwrites it
				all, err := io.ReadAll(text)
				if out += len(all); out > 8<<20 {
					t.Error("too much comes out")
				}
				if err == nil && !bytes.HasPrefix(all, head) {
					t.Error("the head is not that of the text")
				}
				return err
			},
			Link: check,
		})
	})
}

func TestStore(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	s := NewStore(1<<30, 2)
	var all []byte
	for range 40 {
		part := bytes.Repeat([]byte{byte(random.IntN(256))}, random.IntN(100_000))
		all = append(all, part...)
		if n, err := s.Write(part); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := s.Close(); err != nil || s.Size() != int64(len(all)) {
		t.Fatalf("%d bytes, want %d; %v", s.Size(), len(all), err)
	}
	for range 200 {
		from := random.IntN(len(all))
		got := make([]byte, random.IntN(len(all)-from))
		if n, err := s.ReadAt(got, int64(from)); n != len(got) || err != nil || !bytes.Equal(got, all[from:from+n]) {
			t.Fatalf("%d bytes from %d: %d, %v", len(got), from, n, err)
		}
	}
	if _, err := s.ReadAt(make([]byte, 1), int64(len(all))); err != io.EOF {
		t.Error(err)
	}
	full := NewStore(10, 1)
	noise := make([]byte, 3*chunkSize)
	for i := range noise {
		noise[i] = byte(random.IntN(256))
	}
	_, err := full.Write(noise)
	if _, more := full.Write(noise); err == nil && more == nil {
		t.Error("more is held than may be")
	}
}
