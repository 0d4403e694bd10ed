package command

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestAttacksAreAnswered: attacks.txtar tries each of the attacks that once worked, by its
// number, or names the tests that do.
func TestAttacksAreAnswered(t *testing.T) {
	text, err := os.ReadFile("testdata/script/attacks.txtar")
	if err != nil {
		t.Fatal(err)
	}
	script, _, _ := strings.Cut(string(text), "\n-- ")
	answered := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^# ((?:\d\d, )*\d\d): (.*)$`).FindAllStringSubmatchIndex(script, -1) {
		for _, number := range strings.Split(script[m[2]:m[3]], ", ") {
			answered[number] = true
		}
		tests := regexp.MustCompile(`[\w./-]+\.txtar|([\w./-]+_test\.go):(\w+)`).FindAllStringSubmatch(script[m[4]:m[5]], -1)
		for _, test := range tests {
			file, function := "testdata/script/"+test[0], "\n"
			if test[2] != "" {
				file, function = path.Join("..", test[1]), "\nfunc "+test[2]+"("
			}
			if source, err := os.ReadFile(file); err != nil || !strings.Contains(string(source), function) {
				t.Errorf("there is no %s: %v", test[0], err)
			}
		}
		if next := script[m[1]:]; len(tests) == 0 && !regexp.MustCompile(`^\n(#.*\n|cd .*\n)*exits \d threeway`).MatchString(next) {
			t.Errorf("nothing is run for %s", script[m[0]:m[1]])
		}
	}
	for n := range 26 {
		if number := fmt.Sprintf("%02d", n+1); !answered[number] {
			t.Errorf("attack %s is not answered", number)
		}
	}
}
