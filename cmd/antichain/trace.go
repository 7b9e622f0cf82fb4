package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"os"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ring"
)

// stdinName is how standard input is called in messages.
const stdinName = "standard input"

// trace is a trace that is being read.
type trace struct {
	event.Reader
	io.Closer
}

// lost says which records the trace lacks, or "". It is known at the end.
func (t *trace) lost() string {
	if raw, ok := t.Reader.(*rawTrace); ok {
		return raw.Missing()
	}
	return ""
}

// untraced says that a trace does not show all synchronisation, or "".
func untraced(h *event.Header) string {
	if h.Instrumented == nil || len(h.Instrumented.Untraced) == 0 {
		return ""
	}
	return "the program was traced without " + list(h.Instrumented.Untraced)
}

// stoppable returns a reader that fails when the context ends, whether a read of r returns or
// not: nobody may ever write to a pipe.
func stoppable(ctx context.Context, r io.Reader) io.Reader {
	out, in := io.Pipe()
	go func() {
		_, err := io.Copy(in, r)
		in.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { in.CloseWithError(context.Cause(ctx)) })
	return out
}

// openTrace opens a trace of any form, on standard input for "-", and reads its header.
func openTrace(path string, stdin io.Reader, input *inputFlags) (*trace, error) {
	t, err := openFormat(path, stdin, input)
	if err != nil {
		return nil, err
	}
	if _, err := t.Header(); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

func openFormat(path string, stdin io.Reader, input *inputFlags) (*trace, error) {
	if err := input.validate(); err != nil {
		return nil, err
	}
	if input.format == "" {
		return openForm(path, stdin)
	}
	in, name := io.NopCloser(stdin), stdinName
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		in, name = f, path
	}
	r, err := input.openLog(in, name)
	return &trace{r, in}, err
}

func openForm(path string, stdin io.Reader) (*trace, error) {
	if path == "-" {
		in := bufio.NewReader(stdin)
		if head, _ := in.Peek(ring.OffMagic + 8); ring.IsFile(head) {
			return nil, errors.New("what a traced executable has written cannot be read from standard input: name the file, or use antichain convert")
		}
		r, err := event.Open(in, stdinName)
		return &trace{r, io.NopCloser(stdin)}, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if isRawTrace(f) {
		f.Close()
		raw, err := openRawTrace(path)
		if err != nil {
			return nil, err
		}
		return &trace{raw, raw}, nil
	}
	r, err := event.Open(f, path)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &trace{r, f}, nil
}

// read builds the net of a trace within the budget, which else is an *unreadError. With
// partial, what was read before a mistake comes back together with the mistake; a mistake in the
// header leaves no net. useless says why the trace supports no verdict, if so.
func (f *budgetFlags) read(ctx context.Context, path string, stdin io.Reader, input *inputFlags, partial bool) (net *san.Net, useless string, err error) {
	ctx, stop := f.bound(ctx)
	defer stop()
	events := 0
	defer func() {
		if cause := context.Cause(ctx); cause != nil && errors.Is(err, cause) {
			net, err = nil, &unreadError{events, cause}
		}
	}()
	if path == "-" {
		stdin = stoppable(ctx, stdin)
	}
	t, err := openTrace(path, stdin, input)
	if err != nil {
		return nil, "", err
	}
	defer t.Close()
	h, err := t.Header()
	if err != nil {
		return nil, "", err
	}
	b, err := san.NewBuilder(h)
	if err != nil {
		return nil, "", err
	}
	err = eachEvent(t, func(e *event.Event) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		events++
		return b.AddFrom(e, t)
	})
	if err == nil {
		net, err = b.Finish()
	}
	if err != nil && partial {
		net = b.Partial()
	}
	return net, cmp.Or(t.lost(), untraced(h)), err
}

// eachEvent calls f with the events of a trace until one of them fails.
func eachEvent(r event.Reader, f func(*event.Event) error) error {
	var e event.Event
	for {
		switch err := r.Next(&e); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := f(&e); err != nil {
			return err
		}
	}
}
