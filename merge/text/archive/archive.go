// Package archive reads the files in archives and compressed files: tar, zip,
// gzip and zstd, also nested. It recognizes them by their content. Nothing is
// written to disk, so that names and links in an archive are harmless, and the
// unpacked size is limited.
package archive

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"compress/gzip"
)

// Limits limit what one archive may unpack to.
type Limits struct {
	// Bytes limits the unpacked size with all nested archives. Held limits a
	// part that can only be read as a whole: a zip file in another archive.
	Bytes, Held int64
	// Entries limits the number of files, directories and links.
	Entries int
}

const (
	// maxDepth limits the nesting of archives: a .tar.gz in a .zip has three.
	maxDepth = 4
	// maxRatio limits the unpacked size as a multiple of the size bytes of the
	// archive, once it is more than ratioFrom. Exports are compressed to a
	// tenth or a fiftieth.
	maxRatio  = 500
	ratioFrom = 64 << 20
	// headSize is how many bytes of a file are needed to recognize it.
	headSize = 4 << 10
	// isEncrypted is a flag of an entry in a zip file (APPNOTE.TXT 4.4.4).
	isEncrypted = 1
)

// Visitor gets the files of an archive.
type Visitor struct {
	// File is called with each file in the archive's order. It need not read
	// all of the text. The name is a clean path with slashes that never leads
	// up; it is empty for the content of a compressed file itself. head is the
	// beginning of the text, and valid until text is read.
	File func(name string, head []byte, text io.Reader) error
	// Link is called with the name of each link, device, or other entry that is
	// neither file nor directory, and of sparse files.
	Link func(name string)
}

// Is reports whether a file that begins with head is an archive or is compressed.
func Is(head []byte) bool { return formatOf(head) != plain }

type format uint8

const (
	plain format = iota
	isGzip
	isZstd
	isZip
	isTar
)

func formatOf(head []byte) format {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b, 8}):
		return isGzip
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return isZstd
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return isZip
	case isTarHeader(head):
		return isTar
	}
	return plain
}

// isTarHeader checks the checksum of the first header (POSIX.1-1988, ustar), or
// whether the file begins with the two blocks of zeros that end an archive.
func isTarHeader(head []byte) bool {
	const size, sumAt, sumEnd = 512, 148, 156
	if len(head) < size {
		return false
	}
	if len(head) >= 2*size && len(bytes.Trim(head[:2*size], "\x00")) == 0 {
		return true
	}
	want, err := strconv.ParseInt(strings.Trim(string(head[sumAt:sumEnd]), " \x00"), 8, 64)
	sum := int64(' ' * (sumEnd - sumAt))
	for i, c := range head[:size] {
		if i < sumAt || i >= sumEnd {
			sum += int64(c)
		}
	}
	return err == nil && sum == want
}

// Walk calls v for the files of an archive, or of a compressed file.
func Walk(in io.Reader, limits Limits, v Visitor) error {
	w := &walker{limits: limits, visitor: v}
	source := &counter{in: in, count: &w.read}
	return w.file("", source, 0)
}

// walker goes through one archive.
type walker struct {
	limits  Limits
	visitor Visitor
	read    int64 // of the archive
	out     int64 // bytes unpacked in total
	entries int
}

// counter counts what is read.
type counter struct {
	in    io.Reader
	count *int64
	limit func() error // nil: none
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	*c.count += int64(n)
	if c.limit != nil {
		if over := c.limit(); over != nil {
			return 0, over
		}
	}
	return n, err
}

// unpacked counts the bytes of an unpacked stream.
func (w *walker) unpacked(in io.Reader) io.Reader {
	return &counter{in: in, count: &w.out, limit: func() error {
		switch {
		case w.out > w.limits.Bytes:
			return fmt.Errorf("the archive unpacks to more than %d MiB; unpack it and pass the directory, or raise THREEWAY_MAX_INPUT", w.limits.Bytes>>20)
		case w.out > ratioFrom && w.out/maxRatio > w.read:
			return fmt.Errorf("the archive unpacks to more than %d times its size, like one made to fill the memory; unpack it and pass the directory", maxRatio)
		}
		return nil
	}}
}

// entry counts an entry.
func (w *walker) entry() error {
	if w.entries++; w.entries > w.limits.Entries {
		return fmt.Errorf("the archive has more than %d entries; unpack what you need and pass the directory", w.limits.Entries)
	}
	return nil
}

// file reads one file, and its files if it is an archive.
func (w *walker) file(name string, in io.Reader, depth int) error {
	r := bufio.NewReaderSize(in, headSize)
	head, err := r.Peek(headSize)
	if err != nil && err != io.EOF {
		return err
	}
	kind := formatOf(head)
	if kind != plain && depth == maxDepth {
		return fmt.Errorf("%s is an archive inside %d others; unpack it and pass the directory", name, maxDepth)
	}
	switch kind {
	case isGzip:
		z, err := gzip.NewReader(r)
		if err != nil {
			return err
		}
		return w.file(stem(name), w.unpacked(z), depth+1)
	case isZstd:
		z, err := readZstd(r)
		if err != nil {
			return err
		}
		defer z.Close()
		return w.file(stem(name), w.unpacked(z), depth+1)
	case isTar:
		return w.tar(name, r, depth)
	case isZip:
		return w.zip(name, r, depth)
	}
	return w.visitor.File(name, head, r)
}

// stem returns the name of the file inside a compressed file.
func stem(name string) string {
	for _, ext := range []string{".gz", ".zst", ".zstd"} {
		if cut, ok := strings.CutSuffix(name, ext); ok {
			return cut
		}
	}
	if cut, ok := strings.CutSuffix(name, ".tgz"); ok {
		return cut + ".tar"
	}
	return name
}

// join returns the clean name of an entry in an archive.
func join(archive, name string) string {
	name = strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, "\\", "/")), "/")
	return path.Join(archive, name)
}

func (w *walker) tar(name string, in io.Reader, depth int) error {
	t := tar.NewReader(in)
	for {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = w.entry()
		}
		if err != nil {
			return err
		}
		switch {
		case h.Typeflag == tar.TypeReg && !isSparse(h):
			if err := w.file(join(name, h.Name), t, depth+1); err != nil {
				return err
			}
		case h.Typeflag == tar.TypeDir, h.Typeflag == tar.TypeXGlobalHeader:
		default:
			w.visitor.Link(join(name, h.Name))
		}
	}
}

// isSparse reports whether most of a file may be holes, which take no room in the
// archive.
func isSparse(h *tar.Header) bool {
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return false
}

// zip reads a zip file, which has its list of entries at the end.
func (w *walker) zip(name string, in io.Reader, depth int) error {
	data, err := io.ReadAll(io.LimitReader(in, w.limits.Held+1))
	if err != nil {
		return err
	}
	if int64(len(data)) > w.limits.Held {
		return fmt.Errorf("the zip file has more than %d MiB; unpack it and pass the directory, or raise THREEWAY_MAX_INPUT", w.limits.Held>>20)
	}
	if zipEntries(data) > w.limits.Entries {
		return fmt.Errorf("the archive has more than %d entries; unpack what you need and pass the directory", w.limits.Entries)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	for _, f := range z.File {
		if err := w.entry(); err != nil {
			return err
		}
		if f.FileInfo().IsDir() {
			continue
		}
		if !f.Mode().IsRegular() {
			w.visitor.Link(join(name, f.Name))
			continue
		}
		if f.Flags&isEncrypted != 0 {
			return fmt.Errorf("%s is encrypted; unpack the archive and pass the directory", join(name, f.Name))
		}
		r, err := f.Open()
		if err == nil {
			err = w.file(join(name, f.Name), w.unpacked(r), depth+1)
			err = errors.Join(err, r.Close())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// zipEntries returns how many entries a zip file claims to have. Listing them
// takes more memory than the file.
func zipEntries(data []byte) int {
	const directory = "PK\x01\x02"
	if at := bytes.LastIndex(data, []byte("PK\x05\x06")); at >= 0 && len(data)-at >= 12 {
		if n := binary.LittleEndian.Uint16(data[at+10:]); n != 0xffff {
			return int(n)
		}
	}
	return bytes.Count(data, []byte(directory))
}
