package custom_test

import (
	"net/mail"
	"strings"
	"testing"
)

func TestFormats(t *testing.T) {
	for format, values := range map[string]struct{ good, bad []string }{
		"bsonobjectid":   {[]string{"507f1f77bcf86cd799439011"}, []string{"507f1f77bcf86cd79943901", "z07f1f77bcf86cd799439011"}},
		"uri":            {[]string{"http://a.b/c", "/x", "a:b"}, []string{"x", "", "http://[::1"}},
		"email":          {[]string{"a@b", "Ann <a@b.c>", `"q r"@b.c`, "x@[1.2.3.4]", "Ann B. Cee <a@b> (hi)", "a@b (c)", "<a@b>"}, []string{"a..b@c", "a@", "@b", "a b@c", "x@[1.2.3]", "a@b, c@d", "a.@b", `""@b`, "a@b (c", "Ann a@b"}},
		"hostname":       {[]string{"a.b.com", "localhost", "ünï.de", "a-"}, []string{"a_b", "-a", "", strings.Repeat("a", 64), strings.Repeat("a.", 128) + "com"}},
		"ipv4":           {[]string{"1.2.3.4", "01.002.3.4", "::ffff:1.2.3.4"}, []string{"1.2.3", "::1", "256.1.1.1", "1..2.3"}},
		"ipv6":           {[]string{"::1", "::ffff:1.2.3.4", "2001:db8::"}, []string{"fe80::1%eth0", "1.2.3.4", "::ffff:01.2.3.4", "x:"}},
		"cidr":           {[]string{"10.0.0.0/8", "010.0.0.0/08", "::/0", "10.0.0.0/32", "::/128", "0.0.0.0/0"}, []string{"10.0.0/8", "10.0.0.0/33", "::/129", "10.0.0.0", "10.0.0.0/+8", "10.0.0.0/99999999999999999999"}},
		"mac":            {[]string{"00:00:5e:00:53:01", "00-00-5e-00-53-01", "0000.5e00.5301", "02:00:5e:10:00:00:00:01", "00005e005301"}, []string{"00:00:5e-00:53:01", "00:00:5e:00:53", "x"}},
		"uuid":           {[]string{"123e4567-e89b-12d3-a456-426614174000", "123E4567E89B42D3A456426614174000"}, []string{"zz"}},
		"uuid3":          {[]string{"123e4567-e89b-32d3-a456-426614174000"}, []string{"123e4567-e89b-12d3-a456-426614174000"}},
		"uuid4":          {[]string{"123e4567-e89b-42d3-a456-426614174000"}, []string{"123e4567-e89b-42d3-c456-426614174000"}},
		"uuid5":          {[]string{"123e4567-e89b-52d3-a456-426614174000"}, []string{"123e4567-e89b-42d3-a456-426614174000"}},
		"isbn":           {[]string{"0321751043", "978-0321751041", "043942089X"}, []string{"0321751044", "978-0321751042", "0439420890", "x"}},
		"isbn10":         {[]string{"0321751043"}, []string{"978-0321751041"}},
		"isbn13":         {[]string{"978-0321751041"}, []string{"0321751043"}},
		"creditcard":     {[]string{"4111 1111 1111 1111", "5555-5555-5555-4444", "378282246310005", "6011111111111117", "3530111333300000"}, []string{"4111111111111112", "5555555555554445", "9111111111111111", "x"}},
		"ssn":            {[]string{"123-45-6789", "123 45 6789"}, []string{"123456789"}},
		"hexcolor":       {[]string{"#fff", "abcdef"}, []string{"#ggg", "#ffff"}},
		"rgbcolor":       {[]string{"rgb(1, 2,255 )"}, []string{"rgb(1,2,300)", "rgb(1,2)", "rgb(1,2,256)"}},
		"byte":           {[]string{"YWJj", "YWI="}, []string{"a", "", "YWJj\n"}},
		"password":       {[]string{"", "any"}, nil},
		"date":           {[]string{"2020-01-02"}, []string{"2020-13-02"}},
		"date-time":      {[]string{"2020-01-02T03:04:05Z", "2020-01-02t03:04:05.123+01:00"}, []string{"2020-01-02 03:04:05Z", "2020-01-02T25:04:05Z", "2020-01-02T03:04:05", "x"}},
		"duration":       {[]string{"1h", "5 days", "3 weeks 2 hours", "1 hourglass", "5 MINUTES"}, []string{"x", "10", "2 fortnights", "99999999999999999999 days"}},
		"k8s-short-name": {[]string{"abc", strings.Repeat("a", 63)}, []string{"a.b", "Abc", "-a", strings.Repeat("a", 64)}},
		"k8s-long-name":  {[]string{"a.b", strings.Repeat("a.", 126) + "a"}, []string{"a..b", "A.b", strings.Repeat("a.", 127) + "a"}},
		"nonsense":       {[]string{"anything"}, nil},
	} {
		d := define(t, "type: object\nproperties: {spec: {type: string, format: "+format+"}}")
		valid := func(value string) bool {
			obj := gear(t, "")
			obj["spec"] = value
			return len(d.Create("v1", obj).Errors) == 0
		}
		for _, v := range values.good {
			if !valid(v) {
				t.Errorf("%q is no %s", v, format)
			}
		}
		for _, v := range values.bad {
			if valid(v) {
				t.Errorf("%q is a %s", v, format)
			}
		}
	}
}

// TestMailAddresses: the server reads mail addresses with net/mail.
func TestMailAddresses(t *testing.T) {
	d := define(t, "type: object\nproperties: {spec: {type: string, format: email}}")
	for _, v := range []string{
		`a@b`, ` a@b`, `a@b `, "\ta@b\t", `a @b`, `a@ b`, `a@b c`, `.a@b`, `a@.b`, `a@b.`, `a@b..c`, `a.b.c@d.e.f`, `ä@b`, `a@ü`, "a\x7f@b", "a\x00@b", `a@b@c`, `a@b;`, `a,b@c`, `a[@b`,
		`"a b"@c`, `"a\"b"@c`, `"a\\"@c`, `"a\"@c`, `"a`, `"a"`, `"a"@`, `"a"b@c`, `"a@b`, "\"a\tb\"@c", "\"a\x01\"@c", "\"a\x7f\"@c", `"\`, `""@c`, `"ä"@b`,
		`a@[1.2.3.4]`, `a@[::1]`, `a@[IPv6:::1]`, `a@[01.2.3.4]`, `a@[1.2.3.4`, `a@[x]`, `a@[1.2.3.4] (c)`, `a@[1.2.3.4]x`,
		`Ann <a@b>`, `Ann Bee <a@b>`, `"Ann" <a@b>`, `"Ann" Bee <a@b>`, `Ann "Bee" <a@b>`, `A. <a@b>`, `.A <a@b>`, `A..B <a@b>`, `<a@b>`, ` <a@b>`, `<a@b> x`, `<a@b`, `Ann a@b>`, `Ann <a>`, `Ann <a@b><c@d>`, `Ann <>`, `"" <a@b>`, `"Ann <a@b>`,
		`Ann (c) <a@b>`, `Ann (c) Bee <a@b>`, `Ann (c <a@b>`, `(c) Ann <a@b>`, `(c) a@b`, `a@b (c)`, `a@b (c) `, `a@b (c) (d)`, `a@b (c (d) e)`, `a@b (c (d)`, `a@b (c\) d)`, `a@b (c\)`, `a@b (\`, `a@b )`, `a@b (c) x`, `<a@b> (c)`, `<a@b> (c (d))`, `a@b ()`,
		``, ` `, `@`, `a`, `a@`, `@b`, `<>`, `()`,
	} {
		obj := gear(t, "")
		obj["spec"] = v
		_, err := mail.ParseAddress(v)
		if is := len(d.Create("v1", obj).Errors) == 0; is != (err == nil) {
			t.Errorf("%q: %v, and net/mail says %v", v, is, err)
		}
	}
}
