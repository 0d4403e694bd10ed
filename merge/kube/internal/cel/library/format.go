package library

import (
	"net/url"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"k8s.io/apimachinery/pkg/api/validate/content"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"threeway/merge/format"
)

// Format has the formats of names and of strings in schemas: format.named,
// format.dns1123Label and the like, and what validate says of a text.
func Format() cel.EnvOption {
	named := formats()
	lib := &library{name: "kubernetes.format", overloads: map[string][]cel.FunctionOpt{
		"validate": {method("format-validate", takes(apiservercel.FormatType, cel.StringType), cel.OptionalType(cel.ListType(cel.StringType)),
			cel.BinaryBinding(func(format, text ref.Val) ref.Val {
				f, isFormat := format.Value().(apiservercel.Format)
				s, isText := text.Value().(string)
				if !isFormat || !isText {
					return types.MaybeNoSuchOverloadErr(format)
				}
				wrong := f.ValidateFunc(s)
				if len(wrong) == 0 {
					return types.OptionalNone
				}
				return types.OptionalOf(types.NewStringList(types.DefaultTypeAdapter, wrong))
			}))},
		"format.named": {cel.Overload("format-named", takes(cel.StringType), cel.OptionalType(apiservercel.FormatType),
			cel.UnaryBinding(func(name ref.Val) ref.Val {
				text, ok := name.Value().(string)
				if !ok {
					return types.MaybeNoSuchOverloadErr(name)
				}
				if f, ok := named[text]; ok {
					return types.OptionalOf(f)
				}
				return types.OptionalNone
			}))},
	}}
	for name, f := range named {
		full := "format." + name
		lib.overloads[full] = []cel.FunctionOpt{cel.Overload(full, takes(), apiservercel.FormatType,
			cel.FunctionBinding(func(...ref.Val) ref.Val { return f }))}
	}
	return cel.Lib(lib)
}

// formats are those that expressions can name. The sizes are those of the
// regular expressions that upstream counts for the cost.
func formats() map[string]apiservercel.Format {
	formats := map[string]apiservercel.Format{}
	for _, f := range []struct {
		id, name string
		size     int
		wrong    func(string) []string
	}{
		{"dns1123Label", "DNS1123Label", 30, dns1123Label},
		{"dns1123Subdomain", "DNS1123Subdomain", 60, dns1123Subdomain},
		{"dns1035Label", "DNS1035Label", 30, dns1035Label},
		{"qualifiedName", "QualifiedName", 60, content.IsLabelKey},
		{"dns1123LabelPrefix", "DNS1123LabelPrefix", 30, prefix(dns1123Label)},
		{"dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", 60, prefix(dns1123Subdomain)},
		{"dns1035LabelPrefix", "DNS1035LabelPrefix", 30, prefix(dns1035Label)},
		{"labelValue", "LabelValue", 40, content.IsLabelValue},
		{"uri", "URI", 1103, uri},
		{"uuid", "uuid", 70, checked("uuid", "does not match the UUID format")},
		{"byte", "byte", 84, checked("byte", "invalid base64")},
		{"date", "date", 71, checked("date", "invalid date")},
		{"datetime", "datetime", 71, checked("datetime", "invalid datetime")},
	} {
		formats[f.id] = apiservercel.Format{Name: f.name, ValidateFunc: f.wrong, MaxRegexSize: f.size}
	}
	return formats
}

func checked(name, message string) func(string) []string {
	valid := format.Check(name)
	return func(s string) []string {
		if valid(s) {
			return nil
		}
		return []string{message}
	}
}

func uri(s string) []string {
	if _, err := url.ParseRequestURI(s); err != nil {
		return []string{err.Error()}
	}
	return nil
}

// prefix checks what a name may start with: it may end in a dash, in whose
// place a letter is put (maskTrailingDash in k8s.io/apimachinery/pkg/api/validation,
// which drops the character before it, too).
func prefix(check func(string) []string) func(string) []string {
	return func(s string) []string {
		if len(s) > 1 && strings.HasSuffix(s, "-") {
			s = s[:len(s)-2] + "a"
		}
		return check(s)
	}
}

func dns1123Label(s string) []string     { return inCharacters(content.IsDNS1123Label(s)) }
func dns1123Subdomain(s string) []string { return inCharacters(content.IsDNS1123Subdomain(s)) }

func dns1035Label(s string) []string {
	const form = "[a-z]([-a-z0-9]*[a-z0-9])?"
	var wrong []string
	if len(s) > content.DNS1123LabelMaxLength {
		wrong = append(wrong, content.MaxLenError(content.DNS1123LabelMaxLength))
	}
	if re, err := format.Pattern("^" + form + "$"); err != nil || !re.Regexp().MatchString(s) {
		wrong = append(wrong, content.RegexError("a DNS-1035 label must consist of lower case alphanumeric characters or '-', "+
			"start with an alphabetic character, and end with an alphanumeric character", form, "my-name", "abc-123"))
	}
	return inCharacters(wrong)
}

// inCharacters turns the length messages of package content into those of
// k8s.io/apimachinery/pkg/util/validation.
func inCharacters(wrong []string) []string {
	for i, text := range wrong {
		if strings.HasPrefix(text, "must be no more than ") {
			wrong[i] = strings.TrimSuffix(text, "bytes") + "characters"
		}
	}
	return wrong
}
