package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"github.com/antichain-go/antichain/internal/ctxreader"
	"github.com/antichain-go/antichain/tracer/event"
)

// Source is a source of producers.
type Source interface {
	// String is the user's word for it.
	String() string
	// Many reports whether there can be more than one producer.
	Many() bool

	// open does everything that can fail before anything is read.
	open(ctx context.Context) error
	// serve posts the events of the producers, and returns when no further event can come.
	serve(ctx context.Context, box *mailbox) error
	// close releases the resources of open. It may be called while serve runs.
	close()
}

// Options say how sources behave.
type Options struct {
	Stdin io.Reader // the meaning of the word -
	// UntilEOF makes a file end at its present end, and a source that listens when all producers so
	// far have disconnected.
	UntilEOF bool
	// FollowName makes a followed file the one that has the name: a file that replaces it, or its
	// new contents, are read next.
	FollowName bool
	// Note receives messages for the user about a source. It may be nil, and may be called on any
	// goroutine.
	Note func(text string)
	// Listening is called with the address of a source that listens, once it does.
	Listening func(address string)
}

func (o *Options) note(text string) {
	if o.Note != nil {
		o.Note(text)
	}
}

// Parse returns the source that a word means:
//
//   - standard input
//     unix:PATH               listens on a socket, which it makes
//     tcp:PORT                listens on the loopback interface
//     tcp:HOST:PORT           listens on that one
//     unix+connect:PATH       connects to a socket
//     tcp+connect:HOST:PORT   connects to a port
//     everything else         a file, which is followed as it grows
func Parse(word string, o Options) (Source, error) {
	scheme, rest, _ := strings.Cut(word, ":")
	switch {
	case word == "-":
		return &input{reader: o.Stdin}, nil
	case word == "":
		return nil, errors.New("the name of a source is empty: it is -, a file, unix:PATH or tcp:HOST:PORT")
	case scheme == "unix" && rest != "":
		return &listener{word: word, network: scheme, address: rest, options: o}, nil
	case scheme == "unix+connect" && rest != "":
		return &dialer{word: word, network: "unix", address: rest}, nil
	case scheme == "tcp":
		address, err := endpoint(word, rest)
		return &listener{word: word, network: scheme, address: address, options: o}, err
	case scheme == "tcp+connect":
		address, err := endpoint(word, rest)
		return &dialer{word: word, network: "tcp", address: address}, err
	case scheme == "unix" || scheme == "unix+connect":
		return nil, fmt.Errorf("%s names no socket: write %s:PATH", word, scheme)
	}
	return &file{path: word, options: o}, nil
}

// loopback is the default host of a source.
const loopback = "127.0.0.1"

// endpoint completes [HOST:]PORT.
func endpoint(word, hostPort string) (string, error) {
	if !strings.Contains(hostPort, ":") {
		hostPort = ":" + hostPort
	}
	host, port, err := net.SplitHostPort(hostPort)
	if err != nil || port == "" {
		scheme, _, _ := strings.Cut(word, ":")
		return "", fmt.Errorf("%s names no port: write %[2]s:PORT or %[2]s:HOST:PORT, an IPv6 address in brackets",
			word, scheme)
	}
	if host == "" {
		host = loopback
	}
	return net.JoinHostPort(host, port), nil
}

// Exposed reports whether the word is of a source that listens at an address that the user has
// given, which other machines may reach. Connections are not authenticated.
func Exposed(word string) bool {
	rest, ok := strings.CutPrefix(word, "tcp:")
	host, _, err := net.SplitHostPort(rest)
	return ok && err == nil && host != ""
}

// input is standard input.
type input struct{ reader io.Reader }

func (s *input) String() string             { return "-" }
func (s *input) open(context.Context) error { return nil }
func (s *input) close()                     {}
func (s *input) Many() bool                 { return false }

func (s *input) serve(ctx context.Context, box *mailbox) error {
	p := newProducer(ctx, "standard input", s)
	box.read(p, ctxreader.New(p.ctx, s.reader))
	return nil
}

// reader is a trace that the caller has opened.
type reader struct {
	name  string
	trace event.Reader
}

// FromReader returns a source with one producer, whose trace the reader reads, for programs that
// have their events elsewhere. When Serve needs no more it does not wait for a reader that waits.
func FromReader(name string, trace event.Reader) Source { return &reader{name, trace} }

func (s *reader) String() string             { return s.name }
func (s *reader) open(context.Context) error { return nil }
func (s *reader) close()                     {}
func (s *reader) Many() bool                 { return false }

func (s *reader) serve(ctx context.Context, box *mailbox) error {
	p := newProducer(ctx, s.name, s)
	go box.readFrom(p, func() (event.Reader, error) { return s.trace, nil })
	<-p.ctx.Done() // it has ended, or nothing more is wanted
	return nil
}

// dialer is a socket of another listener.
type dialer struct {
	word, network, address string
	conn                   net.Conn
}

func (s *dialer) String() string { return s.word }
func (s *dialer) Many() bool     { return false }
func (s *dialer) close()         { s.conn.Close() }

func (s *dialer) open(ctx context.Context) error {
	var d net.Dialer
	var err error
	if s.conn, err = d.DialContext(ctx, s.network, s.address); err != nil {
		return fmt.Errorf("%s: no peer can be reached: %w", s.word, err)
	}
	return nil
}

func (s *dialer) serve(ctx context.Context, box *mailbox) error {
	box.connection(newProducer(ctx, s.word, s), s.conn)
	return nil
}

// connection posts the events of a connection, and closes it.
func (b *mailbox) connection(p *producer, conn net.Conn) {
	defer conn.Close()
	context.AfterFunc(p.ctx, func() { conn.Close() })
	b.read(p, conn)
}

// isRegular reports whether a file is one that can grow.
func isRegular(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}
