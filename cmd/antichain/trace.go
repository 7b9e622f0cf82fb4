package main

import (
	"errors"
	"io"
	"os"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// stdinName is how standard input is called in messages.
const stdinName = "standard input"

// openTrace opens a trace file, or standard input for "-". The name is for messages.
func openTrace(path string, stdin io.Reader) (r io.ReadCloser, name string, err error) {
	if path == "-" {
		return io.NopCloser(stdin), stdinName, nil
	}
	f, err := os.Open(path)
	return f, path, err
}

// readNet builds the net of a trace. With partial, what was read before a mistake comes
// back together with the mistake; a mistake in the header leaves no net.
func readNet(path string, stdin io.Reader, partial bool) (*san.Net, error) {
	f, name, err := openTrace(path, stdin)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := event.Open(f, name)
	if err != nil {
		return nil, err
	}
	h, err := r.Header()
	if err != nil {
		return nil, err
	}
	b, err := san.NewBuilder(h)
	if err != nil {
		return nil, err
	}
	if err := addAll(b, r); err != nil {
		if partial {
			return b.Partial(), err
		}
		return nil, err
	}
	net, err := b.Finish()
	if err != nil && partial {
		return b.Partial(), err
	}
	return net, err
}

// addAll feeds the events of a trace to a builder.
func addAll(b *san.Builder, r event.Reader) error {
	var e event.Event
	for {
		switch err := r.Next(&e); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := b.Add(&e, r.Pos()); err != nil {
			return err
		}
	}
}
