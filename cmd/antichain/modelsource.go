package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
	"github.com/antichain-go/antichain/tracer/event"
)

// modelSource says where a model is.
type modelSource struct {
	file       string           // "-" is standard input, "" if there is none
	parameters map[string]int64 // of a program
}

// traceReader reads the net of a trace.
type traceReader func(ctx context.Context, path string) (*san.Net, error)

// read reads a program or a structure, if the source names one. The end of the context ends that, too: who writes into a pipe
// may take any time.
func (f *modelSource) read(ctx context.Context, in io.Reader) (*modelText, error) {
	if f.file == "" {
		return nil, nil
	}
	name := "standard input"
	if f.file != "-" {
		name = event.Printable(f.file)
	}
	var text []byte
	var err error
	if !interrupt.Do(ctx, func() { text, err = f.content(in) }) {
		return nil, context.Cause(ctx)
	}
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxModel:
		return nil, fmt.Errorf("%s is longer than the limit of %s for models", name, budget.Format(maxModel))
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	structure := bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{"))
	return &modelText{name: name, text: text, program: !structure, parameters: f.parameters}, nil
}

// content returns the bytes of the file, or enough of them to see that it is too long.
func (f *modelSource) content(in io.Reader) ([]byte, error) {
	if f.file != "-" {
		file, err := os.Open(f.file)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	return io.ReadAll(io.LimitReader(in, maxModel+1))
}

// isModel reports whether a file is a program or a structure, and no trace. A trace in text form begins with its header; in the
// other forms it is not text. A file that can be read only once, such as a pipe, is taken for a model.
func isModel(path string) (bool, error) {
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
	head = bytes.TrimLeft(head[:n], " \t\r\n\ufeff")
	line, _, _ := bytes.Cut(head, []byte("\n"))
	text := utf8.Valid(line) && bytes.IndexByte(line, 0) < 0
	return text && !bytes.HasPrefix(head, []byte(`{"antichain"`)) && len(head) > 0, nil
}

// readAny reads a program, a structure, or a trace, whose model is that of its global states. The content tells what it is.
func (f *modelSource) readAny(ctx context.Context, in io.Reader, readTrace traceReader) (*modelText, error) {
	if f.file == "" || f.file == "-" {
		return f.read(ctx, in)
	}
	model, err := isModel(f.file)
	switch {
	case err != nil:
		return nil, err
	case model:
		return f.read(ctx, in)
	case len(f.parameters) > 0:
		return nil, fmt.Errorf("%s is a trace, which has no parameters: leave --param out", event.Printable(f.file))
	}
	net, err := readTrace(ctx, f.file)
	if err != nil {
		return nil, err
	}
	return &modelText{name: event.Printable(f.file), run: tracemodel.New(net)}, nil
}

// maxModel is the length in bytes of the longest model: a file can be endless.
const maxModel = 256 << 20
