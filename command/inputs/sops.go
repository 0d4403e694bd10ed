package inputs

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/manifest/sops"
	"threeway/merge/mask"
	"threeway/merge/text/phrase"
	"threeway/merge/text/shell"
)

// Decrypt runs sops over the files of -f that it has encrypted, and reads what it
// prints instead of them. The fields that were encrypted are masked from then on.
func Decrypt(ctx context.Context, r *request.Inputs, stderr io.Writer) error {
	if !r.SOPS {
		return nil
	}
	switch {
	case r.Fixes:
		return fmt.Errorf("--fix would write decrypted values to the files: remove --sops")
	case len(r.Base) > 0:
		return fmt.Errorf("--sops decrypts the manifests, not --base: remove --sops, and encrypted values count as equal")
	}
	files, err := manifest.Load(manifest.Options{Paths: slices.DeleteFunc(slices.Clone(r.Files), onceReadable), Recursive: r.Recursive, Except: system.WithinAny(r.NotManifests), Limits: r.Limits})
	if err != nil {
		return nil // reading the manifests says why
	}
	files = slices.DeleteFunc(files, func(f manifest.File) bool { return !bytes.Contains(f.Data, []byte("ENC[AES256_GCM,")) })
	if len(files) == 0 {
		return nil
	}
	program, err := system.Which("sops")
	if err != nil {
		return fmt.Errorf("--sops needs the program sops, and it is not on the PATH; without --sops, the values of %s are unknown and count as equal", files[0].Name)
	}
	plain := map[string][]byte{}
	for _, f := range files {
		text, err := sopsDecrypted(ctx, program, f, stderr)
		if err != nil {
			return err
		}
		plain[f.Name] = text
		r.Decrypted = append(r.Decrypted, encryptedFields(f, text, r.Limits)...)
	}
	r.Instead = func(file string) ([]byte, bool) { text, ok := plain[file]; return text, ok }
	if !r.Quiet {
		fmt.Fprintf(stderr, "note: decrypted with sops: %s\n", phrase.Few(names(files)))
	}
	return nil
}

// onceReadable reports whether a value of -f is standard input or a pipe.
func onceReadable(path string) bool {
	info, err := os.Stat(path)
	return path == "-" || err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

func names(files []manifest.File) (list []string) {
	for _, f := range files {
		list = append(list, f.Name)
	}
	return list
}

// sopsDecrypted is what the program decrypts a file to. Encrypted values are longer than
// plain ones, so that little more than the file can come out of it.
func sopsDecrypted(ctx context.Context, program string, encrypted manifest.File, stderr io.Writer) ([]byte, error) {
	file, most := encrypted.Name, 2*int64(len(encrypted.Data))+1<<20
	if strings.HasPrefix(file, "-") {
		file = "./" + file
	}
	plain, more, ended, err := printedBy(ctx, nil, stderr, most, system.Program{Path: program, Args: []string{"decrypt", file}})
	switch {
	case err != nil:
		return nil, err
	case more:
		return nil, fmt.Errorf("'%s' printed more than the file can contain; run it by itself to see what, or remove --sops", shell.Line("sops decrypt", shell.Path(file)))
	case ended != nil:
		return nil, fmt.Errorf("'%s' failed: %v; correct that, or remove --sops: then encrypted values are unknown and count as equal", shell.Line("sops decrypt", shell.Path(file)), ended)
	}
	return plain, nil
}

// encryptedFields are the fields to mask because a file has them encrypted: all
// fields of an object that is another one in the encrypted file.
func encryptedFields(file manifest.File, plain []byte, limits manifest.Limits) (list []mask.Kind) {
	read := func(text []byte) []*manifest.Object {
		return manifest.ReadFiles([]manifest.File{{Name: file.Name, Data: text}}, limits).Objects
	}
	before, after := read(file.Data), read(plain)
	for i, o := range after {
		kind := o.Kind.GroupKind()
		if len(before) != len(after) || before[i].ID() != o.ID() {
			metadata := []fieldpath.Path{fieldpath.New("metadata", "annotations"), fieldpath.New("metadata", "labels")}
			list = append(list, mask.Kind{Name: kind}, mask.Kind{Name: kind, Fields: metadata})
		} else if fields := sops.Encrypted(before[i].Tree); fields != nil {
			list = append(list, mask.Kind{Name: kind, Fields: fields})
		}
	}
	return list
}
