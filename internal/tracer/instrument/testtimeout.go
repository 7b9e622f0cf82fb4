package instrument

import (
	"fmt"
	"slices"
	"time"
)

// goTestTimeout is for how long go test lets the tests of a package run if nothing is said.
const goTestTimeout = 10 * time.Minute

// TestTimeout returns for how long go test lets the tests of a package run, with these flags behind the packages; 0 is for any time. known is
// false if it will refuse what is given.
func (b *Build) TestTimeout(rest []string) (limit time.Duration, known bool) {
	limit, known = goTestTimeout, true
	flags, _ := splitTestArgs(rest)
	for _, f := range slices.Concat(b.flags, parseGoFlags(flags)) {
		if f.isTimeout() {
			var err error
			limit, err = time.ParseDuration(f.value)
			known = err == nil
		}
	}
	return max(limit, 0), known
}

// WithTestTimeout returns flags behind the packages of go test that have another -timeout.
func WithTestTimeout(rest []string, limit time.Duration) []string {
	flags, args := splitTestArgs(rest)
	changed := []string{fmt.Sprintf("-timeout=%v", limit)} // behind those before the packages: the last one counts
	for _, f := range parseGoFlags(flags) {
		if !f.isTimeout() {
			changed = append(changed, f.words...)
		}
	}
	return append(changed, args...)
}

func (f goFlag) isTimeout() bool { return f.name == "timeout" || f.name == "test.timeout" }

// splitTestArgs separates the flags of go test from -args and what follows, which is for the test binary.
func splitTestArgs(rest []string) (flags, args []string) {
	i := slices.IndexFunc(rest, func(word string) bool { return word == "-args" || word == "--args" })
	if i < 0 {
		return rest, nil
	}
	return rest[:i], rest[i:]
}
