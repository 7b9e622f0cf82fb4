package spec

import (
	"strings"
	"testing"
)

// A method that the model lacks, other arguments than it has, and a second operation of the same
// function are found before any run.
func TestOperationsOfModels(t *testing.T) {
	const first = "register\n operation R.Set(v)"
	for text, want := range map[string]string{
		"register\n operation R.Frob()":    `p.tl:2:12: a register has no method "Frob"`,
		"register\n operation R.Set(v, v)": "p.tl:2:12: Set of a register has 1 argument, not 2",
		"lock\n operation R.Lock(v)":       "p.tl:2:12: Lock of a lock has 0 arguments, not 1",
		first + "\n operation R.Set(7)":    "p.tl:3:12: R.Set is an operation of the property already",
		first + "\n operation Q.Set(v)":    "",

		"map\n operation C.Evict(k) as delete":                    "",
		"counter from 3\n operation C.Add(n) -> r as get_and_add": "",
	} {
		_, err := Parse("p.tl", "property p: linearizable "+text)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)):
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
