package instrument

import (
	"fmt"
	"slices"
	"time"
)

const goTestTimeout = 10 * time.Minute

// TestTimeout returns the time limit that go test applies to the tests of a package, with these
// flags after the packages; 0 is no limit. known is false if go test will reject the flags.
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

// WithTestTimeout returns flags for go test, after the packages, with another -timeout.
func WithTestTimeout(rest []string, limit time.Duration) []string {
	flags, args := splitTestArgs(rest)
	// after those before the packages, since the last one counts
	changed := []string{fmt.Sprintf("-timeout=%v", limit)}
	for _, f := range parseGoFlags(flags) {
		if !f.isTimeout() {
			changed = append(changed, f.words...)
		}
	}
	return append(changed, args...)
}

func (f goFlag) isTimeout() bool { return f.name == "timeout" || f.name == "test.timeout" }

// splitTestArgs separates the flags of go test from -args and the arguments after it, which are for
// the test binary.
func splitTestArgs(rest []string) (flags, args []string) {
	i := slices.IndexFunc(rest, func(word string) bool { return word == "-args" || word == "--args" })
	if i < 0 {
		return rest, nil
	}
	return rest[:i], rest[i:]
}
