package validation_test

import (
	"fmt"
	"strings"
	"testing"
)

// The texts are those of a kube-apiserver 1.36.3.
func TestSchedules(t *testing.T) {
	for schedule, want := range map[string]string{
		" ":                            "expected exactly 5 fields, found 0: []",
		"* * * *":                      "expected exactly 5 fields, found 4: [* * * *]",
		"* * * * * *":                  "expected exactly 5 fields, found 6: [* * * * * *]",
		"* * * * 7":                    "end of range (7) above maximum (6): 7",
		"* * * 13 *":                   "end of range (13) above maximum (12): 13",
		"* * * foo *":                  "failed to parse int from foo: strconv.Atoi: parsing \"foo\": invalid syntax",
		"* * * jan-mar sun":            "",
		"* * 0 * *":                    "beginning of range (0) below minimum (1): 0",
		"* 24 * * *":                   "end of range (24) above maximum (23): 24",
		"*-5 * * * *":                  "",
		"*/0 * * * *":                  "step of range should be a positive number: */0",
		"*/5 0 1 * *-2":                "",
		"*/5 0 1 * *1":                 "failed to parse int from *1: strconv.Atoi: parsing \"*1\": invalid syntax",
		"*/5 0 1 * *_ /B!":             "expected exactly 5 fields, found 6: [*/5 0 1 * *_ /B!]",
		"*/5 0 1 * *x":                 "failed to parse int from *x: strconv.Atoi: parsing \"*x\": invalid syntax",
		"-1 * * * *":                   "failed to parse int from : strconv.Atoi: parsing \"\": invalid syntax",
		"0 0 1 1 0 ":                   "",
		"1,2,x * * * *":                "failed to parse int from x: strconv.Atoi: parsing \"x\": invalid syntax",
		"1-2-3 * * * *":                "too many hyphens: 1-2-3",
		"1/-5 * * * *":                 "negative number (-5) not allowed: -5",
		"1/2/3 * * * *":                "too many slashes: 1/2/3",
		"5-1 * * * *":                  "beginning of range (5) beyond end of range (1): 5-1",
		"5/x * * * *":                  "failed to parse int from x: strconv.Atoi: parsing \"x\": invalid syntax",
		"60 * * * *":                   "end of range (60) above maximum (59): 60",
		"99999999999999999999 * * * *": "failed to parse int from 99999999999999999999: strconv.Atoi: parsing \"99999999999999999999\": value out of range",
		"? * ? * ?":                    "",
		"@daily":                       "",
		"@every 5m":                    "",
		"@every x":                     "failed to parse duration @every x: time: invalid duration \"x\"",
		"@foo":                         "unrecognized descriptor: @foo",
		"CRON_TZ=Europe/Foo * * * * *": "provided bad location Europe/Foo: unknown time zone Europe/Foo",
		"TZ=0":                         "invalid schedule format: runtime error: slice bounds out of range [:-1]",
		"a * * * *":                    "failed to parse int from a: strconv.Atoi: parsing \"a\": invalid syntax",
		"bad":                          "expected exactly 5 fields, found 1: [bad]",
	} {
		errs := validated(requestOf(t, cronJob, rejection{onCreate, fmt.Sprintf("spec: {schedule: %q}", schedule), nil}))
		got := ""
		if len(errs) > 0 && !strings.Contains(errs[0].Error(), "cannot use TZ") {
			got = errs[0].Error()
		}
		if want != "" {
			want = fmt.Sprintf("spec.schedule: Invalid value: %q: %s", schedule, want)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", schedule, got, want)
		}
	}
}
