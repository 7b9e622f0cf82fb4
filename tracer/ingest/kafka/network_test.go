package kafka

import (
	"bytes"
	"context"
	"errors"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kgo"
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
	n.connected("a:1", nil, now)
	for _, ours := range []error{context.Canceled, net.ErrClosed, kgo.ErrClientClosed} {
		n.OnBrokerConnect(kgo.BrokerMetadata{Host: "a", Port: 1}, 0, nil, ours)
	}
	if out.Len() > 0 || n.silent(now.Add(time.Hour)) != "" {
		t.Errorf("trouble without a reason: %s", out.String())
	}
	for i := range 5 {
		n.connected("a:1", failing(4000+i, syscall.ECONNREFUSED), now.Add(time.Duration(i)*time.Second))
	}
	says(`"broker is away"`)
	n.connected("a:1", failing(4005, syscall.ETIMEDOUT), now.Add(5*time.Second))
	n.connected("b:1", failing(4006, syscall.ETIMEDOUT), now.Add(5*time.Second))
	says("connection refused", "timed out", `"b:1"`)
	if why := n.silent(now.Add(5 * time.Second)); !strings.Contains(why, "timed out") {
		t.Errorf("nobody answers: %q", why)
	}
	n.connected("b:1", nil, now.Add(6*time.Second))
	n.connected("a:1", failing(4007, syscall.ETIMEDOUT), now.Add(7*time.Second))
	if why := n.silent(now.Add(7 * time.Second)); why != "" {
		t.Errorf("one of two answers: %q", why)
	}
	n.connected("a:1", nil, now.Add(10*time.Second))
	says("connection refused", "timed out", `"b:1"`, `"away_ms":1000,`, `"away_ms":10000,`)
}

func TestOutage(t *testing.T) {
	var it outage
	now := time.Unix(1000, 0)
	if _, was := it.over(now); was {
		t.Error("over before it began")
	}
	one, other := errors.New("one"), errors.New("other")
	for i, step := range []struct {
		err error
		say bool
	}{{one, true}, {one, false}, {other, true}, {other, false}, {one, true}} {
		if say := it.is(step.err, now.Add(time.Duration(i)*time.Second)); say != step.say {
			t.Errorf("step %d: %v", i, say)
		}
	}
	if lasted, was := it.over(now.Add(time.Minute)); !was || lasted != time.Minute {
		t.Errorf("over after %v, %v", lasted, was)
	}
	if !it.is(one, now) {
		t.Error("the same trouble as before is new")
	}
}

// The client says the same thing once a minute, and its details at lower levels.
func TestClientLog(t *testing.T) {
	var out bytes.Buffer
	l := &clientLog{log: zerolog.New(&out).Level(zerolog.InfoLevel), said: map[string]time.Time{}}
	if l.Level() != kgo.LogLevelWarn {
		t.Errorf("the client is asked for level %v", l.Level())
	}
	for range 3 {
		l.Log(kgo.LogLevelWarn, "join group failed", "group", "g", "err", errors.New(strings.Repeat("x", 1000)))
		l.Log(kgo.LogLevelWarn, saidElsewhere[0], "addr", "a:1")
		l.Log(kgo.LogLevelInfo, "beginning")
	}
	if text := out.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, `"group":"g"`) || len(text) > 500 {
		t.Errorf("logged %s", text)
	}
	now := time.Unix(1000, 0)
	if !l.news("m", now) || l.news("m", now.Add(59*time.Second)) || !l.news("m", now.Add(time.Minute)) {
		t.Error("not once a minute")
	}
	silent := &clientLog{log: zerolog.Nop()}
	if silent.Level() != kgo.LogLevelNone {
		t.Errorf("a log that is off asks for level %v", silent.Level())
	}
}
