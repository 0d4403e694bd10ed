package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// hostileArchive is an archive that is made to do harm. make returns it in a size: 1
// is a seed of the fuzz test, 1000 the real thing.
type hostileArchive struct {
	name string
	make func(size int) string
	// want is in the error; "" if there is none.
	want string
}

const manyEntries = "entries; unpack what you need"

var hostileArchives = []hostileArchive{
	{"gzip of spaces, three times", func(n int) string { return gzipped(gzipped(spaces(n))) }, "times its size"},
	{"zstd of spaces", func(n int) string { return zstandard(strings.Repeat(" ", n<<20)) }, "times its size"},
	{"zip in zip in zip", zipTree, "times its size"},
	{"zip whose entries overlap", overlapping, "times its size"},
	{"a tar of a million entries", func(n int) string { return tarOf(n*1000, tar.Header{Typeflag: tar.TypeReg}, nil) }, manyEntries},
	{"a tar of a million links", func(n int) string {
		return tarOf(n*1000, tar.Header{Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, nil)
	}, manyEntries},
	{"a zip of a million entries", manyZipped, manyEntries},
	{"a zip that says it has one", func(n int) string { return lyingCount(manyZipped(n)) }, "unexpected EOF"},
	{"a million members of gzip", func(n int) string { return strings.Repeat(gzipped(""), n*1000) }, ""},
	{"a million frames of zstd", func(n int) string { return strings.Repeat(zstandard("a"), n*1000) }, ""},
	{"a window of 4 GiB", func(int) string { return "\x28\xb5\x2f\xfd\x00\xb0\x01\x00\x00" }, "window size exceeded"},
	{"a window of 128 MiB", func(int) string { return "\x28\xb5\x2f\xfd\x00\x88\x0b\x00\x00a" }, ""},
	{"devices", func(int) string {
		return tarOf(1, tar.Header{Typeflag: tar.TypeBlock}, nil) + tarOf(1, tar.Header{Typeflag: tar.TypeFifo}, nil)
	}, ""},
	{"a sparse file of a terabyte", func(int) string { return sparse(1 << 40) }, ""},
	{"a size that is not there", func(int) string { return claimed(1 << 40) }, "unexpected EOF"},
	{"a size without end", func(int) string { return pax("size", "9223372036854775807") }, "unexpected EOF"},
	{"a size below zero", func(int) string { return pax("size", "-1") }, "invalid tar header"},
	{"a time without end", func(int) string { return pax("mtime", strings.Repeat("9", 400)) }, "invalid tar header"},
	{"a name of a megabyte", func(n int) string { return pax("path", strings.Repeat("a/", n*520)) }, ""},
	{"extended headers without end", func(n int) string {
		return gzipped(strings.Repeat(pax("path", "a")[:1024], n*200) + tarred("a", "b"))
	}, ""},
	{"names with NUL, newlines and no UTF-8", func(int) string {
		return zipped("a\x00b", "c", "\xff\xfe\n", "d", "../\xff", "e") + strings.Repeat("\x00", 9)
	}, ""},
	{"names that lead up", func(int) string { return tarred("../../../a", "b", "/etc/passwd", "c", "a/../../d", "e") }, ""},
	{"a zip that is encrypted", func(int) string {
		return changed(stored("a", "abcdefghijklmnop", nil), func(h []byte) { h[0] |= 1 })
	}, "a is encrypted"},
	{"a zip whose sizes are too small", func(int) string { return stored("a", "abcdefghijklmnop", sizes(16, 3)) }, "zip: "},
	{"a zip whose sizes are too large", func(int) string { return stored("a", "abcdefghijklmnop", sizes(1<<31, 1<<31)) }, "unexpected EOF"},
	{"a zip with one name often", func(n int) string { return zipped(pairs("a", n)...) }, ""},
	{"a zip64 of petabytes", func(int) string { return zip64() }, "unexpected EOF"},
}

func spaces(n int) string { return gzipped(strings.Repeat(" ", n<<20)) }

func pairs(name string, n int) (list []string) {
	for i := range n {
		list = append(list, name, fmt.Sprint(i))
	}
	return list
}

// zipTree is 42.zip: zips of the same zips.
func zipTree(n int) string {
	data := spaces(max(n/4, 1))
	for range 3 {
		var list []string
		for i := range 4 {
			list = append(list, fmt.Sprintf("%d.zip", i), data)
		}
		data = zipped(list...)
	}
	return data
}

// tarOf is a compressed tar with one entry again and again.
func tarOf(n int, h tar.Header, text []byte) string {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	w := tar.NewWriter(z)
	for i := range n {
		h.Name, h.Size = fmt.Sprint(i), int64(len(text))
		_ = w.WriteHeader(&h)
		_, _ = w.Write(text)
	}
	_ = w.Close()
	_ = z.Close()
	return b.String()
}

func manyZipped(n int) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range n * 1000 {
		_, _ = w.CreateHeader(&zip.FileHeader{Name: fmt.Sprint(i)})
	}
	_ = w.Close()
	return b.String()
}

// lyingCount makes the end of a zip say that it lists one entry.
func lyingCount(data string) string {
	b := []byte(data)
	at := bytes.LastIndex(b, []byte("PK\x05\x06"))
	binary.LittleEndian.PutUint16(b[at+8:], 1)
	binary.LittleEndian.PutUint16(b[at+10:], 1)
	return string(b)
}

// overlapping is a zip whose entries are all the same bytes
// (https://www.bamsoftware.com/hacks/zipbomb).
func overlapping(n int) string {
	data := stored("a", spaces(max(n/8, 1)), nil)
	at := strings.Index(data, "PK\x01\x02")
	end := strings.LastIndex(data, "PK\x05\x06")
	entry, tail := data[at:end], []byte(data[end:])
	list := strings.Repeat(entry, 100)
	binary.LittleEndian.PutUint16(tail[8:], 100)
	binary.LittleEndian.PutUint16(tail[10:], 100)
	binary.LittleEndian.PutUint32(tail[12:], uint32(len(list)))
	return data[:at] + list + string(tail)
}

// stored is a zip with one file that is not compressed.
func stored(name, text string, change func(*zip.FileHeader)) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	h := &zip.FileHeader{Name: name, CRC32: crc32.ChecksumIEEE([]byte(text)), CompressedSize64: uint64(len(text)), UncompressedSize64: uint64(len(text))}
	if change != nil {
		change(h)
	}
	f, _ := w.CreateRaw(h)
	_, _ = io.WriteString(f, text)
	_ = w.Close()
	return b.String()
}

func sizes(packed, unpacked uint64) func(*zip.FileHeader) {
	return func(h *zip.FileHeader) { h.CompressedSize64, h.UncompressedSize64 = packed, unpacked }
}

// changed changes the flags of the entries of a zip.
func changed(data string, change func(flags []byte)) string {
	b := []byte(data)
	for i := range b {
		switch {
		case bytes.HasPrefix(b[i:], []byte("PK\x01\x02")):
			change(b[i+8:])
		case bytes.HasPrefix(b[i:], []byte("PK\x03\x04")):
			change(b[i+6:])
		}
	}
	return string(b)
}

func zip64() string { return stored("a", "abc", sizes(1<<50, 1<<50)) }

// claimed is a tar whose entry is longer than the archive.
func claimed(size int64) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	_ = w.WriteHeader(&tar.Header{Name: "a", Typeflag: tar.TypeReg, Size: size, Format: tar.FormatGNU})
	return b.String() + "apiVersion: v1\n"
}

// sparse is a tar of a file that begins with text and is zeros then
// (https://www.gnu.org/software/tar/manual/html_section/Sparse-Formats.html, PAX 1.0).
func sparse(size int64) string {
	text := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	body := make([]byte, 1024)
	copy(body, fmt.Sprintf("1\n0\n%d\n", len(text)))
	copy(body[512:], text)
	records := record("GNU.sparse.major", "1") + record("GNU.sparse.minor", "0") + record("GNU.sparse.name", "a.yaml") + record("GNU.sparse.realsize", fmt.Sprint(size))
	return block('x', "PaxHeaders/a", records) + block('0', "a", string(body[:512+len(text)])) + strings.Repeat("\x00", 1024)
}

// pax is a tar with an entry that has an extended header.
func pax(key, value string) string {
	return block('x', "PaxHeaders/a", record(key, value)) + block('0', "a", "b") + strings.Repeat("\x00", 1024)
}

func record(key, value string) string {
	text := " " + key + "=" + value + "\n"
	n := len(text) + 1
	for len(fmt.Sprint(n))+len(text) != n {
		n++
	}
	return fmt.Sprint(n) + text
}

// block is an entry of a tar, as bytes.
func block(kind byte, name, text string) string {
	h := make([]byte, 512)
	copy(h, name)
	copy(h[100:], "0000644\x000000000\x000000000\x00")
	copy(h[124:], fmt.Sprintf("%011o\x0000000000000\x00        ", len(text)))
	h[156] = kind
	copy(h[257:], "ustar\x0000")
	sum := 0
	for _, c := range h {
		sum += int(c)
	}
	copy(h[148:], fmt.Sprintf("%06o\x00 ", sum))
	return string(h) + text + strings.Repeat("\x00", (512-len(text)%512)%512)
}

// drain reads an archive as an export of a gigabyte at most is read.
func drain(data string) error {
	store := NewStore(1<<30, 2)
	return Walk(strings.NewReader(data), Limits{Bytes: 16 << 30, Held: 1 << 30, Entries: 500_000}, Visitor{
		File: func(_ string, _ []byte, text io.Reader) error { _, err := io.Copy(store, text); return err },
		Link: func(string) {},
	})
}

func checkHostile(t testing.TB, a hostileArchive, err error) {
	t.Helper()
	if a.want == "" && err != nil || a.want != "" && (err == nil || !strings.Contains(err.Error(), a.want)) {
		t.Errorf("%s: %v, want %q", a.name, err, a.want)
	}
}

// TestHostileArchives: in a small size each ends as the large one, but for those that
// are too much only then.
func TestHostileArchives(t *testing.T) {
	for _, a := range hostileArchives {
		err := drain(a.make(1))
		if err == nil && (a.want == "times its size" || a.want == manyEntries) {
			continue
		}
		checkHostile(t, a, err)
	}
}
