package mask

import (
	"maps"
	"slices"
	"testing"
)

func TestPartsOf(t *testing.T) {
	for text, want := range map[string][]string{
		"postgres://u:p%40ssword@db/shop":                                        {"p%40ssword", "p@ssword"},
		"amqp://u:one123@a,amqp://v:two123@b":                                    {"one123", "two123"},
		"https://ghp16C7e42F292c6912E7@git.local":                                {"ghp16C7e42F292c6912E7"},
		"Server=db;Password=one two;User=x":                                      {"one two"},
		"Server=db;Pwd={one;two};User=x":                                         {"one;two"},
		"export A_TOKEN='one-one'\nLEVEL=info\n  \"password\": \"two-two\",\r\n": {"one-one", "two-two"},
		"host=db user=u password=one123 sslmode=require":                         {"one123"},
		`host=db password='one\'s two' user=u`:                                   {"one's two"},
		"PASS=one123":                                                            {"one123"},
		"pass : one123":                                                          {"one123"},
		`"one123 two"`:                                                           {"one123 two"},
		"'one123'\n":                                                             {"one123"},
		"u:one123":                                                               {"one123"},
		"u:one:123":                                                              {"one:123"},
		"u:one123@tcp(db:3306)/shop":                                             {"one123"},
		"scott/tiger123@db":                                                      {"tiger123"},
		"*:*:*:app:one123\n":                                                     {"one123"},
		"a:one123\nb:two123\n":                                                   {"one123", "two123"},
		"Bearer one123":                                                          {"one123"},
		"Authorization: Bearer one123\nX: y":                                     {"one123"},
		"authorization: basic dXNlcjpvbmUxMjM=":                                  {"one123"},
		"dXNlcjpvbmUxMjM=":                                                       {"one123"},
		`{"auths": {"r": {"auth": "dXNlcjpvbmUxMjM="}}}`:                         {"one123"},
		`{"url": "redis://:one123@r"}`:                                           {"one123"},
		"machine h login u password onlyletters":                                 {"onlyletters"},
		"machine h\n  login u\n  password\n  one123\n":                           {"one123"},
		"requirepass one123\n":                                                   {"one123"},
		"run --password one123 --user u":                                         {"one123"},
		"<server><password>one123&amp;</password></server>":                      {"one123&amp;", "one123&"},
		`<db user="u" password="one123"/>`:                                       {"one123"},
		`<add key="DbPassword" value="one123"/>`:                                 {"one123"},
		"- name: DB_PASSWORD\n  value: one123\n":                                 {"one123"},
		"'password' => 'one123',":                                                {"one123"},
		`"{\"password\":\"one123\"}"`:                                            {"one123"},
		"db:\n  password: |\n    one123\n":                                       {"one123"},
		"AccountName=a;AccountKey=b25lMQ==;Suffix=x":                             {"b25lMQ=="},
		"jdbc:mysql://h/d?user=u&password=one123&ssl=on":                         {"one123"},
	} {
		found := map[string]bool{}
		secretsIn(text, func(text string) { found[text] = true })
		for _, part := range want {
			if !found[part] {
				t.Errorf("%q has %q, found are %q", text, part, slices.Sorted(maps.Keys(found)))
			}
		}
	}
}

// TestPartsOfNothing: where there is no secret, no word counts as one.
func TestPartsOfNothing(t *testing.T) {
	for _, text := range []string{"a http://x/y@z b https://u@h", "password", "://:@", "=", ":", ">", "the password of this user expired", "name: x\nvalue: example"} {
		secretsIn(text, func(part string) {
			if part != text && distinctive(part) {
				t.Errorf("%q gives %q", text, part)
			}
		})
	}
}

// FuzzPartsOf: no text makes it fail.
func FuzzPartsOf(f *testing.F) {
	f.Add("password=\\\"a\\'\nname:key=pass>'")
	f.Fuzz(func(t *testing.T, text string) { partsOf(text, func(string) {}) })
}
