package stream

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// maxConnections bounds the connections of a source, and so the memory of their readers. Further
// peers wait.
const maxConnections = 1024

// listener is a socket that producers connect to.
type listener struct {
	word, network, address string
	options                Options
	socket                 net.Listener
}

func (s *listener) String() string { return s.word }
func (s *listener) Many() bool     { return true }
func (s *listener) close()         { s.socket.Close() } // removes a Unix socket, too

func (s *listener) open(ctx context.Context) error {
	var config net.ListenConfig
	if s.network == "unix" {
		if err := removeStale(s.address); err != nil {
			return err
		}
		config.Control = ownOnly
	}
	network := s.network
	if host, _, err := net.SplitHostPort(s.address); s.network == "tcp" && err == nil &&
		net.ParseIP(host).To4() != nil {
		network = "tcp4" // "tcp" would take 0.0.0.0 for all addresses of IPv6, too
	}
	var err error
	if s.socket, err = config.Listen(ctx, network, s.address); err != nil {
		return fmt.Errorf("%s: %w", s.word, err)
	}
	address := s.network + ":" + s.address
	if s.network == "tcp" {
		address = "tcp:" + s.socket.Addr().String()
	} else if err := os.Chmod(s.address, 0o600); err != nil {
		s.socket.Close()
		return err
	}
	if s.options.Listening != nil {
		s.options.Listening(address)
	}
	return nil
}

// removeStale removes a socket without a listener.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSocket == 0:
		return fmt.Errorf("%s exists and is not a socket: choose another name", path)
	}
	conn, err := net.Dial("unix", path)
	switch {
	case err == nil:
		conn.Close()
		return fmt.Errorf("another process listens on %s: choose another name, or end that process", path)
	case errors.Is(err, syscall.ECONNREFUSED):
		return os.Remove(path)
	}
	return err
}

// acceptAgain is the time that a source waits when the system has no room for a connection.
const acceptAgain = 100 * time.Millisecond

func (s *listener) serve(ctx context.Context, box *mailbox) error {
	var connections sync.WaitGroup
	defer connections.Wait()
	var open atomic.Int32
	room := make(chan struct{}, maxConnections)
	for n := 1; ; n++ {
		select {
		case room <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		conn, err := s.accept(ctx)
		if err != nil {
			return nil
		}
		open.Add(1)
		connections.Go(func() {
			box.connection(newProducer(ctx, fmt.Sprintf("%s#%d", s.word, n), s), conn)
			<-room
			if open.Add(-1) == 0 && s.options.UntilEOF {
				s.socket.Close()
			}
		})
	}
}

// accept returns the next connection, or an error when the socket is closed.
func (s *listener) accept(ctx context.Context) (net.Conn, error) {
	for {
		conn, err := s.socket.Accept()
		if err == nil || errors.Is(err, net.ErrClosed) {
			return conn, err
		}
		select { // no file descriptors are left, or the peer has already disconnected
		case <-ctx.Done():
			return nil, err
		case <-time.After(acceptAgain):
		}
	}
}
