package kafka

import (
	"bytes"
	"errors"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"
)

// A broker that is away is a line, also if each attempt to reach it fails in words of its own.
func TestNetwork(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	n := newNetwork(zerolog.New(&out))
	now := time.Unix(1000, 0)
	failing := func(port int, reason error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Source: &net.TCPAddr{Port: port}, Err: reason}
	}
	says := func(want ...string) {
		t.Helper()
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) != len(want) {
			t.Fatalf("%d lines, not %d:\n%s", len(lines), len(want), out.String())
		}
		for i, w := range want {
			if !strings.Contains(lines[i], w) {
				t.Errorf("%s does not say %s", lines[i], w)
			}
		}
	}
	n.noteConnect("a:1", nil, now)
	if out.Len() > 0 || n.silent(now.Add(time.Hour)) != "" {
		t.Errorf("trouble without a reason: %s", out.String())
	}
	for i := range 5 {
		n.noteConnect("a:1", failing(4000+i, syscall.ECONNREFUSED), now.Add(time.Duration(i)*time.Second))
	}
	says(`"broker is away"`)
	n.noteConnect("a:1", failing(4005, syscall.ETIMEDOUT), now.Add(5*time.Second))
	n.noteConnect("b:1", failing(4006, syscall.ETIMEDOUT), now.Add(5*time.Second))
	says("connection refused", "timed out", `"b:1"`)
	if why := n.silent(now.Add(5 * time.Second)); !strings.Contains(why, "timed out") {
		t.Errorf("nobody answers: %q", why)
	}
	n.noteConnect("b:1", nil, now.Add(6*time.Second))
	n.noteConnect("a:1", failing(4007, syscall.ETIMEDOUT), now.Add(7*time.Second))
	if why := n.silent(now.Add(7 * time.Second)); why != "" {
		t.Errorf("one of two answers: %q", why)
	}
	n.noteConnect("a:1", nil, now.Add(10*time.Second))
	says("connection refused", "timed out", `"b:1"`, `"away_ms":1000,`, `"away_ms":10000,`)
}

func TestOutage(t *testing.T) {
	var it outage
	now := time.Unix(1000, 0)
	if _, was := it.noteSuccess(now); was {
		t.Error("over before it began")
	}
	one, other := errors.New("one"), errors.New("other")
	for i, step := range []struct {
		err error
		say bool
	}{{one, true}, {one, false}, {other, true}, {other, false}, {one, true}} {
		if say := it.noteFailure(step.err, now.Add(time.Duration(i)*time.Second)); say != step.say {
			t.Errorf("step %d: %v", i, say)
		}
	}
	if lasted, was := it.noteSuccess(now.Add(time.Minute)); !was || lasted != time.Minute {
		t.Errorf("over after %v, %v", lasted, was)
	}
	if !it.noteFailure(one, now) {
		t.Error("the same trouble as before is new")
	}
}
