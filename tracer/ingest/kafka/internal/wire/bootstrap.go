package wire

import (
	"context"
	"math/rand/v2"
	"net"
	"time"
)

// bootstrap is the address of all brokers of a Config, for requests that any broker can answer.
type bootstrap struct{}

func (bootstrap) Network() string { return "tcp" }

// unlike any broker's, since the port is missing
func (bootstrap) String() string { return "bootstrap" }

// headStart is how long a broker may take to accept the client before another one is tried, too
// (RFC 8305, §5).
const headStart = 250 * time.Millisecond

// dialAny connects to the broker of the Config that accepts the client first. It tries them one
// after the other, in a new order each time; a broker that does not answer does not delay the
// others.
func (c *Cluster) dialAny(ctx context.Context, network string) (net.Conn, error) {
	racing, stop := context.WithCancel(ctx)
	defer stop()
	results := make(chan dialed)
	next := time.NewTimer(0)
	defer next.Stop()
	var err error
	order := rand.Perm(len(c.config.Brokers))
	for waiting := len(order); waiting > 0; {
		select {
		case <-next.C:
			if len(order) == 0 {
				continue
			}
			go c.race(racing, network, c.config.Brokers[order[0]], results)
			order = order[1:]
			next.Reset(headStart)
		case r := <-results:
			if r.err == nil {
				return r.conn, nil
			}
			err = r.err
			waiting--
			next.Reset(0)
		}
	}
	return nil, err
}

// dialed is a connection, or the error instead.
type dialed struct {
	conn net.Conn
	err  error
}

// race connects to a broker. If the context ends before the connection is received, it is closed.
func (c *Cluster) race(ctx context.Context, network, address string, results chan<- dialed) {
	conn, err := c.dialBroker(ctx, network, address)
	select {
	case results <- dialed{conn, err}:
	case <-ctx.Done():
		if conn != nil {
			_ = conn.Close()
		}
	}
}
