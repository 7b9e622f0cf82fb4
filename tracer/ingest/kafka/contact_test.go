package kafka

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// A broker that closes connections for a moment, as one that starts does, is not one that refuses to serve.
func TestHangUps(t *testing.T) {
	refused := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	for _, tt := range []struct {
		name  string
		login bool
		errs  []error
		every time.Duration
		want  bool // of the last one
	}{
		{"once", false, []error{io.EOF}, 0, false},
		{"often, at once", false, []error{io.EOF, io.EOF, syscall.ECONNRESET, io.EOF, io.EOF}, 0, false},
		{"for long", false, []error{io.EOF, syscall.ECONNRESET, io.EOF, io.EOF}, time.Second, true},
		{"not quite for long", false, []error{io.EOF, io.EOF, io.EOF}, time.Second, false},
		{"away in between", false, []error{io.EOF, io.EOF, refused, io.EOF, io.EOF}, time.Second, false},
		{"two logins", true, []error{io.EOF, io.EOF}, 0, false},
		{"three logins", true, []error{io.EOF, io.EOF, io.EOF}, 0, true},
		{"logins, away in between", true, []error{io.EOF, io.EOF, refused, io.EOF}, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := &contact{}
			if tt.login {
				c.security.SASL = "plain"
			}
			var got bool
			for i, err := range tt.errs {
				if got = c.hangsUp(err, time.Unix(1000, 0).Add(time.Duration(i)*tt.every)); got && i < len(tt.errs)-1 {
					t.Errorf("after %d", i+1)
				}
			}
			if got != tt.want {
				t.Errorf("%v", got)
			}
		})
	}
}

// A client whose first connections are closed goes on when the broker serves.
func TestBrokerThatStarts(t *testing.T) {
	t.Parallel()
	c := new(cluster)
	c.wrap = func(conn net.Conn) net.Conn {
		if c.accepted.Load() <= 2 {
			return &cutConn{conn, 4, 0}
		}
		return conn
	}
	c.start(t, 1)
	if err := c.try(t, Security{}); err != nil {
		t.Error(err)
	}
	if n := c.accepted.Load(); n < 3 {
		t.Errorf("%d connections", n)
	}
}

// A client of brokers that have answered another one waits for them; one at an address at which nobody ever has gives up.
func TestLaterClientsWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		away := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
		back := time.Now().Add(3 * firstContact)
		ask := func(context.Context) error {
			if time.Now().Before(back) {
				return away
			}
			return nil
		}
		to := Address{[]string{"later.example:9092"}, topic}
		later := func() error {
			c := &contact{to: to}
			return c.waitForAnswer(t.Context(), c.patience(), ask)
		}
		var none *awayError
		if err := later(); !errors.As(err, &none) {
			t.Error(err)
		}
		first := &contact{to: to}
		defer known.Delete(first.key())
		first.answered(nil)
		if err := later(); err != nil || time.Now().Before(back) {
			t.Error(err)
		}
	})
}

// Brokers that have answered and go are waited for, longer than those that never have.
func TestBrokersThatRestart(t *testing.T) {
	t.Parallel()
	away := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	synctest.Test(t, func(t *testing.T) {
		back := time.Now().Add(3 * firstContact)
		err := insist(t.Context(), func() error {
			if time.Now().Before(back) {
				return away
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}

		ctx, cancel := context.WithTimeout(t.Context(), 3*firstContact)
		defer cancel()
		if err := insist(ctx, func() error { return away }); !errors.Is(err, syscall.ECONNREFUSED) || ctx.Err() == nil {
			t.Errorf("%v, before the context had ended: %v", err, ctx.Err() == nil)
		}

		other := errors.New("another reason")
		if err := insist(t.Context(), func() error { return other }); err != other {
			t.Error(err)
		}
	})
}
