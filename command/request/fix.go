package request

import "fmt"

// Fix is the value of --fix: what is done about findings that need no judgment.
type Fix string

// The values of --fix, besides "" for nothing.
const (
	FixFiles Fix = "true" // --fix alone
	FixDiff  Fix = "diff"
)

// Set reads the value.
func (f *Fix) Set(value string) error {
	switch Fix(value) {
	case FixFiles, FixDiff:
		*f = Fix(value)
	case "false":
		*f = ""
	default:
		return fmt.Errorf("use --fix to repair the files, or --fix=%s to print how", FixDiff)
	}
	return nil
}

// String is the value.
func (f *Fix) String() string { return string(*f) }

// IsBoolFlag lets --fix stand alone.
func (f *Fix) IsBoolFlag() bool { return true }

func (v *Resolver) fix() Fix {
	if f, ok := v.Generic("fix").(*Fix); ok {
		return *f
	}
	return ""
}
