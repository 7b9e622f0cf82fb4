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
	"github.com/segmentio/kafka-go/protocol/joingroup"
	"github.com/segmentio/kafka-go/sasl"
)

// Config says where a cluster is, and how to connect to it.
type Config struct {
	Brokers []string       // HOST:PORT, some of them; the others are learned
	Topics  []string       // those that the Client of the Cluster is asked about
	TLS     *tls.Config    // nil is none
	SASL    sasl.Mechanism // nil is none

	// Dial connects to a broker; nil is a net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Connected is called, by any goroutine, behind each attempt to connect and log in to a broker, one attempt at a time before
	// the first that works. It returns whether to go on: brokers lock out who tries a wrong password again and again. nil goes on.
	Connected func(broker string, err error) (goOn bool)
	// Answered is called, by any goroutine, behind each request for which there was a connection. nil is nobody.
	Answered func(key protocol.ApiKey, err error)
}

// Cluster are the connections to the brokers of a cluster. Each request has a deadline: brokers that do not answer hang nothing.
type Cluster struct {
	// Client is kafka-go's, over these connections, for what this package does not have. It knows the topics of the Config.
	Client *kafka.Client

	config    Config
	address   net.Addr // of all brokers of the Config
	transport *kafka.Transport
	end       context.CancelFunc

	first sync.Mutex // held while a connection is tried and none has worked yet

	mu       sync.Mutex
	met      bool                                 // a connection has worked
	refused  bool                                 // none is to be tried any more
	versions map[string]map[protocol.ApiKey]int16 // of requests, by the address of the broker
}

// patience is how long a broker may take to answer, beyond what it was told to wait.
const patience = 10 * time.Second

// Open returns a cluster, to which it has not connected yet.
func Open(config Config) *Cluster {
	ctx, end := context.WithCancel(context.Background())
	if config.Dial == nil {
		config.Dial = new(net.Dialer).DialContext
	}
	c := &Cluster{config: config, address: kafka.TCP(config.Brokers...), end: end, versions: map[string]map[protocol.ApiKey]int16{}}
	c.transport = &kafka.Transport{
		Dial:           c.dial,
		DialTimeout:    time.Duration(len(config.Brokers)+1) * connecting, // it tries one broker after the other
		MetadataTTL:    5 * time.Second,
		MetadataTopics: append([]string{}, config.Topics...), // nil is all
		ClientID:       clientID,
		Context:        ctx,
	}
	c.Client = &kafka.Client{Addr: c.address, Transport: c}
	return c
}

// Close closes the connections. Requests that are under way fail soon.
func (c *Cluster) Close() {
	c.end()
	c.transport.CloseIdleConnections()
}

// RoundTrip implements kafka.RoundTripper.
func (c *Cluster) RoundTrip(ctx context.Context, address net.Addr, r kafka.Request) (kafka.Response, error) {
	return c.roundTrip(ctx, r, patience+waits(r))
}

// waits returns how long a broker may be told to wait by a request.
func waits(r kafka.Request) time.Duration {
	if join, ok := r.(*joingroup.Request); ok {
		return time.Duration(join.RebalanceTimeoutMS) * time.Millisecond
	}
	return 0
}

func (c *Cluster) roundTrip(ctx context.Context, r kafka.Request, limit time.Duration) (kafka.Response, error) {
	limited, stop := context.WithTimeout(ctx, limit)
	defer stop()
	m, err := c.transport.RoundTrip(limited, c.address, r)
	if c.config.Answered != nil && ctx.Err() == nil && !errors.As(err, new(*ConnectError)) {
		c.config.Answered(r.ApiKey(), err)
	}
	return m, err
}

// The ways of a request.

func (c *Cluster) toAny(ctx context.Context, r *request) (*answer, error) {
	return c.send(ctx, r, r, 0)
}

// toBroker sends a request to a certain broker, which may take a while for it.
func (c *Cluster) toBroker(ctx context.Context, broker int32, r *request, wait time.Duration) (*answer, error) {
	return c.send(ctx, r, brokerRequest{r, broker}, wait)
}

func (c *Cluster) toCoordinator(ctx context.Context, group string, r *request) (*answer, error) {
	return c.send(ctx, r, groupRequest{r, group}, 0)
}

func (c *Cluster) send(ctx context.Context, r *request, routed kafka.Request, wait time.Duration) (*answer, error) {
	r.versions = c.version
	m, err := c.roundTrip(ctx, routed, patience+wait)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", r.key, err)
	}
	return m.(*answer), nil
}

// whole reports, as an error, that an answer has ended too early.
func (a *answer) whole() error {
	if a.bad {
		return fmt.Errorf("the answer to %v is damaged", a.key)
	}
	return nil
}

// errorOf returns what an error code says, nil for that of success.
func errorOf(code int16) error {
	if code == 0 {
		return nil
	}
	return kafka.Error(code)
}
