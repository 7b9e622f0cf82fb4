package kafka

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestOutboxWithoutBrokers puts more than an outbox holds when the brokers are gone, in number or
// in bytes: that waits for them, but no longer than the grace.
func TestOutboxWithoutBrokers(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"many": 1, "large": 700 << 10} {
		t.Run(name, func(t *testing.T) {
			c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "runs", "out"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			ctx, cancel := context.WithCancel(t.Context())
			o, err := OpenOutbox(ctx, Address{c.ListenAddrs(), "runs"}, Security{}, 100*time.Millisecond, zerolog.Nop(),
				"out")
			if err != nil {
				t.Fatal(err)
			}
			defer o.Close()
			c.Close()
			value := make([]byte, size)
			waits, done := time.AfterFunc(time.Second, cancel), make(chan bool)
			go func() {
				defer close(done)
				for range 60000 {
					o.Put("out", "", value, nil)
				}
				if waits.Stop() {
					t.Error("it has room for all, or has lost some")
				}
				if err := o.Flush(context.Background()); !errors.Is(err, errGivenUp) {
					t.Error(err)
				}
			}()
			select {
			case <-done:
			case <-time.After(time.Minute):
				t.Fatal("it waits for brokers that never come")
			}
		})
	}
}

// A user without access to one of several topics learns which one it is, and the remedy.
func TestOutboxNotAllowed(t *testing.T) {
	c := newCluster(t, 1)
	c.ControlKey(int16(kmsg.Metadata), func(request kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		if asked := request.(*kmsg.MetadataRequest).Topics; len(asked) != 1 || *asked[0].Topic != "dead" {
			return nil, nil, false
		}
		resp := request.ResponseKind().(*kmsg.MetadataResponse)
		denied := kmsg.NewMetadataResponseTopic()
		denied.Topic, denied.ErrorCode = kmsg.StringPtr("dead"), kerr.TopicAuthorizationFailed.Code
		resp.Topics = append(resp.Topics, denied)
		return resp, nil, true
	})
	_, err := OpenOutbox(t.Context(), c.address(), Security{}, 0, zerolog.Nop(), "verdicts", "dead")
	checkWords(t, err, "topic dead: the topic is not allowed to this user: have the brokers allow it")
}

// TestOutboxRefusedLater has brokers refuse the login of connections that are made when the outbox
// is open.
func TestOutboxRefusedLater(t *testing.T) {
	t.Setenv(PasswordVariable, "secret")
	c := new(cluster)
	var mu sync.Mutex
	var conns []net.Conn
	c.wrap = func(conn net.Conn) net.Conn {
		mu.Lock()
		defer mu.Unlock()
		conns = append(conns, conn)
		return conn
	}
	c.start(t, 1, kfake.SeedTopics(1, "verdicts"), kfake.EnableSASL(), kfake.Superuser("PLAIN", "user", "secret"))
	var refused atomic.Bool
	c.ControlKey(int16(kmsg.SASLAuthenticate), func(request kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		if !refused.Load() {
			return nil, nil, false
		}
		answer := request.ResponseKind().(*kmsg.SASLAuthenticateResponse)
		answer.ErrorCode = kerr.SaslAuthenticationFailed.Code
		return answer, nil, true
	})
	o, err := OpenOutbox(t.Context(), c.address(), Security{SASL: "plain", User: "user", Insecure: true}, 0,
		zerolog.Nop(), "verdicts")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	o.Put("verdicts", "run", []byte("holds"), nil)
	if err := o.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	refused.Store(true)
	mu.Lock()
	for _, conn := range conns {
		conn.Close()
	}
	mu.Unlock()
	o.Put("verdicts", "run", []byte("violated"), nil)
	checkWords(t, o.Flush(t.Context()), "the brokers refuse user user")
}
