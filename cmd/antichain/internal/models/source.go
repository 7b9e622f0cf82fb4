package models

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"github.com/antichain-go/antichain/cmd/antichain/internal/filekind"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/internal/bom"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
	"github.com/antichain-go/antichain/tracer/event"
)

// Source is the origin of a model.
type Source struct {
	File       string           // "-" is standard input, "" is none
	Parameters map[string]int64 // of a program
}

// TraceReader reads the net of a trace.
type TraceReader func(ctx context.Context, path string) (*san.Net, error)

// Read reads a program or a structure, if the source names one. The end of the context ends the
// reading, too, since a pipe may never get data.
func (s *Source) Read(ctx context.Context, in io.Reader) (*Model, error) {
	if s.File == "" {
		return nil, nil
	}
	name := "standard input"
	if s.File != "-" {
		name = event.Printable(s.File)
	}
	var text []byte
	var err error
	if !interrupt.Do(ctx, func() { text, err = s.content(in) }) {
		return nil, context.Cause(ctx)
	}
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxModel:
		return nil, fmt.Errorf("%s is longer than the limit of %s for models", name, budget.Format(maxModel))
	}
	text = bom.Trim(text)
	structure := bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{"))
	return &Model{Name: name, Text: text, Program: !structure, parameters: s.Parameters}, nil
}

// content returns the bytes of the file, or enough of them to see that it is too long.
func (s *Source) content(in io.Reader) ([]byte, error) {
	if s.File != "-" {
		return limits.ReadFile(s.File, maxModel)
	}
	return io.ReadAll(io.LimitReader(in, maxModel+1))
}

// IsModel reports whether a file is a program or a structure, not a trace. A trace in text form
// begins with its header; the other forms are not text. A file that can be read only once, such as
// a pipe, counts as a model.
func IsModel(path string) (bool, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return true, err
	}
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, 4096)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	head = bytes.TrimLeft(bom.Trim(head[:n]), " \t\r\n")
	line, _, _ := bytes.Cut(head, []byte("\n"))
	text := utf8.Valid(line) && bytes.IndexByte(line, 0) < 0
	return text && !filekind.IsTrace(head) && len(head) > 0, nil
}

// ReadAny reads a program, a structure, or a trace. The states of a trace are its global states.
// The content determines the kind.
func (s *Source) ReadAny(ctx context.Context, in io.Reader, readTrace TraceReader) (*Model, error) {
	if s.File == "" || s.File == "-" {
		return s.Read(ctx, in)
	}
	model, err := IsModel(s.File)
	switch {
	case err != nil:
		return nil, err
	case model:
		return s.Read(ctx, in)
	case len(s.Parameters) > 0:
		return nil, fmt.Errorf("%s is a trace, which has no parameters: leave out --param", event.Printable(s.File))
	}
	net, err := readTrace(ctx, s.File)
	if err != nil {
		return nil, err
	}
	return &Model{Name: event.Printable(s.File), Run: tracemodel.New(net)}, nil
}

// maxModel limits the bytes of a model, since a file can be endless.
const maxModel = 256 << 20
