package wire

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Brokers of the address that accept connections and say nothing do not block the one that answers.
func TestStuckBrokers(t *testing.T) {
	t.Parallel()
	brokers, _ := fake(t, 1)
	var mu sync.Mutex
	stuck := map[string]bool{} // all but the address that is tried last, of three
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		mu.Lock()
		defer mu.Unlock()
		if _, known := stuck[address]; !known {
			stuck[address] = len(stuck) < 2
		}
		if stuck[address] {
			ours, theirs := net.Pipe()
			t.Cleanup(func() { _ = theirs.Close() })
			return ours, nil
		}
		return new(net.Dialer).DialContext(ctx, network, brokers.ListenAddrs()[0])
	}
	c := Open(Config{
		Brokers: []string{"a.example:9092", "b.example:9092", "c.example:9092"}, Dial: dial,
		Connected: func(broker string, err error) bool {
			if err != nil {
				t.Errorf("%s has been waited for: %v", broker, err)
			}
			return true
		},
	})
	defer c.Close()
	ask(t, c)
	mu.Lock()
	defer mu.Unlock()
	if len(stuck) < 3 {
		t.Errorf("only %v were asked", stuck)
	}
}

// However many brokers let a client in at once, it logs in to one after the other, and to none when
// one has refused it.
func TestOneLoginAtATime(t *testing.T) {
	t.Parallel()
	const several = 3
	brokers, _ := fake(t, 1, kfake.NumBrokers(several), kfake.EnableSASL(), kfake.Superuser("PLAIN", "alice", "right"))
	var greeted, logins atomic.Int32
	all := make(chan struct{})
	brokers.ControlKey(int16(kmsg.ApiVersions), func(kmsg.Request) (kmsg.Response, error, bool) {
		brokers.KeepControl()
		if greeted.Add(1) == several {
			close(all)
		}
		return nil, nil, false
	})
	brokers.ControlKey(int16(kmsg.SASLHandshake), func(request kmsg.Request) (kmsg.Response, error, bool) {
		brokers.KeepControl()
		logins.Add(1)
		brokers.SleepControl(func() { <-all })
		response := request.ResponseKind().(*kmsg.SASLHandshakeResponse)
		response.ErrorCode = kerr.UnsupportedSaslMechanism.Code
		return response, nil, true
	})
	var told atomic.Int32
	c := Open(Config{
		Brokers: brokers.ListenAddrs(), SASL: plain.Mechanism{Username: "alice", Password: "right"},
		Connected: func(string, error) bool {
			told.Add(1)
			return false
		},
	})
	defer c.Close()
	if _, err := c.Metadata(t.Context(), topic); err == nil {
		t.Error("a broker answers that has refused the login")
	}
	if greeted.Load() < several || logins.Load() != 1 || told.Load() != 1 {
		t.Errorf("%d connections, %d logins, told of %d attempts", greeted.Load(), logins.Load(), told.Load())
	}
}
