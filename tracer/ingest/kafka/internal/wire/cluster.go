package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	kafka "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/sasl"
)

// Config locates a cluster, and says how to connect to it.
type Config struct {
	Brokers []string       // HOST:PORT, some of them; they report the others
	TLS     *tls.Config    // nil is none
	SASL    sasl.Mechanism // nil is none

	// Dial connects to a broker; nil is a net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Connected is called, by any goroutine, after each attempt to connect and log in to a broker.
	// Until the first success there is one login at a time. It returns whether to go on: brokers
	// lock out a user with repeated wrong passwords. nil goes on.
	Connected func(broker string, err error) (goOn bool)
	// Answered is called, by any goroutine, after each request that had a connection. It may be
	// nil.
	Answered func(key protocol.ApiKey, err error)
}

// Cluster has the connections to the brokers of a cluster. Each request has a deadline: a broker
// that does not answer blocks nothing.
type Cluster struct {
	config    Config
	transport *kafka.Transport
	end       context.CancelFunc

	first chan struct{} // full during a login while no connection has worked yet

	mu       sync.Mutex
	met      bool                                 // a connection has worked
	givenUp  bool                                 // no connection is to be tried any more
	versions map[string]map[protocol.ApiKey]int16 // of requests, by the address of the broker
}

// patience is how long a broker may take to answer, beyond the wait of the request.
const patience = 10 * time.Second

// Open returns a cluster that is not connected yet.
func Open(config Config) *Cluster {
	ctx, end := context.WithCancel(context.Background())
	if config.Dial == nil {
		config.Dial = new(net.Dialer).DialContext
	}
	c := &Cluster{config: config, end: end, first: make(chan struct{}, 1),
		versions: map[string]map[protocol.ApiKey]int16{}}
	c.transport = &kafka.Transport{
		Dial: c.dial,
		// it logs in to one broker after the other
		DialTimeout:    time.Duration(len(config.Brokers)+1) * connecting,
		MetadataTTL:    5 * time.Second,
		MetadataTopics: []string{}, // it asks for the brokers alone; nil is all topics
		ClientID:       clientID,
		Context:        ctx,
	}
	return c
}

// Close closes the connections. Requests in progress fail soon, and later ones at once.
func (c *Cluster) Close() {
	c.mu.Lock()
	c.givenUp = true
	c.mu.Unlock()
	c.end()
	c.transport.CloseIdleConnections()
}

func (c *Cluster) roundTrip(ctx context.Context, r kafka.Request, limit time.Duration) (kafka.Response, error) {
	limited, stop := context.WithTimeout(ctx, limit)
	defer stop()
	m, err := c.transport.RoundTrip(limited, bootstrap{}, r)
	if c.config.Answered != nil && ctx.Err() == nil && !errors.As(err, new(*ConnectError)) {
		c.config.Answered(r.ApiKey(), err)
	}
	return m, err
}

// The destinations of a request.

func (c *Cluster) toAny(ctx context.Context, r *request) (*answer, error) {
	return c.send(ctx, r, r, patience)
}

// toBroker sends a request to one broker. The answer may take wait longer than usual.
func (c *Cluster) toBroker(ctx context.Context, broker int32, r *request, wait time.Duration) (*answer, error) {
	return c.send(ctx, r, brokerRequest{r, broker}, patience+wait)
}

// toCoordinator sends a request to the coordinator of a group. The answer may take wait longer than
// usual.
func (c *Cluster) toCoordinator(ctx context.Context, group string, r *request, wait time.Duration) (*answer, error) {
	return c.send(ctx, r, groupRequest{r, group}, patience+wait)
}

func (c *Cluster) send(ctx context.Context, r *request, routed kafka.Request, limit time.Duration) (*answer, error) {
	r.versions = c.version
	m, err := c.roundTrip(ctx, routed, limit)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", r.key, err)
	}
	return m.(*answer), nil
}

// checkComplete returns an error if an answer has ended too early.
func (a *answer) checkComplete() error {
	if a.bad {
		return fmt.Errorf("the answer to %v is damaged", a.key)
	}
	return nil
}

// errorOf returns the error of an error code, nil for success.
func errorOf(code int16) error {
	if code == 0 {
		return nil
	}
	return kafka.Error(code)
}
