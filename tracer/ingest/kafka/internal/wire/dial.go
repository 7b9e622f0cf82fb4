package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	kafka "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/sasl"
)

// connecting is how long it may take to connect to a broker, with the handshake of TLS, and then to
// log in.
const connecting = 5 * time.Second

// ConnectError says that there is no connection to a broker, or that it has not accepted the
// client.
type ConnectError struct {
	Broker string // its address
	Err    error
}

func (e *ConnectError) Error() string { return "connecting to " + e.Broker + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *ConnectError) Unwrap() error { return e.Err }

// ErrImpostor is the error of a login to a broker that does not know the password.
var ErrImpostor = errors.New("the broker does not prove that it knows the password")

// dial connects to a broker, or to any, and logs in.
func (c *Cluster) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if address == (bootstrap{}).String() {
		return c.dialAny(ctx, network)
	}
	return c.dialBroker(ctx, network, address)
}

// dialBroker connects to a broker, and logs in. It reports the outcome to Config.Connected.
func (c *Cluster) dialBroker(ctx context.Context, network, address string) (net.Conn, error) {
	if !c.allowed() {
		return nil, &ConnectError{address, net.ErrClosed}
	}
	conn, err := c.handshake(ctx, network, address)
	if err == nil && !c.hasMet() {
		select {
		case c.first <- struct{}{}:
			defer func() { <-c.first }()
		case <-ctx.Done():
			err = ctx.Err()
		}
		if err == nil && !c.allowed() {
			_ = conn.Close()
			return nil, &ConnectError{address, net.ErrClosed}
		}
	}
	if err == nil {
		err = withDeadline(ctx, conn, func(ctx context.Context) error { return c.login(ctx, conn) })
	}
	c.report(ctx, address, err)
	if err == nil {
		return &screen{Conn: conn}, nil
	}
	if conn != nil {
		_ = conn.Close()
	}
	return nil, &ConnectError{address, err}
}

func (c *Cluster) hasMet() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.met
}

func (c *Cluster) allowed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.givenUp
}

// report reports the outcome of an attempt to connect, unless it was given up.
func (c *Cluster) report(ctx context.Context, broker string, err error) {
	goOn := c.config.Connected == nil || ctx.Err() != nil || c.config.Connected(broker, err)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.met = c.met || err == nil
	if !goOn {
		c.givenUp = true
		c.end()
	}
}

// handshake connects to a broker, and prepares the connection for the login.
func (c *Cluster) handshake(ctx context.Context, network, address string) (net.Conn, error) {
	limited, stop := context.WithTimeout(ctx, connecting)
	defer stop()
	raw, err := c.config.Dial(limited, network, address)
	if err != nil {
		return nil, err
	}
	conn := raw
	err = withDeadline(limited, raw, func(ctx context.Context) (err error) {
		if conn, err = c.secure(ctx, raw, address); err != nil {
			return err
		}
		versions, err := askVersions(conn)
		if err != nil {
			return err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.versions[address] = versions
		return nil
	})
	if err != nil {
		_ = raw.Close()
		return nil, err
	}
	return conn, nil
}

// withDeadline does something with a connection for as long as connecting, or until the context
// ends.
func withDeadline(ctx context.Context, conn net.Conn, do func(context.Context) error) error {
	limited, stop := context.WithTimeout(ctx, connecting)
	defer stop()
	undo := context.AfterFunc(limited, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	err := do(limited)
	if !undo() && err == nil {
		err = limited.Err()
	}
	return err
}

// secure returns an encrypted connection, if TLS is configured.
func (c *Cluster) secure(ctx context.Context, conn net.Conn, address string) (net.Conn, error) {
	if c.config.TLS == nil {
		return conn, nil
	}
	config := c.config.TLS.Clone()
	if config.ServerName == "" {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		config.ServerName = host
	}
	secured := tls.Client(conn, config)
	return secured, secured.HandshakeContext(ctx)
}

// exchange sends a request over a connection that is not shared yet.
func exchange(conn io.ReadWriter, r *request) (*answer, error) {
	m, err := r.RawExchange(conn)
	if err != nil {
		return nil, err
	}
	return m.(*answer), nil
}

// askVersions asks which versions of requests a broker takes, and returns the highest of each.
func askVersions(conn net.Conn) (map[protocol.ApiKey]int16, error) {
	a, err := exchange(conn, &request{key: protocol.ApiVersions})
	if err != nil {
		return nil, err
	}
	return parseVersions(a)
}

func parseVersions(a *answer) (map[protocol.ApiKey]int16, error) {
	if code := a.int16(); code != 0 {
		return nil, fmt.Errorf("asking for the versions of requests: %w", kafka.Error(code))
	}
	versions := map[protocol.ApiKey]int16{}
	for range a.elements() {
		key := protocol.ApiKey(a.int16())
		a.int16() // the lowest
		versions[key] = a.int16()
	}
	return versions, a.checkComplete()
}

// version returns the version of a request that all known brokers accept: they may be upgraded one
// by one.
func (c *Cluster) version(key protocol.ApiKey, highest int16) int16 {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, versions := range c.versions {
		highest = min(highest, versions[key])
	}
	return highest
}

// login logs in, if SASL is configured. Of a broker's answer only the error number is passed on,
// since its text may quote secrets.
func (c *Cluster) login(ctx context.Context, conn net.Conn) error {
	mechanism := c.config.SASL
	if mechanism == nil {
		return nil
	}
	name := func(e *encoder, _ int16) { e.string(mechanism.Name()) }
	a, err := exchange(conn, &request{key: protocol.SaslHandshake, maxVersion: 1, body: name})
	if err != nil {
		return err
	}
	if code := a.int16(); code != 0 {
		return kafka.Error(code)
	}
	session, say, err := mechanism.Start(ctx)
	if err != nil {
		return err
	}
	return converse(ctx, conn, session, say)
}

// converse exchanges the messages of a mechanism until it is done.
func converse(ctx context.Context, conn net.Conn, session sasl.StateMachine, say []byte) error {
	const most = 10 // of any mechanism
	for range most {
		words := func(e *encoder, _ int16) { e.bytes(say) }
		a, err := exchange(conn, &request{key: protocol.SaslAuthenticate, body: words})
		if err != nil {
			return err
		}
		code := a.int16()
		a.string()
		heard := a.bytes()
		if code != 0 {
			return kafka.Error(code)
		}
		if err := a.checkComplete(); err != nil {
			return err
		}
		var done bool
		if done, say, err = session.Next(ctx, heard); err != nil {
			return loginError(err)
		}
		if done {
			return nil
		}
	}
	return errors.New("the login does not end")
}

// loginError returns the meaning of an error of a mechanism. The error may quote secrets, and has
// no type.
func loginError(err error) error {
	switch text := err.Error(); {
	case strings.HasPrefix(text, "server error: "):
		return kafka.SASLAuthenticationFailed
	case text == "server validation failed":
		return ErrImpostor
	}
	return errors.New("the broker does not log in as the mechanism wants it")
}
