// Package rapidtest is for tests whose random cases must include each kind of them.
package rapidtest

import (
	"flag"
	"testing"

	"pgregory.net/rapid"
)

// CheckUntil checks a property like rapid.Check, and again with other cases until enough reports
// that they were of each kind, 50 times at most. Even a short test, of 20 cases a time, misses a
// kind that makes up one case in 50 less than once in a million runs.
//
// With -rapid.seed it checks once: all times would have the same cases.
func CheckUntil(t *testing.T, enough func() bool, property func(*rapid.T)) {
	t.Helper()
	for range times() {
		rapid.Check(t, property)
		if enough() {
			return
		}
	}
}

func times() int {
	if seed := flag.Lookup("rapid.seed"); seed.Value.String() != seed.DefValue {
		return 1
	}
	return 50
}
