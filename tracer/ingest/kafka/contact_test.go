package kafka

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"
	client "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// A broker that closes connections for a moment, as one that starts does, is not one that refuses
// to serve.
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

// A broker that has not learned of a topic yet, whatever the request, is asked again; for a missing
// one the error has a remedy.
func TestTopicIsNotToldYet(t *testing.T) {
	t.Parallel()
	clients := map[string]func(context.Context, Address) error{
		"member": func(ctx context.Context, a Address) error {
			_, err := Join(ctx, GroupConfig{Address: a, Group: "g", Snapshots: "s", Log: zerolog.Nop()})
			return err
		},
		"reader": func(ctx context.Context, a Address) error {
			_, err := OpenReader(ctx, ReadConfig{Address: a, Log: zerolog.Nop()})
			return err
		},
		"producer": func(ctx context.Context, a Address) error {
			_, err := NewProducer(ctx, a, Security{}, Options{Patience: 5 * time.Second})
			return err
		},
	}
	for name, open := range clients {
		for first := range int64(4) { // question that is answered so, of several if it is 0
			t.Run(fmt.Sprint(name, " ", first), func(t *testing.T) {
				t.Parallel()
				c := newCluster(t, 1)
				var asked atomic.Int64
				c.ControlKey(int16(kmsg.Metadata), func(request kmsg.Request) (kmsg.Response, error, bool) {
					c.KeepControl()
					topics := request.(*kmsg.MetadataRequest).Topics
					// kafka-go asks with an older one
					if len(topics) != 1 || *topics[0].Topic != topic || request.GetVersion() < 9 {
						return nil, nil, false
					}
					if n := asked.Add(1); n != first && first > 0 {
						return nil, nil, false
					}
					unknown := kmsg.NewMetadataResponseTopic()
					unknown.Topic, unknown.ErrorCode = kmsg.StringPtr(topic), kerr.UnknownTopicOrPartition.Code
					response := request.ResponseKind().(*kmsg.MetadataResponse)
					response.Topics = append(response.Topics, unknown)
					return response, nil, true
				})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				err := open(ctx, c.address())
				if first == 0 {
					checkWords(t, err, "there is no such topic: create it")
				} else if err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// A client without time to ask for a topic again reports the answer.
func TestTopicIsMissing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &contact{to: Address{[]string{"any.example:9092"}, topic}}
		err := c.waitForAnswer(t.Context(), retryInterval/2,
			func(context.Context) error { return withTopic(topic, client.UnknownTopicOrPartition) })
		checkWords(t, err, "there is no such topic: create it")
	})
}

// A client of brokers that have answered another one waits for them; one at an address without any
// answer ever gives up.
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
		defer answeredAddresses.Delete(first.key())
		first.onAnswer(nil)
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
