package instrument

import (
	"slices"
	"testing"
	"time"
)

// The last -timeout counts, wherever it stands, but for those of the test binary.
func TestTestTimeout(t *testing.T) {
	for _, tt := range []struct {
		before, behind []string
		want           time.Duration
		known          bool
	}{
		{nil, nil, 10 * time.Minute, true},
		{[]string{"-timeout=30s"}, nil, 30 * time.Second, true},
		{[]string{"-test.timeout", "30s", "-v"}, nil, 30 * time.Second, true},
		{[]string{"-timeout=30s"}, []string{"-v", "--timeout", "1m"}, time.Minute, true},
		{[]string{"-timeout=30s"}, []string{"-args", "-timeout=1m"}, 30 * time.Second, true},
		{[]string{"-timeout=0"}, nil, 0, true},
		{[]string{"-timeout=-1s"}, nil, 0, true},
		{[]string{"-timeout=long"}, nil, 0, false},
		{[]string{"-run", "-timeout=1s"}, nil, 10 * time.Minute, true},
	} {
		b := &Build{flags: parseGoFlags(tt.before)}
		if got, known := b.TestTimeout(tt.behind); got != tt.want || known != tt.known {
			t.Errorf("%q, %q: %v, %v", tt.before, tt.behind, got, known)
		}
	}
}

func TestWithTestTimeout(t *testing.T) {
	for _, tt := range []struct{ rest, want []string }{
		{nil, []string{"-timeout=1h0m0s"}},
		{[]string{"-v", "-timeout", "2s", "-run", "X", "-args", "-timeout=1s"},
			[]string{"-timeout=1h0m0s", "-v", "-run", "X", "-args", "-timeout=1s"}},
		{[]string{"-own", "value", "-test.timeout=2s"}, []string{"-timeout=1h0m0s", "-own", "value"}},
	} {
		if got := WithTestTimeout(tt.rest, time.Hour); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.rest, got, tt.want)
		}
	}
}
